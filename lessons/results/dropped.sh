#!/usr/bin/env bash
# Records the study "Positions taken away after training" of README.md: from the top folder,
#   lessons/results/dropped.sh 32       and 64
# Models with RoPE are trained once for each seed, then read in other ways, at once and after more steps; beside them,
# models without positions from the first step, and encoders, which must fail. Each is tried at several learning rates;
# kept are the results at the rate that suits it best, by the last validations (`report --best-lr`). Interrupted, the same
# command goes on.
set -eu
width=$1
. lessons/results/search.sh
work=${WORK:-runs/results} recorded=${RECORDED:-lessons/results}/dropped-$width
rope=rope:base=100
case $width in
  32) heads=2 trained=0.01 rates=0.001,0.003,0.01,0.03,0.1 scratch=0.003,0.01,0.03 ;;
  64) heads=4 trained=0.003 rates=0.001,0.003,0.01,0.03 scratch=0.001,0.003,0.01,0.03 ;;
  *) echo "usage: lessons/results/dropped.sh 32|64" >&2; exit 2 ;;
esac
common="--d-model $width --heads $heads --full --seeds 3 --no-aa --jobs ${JOBS:-1} --test-lengths 12,24"

folders=()
ablate() {  # NAME OPTIONS
  folders+=("$work/dropped-$width-$1")
  $locus ablate --out "$work/dropped-$width-$1" $common "${@:2}" > "$work/dropped-$width-$1.txt"
}

mkdir -p "$work"
for task in reverse copy; do
  decoder="--tasks $task --model decoder --test-examples 300"
  ablate $task $decoder --steps 1000 --lr $trained --trained-as $rope --schemes $rope none --control $rope \
    --recalibrate 0,5,20,100,500 --recalibrate-lr $rates
  ablate $task-read $decoder --steps 1000 --lr $trained --trained-as $rope --schemes $rope,extend=pi,factor=2 \
    $rope,extend=ntk,factor=2 $rope,extend=yarn,factor=2,original=26,beta_fast=4 \
    --recalibrate 0,20,100 --recalibrate-lr 0.001,0.003,0.01
  ablate $task-none $decoder --steps 1500 --lr $scratch --schemes none
  ablate $task-alone $decoder --steps 500 --lr $scratch --schemes none  # the last 500 steps without those before
done
ablate encoder --tasks reverse,previous --model encoder --test-examples 1000 --steps 1000 --lr 0.003 --trained-as $rope \
  --schemes $rope none --control $rope --recalibrate 0,5,20,100,500 --recalibrate-lr 0.003,0.01
$again record-best "$recorded" "${folders[@]}"
