// @ts-check
// A list of any length, of which only the rows in sight are elements; and sorted lists of numbers.

const EXTRA_ROWS = 8;
// Browsers don't lay out elements that are much higher.
const MAX_HEIGHT = 15000000;
const MAX_PRINTED_ROWS = 2000;

class VirtualList {
  /**
   * @param {{
   *   label: string, rowHeight: number, id: string,
   *   row: (index: number) => HTMLElement, select: (index: number) => void,
   *   open?: (index: number) => void,
   * }} options `row` makes the element of a row; `select` is called when one chooses a row, and
   *   `open` for a double click or Enter
   */
  constructor(options) {
    this.options = options;
    this.count = 0;
    this.selected = -1;
    this.space = element("div", { class: "space", role: "presentation" });
    this.node = element("div", {
      class: "list", role: "listbox", tabindex: 0, "aria-label": options.label,
      scroll: () => this.draw(), keydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
    }, this.space);
    /** The rows that are elements. @type {Map<number, HTMLElement>} */
    this.rows = new Map();
    new ResizeObserver(() => this.draw()).observe(this.node);
  }

  /**
   * Sets how many rows there are, and makes them anew.
   * @param {number} count
   */
  setCount(count) {
    this.count = count;
    this.height = Math.min(count * this.options.rowHeight, MAX_HEIGHT);
    this.space.style.height = `${this.height}px`;
    if (this.selected >= count) this.selected = -1;
    this.redraw();
  }

  /** Makes all rows anew. */
  redraw() {
    for (const row of this.rows.values()) row.remove();
    this.rows.clear();
    this.draw();
    this.pointToSelected();
  }

  /** How far the rows have moved up behind a list whose scroll bar is too short for all of them. */
  get offset() {
    const full = this.count * this.options.rowHeight;
    const room = (this.height || 0) - this.node.clientHeight;
    if (full <= MAX_HEIGHT || room <= 0) return 0;
    return (full - (this.height || 0)) * Math.min(1, this.node.scrollTop / room);
  }

  /** Makes the rows that have come into sight, and drops the others. */
  draw() {
    const { rowHeight } = this.options;
    const { offset } = this;
    const top = this.node.scrollTop + offset;
    const height = this.node.clientHeight || 400;
    const first = Math.max(0, Math.floor(top / rowHeight) - EXTRA_ROWS);
    const end = Math.min(this.count, Math.ceil((top + height) / rowHeight) + EXTRA_ROWS);
    for (const [index, row] of this.rows) {
      // The selected row stays, since the list says that it is active.
      if ((index < first || index >= end) && index !== this.selected) {
        row.remove();
        this.rows.delete(index);
      } else if (offset !== 0) row.style.top = `${index * rowHeight - offset}px`;
    }
    for (let index = first; index < end; index += 1) {
      if (!this.rows.has(index)) this.space.appendChild(this.make(index, offset));
    }
  }

  /**
   * @param {number} index
   * @param {number} offset
   */
  make(index, offset) {
    const { id, row: makeRow, rowHeight, select, open } = this.options;
    const row = makeRow(index);
    row.classList.add("row");
    row.id = `${id}-${index}`;
    row.setAttribute("role", "option");
    row.setAttribute("aria-selected", String(index === this.selected));
    row.setAttribute("aria-setsize", String(this.count));
    row.setAttribute("aria-posinset", String(index + 1));
    row.style.top = `${index * rowHeight - offset}px`;
    row.style.height = `${rowHeight}px`;
    row.addEventListener("click", () => select(index));
    if (open) row.addEventListener("dblclick", () => open(index));
    this.rows.set(index, row);
    return row;
  }

  /**
   * Marks a row, and scrolls to it.
   * @param {number} index -1 for none
   */
  setSelected(index) {
    const old = this.rows.get(this.selected);
    if (old) old.setAttribute("aria-selected", "false");
    this.selected = index < this.count ? index : -1;
    if (this.selected >= 0) this.reveal(this.selected);
    this.pointToSelected();
  }

  pointToSelected() {
    const row = this.rows.get(this.selected);
    if (row) {
      row.setAttribute("aria-selected", "true");
      this.node.setAttribute("aria-activedescendant", row.id);
    } else this.node.removeAttribute("aria-activedescendant");
  }

  /** @param {number} index */
  reveal(index) {
    const { rowHeight } = this.options;
    const height = this.node.clientHeight;
    const full = this.count * rowHeight;
    const top = index * rowHeight;
    const seen = this.node.scrollTop + this.offset;
    if (top < seen || top + rowHeight > seen + height) {
      const isFar = top < seen - height || top > seen + 2 * height;
      const wanted = isFar ? top - height / 2 : top < seen ? top : top + rowHeight - height;
      const room = (this.height || 0) - height;
      this.node.scrollTop = full > MAX_HEIGHT ? wanted / (full - height) * room : wanted;
    }
    this.draw();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const page = Math.max(1, Math.floor(this.node.clientHeight / this.options.rowHeight) - 1);
    /** @type {{[key: string]: number}} */
    const moves = {
      ArrowDown: this.selected + 1, ArrowUp: this.selected - 1, Home: 0, End: this.count - 1,
      PageDown: this.selected + page, PageUp: this.selected - page,
    };
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Enter" && this.options.open && this.selected >= 0) {
      this.options.open(this.selected);
    } else if (Object.hasOwn(moves, event.key)) {
      const target = Math.min(Math.max(moves[event.key], 0), this.count - 1);
      if (target >= 0) this.options.select(target);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The first rows as a list for paper. */
  printed() {
    const rows = [];
    for (let index = 0; index < Math.min(this.count, MAX_PRINTED_ROWS); index += 1) {
      const row = this.options.row(index);
      row.classList.add("row");
      rows.push(row);
    }
    return element("div", { class: "printed" }, ...rows,
      this.count > rows.length
        ? element("p", {}, `… and ${countOf(this.count - rows.length, "more row")}`) : null);
  }
}

/**
 * The position of the last number that isn't above a limit; -1 if there is none.
 * @param {number[]} sorted
 * @param {number} limit
 */
function lastUpTo(sorted, limit) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * @param {number[]} sorted
 * @param {number} number
 */
function includes(sorted, number) {
  return sorted[lastUpTo(sorted, number)] === number;
}
