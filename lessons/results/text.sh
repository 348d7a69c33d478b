#!/bin/sh
# Loss by position on the generated text, beside the entropy of its grammar: decoders trained on windows of 64 characters
# and read in windows of up to eight times that length. Each scheme has at each width a learning rate of its own: 0.003,
# 0.01 and 0.03 on seed 1, and the next smaller or larger one until the best lies between two others; the seeds follow
# at the best. A run is 1,000 batches of 32 windows, 9 seconds of one core at width 32 and 25 at width 64: 56 runs and
# 42 runs, so 8 minutes and 17. Interrupted, the same command goes on.
#
#   lessons/results/text.sh            # everything, into lessons/results/text-32 and text-64
#   lessons/results/text.sh 32         # one width
set -eu
cd "$(dirname "$0")/../.."
. lessons/results/search.sh
[ -e build/datasets/grammar.txt ] || make corpus
schemes="none sinusoidal learned rope alibi t5 fox"
work=${WORK:-runs/results}/text

# train WIDTH SCHEME RATE SEEDS: each rate has a folder of its own, so that the seeds follow the search in it.
train() {
  # ALiBi has 8 heads: with fewer its slopes are too flat to see.
  case $2 in alibi) heads=8 ;; *) heads=$(($1 / 16)) ;; esac
  quietly $locus ablate --datasets build/datasets/grammar.txt --model decoder --d-model "$1" --heads $heads --schemes "$2" \
    --batch 32 --steps 1000 --train-lengths 64 --test-lengths 64,128,256,512 --lr "$3" --seeds "$4" --no-aa \
    --jobs "${JOBS:-1}" --out "$work/$1/$2/$3"
}

# best WIDTH SCHEME: the best of the rates that were tried, and "smallest" or "largest" where it is one of these.
best() {
  $locus report "$work/$1/$2"/0.* --best-lr 2> /dev/null |
    sed -n 's/^  [^ ].*: \([0-9.e-]*\)$/\1 inside/p; s/^  [^ ].*: \([0-9.e-]*\) (the \([a-z]*\) tried)$/\1 \2/p'
}

# search WIDTH SCHEME: writes the best rate to a file. The search is not repeated when seeds have been added to a rate.
search() {
  [ -e "$work/$1/$2/rate" ] && return
  while :; do
    found=$(best "$1" "$2")
    next=$(echo "$ladder" | awk -v best="${found% *}" -v edge="${found#* }" '{
      for (i = 1; i <= NF; ++i) if ($i == best) print edge == "smallest" ? $(i - 1) : edge == "largest" ? $(i + 1) : "" }')
    [ -n "$next" ] || break
    train "$1" "$2" "$next" 1
  done
  echo "${found% *}" > "$work/$1/$2/rate"
}

# record WIDTH: what has been trained so far.
record() {
  recorded=${RECORDED:-lessons/results}/text-$1
  mkdir -p "$recorded"
  printf "$rates_header" > "$recorded/rates.tsv"
  folders=
  for scheme in $schemes; do
    [ -e "$work/$1/$scheme/rate" ] || continue
    $again rates "$work/$1/$scheme"/0.* |  # (of the first seed)
      awk -F '\t' -v OFS='\t' '{ for (i = 7; i <= 10; ++i) sub(/ .*/, "", $i); print }' >> "$recorded/rates.tsv"
    folders="$folders $work/$1/$scheme/$(cat "$work/$1/$scheme/rate")"
  done
  $again record "$recorded" $folders
}

for width in ${1:-32 64}; do
  case $width in 32) most=5 ;; *) most=3 ;; esac
  for rate in 0.01 0.003 0.03; do
    for scheme in $schemes; do
      [ -e "$work/$width/$scheme/rate" ] || train "$width" "$scheme" $rate 1
    done
  done
  for scheme in $schemes; do
    search "$width" "$scheme"
    echo "width $width, $scheme: rate $(cat "$work/$width/$scheme/rate")" >&2
  done
  for seeds in $(seq 2 $most); do
    for scheme in $schemes; do train "$width" "$scheme" "$(cat "$work/$width/$scheme/rate")" "$seeds"; done
    echo "width $width: $seeds seeds" >&2
    record "$width"
  done
done
