// locus tasks: the toy tasks, and the card of a task or dataset.
#include <algorithm>

#include "base/error.h"
#include "base/pool.h"
#include "base/size.h"
#include "cli/command.h"
#include "cli/output.h"
#include "io/format.h"
#include "tasks/support/registry.h"
#include "tasks/support/table_mistakes.h"

namespace locus::commands::tasks {

std::string sample_of(const Task& task) {
  return str(spell(task, task.example.input), " -> ", spell(task, task.example.target));
}

std::string answer_of(Form form) {
  switch (form) {
    case Form::classification:
      return "one token for the whole input (classification)";
    case Form::labelling:
      return "a token for each of the input (labelling)";
    case Form::generation:
      return "any number of tokens (generation)";
    case Form::text:
      return "the next token at each position; of an encoder, the hidden ones (text)";
  }
  return "";
}

// Grouped by what an answer is.
void print_list() {
  constexpr std::string_view famous[] = {"before", "reverse", "sort", "previous", "majority"};
  TextTable table({{"task"}, {"what it asks"}});
  const auto add = [&](const Task& task) { table.add_row({"  " + task.name, task.summary}); };
  table.add_heading({"to begin with", Ink::bold});
  for (const std::string_view name : famous) add(open_task(std::string(name)));
  for (const Form form : {Form::classification, Form::labelling, Form::generation}) {
    table.add_heading({answer_of(form), Ink::bold});
    for (const Task* task : all_tasks())
      if (task->form == form && std::ranges::count(famous, task->name) == 0) add(*task);
  }
  print(shown(table));
  print_fitted(
      as_called("\n`locus tasks NAME` shows a task, and `locus tasks FILE.tsv` a dataset, with examples and "
                "lengths;\n--long lists examples and ceilings of all.\n"));
}

void print_long_list() {
  TextTable table(
      columns({"task", "answer", "what it asks", "example"}, {"order-blind", "mirror-blind", "no input"}));
  const std::vector<const Task*>& tasks = all_tasks();
  std::vector<std::vector<TableCell>> rows(tasks.size());
  Pool pool(hardware_threads());  // some ceilings take half a second to count
  pool.run(static_cast<int>(tasks.size()), [&](int i) {
    const Task& task = *tasks[as_size(i)];
    const int length = task.usual_lengths.high;
    const auto order_blind = task.order_blind_ceiling(length),
               mirror_blind = task.mirror_blind_ceiling(length);
    rows[as_size(i)] = {task.name,
                        to_string(task.form),
                        task.summary,
                        sample_of(task),
                        order_blind ? fixed(order_blind->value, 3) : "-",
                        mirror_blind ? fixed(mirror_blind->value, 3) : "-",
                        fixed(task.no_input_baseline(length), 3)};
  });
  for (auto& row : rows) table.add_row(std::move(row));
  print(shown(table));
  print_fitted(
      "\norder-blind: the best token accuracy of an encoder that sees the tokens but not their order;\n"
      "mirror-blind: of one that cannot tell an input from its mirror image, as with alibi;\n"
      "no input: the best token accuracy of one answer that is given to every test input.\n"
      "All at the longest training length (12 for most tasks). Encoders cannot do generation tasks.\n");
}

std::string with_error(const std::optional<Estimate>& ceiling) {
  return ceiling ? str(fixed(ceiling->value, 3), " ± ", fixed(ceiling->error, 3)) : "-";
}

void print_card(const Task& task) {
  constexpr int more_examples = 3;
  std::string card = str(task.name, ": ", task.summary, "\n\n  example   ", sample_of(task), "\n");
  const std::vector<int> lengths = task.fixed_lengths();  // of a table
  const int length = lengths.empty() ? static_cast<int>(task.example.input.size()) : lengths.front();
  for (const Example& example : task.test_set(length, more_examples))
    card += str("            ", spell(task, example.input), " -> ", spell(task, example.target), "\n");
  card += str("  answer    ", answer_of(task.form), "\n  models    ",
              task.form == Form::generation ? "" : "encoder, ", "decoder, rnn, gru", "\n  tokens    ",
              join(task.alphabet, " "), "\n");
  if (!task.layout.empty()) card += str("  input     ", task.layout, "\n");
  print_fitted(str(card, "  lengths   ", task.lengths(), "\n\n"));

  std::vector<std::string> numbers = {"length", "order-blind ceiling", "mirror-blind ceiling",
                                      "no-input baseline"};
  if (!lengths.empty()) numbers.insert(numbers.end(), {"test rows", "bags of words", "in one order only"});
  TextTable table(columns({}, numbers));
  for (const int tested : lengths.empty() ? usual_test_lengths(task, task.usual_lengths.high) : lengths) {
    std::vector<TableCell> cells = {str(tested), with_error(task.order_blind_ceiling(tested)),
                                    with_error(task.mirror_blind_ceiling(tested)),
                                    fixed(task.no_input_baseline(tested), 3)};
    if (const auto counts = task.bag_counts(tested))
      for (const int count : {counts->rows, counts->bags, counts->in_one_order}) cells.push_back(str(count));
    table.add_row(std::move(cells));
  }
  print(shown(table));
}

// What is wrong with a table, a paragraph each.
void print_mistakes(const Table& table, const std::string& path) {
  const std::vector<std::string> mistakes = table_mistakes(table, read_table_rows(find_table(path)));
  for (const std::string& mistake : mistakes) print_fitted(str("\nwarning: ", mistake, ".\n"));
  if (mistakes.empty())
    print("\nNone of the mistakes was found that ruin a table (datasets/README.md lists them).\n");
}

int run(const Arguments& arguments) {
  if (arguments.positional().empty()) {
    arguments.given("--long") ? print_long_list() : print_list();
    return 0;
  }
  arguments.refuse({"--long"}, "with the name of a task");
  const std::string& asked = arguments.positional()[0];
  const Task& task = open_task(asked);
  print_card(task);
  if (const auto* table = dynamic_cast<const Table*>(&task)) print_mistakes(*table, asked);
  return 0;
}

const RegisterCommand registered{{
    .name = "tasks",
    .summary = "List the toy tasks, or show one with its examples, lengths and ceilings",
    .usage = "[NAME | FILE.tsv] [--long]",
    .details =
        "For a table, the mistakes that ruin it, such as words that give the answer away: how often each occurs, a\n"
        "row that has it, and what to do.\n",
    .options = {{"--long", "", "list all with an example and their ceilings"}},
    .most_positional = 1,
    .run = run,
}};

}  // namespace locus::commands::tasks
