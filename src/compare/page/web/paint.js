// A tile of values → RGBA. One layer (a canvas of the picture's size) each for test, reference, difference and a second
// view of the difference; tiles are painted when they are in sight and again after a setting changed.

const LAYERS = ["test", "reference", "difference", "second"];

/** What can be seen of errors. `approximate`: also known where values are not stored. */
const METRICS = {
  absolute: { label: "|t − r|", say: "largest |t − r| of the channels" },
  relative: { label: "|t − r| / |r|", say: "largest |t − r| / (|r| + 0.01) of the channels" },
  signed: { label: "t − r", say: "t − r" },
  angle: { label: "angle", say: "angle between test and reference", unit: "°" },
  distance: { label: "distance", say: "distance between the positions" },
  ids: { label: "ids", say: "ids" },
  flip: { label: "ꟻLIP", say: "ꟻLIP error, stored to 1/255" },
};

function isLight(page) {
  return page.look === "light";
}

/** The channel choices of an AOV: all, each, luminance. */
function channelChoices(aov) {
  const { channels, page } = aov;
  if (channels.length === 1 || page.look === "ids") return [["all", channels.length === 1 ? channels[0] : "ID"]];
  const shown = channels.slice(0, 3).join("");
  const list = [["all", shown], ...channels.map((name, index) => [String(index), name])];
  if (isLight(page) && channels.length >= 3) list.push(["luminance", "Lum"]);
  return list;
}

function bitsOf(values) {
  return new Uint32Array(values.buffer, values.byteOffset, values.length);
}

function luminance(planes) {
  const [r, g, b] = planes;
  return Float32Array.from(r, (v, i) => 0.2126 * v + 0.7152 * g[i] + 0.0722 * b[i]);
}

/** Paints values (test or reference) into `out`. */
function paintValues(out, planes, page, view) {
  if (planes.length === 0) return out.fill(NOTHING);
  if (page.look === "ids") return paintIds(out, planes[0]);
  const single = view.channel !== "all" || planes.length === 1;
  const chosen = single ? grey(planes, view.channel) : [planes[0], planes[1], planes[2] ?? null];
  if (!chosen[0]) return out.fill(NOTHING);
  if (isLight(page)) paintLight(out, chosen, single, view, page);
  else paintRange(out, chosen, single, view, page);
}

function grey(planes, channel) {
  if (channel === "luminance") return [luminance(planes)];
  return [planes[channel === "all" ? 0 : Number(channel)]];
}

/** Ids are stored as the bits of the values. */
function paintIds(out, plane) {
  const bits = bitsOf(plane);
  for (let i = 0; i < out.length; i++) out[i] = idColour(bits[i]);
}

function paintLight(out, [r, g, b], single, view, page) {
  // Coverage is no light: neither exposed nor encoded.
  const alpha = view.channel !== "all" && /^a$/i.test(page.channelNames[Number(view.channel)] ?? "");
  const table = alpha ? tone(0, false) : tone(view.exposure, true);
  const [rb, gb, bb] = [r, single ? r : g, single ? r : (b ?? r)].map(bitsOf);
  for (let i = 0; i < out.length; i++) {
    const [x, y, z] = [rb[i], gb[i], bb[i]];
    const top = Math.max(x & 0x7fffffff, y & 0x7fffffff, z & 0x7fffffff);
    out[i] = top >= 0x7f800000
      ? (top > 0x7f800000 ? NAN : INF)
      : 0xff000000 | (table[z >>> 14] << 16) | (table[y >>> 14] << 8) | table[x >>> 14];
  }
}

function paintRange(out, chosen, single, view, page) {
  const range = (k) => (page.look === "direction" ? [-1, 1] : page.ranges[k] ?? [0, 1]);
  const first = single && view.channel !== "all" ? Number(view.channel) : 0;
  const ranges = chosen.map((_, k) => range(first + k)).map(([low, high]) => [low, 255 / (high - low || 1)]);
  const code = (k, i) => {
    const v = (chosen[k][i] - ranges[k][0]) * ranges[k][1];
    return v <= 0 ? 0 : v >= 255 ? 255 : Math.round(v);
  };
  for (let i = 0; i < out.length; i++) {
    const sum = chosen[0][i] + (single ? 0 : chosen[1][i] + (chosen[2] ? chosen[2][i] : 0));
    if (!Number.isFinite(sum)) { out[i] = Number.isNaN(chosen[0][i]) || Number.isNaN(sum) ? NAN : NOTHING; continue; }
    const r = code(0, i);
    const g = single ? r : code(1, i);
    const b = single ? r : chosen[2] ? code(2, i) : 0;
    out[i] = 0xff000000 | (b << 16) | (g << 8) | r;
  }
}

