// What is shown, where that is written in the address, keys, and the start.

const S = { picture: null, aov: null };

// The address: #p=PICTURE&a=AOV&x=&y=&z=&m=&c=. Names, not numbers, so that a link outlives a new run.

function linkTo(picture, aov, pixel) {
  const query = new URLSearchParams({ p: picture.name });
  if (aov) query.set("a", aov.name);
  if (pixel) {
    query.set("x", pixel.x);
    query.set("y", pixel.y);
    query.set("z", pixel.z ?? 32);
  }
  if (aov && V.mode !== "side") query.set("m", V.mode);
  return `#${query}`;
}

function address() {
  if (!S.picture) return "#";
  const query = new URLSearchParams({ p: S.picture.name });
  if (S.aov) query.set("a", S.aov.name);
  const [ox, oy] = S.aov?.window ?? [0, 0];
  if (V.pinned && V.cursor) {
    query.set("x", V.cursor[0] + ox);
    query.set("y", V.cursor[1] + oy);
  }
  if (V.zoom !== null) {
    query.set("z", Number(V.zoom.toFixed(3)));
    query.set("v", [V.x + ox, V.y + oy].map((v) => Number(v.toFixed(1))).join(","));
  }
  if (V.mode !== "side") query.set("m", V.mode);
  if (V.channel !== "all") query.set("c", V.channel);
  if (S.aov && V.metric !== S.aov.page.metrics?.[0]) query.set("d", V.metric);
  if (S.aov && isLight(S.aov.page) && V.exposure !== S.aov.page.exposure) query.set("e", V.exposure);
  return `#${query}`;
}

let writing = 0;
/** After a change of the view: the address follows, a little later. */
function changed() {
  clearTimeout(writing);
  writing = setTimeout(() => {
    try { history.replaceState(null, "", address()); } catch { /* some viewers forbid it; the page works without */ }
  }, 200);
}

/** Shows what an address names. */
function readAddress(address = location.href) {
  clearTimeout(writing);
  const hash = new URL(address).hash;
  const query = new URLSearchParams(hash.slice(1));
  const picture = REPORT.pictures.find((candidate) => candidate.name === query.get("p"));
  const only = REPORT.pictures.length === 1 && REPORT.missing.length + REPORT.extra.length === 0;
  if (!picture) return only && hash.length < 2 ? showPicture(REPORT.pictures[0], null, query) : showIndex();
  showPicture(picture, picture.aovs.find((aov) => aov.name === query.get("a")), query);
}

function showIndex() {
  stopTimer();
  [S.picture, S.aov] = [null, null];
  $.index.hidden = false;
  $.picture.hidden = true;
  $.crumbs.replaceChildren();
  document.title = `${WORDS[REPORT.verdict]}: Scrutineer diff`;
  stage.open(null);
}

/** The AOV that a picture opens with: its worst. */
function worstAov(picture) {
  const score = (aov) => ({ pass: 0, fail: 1e12, fault: 2e12 })[classOf(picture, aov)] + (aov.rules.length ? Math.min(strain(tightest(aov)), 1e9) : 0);
  return picture.aovs.reduce((a, b) => (a && score(a) >= score(b) ? a : b), null);
}

function showPicture(picture, aov, query = new URLSearchParams()) {
  const sameSize = S.aov && aov && S.picture === picture && S.aov.window.join() === aov.window.join();
  const cursor = sameSize && V.pinned ? V.cursor : null;
  const wasIndex = !S.picture;
  [S.picture, S.aov] = [picture, aov ?? worstAov(picture)];
  $.index.hidden = true;
  $.picture.hidden = false;
  document.title = `${picture.name} ${WORDS[picture.verdict]}: Scrutineer diff`;
  updateCrumbs();
  updateAlarms(picture);
  if (S.aov) openAov(query, sameSize, cursor);
  else {
    stage.open(null);
    note(picture.error ?? "There is nothing to show.", true);
    $.stored.textContent = "";
    updateTools();
    updateLegend();
  }
  updateAovs(picture, S.aov);
  updateDetails(picture, S.aov);
  if (wasIndex) window.scrollTo(0, 0);
}

