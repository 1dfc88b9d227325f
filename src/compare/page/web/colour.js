// Values → display colours.

/** IEC 61966-2-1: linear → encoded, and back. */
function encoded(v) {
  return v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055;
}

function linear(v) {
  return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
}

function byte(v) {
  return Math.max(0, Math.min(255, Math.round(v * 255)));
}

/** OKLab (Björn Ottosson 2020) → linear Rec.709. */
function oklab([lightness, a, b]) {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

/** Lightness, chroma and hue in degrees → 8-bit sRGB; chroma gives way until the colour is displayable. */
function lch(lightness, chroma, hue) {
  const [x, y] = [Math.cos((hue * Math.PI) / 180), Math.sin((hue * Math.PI) / 180)];
  for (let c = chroma; ; c -= 0.004) {
    const rgb = oklab([lightness, Math.max(c, 0) * x, Math.max(c, 0) * y]);
    if (c <= 0 || rgb.every((v) => v > -0.0005 && v < 1.0005)) return rgb.map((v) => byte(encoded(Math.max(0, v))));
  }
}

function packed([r, g, b]) {
  return (0xff000000 | (b << 16) | (g << 8) | r) >>> 0;
}

/** Lightness rises evenly from near black to near white while the hue turns from blue over red to yellow. */
const HEAT = Uint32Array.from({ length: 256 }, (_, i) => {
  const t = i / 255;
  return packed(lch(0.13 + 0.84 * t, 0.2 * Math.sin(Math.PI * (0.06 + 0.88 * t)), -75 + 180 * t));
});

/** Dark in the middle; lightness rises evenly to blue (test below reference) and to orange (above). */
const SIGNED = Uint32Array.from({ length: 256 }, (_, i) => {
  const t = (i - 127.5) / 127.5;
  const size = Math.abs(t);
  return packed(lch(0.16 + 0.72 * size, 0.17 * Math.min(1, 1.6 * size), t < 0 ? 245 : 60));
});

const NAN = packed([255, 0, 255]);
const INF = packed([0, 229, 255]);
const NOTHING = packed([52, 57, 64]);
const SAME_ID = packed([24, 26, 29]);
const OTHER_ID = packed([255, 176, 64]);

/** A colour for an id, the same in every picture; 0 is the background. */
const ID_COLOURS = new Map();
function idColour(id) {
  if (id === 0) return NOTHING;
  let colour = ID_COLOURS.get(id);
  if (colour === undefined) {
    // Steps of the golden angle keep neighbours apart; lightness and chroma alternate so that few ids look alike.
    const hue = (id * 137.50776) % 360;
    colour = packed(lch(0.56 + 0.09 * (id % 4), 0.09 + 0.035 * (id % 3), hue));
    if (ID_COLOURS.size < 100000) ID_COLOURS.set(id, colour);
  }
  return colour;
}

function css(colour) {
  return `rgb(${colour & 255} ${(colour >> 8) & 255} ${(colour >> 16) & 255})`;
}

/** Float bits without the lowest 14 → display byte: two parts in a thousand, a third of a display step. */
const TONE = new Uint8Array(1 << 18);
let toneKey = null;
function tone(exposure, encode) {
  const key = `${exposure} ${encode}`;
  if (key === toneKey) return TONE;
  toneKey = key;
  const scale = 2 ** exposure;
  const bits = new Uint32Array(1);
  const value = new Float32Array(bits.buffer);
  // Everything above white and below a thousandth of a step needs no power.
  for (let i = 0; i < 1 << 17; i++) {
    bits[0] = (i << 14) | 0x2000;
    const v = value[0] * scale;
    TONE[i] = v >= 1 || Number.isNaN(v) ? 255 : v < 1e-6 ? 0 : byte(encode ? encoded(v) : v);
  }
  return TONE;
}
