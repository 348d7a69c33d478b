#!/usr/bin/env python3
"""Writes sinusoid.json: sinusoidal codes, and distances between them, that two introductory articles print.

    python3 tests/golden/make_sinusoid_golden.py          (needs numpy)

All values are computed here, by numpy. One article's cosine distances agree to their last digit; the other's codes do
not, and the file says what it should have printed. tests/positional/golden_test.cpp compares.
"""
import pathlib

import numpy as np

from golden_json import write


def code(position, width):
    """Vaswani et al. 2017, section 3.5, with base 10000."""
    angle = position / 10000 ** (np.arange(0, width, 2) / width)
    return np.stack([np.sin(angle), np.cos(angle)], -1).ravel()


def cosine_distance(a, b):
    return 1 - a @ b / np.sqrt((a @ a) * (b @ b))


distances = []
for a, b, printed in [(1, 2, 0.0264886160), (30, 31, 0.0264886160), (1, 3, 0.0933916131), (1, 30, 0.4323030366)]:
    ours = cosine_distance(code(a, 1024), code(b, 1024))
    if abs(ours - printed) > 1e-10:
        raise SystemExit(f"positions {a} and {b}: numpy says {ours:.13f}, the article {printed}")
    distances.append([a, b, round(float(ours), 13)])

codes = []
for position, channel, printed in [(0, 127, [0.71]), (1, 0, [0.84, 0.54, 0.01, 1.00]), (49, 2, [0.48, 0.88])]:
    values = code(position, 128)[channel : channel + len(printed)]
    codes.append({
        "position": position,
        "first_channel": channel,
        "values": [float(f"{value:.13g}") for value in values],
        "the_article_prints": printed,
    })

golden = {
    "source": f"make_sinusoid_golden.py, numpy {np.__version__}, float64",
    "cosine_distance_D1024_[a,b,distance]": distances,
    "codes_D128": codes,
}
write(pathlib.Path(__file__).parent / "sinusoid.json", golden)
