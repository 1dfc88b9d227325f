// The canvas: panes, zoom and pan, markers, pointers. All panes share one transform.

/** What is looked at and how; `zoom` is CSS pixels a picture pixel, null fits the picture. */
const V = {
  mode: "side", channel: "all", exposure: 0, metric: "absolute", range: null, log: false,
  zoom: null, x: 0, y: 0, wipe: 0.5, blink: false, timer: null, markers: true, cursor: null, pinned: false,
};

const MODES = [
  ["side", "Side by side"], ["test", "Test"], ["reference", "Reference"],
  ["difference", "Difference"], ["wipe", "Wipe"], ["blink", "Blink"],
];
const TITLES = { test: "test", reference: "reference", difference: "difference", second: "difference" };
const GAP = 6;
const MAX_ZOOM = 160;
/** Milliseconds of painting a frame may take, so that input stays fluent. */
const BUDGET = 14;
/** Milliseconds between two drawings while tiles come in. */
const PACE = 150;

const stage = {
  aov: null, source: null, layers: null, size: [1, 1], frame: 0, shown: "", shownAt: 0, wanted: "", settled: [],

  open(aov) {
    this.aov = aov;
    this.source = aov && aov.page.block ? sourceOf(aov) : null;
    if (this.source) {
      this.source.layers ??= new Layers(this.source);
      this.source.onTile = () => this.draw();
    }
    this.layers = this.source?.layers ?? null;
    this.wanted = "";
    this.draw();
  },

  resize() {
    const { clientWidth, clientHeight } = $.stage;
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [Math.max(1, Math.round(clientWidth * ratio)), Math.max(1, Math.round(clientHeight * ratio))];
    if ($.canvas.width !== width || $.canvas.height !== height) [$.canvas.width, $.canvas.height] = [width, height];
    this.size = [clientWidth, clientHeight];
  },

  /** Where each layer is drawn: `{layer, x, y, width, height}` in CSS pixels of the stage. */
  panes() {
    const [width, height] = this.size;
    const whole = { x: 0, y: 0, width, height };
    if (V.mode === "side") return this.sideBySide();
    if (V.mode === "blink") return [{ layer: V.blink ? "reference" : "test", ...whole }];
    if (V.mode === "wipe") return [{ layer: "reference", ...whole }];
    return [{ layer: V.mode, ...whole }];
  },

  /** The grid of one to four columns that shows the picture largest. */
  sideBySide() {
    const [width, height] = this.size;
    const names = secondMetric() ? LAYERS : LAYERS.slice(0, 3);
    const { page } = this.aov;
    let best = null;
    for (let columns = 1; columns <= names.length; columns++) {
      const rows = Math.ceil(names.length / columns);
      const [w, h] = [(width - GAP * (columns - 1)) / columns, (height - GAP * (rows - 1)) / rows];
      const fit = Math.min(w / page.width, h / page.height);
      if (!best || fit > best.fit) best = { fit, columns, w, h };
    }
    return names.map((layer, i) => {
      const [column, row] = [i % best.columns, Math.floor(i / best.columns)];
      return { layer, x: column * (best.w + GAP), y: row * (best.h + GAP), width: best.w, height: best.h };
    });
  },

  fit() {
    const [pane] = this.panes();
    const { page } = this.aov;
    return Math.max(1e-3, Math.min(pane.width / page.width, pane.height / page.height));
  },

  zoom() {
    return V.zoom ?? this.fit();
  },

  centre() {
    const { page } = this.aov;
    return V.zoom === null ? [page.width / 2, page.height / 2] : [V.x, V.y];
  },

  /** Picture position (fractional pixels) under a point of the stage, or null between panes. */
  at(px, py) {
    const pane = this.panes().find((p) => px >= p.x && py >= p.y && px < p.x + p.width && py < p.y + p.height);
    if (!pane || !this.aov) return null;
    const [zoom, [cx, cy]] = [this.zoom(), this.centre()];
    return [cx + (px - pane.x - pane.width / 2) / zoom, cy + (py - pane.y - pane.height / 2) / zoom, pane];
  },

  zoomTo(zoom, px, py) {
    if (!this.source) return;
    const [pane] = this.panes();
    const point = [px ?? pane.x + pane.width / 2, py ?? pane.y + pane.height / 2];
    const fixed = this.at(...point);
    if (!fixed) return;
    const next = Math.max(this.fit() * 0.5, Math.min(MAX_ZOOM, zoom));
    const under = fixed[2];
    V.zoom = next;
    this.moveTo(fixed[0] - (point[0] - under.x - under.width / 2) / next, fixed[1] - (point[1] - under.y - under.height / 2) / next);
  },

  moveTo(x, y) {
    const { page } = this.aov;
    V.x = Math.max(0, Math.min(page.width, x));
    V.y = Math.max(0, Math.min(page.height, y));
    this.draw();
    changed("view");
  },

  pan(dx, dy) {
    const [zoom, [x, y]] = [this.zoom(), this.centre()];
    V.zoom = zoom;
    this.moveTo(x - dx / zoom, y - dy / zoom);
  },

  draw() {
    if (this.frame) return;
    this.frame = requestAnimationFrame((now) => {
      this.frame = 0;
      this.render(now);
    });
  },

  render() {
    this.resize();
    const context = $.canvas.getContext("2d");
    const ratio = $.canvas.width / this.size[0];
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    $.wipe.hidden = V.mode !== "wipe" || !this.source;
    if (!this.source) {
      context.clearRect(0, 0, ...this.size);
      return this.done();
    }
    const more = this.prepare();
    if (this.due(more)) this.present(context);
    updateInspector();
    $.stage.setAttribute("aria-busy", String(more !== "nothing"));
    if (more === "paint") this.draw();
    if (more === "nothing") this.done();
  },

  /** Whether to draw now. Each drawing between two tiles copies whole layers: while tiles come in, a few a second do. */
  due(more) {
    const { zoom, x, y, mode, blink, wipe, pinned, markers } = V;
    const key = [this.aov.name, zoom, x, y, mode, blink, wipe, pinned && V.cursor, markers, ...this.size].join();
    const now = performance.now();
    const due = more === "nothing" || key !== this.shown || now - this.shownAt > PACE;
    if (due) [this.shown, this.shownAt] = [key, now];
    return due;
  },

  present(context) {
    context.clearRect(0, 0, ...this.size);
    for (const pane of this.panes()) this.pane(context, pane);
    if (V.mode === "wipe") this.wipeOver(context);
  },

  done() {
    $.stage.setAttribute("aria-busy", "false");
    this.settled.splice(0).forEach((resolve) => resolve());
  },

  /** Indices of the tiles in sight, those nearest to the middle first. */
  visible() {
    const [zoom, [cx, cy], { tile, width, height }] = [this.zoom(), this.centre(), this.source.page];
    const panes = this.panes();
    const reach = (side) => Math.max(...panes.map((pane) => pane[side])) / 2 / zoom;
    const [rx, ry] = [reach("width"), reach("height")];
    const list = [];
    for (let y = Math.max(0, Math.floor((cy - ry) / tile)); y * tile < Math.min(height, cy + ry); y++) {
      for (let x = Math.max(0, Math.floor((cx - rx) / tile)); x * tile < Math.min(width, cx + rx); x++) {
        const far = Math.hypot((x + 0.5) * tile - cx, (y + 0.5) * tile - cy);
        list.push([far, y * this.source.columns + x]);
      }
    }
    return list.sort((a, b) => a[0] - b[0]).map(([, index]) => index);
  },

  /** Asks for tiles and paints what has come, as far as a frame allows: what is left is "decode", "paint" or "nothing". */
  prepare() {
    const list = this.visible();
    const lacking = list.filter((index) => !this.source.tiles[index]);
    const key = lacking.join();
    if (key !== this.wanted) this.source.want(lacking);
    this.wanted = key;
    const names = [...new Set(this.panes().map((pane) => pane.layer))];
    if (V.mode === "wipe") names.push("test");
    if (V.mode === "blink") names.push(V.blink ? "test" : "reference");
    const end = performance.now() + BUDGET;
    for (const name of names) {
      const view = viewOf(name);
      this.layers.settings(name, Object.values(view).join());
      for (const index of list) {
        if (this.layers.clean[name][index] || !this.source.tiles[index]) continue;
        this.layers.paint(name, index, view);
        if (performance.now() > end) return "paint";
      }
    }
    if (this.source.failed) note(`Pixels cannot be read: ${this.source.failed}`, true);
    return lacking.length > 0 && !this.source.failed ? "decode" : "nothing";
  },

  pane(context, pane) {
    context.save();
    context.beginPath();
    context.rect(pane.x, pane.y, pane.width, pane.height);
    context.clip();
    this.layer(context, pane, pane.layer);
    if (this.zoom() >= 52) this.numbers(context, pane);
    this.marks(context, pane);
    if (V.mode !== "wipe") label(context, paneTitle(pane.layer), pane.x + 6, pane.y + 6);
    context.restore();
  },

  layer(context, pane, name) {
    const [zoom, [cx, cy], { width, height }] = [this.zoom(), this.centre(), this.source.page];
    // Only the part in sight is drawn, on whole picture pixels.
    const left = Math.max(0, Math.floor(cx - pane.width / 2 / zoom));
    const top = Math.max(0, Math.floor(cy - pane.height / 2 / zoom));
    const right = Math.min(width, Math.ceil(cx + pane.width / 2 / zoom));
    const bottom = Math.min(height, Math.ceil(cy + pane.height / 2 / zoom));
    if (right <= left || bottom <= top) return;
    const [x, y] = this.toStage(pane, left, top);
    context.imageSmoothingEnabled = zoom * (window.devicePixelRatio || 1) < 1;
    context.imageSmoothingQuality = "medium";
    context.drawImage(this.layers.canvases[name], left, top, right - left, bottom - top, x, y, (right - left) * zoom, (bottom - top) * zoom);
  },

  toStage(pane, x, y) {
    const [zoom, [cx, cy]] = [this.zoom(), this.centre()];
    return [pane.x + pane.width / 2 + (x - cx) * zoom, pane.y + pane.height / 2 + (y - cy) * zoom];
  },

  wipeOver(context) {
    const [width, height] = this.size;
    context.save();
    context.beginPath();
    context.rect(0, 0, width * V.wipe, height);
    context.clip();
    context.clearRect(0, 0, width, height);
    const pane = { layer: "test", x: 0, y: 0, width, height };
    this.layer(context, pane, "test");
    if (this.zoom() >= 52) this.numbers(context, pane);
    this.marks(context, pane);
    context.restore();
    label(context, "test", 6, 6);
    label(context, "reference", width - 6, 6, "right");
    $.wipe.style.left = `${100 * V.wipe}%`;
    $.wipe.setAttribute("aria-valuenow", String(Math.round(100 * V.wipe)));
  },

  marks(context, pane) {
    const zoom = this.zoom();
    if (V.markers) this.rings(context, pane, zoom);
    if (!V.cursor || !V.pinned) return;
    const [x, y] = this.toStage(pane, V.cursor[0], V.cursor[1]);
    frame(context, x, y, Math.max(zoom, 3));
  },

  /** Rings round the worst pixels and the first that is not finite, shared by neighbours; frames round regions that lean. */
  rings(context, pane, zoom) {
    const [ox, oy] = this.aov.window;
    const radius = Math.max(7, zoom * 0.75);
    const { first } = this.aov.non_finite;
    const drawn = [];
    for (const { x, y } of first ? [...this.aov.worst, { x: first[0], y: first[1] }] : this.aov.worst) {
      const at = this.toStage(pane, x - ox + 0.5, y - oy + 0.5);
      if (drawn.some((other) => Math.hypot(at[0] - other[0], at[1] - other[1]) < radius)) continue;
      drawn.push(at);
      ring(context, ...at, radius);
    }
    for (const { rect: [x, y, width, height] } of this.aov.noise?.regions.worst ?? []) {
      const at = this.toStage(pane, x - ox, y - oy);
      outlined(context, () => context.rect(...at, width * zoom, height * zoom));
    }
  },

  /** The stored numbers inside the pixels, where these are large enough. */
  numbers(context, pane) {
    const [zoom, [cx, cy], page] = [this.zoom(), this.centre(), this.source.page];
    const size = Math.min(12, zoom / 5.2);
    context.font = `${size}px ui-monospace, "DejaVu Sans Mono", monospace`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    const [rx, ry] = [pane.width / 2 / zoom, pane.height / 2 / zoom];
    for (let y = Math.max(0, Math.floor(cy - ry)); y < Math.min(page.height, cy + ry); y++) {
      for (let x = Math.max(0, Math.floor(cx - rx)); x < Math.min(page.width, cx + rx); x++) {
        const lines = numbersAt(pane.layer, x, y);
        const [px, py] = this.toStage(pane, x + 0.5, y + 0.5);
        lines.forEach((line, i) => {
          const at = py + (i - (lines.length - 1) / 2) * size * 1.15;
          context.lineWidth = 2.4;
          context.strokeStyle = "#000b";
          context.strokeText(line, px, at);
          context.fillStyle = "#fff";
          context.fillText(line, px, at);
        });
      }
    }
  },
};

