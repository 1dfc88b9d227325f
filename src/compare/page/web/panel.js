// What stands about the canvas: toolbar, legend, values of a pixel, verdicts, worst pixels, histogram.

function note(text, large = false) {
  $["stage-note"].textContent = text;
  $["stage-note"].classList.toggle("large", large);
}

function segments(name, choices, current, choose) {
  const buttons = choices.map(([value, text, title]) =>
    h("button", { type: "button", "aria-pressed": String(value === current), title, "data-key": `${name}-${value}`, onclick: () => choose(value) }, text));
  return h("span", { class: "segments", role: "group", "aria-label": name }, buttons);
}

function group(caption, ...children) {
  return h("span", { class: "group" }, caption && h("span", { class: "cap" }, caption), ...children);
}

function button(text, title, run, attributes = {}) {
  return h("button", { type: "button", title, "aria-label": title, onclick: run, ...attributes }, text);
}

function updateTools() {
  const { aov } = stage;
  if (!stage.source) return $.tools.replaceChildren();
  const focus = document.activeElement?.closest?.("#tools") && document.activeElement.getAttribute("data-key");
  const modes = MODES.map(([value, text], i) => [value, text, `${text} (${i + 1})`]);
  const blink = V.mode === "blink"
    && group("", button(V.timer ? "❚❚" : "▶", V.timer ? "Stop blinking (t)" : "Blink by itself (t)", toggleTimer, { "data-key": "timer" }));
  const tools = [segments("Mode", modes, V.mode, setMode), blink, channelTool(aov), exposureTool(aov), differenceTool(aov), zoomTool()];
  const scrolled = $.tools.scrollLeft;
  $.tools.replaceChildren(...tools.filter(Boolean));
  $.tools.scrollLeft = scrolled;
  if (focus) $.tools.querySelector(`[data-key="${focus}"]`)?.focus();
}

function channelTool(aov) {
  const choices = channelChoices(aov);
  if (choices.length === 1) return null;
  if (choices.length <= 6) return group("", segments("Channel", choices, V.channel, setChannel));
  const options = choices.map(([value, text]) => h("option", { value, selected: value === V.channel }, text));
  const select = h("select", { "aria-label": "Channel", "data-key": "channel", onchange: (event) => setChannel(event.target.value) }, options);
  return group("Channel", select);
}

function exposureTool(aov) {
  if (!isLight(aov.page)) return null;
  const text = `${V.exposure > 0 ? "+" : ""}${short(V.exposure)} EV`;
  const change = (event) => setExposure(Number(event.target.value));
  const slider = h("input", {
    type: "range", min: -16, max: 16, step: 0.25, "aria-label": "Exposure, stops", "aria-valuetext": text, "data-key": "exposure",
    title: "Exposure (e, E; x resets)", oninput: change,
  });
  slider.value = V.exposure;
  return group("Exposure", slider, h("output", { class: "num" }, minus(text)),
    button("⟲", "Exposure as it was (x)", () => setExposure(aov.page.exposure), { class: "quiet" }));
}

function differenceTool(aov) {
  const { metrics } = aov.page;
  const options = metrics.map((metric) => h("option", { value: metric, selected: metric === V.metric }, METRICS[metric].label));
  const select = h("select", {
    "aria-label": "Measure of the difference", "data-key": "metric", title: "Measure of the difference (d)",
    onchange: (event) => setMetric(event.target.value),
  }, options);
  if (V.metric === "ids") return group("Difference", select);
  return group("Difference", select,
    button("½", "Half the colour scale: shows smaller errors ( [ )", () => setRange(rangeOf(V.metric) / 2), { "data-key": "half" }),
    button("2×", "Twice the colour scale ( ] )", () => setRange(rangeOf(V.metric) * 2), { "data-key": "twice" }),
    button("auto", "Colour scale as it was ( \\ )", () => setRange(null), { "data-key": "auto" }),
    h("button", { type: "button", "aria-pressed": String(V.log), title: "Logarithmic colour scale (l)", class: "toggle", "data-key": "log", onclick: toggleLog },
      V.log ? "log" : "linear"));
}

