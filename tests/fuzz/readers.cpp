#include "readers.h"

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "../report/page/page_reader.h"
#include "../support/sample_text.h"
#include "../support/samples.h"
#include "../support/temporary_folder.h"
#include "../support/tiny_run.h"
#include "base/error.h"
#include "examine/minimal_pairs.h"
#include "io/utf8.h"
#include "positional/support/spec.h"
#include "report/grid.h"
#include "report/page/findings.h"
#include "report/page/page.h"
#include "report/summary_table.h"
#include "tasks/support/registry.h"
#include "tasks/support/table_mistakes.h"
#include "tasks/support/text_task.h"
#include "train/checkpoint.h"

namespace locus::fuzz {

namespace {

void promise(bool kept, const char* what) {
  if (!kept) throw std::logic_error(what);
}

// A file of this name in a folder that lasts as long as the program, with these bytes.
std::string file_with(const std::string& name, const std::string& bytes) {
  static const TemporaryFolder folder;
  std::ofstream(folder / name, std::ios::binary) << bytes;
  return folder / name;
}
std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/')); }

void read_spec(const std::string& bytes) {
  const Spec spec = bytes;
  promise(to_string(spec) == bytes, "a spec keeps its text");
  promise(spec.known_parts().size() == (spec.only().parts.size()), "a spec that is understood has its parts");
  for (const bool causal : {false, true}) {
    ParameterTable table;
    try {
      make_scheme(spec, {.d_model = 32, .heads = 2, .causal = causal}, table)->claims();
    } catch (const Error&) {
    }
  }
}

void read_json(const std::string& bytes) {
  const std::string once = to_string(parse_json(bytes, "f"));
  promise(to_string(parse_json(once, "f")) == once, "JSON that was written is read back as it was");
  promise(printable(once) == once, "JSON holds no character that changes a terminal");
}

void read_settings(const std::string& bytes) {
  const RunSettings settings = settings_from_json(parse_json(bytes, "f"), "f");
  const std::string once = to_string(to_json(settings));
  promise(to_string(to_json(settings_from_json(parse_json(once, "f"), "f"))) == once,
          "settings that were written are read back as they were");
}

// What a user types as the input of a model, here of digits.
void read_input(const std::string& bytes) {
  const Task& task = find_task("sort");
  const Tokens tokens = read_tokens(task, bytes);
  promise(read_tokens(task, spell(task, tokens)) == tokens,
          "an input that was written is read back as it was");
}

void read_table(const std::string& bytes) {
  const std::string path = file_with("fuzz.tsv", bytes);
  const Table table(path);
  for (const int length : table.fixed_lengths()) {
    const auto ceiling = table.order_blind_ceiling(length);
    promise(!ceiling || (ceiling->value >= 0 && ceiling->value <= 1), "a ceiling is from 0 to 1");
    const double baseline = table.no_input_baseline(length);
    promise(baseline >= 0 && baseline <= 1, "a baseline is from 0 to 1");
  }
  table_mistakes(table, read_table_rows(path));
}

// A text, cut both ways, and as a task whose windows are drawn and counted.
void read_text(const std::string& bytes) {
  const std::string path = file_with("fuzz.txt", bytes);
  for (const char* tokens : {"char", "word"}) {
    const TextTask task(path, {tokens, 2});
    for (const TextPart part : {TextPart::train, TextPart::validation, TextPart::test})
      for (const int token : task.stream(part))
        promise(token >= 0 && as_size(token) < task.alphabet.size(), "a token is one of the alphabet");
    const int length = 4;
    if (task.length_from(length) != length) continue;
    for (const Example& example : task.test_set(length, 10))
      promise(example.input.size() == 4, "a window has the length that was asked for");
    const auto levels = task.text_levels(length, 10);
    promise(!levels || levels->unigram >= 0, "a loss is not negative");
  }
}

// Minimal pairs, for a text of the same letters.
void read_pairs(const std::string& bytes) {
  static const TextTask task(file_with("letters.txt", sample_text()), {"char", 1});
  for (const MinimalPair& pair : read_minimal_pairs(file_with("fuzz-pairs.tsv", bytes), task)) {
    promise(pair.right != pair.wrong, "a pair has two texts");
    promise(pair.distance >= 0, "a distance is not negative");
  }
}

void read_checkpoint_file(const std::string& bytes) {
  const Checkpoint checkpoint = read_checkpoint(folder_of(file_with("model.safetensors", bytes)));
  for (const auto& [name, tensor] : checkpoint.file.tensors) {
    std::size_t count = 1;
    for (const std::size_t size : tensor.shape) count *= size;
    promise(tensor.values.size() == count, "a tensor has the elements of its shape");
  }
  not_finite(checkpoint);
  checkpoint_state(checkpoint, run_of(checkpoint, checkpoint.settings));
}

void read_results(const std::string& bytes) {
  const Study study(read_records({folder_of(file_with("results.jsonl", bytes))}));
  summary_table(study, 80, false);
  const std::string page = report_page(study), figure = svg_document(grid_figure(headline(study), study));
  for (const std::string& shown : {page, figure})
    promise(find_invalid_utf8(shown) == shown.npos, "pages and figures are UTF-8");
  for (const test::Svg& read : {test::read_page(page), test::read_svg(figure)}) {
    promise(read.fault.empty(), "a page shows the text of others as text");
    promise(test::has_only_finite_numbers(read), "figures are drawn with numbers");
  }
}

std::string checkpoint() {
  const TemporaryFolder folder;
  return checkpoint_bytes(folder.path, Training(tiny_settings("before", "learned")));
}

std::vector<std::string> results() {
  std::vector<Result> results;
  for (const char* scheme :
       {"none", "rope", "<b>bold</b>&\\u202e", "</main></style></script>`", "\"><img/src=x>"})
    for (int seed = 1; seed <= 2; ++seed)
      results.push_back(test::result_of({.scheme = scheme, .seed = seed}));
  const TemporaryFolder folder;
  const auto saved = [&] {
    save_results(folder.path, results);
    return read_file(folder / "results.jsonl");
  };
  const std::string without_curves = saved();
  for (Result& result : results) result.outcome.curve = {{50, 100}, {1, 0}, {0, 1}};
  return {without_curves, saved()};
}

std::string table_of_questions() {
  std::string rows = "# title: questions\n# form: classification\n";
  for (const char* first : {"a", "b", "c", "d", "e"})
    for (const char* second : {"f", "g", "h", "i"})
      rows += str(first, " ", second, "\t", first, "\n", second, " ", first, " x\t", second, "\n");
  return rows;
}

}  // namespace

const std::vector<Reader>& all_readers() {
  static const std::vector<Reader> readers = {
      {"spec",
       {"rope:base=100,layout=half", "sinusoidal+alibi", "randomized:range=64+learned:capacity=64", "none",
        "rope:extend=yarn,factor=4,original=16,beta_fast=4", "t5:buckets=32,max_distance=128"},
       read_spec},
      {"json", {R"({"a":[1,-2.5e3,true,null],"b":{"c":"\u00e9😀\n"}})", "[]", "0"}, read_json},
      {"settings",
       {to_string(to_json(tiny_settings("sort", "rope"))),
        to_string(to_json(tiny_settings("copy", "none", ModelKind::decoder))),
        to_string(to_json(tiny_settings("sort", "none", ModelKind::gru)))},
       read_settings},
      {"input", {"3 1 4 1 5", " 3  1 "}, read_input},
      {"table", {table_of_questions()}, read_table},
      {"text", {sample_text(), sample_text(20)}, read_text},
      {"pairs",
       {"# pairs\na1 b2.\tb2 a1.\torder\t1\nc0|d3\td3|c0\tline ends\t0\n", "h1 a.\ta h1.\torder\t1\r\n"},
       read_pairs},
      {"checkpoint", {checkpoint()}, read_checkpoint_file},
      {"results", results(), read_results}};
  return readers;
}

Ending read(const Reader& reader, const std::string& bytes) {
  try {
    reader.read(bytes);
    return {true, ""};
  } catch (const Error& error) {
    const std::string line = printable(error.what());
    return {false, line.size() > longest_error + 5 ? str("an error of ", line.size(), " bytes") : ""};
  } catch (const std::exception& other) {
    return {false, other.what()};
  }
}

}  // namespace locus::fuzz
