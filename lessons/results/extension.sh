#!/bin/sh
# Records the study "extension" of README.md. From the top folder:
#
#   lessons/results/extension.sh [I/N]     with I/N only that part of the training, into runs/results/extension
#
# Models with RoPE, trained at 16 tokens or at all lengths from 4 to 16, each at the learning rate that suits it
# (search.sh), are read at 16, 32 and 64 tokens under each way to extend RoPE: as they are ("zero-shot"); and those
# of width 32 trained at 16 also after 100 more steps at 64 tokens, at the rate 0.001 ("tuned"). extension/models.tsv has a row
# for each model, reading and length, extension/rates.tsv one for each rate that was tried. Interrupted, the same
# command goes on.
set -e
. lessons/results/search.sh
part=${1:-1/1}
work=${WORK:-runs/results}/extension
recorded=${RECORDED:-lessons/results}/extension
base=rope:base=100
readings="plain pi ntk dynamic yarn temperature"

rows() {  # width, heads, task, lengths of training
  for task in sort before previous; do
    for lengths in 16 4-16; do
      for size in "32 2" "64 4"; do echo "$size $task $lengths"; done
    done
  done
}

scheme_of() {  # of a reading; plain: as trained
  case $1 in
    plain) echo $base ;;
    temperature) echo $base,temperature=on,factor=4 ;;  # what YaRN brings along, without its frequencies
    dynamic) echo $base,extend=dynamic,original=16 ;;
    yarn) echo $base,extend=yarn,factor=4,original=16,beta_fast=4 ;;
    *) echo "$base,extend=$1,factor=4" ;;
  esac
}

# test BEGINNING OPTION ...: a row for each length of the table that eval prints.
test_rows() {
  beginning=$1
  shift
  $locus eval "$@" --test-lengths 16,32,64 --test-examples 2000 |
    # of a classification there is no column of exact matches
    awk -v begin="$beginning" '$1 ~ /^[0-9]+$/ {
      print begin "\t" $1 "\t" $2 "\t" (NF == 5 ? $2 "\t" $3 "\t" $4 : $3 "\t" $4 "\t" $5) }'
}

record() {  # WIDTH HEADS TASK LENGTHS
  size="--d-model $1 --heads $2"
  row=$work/$1/$3/$4
  rate=$(best_rate "$row/rates" --tasks "$3" --schemes $base $size --train-lengths "$4" --test-lengths 16 \
    --test-examples 200)
  for seed in 1 2 3; do
    trained=$row/$seed
    quietly $locus train --task "$3" --scheme $base $size --train-lengths "$4" --seed $seed --lr "$rate" --out "$trained"
    for reading in $readings; do
      test_rows "$3	$1	$4	$rate	$seed	$reading	zero-shot" "$trained" --scheme "$(scheme_of "$reading")"
    done
  done
}

tune() {  # as record, for models that are there
  row=$work/$1/$3/$4
  for seed in 1 2 3; do
    for reading in $readings; do
      tuned=$row/$seed-$reading
      quietly $locus train --from "$row/$seed" --scheme "$(scheme_of "$reading")" --train-lengths 64 --steps 100 --lr 0.001 \
        --seed $seed --out "$tuned"
      test_rows "$3	$1	$4	0.001	$seed	$reading	tuned" "$tuned"
    done
  done
}

mkdir -p "$work" "$recorded"
rows > "$work/rows.$$"
pass() {  # record or tune, for the rows of this part
  number=0
  while read -r width heads task lengths; do
    number=$((number + 1))
    [ $(((number + 1) / 2 % ${part#*/})) = $((${part%/*} % ${part#*/})) ] || continue
    [ "$1 $width $lengths" = "tune 32 16" ] || [ "$1" = record ] || continue
    done=$work/$width/$task/$lengths.$1.tsv
    [ -e "$done" ] && continue
    mkdir -p "${done%/*}"
    $1 "$width" "$heads" "$task" "$lengths" > "$done.new"
    mv "$done.new" "$done"
    echo "extension, $1 $number of 12: $task, width $width, trained at $lengths" >&2
  done < "$work/rows.$$"
}
pass record
pass tune

if [ "$part" = 1/1 ]; then
  printf "$rates_header" > "$recorded/rates.tsv"
  printf 'task\td_model\ttrain_lengths\trate\tseed\treading\twhen\tlength\ttoken_accuracy\texact_match\torder_blind\tno_input\n' \
    > "$recorded/models.tsv"
  while read -r width heads task lengths; do
    $again rates "$work/$width/$task/$lengths/rates" >> "$recorded/rates.tsv"
    cat "$work/$width/$task/$lengths".*.tsv >> "$recorded/models.tsv"
  done < "$work/rows.$$"
fi
rm "$work/rows.$$"
