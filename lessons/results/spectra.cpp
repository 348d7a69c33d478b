// The study "Which of RoPE's clocks cost?" (spectra/PLAN.md): what was predicted of each spectrum, and what came.
//
//   build/lessons/spectra collect FOLDER...    a row for each spectrum and rate in these parts of the study, with all seeds
//   build/lessons/spectra                      reads spectra/lengths.tsv and predictions.tsv, prints a table and the counts,
//                                              and draws spectra/spectra.svg
//   build/lessons/spectra tasks                the same of the third stage: spectra/tasks.tsv and tasks.svg
#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <iostream>
#include <map>
#include <numbers>
#include <optional>
#include <set>

#include "ablation/results.h"
#include "ablation/statistics.h"
#include "base/error.h"
#include "base/text.h"
#include "draw/plot.h"
#include "io/file.h"
#include "io/format.h"
#include "io/terminal.h"
#include "positional/support/spec.h"

namespace locus {

namespace {

const std::string here = "lessons/results/spectra/";
constexpr double fails_below = 0.95,
                 near_rate = 0.8;  // of what is kept at the trained length; of the best rate's

constexpr const char* header =
    "part\ttask\tscheme\tmodel\td_model\theads\ttrained\trate\tseeds\tsteps_to_solve\tloss\taccuracy\n";

// --- collect ---

void collect(const std::vector<std::string>& folders) {
  struct Row {
    std::string beginning;  // the columns up to the rate
    std::vector<std::string> seeds, steps, losses;
    std::map<int, std::vector<std::string>> accuracy;
  };
  std::vector<Row> rows;
  for (const std::string& folder : folders)
    for (const auto& [settings, outcome, where] : read_records({folder}).results) {
      const std::filesystem::path path(folder);
      const ModelSettings& model = settings.model;
      const std::string part = path.parent_path().filename() == "more" ? "more" : path.filename().string(),
                        beginning =
                            join({part, settings.task, to_string(model.scheme), to_string(model.kind),
                                  str(model.d_model), str(model.heads), str(settings.train.lengths.high),
                                  str(settings.train.optimizer.learning_rate)},
                                 "\t");
      auto row = std::ranges::find(rows, beginning, &Row::beginning);
      if (row == rows.end()) row = rows.insert(row, {beginning, {}, {}, {}, {}});
      row->seeds.push_back(str(settings.train.seed));
      row->steps.push_back(outcome.steps_to_solve ? str(*outcome.steps_to_solve) : "-");
      row->losses.push_back(significant(outcome.curve.loss.back(), 4));
      for (const LengthScore& at : outcome.by_length)
        row->accuracy[at.length].push_back(significant(at.score.accuracy(outcome.generates), 4));
    }
  std::cout << header;
  for (const Row& row : rows) {
    std::vector<std::string> at_length;
    for (const auto& [length, seeds] : row.accuracy) at_length.push_back(str(length, ':', join(seeds, ",")));
    std::cout << join({row.beginning, join(row.seeds, " "), join(row.steps, " "), join(row.losses, " "),
                       join(at_length, " ")},
                      "\t")
              << '\n';
  }
}

// --- read ---

std::vector<std::vector<std::string>> rows_of(const std::string& file) {
  std::vector<std::vector<std::string>> rows;
  for (const std::string& line : split(read_file(here + file), '\n'))
    if (!line.empty()) rows.push_back(split(line, '\t'));
  rows.erase(rows.begin());  // the header
  return rows;
}

// One spectrum in one part of the study at one rate: its seeds, at the lengths that were tested.
struct AtRate {
  std::vector<double> losses, steps;            // by seed; steps until solved, of those that were
  std::map<int, std::vector<double>> accuracy;  // by length: the seeds
  double at(int length) const { return mean(accuracy.at(length)); }
  int trained() const { return accuracy.begin()->first; }
  // The first length at which less than this share of what it has at the trained length is right.
  std::optional<int> fails_from(double below = fails_below) const {
    for (const auto& [length, seeds] : accuracy)
      if (mean(seeds) < below * at(trained())) return length;
    return {};
  }
};

struct Spectrum {
  std::string part, task, scheme;
  int d_head, longest;  // of the lengths trained on
  std::map<double, AtRate> rates;