function zoomTool() {
  return group("", button("−", "Zoom out ( - )", () => stage.zoomTo(stage.zoom() / 2), { "data-key": "out" }),
    h("output", { class: "num", id: "zoom-text" }, zoomText()),
    button("+", "Zoom in ( + )", () => stage.zoomTo(stage.zoom() * 2), { "data-key": "in" }),
    button("1:1", "One picture pixel a display pixel (0)", oneToOne, { "data-key": "one" }),
    button("fit", "Whole picture (f)", fitAll, { "data-key": "fit" }));
}

function zoomText() {
  return `${short(100 * stage.zoom() * (window.devicePixelRatio || 1), 3)} %`;
}

function updateLegend() {
  if (!stage.source) return $.legend.replaceChildren();
  const { page } = stage.aov;
  const list = [];
  if (V.metric === "ids") list.push(swatch(css(OTHER_ID), stage.aov.kind === "cryptomatte" ? "the id of the largest share differs" : "ids differ"), swatch(css(SAME_ID), "same id"), swatch(css(NOTHING), "id 0"));
  else list.push(...scale(page));
  list.push(swatch(css(NAN), "NaN, or finite in one only"));
  if (isLight(page)) list.push(swatch(css(INF), "Inf"));
  $.legend.replaceChildren(...list);
}

function swatch(colour, text) {
  const square = h("span", { class: "swatch" });
  square.style.background = colour;
  return h("span", {}, square, text);
}

function scale(page) {
  const top = rangeOf(V.metric);
  const unit = METRICS[V.metric].unit ?? "";
  const table = V.metric === "signed" ? SIGNED : HEAT;
  const canvas = h("canvas", { width: 256, height: 1, "aria-hidden": "true" });
  const image = new ImageData(256, 1);
  new Uint32Array(image.data.buffer).set(table);
  canvas.getContext("2d").putImageData(image, 0, 0);
  const low = V.metric === "signed" ? `−${short(top, 3)}` : V.log ? `≤ ${short(top / 1e4, 3)}` : "0";
  const number = (text) => h("span", { class: "num" }, text);
  const most = real(page.errors[V.metric]?.max);
  const isSigned = V.metric === "signed";
  const what = isSigned ? (isLight(page) && V.channel === "all" ? "t − r, luminance" : "t − r") : page.channels === 1 ? METRICS[V.metric].label : METRICS[V.metric].say;
  return [h("span", {}, what), number(low + unit), canvas, number(`${isSigned ? "+" : "≥ "}${short(top, 3)}${unit}`),
    most !== undefined && h("span", {}, "largest ", number(short(most) + unit)), V.log && h("span", {}, "logarithmic")].filter(Boolean);
}

/** The stored values under the pointer, or of the pixel that is held. */
let inspected = "";
function updateInspector() {
  const { source, aov } = stage;
  $["zoom-text"] && ($["zoom-text"].textContent = zoomText());
  const found = source && V.cursor && tileAt(...V.cursor);
  const key = found ? `${aov.name}/${V.cursor}/${V.pinned}/${Boolean(found.tile)}/${aov.page.block}` : source ? "hint" : "";
  if (key === inspected) return;
  inspected = key;
  if (!source) return $.inspector.replaceChildren();
  if (!found?.tile) return $.inspector.replaceChildren(h("p", { class: "dim" }, "Point at a pixel for its values; click to hold it."));
  $.inspector.replaceChildren(where(aov, found), found.tile.absent ? h("p", {}, "No values are stored here.") : valueTable(aov, found));
}

function where(aov, { tile }) {
  const [x, y] = [V.cursor[0] + aov.window[0], V.cursor[1] + aov.window[1]];
  const about = tile.approximate ? "  about, read off the stored 8-bit picture" : "";
  return h("div", {}, h("span", { class: "where" }, `x ${x}  y ${y}`), h("span", { class: "dim" }, about, V.pinned ? "  held (click again or Esc lets go)" : ""));
}

