#!/bin/sh
# Records a study of README.md. From the top folder:
#
#   lessons/results/record.sh STUDY        trains what is missing, and writes lessons/results/STUDY
#   lessons/results/record.sh STUDY 1/2    only the first half of the training, into runs/results: with 2/2 on another
#                                          machine and the folders put together, the first command finds all done
#   lessons/results/record.sh STUDY finished     trains nothing, and writes the schemes that are finished
#   SCHEMES="none rope" lessons/results/record.sh STUDY      only these schemes of the study
#
# Each scheme has on each task and at each size a learning rate of its own (search.sh). With it, several seeds are
# trained and tested at all lengths. Interrupted, the same command goes on. STUDY/results.jsonl is the models,
# STUDY/rates.tsv every rate that was tried.
#
# Predicted of addition, when one seed of each had been seen at width 64: coupled, every seed learns 5 digits and some know 6;
# shuffled, none learns 5; alone, learned and rope fall short of the task.
set -e
. lessons/results/search.sh
study=$1 part=${2:-1/1}
work=${WORK:-runs/results}/$study
recorded=${RECORDED:-lessons/results}/$study

# The rows of a study: model, width, heads, seeds, task, scheme, and further options.
sizes() { printf '%s\n' "32 2 3" "64 4 3"; }
rows() {
  case $study in
    encoder-*)
      [ "$study" = encoder-previous ] && more=rope:base=1000000  # no preference for near tokens, and the neighbour found
      for scheme in none sinusoidal learned rope alibi alibi:direction=asymmetric t5 shaw $more; do
        sizes | while read -r width heads seeds; do
          # ALiBi with few heads has slopes too flat to see (locus schemes alibi)
          case $scheme in alibi*) heads=8 ;; esac
          echo "encoder $width $heads $seeds ${study#encoder-} $scheme"
        done
      done ;;
    since-decoder-*)
      for scheme in rope none path fox pope:delta=uniform grape-m alibi grape-a data-alibi dpb tupe; do
        for size in "32 2" "64 4"; do
          case $scheme in alibi | grape-a) size="${size% *} 8" ;; esac
          echo "decoder $size 5 ${study#since-decoder-} $scheme"
        done
      done ;;
    since-*)  # encoder-TASK has other schemes with the same options
      for scheme in rope sinusoidal pope:delta=uniform grape-m dpb tupe sinusoidal:scale=learned data-alibi pope none alibi; do
        for size in "32 2" "64 4"; do
          case $scheme in alibi) size="${size% *} 8" ;; esac
          echo "encoder $size 5 ${study#since-} $scheme"
        done
      done ;;
    indirect)
      for scheme in rope pope none; do
        sizes | while read -r width heads seeds; do echo "decoder $width $heads $seeds indirect $scheme"; done
      done ;;
    needle | mirror)
      for scheme in none alibi alibi:direction=asymmetric rope; do
        for width in 32 64; do echo "encoder $width 8 3 $study $scheme"; done
      done ;;
    near-decoder)
      for width in 32 64; do
        for scheme in none alibi; do echo "decoder $width 8 3 needle $scheme"; done
      done ;;
    unique)
      for scheme in none sinusoidal alibi; do
        for width in 32 64; do echo "decoder $width 8 3 unique $scheme"; done
      done ;;
    addition)  # trained on sums of 1 to 5 digits, tested to 15
      for scheme in coupled:offset=10+learned coupled:offset=10,ids=shuffled+learned learned coupled:offset=10+rope rope; do
        for size in "32 2" "64 4"; do echo "decoder $size 5 addition $scheme"; done
      done ;;
    join)
      for task in previous reverse sort; do
        for scheme in learned sinusoidal learned:join=concat sinusoidal:join=concat; do
          case $scheme in *concat) set -- 32 64 ;; *) set -- 36 72 ;; esac  # d_ff, for equally many parameters
          echo "encoder 8 2 5 $task $scheme --d-ff $1"
          echo "encoder 16 2 5 $task $scheme --d-ff $2"
        done
      done ;;
    far)
      for width in 16 32; do echo "encoder $width 2 3 previous sinusoidal"; done ;;
    *)
      printf '%s%s\n' "usage: lessons/results/record.sh encoder-TASK|since-TASK|since-decoder-TASK|indirect|needle|mirror|" \
        "near-decoder|unique|addition|join|far [I/N|finished]" >&2
      exit 2 ;;
  esac
}
options() {
  case $study in
    since-decoder-before) echo "--train-lengths 3-12 --test-lengths 12,18,24 --test-examples 1000" ;;  # none of 2 is for the test
    since-decoder-*) echo "--train-lengths 2-12 --test-lengths 12,18,24 --test-examples 1000" ;;
    encoder-* | since-*) echo "--train-lengths 12 --test-lengths 12,18,24" ;;
    indirect) echo "--train-lengths 12 --test-lengths 12,18 --test-examples 1000 --steps 2000" ;;
    needle | mirror) echo "--train-lengths 12 --test-lengths 12,24,48" ;;
    near-decoder) echo "--train-lengths 12 --test-lengths 12,24,48 --test-examples 1000" ;;
    unique) echo "--train-lengths 2-12 --test-lengths 12,18,24 --test-examples 1000" ;;
    addition) echo "--train-lengths 4-12 --test-lengths 12,14,16,22,32 --test-examples 1000 --steps 3000" ;;
    join) echo "--train-lengths 24 --test-lengths 24,36 --test-examples 2000" ;;
    far) echo "--train-lengths 2-128 --test-lengths 128,256 --test-examples 500 --batch 16 --steps 3000" ;;
  esac
}