  // The rate is chosen on three seeds; at the best there may be more.
  const AtRate& best() const {
    return std::ranges::min_element(rates, {},
                                    [](const auto& one) {
                                      const auto& losses = one.second.losses;
                                      return mean({losses.begin(), losses.begin() + 3});
                                    })
        ->second;
  }
  std::vector<int> lengths() const {
    std::vector<int> all;
    for (const auto& [length, seeds] : best().accuracy) all.push_back(length);
    return all;
  }
  // "0.40" or "0.40 (0.31 to 0.44)": at the best rate, and at every rate near it.
  std::string at(int length) const {
    std::vector<double> near;
    for (const auto& [rate, one] : rates)
      if (one.at(one.trained()) >= near_rate * best().at(best().trained())) near.push_back(one.at(length));
    const std::string own = fixed(best().at(length), 2);
    return near.size() < 2 ? own
                           : str(own, " (", fixed(smallest(near), 2), " to ", fixed(largest(near), 2), ")");
  }
};

std::vector<Spectrum> read_spectra(const std::string& file) {
  std::vector<Spectrum> all;
  for (const auto& row : rows_of(file)) {
    const std::string part = row[0] == "more" ? str(row[3], "s-", row[4]) : row[0];
    auto found = std::ranges::find_if(all, [&](const Spectrum& one) {
      return one.part == part && one.task == row[1] && one.scheme == row[2];
    });
    if (found == all.end())
      found = all.insert(
          found, {part, row[1], row[2], *parse_int(row[4]) / *parse_int(row[5]), *parse_int(row[6]), {}});
    AtRate& at = found->rates[*parse_double(row[7])];
    for (const std::string& loss : split(row[10], ' ')) at.losses.push_back(*parse_double(loss));
    for (const std::string& steps : split(row[9], ' '))
      if (steps != "-") at.steps.push_back(*parse_double(steps));
    for (const std::string& one : split(row[11], ' ')) {
      const std::size_t colon = one.find(':');
      for (const std::string& seed : split(one.substr(colon + 1), ','))
        at.accuracy[*parse_int(one.substr(0, colon))].push_back(*parse_double(seed));
    }
  }
  return all;
}

// --- the rule ---

// By pair of a head: turns per token.
std::vector<double> turns_per_token(const Spectrum& one) {
  ParameterTable none;
  const auto scheme =
      make_scheme(Spec(one.scheme), {.d_model = one.d_head, .heads = 1, .causal = true}, none);
  std::vector<double> turns = scheme->frequencies(one.longest).inverse_frequency;
  for (double& each : turns) each /= 2 * std::numbers::pi;
  return turns;
}

// The turns that the farthest unfinished clock has made in an input of so many tokens; 0 without such a clock.
double unfinished_turns(const Spectrum& one, int length) {
  double most = 0;
  for (const double turns : turns_per_token(one))
    if (turns * (one.longest - 1) < 1) most = std::max(most, turns * (length - 1));
  return most;
}

// The rule of PLAN.md, with another threshold than half a turn.
std::optional<int> fails_by_rule(const Spectrum& one, double threshold) {
  for (const int length : one.lengths())
    if (length > one.longest && unfinished_turns(one, length) > threshold) return length;
  return {};
}

// Liu et al. 2310.05209: a clock that saw no whole period in training costs past the trained length.
std::optional<int> fails_by_period(const Spectrum& one) {
  return unfinished_turns(one, one.longest) > 0 ? std::optional(one.lengths()[1]) : std::nullopt;
}

// By how many of the tested lengths two are apart; one past the last stands for "not within these".
long steps_apart(const std::vector<int>& lengths, std::optional<int> one, std::optional<int> other) {
  const auto place = [&](std::optional<int> length) {
    return length ? std::ranges::find(lengths, *length) - lengths.begin() : std::ssize(lengths);
  };
  return std::abs(place(one) - place(other));
}

std::string length_or_dash(std::optional<int> length) { return length ? str(*length) : "-"; }

// --- the picture: what is kept, over the turns of the farthest unfinished clock ---

void draw_half_turn(Drawing& drawing, const PlotArea& area) {
  drawing.line({area.x_at(0.5), area.top}, {area.x_at(0.5), area.bottom},
               {.colour = guide_ink, .dashes = "4 3"});
  drawing.text({area.x_at(0.5) + 5, area.bottom - 8}, "half a turn", {.colour = pale_ink});
}

Figure picture(const std::vector<Spectrum>& spectra, const std::set<std::string>& predicted) {
  const PlotArea area{
      .left = 64, .right = 700, .top = 96, .bottom = 400, .x = {1.0 / 64, 16}, .y = {0, 1}, .log_x = true};
  Drawing drawing;
  drawing.heading("Needles kept, by the turns of the farthest clock that never came round in training",
                  title_size, padding, padding, 700);
  drawing.text(
      {area.left, area.top - 14},
      "share of right answers on needle, of that at the trained length; a mark: one spectrum at one length",
      {.colour = pale_ink});
  draw_y_axis(drawing, area, {0, 0.5, 1}, {"0", "0.5", "1"});
  draw_x_axis(drawing, area, {1.0 / 64, 1.0 / 16, 1.0 / 4, 1, 4, 16},
              "turns that its farthest unfinished clock has made there");
  draw_half_turn(drawing, area);
  const std::map<int, std::size_t> form_of = {{12, 0}, {24, 1}, {48, 2}};
  for (const auto& [length, form] : form_of) {
    const double x = area.left + 150 * static_cast<double>(form);
    drawing.shape({x + 6, area.top - 34}, form, series_colour(form), "#ffffff", "");
    drawing.text({x + 16, area.top - 30}, str("trained at ", length, " tokens"), {});
  }
  for (const Spectrum& one : spectra) {
    if (!predicted.contains(one.part)) continue;
    const AtRate& best = one.best();
    for (const int length : one.lengths()) {
      const double turns = std::clamp(unfinished_turns(one, length), 1.0 / 64, 16.0);
      const std::size_t form = form_of.at(one.longest);
      const double kept = std::min(1.0, best.at(length) / best.at(best.trained()));
      if (length > one.longest && one.scheme != "none")
        drawing.shape(area.at(turns, kept), form, series_colour(form), "#ffffff",
                      str(one.part, ": ", one.scheme, " at ", length, ": ", fixed(best.at(length), 2)));
    }
  }
  return {.title = "What RoPE keeps at longer inputs, over the turns of its farthest unfinished clock",
          .width = 720,
          .height = 450,
          .body = drawing.take()};
}

// --- the table ---

// Prints the heading of the part and task of this spectrum, if `part` is another; `part` is this one then.
void head_part(const Spectrum& one, std::string& part) {
  if (part == one.part + one.task) return;
  part = one.part + one.task;
  std::cout << '\n'
            << one.part << ", " << one.task << ": right answers at " << join(one.lengths(), ", ") << '\n';
}

std::string in_words(const Spectrum& one) {
  std::vector<std::string> cells;
  for (const int length : one.lengths()) cells.push_back(one.at(length));
  const std::vector<double>& steps = one.best().steps;
  return str("  ", one.scheme, ": ", join(cells, " "), "; solved ", steps.size(), " @",
             steps.empty() ? "-" : fixed(mean(steps), 0));
}

int table() {
  const std::vector<Spectrum> spectra = read_spectra("lengths.tsv");
  std::map<std::pair<std::string, std::string>, std::optional<int>> predicted;
  std::set<std::string> parts;
  for (const auto& row : rows_of("predictions.tsv")) {
    predicted[{row[0], row[1]}] = parse_int(row[3]);
    parts.insert(row[0]);
  }
  int rule = 0, period = 0, plain = 0, all = 0;
  std::map<std::string, std::optional<int>> plain_fails;
  for (const Spectrum& one : spectra)
    if (one.scheme == "rope") plain_fails[one.part] = one.best().fails_from();
  std::string part;
  for (const Spectrum& one : spectra) {
    const std::vector<int> lengths = one.lengths();
    head_part(one, part);
    const auto found = one.best().fails_from();
    std::cout << in_words(one) << "; fails from " << length_or_dash(found);
    if (const auto told = predicted.find({one.part, one.scheme}); told != predicted.end()) {
      const bool right = steps_apart(lengths, found, told->second) <= 1;
      std::cout << ", predicted " << length_or_dash(told->second) << (right ? "" : "  WRONG");
      ++all;
      rule += right;
      period += steps_apart(lengths, found, fails_by_period(one)) <= 1;
      plain +=
          steps_apart(lengths, found,
                      plain_fails.contains(one.part) ? plain_fails[one.part] : plain_fails["knock-12"]) <= 1;
    }
    std::cout << '\n';
  }
  std::cout << "\nright within one tested length, of " << all << " predictions: the rule " << rule
            << "; any clock without a whole period costs at once (Liu et al.) " << period
            << "; every spectrum fails where plain RoPE does " << plain << '\n';
  std::cout << "the rule's with other thresholds, in turns, and other shares below which a spectrum fails\n";
  for (const double below : {0.9, fails_below, 0.98}) {
    std::cout << "  below " << below << ':';
    for (const double threshold : {0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 1.0}) {
      long right = 0;
      for (const Spectrum& one : spectra)
        if (predicted.contains({one.part, one.scheme}))
          right +=
              steps_apart(one.lengths(), one.best().fails_from(below), fails_by_rule(one, threshold)) <= 1;
      std::cout << "  " << threshold << ' ' << right;
    }
    std::cout << '\n';
  }
  write_file_atomically(here + "spectra.svg", svg_document(picture(spectra, parts)));
  return 0;
}

// --- the third stage: twelve tasks, trained at 12 tokens ---

struct Asked {
  const char *model, *task;
  enum { near, far, mirrored } kind;
};
constexpr Asked asked[] = {{"encoders", "previous", Asked::near},   {"encoders", "ascending", Asked::near},
                           {"encoders", "even-pairs", Asked::near}, {"decoders", "even-pairs", Asked::near},
                           {"encoders", "first", Asked::far},       {"encoders", "last", Asked::far},
                           {"encoders", "before", Asked::far},      {"encoders", "needle", Asked::far},
                           {"encoders", "sort", Asked::far},        {"decoders", "needle", Asked::far},
                           {"decoders", "before", Asked::far},      {"encoders", "reverse", Asked::mirrored}};

// The places of values in ascending order; equal ones share the mean of theirs.
std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<double> all;
  for (const double value : values) {
    double below = 0, equal = 0;
    for (const double other : values) {
      below += other < value;
      equal += other == value;
    }
    all.push_back(below + (equal - 1) / 2);
  }
  return all;
}

double correlation(const std::vector<double>& x, const std::vector<double>& y) {
  double xy = 0, xx = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double a = x[i] - mean(x), b = y[i] - mean(y);
    xy += a * b;
    xx += a * a;
    yy += b * b;
  }
  return xy / std::sqrt(xx * yy);
}