function openAov(query, sameSize, cursor) {
  const { page, window: [ox, oy, width, height] } = S.aov;
  const number = (name) => (query.has(name) && query.get(name) !== "" ? Number(query.get(name)) : NaN);
  const finite = (value, otherwise) => (Number.isFinite(value) ? value : otherwise);
  V.mode = MODES.find(([mode]) => mode === query.get("m"))?.[0] ?? (sameSize ? V.mode : "side");
  V.channel = page.block && channelChoices(S.aov).some(([value]) => value === query.get("c")) ? query.get("c") : "all";
  V.metric = page.metrics?.includes(query.get("d")) ? query.get("d") : page.metrics?.[0];
  V.exposure = finite(number("e"), page.exposure);
  V.range = null;
  [V.cursor, V.pinned] = [cursor, Boolean(cursor)];
  const [x, y] = [number("x") - ox, number("y") - oy];
  if (x >= 0 && y >= 0 && x < width && y < height) [V.cursor, V.pinned] = [[x, y], true];
  const zoom = number("z");
  if (zoom > 0) {
    V.zoom = Math.min(MAX_ZOOM, zoom);
    const [vx, vy] = (query.get("v") ?? "none").split(",").map(Number);
    V.x = finite(vx - ox, V.pinned ? V.cursor[0] + 0.5 : width / 2);
    V.y = finite(vy - oy, V.pinned ? V.cursor[1] + 0.5 : height / 2);
  } else if (!sameSize) V.zoom = null;
  note(page.block ? "" : page.note, !page.block);
  $.stored.textContent = page.block ? page.note : "";
  inspected = "";
  stage.open(S.aov);
  if (V.mode === "blink" && !calm()) startTimer();
  else stopTimer();
  refresh();
}

/** Toolbar and legend after a setting changed, and the canvas with them. */
function refresh() {
  updateTools();
  updateLegend();
  inspected = "";
  stage.draw();
  changed();
}

function updateCrumbs() {
  const list = listed();
  const at = list.indexOf(S.picture);
  const kind = classOfPicture(S.picture);
  const many = REPORT.pictures.length > 1;
  const step = (text, title, by, keys) => many && h("button", { type: "button", class: "quiet", "aria-label": title, title: `${title} (${keys})`, onclick: () => stepPicture(by) }, text);
  $.crumbs.replaceChildren(...[
    step("‹", "Previous picture", -1, "p"), step("›", "Next picture", 1, "n"),
    h("span", { class: "name" }, S.picture.name), badge(kind, S.picture.error ? "not compared" : WORDS[S.picture.verdict]),
    many && at >= 0 && h("span", { class: "count dim num" }, `${at + 1} / ${list.length}`),
  ].filter(Boolean));
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
}

function toggleTheme() {
  setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  try { localStorage.setItem("scrutineer-theme", document.documentElement.dataset.theme); } catch { /* private mode */ }
}

function setupTheme() {
  const system = matchMedia("(prefers-color-scheme: dark)");
  let kept = null;
  try { kept = localStorage.getItem("scrutineer-theme"); } catch { /* private mode */ }
  setTheme(kept ?? (system.matches ? "dark" : "light"));
  system.addEventListener("change", () => setTheme(system.matches ? "dark" : "light"));
}

function start() {
  setupTheme();
  setupHelp();
  updateSummary();
  setupFilters();
  updateList();
  listenStage();
  $.theme.addEventListener("click", toggleTheme);
  $["help-open"].addEventListener("click", () => $.help.showModal());
  $.home.addEventListener("click", (event) => { event.preventDefault(); go("#index"); });
  window.addEventListener("keydown", keydown);
  // The event's own address: ours may have been written over it since.
  window.addEventListener("hashchange", (event) => readAddress(event.newURL));
  window.matchMedia("print").addEventListener("change", () => stage.draw());
  readAddress();
}

/** For tests: resolves when all that is in sight is decoded and painted. */
window.scrutineer = { decoded: () => SOURCES.size, zoom: () => stage.zoom(), settled: () => new Promise((resolve) => { stage.settled.push(resolve); stage.draw(); }) };

start();