function valueTable(aov, { tile, at }) {
  const { page } = stage.source;
  const head = (text) => h("th", { class: "num", scope: "col" }, text);
  if (page.look === "ids") return idTable(aov, tile, at);
  const rows = tile.test.map((plane, k) => {
    const [t, r] = [plane[at], tile.reference[k][at]];
    const d = delta(t, r);
    const show = tile.approximate ? (v) => `≈ ${short(v, 3)}` : exact;
    const cell = (v, text) => h("td", { class: `num${Number.isFinite(v) ? "" : " odd"}` }, text);
    return h("tr", {}, h("th", { scope: "row" }, aov.channels[k]), cell(t, show(t)), cell(r, show(r)), cell(d, tile.approximate ? "" : short(d, 6)),
      cell(0, d === 0 || !Number.isFinite(d) || tile.approximate ? "" : r === 0 ? "–" : `${short((100 * d) / Math.abs(r), 3)} %`));
  });
  const extra = page.look === "direction" && !tile.approximate
    ? h("p", { class: "dim" }, "angle ", h("span", { class: "num", id: "angle" }, `${short(angle(tile.test, tile.reference, at), 5)}°`)) : null;
  const error = tile.approximate && tile.error
    ? h("p", { class: "dim" }, `${METRICS[page.metrics[0]].label} about `, h("span", { class: "num" }, short(tile.error[at], 3))) : null;
  return h("div", {}, h("table", { id: "values" },
    h("thead", {}, h("tr", {}, h("th", {}), head("test"), head("reference"), head("t − r"), head("relative"))), h("tbody", {}, rows)),
  extra, error, tile.flip && h("p", { class: "dim" }, "ꟻLIP ", h("span", { class: "num" }, short(tile.flip[at], 3))));
}

function idTable(aov, tile, at) {
  const { page } = stage.source;
  const cell = (plane) => {
    const id = bitsOf(plane)[at];
    const square = h("span", { class: "swatch" });
    square.style.background = css(idColour(id));
    return [h("td", { class: "num" }, square, aov.kind === "cryptomatte" ? id.toString(16).padStart(8, "0") : String(id)),
      h("td", {}, page.names[id] ?? (id === 0 ? "nothing" : ""))];
  };
  // Cryptomatte: ids and their shares take turns, the largest share first.
  const ranks = aov.kind === "cryptomatte" ? Math.floor(tile.test.length / 2) : 1;
  const share = (planes, rank) => aov.kind === "cryptomatte" && h("td", { class: "num" }, exact(planes[2 * rank + 1][at]));
  const rows = [["test", tile.test], ["reference", tile.reference]].flatMap(([name, planes]) =>
    Array.from({ length: ranks }, (_, rank) => rank).filter((rank) => rank === 0 || planes[2 * rank + 1][at] > 0)
      .map((rank) => h("tr", {}, h("th", { scope: "row" }, rank ? "" : name), cell(planes[2 * rank]), share(planes, rank))));
  const same = tile.test.every((plane, k) => bitsOf(plane)[at] === bitsOf(tile.reference[k])[at]);
  const head = h("tr", {}, h("th", {}), h("th", { class: "num" }, "id"), h("th", {}, "name"), aov.kind === "cryptomatte" && h("th", { class: "num" }, "share"));
  return h("table", { id: "values" }, h("thead", {}, head),
    h("tbody", {}, rows, h("tr", {}, h("th", {}, ""), h("td", { colspan: 3, class: same ? "" : "odd" }, same ? "same" : "different"))));
}

// Verdicts.