class ThirdStage {
 public:
  int table() const {
    std::string part;
    for (const Spectrum& one : all_) {
      head_part(one, part);
      std::cout << in_words(one) << '\n';
    }
    for (const int width : {32, 64}) predictions(width);
    std::cout
        << "\nrank correlation of what is kept at 48 tokens with the turns of the farthest unfinished clock there\n";
    for (const Asked& one : asked) {
      std::vector<double> turns, kept;
      for (const Spectrum& spectrum : all_)
        if (spectrum.part == str(one.model, "-32") && spectrum.task == one.task &&
            spectrum.scheme != "none") {
          turns.push_back(unfinished_turns(spectrum, 48));
          kept.push_back(spectrum.best().at(48));
        }
      std::cout << "  " << one.model << ' ' << one.task << ": "
                << fixed(correlation(ranks(turns), ranks(kept)), 2) << '\n';
    }
    write_file_atomically(here + "tasks.svg", svg_document(picture()));
    return 0;
  }

 private:
  const AtRate* find(const std::string& part, const std::string& task, const std::string& scheme) const {
    for (const Spectrum& one : all_)
      if (one.part == part && one.task == task && one.scheme == scheme) return &one.best();
    return nullptr;
  }

  // Mean over the seeds that both have: the first three, or ten.
  static double gain(const AtRate& one, const AtRate& plain, int length) {
    const std::vector<double>&a = one.accuracy.at(length), &b = plain.accuracy.at(length);
    double sum = 0;
    const std::size_t seeds = std::min(a.size(), b.size());
    for (std::size_t n = 0; n < seeds; ++n) sum += a[n] - b[n];
    return sum / static_cast<double>(seeds);
  }

