#!/usr/bin/env python3
"""Times the training of a decoder on a text, in Locus and in PyTorch in turn, in tokens per second.

Both train the same model on windows of 64 characters, 32 a step: width 64, 4 heads, 2 layers, sinusoidal positions,
AdamW, gradients clipped to norm 1. PyTorch's time is that of its steps. Locus's is that of `locus train` with many
steps less that with few, so starting and testing do not count; its validations every 50 steps do.

Prints a line of JSON for each round, program and number of threads, then the medians and their ratio. Per CPU second
means per second of processor time of all threads, which is what can be compared on a busy machine. See README.md.
"""
import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

BATCH, LENGTH, WIDTH, HEADS, LAYERS = 32, 64, 64, 4, 2
ROOT = pathlib.Path(__file__).resolve().parents[2]
WARM_UP = 5


def torch_seconds(text, steps):
    """(seconds, CPU seconds) of `steps` steps, on as many threads as OMP_NUM_THREADS says."""
    import torch
    from torch import nn
    from torch.nn import functional
    from pytorch_step import Encoder, Size, warn_of_slow_blas

    torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    warn_of_slow_blas()
    torch.manual_seed(0)
    characters = sorted(set(text))
    tokens = torch.tensor([characters.index(c) for c in text])
    # A decoder is an encoder in which no token sees a later one.
    hidden = torch.full((LENGTH, LENGTH), float("-inf")).triu(1)
    size = Size(T=LENGTH, V=len(characters), D=WIDTH, H=HEADS, layers=LAYERS, F=4 * WIDTH, steps=steps)
    model = Encoder(size, mask=hidden)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    at = torch.arange(LENGTH + 1)

    def step():
        windows = tokens[torch.randint(len(tokens) - LENGTH, (BATCH, 1)) + at]
        loss = functional.cross_entropy(model(windows[:, :-1]).view(-1, size.V), windows[:, 1:].reshape(-1))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()

    for _ in range(WARM_UP):
        step()
    start, cpu_start = time.perf_counter(), time.process_time()
    for _ in range(steps):
        step()
    return time.perf_counter() - start, time.process_time() - cpu_start


def locus_seconds(path, steps, threads):
    def train(count):
        with tempfile.TemporaryDirectory() as folder:
            command = [str(ROOT / "build/locus"), "train", "--dataset", str(path), "--model", "decoder",
                       "--scheme", "sinusoidal", "--d-model", str(WIDTH), "--heads", str(HEADS),
                       "--layers", str(LAYERS), "--batch", str(BATCH), "--train-lengths", str(LENGTH),
                       "--test-lengths", str(LENGTH), "--test-examples", "1", "--steps", str(count),
                       "--threads", str(threads), "--out", folder + "/run"]
            before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            return (time.perf_counter() - start,
                    after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)

    few, many = train(50), train(50 + steps)
    return many[0] - few[0], many[1] - few[1]


def measure(program, path, steps, threads):
    if program == "locus":
        return locus_seconds(path, steps, threads)
    # OpenBLAS reads its number of threads when it is loaded, so PyTorch gets a process of its own.
    variables = dict(OMP_NUM_THREADS=str(threads), OPENBLAS_NUM_THREADS=str(threads))
    command = [sys.executable, __file__, "--only-torch", "--text", str(path), "--steps", str(steps)]
    done = subprocess.run(command, env={**os.environ, **variables}, check=True, stdout=subprocess.PIPE)
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--text", type=pathlib.Path, default=ROOT / "build/datasets/grammar.txt",
                        help="default: that of `make corpus`")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=200, help="timed in each round (200)")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--only-torch", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()

    if arguments.only_torch:
        print(json.dumps(torch_seconds(arguments.text.read_text(), arguments.steps)))
        return
    tokens = arguments.steps * BATCH * LENGTH
    speeds = {}
    for number in range(1, arguments.rounds + 1):
        for threads in arguments.threads:
            for program in ("locus", "pytorch"):
                seconds, cpu = measure(program, arguments.text, arguments.steps, threads)
                speed = dict(tokens_per_second=round(tokens / seconds), tokens_per_cpu_second=round(tokens / cpu))
                speeds.setdefault((program, threads), []).append(speed)
                print(json.dumps(dict(round=number, program=program, threads=threads, **speed)), flush=True)
    for threads in arguments.threads:
        for key in ("tokens_per_second", "tokens_per_cpu_second"):
            medians = {program: statistics.median(speed[key] for speed in speeds[program, threads])
                       for program in ("locus", "pytorch")}
            print(json.dumps(dict(threads=threads, measure=key, **medians,
                                  ratio=round(medians["locus"] / medians["pytorch"], 2))))


if __name__ == "__main__":
    main()
