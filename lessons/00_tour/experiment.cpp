// Chapter 0: trains the model of whole.cpp, as the learner has left that file, once more with the original codes shuffled,
// and once without codes; then looks at where the heads look.
#include "lessons/tools/experiment.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "base/size.h"
#include "base/text.h"
#include "draw/charts.h"
#include "io/format.h"
#include "io/terminal.h"

// A program of its own; last, because its names are short. It indexes vectors with int.
#define main main_of_whole
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wconversion"  // nor do a learner's lines in code() have to mind
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wreturn-type"  // its main() has another name here
#include "lessons/00_tour/whole.cpp"            // NOLINT
#pragma GCC diagnostic pop
#undef main

namespace locus {

namespace {

// What main() of whole.cpp prints of the digits that are right, and for each head the mean of its weights (T,T) in one more
// batch.
struct Trained {
  std::vector<std::string> right;
  double right_at_the_end = 0;
  std::vector<std::vector<double>> heads;
};

std::vector<double> mean_of_inputs(const ::Tensor& weights) {
  std::vector<double> mean(as_size(T * T));
  for (std::size_t i = 0; i < weights->value.size(); ++i)
    mean[i % mean.size()] += static_cast<double>(weights->value[i]) / B;
  return mean;
}

enum class Codes { yours, shuffled, none };

// The model of whole.cpp with the learner's codes, or with codes that do not depend on what the learner did to code() and to
// THE LINE: positions is 0 then, and the codes are added here.
struct WithCodes : ::Model {
  Codes codes;
  ::Tensor added = tensor({1, T, D});
  explicit WithCodes(Codes which) : codes(which) {
    if (codes != Codes::yours) std::ranges::fill(positions->value, 0.0f);
    for (int i = 0; i < T * D && codes == Codes::shuffled; ++i) {
      const double angle = 5 * (i / D) % T / std::pow(10000, i % D / 2 * 2.0 / D);
      added->value[as_size(i)] = static_cast<float>(i % 2 == 0 ? std::sin(angle) : std::cos(angle));
    }
  }
  ::Tensor embed(const Tokens& tokens) const {
    const ::Tensor x = ::Model::embed(tokens);
    return codes == Codes::yours ? x : x + added;
  }
  ::Tensor logits(const Tokens& tokens) const {
    if (codes == Codes::yours) return ::Model::logits(tokens);
    ::Tensor x = embed(tokens);
    for (const ::Layer& layer : stack) x = layer(x);
    return to_logits(norm(x));
  }
};

Trained train_whole(const std::string& name, Codes codes) {
  generator.seed(1);
  parameters.clear();
  const WithCodes model(codes);
  const bool lively = is_lively_terminal(STDERR_FILENO);
  Trained trained;
  for (int step = 0; step <= steps; ++step) {
    const double right = static_cast<double>(loss_and_right(model, draw()).second);
    if (step % 50 == 0) {
      if (lively) std::cerr << "\r\x1b[K" << name << ", step " << step << std::flush;
      trained.right.push_back(fixed(right, 2));
      trained.right_at_the_end = right;
    }
    backward();
    update(step);
  }
  if (lively) std::cerr << "\r\x1b[K";
  ::Tensor x = model.embed(draw());
  for (const ::Layer& layer : model.stack) {
    const ::Tensor seen = layer.attention_norm(x);
    for (const Head& head : layer.attention) trained.heads.push_back(mean_of_inputs(head.shares(seen)));
    x = layer(x);
  }
  tape.clear();
  return trained;
}

// Whether the learner's file still tells the codes to the model: without THE LINE, other codes change nothing.
bool tells_codes() {
  generator.seed(1);
  parameters.clear();
  const WithCodes model(Codes::yours);
  const Tokens tokens = draw();
  const ::Tensor with = model.embed(tokens);
  for (float& number : model.positions->value) number += 1;
  const bool tells = model.embed(tokens)->value != with->value;
  tape.clear();
  return tells;
}

// In how many channels the learner's codes of two places differ.
int channels_in_use() {
  int used = 0;
  for (int c = 0; c < D; ++c) {
    bool differs = false;
    for (int place = 1; place < T; ++place)
      differs = differs || std::abs(code(place, c) - code(0, c)) > 1e-3f;
    used += differs;
  }
  return used;
}

// "0 and 6, 1 and 7": places that the learner's code() does not tell apart; "none".
std::string places_alike() {
  std::vector<std::string> pairs;
  for (int a = 0; a < T; ++a)
    for (int b = a + 1; b < T; ++b) {
      bool alike = true;
      for (int c = 0; c < D; ++c) alike = alike && std::abs(code(a, c) - code(b, c)) < 1e-3f;
      if (alike) pairs.push_back(str(a, " and ", b));
    }
  if (pairs.size() > 3) {
    const std::size_t more = pairs.size() - 3;
    pairs.resize(3);
    pairs.push_back(str(more, " more"));
  }
  return pairs.empty() ? "none" : join(pairs, ", ");
}

// How much of its weight a head gives to the mirror image, the mean over all tokens.
double to_the_mirror_image(const std::vector<double>& weights) {
  double sum = 0;
  for (int t = 0; t < T; ++t) sum += weights[as_size(t * T + T - 1 - t)];
  return sum / T;
}

std::string name_of_head(std::size_t i) {
  return str("layer ", i / as_size(heads), ", head ", i % as_size(heads));
}

std::string short_name_of_head(std::size_t i) {
  return str("head ", i / as_size(heads), ".", i % as_size(heads));
}

HeatMap map(const std::string& name, const std::vector<double>& weights) {
  HeatMap map;
  map.title = name;
  map.rows = map.columns = as_size(T);
  map.values = weights;
  map.row_axis.label = "position that looks";
  map.column_axis.label = "is looked at";
  map.value_label = "weight";
  map.range = Range{0, 1};
  map.square_cells = true;
  map.width = 215;
  return map;
}

}  // namespace

void experiment() {
  const Trained yours = train_whole("your whole.cpp", Codes::yours),
                shuffled = train_whole("the original, its codes shuffled", Codes::shuffled),
                bag = train_whole("without codes", Codes::none);
  reply(
      shuffled.right_at_the_end,
      "The order of these codes does not matter at this length: training finds out which code is whose. Without codes\n"
      "the model still sees which digits there are, and how often, and no training makes more of such a bag.");
  std::cout << "\nDigits that are right, one seed:\n\n";
  TextTable table({{"step", Align::right},
                   {"your whole.cpp", Align::right},
                   {"original, shuffled", Align::right},
                   {"without codes", Align::right}});
  for (std::size_t i = 0; i < yours.right.size(); ++i)
    table.add_row({str(i * 50), yours.right[i], shuffled.right[i], bag.right[i]});
  std::cout << table.to_text(false) << "\nYour code() differs from place to place in " << channels_in_use()
            << " of " << D << " channels, by 0.001 or more. Places with the same code: " << places_alike()
            << ".\n";
  if (channels_in_use() <= 2 && yours.right_at_the_end > 0.995)
    std::cout << "All digits are right with so few channels"
              << (channels_in_use() == 1 ? ", and fewer are not possible" : "; is one enough?")
              << ". (One seed: `build/whole 2` and `build/whole 3` are others.)\n";
  std::cout << '\n';

  TextTable mirror({{"weight given to the mirror image"},
                    {"your whole.cpp", Align::right},
                    {"original, shuffled", Align::right},
                    {"without codes", Align::right}});
  std::vector<HeatMap> maps;
  for (std::size_t i = 0; i < yours.heads.size(); ++i)
    mirror.add_row({name_of_head(i), fixed(to_the_mirror_image(yours.heads[i]), 2),
                    fixed(to_the_mirror_image(shuffled.heads[i]), 2),
                    fixed(to_the_mirror_image(bag.heads[i]), 2)});
  for (const auto& [model, name] : {std::pair{&yours, ""}, {&shuffled, ", shuffled"}, {&bag, ", bag"}})
    for (std::size_t i = 0; i < model->heads.size(); ++i)
      maps.push_back(map(short_name_of_head(i) + name, model->heads[i]));
  std::cout << mirror.to_text(false);
  constexpr const char* shuffled_are =
      "\nThe second column is the original file, with its codes shuffled. Your guess is of that column.\n";
  if (!tells_codes())
    std::cout
        << "\nTHE LINE is not in your whole.cpp: the model is told no codes. `git checkout lessons/00_tour/whole.cpp`\n"
           "brings it back (keep a copy first, if a code of yours is in the file)."
        << shuffled_are;
  else if (yours.right_at_the_end < bag.right_at_the_end + 0.1)
    std::cout << "\nYour codes are of little use to attention: " << fixed(yours.right_at_the_end, 2)
              << " of the digits are right, without codes " << fixed(bag.right_at_the_end, 2)
              << ".\nThe maps show what it finds all the same." << shuffled_are;
  save_figure("trained_heads",
              heat_maps("Where each head looks: with your codes, with shuffled ones, without any (a bag)",
                        std::move(maps), as_size(layers * heads)));
}

}  // namespace locus
