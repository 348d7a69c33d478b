# Makes an exercise: a source file without the lines between `// exercise 10.1: what to do` and `// end`.
#
#   awk -v chapter=10 -f lessons/tools/blank.awk src/positional/rope.cpp > lessons/10_rope/rope.cpp
#
# Comments right below the marker belong to the task and stay. A region that declares variables at its own indentation
# leaves those declared that the rest of the function uses. In place of the rest stands a call of fail(), so that the
# blank compiles, and says what is missing as soon as it runs. With -v skeleton=1 nothing at all is left of a region:
# what a solved exercise must have in common with its original.
# The formula and the traps on a scheme's card would answer the exercise, so they are left out, too.

BEGIN {
  start = "^ *// exercise " chapter "\\.[0-9]+: "
  for_fail = "#include \"base/error.h\""
  while ((getline line < ARGV[1]) > 0) {
    lines[++count] = line
    has_fail = has_fail || line == for_fail
  }
  own_header = ARGV[1]
  sub(/.*\//, "", own_header)
  sub(/cpp$/, "h\"", own_header)
}

# The call of fail() needs its header, in its place among the others: by name, after the file's own.
!has_fail && /^#include "/ && substr($0, length($0) - length(own_header) + 1) != own_header {
  if ($0 > for_fail) include_fail()
  else in_group = 1
}
!has_fail && /^$/ && in_group { include_fail() }
!has_fail && /^namespace locus/ { include_fail(); print "" }

function include_fail() { print for_fail; has_fail = 1 }

!inside && /^    \.|^}};/ { answers = /^    \.(formula|traps) = / }
answers { next }

$0 ~ start {
  inside = regions = NR
  header = 1
  indentation = substr($0, 1, index($0, "/") - 1)
  step = $0
  sub(/^ *\/\/ /, "", step)
  sub(/:.*/, "", step)
  print
  next
}

inside && /^ *\/\/ end$/ {
  if (!skeleton && indentation != "") print indentation "fail(\"" step "\", \"still to be written\");"
  print
  inside = 0
  next
}

inside && header && /^ *\/\/ / { print; next }

inside {
  header = 0
  declaration = "^" indentation "(const )?[A-Za-z_][A-Za-z0-9_:<>]*[*&]? [a-z_]+ = "
  if (!skeleton && $0 ~ declaration && $0 !~ /^ *(return|delete) /) {
    sub(/ = .*/, "{};")
    sub(/const /, "")
    name = $NF
    sub(/[{]};/, "", name)
    if (is_used_later(name)) print
  }
  next
}

# Between the end of the region and that of the function.
function is_used_later(name,    n) {
  for (n = NR; lines[n] !~ /^ *\/\/ end$/;) ++n
  for (; n <= count && lines[n] !~ /^(  )?}/; ++n)
    if (lines[n] ~ "(^|[^A-Za-z_0-9])" name "([^A-Za-z_0-9]|$)") return 1
  return 0
}

{ print }

END {
  if (inside) { print FILENAME ":" inside ": this exercise has no `// end`" > "/dev/stderr"; exit 1 }
  if (!regions) { print FILENAME ": no exercise of chapter " chapter " is marked here" > "/dev/stderr"; exit 1 }
}