function label(context, text, x, y, align = "left") {
  context.font = '12px system-ui, "DejaVu Sans", sans-serif';
  context.textAlign = "left";
  context.textBaseline = "top";
  const width = context.measureText(text).width + 12;
  const left = align === "left" ? x : x - width;
  context.fillStyle = "#000a";
  context.fillRect(left, y, width, 20);
  context.fillStyle = "#fff";
  context.fillText(text, left + 6, y + 4);
}

/** White on black, so that it shows on every ground. */
function outlined(context, path) {
  context.beginPath();
  path();
  context.lineWidth = 3.5;
  context.strokeStyle = "#000a";
  context.stroke();
  context.lineWidth = 1.5;
  context.strokeStyle = "#fff";
  context.stroke();
}

function ring(context, x, y, radius) {
  outlined(context, () => context.arc(x, y, radius, 0, 2 * Math.PI));
}

function frame(context, x, y, size) {
  outlined(context, () => context.rect(x - 1, y - 1, size + 2, size + 2));
}

/** Settings that the pixels of a layer depend on. */
function viewOf(name) {
  if (name === "test" || name === "reference") return { channel: V.channel, exposure: V.exposure };
  const metric = name === "second" ? secondMetric() : V.metric;
  return { channel: V.channel, metric, range: rangeOf(metric), log: V.log && metric !== "ids" };
}

