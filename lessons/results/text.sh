#!/bin/sh
# Loss by position on the generated text, beside the entropy of its grammar: decoders of two sizes, trained on windows of
# 64 characters and read at up to eight times that length; every scheme at three rates and three seeds. It was not run
# yet: expect 2 minutes of CPU for a model of width 32 and 5 for one of width 64.
#
#   lessons/results/text.sh            # everything, into lessons/results/text-32 and text-64
#   lessons/results/text.sh 32         # one size
set -eu
cd "$(dirname "$0")/../.."
make corpus
text=build/datasets/grammar.txt
schemes="none sinusoidal learned rope alibi t5 fox"
for width in ${1:-32 64}; do
  heads=$((width / 16))
  for scheme in $schemes; do
    # ALiBi has 8 heads: with fewer its slopes are too flat to see.
    h=$heads; [ "$scheme" = alibi ] && h=8
    build/locus ablate --datasets "$text" --model decoder --d-model "$width" --heads "$h" --schemes "$scheme" --no-aa \
      --steps 2500 --train-lengths 64 --test-lengths 64,128,256,512 --lr 0.001,0.002,0.004 --seeds 3 \
      --out "runs/text-$width/$scheme" >/dev/null
  done
  mkdir -p "lessons/results/text-$width"
  cat runs/text-"$width"/*/results.jsonl > "lessons/results/text-$width/results.jsonl"
done
