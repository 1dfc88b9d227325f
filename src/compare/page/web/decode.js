// Pixels out of the file. A tile of float values is base64 of zlib of byte planes: for the reference and then for
// (test XOR reference), for each channel, the most significant bytes of all pixels, then the next. Where a tile is
// absent, values are read off the 8-bit pictures and marked as approximate.

const fromBase64 = Uint8Array.fromBase64
  ? (text) => Uint8Array.fromBase64(text)
  : (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

const LOADED = new Promise((resolve) => {
  if (document.readyState !== "loading") resolve();
  document.addEventListener("DOMContentLoaded", resolve);
});

async function inflate(data) {
  const stream = new Blob([data]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The values of one tile: `[reference, test]`, each an array of channels (Float32Array over the stored bits). */
function unshuffle(data, pixels, channels) {
  const bits = (from, channel) => {
    const start = (from * channels + channel) * 4 * pixels;
    const out = new Uint32Array(pixels);
    for (let i = 0, a = start, b = a + pixels, c = b + pixels, d = c + pixels; i < pixels; i++) {
      out[i] = (data[a + i] << 24) | (data[b + i] << 16) | (data[c + i] << 8) | data[d + i];
    }
    return out;
  };
  const [reference, test] = [[], []];
  for (let channel = 0; channel < channels; channel++) {
    const [base, change] = [bits(0, channel), bits(1, channel)];
    for (let i = 0; i < pixels; i++) change[i] ^= base[i];
    reference.push(new Float32Array(base.buffer));
    test.push(new Float32Array(change.buffer));
  }
  return [reference, test];
}

/** The pixel data of one AOV, decoded a tile at a time as tiles are asked for. */
class Source {
  constructor(aov) {
    this.aov = aov;
    this.page = aov.page;
    this.page.channelNames = aov.channels;
    const { width, height, tile } = this.page;
    this.columns = Math.ceil(width / tile);
    this.rows = Math.ceil(height / tile);
    this.tiles = new Array(this.columns * this.rows).fill(null);
    this.asked = new Set();
    this.queue = [];
    this.running = 0;
    this.failed = null;
    this.closed = false;
    this.onTile = () => {};
  }

  /** A piece of the block's text. The index shows while a long file still arrives: then this waits. */
  async text({ start, length }) {
    const arrived = () => document.getElementById(this.page.block)?.nextSibling;
    if (!arrived()) await LOADED;
    const block = document.getElementById(this.page.block);
    if (!block) throw new Error("the pixel data of this AOV is not in the file: was it cut off?");
    return block.textContent.substr(start, length);
  }

  rect(index) {
    const { width, height, tile } = this.page;
    const [x, y] = [(index % this.columns) * tile, Math.floor(index / this.columns) * tile];
    return { x, y, width: Math.min(tile, width - x), height: Math.min(tile, height - y) };
  }

  has(index) {
    return this.page.spans.length > 0 && this.page.spans[2 * index + 1] > 0;
  }

  /** Asks for tiles, the first ones first; `onTile` reports each. */
  want(indices) {
    // What has been scrolled out of sight waits no longer.
    for (const index of this.queue) this.asked.delete(index);
    this.queue = indices.filter((index) => !this.asked.has(index));
    for (const index of this.queue) this.asked.add(index);
    while (this.running < 3 && this.queue.length > 0) this.run();
  }

  async run() {
    this.running++;
    while (this.queue.length > 0 && !this.closed && !this.failed) {
      const index = this.queue.shift();
      try {
        this.tiles[index] = this.has(index) ? await this.decode(index) : await this.approximate(index);
      } catch (error) {
        this.failed = String(error.message || error);
      }
      if (!this.closed) this.onTile(index);
    }
    this.running--;
  }

  async decode(index) {
    const { width, height } = this.rect(index);
    const [start, length] = [this.page.spans[2 * index], this.page.spans[2 * index + 1]];
    const data = await inflate(fromBase64(await this.text({ start, length })));
    const [reference, test] = unshuffle(data, width * height, this.page.channels);
    const flip = await this.codes("flip", index);
    return { reference, test, flip: flip && flip.map((code) => code / 255), approximate: false };
  }

  async approximate(index) {
    const pixels = await this.picture("reference");
    if (!pixels) return { reference: [], test: [], approximate: true, absent: true };
    const reference = this.undisplay(pixels, index);
    const other = this.page.pictures.test ? await this.picture("test") : pixels;
    const test = this.page.pictures.test ? this.undisplay(other, index) : reference;
    const codes = await this.codes("difference", index);
    const top = real(this.page.errors[this.page.metrics[0]].max);
    // The codes are square roots, so that small errors keep digits; 255 is kept for what is finite in one only.
    const error = codes && codes.map((code) => (code === 255 ? NaN : top * (code / 254) ** 2));
    const flip = await this.codes("flip", index);
    return { reference, test, error, flip: flip && flip.map((code) => code / 255), approximate: true };
  }

  /** RGBA of an 8-bit picture, decoded once. */
  picture(which) {
    this.decoded ??= {};
    this.decoded[which] ??= this.decodePicture(which);
    return this.decoded[which];
  }

  async decodePicture(which) {
    const stored = this.page.pictures[which];
    if (!stored) return null;
    const data = fromBase64(await this.text(stored));
    const options = { colorSpaceConversion: "none", premultiplyAlpha: "none" };
    const bitmap = await createImageBitmap(new Blob([data], { type: stored.type }), options);
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.drawImage(bitmap, 0, 0);
    const { width, height } = bitmap;
    bitmap.close();
    return { data: context.getImageData(0, 0, width, height).data, width, height };
  }

  /** Calls `each(target, source)` with indices of the tile's pixels and of the picture's bytes. */
  sample(picture, index, each) {
    const rect = this.rect(index);
    const [fx, fy] = [picture.width / this.page.width, picture.height / this.page.height];
    for (let y = 0, target = 0; y < rect.height; y++) {
      const row = Math.min(picture.height - 1, Math.floor((rect.y + y + 0.5) * fy)) * picture.width;
      for (let x = 0; x < rect.width; x++, target++) {
        each(target, 4 * (row + Math.min(picture.width - 1, Math.floor((rect.x + x + 0.5) * fx))));
      }
    }
  }

  async codes(which, index) {
    const picture = await this.picture(which);
    if (!picture) return null;
    const rect = this.rect(index);
    const out = new Float32Array(rect.width * rect.height);
    this.sample(picture, index, (target, source) => { out[target] = picture.data[source]; });
    return out;
  }

  /** What the values of an 8-bit picture must have been, about. */
  undisplay(picture, index) {
    const rect = this.rect(index);
    const shown = Math.min(3, this.page.channels);
    const tables = Array.from({ length: shown }, (_, channel) => undisplayTable(this.page, channel));
    const out = tables.map(() => new Float32Array(rect.width * rect.height));
    this.sample(picture, index, (target, source) => {
      for (let channel = 0; channel < shown; channel++) out[channel][target] = tables[channel][picture.data[source + channel]];
    });
    return out;
  }

  close() {
    this.closed = true;
    this.queue = [];
    this.decoded = null;
    this.tiles.fill(null);
  }
}

/** 8-bit code → value, for one channel of a stored picture. */
function undisplayTable(page, channel) {
  const code = (i) => i / 255;
  const value = {
    light: (i) => linear(code(i)) / 2 ** page.exposure,
    direction: (i) => code(i) * 2 - 1,
    range: (i) => page.ranges[channel][0] + code(i) * (page.ranges[channel][1] - page.ranges[channel][0]),
    ids: (i) => i,
  }[page.look];
  return Float32Array.from({ length: 256 }, (_, i) => value(i));
}

/** Opened AOVs, the latest last: a few stay decoded, the others are let go. */
const SOURCES = new Map();
const KEPT = 4;

function sourceOf(aov) {
  const source = SOURCES.get(aov) ?? new Source(aov);
  SOURCES.delete(aov);
  SOURCES.set(aov, source);
  for (const [old, stale] of SOURCES) {
    if (SOURCES.size <= KEPT) break;
    SOURCES.delete(old);
    stale.close();
  }
  return source;
}
