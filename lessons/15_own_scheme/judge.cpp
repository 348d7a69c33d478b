// The program of chapter 15: what is the next step, and what do the numbers support?
//
//   judge FOLDER KEEP SOURCE TEST PAGE FIGURE [RUNS]
//
// FOLDER holds evidence.txt; KEEP is where the predictions are kept, as they were before the first run; SOURCE and TEST are
// the files of the scheme and its tests; PAGE is the page of the results; FIGURE is drawn: the accuracies, and as the
// title the first prediction and its outcome; RUNS takes the place of the runs in the form.
// Steps are printed in order. Up to the runs the first that is not done ends it; the evidence is judged as a whole.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <set>

#include "ablation/result_rows.h"
#include "base/error.h"
#include "draw/svg.h"
#include "io/file.h"
#include "io/format.h"
#include "lessons/15_own_scheme/broken.h"
#include "lessons/15_own_scheme/evidence.h"
#include "lessons/15_own_scheme/judgements.h"
#include "lessons/15_own_scheme/predictions.h"
#include "lessons/tools/scheme/tried_claims.h"
#include "positional/support/registry.h"
#include "train/settings.h"

namespace locus {

namespace {

namespace fs = std::filesystem;

struct Files {
  std::string form, kept, source, tests, page, figure, runs;
};

Judgement name_of(const Evidence& evidence) {
  const std::string& name = evidence.scheme;
  if (name.empty())
    return {
        false, "a name",
        "The form names no scheme. Hint: write a name of small letters behind `scheme:`, such as the one thing that your "
        "scheme shows of a position"};
  if (name == "none" || name == "rope")
    return {false, "a name", str("'", name, "' is a control: your scheme needs a name of its own")};
  for (const char c : name)
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_'))
      return {
          false, "a name",
          str("'", name, "' has '", std::string(1, c),
              "' in it. Hint: small letters, digits, - and _ only, as it is part of a spec and of a file name")};
  return {true, str("a name: ", name)};
}

// Another file beside `source` that registers this name; "" if there is none.
std::string registered_elsewhere(const std::string& source, const std::string& name) {
  for (const auto& entry : fs::directory_iterator(fs::path(source).parent_path())) {
    if (entry.path().extension() != ".cpp") continue;
    const std::string code = read_file(entry.path());
    if (code.find("RegisterScheme") != code.npos && code.find(str(".name = \"", name, '"')) != code.npos)
      return entry.path();
  }
  return "";
}

Judgement file_of(const Evidence& evidence, const Files& files) {
  const std::string& name = evidence.scheme;
  if (!file_exists(files.source)) {
    const std::string other = registered_elsewhere(files.source, name);
    return {false, "the scheme, one file",
            other.empty()
                ? str("There is no ", files.source,
                      " yet. Hint: lessons/15_own_scheme/examples/wheel/wheel.cpp is a whole file, and "
                      "src/positional/scheme.h has the six hooks; a scheme like yours may be there already")
                : str("There is no ", files.source, ", but ", other, " registers '", name, "'. Hint: mv ",
                      other, ' ', files.source)};
  }
  const std::string source = read_file(files.source);
  if (source.find("RegisterScheme") == source.npos)
    return {false, "the scheme, one file",
            str(files.source,
                " compiles, but registers nothing. Hint: a static RegisterScheme at its end, with .name = \"",
                name, "\"")};
  const auto& all = all_schemes();
  const auto count = std::ranges::count(all, name, &SchemeInfo::name);
  if (count == 0)
    return {false, "the scheme, one file",
            str(files.source, " compiles, but no scheme registers as '", name, "'. Hint: .name = \"", name,
                "\", as in the form")};
  if (count > 1)
    return {
        false, "the scheme, one file",
        str("Two schemes register as '", name, "'. Hint: grep -ln '\"", name, "\"' src/positional/*.cpp")};
  return {true,
          str("the scheme, one file: ", files.source, ", ", std::ranges::count(source, '\n'), " lines")};
}

// Whether a scheme makes this claim without saying anything.
bool holds_unsaid(const std::string& claim) {
  return std::ranges::any_of(
      all_claims, [&](const ClaimInfo& info) { return info.name == claim && Claims().*info.holds; });
}

Judgement claims_of(const Evidence& evidence) {
  const std::string what = "its claims";
  std::vector<std::string> made, silent, wrong;
  int own = 0;
  for (const TriedClaim& claim : try_claims(evidence.scheme)) {
    if (claim.is_false() && claim.name == "parameters")
      wrong.push_back(str("Its claim 'parameters' is wrong: ", *claim.counterexample,
                          ". What is not claimed is claimed to be 0; a code that joins the tokens has "
                          "`.parameters = join_parameters()`."));
    else if (claim.is_false())
      wrong.push_back(str("It claims '", claim.name, "'",
                          holds_unsaid(claim.name) ? ", as every scheme that does not set it to false" : "",
                          " (", claim.promise, "), but ", *claim.counterexample, "."));
    else if (claim.made) {
      made.push_back(claim.name);
      own += claim.name != "parameters" && !holds_unsaid(claim.name);
    } else if (claim.seems_to_hold())
      silent.push_back(claim.name);
  }
  if (!wrong.empty())
    return {false, what,
            join(wrong, "\n") +
                " Hint: take the claim away, or correct the code if it is not what you meant. A claim is a "
                "promise about every model, not about most"};
  if (own == 0 && !silent.empty())
    return {false, what,
            str("It claims nothing of its own, though these claims were not refuted: ", join(silent, ", "),
                ". Hint: which of them hold by design? A claim that is not made is not tested")};
  return {true, str(what, ", none refuted: ", join(made, ", "))};
}

// What doctest says of the tests that fail, without its lines of counts.
std::string without_frame(const std::string& said) {
  std::string out;
  for (const std::string& line : split(said, '\n'))
    if (!line.starts_with("[doctest]") && !line.starts_with("====") && !line.empty()) out += "\n" + line;
  return out;
}

std::string first_lines(const std::string& said, std::size_t count) {
  std::vector<std::string> lines = split(said, '\n');
  if (lines.size() > count) lines.resize(count);
  return join(lines, "\n");
}

Judgement tests_of(const Evidence& evidence, const Files& files) {
  const std::string what = "its tests";
  if (!file_exists(files.tests))
    return {false, what,
            str("There is no ", files.tests,
                " yet. Hint: a doctest file that compares code() or bias(), or what a hook "
                "returns, with numbers that you worked out by hand")};
  const TestVerdict verdict = judge_tests(evidence.scheme, fs::path(files.tests).filename());
  if (verdict.cases == 0)
    return {false, what,
            str(files.tests, " has no TEST_CASE. Hint: TEST_CASE(\"", evidence.scheme,
                ": ...\") { CHECK(...); }")};
  if (!verdict.passes)
    return {false, what,
            str("The scheme does not pass them:\n", first_lines(without_frame(verdict.failure), 30))};
  if (!verdict.missed.empty())
    return {false, what,
            str("Your scheme passes them, and they notice ", verdict.noticed.size(), " of ",
                verdict.noticed.size() + verdict.missed.size(),
                " broken schemes. They do not notice these faults:\n  - ", join(verdict.missed, "\n  - "),
                "\nHint: compare with numbers that you worked out, at more positions")};
  return {true, str(what, ": ", verdict.cases, verdict.cases == 1 ? " passes" : " pass", ", and ",
                    verdict.noticed.size(), " of ", verdict.noticed.size(), " broken schemes are noticed")};
}

// The task exists and has inputs of that length; the error names those that are near.
void require_measurable(const Statement& statement) {
  constexpr int longest = 512;  // attention takes time with the square of the length
  if (statement.length > longest)
    fail("prediction", str("to test at ", statement.length, " tokens would take hours"),
         str("up to ", longest, "; the models are trained at 12"));
  RunSettings settings;
  settings.task = statement.task;
  settings.model.scheme = "none";
  settings.test_lengths = {statement.length};
  complete(settings);
}

// The command that would measure what was predicted.
std::string command_for(const Evidence& evidence) {
  std::vector<std::string> tasks;
  std::set<int> lengths;
  bool tested_anyway = true;  // each task at the lengths that it has without an option
  for (const Statement& one : evidence.predictions) {
    if (!std::ranges::count(tasks, one.task)) tasks.push_back(one.task);
    RunSettings settings;
    settings.task = one.task;
    settings.model.scheme = "none";
    const std::vector<int> usual = complete(settings).test_lengths;
    tested_anyway = tested_anyway && std::ranges::count(usual, one.length) > 0;
    lengths.insert({usual.front(), one.length});
  }
  std::vector<std::string> words;
  for (const int length : lengths) words.push_back(str(length));
  return str("build/locus ablate --tasks ", join(tasks, ","), " --schemes ", evidence.scheme,
             ",none,rope --seeds 5 --steps 500 --batch 32 --lr 0.001,0.003,0.01,0.03",
             tested_anyway ? "" : " --test-lengths " + join(words, ","), " --no-aa --out runs/",
             evidence.scheme);
}

Judgement prediction_of(const Evidence& evidence, const std::vector<Statement>& kept,
                        const Measured& measured) {
  if (evidence.predictions.empty())
    return {
        false, "a prediction",
        str("The form has none. Write it before you train the scheme for the first time: a predicted comparison is "
            "tested alone, any other is corrected for all comparisons that were made. Hint: `prediction: ",
            evidence.scheme, " is VERDICT CONTROL on TASK at LENGTH`; `build/locus tasks` lists the tasks")};
  for (const Statement& one : evidence.predictions) require_measurable(one);
  if (const auto both = two_about_one(evidence.predictions))
    return {false, "a prediction",
            str("'", both->first.words, "' and '", both->second.words,
                "' are about one comparison. Hint: keep the one that you believe")};
  const std::vector<Statement> late = written_late(evidence, kept);
  const std::size_t count = evidence.predictions.size();
  if (late.empty()) return {true, str(count == 1 ? "a prediction" : "predictions", ", from before the runs")};
  const auto seen = measured.find({late.front().task, late.front().length});
  const auto old =
      std::ranges::find_if(kept, [&](const Statement& one) { return one.is_about_what(late.front()); });
  return {true, str(late.size() == count ? std::string("a prediction")
                                         : str(late.size(), " of ", count, " predictions"),
                    ", written or changed after it was measured",
                    seen == measured.end() ? "" : str(" (in ", seen->second, ')'),
                    old == kept.end() ? "" : str(", before it '", old->words, '\''),
                    ": it counts as a sentence that was not predicted")};
}

// Lines of a paragraph are wrapped; lists and commands stay.
void explain(const std::string& why) {
  std::cout << '\n';
  for (const std::string& line : split(why, '\n'))
    std::cout << (line.size() > 110 && !line.starts_with("  ") ? wrapped(line, 110) : line + "\n");
}

class Steps {
 public:
  // Returns whether it is done.
  bool add(const Judgement& judgement) {
    const std::string number = str("15.", ++count_);
    std::cout << fitted(str("  ", number, std::string(6 - number.size(), ' '),
                            judgement.good ? "done     " : "not yet  ", judgement.words, "\n"),
                        118);
    if (!judgement.good) whys_.push_back({number, judgement.why});
    return judgement.good;
  }
  bool add(const std::string& words, const auto& judge) try {
    return add(judge());
  } catch (const Error& error) {
    return add(Judgement{false, words, error.what()});
  }
  int finish() const {
    for (const auto& [number, why] : whys_) explain(whys_.size() == 1 ? why : str(number, ": ", why));
    return whys_.empty() ? 0 : 1;
  }
  bool all_done() const { return whys_.empty(); }

