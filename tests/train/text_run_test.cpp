#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "../support/errors.h"
#include "../support/sample_text.h"
#include "../support/temporary_folder.h"
#include "../support/tiny_run.h"
#include "autograd/ops.h"
#include "examine/answer.h"
#include "examine/minimal_pairs.h"
#include "examine/shuffled_context.h"
#include "tasks/support/text_task.h"

using namespace locus;

namespace {

struct TextFolder : TemporaryFolder {
  TextFolder() { write_file_atomically(path + "/sample.txt", sample_text()); }

  RunSettings settings(ModelKind kind, std::string scheme = "learned", std::string tokens = "char") const {
    RunSettings s;
    s.dataset = path + "/sample.txt";
    s.text.tokens = std::move(tokens);
    s.model.scheme = std::move(scheme);
    s.model.kind = kind;
    s.model.layers = 1;
    if (!is_recurrent(kind)) s.model.heads = 2;
    s.model.d_model = 8;
    s.train.steps = 12;
    s.train.batch = 13;
    s.train.lengths = {8, 8};
    s.test_lengths = {8, 24};
    s.test_examples = 40;
    return complete(s);
  }
};

}  // namespace

TEST_CASE("text: a vocabulary that is not the one of the text is refused") {
  const TextFolder folder;
  Training training(folder.settings(ModelKind::decoder));
  training.to_the_end();
  checkpoint_bytes(folder.path, training);
  const Checkpoint saved = read_checkpoint(folder.path);
  CHECK(error_of([&] { run_of(saved, saved.settings); }) == "no error");
  const auto refused = [](const Checkpoint& changed) {
    return error_of([&] {
             run_of(changed, changed.settings);
           }).find("its vocabulary is not that of 'sample', which has not changed") != std::string::npos;
  };
  Checkpoint reversed = saved, renamed = saved, other_reading = saved, shorter = saved;
  std::ranges::reverse(reversed.alphabet);
  renamed.alphabet[2] = "Z";
  other_reading.settings.text.tokens = "word";
  shorter.alphabet.erase(shorter.alphabet.begin());
  for (const Checkpoint& changed : {reversed, renamed, other_reading, shorter}) CHECK(refused(changed));
}

TEST_CASE("text: a decoder predicts the next token, an encoder the hidden ones") {
  const TextFolder folder;
  const Run decoder(folder.settings(ModelKind::decoder)), encoder(folder.settings(ModelKind::encoder));
  const auto windows = decoder.task().test_set(8, 5);
  const Batch next = decoder.batcher().batch(windows), hidden = encoder.batcher().batch(windows);
  CHECK(next.length == 8);
  CHECK(hidden.length == 8);
  const int mask = encoder.batcher().vocabulary() - 1;
  int scored = 0;
  for (std::size_t i = 0; i < next.tokens.size(); ++i) {
    CHECK(next.targets[i] == windows[i / 8].target[i % 8]);
    const bool is_hidden = hidden.tokens[i] == mask;
    CHECK(hidden.targets[i] == (is_hidden ? next.tokens[i] : not_scored));
    if (!is_hidden) CHECK(hidden.tokens[i] == next.tokens[i]);
    scored += is_hidden;
  }
  CHECK(scored >= 5);  // one in each window at least
}

TEST_CASE("text: the loss of a test is the cross-entropy of its windows, whatever the threads") {
  const TextFolder folder;
  for (const ModelKind kind : {ModelKind::decoder, ModelKind::encoder, ModelKind::gru}) {
    const RunSettings settings = folder.settings(kind, kind == ModelKind::gru ? "none" : "learned");
    Training one(settings), three(settings, 3);
    one.to_the_end();
    three.to_the_end();
    CHECK(checkpoint_bytes(folder.path, one) == checkpoint_bytes(folder.path, three));
    const Real* parameters = one.trainer.parameters().data();
    const std::string line =
        to_string(to_json(result_of(one.run, one.trainer, one.run.test(parameters, one.pool))));
    CHECK(line ==
          to_string(to_json(result_of(three.run, three.trainer, three.run.test(parameters, three.pool)))));
    CHECK(to_string(to_json(read_result(parse_json(line, "line"), "line"))) == line);

    const LengthScore score = one.run.test(8, parameters, one.pool);
    REQUIRE(score.score.text);
    const Batch batch = one.run.batcher().batch(one.run.task().test_set(8, 40));
    Tape tape(parameters);
    const Tensor logits = one.run.model().logits(tape, inputs_at_test(tape, batch.tokens, batch.length));
    Real scored = 0;
    for (const int target : batch.targets) scored += target != not_scored;
    CHECK(score.score.text->loss ==
          doctest::Approx(*cross_entropy(logits, batch.targets, scored).value()).epsilon(1e-4));
    CHECK(score.score.text->by_position.size() == 8);
    CHECK(score.text->bigram.has_value() == (kind != ModelKind::encoder));
  }
}

