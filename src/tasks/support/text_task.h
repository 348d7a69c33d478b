// A plain text (.txt) as a task: examples are windows of as many tokens as one asks for.
//
// The paragraphs of each part of the split (text_file.h) follow one another as one long stream of tokens, and a
// window is any piece of it. To train, windows begin anywhere; to test, they begin every half window. Each
// window comes with its next tokens as the target. (train/batch.h says what an encoder does with it.)
//
// The alphabet: what occurs min_count times or more in the part that is trained on, then <unk> for all other
// tokens, and <mask>, which hides a token from an encoder.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "base/size.h"
#include "tasks/support/counting_models.h"
#include "tasks/support/text_file.h"

namespace locus {

class TextTask final : public Task {
 public:
  // Throws Error as read_text_file, and for more than 50 000 different tokens. `known`: the alphabet of a trained
  // model; tokens that it lacks are <unk>.
  TextTask(const std::string& path, const TextReading& reading, const Alphabet& known = {});

  int sample_length(Random&, const LengthRange&) const override;
  Example sample(Random&, int length, Split) const override;
  // Windows half a window apart, over the whole part; so many of them, evenly apart, when there are more.
  std::span<const Example> test_set(int length, int count) const override;
  // At the longest length, at most 128 windows of the part for the validations.
  std::vector<std::span<const Example>> validation_rows(const LengthRange&) const override;
  std::string lengths() const override;
  std::optional<int> length_from(int least) const override;
  std::optional<TextLevels> text_levels(int length, int count) const override;
  Tokens tokens_of(std::string_view text) const override;
  std::optional<Estimate> order_blind_ceiling(int) const override { return std::nullopt; }
  std::optional<Estimate> mirror_blind_ceiling(int) const override { return std::nullopt; }
  double no_input_baseline(int length) const override;  // of the most frequent token

  Alphabet of_file;  // as this text gives it; `alphabet` may be that of a trained model

  int unknown() const { return static_cast<int>(alphabet.size()) - 2; }
  const Tokens& stream(TextPart part) const { return streams_[as_size(part)]; }
  const CountingModels& counted() const { return *counted_; }

 private:
  std::vector<std::size_t> starts(TextPart part, int length, int count) const;
  Example window(TextPart part, std::size_t start, int length) const;
  std::span<const Example> windows(TextPart part, int length, int count) const;
  void require(TextPart part, int length) const;

  std::string reading_;
  std::map<std::string, int> id_of_;
  std::array<Tokens, text_parts> streams_;
  std::vector<double> surprisal_;  // of the test stream; may be empty
  std::unique_ptr<const CountingModels> counted_;
  mutable std::mutex mutex_;
  mutable std::map<std::tuple<TextPart, int, int>, std::vector<Example>>
      kept_;  // of a part, length and count
};

}  // namespace locus
