// What a model makes of an input as it is, without a head, and with two tokens swapped: what the page shows.
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/size.h"
#include "io/format.h"
#include "report/attention/attention.h"

namespace locus {

namespace {

// The test inputs that measure a head for the page: some of them, since the page has all heads.
std::span<const Example> examples_of_page(const Run& run, int length) {
  return run.task().test_set(length, std::min(512, run.settings().test_examples));
}

// The share of right answers to them.
double accuracy_of(const Run& run, const Reals& parameters, int length, Pool& pool) {
  return evaluate(run.model(), parameters.data(), run.batcher(), examples_of_page(run, length),
                  run.draws_at(length), pool)
      .accuracy(run.batcher().generates());
}

// By how much a weight changes at most when tokens a and b of what is read are swapped, and each weight moves along
// with its tokens.
double largest_change(const std::vector<AttentionMap>& before, const std::vector<AttentionMap>& after,
                      std::size_t a, std::size_t b) {
  const auto moved = [&](std::size_t i) { return i == a ? b : i == b ? a : i; };
  double largest = 0;
  for (std::size_t map = 0; map < before.size(); ++map) {
    const auto T = as_size(before[map].length);
    for (std::size_t i = 0; i < T * T; ++i)
      largest = std::max(
          largest, std::abs(before[map].weights[i] - after[map].weights[moved(i / T) * T + moved(i % T)]));
  }
  return largest;
}

// A page holds a number for each weight of each reading. More weights than these make it slow to open.
constexpr std::size_t most_weights = 750'000;

}  // namespace

const Transformer& transformer_of(const Run& run) {
  const auto* transformer = dynamic_cast<const Transformer*>(&run.model());
  if (!transformer)
    fail_usage("attend", str("the model is a ", run.model().settings().kind, ", which has no attention"),
               "train one with --model encoder or decoder");
  return *transformer;
}

std::vector<AttentionMap> maps_of(const Run& run, const Reals& parameters, const Answer& answer) {
  return attention_maps(transformer_of(run), parameters.data(), answer.read,
                        run.batcher().first_answer(static_cast<int>(answer.input.size())));
}

std::vector<InputReading> readings_of(const Run& run, const Reals& parameters, const Tokens& input,
                                      const std::vector<Head>& heads, Pool& pool) {
  const auto read = [&](const std::string& change, const Reals& altered, const Tokens& tokens) {
    InputReading reading{.change = change, .note = "", .answer = ask(run, altered.data(), tokens)};
    reading.maps = maps_of(run, altered, reading.answer);
    std::erase_if(reading.maps,
                  [&](const AttentionMap& map) { return !std::ranges::count(heads, map.head); });
    reading.note = str("Input ", spell(run.task(), tokens), ", answer ", spell(reading.answer, run), ": ",
                       verdict(reading.answer), ".");
    return reading;
  };
  std::vector<InputReading> readings = {read("as it is", parameters, input)};
  const std::size_t shift = run.batcher().generates() ? 1 : 0, T = readings.front().answer.read.size();
  const std::size_t most_readings = std::max<std::size_t>(1, most_weights / (heads.size() * T * T));
  int omitted_at_default = 0, no_numbers = 0;
  // Adds what `change` makes of the model or the input, unless the page is full or there are no numbers.
  const auto add = [&](const std::string& change, const Reals& altered,
                       const Tokens& tokens) -> InputReading* {
    if (readings.size() >= most_readings) {
      ++omitted_at_default;
      return nullptr;
    }
    InputReading reading = read(change, altered, tokens);
    if (reading.answer.no_number || !all_finite(reading.maps)) {
      ++no_numbers;
      return nullptr;
    }
    readings.push_back(std::move(reading));
    return &readings.back();
  };

  const int length = run.settings().test_lengths.front();
  const double whole = accuracy_of(run, parameters, length, pool);
  for (const Head head : heads) {
    Reals altered = parameters;
    transformer_of(run).silence(altered, head.layer, head.head);
    InputReading* now = add(str("without head ", head), altered, input);
    if (!now) continue;
    now->right = accuracy_of(run, altered, length, pool);
    now->note += str(" On ", examples_of_page(run, length).size(), " test inputs of ", length,
                     " tokens the model has ", fixed(whole, 2), " right with this head, ",
                     fixed(*now->right, 2), " without it.");
  }
  readings.front().right = whole;
  for (std::size_t distance = 1; distance < input.size(); ++distance)
    for (std::size_t a = 0; a + distance < input.size(); ++a) {
      const std::size_t b = a + distance;
      Tokens swapped = input;
      std::swap(swapped[a], swapped[b]);
      if (swapped == input) continue;
      InputReading* now = add(str("positions ", a, " and ", b, " swapped"), parameters, swapped);
      if (!now || now->answer.read.size() != T) continue;  // another answer, so another map
      const double change = largest_change(readings.front().maps, now->maps, a + shift, b + shift);
      now->note += change < 1e-5
                       ? " Every weight has moved along with its tokens, and is otherwise unchanged."
                       : str(" Beyond moving along with its tokens, a weight has changed by up to ",
                             fixed(change, 2), ".");
    }
  if (omitted_at_default > 0)
    readings.front().note +=
        str(" To keep the page small, ", omitted_at_default,
            " of the changes are left out: ", "swaps of distant positions first, then silenced heads.");
  if (no_numbers > 0)
    readings.front().note +=
        str(" For ", no_numbers, " changes ", computes_no_number, ": they are left out.");
  return readings;
}

}  // namespace locus
