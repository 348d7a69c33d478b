#!/bin/sh
# Records the study "Which of RoPE's clocks cost" of README.md; spectra/PLAN.md says what is trained and why, and what was
# predicted. From the top folder:
#
#   lessons/results/spectra.sh             trains what is missing, part after part, and writes lessons/results/spectra
#   lessons/results/spectra.sh PART ...    only these parts, into runs/results/spectra: knock-12, knock-24 ...
#
# Every spectrum is trained at three learning rates with three seeds that no earlier study used. Interrupted, the same
# command goes on. The third stage (twelve tasks: encoders-32 and what follows) is written to spectra/tasks.tsv.
set -e
first="knock-12 knock-24 previous-12 base-12 wide-12 head-12 range-12 knock-48 tasks-12 fraction-12 fraction-24"
text="text-32 text-64" tasks="encoders-32 decoders-32 more encoders-64 decoders-64 reading-32 reading-64"
parts=${*:-$first $text $tasks}
for one in $parts; do
  case " $first $text $tasks " in *" $one "*) ;; *) echo "spectra.sh: '$one' is unknown; PART is one of $first $text $tasks" >&2; exit 2 ;; esac
done
. lessons/results/search.sh
work=${WORK:-runs/results}/spectra recorded=${RECORDED:-lessons/results}/spectra

# still A B ...: rope without these pairs, "1/2 0/3" -> "rope:still=1/2 rope:still=0/3"
still() { for pairs in "$@"; do printf ' rope:still=%s' "$pairs"; done; }
single="0 1 2 3 4 5 6 7" neighbours="0/1 1/2 2/3 3/4 4/5 5/6 6/7"
alone="1/2/3/4/5/6/7 0/2/3/4/5/6/7 0/1/3/4/5/6/7 0/1/2/4/5/6/7 0/1/2/3/5/6/7 0/1/2/3/4/6/7"

part() {  # NAME OPTIONS: with the schemes in $schemes
  name=$1
  shift
  quietly $locus ablate --out "$work/$name" --seeds ${seeds:-11-13} --lr ${rates:-0.001,0.003,0.01} --full --no-aa --jobs "${JOBS:-1}" \
    --test-examples ${examples:-500} --schemes $schemes --control "${schemes%% *}" "$@"
  echo "$name: done" >&2
}
decoder="--model decoder --d-model 32 --heads 2"
twelve="--train-lengths 12 --test-lengths 12,18,24,36,48,72,96"
third="$twelve --steps 800" four=0.001,0.003,0.01,0.03 upper=0.003,0.01,0.03
spectra="rope none $(still 0 1 2 0/1 1/2 2/3 1/2/3 4/5/6/7 2/3/4/5/6/7 1/2/3/4/5/6/7) rope:base=100 \
rope:base=100,still=1/2/3/4 rope:base=1000 rope:base=1000,still=1/2/3 rope:base=1000000 rope:base=1000000,still=1 \
rope:base=100000000 rope:base=1000000000000 rope:fraction=0.25 rope:fraction=0.5 rope:fraction=0.75 \
rope:extend=prope,fraction=0.25 rope:extend=prope,fraction=0.5"
few="rope none $(still 1 1/2 2/3)"
encoder_tasks=previous,ascending,even-pairs,reverse,first,last,before,needle,sort decoder_tasks=needle,before,even-pairs

# read BY N: how RoPE is read in `reading`, each clock slowed by N while the others go on: all (PI), 0, 1 and 2, 3 to 7
read_slowed() {
  for slow in "$1/$1/$1/$1/$1/$1/$1/$1" "$1/1/1/1/1/1/1/1" "1/$1/$1/1/1/1/1/1" "1/1/1/$1/$1/$1/$1/$1"; do
    printf " rope:extend=longrope,factor=1,original=12,temperature=off,rescale=$slow"
  done
}

