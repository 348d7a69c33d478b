// The native half of `make playground-check`: trains what numbers.js trains in WebAssembly, and prints the same lines.
// Parameters after 500 steps (as a hash of their bits), accuracies and probabilities (as the bits of doubles), answers.
#include <bit>
#include <cstdio>

#include "playground/lane.h"

namespace {

using namespace locus;

template <class Number>
std::uint64_t hash_of(const Number* first, std::size_t count) {  // FNV-1a over the bytes
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto* bytes = reinterpret_cast<const unsigned char*>(first);
  for (std::size_t i = 0; i < count * sizeof(Number); ++i) hash = (hash ^ bytes[i]) * 0x100000001b3;
  return hash;
}

void print(const char* what, std::uint64_t bits) {
  std::printf(" %s %016llx", what, static_cast<unsigned long long>(bits));
}

void print_numbers(Lane& lane) {
  print("parameters", hash_of(lane.parameters().data(), lane.parameters().size()));
  const bool generates = lane.run().batcher().generates();
  for (const int length : {6, 12, 24})
    print("accuracy", std::bit_cast<std::uint64_t>(lane.test(length, 64).score.accuracy(generates)));
  const Task& task = lane.run().task();
  for (std::size_t i = 0; i < 3; ++i) {
    const Answer answer = lane.answer(task.test_set(12, 128)[i].input);
    std::vector<double> probabilities;
    for (const AnswerToken& token : answer.tokens) probabilities.push_back(token.probability);
    std::printf(" answer %s", spell(answer, lane.run()).c_str());
    print("probabilities", hash_of(probabilities.data(), probabilities.size()));
  }
  std::printf("\n");
}

}  // namespace

int main() {
  for (const bool decoder : {false, true})
    for (const char* task : {"reverse", "sort", "previous"})
      for (const char* scheme : {"none", "sinusoidal", "rope", "rope:still=1/2", "t5"}) {
        Lane lane(task, scheme, decoder ? ModelKind::decoder : ModelKind::encoder, 1);
        lane.train(500);
        std::printf("%s %s %s: step %d", decoder ? "decoder" : "encoder", task, scheme, lane.steps());
        print_numbers(lane);
        if (std::string_view(scheme) != "rope") continue;
        lane.change_scheme("none");  // taken away, trained on, put back
        lane.train(30);
        lane.change_scheme(scheme);
        std::printf("%s %s %s again: step %d", decoder ? "decoder" : "encoder", task, scheme, lane.steps());
        print_numbers(lane);
      }
}
