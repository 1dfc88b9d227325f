// Commands of keys and buttons.

function go(hash) {
  if (location.hash === hash) readAddress();
  else location.hash = hash;
}

function stepPicture(by) {
  const list = listed();
  const next = list[Math.max(0, Math.min(list.length - 1, list.indexOf(S.picture) + by))];
  if (!next || next === S.picture) return;
  go(linkTo(next, next.aovs.find((aov) => aov.name === S.aov?.name)));
}

function stepAov(by) {
  const { aovs } = S.picture;
  const next = aovs[Math.max(0, Math.min(aovs.length - 1, aovs.indexOf(S.aov) + by))];
  if (next && next !== S.aov) go(linkTo(S.picture, next));
}

function stepWorst(by) {
  const { worst, window: [ox, oy] } = S.aov;
  if (worst.length === 0) return;
  const at = V.pinned ? worst.findIndex((pixel) => pixel.x - ox === V.cursor[0] && pixel.y - oy === V.cursor[1]) : -1;
  const next = worst[at < 0 ? 0 : (at + by + worst.length) % worst.length];
  go(linkTo(S.picture, S.aov, next));
}

function setMode(mode) {
  if (V.mode === mode) return;
  V.mode = mode;
  V.blink = false;
  if (mode === "blink" && !calm()) startTimer();
  else stopTimer();
  refresh();
}

function calm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Below the three flashes a second that WCAG 2.3.1 allows. */
const BLINK = 600;

function startTimer() {
  stopTimer();
  V.timer = setInterval(() => { V.blink = !V.blink; stage.draw(); }, BLINK);
}

function stopTimer() {
  clearInterval(V.timer);
  V.timer = null;
}

function toggleTimer() {
  if (V.timer) stopTimer();
  else startTimer();
  refresh();
}

/** One flip by hand; in another mode, blinking begins. */
function blink() {
  if (V.mode !== "blink") return setMode("blink");
  stopTimer();
  V.blink = !V.blink;
  refresh();
}

function setChannel(channel) {
  V.channel = channel;
  refresh();
}

function stepChannel() {
  const choices = channelChoices(S.aov).map(([value]) => value);
  setChannel(choices[(choices.indexOf(V.channel) + 1) % choices.length]);
}

function setExposure(exposure) {
  if (!isLight(S.aov.page)) return;
  V.exposure = Math.max(-16, Math.min(16, exposure));
  refresh();
}

function setMetric(metric) {
  V.metric = metric;
  V.range = null;
  refresh();
}

function stepMetric() {
  const { metrics } = S.aov.page;
  setMetric(metrics[(metrics.indexOf(V.metric) + 1) % metrics.length]);
}

function setRange(range) {
  if (V.metric === "ids") return;
  V.range = range;
  refresh();
}

function toggleLog() {
  V.log = !V.log;
  refresh();
}

function fitAll() {
  V.zoom = null;
  stage.draw();
  changed();
}

function oneToOne() {
  stage.zoomTo(1 / (window.devicePixelRatio || 1));
}

function moveCursor(dx, dy) {
  const { page } = S.aov;
  const [cx, cy] = V.cursor ?? stage.centre().map(Math.floor);
  const moved = V.cursor ? [cx + dx, cy + dy] : [cx, cy];
  V.cursor = [Math.max(0, Math.min(page.width - 1, moved[0])), Math.max(0, Math.min(page.height - 1, moved[1]))];
  V.pinned = true;
  keepInSight();
  stage.draw();
  changed();
}

/** Follows the cursor when it leaves the panes. */
function keepInSight() {
  const [pane] = stage.panes();
  const [zoom, [x, y]] = [stage.zoom(), stage.centre()];
  const out = Math.abs(V.cursor[0] + 0.5 - x) > pane.width / 2 / zoom || Math.abs(V.cursor[1] + 0.5 - y) > pane.height / 2 / zoom;
  if (out && V.zoom !== null) stage.moveTo(V.cursor[0] + 0.5, V.cursor[1] + 0.5);
}

function back() {
  if (V.pinned) {
    V.pinned = false;
    stage.draw();
    return changed();
  }
  if (REPORT.pictures.length > 1) go("#index");
}