  // What stopping clocks gains over plain RoPE, and what it costs at the trained length.
  void predictions(int width) const {
    std::cout << "\nwidth " << width
              << ", more than plain RoPE at 48 tokens with clocks 1; 1 and 2; 2 and 3; 4 to 7 stopped;"
              << " with 1 and 2 at 12 tokens, and steps; with 4 to 7 at 12 and 24\n";
    for (const Asked& one : asked) {
      const std::string part = str(one.model, '-', width);
      const AtRate* plain = find(part, one.task, "rope");
      if (!plain) continue;
      std::cout << "  " << one.model << ' ' << one.task << ':';
      const auto more = [&](const char* pairs, int length) {
        const AtRate* stopped = find(part, one.task, str("rope:still=", pairs));
        std::cout << ' ' << (stopped ? fixed(gain(*stopped, *plain, length), 3) : "-");
      };
      for (const char* pairs : {"1", "1/2", "2/3", "4/5/6/7"}) more(pairs, 48);
      std::cout << " |";
      more("1/2", 12);
      const AtRate* gap = find(part, one.task, "rope:still=1/2");
      for (const AtRate* at : {plain, gap})
        std::cout << ' ' << at->steps.size() << '@' << (at->steps.empty() ? "-" : fixed(mean(at->steps), 0));
      std::cout << " |";
      more("4/5/6/7", 12);
      more("4/5/6/7", 24);
      std::cout << '\n';
    }
  }

