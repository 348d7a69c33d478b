// locus tasks: what there is to train on.
#include <unistd.h>

#include "base/error.h"
#include "cli/command.h"
#include "report/format.h"
#include "report/table.h"
#include "report/terminal.h"
#include "tasks/support/registry.h"

namespace locus {

namespace {

constexpr int shown_length = 12;

int run(const Arguments&) {
  TextTable table({{"task"},
                   {"answer"},
                   {"what it asks"},
                   {"example"},
                   {"order-blind", Align::right},
                   {"no input", Align::right}});
  for (const Task* task : all_tasks()) {
    const auto ceiling = task->order_blind_ceiling(shown_length);
    table.add_row({task->name, to_string(task->form), task->summary,
                   text(spell(*task, task->sample.input), " -> ", spell(*task, task->sample.target)),
                   ceiling ? fixed(ceiling->value, 3) : "-",
                   fixed(task->no_input_baseline(shown_length), 3)});
  }
  print(table.to_text(is_lively_terminal(STDOUT_FILENO)));
  print(text("\norder-blind: the best token accuracy at length ", shown_length,
             " of an encoder that sees the tokens but not their order; no input: of the most\n"
             "frequent answer at each place, which knows the place but not the tokens. A generation task "
             "needs --model decoder.\n"));
  return 0;
}

const RegisterCommand registered{{
    .name = "tasks",
    .summary = "The toy tasks, with examples and what can be reached without seeing order",
    .usage = "",
    .details = "",
    .options = {},
    .run = run,
}};

}  // namespace

}  // namespace locus
