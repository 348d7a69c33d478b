# Of run.sh and near.sh: compiles variations that slips.cpp writes. COMPILE_SLIPS is set by make; `slips` is a function that
# calls the program.

# Writes and compiles the variations of $1, from $2 to $3, in the folder $4, without those that do not compile: the lines
# in the compiler's errors tell which, and to find them no code is made. $4/list says which are left. Fails with 1 if none
# is, with 2 if an error is elsewhere.
compile() {
  local wrong=$4/$(basename "$1") many_errors= only=-fsyntax-only
  if $COMPILE_SLIPS --version 2> /dev/null | grep -q clang; then many_errors=-ferror-limit=0; fi
  touch "$4/left_out"
  for _ in {1..16}; do
    slips "$1" "$chapter" "$wrong" "$2" "$3" "$4/left_out" > "$4/list" || return 1
    [ -s "$4/list" ] || return 1
    # shellcheck disable=SC2086
    if $COMPILE_SLIPS -w $many_errors "${include[@]}" $only -c "$wrong" -o "$4/slips.o" 2> "$4/errors"; then
      [ -n "$only" ] || return 0
      only= && continue
    fi
    awk -F '\t' -v file="$wrong" '
      NR == FNR { number[FNR] = $1; from[FNR] = $3; to[FNR] = $4; n = FNR; next }
      { line = $0
        while ((at = index(line, file ":")) > 0) {
          line = substr(line, at + length(file) + 1)
          for (i = 1; i <= n; ++i) if (line + 0 >= from[i] && line + 0 <= to[i]) out[number[i]] = 1
        } }
      END { for (i in out) print i }' "$4/list" FS=' ' "$4/errors" > "$4/more"
    [ -s "$4/more" ] || break
    cat "$4/more" >> "$4/left_out"
  done
  echo "$wrong: $(grep -m1 error "$4/errors")" >&2
  return 2
}
