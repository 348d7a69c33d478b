#!/usr/bin/env python3
"""Times one training step of the reference encoder in PyTorch, for comparison with `locus bench --json`.

One step draws a batch, runs forward and cross-entropy, goes back, clips gradients to norm 1 and updates with AdamW.
Prints a line of JSON for each size and number of threads; ms_per_step is the median over the steps. See README.md.
"""
import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass

try:
    import torch
    from torch import nn
    from torch.nn import functional
except ImportError:
    sys.exit(f"{sys.executable} has no torch. Debian: apt-get install python3-torch libopenblas0-pthread, "
             "and run this with /usr/bin/python3")

BATCH = 64
WARM_UP = 5


@dataclass
class Size:
    """T length, V vocabulary, D width, H heads, F inner width of the feed-forward."""

    T: int
    V: int
    D: int
    H: int
    layers: int
    F: int
    steps: int  # timed here; enough for a steady median

    def flops(self):
        """Of the matrix products of one step. A multiply-add is two; backward costs two forwards."""
        per_token = self.layers * (8 * self.D**2 + 4 * self.D * self.F + 4 * self.T * self.D) + 2 * self.D * self.V
        return 3 * BATCH * self.T * per_token


SIZES = {
    "S": Size(T=16, V=16, D=32, H=2, layers=2, F=128, steps=200),
    "M": Size(T=32, V=32, D=64, H=4, layers=2, F=256, steps=60),
    "L": Size(T=64, V=64, D=128, H=4, layers=4, F=512, steps=15),
}


class Block(nn.Module):
    """Pre-norm. Query, key and value come from one product, the faster way in PyTorch."""

    def __init__(self, size, mask=None):  # (T,T), added to the scores
        super().__init__()
        self.heads, self.mask = size.H, mask
        self.attention_norm, self.feed_forward_norm = nn.LayerNorm(size.D), nn.LayerNorm(size.D)
        self.qkv, self.output = nn.Linear(size.D, 3 * size.D), nn.Linear(size.D, size.D)
        self.up, self.down = nn.Linear(size.D, size.F), nn.Linear(size.F, size.D)

    def attention(self, x):
        B, T, D = x.shape
        d = D // self.heads
        q, k, v = self.qkv(x).view(B, T, 3, self.heads, d).permute(2, 0, 3, 1, 4)  # (B,H,T,d) each
        scores = q @ k.transpose(-1, -2) / math.sqrt(d)
        weights = (scores if self.mask is None else scores + self.mask).softmax(-1)
        return self.output((weights @ v).transpose(1, 2).reshape(B, T, D))

    def forward(self, x):
        x = x + self.attention(self.attention_norm(x))
        return x + self.down(functional.gelu(self.up(self.feed_forward_norm(x))))


class Encoder(nn.Module):
    def __init__(self, size, mask=None):
        super().__init__()
        angle = torch.arange(size.T)[:, None] / 10000 ** (torch.arange(0, size.D, 2) / size.D)
        self.register_buffer("sinusoid", torch.stack([angle.sin(), angle.cos()], -1).flatten(-2))
        self.embedding = nn.Embedding(size.V, size.D)
        self.blocks = nn.Sequential(*(Block(size, mask) for _ in range(size.layers)))
        self.norm, self.head = nn.LayerNorm(size.D), nn.Linear(size.D, size.V)

    def forward(self, tokens):  # (B,T) -> (B,T,V)
        return self.head(self.norm(self.blocks(self.embedding(tokens) + self.sinusoid)))


def milliseconds_per_step(size):
    torch.manual_seed(0)
    model = Encoder(size)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)

    def step():
        tokens = torch.randint(size.V, (BATCH, size.T))
        targets = tokens.flip(1)
        loss = functional.cross_entropy(model(tokens).view(-1, size.V), targets.reshape(-1))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()

    times = []
    for _ in range(WARM_UP + size.steps):
        start = time.perf_counter()
        step()
        times.append(time.perf_counter() - start)
    return statistics.median(times[WARM_UP:]) * 1e3


def warn_of_slow_blas():
    """Debian's torch multiplies through whichever libblas.so.3 is installed; the reference one lies in a folder blas."""
    maps = pathlib.Path("/proc/self/maps")
    if maps.exists() and "/blas/libblas.so" in maps.read_text():
        print("warning: torch uses the reference BLAS, which is several times slower than OpenBLAS; for a fair "
              "comparison: apt-get install libopenblas0-pthread", file=sys.stderr)


def measure(names, threads):
    torch.set_num_threads(threads)
    warn_of_slow_blas()
    for name in names:
        size = SIZES[name]
        milliseconds = milliseconds_per_step(size)
        gflops = size.flops() / milliseconds / 1e6
        line = dict(size=name, threads=threads, ms_per_step=round(milliseconds, 3), gflops=round(gflops, 2))
        print(json.dumps(line), flush=True)


def thread_count(text):
    count = int(text)
    if count < 1:
        raise argparse.ArgumentTypeError("a number of threads is 1 or more")
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=thread_count, action="append", metavar="N", help="repeatable; default 1")
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=list(SIZES), help="default: S M L")
    arguments = parser.parse_args()

    # OpenBLAS reads its number of threads when it is loaded, so each number of threads gets a process of its own.
    for threads in arguments.threads or [1]:
        variables = dict(OMP_NUM_THREADS=str(threads), OPENBLAS_NUM_THREADS=str(threads))
        if variables.items() <= os.environ.items():
            measure(arguments.sizes, threads)
            continue
        command = [sys.executable, __file__, "--threads", str(threads), "--sizes", *arguments.sizes]
        status = subprocess.run(command, env={**os.environ, **variables}).returncode
        if status != 0:
            sys.exit(status)


if __name__ == "__main__":
    main()