function updateDetails(picture, aov) {
  if (!aov) return $.details.replaceChildren();
  const kind = classOf(picture, aov);
  const renamed = aov.reference_name !== aov.name ? `, called ${aov.reference_name} in the reference` : "";
  $.details.replaceChildren(
    h("h1", {}, aov.name, " ", badge(kind, WORDS[aov.verdict])),
    h("p", { class: "kind" }, `${aov.kind.replace("_", " ")}: ${aov.channels.join(" ")}${renamed}`),
    ...[
      ...aov.diagnosis.map((notice) => h("p", { class: "says" }, `Looks ${notice.text}`)),
      rulesTable(aov), worstTable(picture, aov), noiseTable(picture, aov), histogram(aov), metricsTable(aov), biasTable(aov), nonFinite(aov),
    ].flat().filter(Boolean),
  );
}

function section(title, ...children) {
  return [h("h2", {}, title), ...children];
}

function rulesTable(aov) {
  if (aov.rules.length === 0) return section("Rules", h("p", { class: "dim" }, "Not judged, only reported."));
  const rows = aov.rules.map((rule) => [
    h("tr", { class: rule.passed ? "" : "broken" },
      h("th", { scope: "row" }, h("span", { class: `sign ${rule.passed ? "pass" : "fail"}` }, rule.passed ? "✓ " : "✕ "), rule.rule, rule.region && ` in ${rule.region}`),
      h("td", { class: "num" }, short(real(rule.measured))), h("td", { class: "num" }, short(real(rule.limit)))),
    h("tr", {}, h("td", { colspan: 3, class: "detail" }, rule.detail)),
  ]);
  return section("Rules", h("table", { id: "rules" },
    h("thead", {}, h("tr", {}, h("th", {}, "rule"), h("th", { class: "num" }, "measured"), h("th", { class: "num" }, "limit"))), h("tbody", {}, rows.flat())));
}

function worstTable(picture, aov) {
  if (aov.worst.length === 0) return null;
  const value = (number) => (aov.kind === "id" ? String(real(number)) : short(real(number), 5));
  const names = (worst) => [worst.object, worst.instance, worst.material].filter((name, i, all) => name && all.indexOf(name) === i).join(", ");
  // Neighbours mostly share their names: these stand where they change.
  const told = (worst, i) => names(worst) && (i === 0 || names(worst) !== names(aov.worst[i - 1]));
  const rows = aov.worst.map((worst) => [
    h("tr", {}, h("th", { class: "num", scope: "row" }, h("a", { href: linkTo(picture, aov, worst) }, `${worst.x}, ${worst.y}`)),
      h("td", {}, worst.channel), h("td", { class: "num" }, value(worst.test)), h("td", { class: "num" }, value(worst.reference)), h("td", { class: "num" }, short(real(worst.error)))),
  ]).map((row, i) => (told(aov.worst[i], i) ? [h("tr", {}, h("td", { colspan: 5, class: "detail" }, `in ${names(aov.worst[i])}`)), ...row] : row));
  const head = ["x, y", "", "test", "reference", aov.kind === "normal" ? "angle °" : "error"];
  return section("Worst pixels", h("div", { class: "scroll" }, h("table", { id: "worst" },
    h("thead", {}, h("tr", {}, head.map((text, i) => h("th", { class: i === 1 ? "" : "num" }, text)))), h("tbody", {}, rows.flat().filter(Boolean)))));
}

/** What the noise-aware test says: single values, then regions whose residuals lean to one side. */
function noiseTable(picture, aov) {
  const { noise } = aov;
  if (!noise) return null;
  const { pixels, regions } = noise;
  const sum = (list) => list.reduce((a, b) => a + b, 0);
  const facts = [
    ["values beyond their noise", `${count(pixels.failing)} of ${count(pixels.by_error + pixels.by_range)}`],
    ["regions that lean", `${count(sum(regions.failing))} of ${count(sum(regions.tested))}`],
    noise.spread !== null && ["spread of residuals, 1 expected", short(noise.spread, 3)],
  ].filter(Boolean).map(([name, value]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "num" }, value)));
  return section("Noise", h("p", { class: "says" }, noise.line), h("table", {}, h("tbody", {}, facts)), leaning(picture, aov));
}

