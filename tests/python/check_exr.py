#!/usr/bin/env python3
"""Opens EXR files with the format's own library and with OpenImageIO and holds them against what was meant.

    check_exr.py FILE.exr...      each with FILE.exr.json beside it

The JSON holds windows, channels (type and the bits of every value), attributes and the names of each Cryptomatte
layer. Exit code 0: everything agrees; 1: the differences are printed.
"""

import json
import struct
import sys

import numpy as np
import OpenEXR
import OpenImageIO as oiio

DTYPE = {"half": np.float16, "float": np.float32, "uint": np.uint32}
BITS = {"half": np.uint16, "float": np.uint32, "uint": np.uint32}

faults = []


def check(ok, *words):
    if not ok:
        faults.append(" ".join(str(word) for word in words))


def same_bits(where, pixels, expected):
    """Values bit for bit, so that infinities and ids count as what they are."""
    meant = np.array(expected["bits"], dtype=BITS[expected["type"]])
    seen = np.ascontiguousarray(pixels).reshape(-1)
    check(seen.dtype == DTYPE[expected["type"]], where, "has the type", seen.dtype, "instead of", expected["type"])
    if seen.dtype == DTYPE[expected["type"]]:
        check(np.array_equal(seen.view(BITS[expected["type"]]), meant), where, "has other values")


def check_openexr(path, expected):
    with OpenEXR.File(path, separate_channels=True) as file:
        check(len(file.parts) == 1, path, "has", len(file.parts), "parts")
        header, channels = file.header(), file.channels()
        x, y, width, height = expected["data_window"]
        low, high = header["dataWindow"]
        window = [int(low[0]), int(low[1]), int(high[0]) + 1 - int(low[0]), int(high[1]) + 1 - int(low[1])]
        check(window == [x, y, width, height], path, "dataWindow", window)
        low, high = header["displayWindow"]
        frame = [int(low[0]), int(low[1]), int(high[0]) + 1, int(high[1]) + 1]
        check(frame == [0, 0, *expected["resolution"]], path, "displayWindow", frame)
        check(header["type"] == OpenEXR.scanlineimage, path, "is not in scan lines")
        check(sorted(channels) == sorted(expected["channels"]), path, "channels", sorted(channels))
        for name, meant in expected["channels"].items():
            if name in channels:
                check(channels[name].pixels.shape[:2] == (height, width), path, name, channels[name].pixels.shape)
                same_bits(f"OpenEXR: {path} {name}", channels[name].pixels, meant)
        for name, value in expected["attributes"].items():
            seen = header.get(name)
            if isinstance(value, list):
                ok = seen is not None and np.allclose(np.array(seen).reshape(-1), value, rtol=1e-6)
            else:
                ok = seen == value
            check(ok, path, name, "is", repr(seen), "instead of", repr(value))
        for layer, names in expected["mattes"].items():
            check_cryptomatte(path, header, channels, layer, names)


def check_oiio(path, expected):
    file = oiio.ImageInput.open(path)
    check(file is not None, path, oiio.geterror())
    if file is None:
        return
    spec = file.spec()
    check([spec.x, spec.y, spec.width, spec.height] == expected["data_window"], "OIIO:", path, "data window")
    full = [spec.full_x, spec.full_y, spec.full_width, spec.full_height]
    check(full == [0, 0, *expected["resolution"]], "OIIO:", path, "display window", full)
    check(sorted(spec.channelnames) == sorted(expected["channels"]), "OIIO:", path, sorted(spec.channelnames))
    for index, name in enumerate(spec.channelnames):
        meant = expected["channels"].get(name)
        if meant is None:
            continue
        kind = {"half": "half", "float": "float", "uint": "uint"}[meant["type"]]
        check(str(spec.channelformat(index)) == kind, "OIIO:", path, name, spec.channelformat(index))
        pixels = file.read_image(0, 0, index, index + 1, kind)
        same_bits(f"OIIO: {path} {name}", pixels, meant)
    file.close()


def murmur3(data):
    """MurmurHash3_x86_32, seed 0: written down anew so that it checks the other one."""
    mask, h = 0xFFFFFFFF, 0
    rotl = lambda v, n: ((v << n) | (v >> (32 - n))) & mask
    padded = data + b"\0" * (-len(data) % 4)
    for at in range(0, len(padded), 4):
        k = rotl(struct.unpack_from("<I", padded, at)[0] * 0xCC9E2D51 & mask, 15) * 0x1B873593 & mask
        h ^= k
        if at + 4 <= len(data):
            h = (rotl(h, 13) * 5 + 0xE6546B64) & mask
    h ^= len(data)
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35), (16, 1)):
        h = (h ^ (h >> shift)) * factor & mask
    return h


def matte_id(name):
    h = murmur3(name.encode())
    exponent = min(max((h >> 23) & 0xFF, 1), 254)
    return (h & 0x807FFFFF) | (exponent << 23)


def check_cryptomatte(path, header, channels, layer, names):
    prefix = f"cryptomatte/{murmur3(layer.encode()):08x}"[: len("cryptomatte/") + 7]
    field = lambda name: header.get(f"{prefix}/{name}")
    check(field("name") == layer, path, layer, "has the name", field("name"))
    check(field("hash") == "MurmurHash3_32", path, layer, field("hash"))
    check(field("conversion") == "uint32_to_float32", path, layer, field("conversion"))
    manifest = {name: int(bits, 16) for name, bits in json.loads(field("manifest") or "{}").items()}
    check(sorted(manifest) == sorted(set(names)), path, layer, "manifest", sorted(manifest))
    check(all(manifest[name] == matte_id(name) for name in manifest), path, layer, "has wrong hashes")
    ids, covered, total = set(), 0, None
    for level in range(3):
        for id_channel, share_channel in ("rg", "ba"):
            share = channels[f"{layer}{level:02}.{share_channel}"].pixels
            bits = np.ascontiguousarray(channels[f"{layer}{level:02}.{id_channel}"].pixels).view(np.uint32)
            check(np.all((share > 0) == (bits != 0)), path, layer, "has a share without an id, or the reverse")
            check(total is None or np.all(share <= total), path, layer, "ranks are not in falling order")
            ids |= set(bits[share > 0].tolist())
            covered, total = covered + share, share
    check(ids <= set(manifest.values()), path, layer, "has ids that the manifest does not name")
    check(len(ids) > 0 or not names, path, layer, "is empty")
    check(np.all(covered < 1 + 1e-5), path, layer, "covers more than the pixel")


def main(paths):
    for path in paths:
        with open(path + ".json", encoding="utf-8") as file:
            expected = json.load(file)
        check_openexr(path, expected)
        check_oiio(path, expected)
    print("\n".join(faults) or f"{len(paths)} files agree with OpenEXR and OpenImageIO")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
