#!/bin/sh
# Records the studies "lengths-decoder" and "lengths-encoder" of README.md: accuracy at 1, 2, 4 and 8 times the trained
# length, of every scheme that is said to extrapolate. From the top folder:
#
#   lessons/results/lengths.sh decoder|encoder        trains what is missing, and writes lessons/results/lengths-MODEL
#   lessons/results/lengths.sh decoder|encoder I/N    only that part of the schemes, into runs/results: the first
#                                                     command puts the parts together
#
# Two sizes, each scheme at a learning rate of its own for each task and size (search.sh), then five seeds. The rates of
# encoders on `previous` are those of encoder-previous, where it has them. What is complete is recorded after every
# scheme: lengths-MODEL/results.jsonl is the models, rates.tsv every rate that was tried, lengths-MODEL.svg the figure.
# Interrupted, the same command goes on.
set -e
. lessons/results/search.sh
model=$1 part=${2:-1/1}
work=${WORK:-runs/results}/lengths-$model
recorded=${RECORDED:-lessons/results}/lengths-$model
searched=lessons/results/encoder-previous

rows() {  # task and scheme, the most telling ones first
  case $model in
    decoder)
      for scheme in rope xpos:scale_base=16 sinusoidal xpos:scale_base=64 none alibi xpos t5 fox \
        rope:extend=dynamic,original=16 kerple fire sandwich shaw path cope; do
        echo "needle $scheme"
      done ;;
    encoder)
      for scheme in sinusoidal rope alibi:direction=asymmetric t5 none alibi shaw rope:extend=dynamic,original=12 \
        fire kerple sandwich; do
        echo "previous $scheme"
        echo "needle $scheme"
      done ;;
    *)
      echo "usage: lessons/results/lengths.sh decoder|encoder [I/N]" >&2
      exit 2 ;;
  esac
}

heads_of() {  # WIDTH SCHEME: with few heads the fixed slopes are too flat to see (locus schemes alibi)
  case $2 in alibi* | sandwich) echo 8 ;; *) echo $(($1 / 16)) ;; esac
}

is_searched() {  # TASK WIDTH SCHEME: in encoder-previous
  [ "$model $1" = "encoder previous" ] && grep -q "^$1	$3	encoder	$2	" $searched/rates.tsv
}

train() {  # TASK WIDTH SCHEME
  folder=$work/$2/$1/$(echo "$3" | tr := --)
  [ -e "$folder/done" ] && return
  case $model in decoder) steps=600 ;; *) steps=1000 ;; esac  # decoders that find needles at all do so within 350
  options="--model $model --tasks $1 --d-model $2 --heads $(heads_of "$2" "$3") --train-lengths 12 --steps $steps"
  case $3 in t5 | none) search_seeds=3 ;; *) search_seeds=1 ;; esac  # with one, another seed learned nothing at its best
  mkdir -p "$folder"
  if is_searched "$@"; then
    rate=$($again rates $searched |
      awk -F '\t' -v width="$2" -v scheme="$3" '$2 == scheme && $4 == width { print $6 }' | sort -u)
  else  # with tests that cost little: only the validations of training count
    rate=$(best_rate "$folder/rates" $options --schemes "$3" --test-lengths 12 --test-examples 200)
  fi
  quietly $locus ablate --out "$folder/models" $options --schemes "$3" --seeds 5 --lr "$rate" --test-lengths 12,24,48,96 \
    --test-examples 1000 --no-aa --jobs 1
  echo "$rate" > "$folder/done"
  echo "lengths-$model: $1, $3, width $2: rate $rate" >&2
}

record() {  # what is complete at both sizes
  mkdir -p "$recorded"
  printf "$rates_header" > "$recorded/rates.tsv"
  set --
  while read -r task scheme; do
    row=$task/$(echo "$scheme" | tr := --)
    [ -e "$work/32/$row/done" ] && [ -e "$work/64/$row/done" ] || continue
    for width in 32 64; do
      if is_searched $task $width "$scheme"; then
        grep "^$task	$scheme	encoder	$width	" $searched/rates.tsv >> "$recorded/rates.tsv"
      else
        $again rates "$work/$width/$row/rates" >> "$recorded/rates.tsv"
      fi
      set -- "$@" "$work/$width/$row/models"
    done
  done < "$work.$$"
  [ $# -gt 0 ] || return 0
  $again record "$recorded" "$@"
  quietly $locus report "$recorded" --control rope --out "$work/report.html" --svg "$recorded.svg"
}

number=0
mkdir -p "$work"
rows > "$work.$$"
while read -r task scheme; do
  number=$((number + 1))
  [ $((number % ${part#*/})) = $((${part%/*} % ${part#*/})) ] || continue
  for width in 32 64; do train $task $width "$scheme"; done
  [ "$part" != 1/1 ] || record
done < "$work.$$"
rm "$work.$$"
