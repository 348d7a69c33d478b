# Do two texts agree? Line by line: words exactly, numbers to within a tolerance.
#
#   awk -v tolerance=2 -f agree.awk then.svg now.svg
#
# In a chapter's text each block that ends its first line in `tolerance=0.05` has its own; all else must agree exactly.

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

$0 != then[FNR] && (words($0) != words(then[FNR]) || !numbers_agree($0, then[FNR])) {
  print "line " FNR ":\n  then: " then[FNR] "\n  now:  " $0
  differ = 1
  exit
}

END {
  if (!differ && FNR != lines) { print lines " lines then, " FNR " now"; differ = 1 }
  exit differ
}