all=$(rows)
mkdir -p "$work"
echo "$all" | awk -v only=" $SCHEMES " 'only == "  " || index(only, " " $6 " ")' > "$work/rows.$$"
number=0
while read -r model width heads seeds task scheme more; do
  number=$((number + 1))
  [ "$part" = finished ] && continue
  # both sizes of a scheme in one part
  [ $(((number + 1) / 2 % ${part#*/})) = $((${part%/*} % ${part#*/})) ] || continue
  row=$width/$task/$(echo "$scheme" | tr := --)
  set -- --model "$model" --tasks "$task" --schemes "$scheme" --d-model "$width" --heads "$heads" $more
  case $scheme in t5) search_seeds=3 ;; *) search_seeds=1 ;; esac  # on seed 1 alone, one of three failed with the best
  # the rate is searched with tests that cost little: only the validations of training count
  searched=$(options | sed 's/\(--test-lengths [0-9]*\)[0-9,]*/\1/; s/--test-examples [0-9]*//')
  rate=$(best_rate "$work/rates/$row" "$@" $searched --test-examples 200)
  mkdir -p "$work/runs/$row"
  echo "$rate" > "$work/runs/$row/rate"
  quietly $locus ablate --out "$work/runs/$row/$rate" --seeds "$seeds" --lr "$rate" "$@" $(options) --no-aa --jobs 1
  echo "$study $number of $(wc -l < "$work/rows.$$"): $task, $scheme, width $width: rate $rate" >&2
done < "$work/rows.$$"

if [ "$part" = 1/1 ] || [ "$part" = finished ]; then
  mkdir -p "$recorded"
  printf "$rates_header" > "$recorded/rates.tsv"
  set --
  while read -r model width heads seeds task scheme more; do
    row=$width/$task/$(echo "$scheme" | tr := --)
    results=$work/runs/$row/$(cat "$work/runs/$row/rate" 2> /dev/null || true)
    if [ "$part" = finished ]; then
      [ -e "$results/results.jsonl" ] && [ "$($again rates "$results" | wc -l)" -ge "$seeds" ] || continue
    fi
    $again rates "$work/rates/$row" >> "$recorded/rates.tsv"
    set -- "$@" "$results"
  done < "$work/rows.$$"
  $again record "$recorded" "$@"
fi
rm "$work/rows.$$"
