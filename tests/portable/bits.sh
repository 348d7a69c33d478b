#!/usr/bin/env bash
# The same bits on every processor with fused multiply-add? `make portable` runs it as its part "bits". The program is
# built with each compiler found here, for each vector width that this processor can run, and for each processor that
# g++ can tune for; and for arm64, in the emulator. Each build trains models, compares schemes and makes the tables of a
# chapter; checksums of all that are printed, and must be equal.
set -u
: "${MAKE:?is set by make}" "${BUILD:?}"
home=$BUILD/portable/bits
mkdir -p "$home"
flags_of="float/flags"  # the compiler and its options, as the Makefile notes them in each folder of objects

# What a build computes, as four checksums: the trained weights of every scheme, in an encoder and a decoder, and of
# recurrent networks; the results of an ablation; an answer; codes and angles.
checksums() {  # PROGRAM...
  local run=$home/run scheme model
  rm -rf "$run" && mkdir -p "$run"
  for scheme in $("$@" schemes 2> /dev/null | awk 'NR > 2 && /^[a-z]/ { print $1 }'); do
    for model in encoder decoder; do short_training "$scheme-$model" "$@" train --scheme "$scheme" --model $model; done
  done
  for model in rnn gru; do short_training $model "$@" train --scheme none --model $model --layers 2; done
  sum "$run"/*/model.safetensors
  "$@" ablate --tasks sort,before --schemes rope alibi --seeds 2 --steps 60 --test-examples 200 --jobs 1 --no-aa \
    --out "$run/ablation" > /dev/null 2>&1
  sum "$run/ablation/results.jsonl"
  "$@" ask "$run/rope-decoder" "3 1 4 1 5 9 2 6 5 3 5 8" --json --logits > "$run/answer" 2> /dev/null
  sum "$run/answer"
  for scheme in sinusoidal rope:extend=yarn,factor=4,original=16 xpos; do
    "$@" inspect "$scheme" --length 64 --csv 2> /dev/null
  done > "$run/inspected"
  sum "$run/inspected"
}
short_training() {  # FOLDER PROGRAM... (schemes that a decoder or an encoder cannot take are refused, and train nothing)
  "${@:2}" --task sort --train-lengths 3-9 --steps 12 --full --batch 16 --threads 1 --test-examples 20 --out "$run/$1" \
    > /dev/null 2>&1
}
sum() { if [ -s "$1" ]; then cat "$@" | cksum | cut -d' ' -f1; else echo missing; fi | tr '\n' ' '; }

builds=0 different=0 expected=""
row() {  # NAME PROGRAM...
  local sums
  sums=$(checksums "${@:2}")
  builds=$((builds + 1))
  : "${expected:=$sums}"
  if [ "$sums" != "$expected" ] || [[ $sums == *missing* ]]; then different=$((different + 1)); fi
  printf '  %-52s %s\n' "$1" "$sums"
}

build() {  # FOLDER MAKE-SETTING...
  $MAKE --no-print-directory BUILD="$home/$1" QUICK=-O0 "${@:2}" "$home/$1/locus" > "$home/$1.log" 2>&1 && return
  echo "  $1 cannot be built:" && grep -m1 -A3 error "$home/$1.log"
  builds=$((builds + 1)) different=$((different + 1))
  return 1
}

# The hot files of the build in FOLDER once more, tuned for another processor, linked with its other objects.
tuned() {  # FOLDER PROCESSOR
  local folder=$home/$1 objects=() file source object compile
  compile="$(sed 's/ src\/.*//; s/ -O0//' "$folder/$flags_of") -O3 -mtune=$2"
  mkdir -p "$home/tuned"
  for object in $(find "$folder/float/src" -name '*.o'); do
    file=${object#"$folder/float/"} file=${file%.o}.cpp source=$file
    [ -f "$source" ] || source=$folder/batches/$file
    case $file in
      src/tensor/* | src/autograd/* | src/train/optimizer.cpp | src/train/trainer.cpp)
        object=$home/tuned/$(basename "$file").o
        $compile -c "$source" -o "$object" 2> "$home/tuned.log" || return 1 ;;
    esac
    objects+=("$object")
  done
  $compile "${objects[@]}" -o "$home/tuned/locus"
}

has_flag() { grep -qw "$1" /proc/cpuinfo; }
widths() {  # the widths of vectors that this processor can run, as options of the compiler
  if [ "$(uname -m)" != x86_64 ]; then echo "-mcpu=native"; return; fi
  if has_flag fma && has_flag avx2; then echo "-march=haswell"; fi
  if has_flag avx512vl && has_flag avx512bw && has_flag avx512dq; then echo "-march=skylake-avx512"; fi
}

for compiler in g++ g++-11 g++-12 g++-13 g++-14 clang++ clang++-{14,15,16,17,18,19,20,21,22}; do
  command -v "$compiler" > /dev/null || continue
  version=$("$compiler" --version | head -1)
  case " ${seen:-} " in *" [$version] "*) continue ;; esac  # g++ and g++-12 are often one
  seen="${seen:-} [$version]"
  while read -r width; do
    folder=$compiler${width//=/-}  # make reads "=" in a path as an assignment
    build "$folder" CXX="$compiler" ARCH="$width" || continue
    row "$compiler $width" "$home/$folder/locus"
    [[ $compiler == g++* && $width == *haswell && -z ${tunings:-} ]] || continue
    tunings="generic haswell skylake alderlake znver1 znver2 znver3 znver4"
    for processor in $tunings; do
      tuned "$folder" "$processor" && row "$compiler $width -mtune=$processor" "$home/tuned/locus"
    done
  done < <(widths)
done
if command -v qemu-aarch64 > /dev/null && command -v aarch64-linux-gnu-g++ > /dev/null; then
  build arm64 CXX=aarch64-linux-gnu-g++ ARCH= && row "aarch64-linux-gnu-g++, emulated" qemu-aarch64 -L /usr/aarch64-linux-gnu "$home/arm64/locus"
else
  echo "  arm64 skipped: needs aarch64-linux-gnu-g++ and qemu-aarch64 (g++-aarch64-linux-gnu qemu-user)"
fi
echo "  $builds builds, $different of them differ"
[ "$builds" -gt 1 ] && [ "$different" -eq 0 ]
