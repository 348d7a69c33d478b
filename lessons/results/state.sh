#!/bin/sh
# Records the study `state` of README.md: what layers of the gated delta rule know of order when nothing tells positions, beside
# a GRU and attention. Two layers each, three seeds at each rate; kept is the rate that suits each model best. From the top folder:
#
#   lessons/results/state.sh
#
# Predicted on 2026-11-27, before it was run: the GRU keeps parity and cycle past the trained length; the delta rule learns
# neither there, since a beta below 1 only shrinks what a key holds and never turns its sign; recall is what it is made for,
# and it is ahead of attention on it at the trained length.
set -e
. lessons/results/search.sh
recorded=${RECORDED:-lessons/results}/state work=${WORK:-runs/results}/state
mkdir -p "$recorded"
printf "$rates_header" > "$recorded/rates.tsv"
folders=
for width in 32 16; do
  for task in parity cycle recall; do
    case $task in recall) lengths=12,18,24 ;; *) lengths=12,24,48 ;; esac
    for model in gru delta attention; do
      case $model in gru) kind="--model gru --schemes none" ;;
        *) kind="--model decoder --heads $((width / 16)) --mixer-by-layer $model --schemes none" ;; esac
      [ $model != attention ] || kind="$kind rope"
      quietly $locus ablate --tasks $task $kind --layers 2 --d-model $width --steps 2000 --lr 0.001,0.003,0.01,0.03 --seeds 3 \
        --train-lengths 4-12 --test-lengths $lengths --test-examples 1000 --no-aa --jobs 1 --out "$work/$width/$task/$model"
      $again rates "$work/$width/$task/$model" >> "$recorded/rates.tsv"
      folders="$folders $work/$width/$task/$model"
      echo "width $width, $task, $model" >&2
    done
  done
done
$again record-best "$recorded" $folders
