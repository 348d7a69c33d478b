#!/bin/sh
# Writes a site to publish: copy the folder to any static host. From the top folder:
#
#   lessons/results/site.sh build/site [STUDY ...]      only these recorded studies (decoder text-32); without: all
#
# The playground first, then the studies by what each found, the schemes, and how to begin. Links are relative, and every
# page holds all it needs.
set -eu
site=$1
shift
first="spectra decoder encoder text-32 lengths-decoder lengths-encoder"  # with a picture
[ $# -gt 0 ] || set -- $first $(for file in lessons/results/*/results.jsonl; do basename "$(dirname "$file")"; done |
  grep -vxF "$(echo "$first" | tr ' ' '\n')")
mkdir -p "$site/studies"
cp lessons/playground.html "$site"
build/locus schemes --html "$site/schemes.html" > /dev/null
cards=$site/cards.$$ others=$site/others.$$
trap 'rm -f "$cards" "$others"' EXIT
: > "$cards"
: > "$others"
for study; do
  page=studies/$study.html picture=studies/$study.svg
  build/locus report "lessons/results/$study" --out "$site/$page" --svg "$site/$picture" > /dev/null
  for figure in "lessons/results/$study/$study.svg" "lessons/results/$study.svg"; do
    if [ -f "$figure" ]; then cp "$figure" "$site/$picture"; fi
  done
  # The page's headline and title, without the marks inside.
  found=$(sed -n 's/.*<h1[^>]*>\(.*\)<\/h1>.*/\1/p' "$site/$page" | sed 's/<[^>]*>//g')
  title=$(sed -n 's/.*<title>Locus: \(.*\)<\/title>.*/\1/p' "$site/$page")
  if [ "$title" = "$found" ]; then title=""; fi
  case " $first " in
    *" $study "*) echo "<li><a href=\"$page\"><img src=\"$picture\" alt=\"$found\" loading=\"lazy\"><p>$title</p></a></li>" >> "$cards" ;;
    *) echo "<li><a href=\"$page\">$found</a> <small>$title</small></li>" >> "$others" ;;
  esac
done
cat > "$site/index.html" <<PAGE
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Locus: how do transformers know order?</title>
<style>
:root { color-scheme: light dark; --ink: #1d1d1b; --pale: #5c5c5c; --paper: #fff; --rule: #dedbd5; --link: #10549a; }
@media (prefers-color-scheme: dark) { :root { --ink: #eceae6; --pale: #b0aea9; --paper: #15171a; --rule: #34373c; --link: #6cb4ff; } }
body { margin: 0 auto; padding: 1rem; max-width: 76rem; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.8rem; line-height: 1.2; margin: 0.5rem 0; }
a { color: var(--link); }
iframe { width: 100%; height: 44rem; border: 1px solid var(--rule); border-radius: 0.4rem; }
.cards { list-style: none; padding: 0; display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 30rem), 1fr)); }
.cards a { display: block; padding: 0.5rem; border: 1px solid var(--rule); border-radius: 0.4rem; }
.cards p, small { margin: 0; font-size: 0.85rem; color: var(--pale); }
img { display: block; width: 100%; height: auto; max-height: 20rem; object-fit: cover; object-position: left top; }
pre { padding: 0.7rem; border: 1px solid var(--rule); border-radius: 0.4rem; overflow-x: auto; }
</style>
<h1>How do transformers know order?</h1>
<p>Take the positions away, and a transformer knows what, not where. Try it: <a href="playground.html">the playground</a>
trains tiny transformers in this page.</p>
<iframe src="playground.html" title="The playground"></iframe>
<h2>What was found</h2>
<p>Each study has a page with every number. All models were trained on two cores.</p>
<ul class="cards">
$(cat "$cards")
</ul>
<ul>
$(cat "$others")
</ul>
<h2>The schemes</h2>
<p><a href="schemes.html">A card for each scheme</a>: formula, picture, promises, traps, source.</p>
<h2>Begin yourself</h2>
<p>One file holds the whole idea. It needs a C++ compiler and nothing else:</p>
<pre>g++ -O3 -march=native -std=c++20 lessons/00_tour/whole.cpp -o whole &amp;&amp; ./whole</pre>
<p>The course goes on from there with <code>make lesson-01</code>.</p>
</html>
PAGE
echo "$# studies, the playground and the schemes are in $site: open $site/index.html"