TEST_CASE("text: the sliding loss is the mean of the second halves of the windows") {
  const TextFolder folder;
  Training training(folder.settings(ModelKind::decoder));
  training.to_the_end();
  const auto loss = training.run.test(8, training.trainer.parameters().data(), training.pool).score.text;
  REQUIRE(loss);
  double all = 0, half = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    all += loss->by_position[i] / 8;
    half += i >= 4 ? loss->by_position[i] / 4 : 0;
  }
  CHECK(loss->loss == doctest::Approx(all));
  CHECK(loss->sliding == doctest::Approx(half));
}

TEST_CASE("text: a run refuses a text that was moved or changed its tokens") {
  const TextFolder folder;
  Training training(folder.settings(ModelKind::decoder));
  training.to_the_end();
  checkpoint_bytes(folder.path, training);
  const Checkpoint saved = read_checkpoint(folder.path);
  CHECK(task_change(saved, task_of(saved.settings, saved.alphabet)).empty());
  RunSettings moved = saved.settings;
  moved.dataset = folder / "gone.txt";
  CHECK(error_of([&] { run_of(saved, moved); }).find("gone.txt is not there. Hint: say where it is now") !=
        std::string::npos);
  write_file_atomically(folder / "other.txt", sample_text() + "more\n");
  moved.dataset = folder / "other.txt";
  CHECK(task_change(saved, task_of(moved, saved.alphabet)).find("has changed since training") !=
        std::string::npos);
}

TEST_CASE("text: a decoder continues what it is asked") {
  const TextFolder folder;
  Training training(folder.settings(ModelKind::decoder));
  const Run& run = training.run;
  const Answer answer = ask(run, training.trainer.parameters().data(), read_tokens(run.task(), "a1 b"));
  CHECK(answer.read.size() == 4 + continuation);
  CHECK(answer.tokens.size() >= continuation);
  CHECK(!answer.target);
}

TEST_CASE("text: an encoder without positions cannot prefer one of two orders") {
  const TextFolder folder;
  write_file_atomically(folder / "pairs.tsv",
                        "# pairs\na1 b2\tb2 a1\tswap\t1\nc3 d0 a1.\ta1 d0 c3.\tfar\t2\n");
  for (const std::string tokens : {"char", "word"})
    for (const std::string scheme : {"none", "learned"}) {
      Training training(folder.settings(ModelKind::encoder, scheme, tokens));
      training.to_the_end();
      for (const MinimalPair& pair : read_minimal_pairs(folder / "pairs.tsv", training.run.task())) {
        const double preferred = preference(training.run, training.trainer.parameters().data(), pair);
        if (scheme == "none")
          CHECK(preferred == 0.5);
        else
          CHECK(preferred != 0.5);
      }
    }
}

TEST_CASE("text: a model that computes no number has no preference and no loss") {
  const TextFolder folder;
  write_file_atomically(folder / "pairs.tsv", "a1 b2\tb2 a1\tswap\t1\n");
  const Training training(folder.settings(ModelKind::decoder));
  const Reals broken(training.trainer.parameters().size(), std::numeric_limits<Real>::quiet_NaN());
  const MinimalPair pair = read_minimal_pairs(folder / "pairs.tsv", training.run.task()).front();
  const auto refused = [](auto ask) {
    return error_of(ask).starts_with("[eval] the model computes NaN or infinity for ");
  };
  CHECK(refused([&] { preference(training.run, broken.data(), pair); }));
  Pool pool(1);
  CHECK(refused([&] { shuffled_contexts(training.run, broken.data(), 8, pool); }));
}

TEST_CASE("text: a pair with tokens that the model does not know is marked, not blamed") {
  const TextFolder folder;
  write_file_atomically(folder / "pairs.tsv",
                        "a1 b2\tb2 a1\tknown\t1\nE b2\tb2 E\tone\t1\nE1F\tF1E\tboth\t1\n");
  const Run run(folder.settings(ModelKind::decoder));
  const std::vector<MinimalPair> pairs = read_minimal_pairs(folder / "pairs.tsv", run.task());
  REQUIRE(pairs.size() == 3);
  CHECK(!pairs[0].unknown);
  CHECK(pairs[1].unknown);
  CHECK(pairs[2].unknown);  // both sides are the same tokens to the model, and differ in the file
  write_file_atomically(folder / "same.tsv", "E b2\tE b2\tsame\t1\n");
  CHECK(error_of([&] {
          read_minimal_pairs(folder / "same.tsv", run.task());
        }).find("both texts are the same") != std::string::npos);
}

