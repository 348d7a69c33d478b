#!/usr/bin/env bash
# Proves that tests can fail: each mutant is one wrong line, most of them bugs that were published; it is compiled, with
# the unit its file is part of, into a test program of its own, and the test it names must then fail. `make mutants`
# runs it; a word of a mutant's name picks some:  make mutants ONLY=rope
#
# tests/mutants/*.txt hold the mutants, separated by empty lines:
#   name: what is wrong, and where it was seen
#   file: src/...
#   from: the right text, to be found exactly once
#   to:   the wrong one
#   test: which test cases must notice (doctest's pattern; it has no commas, so * stands for one)
#   says: words that must then be printed (the lessons' mutants, which MUTANTS=lessons/.../mutants.txt names)
set -u
: "${COMPILE:?is set by make}" "${LINK:?}" "${OBJECTS:?}" "${BUILD:?}"
field() { sed -n "s/^$1: *//p" <<<"$2"; }

# What a file is compiled as part of: a unit that includes it, or itself.
unit_of() {
  local object unit
  for object in $OBJECTS; do
    unit=${object#"$BUILD/float/"} unit=${unit%.o}
    if [[ $unit = units/* ]] && grep -qxF "#include \"$1\"" "$BUILD/$unit.cpp"; then echo "$unit" && return; fi
  done
  echo "${1%.cpp}"
}

try() {
  local mutant=$1 name file from to test says folder source unit wrong
  name=$(field name "$mutant") file=$(field file "$mutant") from=$(field from "$mutant") to=$(field to "$mutant")
  test=$(field test "$mutant") says=$(field says "$mutant")
  folder=$BUILD/mutants/$(cksum <<<"$mutant" | cut -d' ' -f1)
  mkdir -p "$folder"
  source=$(cat "$file" 2>/dev/null && echo .) || { echo "broken: $name: there is no file $file"; return; }
  source=${source%.}
  local without=${source//"$from"/}
  if [ -z "$from" ] || [ $((${#source} - ${#without})) -ne ${#from} ]; then
    echo "broken: $name: '$from' is not exactly once in $file"
    return
  fi
  unit=$(unit_of "$file") wrong=$folder/$(basename "$file")
  printf '%s' "${source/"$from"/"$to"}" > "$wrong"
  if [[ $unit = units/* ]]; then
    sed "s:\"$file\":\"$wrong\":" "$BUILD/$unit.cpp" > "$folder/unit.cpp"
    wrong=$folder/unit.cpp
  fi
  if ! $COMPILE -I"$(dirname "$file")" -c "$wrong" -o "$folder/mutant.o" 2> "$folder/errors"; then
    echo "broken: $name: does not compile: $(head -1 "$folder/errors")"
    return
  fi
  # shellcheck disable=SC2086
  $LINK ${OBJECTS//"$BUILD/float/$unit.o"/"$folder/mutant.o"} -o "$folder/test" || { echo "broken: $name: does not link"; return; }
  timeout 120 "$folder/test" -tc="$test" > "$folder/log" 2>&1
  local status=$?
  if grep -q '| *0 passed | 0 failed' "$folder/log"; then echo "broken: $name: no test is called '$test'"
  elif [ $status -eq 0 ]; then echo "survived: $name: '$test' does not notice"
  elif [ -n "$says" ]; then
    if grep -qF -e "$says" "$folder/log"; then echo "caught: $name (\"$says\")"
    else echo "misnamed: $name: not a word of '$says', but: $(tail -n +2 "$folder/log" | tr '\n' ' ')"; fi
  else echo "caught: $name ($(grep -c 'ERROR:' "$folder/log") failed checks)"
  fi
  rm -f "$folder/test"
}

if [ "${1:-}" = --one ]; then
  try "$2"
  exit
fi

log=$(mktemp)
awk -v RS= -v ORS='\0' '/(^|\n)name:/' ${MUTANTS:-tests/mutants/*.txt} | { if [ -n "${ONLY:-}" ]; then grep -z -i -E "$ONLY"; else cat; fi; } |
  xargs -0 -r -n 1 -P "$(getconf _NPROCESSORS_ONLN)" "$0" --one | tee "$log"
caught=$(grep -c '^caught' "$log") missed=$(grep -vc '^caught' "$log")
rm -f "$log"
echo "[mutants] $caught caught | $missed not"
[ "$missed" -eq 0 ] && [ "$caught" -gt 0 ]
