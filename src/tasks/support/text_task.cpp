#include "tasks/support/text_task.h"

#include <algorithm>

#include "base/error.h"
#include "base/random.h"
#include "base/size.h"
#include "io/file.h"
#include "tasks/support/examples.h"

namespace locus {

namespace {

constexpr std::size_t most_different = 50'000;  // different ones
constexpr int probe_windows = 128;
constexpr const char* part_names[] = {"to train on", "for the validations of training", "to test"};

// Those that occur often enough in the part that is trained on, in the order of their bytes.
Alphabet find_alphabet(const std::string& path, const TextFile& file, int min_count) {
  std::vector<int> count(file.names.size());
  for (const int token : file.of(TextPart::train)) ++count[as_size(token)];
  Alphabet alphabet;
  for (std::size_t token = 0; token < count.size(); ++token)
    if (count[token] > 0 && count[token] >= min_count) alphabet.push_back(file.names[token]);
  std::ranges::sort(alphabet);
  if (alphabet.empty())
    fail_usage(path, str("no token occurs ", min_count, " times in the part that is trained on"),
               "give a smaller --min-count");
  if (alphabet.size() > most_different)
    fail_usage(path, str("it has ", alphabet.size(), " different tokens; the most is ", most_different),
               "make rare ones unknown: --min-count 5; or read characters: --tokens char");
  alphabet.insert(alphabet.end(), {"<unk>", "<mask>"});
  return alphabet;
}

}  // namespace

TextTask::TextTask(const std::string& path, const TextReading& reading, const Alphabet& known)
    : reading_(reading.tokens) {
  TextFile file = read_text_file(path, reading.tokens);
  name = file_stem(path);
  if (name == "." || name == "..")
    fail(path, str("'", name, "' would be the text's name, and is that of a folder"), "rename the file");
  summary = str("the text ", path, ", by ", reading.tokens == "char" ? "characters" : "words");
  form = Form::text;
  fingerprint = file.fingerprint;
  usual_lengths = {64, 64};
  if (reading.tokens == "char") between = "";
  of_file = find_alphabet(path, file, reading.min_count);
  alphabet = known.empty() ? of_file : known;
  for (std::size_t id = 0; id < alphabet.size(); ++id) id_of_[alphabet[id]] = static_cast<int>(id);
  Tokens id_of_name;
  for (const std::string& token : file.names) {
    const auto found = id_of_.find(token);
    id_of_name.push_back(found == id_of_.end() ? unknown() : found->second);
  }
  streams_ = std::move(file.tokens);
  for (Tokens& stream : streams_)
    for (int& token : stream) token = id_of_name[as_size(token)];
  surprisal_ = std::move(file.surprisal[as_size(TextPart::test)]);
  counted_ = std::make_unique<CountingModels>(static_cast<int>(alphabet.size()), stream(TextPart::train),
                                              stream(TextPart::validation));
  const Tokens& start = stream(TextPart::train);
  example.input.assign(start.begin(), start.begin() + std::min<std::ptrdiff_t>(32, std::ssize(start) - 1));
  example.target.assign(start.begin() + 1, start.begin() + std::ssize(example.input) + 1);
}

// A window of `length` tokens, and the one after it, must fit.
void TextTask::require(TextPart part, int length) const {
  const auto most = std::ssize(stream(part)) - 1;
  if (length > most)
    fail_usage(name,
               str("a window of ", length, " tokens is longer than the part of the text ",
                   part_names[as_size(part)], ", in which ", std::max<std::ptrdiff_t>(most, 0), " fit"),
               "choose shorter --train-lengths and --test-lengths, or give a longer text");
}

Example TextTask::window(TextPart part, std::size_t start, int length) const {
  const auto first = stream(part).begin() + static_cast<std::ptrdiff_t>(start);
  return {{first, first + length}, {first + 1, first + length + 1}};
}

std::vector<std::size_t> TextTask::starts(TextPart part, int length, int count) const {
  require(part, length);
  const auto stride = as_size(std::max(1, length / 2));
  const std::size_t all = (stream(part).size() - as_size(length) - 1) / stride + 1,
                    wanted = std::min(all, as_size(count));
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < wanted; ++i) starts.push_back(i * all / wanted * stride);
  return starts;
}

