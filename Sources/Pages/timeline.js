// @ts-check
// The timeline: a lane for each instance, with time or the steps from left to right. The list of
// steps says the same in words.

const LANE_HEIGHT = 34;
const AXIS_HEIGHT = 25;
const MARGIN = 10;
// A canvas has a limit, and so have eyes.
const MAX_LANES = 40;
/** @type {[string, string][]} */
const LEGEND = [
  ["input", "input"], ["output", "output"], ["request", "request"], ["log", "log"],
  ["problem", "difference or fault"],
];

class Timeline {
  /**
   * @param {Trace} trace
   * @param {(step: number) => void} select
   */
  constructor(trace, select) {
    this.trace = trace;
    this.select = select;
    this.selected = -1;
    this.usesTime = trace.duration > 0;
    /** The only lane that is shown; -1 for all. */
    this.lane = -1;
    /** The part that is shown of the whole, from 0 to 1. */
    this.view = { from: 0, to: 1 };
    this.isAsked = false;
    this.width = 600;
    /** All but the playhead, since that moves with every key. */
    this.layer = document.createElement("canvas");
    this.canvas = element("canvas", { "aria-hidden": "true",
      pointerdown: (/** @type {PointerEvent} */ event) => this.press(event),
      pointermove: (/** @type {PointerEvent} */ event) => this.move(event),
      pointerleave: () => this.tip.classList.remove("shown"),
    });
    this.canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.names = element("div", { class: "lanes", "aria-hidden": "true" });
    this.tip = element("div", { class: "tip", "aria-hidden": "true" });
    this.axis = choice("What runs from left to right", [["time", "by time"], ["step", "by step"]],
      (value) => this.setUsesTime(value === "time"));
    const tools = element("div", { class: "timeline-tools" },
      element("div", { class: "legend", "aria-hidden": "true" }, ...LEGEND.map(([name, text]) =>
        element("span", {}, element("i", { class: `marks-${name}` }), text))),
      this.axis,
      button("−", () => this.zoom(2), { title: "Show more (-)", "aria-label": "Zoom out" }),
      button("+", () => this.zoom(0.5), { title: "Look closer (+)", "aria-label": "Zoom in" }),
      button("all", () => this.showAll(), { title: "Show all (0)" }));
    this.plot = element("div", { class: "plot" }, this.canvas, this.tip);
    this.node = element("section", { class: "timeline", "aria-label": "Timeline" },
      element("div", {
        class: "tracks", role: "img", tabindex: 0,
        "aria-label": "Timeline. The list of steps says the same in words.",
      }, this.names, this.plot), tools);
    new ResizeObserver(() => this.ask()).observe(this.plot);
    window.addEventListener("themechange", () => this.ask());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.ask());
    this.setUsesTime(this.usesTime);
  }

  /** @param {boolean} usesTime */
  setUsesTime(usesTime) {
    this.usesTime = usesTime && this.trace.duration > 0;
    this.axis.value = this.usesTime ? "time" : "step";
    this.axis.hidden = this.trace.duration === 0;
    this.showAll();
  }

  showAll() {
    this.view = { from: 0, to: 1 };
    this.ask();
  }

  /** @param {number} lane */
  setLane(lane) {
    this.lane = lane;
    this.ask();
  }

  /** @param {number} step */
  setSelected(step) {
    this.selected = step;
    const at = this.fraction(step, null);
    const { from, to } = this.view;
    if (at < from || at > to) {
      const span = to - from;
      const start = Math.min(Math.max(0, at - span / 2), 1 - span);
      this.view = { from: start, to: start + span };
      this.ask();
    } else this.show();
  }

  /** Draws with the next picture of the page. */
  ask() {
    if (this.isAsked) return;
    this.isAsked = true;
    requestAnimationFrame(() => {
      this.isAsked = false;
      this.draw();
    });
  }

  // Places.

  /**
   * Where something is in the whole, from 0 to 1.
   * @param {number} step
   * @param {number | null} t null for the time of the step
   */
  fraction(step, t) {
    const { starts, times, duration } = this.trace;
    if (!this.usesTime) return (step + 0.5) / Math.max(1, starts.length);
    return (t === null ? times[starts[step]] || 0 : t) / duration;
  }

  /** @param {number} fraction */
  x(fraction) {
    const { from, to } = this.view;
    return MARGIN + (fraction - from) / (to - from) * (this.width - 2 * MARGIN);
  }

  /** @param {number} x */
  fractionAt(x) {
    const { from, to } = this.view;
    return from + (x - MARGIN) / Math.max(1, this.width - 2 * MARGIN) * (to - from);
  }


  /** The lanes that are shown. */
  get lanes() {
    return this.lane < 0 ? [...this.trace.handles.keys()].slice(0, MAX_LANES) : [this.lane];
  }

  /**
   * The step nearest to a place.
   * @param {number} x
   */
  stepAt(x) {
    const { starts, times, duration, count } = this.trace;
    const fraction = this.fractionAt(x);
    if (!this.usesTime) return Math.min(count - 1, Math.max(0, Math.floor(fraction * count)));
    const t = fraction * duration;
    let low = 0;
    let high = count - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[starts[middle]] < t) low = middle + 1;
      else high = middle;
    }
    return low > 0 && t - times[starts[low - 1]] < times[starts[low]] - t ? low - 1 : low;
  }

  // Drawing.

  draw() {
    this.width = this.plot.clientWidth || 600;
    const { lanes, width } = this;
    const height = Math.max(1, lanes.length) * LANE_HEIGHT + AXIS_HEIGHT;
    const ratio = window.devicePixelRatio || 1;
    this.canvas.style.height = `${height}px`;
    this.canvas.width = this.layer.width = Math.round(width * ratio);
    this.canvas.height = this.layer.height = Math.round(height * ratio);
    this.drawNames(lanes);
    const context = this.layer.getContext("2d");
    if (!context) return;
    /** @param {string} name */
    const color = (name) => {
      this.canvas.style.color = `var(--${name})`;
      return getComputedStyle(this.canvas).color;
    };
    context.scale(ratio, ratio);
    lanes.forEach((lane, row) => this.drawLives(context, color, lane, row * LANE_HEIGHT));
    lanes.forEach((lane, row) => this.drawCalls(context, color, lane, row * LANE_HEIGHT));
    this.drawMarks(context, color, lanes);
    this.drawAxis(context, color, height - AXIS_HEIGHT);
    this.accent = color("accent");
    this.show();
  }

  /** @param {number[]} lanes */
  drawNames(lanes) {
    const { handles } = this.trace;
    const rest = this.lane < 0 ? handles.length - lanes.length : 0;
    const axis = this.usesTime ? "time" : "step";
    fill(this.names,
      ...lanes.map((lane) => element("div", { title: shortText(handles[lane], 300) },
        shortText(handles[lane], 60))),
      element("span", {}, rest > 0 ? `${rest.toLocaleString("en")} more` : axis));
  }

  /** Shows what was drawn, with the playhead. */
  show() {
    const context = this.canvas.getContext("2d");
    if (!context || this.layer.width === 0 || this.layer.height === 0) return;
    const ratio = window.devicePixelRatio || 1;
    const { width, height } = this.canvas;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, width, height);
    context.drawImage(this.layer, 0, 0);
    if (this.selected < 0) return;
    context.scale(ratio, ratio);
    const x = Math.round(this.x(this.fraction(this.selected, null)));
    const bottom = height / ratio - AXIS_HEIGHT;
    context.fillStyle = this.accent || "";
    context.fillRect(x - 0.75, 0, 1.5, bottom);
    context.beginPath();
    context.moveTo(x - 5, bottom + 7);
    context.lineTo(x, bottom + 1);
    context.lineTo(x + 5, bottom + 7);
    context.fill();
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {(name: string) => string} color
   * @param {number} lane
   * @param {number} top
   */
  drawLives(context, color, lane, top) {
    const { trace, width } = this;
    context.fillStyle = color("lane");
    let lastEnd = -1;
    for (const { from, to } of trace.lives[lane]) {
      const start = Math.max(0, this.x(this.fraction(trace.stepOf(from), trace.times[from])) - 6);
      const end = to === Infinity ? this.x(1) + 6
        : this.x(this.fraction(trace.stepOf(to), trace.times[to])) + 2;
      if (end < 0 || start > width || end - lastEnd < 1) continue;
      lastEnd = end;
      const length = Math.max(2, Math.min(end, width) - start);
      fillRounded(context, start, top + 3, length, LANE_HEIGHT - 6, 4);
    }
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {(name: string) => string} color
   * @param {number} lane
   * @param {number} top
   */
  drawCalls(context, color, lane, top) {
    const { trace, width } = this;
    const colors = { bad: color("bad"), quiet: color("quiet"), request: color("request") };
    // Where the bars of two rows end, so that those of one time stand one above the other.
    const ends = [-9, -9];
    for (const { start, end } of trace.calls[lane]) {
      const left = this.x(this.fraction(trace.stepOf(start), trace.times[start]));
      const right = end < 0 ? this.x(1)
        : this.x(this.fraction(trace.stepOf(end), trace.times[end]));
      if (right < 0 || left > width || right - Math.max(...ends) < 1) continue;
      const row = left >= ends[0] ? 0 : left >= ends[1] ? 1 : ends[0] <= ends[1] ? 0 : 1;
      ends[row] = right;
      const isFailed = end >= 0 && trace.actions[trace.stepOf(end)] === "error";
      const isCancelled = end >= 0 && trace.kinds[end] === CANCEL;
      context.fillStyle = isFailed ? colors.bad : isCancelled ? colors.quiet : colors.request;
      context.globalAlpha = end < 0 ? 0.35 : 0.85;
      const from = Math.max(-4, left);
      const length = Math.max(3, Math.min(right, width + 4) - from);
      fillRounded(context, from, top + 26 - row * 6, length, 4, 2);
      context.globalAlpha = 1;
    }
  }

  /**
   * Marks, one of a kind for each pixel.
   * @param {CanvasRenderingContext2D} context
   * @param {(name: string) => string} color
   * @param {number[]} lanes
   */
  drawMarks(context, color, lanes) {
    const { trace, width } = this;
    const rows = new Int32Array(trace.handles.length).fill(-1);
    lanes.forEach((lane, row) => { rows[lane] = row; });
    const marks = MARKS.map(() => new Uint16Array(width * Math.max(1, lanes.length)));
    // This loop runs for each line of the session, so it does without calls.
    const { kinds, times, lanes: laneOf, starts, actions, raws } = trace;
    const [left, scale] = [this.x(0), this.x(1) - this.x(0)];
    const whole = this.usesTime ? trace.duration : Math.max(1, starts.length);
    for (let step = 0; step < starts.length; step += 1) {
      const start = starts[step];
      const end = step + 1 < starts.length ? starts[step + 1] : raws.length;
      for (let index = start; index < end; index += 1) {
        const place = this.usesTime ? times[index] : step + 0.5;
        const x = Math.round(left + place / whole * scale);
        if (x < 0 || x >= width) continue;
        const kind = markOf(kinds[index], actions[step]);
        const lane = laneOf[index] < 0 ? laneOf[start] : laneOf[index];
        const row = lane < 0 ? 0 : rows[lane];
        if (kind >= 0 && row >= 0) marks[kind][row * width + x] += 1;
      }
    }
    marks.forEach((counts, kind) => {
      context.fillStyle = color(MARKS[kind]);
      counts.forEach((count, at) => {
        if (count === 0) return;
        drawMark(context, kind, at % width, Math.floor(at / width) * LANE_HEIGHT, count);
      });
    });
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {(name: string) => string} color
   * @param {number} top
   */
  drawAxis(context, color, top) {
    const whole = this.usesTime ? this.trace.duration : this.trace.count;
    const span = (this.view.to - this.view.from) * whole;
    const step = niceStep(span / Math.max(2, Math.floor(this.width / 100)), !this.usesTime);
    context.fillStyle = color("muted");
    context.strokeStyle = color("line");
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    context.textAlign = "center";
    const first = Math.ceil(this.view.from * whole / step);
    for (let index = first; index * step <= this.view.to * whole * (1 + 1e-9); index += 1) {
      const value = index * step;
      // The number of a step stands below its middle.
      const place = this.usesTime ? value / whole : (value - 0.5) / whole;
      const x = this.x(place);
      if (x < MARGIN - 1) continue;
      context.beginPath();
      context.moveTo(x, top);
      context.lineTo(x, top + 4);
      context.stroke();
      const text = this.usesTime ? timeText(value) : value.toLocaleString("en");
      const half = context.measureText(text).width / 2;
      context.fillText(text, Math.min(Math.max(x, half), this.width - half), top + 16);
    }
  }

  // Pointing.

  /** @param {PointerEvent} event */
  press(event) {
    if (event.button !== 0 || this.trace.count === 0) return;
    this.canvas.setPointerCapture(event.pointerId);
    this.select(this.stepAt(event.offsetX));
  }

  /** @param {PointerEvent} event */
  move(event) {
    if (this.trace.count === 0) return;
    const step = this.stepAt(event.offsetX);
    if (event.buttons === 1 && step !== this.selected) this.select(step);
    const line = textOf(lineOf(this.trace, this.trace.step(step))).slice(0, 80);
    fill(this.tip, element("b", {}, timeText(this.trace.times[this.trace.starts[step]])), " ",
      visible(line));
    this.tip.classList.add("shown");
    const room = this.width - this.tip.offsetWidth;
    this.tip.style.left = `${Math.max(0, Math.min(event.offsetX + 12, room))}px`;
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    const across = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
    if (event.ctrlKey || event.metaKey) {
      this.zoom(Math.pow(1.004, event.deltaY), this.fractionAt(event.offsetX));
    } else if (across !== 0) {
      const { from, to } = this.view;
      const span = to - from;
      const start = Math.min(Math.max(0, from + across / this.width * span), 1 - span);
      this.view = { from: start, to: start + span };
      this.ask();
    } else return;
    event.preventDefault();
  }

  /**
   * @param {number} factor below 1 to look closer
   * @param {number} [around] from 0 to 1
   */
  zoom(factor, around = this.fraction(Math.max(0, this.selected), null)) {
    const { from, to } = this.view;
    const span = Math.min(1, Math.max((to - from) * factor, 1e-7));
    const share = Math.min(1, Math.max(0, (around - from) / (to - from)));
    const start = Math.min(Math.max(0, around - span * share), 1 - span);
    this.view = { from: start, to: start + span };
    this.ask();
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @param {number} radius
 */
function fillRounded(context, x, y, width, height, radius) {
  context.beginPath();
  context.moveTo(x + radius, y);
  context.arcTo(x + width, y, x + width, y + height, Math.min(radius, width / 2));
  context.arcTo(x + width, y + height, x, y + height, Math.min(radius, width / 2));
  context.arcTo(x, y + height, x, y, Math.min(radius, width / 2));
  context.arcTo(x, y, x + width, y, Math.min(radius, width / 2));
  context.fill();
}

// The colors of marks, from the lowest to the topmost.
const MARKS = ["output", "log", "input", "problem"];

/**
 * The kind of a line's mark; -1 for none.
 * @param {number} kind
 * @param {string} action that of its step
 */
function markOf(kind, action) {
  if (kind === OUTPUT) return 0;
  if (kind === LOG) return 1;
  if (kind === STEP) return action === "input" || action === "open" ? 2 : -1;
  return kind === FAULT || kind === DIFFERENCE || kind === SKIPPED ? 3 : -1;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} kind
 * @param {number} x
 * @param {number} top
 * @param {number} count how many lines there are at that pixel
 */
function drawMark(context, kind, x, top, count) {
  context.beginPath();
  if (kind === 0) {
    const height = Math.min(10, 4 + 2 * Math.log2(count));
    context.rect(x - 0.75, top + 21 - height, 1.5, height);
  } else if (kind === 1) context.arc(x, top + 22, 2, 0, 7);
  else if (kind === 2) {
    context.moveTo(x - 4, top + 4);
    context.lineTo(x + 4, top + 4);
    context.lineTo(x, top + 10);
  } else {
    context.moveTo(x, top + 10);
    context.lineTo(x + 6, top + 16);
    context.lineTo(x, top + 22);
    context.lineTo(x - 6, top + 16);
  }
  context.fill();
}

/**
 * The next round number, such as 1, 2, 5 or 10.
 * @param {number} least
 * @param {boolean} isWhole
 */
function niceStep(least, isWhole) {
  const power = Math.pow(10, Math.floor(Math.log10(least)));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= least * 0.999) || 10);
  return isWhole ? Math.max(1, step) : step;
}
