// The participant's way: code, consent, practice, items, thanks. The server knows where they are.

import { AFTERWARDS, COACH, PRACTICE } from "./practice.js";
import { ReadingTime } from "./reading_time.js";
import { ask, ServerError } from "./server.js";

const CHOICES = [["yes", "Yes", "y"], ["no", "No", "n"], ["more", "More information required", "m"]];
const AT_LAST = "I can’t tell from this text"; // what asking for more means where there is no more
const SETTLE = 350; // a double click must not answer what it has not seen

const main = document.querySelector("main");
const notice = document.querySelector("body > .notice");
const another = document.getElementById("another");
let reading = null;

const waiting = (yes) => say(yes ? "Not saved yet: the connection is lost. Trying again …" : "");

function say(message) {
  notice.textContent = message;
  notice.hidden = !message;
}

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function paragraphs(text) {
  return text.split(/\n\s*\n|\n/).filter((part) => part.trim()).map((part) => element("p", { dir: "auto" }, part));
}

function show(title, ...content) {
  reading?.end();
  main.replaceChildren(...content);
  document.title = title;
  scrollTo(0, 0);
  main.querySelector("h1").focus({ preventScroll: true });
}

const heading = (text) => element("h1", { tabIndex: -1, dir: "auto" }, text);

function mainButton(text, act) {
  const button = element("button", { type: "button", className: "main" }, text);
  button.addEventListener("click", async () => {
    button.disabled = true;
    await act();
  });
  return element("div", { className: "actions" }, button);
}

// code

function showEntrance(message = "") {
  const given = location.hash.slice(1).replace(/[^\w-]/g, "");
  const input = element("input", { id: "code", name: "code", required: true, maxLength: 40, value: given, autocomplete: "off", spellcheck: false });
  input.setAttribute("autocapitalize", "characters");
  input.setAttribute("aria-describedby", "code-hint");
  const form = element("form", {},
    element("label", { htmlFor: "code" }, "Your personal code"), input,
    element("p", { id: "code-hint", className: "hint" }, message || "You were given it with the invitation. Small letters and missing dashes do not matter."),
    element("button", { className: "main" }, "Continue"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    enter(input.value);
  });
  another.hidden = true;
  show("A reading study", heading("A reading study"), form);
  input.focus();
}

async function enter(code) {
  try {
    const state = await ask("enter", { code }, waiting);
    history.replaceState(null, "", location.pathname);
    render(state);
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    showEntrance(sentence(error.message));
    const hint = document.getElementById("code-hint");
    hint.setAttribute("role", "alert");
    document.getElementById("code").value = code;
  }
}

const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;

// consent and practice

async function showConsent() {
  const { text } = await ask("consent", undefined, waiting);
  show("Before we begin", heading("Before we begin"),
    element("section", { className: "sheet" }, ...paragraphs(text)),
    mainButton("I agree and want to take part", () => go("consent", {})));
}

function showPractice(level = 0) {
  const last = level + 1 === PRACTICE.texts.length;
  const item = { question: PRACTICE.question, text: PRACTICE.texts[level], last };
  showQuestion(item, "Practice", null, COACH[level], (choice) =>
    choice === "more" && !last ? showPractice(level + 1) : showAfterwards(choice));
}

function showAfterwards(choice) {
  show("Practice", heading("That is all there is to it"),
    element("section", { className: "sheet" }, element("p", {}, AFTERWARDS[choice]),
      element("p", {}, "Sometimes the text is long, sometimes there is none. Take the time you need, but please do each question in one go.")),
    mainButton("Begin", () => go("practice", {})));
}

// items

function showItem(state) {
  const item = state.shown;
  const where = `Question ${state.answered + 1} of ${state.items}`;
  showQuestion(item, where, state, "", (choice) => answer(item, choice));
  reading = new ReadingTime(`${item.id} ${item.level}`);
}

function showQuestion(item, where, progress, coach, answered) {
  const bar = progress && element("progress", { max: progress.items, value: progress.answered });
  bar?.setAttribute("aria-label", where);
  const text = item.text ? paragraphs(item.text) : [element("p", { className: "none" }, "There is no text with this question.")];
  show(where, ...[
    element("p", { className: "where" }, where),
    bar,
    element("div", { className: "asked" }, heading(item.question)),
    coach && element("p", { className: "coach" }, coach),
    item.last && element("p", { className: "hint enough" }, "This is the longest text there is."),
    element("section", { className: "sheet", ariaLabel: "The text" }, ...text),
    element("div", { className: "answers", role: "group", ariaLabel: "Your answer" }, ...CHOICES.map((choice) => answerButton(choice, answered, item.last))),
  ].filter(Boolean));
  setTimeout(() => main.querySelectorAll(".answers button").forEach((button) => { button.disabled = false; }), SETTLE);
}

function answerButton([choice, label, key], answered, last) {
  const button = element("button", { type: "button", disabled: true }, choice === "more" && last ? AT_LAST : label, element("kbd", { ariaHidden: "true" }, key.toUpperCase()));
  button.dataset.key = key;
  button.setAttribute("aria-keyshortcuts", key);
  button.addEventListener("click", () => {
    main.querySelectorAll(".answers button").forEach((one) => { one.disabled = true; });
    button.setAttribute("aria-pressed", "true");
    answered(choice);
  });
  return button;
}

addEventListener("keydown", (event) => {
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input")) return;
  main.querySelector(`.answers button[data-key="${CSS.escape(event.key.toLowerCase())}"]:enabled`)?.click();
});

async function answer(item, choice) {
  const time = reading;
  const seconds = time.seconds; // waiting for the connection is not reading
  time.end();
  await go("answers", { item: item.id, level: item.level, choice, seconds });
  time.forget();
}

// Ask the server for a step and show where that leads. An error of it is told, and then we look where we are.
async function go(path, content) {
  try {
    render(await ask(path, content, waiting));
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    if (error.status === 401) return showEntrance(path === "state" ? "" : sentence(error.message));
    if (path === "state") return say(sentence(error.message));
    await go("state");
    say(sentence(error.message));
  }
}

function render(state) {
  say("");
  another.hidden = state.stage === "practice" || state.stage === "item"; // out of the way of the answers
  if (state.stage === "consent") showConsent();
  else if (state.stage === "practice") showPractice();
  else if (state.stage === "item") showItem(state);
  else show("Thank you", heading("Thank you"), element("section", { className: "sheet" },
    element("p", {}, "That was the last question, and all your answers are kept. You may close this page.")));
}

another.addEventListener("click", () => showEntrance());
if (location.hash.length > 1) showEntrance();
else go("state");