function leaning(picture, aov) {
  const { worst } = aov.noise.regions;
  if (worst.length === 0) return null;
  const rows = worst.map(({ rect: [x, y, width, height], channel, z, threshold, difference, reference }) => {
    const goal = { x: x + Math.floor(width / 2), y: y + Math.floor(height / 2), z: Math.max(1, Math.floor(320 / width)) };
    return h("tr", {}, h("th", { class: "num", scope: "row" }, h("a", { href: linkTo(picture, aov, goal) }, `${x}, ${y}  ${width}×${height}`)),
      h("td", {}, aov.channels[channel] ?? ""), h("td", { class: "num" }, `${short(z, 3)} / ${short(threshold, 3)}`),
      h("td", { class: "num" }, reference ? `${short((100 * difference) / reference, 3)} %` : short(difference, 3)));
  });
  const head = ["region", "", "σ / limit", "t − r"].map((text, i) => h("th", { class: i === 1 ? "" : "num" }, text));
  return h("div", { class: "scroll" }, h("table", { id: "regions" }, h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows)));
}

/** Counts of t − r: negative from the largest down, zero in the middle, positive up. Heights are logarithms. */
function histogram(aov) {
  const { negative, positive, zero, lowest, ratio } = aov.histogram;
  const bars = [...negative].reverse().concat([zero], positive);
  const total = bars.reduce((sum, n) => sum + n, 0);
  if (total === 0 || total === zero) return null;
  const edge = (n) => lowest * ratio ** n;
  const used = Math.max(...[negative, positive].map((list) => list.findLastIndex((n) => n > 0))) + 1;
  const shown = bars.slice(negative.length - used, negative.length + used + 1);
  const [width, height] = [340, 96];
  const step = width / shown.length;
  const most = Math.log10(1 + Math.max(...shown));
  const rects = shown.map((n, i) => {
    const tall = n ? Math.max(1.5, (height * Math.log10(1 + n)) / most) : 0;
    const at = Math.abs(i - used);
    const range = at === 0 ? "equal, or below the first bin" : `${i < used ? "t < r" : "t > r"} by ${short(edge(at - 1), 2)} to ${short(edge(at), 2)}`;
    return s("rect", { class: "bar-rect", x: (i * step + 0.5).toFixed(1), y: (height - tall + 4).toFixed(1), width: Math.max(1, step - 1).toFixed(1), height: tall.toFixed(1) },
      s("title", {}, `${range}: ${count(n)}`));
  });
  const text = (x, anchor, value) => s("text", { x, y: height + 18, "text-anchor": anchor }, value);
  const svg = s("svg", { viewBox: `0 0 ${width} ${height + 24}`, role: "img", "aria-label": `Histogram of t − r over ${count(total)} values, ${count(zero)} are equal` },
    ...rects, s("line", { class: "axis", x1: 0, x2: width, y1: height + 4.5, y2: height + 4.5 }),
    text(0, "start", `−${short(edge(used), 2)}`), text(width / 2, "middle", "t − r = 0"), text(width, "end", `+${short(edge(used), 2)}`));
  return section("Residuals, log counts", svg);
}

function metricsTable(aov) {
  const m = aov.metrics;
  const share = m.pixels ? ` (${short((100 * m.differing) / m.pixels, 3)} %)` : "";
  const rows = [
    ["pixels compared", count(m.pixels)], ["pixels that differ", count(m.differing) + share],
    m.ids_differing !== null && ["ids that differ", count(m.ids_differing)],
    ["MAE", short(real(m.mae))], ["RMSE", short(real(m.rmse))], ["relMSE", short(real(m.relative_mse))],
    m.psnr !== null && ["PSNR", `${short(m.psnr)} dB`], m.ssim !== null && ["SSIM", short(m.ssim, 5)], m.flip !== null && ["ꟻLIP", short(m.flip)],
    m.angle && ["angle, mean", `${short(m.angle.mean)}°`], m.angle && ["angle, largest", `${short(m.angle.max)}°`],
    ["largest |t − r|", short(real(m.max))], ["mean of the test", short(real(m.test_mean), 6)], ["mean of the reference", short(real(m.reference_mean), 6)],
  ].filter((row) => row && !(aov.kind === "id" && /MSE|MAE|PSNR|mean|largest/.test(row[0])));
  return section("Measures", h("table", {}, h("tbody", {}, rows.map(([name, value]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "num" }, value))))));
}

