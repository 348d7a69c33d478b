#!/bin/sh
# Records the schemes since 2025: run from the top folder, `lessons/results/since-2025.sh`.
# Every scheme gets the learning rate that suits it on each task: three rates are tried, with equal steps and
# seeds, and `report --best-lr` chooses by the last probes of training, at the length trained on. Then that
# rate is trained on five seeds and tested at all lengths. Interrupted, the same command goes on.
set -e
study=since-2025
locus=${LOCUS:-build/locus}
work=${WORK:-runs/results}
recorded=${RECORDED:-lessons/results}/$study
options="--no-aa --jobs ${JOBS:-2}"

# record MODEL STEPS SEEDS RATES TASKS SCHEMES LENGTHS EXAMPLES: SEEDS and RATES are those of the search.
record() {
  rates=$work/$study-rates-$2
  $locus ablate --out "$rates" --model "$1" --steps "$2" --seeds "$3" --lr "$4" --tasks "$5" --schemes "$6" \
    --test-lengths 12 --test-examples 200 $options > "$rates.txt"
  $locus report "$rates" --best-lr | sed -n "s/^  \([^ ]*\) with \([^ ]*\), $1: \([^ ]*\).*/\1 \2 \3/p" > "$rates.chosen"
  for task in $(echo "$5" | tr , ' '); do
    for rate in $(echo "$4" | tr , ' '); do
      schemes=$(awk -v t="$task" -v r="$rate" '$1 == t && $3 == r { print $2 }' "$rates.chosen")
      [ -z "$schemes" ] && continue
      $locus ablate --out "$work/$study/$task-$rate" --model "$1" --steps "$2" --seeds 5 --lr "$rate" \
        --tasks "$task" --schemes "$(echo $schemes)" --test-lengths "$7" --test-examples "$8" $options >> "$rates.txt"
    done
    for scheme in $6; do  # in the order of the schemes
      rate=$(awk -v t="$task" -v s="$scheme" '$1 == t && $2 == s { print $3 }' "$rates.chosen")
      grep -F "\"scheme\":\"$scheme\",\"model\"" "$work/$study/$task-$rate/results.jsonl" >> "$recorded/new.jsonl"
    done
  done
}

mkdir -p "$work" "$recorded"
rm -f "$recorded/new.jsonl"
for task in previous before first sort reverse majority; do
  study=since-2025-$task options="--no-aa --jobs ${JOBS:-2}"
  record encoder 1000 2 0.001,0.003,0.01,0.03 $task \
    "none rope pope pope:delta=uniform grape-m data-alibi dpb tupe sinusoidal sinusoidal:scale=learned" 12,18,24 1000
  study=$study-alibi options="$options --heads 8"
  record encoder 1000 2 0.001,0.003,0.01,0.03 $task alibi 12,18,24 1000
done
mv "$recorded/new.jsonl" "$recorded/results.jsonl"
