# Do two texts agree? Line by line: words exactly, numbers to within a tolerance.
#
#   awk -v tolerance=2 -f agree.awk then.svg now.svg
#
# In a chapter's text each block that ends its first line in `tolerance=0.05` has its own; all else must agree exactly.

# Where trained numbers have a tolerance, after how many steps a model had learned may differ, too.
function steady(line) {
  if (tolerance) gsub(/after [0-9]+ steps|from step [0-9]+|@[0-9]+/, "some steps", line)
  if (tolerance) sub(/-> [0-9]+$/, "-> digits", line)  # what a model answers
  return line
}

function words(line) {
  gsub(/-?[0-9]+(\.[0-9]+)?/, "#", line)
  gsub(/[ ─]+/, " ", line)  # columns are as wide as their numbers
  return line
}

function numbers_agree(a, b,    x) {
  while (match(a, /-?[0-9]+(\.[0-9]+)?/)) {
    x = substr(a, RSTART, RLENGTH)
    a = substr(a, RSTART + RLENGTH)
    match(b, /-?[0-9]+(\.[0-9]+)?/)
    x -= substr(b, RSTART, RLENGTH)
    b = substr(b, RSTART + RLENGTH)
    if (x > tolerance || x < -tolerance) return 0
  }
  return 1
}

NR == FNR { then[FNR] = $0; lines = FNR; next }

/^```/ { tolerance = match($0, /tolerance=[0-9.]+/) ? substr($0, RSTART + 10, RLENGTH - 10) : 0 }

{ was = steady(then[FNR]); is = steady($0) }

!(was == is) && (words(is) != words(was) || !numbers_agree(is, was)) {
  print "line " FNR ":\n  then: " then[FNR] "\n  now:  " $0
  differ = 1
  exit
}

END {
  if (!differ && FNR != lines) { print lines " lines then, " FNR " now"; differ = 1 }
  exit differ
}
