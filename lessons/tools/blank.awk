# Makes an exercise: a source file without the lines between `// exercise 10.1: what to do` and `// end`.
#
#   awk -v chapter=10 -f lessons/tools/blank.awk src/positional/rope.cpp > lessons/10_rope/rope.cpp
#
# Comments right below the marker belong to the task and stay. A region that declares variables at its own indentation
# leaves them declared, because the code after it uses them. In place of the rest stands a call of fail(), so that the
# blank compiles, and says what is missing as soon as it runs. With -v skeleton=1 nothing at all is left of a region:
# what a solved exercise must have in common with its original.

BEGIN {
  start = "^ *// exercise " chapter "\\.[0-9]+: "
  call_of_fail = "#include \"base/error.h\"  // fail"
}

$0 == call_of_fail { getline; next }  # when an exercise is blanked again: without the empty line below

/^namespace locus/ && !told { told = 1; print call_of_fail; print "" }

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
  if (!skeleton) print indentation "fail(\"" step "\", \"still to be written\");"
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
    print
  }
  next
}

{ print }

END {
  if (inside) { print FILENAME ":" inside ": this exercise has no `// end`" > "/dev/stderr"; exit 1 }
  if (!regions) { print FILENAME ": no exercise of chapter " chapter " is marked here" > "/dev/stderr"; exit 1 }
}
