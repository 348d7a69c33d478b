#!/bin/sh
# Records a study of README.md that is one `locus ablate` with given learning rates. From the top folder:
#
#   lessons/results/ablations.sh STUDY        into runs/results/STUDY, then lessons/results/STUDY; interrupted, it goes on
set -e
locus=${LOCUS:-build/locus} again=${AGAIN:-build/lessons/again}
study=$1 work=${WORK:-runs/results}/$1
[ -e "$again" ] || make "$again" >&2

grid() { $locus ablate --out "$work" --no-aa "$@"; }
three="--seeds 3 --test-examples 500"

case $study in
  decay-32 | decay-64)  # 7 minutes of a core
    grid --model decoder --tasks needle --schemes "rope xpos:scale_base=16 xpos:scale_base=64" --d-model "${study#decay-}" \
      --heads $((${study#decay-} / 16)) --seeds 20 --train-lengths 12 --steps 600 --lr 0.001,0.003 \
      --test-lengths 12,24,48,96 --test-examples 1000 ;;
  diet-32 | diet-64)  # 14 minutes of a core
    $locus ablate --preset diet --out "$work" --d-model "${study#diet-}" --heads $((${study#diet-} / 16)) ;;
  decoder)  # half an hour
    grid --model decoder --seeds 5 --tasks sort,copy,unique,reverse --schemes "none sinusoidal learned rope alibi t5" \
      --test-examples 500 --test-lengths 12,13,14,15,16,17,18,19,20,21,22,23,24 ;;
  copy)
    grid --model decoder --seeds 5 --tasks copy --schemes none --lr 0.004 --steps 8000 \
      --test-lengths 12,14,16,18,20,22,24 --test-examples 500 ;;
  join-8 | join-32)  # 2 minutes; at equal parameters
    case $study in join-8) ff=32,36 ;; *) ff=128,144 ;; esac
    grid --d-model "${study#join-}" --d-ff $ff --tasks previous,reverse,before --seeds 5 --steps 2000 \
      --schemes "learned learned:join=concat sinusoidal sinusoidal:join=concat" --test-lengths 12,24 --test-examples 1000 ;;
  far-256)
    grid --tasks previous --schemes sinusoidal --seeds 3 --train-lengths 256 --test-lengths 256,512 --batch 8 --steps 1500 \
      --test-examples 200 ;;
  pope-32)
    grid --tasks previous,ascending --test-lengths 12,24 \
      --schemes "pope pope:clamp=off pope:delta=uniform pope:delta=uniform,clamp=off pope:delta=none" ;;
  alibi)
    directed="alibi alibi:direction=asymmetric"
    fixed="--d-model 32,64 --lr 0.01 --steps 600 --test-lengths 12,24,48,96"
    grid $three $fixed --tasks previous --schemes $directed --heads 2,8
    (work=$work-far; grid $three $fixed --tasks first,needle --schemes $directed --heads 8) ;;
  alibi-decoder)
    grid --model decoder --tasks needle --schemes alibi --d-model 32,64 --lr 0.003 --seeds 3 --test-lengths 12,24,48,96 \
      --test-examples 1000 ;;
  relative-64)
    grid --tasks before,previous,first --schemes "t5 sinusoidal learned" --d-model 64 --lr 0.003 --seeds 3 \
      --test-lengths 12,24 --test-examples 1000 ;;
  *) echo "no study '$study' here. Hint: one of $(sed -n 's/^  \([a-z0-9 |-]*\)).*/\1/p' "$0" | tr '|' ' ' | xargs)" >&2; exit 2 ;;
esac
# alibi needs two grids, as not all have two heads
if [ -e "$work-far" ]; then set -- "$work" "$work-far"; else set -- "$work"; fi
$again record "lessons/results/$study" "$@"