function hasFlip(page) {
  return page.metrics.includes("flip");
}

/** What the fourth pane shows: another view of the difference, where there is one. */
function secondMetric() {
  const { metrics } = stage.aov.page;
  return ["flip", "signed", "absolute"].find((metric) => metrics.includes(metric) && metric !== V.metric) ?? null;
}

/** The top of the colour scale of a metric: as set, else from the report. */
function rangeOf(metric) {
  if (metric === "ids") return 1;
  if (V.range !== null && metric === V.metric) return V.range;
  const { errors } = stage.aov.page;
  return real((errors[metric] ?? errors.absolute).top) || 1;
}

function paneTitle(layer) {
  if (layer === "test" || layer === "reference") return layer;
  const metric = layer === "second" ? secondMetric() : V.metric;
  if (metric === "ids") return "ids that differ";
  const sign = metric === "signed" ? "±" : "0…";
  return `${METRICS[metric].label}   ${sign}${short(rangeOf(metric), 3)}${METRICS[metric].unit ?? ""}`;
}

function tileAt(x, y) {
  const { source } = stage;
  const { tile, width, height } = source.page;
  if (x < 0 || y < 0 || x >= width || y >= height) return null;
  const index = Math.floor(y / tile) * source.columns + Math.floor(x / tile);
  const rect = source.rect(index);
  return { tile: source.tiles[index], at: (y - rect.y) * rect.width + (x - rect.x) };
}

function numbersAt(layer, x, y) {
  const found = tileAt(x, y);
  if (!found?.tile || found.tile.absent) return [];
  const { tile, at } = found;
  const { page } = stage.source;
  if (layer === "difference" || layer === "second") {
    const view = viewOf(layer);
    return [short(errorAt(view.metric, tile, at, page, view.channel === "luminance" ? "all" : view.channel), 3)];
  }
  if (tile.approximate) return [];
  if (page.look === "ids") return [count(bitsOf(tile[layer][0])[at])];
  const picked = /^\d+$/.test(V.channel) ? [tile[layer][Number(V.channel)]] : tile[layer].slice(0, 4);
  return picked.map((plane) => short(plane[at], 4));
}
