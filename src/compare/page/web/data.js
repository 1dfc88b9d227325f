// The report as data, numbers as text, elements as calls. Names come from files: they only ever become text nodes and
// attribute values, never markup.

const REPORT = JSON.parse(document.getElementById("report").textContent);

/** Elements by id: `$.stage`. */
const $ = new Proxy({}, { get: (_, id) => document.getElementById(id) });

/** A number of the report: JSON has no NaN and no infinities, so these are words there. */
function real(value) {
  if (typeof value !== "string") return value;
  return { nan: NaN, inf: Infinity, "-inf": -Infinity }[value];
}

/** An element with attributes (`onclick` and other functions as listeners) and children (text or elements). */
function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** The same for SVG. */
function s(tag, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function special(value) {
  if (Number.isNaN(value)) return "NaN";
  return value > 0 ? "+Inf" : "−Inf";
}

function minus(text) {
  return text.replace("-", "−").replace("e−", "e-").replace("e+", "e");
}

/** The shortest digits that are this float32 and no other. */
function exact(value) {
  if (!Number.isFinite(value)) return special(value);
  if (Object.is(value, -0)) return "−0";
  for (let digits = 1; digits < 10; digits++) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === Math.fround(value)) return minus(String(Number(text)));
  }
  return minus(String(value));
}

/** A measure, to four digits. */
function short(value, digits = 4) {
  if (value === null || value === undefined) return "–";
  if (!Number.isFinite(value)) return special(value);
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e7) return count(value);
  if (size >= 1e6 || size < 1e-4) return minus(value.toExponential(digits - 1).replace(/\.?0+e/, "e"));
  return minus(String(Number(value.toPrecision(digits))));
}

/** An integer with thin spaces between thousands. */
function count(value) {
  return minus(String(value)).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
}

function bytes(value) {
  if (value < 1e6) return `${short(value / 1e3, 3)} kB`;
  return `${short(value / 1e6, 3)} MB`;
}

function plural(number, one, many = `${one}s`) {
  return `${count(number)} ${number === 1 ? one : many}`;
}

const SIGNS = { pass: "✓", fail: "✕", fault: "▲" };
const WORDS = { equal: "equal", within_limits: "within limits", different: "different" };

/** Faults of a picture that concern one AOV. */
function faultsOf(picture, aov) {
  return picture.faults.filter((fault) => fault.aov === aov.name || fault.aov === aov.reference_name);
}

/** "pass", "fail" or "fault": how an AOV is coloured and signed. */
function classOf(picture, aov) {
  if (faultsOf(picture, aov).length > 0) return "fault";
  return aov.verdict === "different" ? "fail" : "pass";
}

function classOfPicture(picture) {
  if (picture.error || picture.faults.length > 0) return "fault";
  return picture.verdict === "different" ? "fail" : "pass";
}

function badge(kind, word) {
  return h("span", { class: `verdict ${kind}` }, h("span", { "aria-hidden": "true" }, SIGNS[kind]), word);
}

/** How far a rule is broken, or used up below 1: measured over limit, or its inverse where more is better. */
function strain(rule) {
  const [measured, limit] = [real(rule.measured), real(rule.limit)];
  if (Number.isNaN(measured)) return rule.passed ? 0 : Infinity;
  const ratio = rule.rule === "ssim" ? (1 - measured) / (1 - limit) : Math.abs(measured) / Math.abs(limit);
  if (Number.isNaN(ratio)) return rule.passed ? 0 : 1;
  return rule.passed ? Math.min(ratio, 1) : Math.max(ratio, 1);
}

/** The rule of an AOV that is nearest to its limit or farthest beyond it. */
function tightest(aov) {
  let found = null;
  for (const rule of aov.rules) {
    const worse = !found || (rule.passed !== found.passed ? !rule.passed : strain(rule) > strain(found));
    if (worse) found = rule;
  }
  return found;
}

/** Sort key of a picture, larger is worse: errors, faults, broken AOVs, then how far its limits are used. */
function severity(picture) {
  const broken = picture.aovs.filter((aov) => aov.verdict === "different");
  const worst = Math.max(0, ...picture.aovs.map((aov) => (aov.rules.length ? strain(tightest(aov)) : 0)));
  return [picture.error ? 1 : 0, picture.faults.length, broken.length ? 1 : 0, Math.min(worst, 1e9), broken.length];
}

function bySeverity(a, b) {
  const [left, right] = [severity(a), severity(b)];
  const at = left.findIndex((value, index) => value !== right[index]);
  return at < 0 ? (a.name < b.name ? -1 : 1) : right[at] - left[at];
}
