#!/usr/bin/env bash
# What `make try-scheme NAME=wheel` does after the build, in under half a minute: tries the claims of this scheme, draws
# it, and trains it for a first look beside none and rope. Everything goes to runs/try-scheme/NAME.
#
# A first look is no evidence: three seeds, one learning rate. Chapter 15 (lessons/15_own_scheme) tells what is.
set -u
: "${BUILD:?is set by make}"
name=${NAME:-}
keep=runs/try-scheme/$name

kind=$("$BUILD/lessons/try-claims" "$name" --kind) || exit 2
echo "The claims of $name"
echo
"$BUILD/lessons/try-claims" "$name"
claims=$?
[ "$claims" -le 1 ] || exit "$claims"

# Results of another build may be those of other lines. (An ablation would go on with them.)
if [ -e "$keep/ablation/results.jsonl" ] && [ "$BUILD/locus" -nt "$keep/ablation/results.jsonl" ]; then rm -rf "$keep"; fi
mkdir -p "$keep"
# The first view that the scheme has (codes, clocks, biases ...), and what it makes of the scores of a head.
figures=
for view in "" scores; do
  if "$BUILD/locus" inspect "$name" ${view:+--what $view} --model "$kind" --length 24 --svg "$keep/${view:-scheme}.svg" \
    > /dev/null 2>&1; then figures+=" $keep/${view:-scheme}.svg"; fi
done
if cmp -s "$keep/scheme.svg" "$keep/scores.svg"; then rm "$keep/scheme.svg"; figures=" $keep/scores.svg"; fi  # its first view
echo
echo "Figures:$figures"

echo
echo "A first look: 3 seeds, one learning rate. Too little for a sentence about $name (chapter 15 says what is enough)."
others=
for other in none rope; do [ "$other" = "$name" ] || others+=" $other"; done
if [ "$kind" = decoder ]; then
  echo "It is for decoders, whose causal mask shows order already: here none is no control without order."
  set -- --model decoder --heads 2 --d-model 32 --tasks copy --steps 500 --test-examples 500
else
  set -- --tasks previous,reverse,before --steps 500
fi
echo
"$BUILD/locus" ablate "$@" --schemes "$name$others" --control none --batch 32 --lr 0.005 --seeds 3 --no-aa \
  --out "$keep/ablation" || exit 1
if [ "$claims" -ne 0 ]; then echo "A claim of $name is refuted: see above." && exit 1; fi
