#!/bin/sh
# Records the study mixtures-WIDTH of README.md: layers without positions among layers with RoPE. From the top folder:
#
#   lessons/results/mixtures.sh 32       and 64, which takes three times as long
#
# Three seeds at every rate; kept are the results at the rate that suits each scheme best, by the last validations
# (`report --best-lr`), and every rate that was tried. RATES="0.001,..." and TASKS="sort" are others than these.
# Interrupted, the same command goes on.
set -e
. lessons/results/search.sh
width=$1
case $width in
  32) heads=2 rates=0.0003,0.001,0.003,0.01,0.03,0.1,0.3 ;;
  64) heads=4 rates=0.0003,0.001,0.003,0.01,0.03,0.1 ;;
  *) echo "usage: lessons/results/mixtures.sh 32|64" >&2; exit 2 ;;
esac
recorded=${RECORDED:-lessons/results}/mixtures-$width

mkdir -p "$recorded" "${WORK:-runs/results}"
printf "$rates_header" > "$recorded/rates.tsv"
set --
for task in ${TASKS:-reverse previous}; do
  folder=${WORK:-runs/results}/mixtures-$width-$task
  $locus ablate --preset mixtures --tasks "$task" --d-model "$width" --heads $heads --lr "${RATES:-$rates}" \
    --test-lengths 12,24,48 --test-examples 1000 --jobs "${JOBS:-1}" --out "$folder" > "$folder.txt"
  $again rates "$folder" >> "$recorded/rates.tsv"
  set -- "$@" "$folder"
done
$again record-best "$recorded" "$@"