/** Every key: what it is called in the help, where it works, what it does. */
const KEYS = [
  ["picture", ["1", "2", "3", "4", "5", "6"], "1 … 6", "side by side, test, reference, difference, wipe, blink", (event) => setMode(MODES[event.key - 1][0])],
  ["picture", ["b"], "b", "blink; then flip by hand", blink],
  ["picture", ["t"], "t", "blink by itself, or stop", () => V.mode === "blink" && toggleTimer()],
  ["picture", ["j"], "j", "next AOV", () => stepAov(1)],
  ["picture", ["k"], "k", "previous AOV", () => stepAov(-1)],
  ["picture", ["n"], "n", "next picture", () => stepPicture(1)],
  ["picture", ["p"], "p", "previous picture", () => stepPicture(-1)],
  ["picture", ["w"], "w", "next of the worst pixels", () => stepWorst(1)],
  ["picture", ["W"], "W", "previous of the worst pixels", () => stepWorst(-1)],
  ["picture", ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"], "← → ↑ ↓", "move the pixel cursor (Shift: by ten)", arrow],
  ["picture", ["+", "="], "+", "zoom in", () => stage.zoomTo(stage.zoom() * 2, ...cursorOnStage())],
  ["picture", ["-", "_"], "−", "zoom out", () => stage.zoomTo(stage.zoom() / 2, ...cursorOnStage())],
  ["picture", ["0"], "0", "one to one", oneToOne],
  ["picture", ["f"], "f", "fit the whole picture", fitAll],
  ["picture", ["c"], "c", "next channel", stepChannel],
  ["picture", ["e"], "e", "exposure up by half a stop", () => setExposure(V.exposure + 0.5)],
  ["picture", ["E"], "E", "exposure down by half a stop", () => setExposure(V.exposure - 0.5)],
  ["picture", ["x"], "x", "exposure as it was", () => setExposure(S.aov.page.exposure)],
  ["picture", ["d"], "d", "next measure of the difference", stepMetric],
  ["picture", ["["], "[", "halve the colour scale: smaller errors show", () => setRange(rangeOf(V.metric) / 2)],
  ["picture", ["]"], "]", "double the colour scale", () => setRange(rangeOf(V.metric) * 2)],
  ["picture", ["\\"], "\\", "colour scale as it was", () => setRange(null)],
  ["picture", ["l"], "l", "logarithmic or linear colour scale", toggleLog],
  ["picture", ["m"], "m", "rings round the worst pixels", () => { V.markers = !V.markers; stage.draw(); }],
  ["picture", ["Escape"], "Esc", "let go of the pixel; then back to the index", back],
  ["index", ["j", "ArrowDown"], "j ↓", "next row", () => stepRow(1)],
  ["index", ["k", "ArrowUp"], "k ↑", "previous row", () => stepRow(-1)],
  ["index", ["/"], "/", "filter by name", () => $["filter-name"].focus()],
  ["both", ["D"], "D", "dark or light", toggleTheme],
  ["both", ["?"], "?", "this help", () => $.help.showModal()],
];

function arrow(event) {
  const by = event.shiftKey ? 10 : 1;
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  moveCursor(dx * by, dy * by);
}

function cursorOnStage() {
  if (!V.pinned) return [];
  const point = stage.toStage(stage.panes()[0], V.cursor[0] + 0.5, V.cursor[1] + 0.5);
  return stage.at(...point) ? point : [];
}

function keydown(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || $.help.open) return;
  const typing = event.target.closest?.("input, select, textarea, details summary");
  if (typing && !(event.key === "Escape")) return;
  if (typing) return typing.blur();
  const here = S.picture ? "picture" : "index";
  const found = KEYS.find(([where, keys]) => keys.includes(event.key) && (where === "both" || where === here));
  const needsPixels = here === "picture" && !["j", "k", "n", "p", "Escape"].includes(event.key) && found?.[0] === "picture";
  if (!found || (needsPixels && !stage.source)) return;
  event.preventDefault();
  found[4](event);
}

function setupHelp() {
  const lines = (keys) => h("dl", {}, keys.flatMap(([, , key, text]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, text)]));
  const list = (where, title) => {
    const keys = KEYS.filter((key) => key[0] === where);
    // Columns break between lists.
    return [h("h2", {}, title), lines(keys.slice(0, 16)), keys.length > 16 && lines(keys.slice(16))];
  };
  $.help.replaceChildren(
    h("h1", { id: "help-title" }, "Keys"),
    h("div", { class: "columns" }, list("picture", "Picture"), list("index", "Index"), list("both", "Everywhere")),
    h("p", { class: "dim" }, "Wheel or pinch zooms, drag pans, click holds a pixel. The address names what is seen: copy it to point at a pixel."),
    h("form", { method: "dialog" }, h("button", {}, "Close")),
  );
}
