# Read by the other scripts here. The learning rate that suits a scheme, with the same budget for every scheme:
#
#   best_rate FOLDER OPTION ...   tries 0.003, 0.01 and 0.03 on seed 1 with these options of `locus ablate`, and the next
#                                 smaller or larger rate until the best lies between two that were tried; prints the best
#
# On as many seeds as $search_seeds says: at the largest rate that one seed learns with, another seed may fail.
# How the best is chosen: src/ablation/tuning.h. The folder keeps every run; called again, nothing is trained twice.
locus=${LOCUS:-build/locus} again=${AGAIN:-build/lessons/again}  # again.cpp reads and writes folders of results
[ -e "$again" ] || make "$again" >&2

# quietly COMMAND ...: shows of what it prints only the last line, if it fails, and ends the script.
quietly() { said=$("$@" 2>&1) || { echo "$said" | tail -n 1 >&2; exit 1; }; }

ladder="0.0001 0.0003 0.001 0.003 0.01 0.03 0.1 0.3 1 3"

best_rate() {
  folder=$1
  shift
  rates="0.003 0.01 0.03"
  while :; do
    if [ -e "$folder/results.jsonl" ]; then  # from an earlier call
      rates="$rates $($again rates "$folder" | cut -f6 | tr '\n' ' ')"
      rates=$(echo "$rates" | tr ' ' '\n' | grep . | sort -gu | tr '\n' ' ')
    fi
    quietly $locus ablate --out "$folder" --seeds ${search_seeds:-1} --lr "$(echo $rates | tr ' ' ,)" "$@" --no-aa --jobs 1
    set_of=$($locus report "$folder" --best-lr 2> /dev/null |
      sed -n 's/^  [^ ].*: \([0-9.e-]*\)$/\1 inside/p; s/^  [^ ].*: \([0-9.e-]*\) (the \([a-z]*\) tried)$/\1 \2/p' | sed 1q)  # of a model that is read in several ways, the rate of its one training
    best=${set_of% *}
    next=$(echo "$ladder" | awk -v best="$best" -v edge="${set_of#* }" '{
      for (i = 1; i <= NF; ++i) if ($i == best) print edge == "smallest" ? $(i - 1) : edge == "largest" ? $(i + 1) : "" }')
    if [ -z "$next" ] || [ "$next" = "$ladder" ]; then break; fi
    case $set_of in *smallest) rates="$next $rates" ;; *) rates="$rates $next" ;; esac
  done
  echo "$best"
}

rates_header='task\tscheme\tmodel\td_model\ttrain_lengths\trate\tseeds\tsteps_to_solve\tlast_accuracy\tlast_loss\n'
