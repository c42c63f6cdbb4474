// The service's own description, openapi.json, set for people: every operation, its fields, its answers, and a try.

import { element, para, quoted, small } from "../explain/dom.js";

const TEXT = "The ferry stays. The county pays for it. Nobody expected that. A pupil had the idea for the ferry.";
const FIRST = { "/api/summarize": { text: TEXT, budget: "1/2" }, "/api/levels": { text: TEXT, budgets: ["1/4", "1/2"] }, "/api/explain": { text: TEXT, budget: "1/2" } };

const told = await (await fetch("openapi.json")).json();
const resolved = (schema) => (schema?.$ref ? told.components.schemas[schema.$ref.split("/").at(-1)] : schema) ?? {};
const code = (text) => element("code", {}, text);

/** What a value may be, in a few words. */
function kind(schema) {
  if (schema.$ref) return schema.$ref.split("/").at(-1);
  if (schema.anyOf) return [...new Set(schema.anyOf.map(kind))].filter((name) => name !== "null").join(" or ");
  if (schema.enum) return schema.enum.map((value) => `"${value}"`).join(" | ");
  if (schema.const) return `"${schema.const}"`;
  if (schema.type === "array") return `list of ${kind(schema.items ?? {})}`;
  if (schema.type === "object" && schema.additionalProperties) return `object of ${kind(schema.additionalProperties)}`;
  return schema.type ?? "anything";
}

function fields(schema, required = schema.required ?? []) {
  const rows = Object.entries(schema.properties ?? {}).map(([name, field]) => element("tr", {},
    element("td", {}, code(name)), element("td", {}, small(kind(field)), required.includes(name) ? small(", needed") : ""),
    element("td", {}, field.description ?? "", field.default !== undefined && field.default !== null ? [" ", small("if not given: "), code(String(field.default))] : "")));
  return rows.length ? element("table", {}, element("tbody", {}, rows)) : "";
}

function operation(path, method, about) {
  const body = about.requestBody?.content ?? {};
  const json = resolved(body["application/json"]?.schema);
  const query = { properties: Object.fromEntries((about.parameters ?? []).map(({ name, schema, description }) => [name, { ...schema, description }])),
    required: (about.parameters ?? []).filter(({ required }) => required).map(({ name }) => name) };
  return element("section", { class: "operation", id: about.operationId },
    element("h2", {}, element("b", {}, method.toUpperCase()), " ", code(path)), para(about.description ?? about.summary ?? ""),
    about.parameters ? [element("h3", {}, "In the address"), fields(query)] : [],
    json.properties ? [element("h3", {}, "In the body, as JSON"), fields(json)] : body["application/octet-stream"] ? [element("h3", {}, "In the body"), para("The bytes of the file.")] : [],
    element("h3", {}, "Answers"), element("ul", { class: "answers" }, Object.entries(about.responses).map(([status, answer]) => response(status, answer))),
    FIRST[path] ? attempt(path) : "");
}

function response(status, { description, content }) {
  const [type, { schema } = {}] = Object.entries(content ?? {})[0] ?? [""];
  const name = schema?.$ref ? kind(schema) : schema?.type === "array" ? kind(schema) : "";
  return element("li", {}, code(status), ` ${description} `, small([type, name].filter(Boolean).join(", ")));
}

/** A request that can be changed and sent. */
function attempt(path) {
  const id = `try-${path.split("/").at(-1)}`;
  const field = element("textarea", { id, rows: 5, spellcheck: "false" });
  field.value = JSON.stringify(FIRST[path], null, 2);
  const answer = element("pre", { tabindex: 0, role: "region", "aria-label": "Answer", hidden: "" });
  const send = element("button", { type: "button", class: "primary" }, "Send");
  send.addEventListener("click", async () => {
    const got = await fetch(path.slice(1), { method: "POST", headers: { "Content-Type": "application/json" }, body: field.value });
    const text = await got.text();
    const shown = /json/.test(got.headers.get("Content-Type")) ? JSON.stringify(JSON.parse(text), null, 2) : text;
    answer.hidden = false;
    answer.replaceChildren(quoted(`${got.status} ${got.statusText}\n\n${shown.length > 6000 ? `${shown.slice(0, 6000)}\n…` : shown}`));
  });
  return element("details", { class: "try" }, element("summary", {}, "Try it"), element("label", { for: id }, "Body"), field, send, answer);
}

const schemas = Object.entries(told.components.schemas).filter(([, schema]) => schema.properties).map(([name, schema]) =>
  element("details", { id: `schema-${name}` }, element("summary", {}, name), schema.description ? para(schema.description) : "", fields(schema)));
const operations = Object.entries(told.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, about]) => operation(path, method, about)));

document.querySelector("main").replaceChildren(
  element("h1", {}, "MLS for programs"), element("p", { class: "lead" }, told.info.description),
  element("p", { class: "version" }, small(`Version ${told.info.version} · `), element("a", { href: "openapi.json" }, small("openapi.json")), small(" · "), element("a", { href: "metrics" }, small("metrics"))),
  ...operations, element("section", { class: "schemas" }, element("h2", {}, "The forms of bodies and answers"), schemas));