/** The error of one pixel by a metric; NaN where only one of the two is finite. `at(planes, k)` reads a channel. */
function errorAt(metric, tile, i, page, channel) {
  if (metric === "flip") return tile.flip ? tile.flip[i] : 0;
  if (tile.approximate && tile.error && channel === "all" && metric === page.metrics[0]) return tile.error[i];
  const { test, reference } = tile;
  const count = test.length;
  if (metric === "ids") return bitsOf(test[0])[i] === bitsOf(reference[0])[i] ? 0 : 1;
  if (metric === "angle") return angle(test, reference, i);
  if (metric === "distance") {
    return channel === "all" ? Math.hypot(...difference(test, reference, i, 3)) : Math.abs(delta(test[channel][i], reference[channel][i]));
  }
  if (metric === "signed") return signedError(test, reference, i, channel, page);
  let most = 0;
  for (let k = channel === "all" ? 0 : Number(channel); k < count; k++) {
    const e = Math.abs(delta(test[k][i], reference[k][i]));
    const scaled = metric === "relative" && e > 0 ? e / (Math.abs(reference[k][i]) + 0.01) : e;
    if (!(scaled <= most)) most = scaled;
    if (Number.isNaN(most) || channel !== "all") break;
  }
  return most;
}

/** t − r; 0 where both are the same (also both NaN or the same infinity), NaN where only one is finite. */
function delta(t, r) {
  if (t === r || (t !== t && r !== r)) return 0;
  return Number.isFinite(t) && Number.isFinite(r) ? t - r : NaN;
}

function difference(test, reference, i, count) {
  return test.slice(0, count).map((plane, k) => delta(plane[i], reference[k][i]));
}

function signedError(test, reference, i, channel, page) {
  if (channel !== "all" && channel !== "luminance") return delta(test[channel][i], reference[channel][i]);
  const d = difference(test, reference, i, 3);
  if (isLight(page) && d.length === 3) return 0.2126 * d[0] + 0.7152 * d[1] + 0.0722 * d[2];
  return d.reduce((most, v) => (Number.isNaN(most) || Math.abs(v) <= Math.abs(most) ? most : v), 0);
}

/** Degrees, as Kahan has it (atan2 of the half angle): exact near 0 and 180. */
function angle(test, reference, i) {
  const [a, b] = [test, reference].map((planes) => [planes[0][i], planes[1][i], planes[2] ? planes[2][i] : 0]);
  if (a.every((v, k) => delta(v, b[k]) === 0)) return 0;
  const [la, lb] = [Math.hypot(...a), Math.hypot(...b)];
  if (!Number.isFinite(la + lb)) return NaN;
  if (la === 0 || lb === 0) return 180;
  const minus = Math.hypot(...a.map((v, k) => v / la - b[k] / lb));
  const plus = Math.hypot(...a.map((v, k) => v / la + b[k] / lb));
  return (Math.atan2(minus, plus) * 360) / Math.PI;
}

function paintDifference(out, tile, page, view) {
  if (tile.reference.length === 0 && !tile.error) return out.fill(NOTHING);
  const { metric, range } = view;
  const channel = view.channel === "luminance" && metric !== "signed" ? "all" : view.channel;
  for (let i = 0; i < out.length; i++) {
    const e = errorAt(metric, tile, i, page, channel);
    if (Number.isNaN(e)) out[i] = NAN;
    else if (metric === "ids") out[i] = e ? OTHER_ID : SAME_ID;
    else if (metric === "signed") out[i] = SIGNED[byte(0.5 + (0.5 * position(Math.abs(e), range, view.log)) * Math.sign(e))];
    else out[i] = HEAT[byte(position(e, range, view.log))];
  }
}

/** Where an error lies on the scale, 0..1. The logarithmic scale has four decades. */
function position(error, range, log) {
  if (error === 0 || range <= 0) return error > 0 ? 1 : 0;
  const t = log ? 1 + Math.log10(error / range) / 4 : error / range;
  return Math.max(0, Math.min(1, t));
}

/** The layers of an opened AOV. */
class Layers {
  constructor(source) {
    this.source = source;
    const { width, height } = source.page;
    this.canvases = {};
    this.clean = {};
    this.keys = {};
    for (const name of LAYERS) {
      this.canvases[name] = new OffscreenCanvas(width, height);
      this.clean[name] = new Uint8Array(source.tiles.length);
    }
  }

  /** Forgets what was painted with other settings. */
  settings(name, key) {
    if (this.keys[name] !== key) this.clean[name].fill(0);
    this.keys[name] = key;
  }

  paint(name, index, view) {
    const tile = this.source.tiles[index];
    if (!tile) return;
    const rect = this.source.rect(index);
    const image = new ImageData(rect.width, rect.height);
    const out = new Uint32Array(image.data.buffer);
    const { page } = this.source;
    if (name === "difference" || name === "second") paintDifference(out, tile, page, view);
    else paintValues(out, tile[name], page, view);
    this.canvases[name].getContext("2d").putImageData(image, rect.x, rect.y);
    this.clean[name][index] = 1;
  }
}