TEST_CASE("text: unigram beside an encoder is of the hidden tokens") {
  const TextFolder folder;
  Training training(folder.settings(ModelKind::encoder));
  const Run& run = training.run;
  const auto& task = dynamic_cast<const TextTask&>(run.task());
  std::map<int, double> count;
  for (const int token : task.stream(TextPart::train)) ++count[token];
  const double all = static_cast<double>(task.stream(TextPart::train).size() + task.alphabet.size());
  double nats = 0, hidden = 0;
  const Batch batch = run.batcher().batch(task.test_set(8, 40));
  for (std::size_t i = 0; i < batch.tokens.size(); ++i)
    if (batch.targets[i] != not_scored) {
      nats -= std::log((count[batch.targets[i]] + 1) / all);
      ++hidden;
    }
  const auto levels = run.test(8, training.trainer.parameters().data(), training.pool).text;
  CHECK(levels->unigram == doctest::Approx(nats / hidden));
  CHECK(levels->unigram != doctest::Approx(task.text_levels(8, 40)->unigram));
}

TEST_CASE("text: windows are tested at up to eight times the trained length, if they fit") {
  const TextFolder folder;
  RunSettings settings;
  settings.dataset = folder / "sample.txt";
  settings.model.scheme = "none";
  settings.model.kind = ModelKind::decoder;
  settings.train.lengths = {16, 16};
  CHECK(complete(settings).test_lengths == std::vector<int>{16, 32, 64, 128});
  write_file_atomically(folder / "short.txt", sample_text(10));
  settings.dataset = folder / "short.txt";
  settings.train.lengths = {4000, 4000};
  CHECK(error_of([&] { complete(settings); }).find("a window of 4000 tokens is longer than the part") !=
        std::string::npos);
  settings.dataset.clear();
  settings.task = "sort";
  settings.train.lengths = {};
  settings.text.tokens = "word";
  CHECK(error_of([&] { complete(settings); }).find("--tokens says how a text is read, and 'sort' is none") !=
        std::string::npos);
}

TEST_CASE("text: malformed pairs are refused") {
  const TextFolder folder;
  const Run run(folder.settings(ModelKind::decoder));
  const auto refusal = [&](const std::string& bytes) {
    write_file_atomically(folder / "pairs.tsv", bytes);
    return error_of([&] { read_minimal_pairs(folder / "pairs.tsv", run.task()); });
  };
  CHECK(refusal("a b\tb a\tswap\n").find(":1] 2 tabs; there should be 3") != std::string::npos);
  CHECK(refusal("a b\tb a\tswap\tfar\n").find("should be a whole number") != std::string::npos);
  CHECK(refusal("a b\tb c\tswap\t1\n").find("differ in more than the order") != std::string::npos);
  CHECK(refusal("a b\ta b\tswap\t1\n").find("both texts are the same") != std::string::npos);
  CHECK(refusal("# nothing\n").find("no pairs") != std::string::npos);
  CHECK(refusal("# a\t# b\tswap\t1\n").find(":1] a comment, or a pair that begins with '#'?") !=
        std::string::npos);
  CHECK(refusal("a b\tb a\tswap\t1\n# a\ta #\tswap\n").find(":2] 2 tabs; there should be 3") !=
        std::string::npos);

  const std::string pairs =
      "# right\twrong\tkind\tdistance\na b\tb a\tswap\t1\n# a\ta #\tswap\t1\n# a comment\n";
  CHECK(refusal(pairs) == "no error");
  CHECK(read_minimal_pairs(folder / "pairs.tsv", run.task()).size() == 2);
  std::string windows = "\xEF\xBB\xBF";
  for (const char c : pairs.substr(pairs.find('\n') + 1)) windows += c == '\n' ? "\r\n" : std::string(1, c);
  CHECK(refusal(windows) == "no error");
  CHECK(read_minimal_pairs(folder / "pairs.tsv", run.task()).front().right == "a b");
}

TEST_CASE("text: a context that keeps its order loses nothing, and encoders have none") {
  const TextFolder folder;
  Training training(folder.settings(ModelKind::decoder)), threads(folder.settings(ModelKind::decoder), 3);
  training.to_the_end();
  const Real* parameters = training.trainer.parameters().data();
  const auto all = shuffled_contexts(training.run, parameters, 8, training.pool);
  REQUIRE(all.size() == 5);  // 0, 1, 2, 4 and 8 in order
  const auto loss = training.run.test(8, parameters, training.pool).score.text;
  CHECK(all.back().loss == doctest::Approx(loss->by_position[7]).epsilon(1e-6));
  CHECK(all.front().loss != all.back().loss);
  CHECK(all[1].loss == shuffled_contexts(training.run, parameters, 8, threads.pool)[1].loss);
  const Run encoder(folder.settings(ModelKind::encoder));
  CHECK(error_of([&] { shuffled_contexts(encoder, parameters, 8, training.pool); }).find("--model decoder") !=
        std::string::npos);
}
