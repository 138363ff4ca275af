// A terminal front end for account.so: log in, with a code if the account wants one. It answers
// http itself. Letters edit a field, Tab goes to the next, Enter sends, Escape goes back, Ctrl-C
// ends it. Its arguments are the command that runs vmhost.
import { LineIn, LineOut } from "./vmhost";

/** The instances that Examples/flows/account.json has for a login. */
type Session = {
  login: "account.login-form"; "two-factor": "account.two-factor"; profile: "account.profile";
};
type Handle = keyof Session;
type Line = LineIn<Session>;

const fields: { [H in Handle]: { label: string; edit: (value: string) => Line }[] } = {
  login: [
    { label: "Email", edit: (value) => ({ instance: "login", name: "emailChanged", value }) },
    { label: "Password", edit: (value) => ({ instance: "login", name: "passwordChanged", value }) },
  ],
  "two-factor": [
    { label: "Code", edit: (value) => ({ instance: "two-factor", name: "codeChanged", value }) },
  ],
  profile: [],
};
const submit: { [H in Handle]?: Line } = {
  login: { instance: "login", name: "loginButtonPressed" },
  "two-factor": { instance: "two-factor", name: "submitPressed" },
};

const screens: Handle[] = []; // what is open, the latest last
const top = () => screens[screens.length - 1] ?? "login";
const fresh = (screen: Handle) => (
  { typed: fields[screen].map(() => ""), focus: 0, error: "", isValid: false, isLoading: false });
const states = {
  login: fresh("login"), "two-factor": fresh("two-factor"), profile: fresh("profile"),
};
const profile = { name: "", age: "", city: "" };
let [sent, answered] = [0, 0];

function send(line: Line) {
  vmhost.stdin.write(JSON.stringify({ ...line, seq: ++sent }) + "\n");
}

/** Answers a request, however late: an answer to what was cancelled is refused, and that is all. */
async function answer(instance: Handle, id: number, { url, method, body }: any) {
  const headers = { "content-type": "application/json" };
  const value = await fetch(url, { method, headers, body: JSON.stringify(body) })
    .then(async (reply) => ({ status: reply.status, body: await reply.json() }))
    .catch(() => undefined);
  if (value) send({ kind: "reply", instance, id, value });
  else send({ kind: "error", instance, id, code: "offline" });
}

function receive(line: LineOut<Session>) {
  switch (line.kind) {
    case "open":
      screens.push(line.instance);
      return (states[line.instance] = fresh(line.instance));
    case "close": return screens.splice(screens.indexOf(line.instance), 1);
    case "request": return answer(line.instance, line.id, line.value);
    case "output":
      const state = states[line.instance];
      if (line.name === "showError") state.error = line.value;
      if (line.name === "isFormValid") state.isValid = line.value;
      if (line.name === "isLoading") state.isLoading = line.value;
      if (line.instance === "profile") profile[line.name] = line.value;
      return;
    case "refused": // A line that came too late is no error.
      if (!/^(closed|unknown-request)$/.test(line.code)) states[top()].error = line.message;
      return (answered = line.seq ?? answered);
    case "done": return (answered = line.seq);
  }
}

function draw() {
  const [screen, state] = [top(), states[top()]];
  const rows = state.typed.map((text, index) =>
    `${index === state.focus ? ">" : " "} ${fields[screen][index].label}: ` +
    (fields[screen][index].label === "Password" ? "•".repeat(text.length) : text));
  if (screen === "profile") rows.push(`${profile.name}, ${profile.age}, ${profile.city}`);
  const hint = state.isLoading ? "Sending …" : state.isValid ? "Enter sends it." : "";
  rows.push(state.error || hint);
  process.stdout.write(`\x1b[H\x1b[J${screen}\r\n${rows.join("\r\n")}`);
}

function press(key: string) {
  const [screen, line, state] = [top(), submit[top()], states[top()]];
  if (key === "\x03") vmhost.stdin.end();
  else if (key === "\x1b" && screen !== "login") send({ kind: "close", instance: screen });
  else if (key === "\t") state.focus = (state.focus + 1) % Math.max(state.typed.length, 1);
  else if (key === "\r" && line) send(line);
  else if (state.typed.length > 0 && (key >= " " || key === "\x7f")) {
    const text = state.typed[state.focus];
    state.typed[state.focus] = key === "\x7f" ? text.slice(0, -1) : text + key;
    state.error = "";
    send(fields[screen][state.focus].edit(state.typed[state.focus]));
  }
}

const [, , program, ...options] = process.argv;
const vmhost = require("child_process").spawn(program, options);
for (const input of [process.stdin, vmhost.stdout, vmhost.stderr]) input.setEncoding("utf8");
let [unread, complaints] = ["", ""];
vmhost.stdout.on("data", (text) => {
  const lines = (unread + text).split("\n");
  unread = lines.pop() ?? "";
  for (const line of lines) receive(JSON.parse(line));
  if (answered === sent) draw();
});
vmhost.stderr.on("data", (text) => (complaints += text));
vmhost.on("close", (status) => {
  process.stdout.write(`\x1b[?1049l${complaints}`);
  process.stdin.setRawMode(false);
  process.stdin.pause();
  process.exitCode = status ?? 1;
});
process.stdout.write("\x1b[?1049h");
process.stdin.setRawMode(true);
process.stdin.on("data", (text) => {
  for (const key of text.match(/\x1b\[[0-?]*[@-~]|./gsu) ?? []) press(key);
  draw();
});