std::span<const Example> TextTask::windows(TextPart part, int length, int count) const {
  const std::lock_guard lock(mutex_);
  std::vector<Example>& kept = kept_[{part, length, count}];
  if (kept.empty())
    for (const std::size_t start : starts(part, length, count)) kept.push_back(window(part, start, length));
  return kept;
}

int TextTask::sample_length(Random& random, const LengthRange& range) const {
  if (!range.only.empty()) return range.only[as_size(random.below(static_cast<int>(range.only.size())))];
  return range.low + random.below(range.high - range.low + 1);
}

Example TextTask::sample(Random& random, int length, Split split) const {
  const TextPart part = split == Split::train ? TextPart::train : TextPart::test;
  require(part, length);
  const int places = static_cast<int>(stream(part).size()) - length;
  return window(part, as_size(random.below(places)), length);
}

std::span<const Example> TextTask::test_set(int length, int count) const {
  return windows(TextPart::test, length, count);
}

std::vector<std::span<const Example>> TextTask::validation_rows(const LengthRange& range) const {
  const int fits = std::min(range.high, static_cast<int>(stream(TextPart::validation).size()) - 1);
  if (fits < 1) return {};
  return {windows(TextPart::validation, fits, probe_windows)};
}

std::optional<int> TextTask::length_from(int least) const {
  const bool fits = least < std::ssize(stream(TextPart::test));
  return fits ? std::optional(std::max(least, 1)) : std::nullopt;
}

std::string TextTask::lengths() const {
  return str("windows of any length: ", stream(TextPart::train).size(), " tokens to train on, ",
             stream(TextPart::validation).size(), " for the validations, ", stream(TextPart::test).size(),
             " to test");
}

std::optional<TextLevels> TextTask::text_levels(int length, int count) const {
  TextLevels levels{.bigram = 0.0};
  const auto pieces = as_size(piece_of(length - 1, length) + 1);
  std::vector<double> floor(pieces), tokens(pieces);
  const std::vector<std::size_t> all = starts(TextPart::test, length, count);
  const double share = 1 / (static_cast<double>(all.size()) * length);
  const Tokens& test = stream(TextPart::test);
  double sum = 0;
  for (const std::size_t start : all)
    for (int i = 0; i < length; ++i) {
      const std::size_t target = start + as_size(i) + 1;
      levels.unigram += share * counted_->unigram(test[target]);
      *levels.bigram += share * counted_->bigram(test[target - 1], test[target]);
      if (surprisal_.empty()) continue;
      const auto piece = as_size(piece_of(i, length));
      floor[piece] += surprisal_[target];
      ++tokens[piece];
      sum += share * surprisal_[target];
    }
  if (surprisal_.empty()) return levels;
  levels.floor = sum;
  for (std::size_t piece = 0; piece < pieces; ++piece)
    levels.floor_by_position.push_back(floor[piece] / tokens[piece]);
  return levels;
}

Tokens TextTask::tokens_of(std::string_view typed) const {
  Tokens tokens;
  const auto add = [&](std::string_view piece) {
    for (const std::string& token : cut_text(piece, reading_)) {
      const auto found = id_of_.find(token);
      tokens.push_back(found == id_of_.end() ? unknown() : found->second);
    }
  };
  constexpr std::string_view mask = "<mask>";
  for (std::size_t at; (at = typed.find(mask)) != typed.npos; typed.remove_prefix(at + mask.size())) {
    add(typed.substr(0, at));
    tokens.push_back(unknown() + 1);
  }
  add(typed);
  return tokens;
}

double TextTask::no_input_baseline(int) const {
  std::map<int, int> count;
  for (const int token : stream(TextPart::test)) ++count[token];
  return static_cast<double>(most_frequent(count).second) /
         static_cast<double>(stream(TextPart::test).size());
}

}  // namespace locus
