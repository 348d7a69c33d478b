#!/usr/bin/env python3
"""Reads a run of `locus train` without Locus: numpy, and what src/model/README.md says.

  build/locus ask RUN --json --logits "3 1 4 1 5" | /usr/bin/python3 tests/peers/read_checkpoint.py RUN

computes the logits of what Locus read, in double precision, and prints the largest difference of each line. Exit
status 1: a difference is above 1e-5 of the largest logit. Without standard input from a pipe, it prints the tensors.

Encoders and decoders with the schemes none, sinusoidal, rope and alibi, all with their default options but the base;
and with pope, grape-m, grape-a, data-alibi, dpb and tupe, with any options. --score-scale, --window-by-layer, --qk-norm and --mixer-by-layer.
Letters: B batch, T tokens, D width, H heads, d = D / H, V vocabulary.
"""

import json
import math
import sys

import numpy as np

NEWER = ("pope", "grape-m", "grape-a", "data-alibi", "dpb", "tupe")
TYPES = {"F32": "<f4", "F64": "<f8"}


def read_safetensors(path):
    """-> (metadata, {name: array}): 8 bytes with the length of a JSON header, the header, the numbers."""
    with open(path, "rb") as file:
        data = file.read()
    start = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:start])
    metadata = header.pop("__metadata__", {})
    tensors = {}
    for name, entry in header.items():
        first, last = entry["data_offsets"]
        numbers = np.frombuffer(data[start + first:start + last], TYPES[entry["dtype"]])
        tensors[name] = numbers.reshape(entry["shape"]).astype(np.float64)
    return metadata, tensors


def softmax(scores):
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True)


def gelu(x):
    """x Phi(x), exactly: no tanh."""
    return x * 0.5 * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