function biasTable(aov) {
  if (aov.bias.length === 0) return null;
  const rows = aov.bias.map((bias) => h("tr", {}, h("th", { scope: "row" }, bias.channel), h("td", { class: "num" }, short(real(bias.mean), 3)),
    h("td", { class: "num" }, `${short(bias.interval[0], 3)} … ${short(bias.interval[1], 3)}`),
    h("td", { class: "num" }, bias.relative === null ? "–" : `${short(100 * bias.relative, 3)} %`)));
  const head = ["", "mean", "95 % interval", "relative"].map((text, i) => h("th", { class: i ? "num" : "" }, text));
  return section("Bias, t − r", h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows))));
}

function nonFinite(aov) {
  const n = aov.non_finite;
  const rows = [["NaN in the test only", n.nan_in_test], ["NaN in the reference only", n.nan_in_reference], ["Inf in the test only", n.inf_in_test],
    ["Inf in the reference only", n.inf_in_reference], ["not finite, equal in both", n.equal]].filter(([, number]) => number > 0);
  if (rows.length === 0) return null;
  return section("Not finite", h("table", {}, h("tbody", {}, rows.map(([name, value]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "num" }, count(value)))))));
}

function updateAlarms(picture) {
  const fault = (f) => {
    const aov = picture.aovs.find((a) => a.name === f.aov || a.reference_name === f.aov);
    const goes = f.first && aov?.page.block ? h("a", { href: linkTo(picture, aov, { x: f.first[0], y: f.first[1] }) }, " Show the first") : null;
    // The heading names the AOV already.
    const text = f.aov && f.text.startsWith(`${f.aov}: `) ? f.text.slice(f.aov.length + 2) : f.text;
    return h("p", { class: "alarm" }, h("b", {}, `▲ ${f.code.replace("_", " ")}${f.aov ? ` in ${f.aov}` : ""}: `), text, goes);
  };
  const notices = picture.notices.map((n) => h("p", { class: "notice" }, n.aov ? `${n.aov}: ` : "", n.text));
  const many = notices.length > 2 ? [h("details", {}, h("summary", {}, plural(notices.length, "notice")), notices)] : notices;
  const tone = picture.tone && h("p", { class: "notice" },
    `The ${picture.tone.applied_to} is light; it was compared as display values through ${picture.tone.view} at ${short(picture.tone.exposure)} EV${picture.tone.solved ? ", solved" : ""}.`);
  const list = [picture.error && h("p", { class: "alarm" }, h("b", {}, "▲ not compared: "), picture.error), ...picture.faults.map(fault), tone, ...many];
  $.alarms.replaceChildren(...list.filter(Boolean));
}

function updateAovs(picture, current) {
  $.aovs.replaceChildren(...picture.aovs.map((aov) => {
    const kind = classOf(picture, aov);
    return h("a", { href: linkTo(picture, aov), "aria-current": aov === current ? "true" : null, title: `${aov.name}: ${WORDS[aov.verdict]}` },
      h("span", { class: `sign ${kind}`, "aria-label": WORDS[aov.verdict], role: "img" }, SIGNS[kind]), h("span", { class: "label" }, aov.name));
  }));
  $.aovs.querySelector("[aria-current]")?.scrollIntoView?.({ block: "nearest", inline: "nearest" });
}