for one in $parts; do
  seeds= rates= examples=
  case $one in
    knock-12) schemes="rope none $(still $single $neighbours $alone)"; part $one --tasks needle $decoder --steps 600 $twelve ;;
    knock-24)
      schemes="rope none $(still $single $neighbours $alone)"
      part $one --tasks needle $decoder --steps 600 --train-lengths 24 --test-lengths 24,36,48,72,96,144,192 ;;
    knock-48)
      schemes="rope none $(still 2 3 1/2 2/3 3/4 1/2/3)"
      part $one --tasks needle $decoder --steps 600 --train-lengths 48 --test-lengths 48,72,96,144,192,288,384 ;;
    previous-12)
      schemes="rope none $(still $single 0/1 1/2 2/3)"
      part $one --tasks previous --model encoder --d-model 32 --heads 2 --steps 600 $twelve ;;
    base-12)
      schemes="rope rope:base=100 rope:base=100,still=1 rope:base=100,still=1/2 rope:base=100,still=1/2/3/4 rope:base=1000 \
rope:base=1000,still=1/2 rope:base=1000,still=1/2/3 rope:base=1000000 rope:base=1000000,still=1 rope:base=1000000,still=2/3"
      part $one --tasks needle $decoder --steps 600 $twelve ;;
    wide-12)
      schemes="rope none $(still 1 1/2 2/3 4/5)"
      part $one --tasks needle --model decoder --d-model 64 --heads 4 --steps 600 $twelve ;;
    head-12)
      schemes="rope $(still 1/2/3 1/2/3/4 1/2/3/4/5 6/7/8/9/10)"
      part $one --tasks needle --model decoder --d-model 64 --heads 2 --steps 600 $twelve ;;
    range-12)
      schemes="rope none $(still 1 1/2 2/3 3/4)"
      part $one --tasks needle $decoder --steps 600 --train-lengths 4-12 --test-lengths 12,18,24,36,48,72,96 ;;
    fraction-12 | fraction-24)
      schemes="rope:fraction=0.125 rope:fraction=0.25 rope:fraction=0.5 rope:fraction=0.75 rope:extend=prope,fraction=0.25 \
rope:extend=prope,fraction=0.5 rope:base=100000000 rope:base=1000000000000"
      case $one in *12) at=$twelve ;; *) at="--train-lengths 24 --test-lengths 24,36,48,72,96,144,192" ;; esac
      part $one --tasks needle $decoder --steps 600 $at ;;
    text-32 | text-64)
      schemes="rope none $(still 3 3/4 1/2)" width=${one#text-} rates=0.001,0.003,0.01,0.03,0.1
      [ -e build/datasets/grammar.txt ] || make corpus
      part $one --datasets build/datasets/grammar.txt --model decoder --d-model $width --heads $((width / 16)) --batch 32 \
        --steps 1000 --train-lengths 64 --test-lengths 64,128,256,512 ;;
    tasks-12)
      schemes="rope none $(still 1/2 2/3)" examples=200  # whole answers are generated, token by token
      part $one --tasks copy,first,last,nth $decoder --steps 1000 --train-lengths 2-12 --test-lengths 12,18,24,36,48 ;;
    encoders-32) schemes=$spectra seeds=41-43 rates=$four; part $one --tasks $encoder_tasks --model encoder --d-model 32 --heads 2 $third ;;
    decoders-32) schemes=$spectra seeds=41-43 rates=$four; part $one --tasks $decoder_tasks $decoder $third ;;
    encoders-64) schemes=$few seeds=41-43 rates=$upper; part $one --tasks first,needle,previous,even-pairs,reverse --model encoder --d-model 64 --heads 4 $third ;;
    decoders-64) schemes=$few seeds=41-43 rates=$upper; part $one --tasks $decoder_tasks --model decoder --d-model 64 --heads 4 $third ;;
    more)  # seven more seeds of the few, each at its best rate: the lowest mean loss
      make build/lessons/spectra >&2
      build/lessons/spectra collect "$work/encoders-32" "$work/decoders-32" | awk -F '\t' -v few=" $few " '
        NR > 1 && index(few, " " $3 " ") { split($11, loss, " "); sum[$4 " " $2 " " $3 " " $8] = loss[1] + loss[2] + loss[3] }
        END { for (key in sum) { split(key, at, " "); one = at[1] " " at[2] " " at[3]
                if (!(one in best) || sum[key] < sum[one " " best[one]]) best[one] = at[4] }
              for (one in best) print one, best[one] }' | sort > "$work/best"
      while read -r kind task schemes rates; do
        seeds=44-50
        part "more/$kind-$task-$(echo "$schemes" | tr :=/, ----)" --tasks "$task" --model "$kind" --d-model 32 --heads 2 $third
      done < "$work/best" ;;
    reading-32 | reading-64)
      width=${one#reading-} seeds=41-50 rates=0.003
      schemes="rope rope:still=1/2 $(read_slowed 8)"
      part $one --trained-as rope --tasks needle,before --model decoder --d-model $width --heads $((width / 16)) $third ;;
  esac
done

if [ $# -eq 0 ]; then  # every rate as a table, for spectra.cpp; the models at the best rate as results, for `locus report`
  make build/lessons/spectra >&2
  table() { for one in "$@"; do set -- "$@" "$work/$one"; shift; done; build/lessons/spectra collect "$@"; }
  table $first > "$recorded/lengths.tsv"
  table ${tasks%% more*} encoders-64 decoders-64 reading-32 reading-64 $(cd "$work" && echo more/*) > "$recorded/tasks.tsv"
  set --
  for one in $first; do [ $one = base-12 ] || set -- "$@" "$work/$one"; done  # base-12 has knock-12's rope
  $again record-best "$recorded" "$@"
  for width in 32 64; do $again record-best "$work/best-$width" "$work/text-$width"; done
  $again record "$recorded-text" "$work/best-32" "$work/best-64"
  { printf "$rates_header"; $again rates "$work/text-32" "$work/text-64"; } > "$recorded-text/rates.tsv"
  $locus report "$recorded-text" --out "$work/text.html" --svg "$recorded/text.svg" > /dev/null
fi