def sinusoid(T, D, base):
    """(T,D): sine and cosine in turn, of the angles p base^(-2i/D)."""
    channel = np.arange(D)
    angle = np.arange(T)[:, None] * base ** (-2.0 * (channel // 2) / D)
    return np.where(channel % 2 == 0, np.sin(angle), np.cos(angle))


def rotated(x, base):
    """x (H,T,d): channels 2k and 2k+1 turned by the angle p base^(-2k/d)."""
    _, T, d = x.shape
    angle = np.arange(T)[:, None] * base ** (-2.0 * np.arange(d // 2) / d)
    a, b = x[..., 0::2], x[..., 1::2]
    y = np.empty_like(x)
    y[..., 0::2] = a * np.cos(angle) - b * np.sin(angle)
    y[..., 1::2] = a * np.sin(angle) + b * np.cos(angle)
    return y


def slope(head, H):
    """ALiBi's, of heads 0 to H-1."""
    lower = 2 ** int(math.log2(H))
    if head < lower:
        return 2 ** (-8.0 * (head + 1) / lower)
    return 2 ** (-8.0 * (2 * (head - lower) + 1) / (2 * lower))


def softplus(x):
    return np.logaddexp(0, x)


def pope_scores(q, k, options, delta):
    """q, k (H,T,d), delta (H,1,d) or None -> (H,T,T), not yet divided by sqrt(d). Complex numbers, and no rotation."""
    _, T, d = q.shape
    angle = np.arange(T)[:, None] * float(options.get("base", 10000)) ** (-np.arange(d) / d)
    phase = 0 if delta is None else delta if options.get("clamp") == "off" else np.clip(delta, -2 * np.pi, 0)
    query = softplus(q) * np.exp(1j * angle)
    key = softplus(k) * np.exp(1j * (angle + phase))
    return (query.conj() @ key.swapaxes(1, 2)).real


def turned_in_planes(x, options, a, b):
    """x (H,T,d); a, b (H,d,1) -> exp(t L) x, by the eigenvalues of the whole generator L."""
    H, T, d = x.shape
    planes = int(options.get("planes", d // 2))
    block, y = d // planes, np.empty_like(x)
    for h in range(H):
        L = np.zeros((d, d))
        for i in range(planes):
            at = slice(i * block, (i + 1) * block)
            one, two = a[h, at, 0] + np.eye(block)[1], b[h, at, 0] + np.eye(block)[0]
            speed = float(options.get("base", 10000)) ** (-i / planes)
            L[at, at] = speed * (np.outer(one, two) - np.outer(two, one))
        values, vectors = np.linalg.eigh(1j * L)  # Hermitian, because L is skew
        for t in range(T):
            turn = (vectors * np.exp(-1j * t * values)) @ vectors.conj().T
            y[h, t] = turn.real @ x[h, t]
    return y


class Run:
    def __init__(self, folder):
        self.metadata, self.tensors = read_safetensors(folder + "/model.safetensors")
        if self.metadata.get("format") != "locus" or "vocabulary" not in self.metadata:
            sys.exit(f"{folder}: it was not written by Locus, or by a version that kept no vocabulary")
        self.settings = json.loads(self.metadata["settings"])
        self.vocabulary = json.loads(self.metadata["vocabulary"])
        self.causal = self.settings["model"] == "decoder"
        self.pooled = not self.causal and self.metadata["form"] == "classification"
        self.scheme, _, options = self.settings["scheme"].partition(":")
        key, _, base = options.partition("=")
        self.options = dict(option.split("=") for option in options.split(",") if option)
        if (self.settings["model"] not in ("encoder", "decoder")
                or self.scheme not in ("none", "sinusoidal", "rope", "alibi") + NEWER
                or self.scheme not in NEWER and (key not in ("", "base")
                                                 or (key and self.scheme not in ("sinusoidal", "rope")))):
            sys.exit(f"{folder}: this reader knows no {self.settings['model']} with {self.settings['scheme']}")
        self.base = float(base or 10000) if self.scheme not in NEWER else None

    def linear(self, name, x):
        return x @ self.tensors[name + ".weight"] + self.tensors[name + ".bias"]

    def norm(self, name, x):
        centred = x - x.mean(-1, keepdims=True)
        unit = centred / np.sqrt((centred ** 2).mean(-1, keepdims=True) + 1e-5)
        return unit * self.tensors[name + ".gain"] + self.tensors[name + ".bias"]

    def own(self, name, part):
        """A parameter that the scheme has for this layer: "layer0.attention" -> "position.layer0.pope.delta"."""
        return self.tensors[f"position.{name.split('.')[0]}.{self.scheme}.{part}"]

    def with_scheme(self, name, scores, x, q, k):
        """What the newer schemes of the score stage make of scores (H,T,T)."""
        H, T, _ = scores.shape
        i, j = np.arange(T)[:, None], np.arange(T)
        if self.scheme == "grape-a":
            fall = np.array([slope(head, H) for head in range(H)])[:, None, None] * (i - j)
            gate = self.options.get("gate", "none")
            if gate == "none":
                return scores - fall * self.own(name, "factor")
            u = self.own(name, "u")
            if gate == "key":
                return scores + fall * (u @ k.swapaxes(1, 2))
            u, v = (w / np.linalg.norm(w, axis=-1, keepdims=True) for w in (u, self.own(name, "v")))
            root = math.sqrt(q.shape[-1])
            return scores - fall * (softplus(u @ k.swapaxes(1, 2) / root) + softplus(q @ v.swapaxes(1, 2) / root))
        if self.scheme == "data-alibi":
            def sums(side):  # of ln sigmoid, over tokens 0 to t: (H,T)
                gates = x @ self.own(name, side + ".weight") + self.own(name, side + ".bias")
                return -np.cumsum(softplus(-gates), 0).T
            left = sums("left")
            back = left[:, :, None] - left[:, None, :]
            if self.causal:
                return scores + back
            right = sums("right")
            return scores + np.where(j <= i, back, right[:, None, :] - right[:, :, None])
        if self.scheme == "dpb":
            prefix = f"position.{name.split('.')[0]}.dpb."
            r = (j - i)[..., None].astype(float)
            y = np.sign(r) * np.log1p(np.abs(r)) if self.options.get("distance") == "log" else r
            for part, norm in (("first", "norm1"), ("second", "norm2"), ("third", "norm3")):
                y = np.maximum(self.norm(prefix + norm, self.linear(prefix + part, y)), 0)
            return scores + np.moveaxis(y @ self.own(name, "down").T, 2, 0) + self.own(name, "down_bias")[:, :, None]
        if self.scheme == "tupe":
            p = self.norm("position.tupe.norm", self.tensors["position.tupe.table"][:T])
            a, b = (self.linear("position.tupe." + part, p).reshape(T, H, -1).swapaxes(0, 1)
                    for part in ("query", "key"))
            return scores / math.sqrt(2) + a @ b.swapaxes(1, 2) / math.sqrt(2 * q.shape[-1])
        return scores

    def attention(self, name, x):
        T, D = x.shape
        H = self.settings["heads"]
        q, k, v = (self.linear(f"{name}.{part}", x).reshape(T, H, D // H).swapaxes(0, 1)
                   for part in ("query", "key", "value"))  # (H,T,d)
        if self.settings.get("qk_norm"):
            q, k = (x / np.sqrt((x ** 2).mean(-1, keepdims=True)) * self.tensors[f"{name}.{part}_norm.gain"]
                    for x, part in ((q, "query"), (k, "key")))
        if self.scheme == "rope":
            q, k = rotated(q, self.base), rotated(k, self.base)
        if self.scheme == "grape-m":
            planes = [self.own(name, part) for part in ("a", "b")]
            q, k = (turned_in_planes(vectors, self.options, *planes) for vectors in (q, k))
        scores = q @ k.swapaxes(1, 2) / math.sqrt(D // H)
        if self.scheme == "pope":
            delta = None if self.options.get("delta") == "none" else self.own(name, "delta")
            scores = pope_scores(q, k, self.options, delta) / math.sqrt(D // H)
        scores = self.with_scheme(name, scores, x, q, k)
        if self.scheme == "alibi":
            distance = np.abs(np.arange(T)[:, None] - np.arange(T))
            scores = scores - np.array([slope(head, H) for head in range(H)])[:, None, None] * distance
        seen = np.tri(T, dtype=bool) if self.causal else np.ones((T, T), dtype=bool)
        windows = self.settings.get("window_by_layer", "none").split(" ")
        window = windows[int(name.split(".")[0][5:]) % len(windows)]
        if window != "none":
            seen &= np.abs(np.arange(T)[:, None] - np.arange(T)) <= int(window)
        if self.settings.get("score_scale") == "log":
            scores = scores * np.log(seen.sum(-1))[:, None]
        scores = np.where(seen, scores, -np.inf)
        return self.linear(name + ".output", (softmax(scores) @ v).swapaxes(0, 1).reshape(T, D))

    def delta(self, name, x):
        """The gated delta rule, token after token: S <- a S, then S <- S + b (v - S k) k^T, then S q / sqrt(d)."""
        T, D = x.shape
        H = self.settings["heads"]
        d = D // H
        silu = lambda y: y / (1 + np.exp(-y))
        q, k, v = (silu(self.linear(f"{name}.{part}", x)).reshape(T, H, d) for part in ("query", "key", "value"))
        q, k = (y / np.linalg.norm(y, axis=-1, keepdims=True) for y in (q, k))
        a = np.exp(-np.exp(self.tensors[name + ".rate"]) * softplus(self.linear(name + ".decay", x)))
        b = 1 / (1 + np.exp(-self.linear(name + ".beta", x)))
        S, read = np.zeros((H, d, d)), np.empty((T, H, d))
        for t in range(T):
            S = a[t][:, None, None] * S
            S = S + b[t][:, None, None] * np.einsum("hv,hk->hvk", v[t] - np.einsum("hvk,hk->hv", S, k[t]), k[t])
            read[t] = np.einsum("hvk,hk->hv", S, q[t]) / math.sqrt(d)
        read = read / np.sqrt((read ** 2).mean(-1, keepdims=True)) * self.tensors[name + ".norm.gain"]
        return self.linear(name + ".output", read.reshape(T, D) * silu(self.linear(name + ".gate", x)))

    def logits(self, tokens):
        """Token ids -> (T,V), or (1,V) of a classification by an encoder."""
        x = self.tensors["embedding"][tokens]
        if self.scheme == "sinusoidal":
            x = x + sinusoid(*x.shape, self.base)
        for layer in range(self.settings["layers"]):
            name = f"layer{layer}."
            mixers = self.settings.get("mixer_by_layer", "attention").split(" ")
            mix = self.attention if mixers[layer % len(mixers)] == "attention" else self.delta
            x = x + mix(name + mixers[layer % len(mixers)], self.norm(name + "attention_norm", x))
            inner = gelu(self.linear(name + "feed_forward.up", self.norm(name + "feed_forward_norm", x)))
            x = x + self.linear(name + "feed_forward.down", inner)
        x = self.norm("norm", x)
        return self.linear("head", x.mean(0, keepdims=True) if self.pooled else x)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    run = Run(sys.argv[1])
    if sys.stdin.isatty():
        for name, tensor in run.tensors.items():
            print(name, tensor.shape)
        return
    worst = compared = 0
    for line in sys.stdin:
        said = json.loads(line)
        if "error" in said:
            sys.exit("Locus could not answer: " + said["error"])
        logits = run.logits([run.vocabulary.index(word) for word in said["read"].split(" ")])
        theirs = np.array(said["logits"])
        if theirs.shape != logits.shape:
            sys.exit(f"{said['read']}: Locus has logits {theirs.shape}, this reader {logits.shape}")
        difference = np.abs(theirs - logits).max() / max(1, np.abs(logits).max())
        print(f"{difference:.1e}  {said['input']}")
        worst, compared = max(worst, difference), compared + 1
    if not compared:
        sys.exit("nothing to compare: give the lines of `locus ask RUN --json --logits`")
    print(f"{compared} compared, the largest difference is {worst:.1e}")
    if not worst <= 1e-5:
        sys.exit(1)


if __name__ == "__main__":
    main()