  // What a spectrum has more than plain RoPE at 48 tokens, by seed, mean of the tasks of this kind; width 32.
  std::vector<double> gains(const std::string& scheme, decltype(Asked::kind) kind) const {
    std::vector<double> sum(3);
    double tasks = 0;
    for (const Asked& one : asked) {
      const std::string part = str(one.model, "-32");
      if (one.kind != kind) continue;
      const AtRate *plain = find(part, one.task, "rope"), *other = find(part, one.task, scheme);
      for (std::size_t seed = 0; seed < sum.size(); ++seed)
        sum[seed] += other->accuracy.at(48)[seed] - plain->accuracy.at(48)[seed];
      ++tasks;
    }
    for (double& each : sum) each /= tasks;
    return sum;
  }

  Figure picture() const {
    const PlotArea area{.left = 64,
                        .right = 700,
                        .top = 96,
                        .bottom = 400,
                        .x = {1.0 / 64, 16},
                        .y = {-0.25, 0.5},
                        .log_x = true};
    Drawing drawing;
    drawing.heading("Far tasks gain most where no unfinished clock passes half a turn", title_size, padding,
                    padding, 700);
    drawing.text(
        {area.left, area.top - 14},
        "right answers at 48 tokens, trained at 12, more than plain RoPE; a mark: one spectrum, three seeds",
        {.colour = pale_ink});
    draw_y_axis(drawing, area, {-0.25, 0, 0.25, 0.5}, {"-0.25", "0", "+0.25", "+0.5"});
    draw_x_axis(drawing, area, {1.0 / 64, 1.0 / 16, 1.0 / 4, 1, 4, 16},
                "turns that its farthest unfinished clock has made at 48 tokens");
    draw_half_turn(drawing, area);
    const auto mark = [&](const std::string& scheme, double turns, std::size_t form,
                          decltype(Asked::kind) kind) {
      const std::vector<double> seeds = gains(scheme, kind);
      const double x = std::clamp(turns, 1.0 / 64, 16.0) * (form == 0 ? 0.98 : 1.02);
      drawing.line(area.at(x, smallest(seeds)), area.at(x, largest(seeds)), {.colour = series_colour(form)});
      drawing.shape(area.at(x, mean(seeds)), form, series_colour(form), "#ffffff",
                    str(scheme, ": ", fixed(mean(seeds), 2)));
    };
    const char* names[] = {"seven far tasks: first, last, needle ...",
                           "four near tasks: previous, even-pairs ..."};
    for (const std::size_t form : {0, 1}) {
      const double x = area.left + 260 * static_cast<double>(form);
      drawing.shape({x + 6, area.top - 34}, form, series_colour(form), "#ffffff", "");
      drawing.text({x + 16, area.top - 30}, names[form], {});
      for (const Spectrum& one : all_)
        if (one.part == "decoders-32" && one.task == "needle" && one.scheme != "none")
          mark(one.scheme, unfinished_turns(one, 48), form, form == 0 ? Asked::far : Asked::near);
    }
    return {.title = "What spectra keep of far and near tasks, beside plain RoPE",
            .width = 720,
            .height = 450,
            .body = drawing.take()};
  }

  const std::vector<Spectrum> all_ = read_spectra("tasks.tsv");
};

}  // namespace

}  // namespace locus

int main(int count, char** words) {
  try {
    const std::vector<std::string> given(words + 1, words + count);
    if (given.empty()) return locus::table();
    if (given == std::vector<std::string>{"tasks"}) return locus::ThirdStage().table();
    if (given[0] == "collect" && count > 2) return locus::collect({given.begin() + 1, given.end()}), 0;
    std::cerr << "usage: spectra [tasks | collect FOLDER...]\n";
    return 2;
  } catch (const std::exception& problem) {
    std::cerr << "spectra: " << problem.what() << '\n';
    return 1;
  }
}
