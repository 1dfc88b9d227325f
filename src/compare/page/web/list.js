// The index: one row a picture, worst first.

const F = { name: "", verdict: "all", kind: "all", sort: "worst", row: 0 };

const VERDICTS = {
  all: ["Every verdict", () => true],
  different: ["Different", (picture) => picture.verdict === "different"],
  fault: ["With faults", (picture) => classOfPicture(picture) === "fault"],
  within_limits: ["Within limits", (picture) => picture.verdict === "within_limits"],
  equal: ["Equal", (picture) => picture.verdict === "equal"],
};

function updateSummary() {
  const broken = REPORT.pictures.filter(VERDICTS.different[1]).length;
  const total = REPORT.pictures.length;
  const kind = REPORT.verdict === "different" ? (REPORT.missing.length + REPORT.extra.length > 0 && !broken ? "fault" : "fail") : "pass";
  const title = broken ? `${count(broken)} of ${plural(total, "picture")} ${broken === 1 ? "is" : "are"} different` : `${plural(total, "picture")}: none is different`;
  const { settings } = REPORT;
  const absent = (list, text) => list.map((name) => h("p", { class: "alarm" }, h("b", {}, `▲ ${text}: `), name));
  $.summary.replaceChildren(
    h("h1", {}, title, " ", badge(kind, WORDS[REPORT.verdict])),
    h("p", { class: "from" }, `${settings.test} against ${settings.reference}`),
    ...folded(absent(REPORT.missing, "missing in the test"), "file missing in the test", "files missing in the test"),
    ...folded(absent(REPORT.extra, "only in the test"), "file only in the test", "files only in the test"),
    settingsOf(settings),
  );
}

/** A few lines as they are, many behind a summary. */
function folded(lines, one, many) {
  if (lines.length <= 6) return lines;
  return [...lines.slice(0, 4), h("details", {}, h("summary", {}, `all ${plural(lines.length, one, many)}`), lines.slice(4))];
}

function settingsOf(settings) {
  const pairs = [
    ["limits", settings.limits ?? "the defaults of each kind"],
    ["family-wise error", short(settings.family_wise_error)],
    settings.ignore.length && ["ignored", settings.ignore.join(", ")],
    Object.keys(settings.map).length && ["renamed", Object.entries(settings.map).map(([from, to]) => `${from} → ${to}`).join(", ")],
    settings.allow.length && ["allowed faults", settings.allow.join(", ")],
    ...settings.formulas.map(({ metric, formula }) => [metric, formula]),
    ["scrutineer", REPORT.version],
    ["pixel values", REPORT.page.says],
  ].filter(Boolean);
  return h("details", {}, h("summary", {}, "Settings, formulas, what is stored"),
    h("dl", {}, pairs.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])));
}

function setupFilters() {
  const kinds = [...new Set(REPORT.pictures.flatMap((picture) => picture.aovs.map((aov) => aov.kind)))].sort();
  const option = ([value, text]) => h("option", { value }, text);
  $["filter-verdict"].replaceChildren(...Object.entries(VERDICTS).map(([value, [text]]) => option([value, text])));
  $["filter-kind"].replaceChildren(option(["all", "Any AOV"]), ...kinds.map((kind) => option([kind, `${kind.replace("_", " ")} different`])));
  const controls = { name: "filter-name", verdict: "filter-verdict", kind: "filter-kind", sort: "sort" };
  for (const [key, id] of Object.entries(controls)) {
    $[id].addEventListener("input", () => { F[key] = $[id].value; F.row = 0; updateList(); });
  }
  $.filters.addEventListener("submit", (event) => event.preventDefault());
}

/** The pictures that pass the filters, in order. */
function listed() {
  const wanted = F.name.toLowerCase();
  const broken = (picture) => picture.aovs.some((aov) => aov.kind === F.kind && classOf(picture, aov) !== "pass");
  const list = REPORT.pictures.filter((picture) =>
    picture.name.toLowerCase().includes(wanted) && VERDICTS[F.verdict][1](picture) && (F.kind === "all" || broken(picture)));
  return list.sort(F.sort === "worst" ? bySeverity : (a, b) => (a.name < b.name ? -1 : 1));
}

function updateList() {
  const list = listed();
  $["filter-count"].textContent = `${count(list.length)} of ${count(REPORT.pictures.length)}`;
  $.list.replaceChildren(...list.map(row));
}

function row(picture) {
  const kind = classOfPicture(picture);
  return h("li", { class: kind, "data-name": picture.name },
    h("div", { class: "thumbs" }, thumbs(picture)),
    h("a", { class: "title", href: linkTo(picture) }, picture.name),
    badge(kind, picture.error ? "not compared" : WORDS[picture.verdict]),
    h("div", { class: "why" }, reasons(picture)),
    h("div", { class: "chips" }, chips(picture)));
}

function thumbs(picture) {
  const { thumbs: list } = picture.page;
  if (list.length === 0) return h("span", { class: "none" }, "no pixels");
  return list.map(({ data, what }) => h("img", { src: data, alt: what, title: what, loading: "lazy", decoding: "async", width: 144, height: 81 }));
}

function reasons(picture) {
  if (picture.error) return h("b", {}, picture.error);
  const faults = picture.faults.slice(0, 3).flatMap((fault) => [h("b", {}, `${fault.code.replace("_", " ")}${fault.aov ? ` in ${fault.aov}` : ""}`), ` ${fault.text}. `]);
  if (picture.faults.length > 3) faults.push(`${plural(picture.faults.length - 3, "more fault")}. `);
  const aovs = picture.aovs.filter((aov) => aov.rules.length > 0);
  if (aovs.length === 0) return faults;
  const worst = aovs.reduce((a, b) => (strain(tightest(b)) > strain(tightest(a)) ? b : a));
  const rule = tightest(worst);
  const text = picture.verdict === "equal" ? `${plural(picture.aovs.length, "AOV")}, all equal.`
    : `${worst.name}: ${rule.rule} ${short(real(rule.measured))}, limit ${short(real(rule.limit))}.`;
  return picture.verdict !== "equal" && real(rule.measured) === 0 && rule.passed ? faults : [...faults, text];
}

function chips(picture) {
  const broken = picture.aovs.filter((aov) => classOf(picture, aov) !== "pass");
  return broken.map((aov) => {
    const kind = classOf(picture, aov);
    return h("a", { class: kind, href: linkTo(picture, aov) }, `${SIGNS[kind]} ${aov.name}`);
  });
}

/** Moves the focus among the rows. */
function stepRow(step) {
  const rows = [...$.list.querySelectorAll("a.title")];
  if (rows.length === 0) return;
  const at = rows.indexOf(document.activeElement);
  const next = rows[Math.max(0, Math.min(rows.length - 1, at < 0 ? 0 : at + step))];
  next.focus();
  next.closest("li").scrollIntoView({ block: "nearest" });
}