 private:
  int count_ = 0;
  std::vector<std::pair<std::string, std::string>> whys_;
};

Judgement page_of(const Evidence& evidence, const Files& files, const std::string& command) {
  const std::string what = "a page";
  if (!file_exists(files.page)) return {false, what, str("There is no ", files.page, ". Hint: ", command)};
  for (const std::string& folder : evidence.runs)
    if (fs::last_write_time(files.page) < fs::last_write_time(folder + "/results.jsonl"))
      return {false, what, str(files.page, " is older than the results in ", folder, ". Hint: ", command)};
  if (read_file(files.page).find("learning_rate=") != std::string::npos)  // in the names of rows
    return {
        false, what,
        str(files.page, " shows every learning rate; compare each scheme at its best one. Hint: ", command)};
  return {true, str(what, ": ", files.page)};
}

int judge(const Files& files) {
  Steps steps;
  Evidence evidence;
  try {
    evidence = read_evidence(read_file(files.form), files.form);
  } catch (const Error& error) {
    explain(error.what());
    return 1;
  }
  if (!files.runs.empty()) evidence.runs = {files.runs};
  const std::string& name = evidence.scheme;
  if (!steps.add(name_of(evidence)) || !steps.add(file_of(evidence, files))) return steps.finish();
  const bool is_example = files.source.find("/examples/") != std::string::npos;
  const auto done = [&](bool good) { return good || is_example; };  // of an example all is judged
  if (!done(steps.add("its claims", [&] { return claims_of(evidence); }))) return steps.finish();
  if (!done(steps.add("its tests", [&] { return tests_of(evidence, files); }))) return steps.finish();

  std::vector<Statement> kept;
  const auto prediction = [&] {
    const Measured measured = measured_in(
        is_example ? std::set(evidence.runs.begin(), evidence.runs.end()) : known_folders(evidence), name);
    kept = is_example ? kept_predictions(files.kept, name) : keep_predictions(evidence, measured, files.kept);
    return prediction_of(evidence, kept, measured);
  };
  if (!done(steps.add("a prediction", prediction))) return steps.finish();

  Records records;
  const bool ran = steps.add("the runs", [&]() -> Judgement {
    if (evidence.runs.empty())
      return {false, "the runs",
              str("None yet. This trains what you predicted, in about a minute on two cores:\n\n  ",
                  command_for(evidence), "\n\nThen write the folder into the form: `runs: runs/", name, "`")};
    Records read = read_records(evidence.runs);
    summarise(read);  // throws where two folders hold the same cell
    records = std::move(read);
    return has_controls(evidence, records);
  });
  if (!ran && records.results.empty()) return steps.finish();
  steps.add("enough seeds", [&] { return has_enough_seeds(evidence, records); });
  steps.add("an equal budget", [&] { return has_equal_budget(evidence, records); });
  steps.add("the best learning rate inside those tried", [&] { return has_rate_inside(evidence, records); });
  steps.add("one run trained again", [&] { return repeats(evidence, records); });
  if (evidence.sentences.empty())
    steps.add(
        {false, "a sentence",
         str("The form has none. What do the numbers support? Hint: `sentence: ", name,
             " is VERDICT CONTROL on ", records.results.front().settings.task,
             " at 12`, where VERDICT is better than, worse than, equal to "
             "(within 0.02) or not told apart from, and CONTROL none or rope; one line for each sentence")});
  bool supported = true;
  const bool trusted = steps.all_done();
  std::string whys;
  std::vector<std::string> said;
  if (!evidence.sentences.empty())
    steps.add("its sentences", [&]() -> Judgement {
      for (const Statement& one : evidence.sentences) {
        const Judgement judgement = is_supported(one, evidence, records, kept);
        if (!judgement.good) whys += str(whys.empty() ? "" : "\n", judgement.words, ": ", judgement.why);
        supported = supported && judgement.good;
        said.push_back(judgement.words);
      }
      const std::string count = str(said.size(), said.size() == 1 ? " sentence" : " sentences");
      return {supported,
              supported
                  ? count +
                        (said.size() == 1 ? " that the numbers support" : ", all supported by the numbers") +
                        (trusted ? "" : "; but a step above is not done")
                  : "sentences that the numbers support",
              whys};
    });
  const std::string command =
      str("build/locus", is_example ? "-15" : "", " report ", join(evidence.runs, " "), " --best-lr");
  steps.add("a page", [&] { return page_of(evidence, files, command); });

  if (!evidence.predictions.empty()) std::cout << '\n';
  for (const Statement& one : evidence.predictions)
    std::cout << fitted(str("Predicted: ", one.words, ". It ", outcome(one, evidence, records), "\n"), 118);
  std::string title = name;
  if (!evidence.predictions.empty()) {
    const Statement& first = evidence.predictions.front();
    title = str("Predicted: ", first.words, ". It ", outcome(first, evidence, records, Detail::means));
  }
  write_file_atomically(files.figure, svg_document(figure_of(title, records)));
  if (!steps.all_done()) return steps.finish();
  std::cout << "\nThe evidence is sound. It supports:\n";
  for (const std::string& one : said) std::cout << fitted(str("  ", one, "\n"), 118);
  const RunSettings& of = records.results.front().settings;
  std::cout << fitted(str("This holds for these tasks, width ", of.model.d_model, " and ", of.train.steps,
                          " steps at most. It says nothing about other sizes and budgets.\n"),
                      118);
  return 0;
}

}  // namespace

}  // namespace locus

int main(int count, char** words) try {
  if (count < 7) locus::fail_usage("judge", "some files are missing", "make lesson-15 calls it");
  const std::string folder = words[1], keep = words[2];
  return locus::judge({folder + "/evidence.txt", keep + "/predicted.txt", words[3], words[4], words[5],
                       words[6], count > 7 ? words[7] : ""});
} catch (const locus::Error& error) {
  std::cerr << "locus: " << error.what() << '\n';
  return 2;
}
