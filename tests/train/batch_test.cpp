#include "train/batch.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "../support/errors.h"
#include "../support/temporary_folder.h"
#include "autograd/ops.h"
#include "tasks/support/registry.h"
#include "tasks/support/table.h"
#include "train/evaluate.h"

using namespace locus;

namespace {

bool suits(const Task& task, ModelKind kind) {
  return kind != ModelKind::encoder || task.form != Form::generation;
}

// Calls check(task, batcher) for every task with every model that can do it.
template <class Check>
void for_each_encoding(Check check) {
  for (const Task* task : all_tasks())
    for (const ModelKind kind : all_model_kinds) {
      if (!suits(*task, kind)) continue;
      CAPTURE(task->name);
      CAPTURE(to_string(kind));
      check(*task, Batcher(*task, kind));
    }
}

// Knows the right answer to every input, and nothing else: it sees only the tokens that a model reads, and at
// each place of a decoder only those up to there.
class Oracle {
 public:
  Oracle(const Task& task, const Batcher& batcher, std::span<const Example> examples)
      : task_(task), generates_(batcher.generates()) {
    for (const auto& [input, target] : examples) target_of_[input] = target;
  }

  std::vector<int> answers(const Batch& batch) const {
    std::vector<int> all;
    for (int example = 0; example < batch.examples; ++example) {
      const auto start = batch.tokens.begin() + std::ptrdiff_t{example} * batch.length;
      const Tokens read(start, start + batch.length);
      if (generates_) {
        for (std::size_t place = 1; place <= read.size(); ++place)
          all.push_back(next_token({read.begin(), read.begin() + static_cast<std::ptrdiff_t>(place)}));
      } else {
        const Tokens& target = target_of_.at(read);
        all.insert(all.end(), target.begin(), target.end());
      }
    }
    return all;
  }

 private:
  // After BOS x SEP y0 ... yk: the next of the target, or EOS.
  int next_token(const Tokens& so_far) const {
    const int BOS = static_cast<int>(task_.alphabet.size()), SEP = BOS + 1, EOS = BOS + 2;
    const auto separator = std::find(so_far.begin(), so_far.end(), SEP);
    if (so_far.front() != BOS || separator == so_far.end()) return BOS;  // nothing to say yet
    const Tokens& target = target_of_.at({so_far.begin() + 1, separator});
    const auto given = static_cast<std::size_t>(so_far.end() - separator - 1);
    return given < target.size() ? target[given] : EOS;
  }

  const Task& task_;
  bool generates_;
  std::map<Tokens, Tokens> target_of_;
};

}  // namespace

TEST_CASE(
    "batch: every token and target is one of the vocabulary, and no example is without a scored answer") {
  for_each_encoding([](const Task& task, const Batcher& batcher) {
    const int length = *task.length_from(7);
    const auto examples = task.test_set(length, 20);
    const Batch batch = batcher.batch(examples);
    REQUIRE(batch.examples == std::ssize(examples));
    REQUIRE(std::ssize(batch.tokens) == batch.examples * batch.length);
    CHECK(batch.length <= batcher.model_length(length));
    CHECK(batcher.vocabulary() == static_cast<int>(task.alphabet.size()) + (batcher.generates() ? 3 : 0));
    CHECK(batch.answers() == (batcher.pooled() ? 1 : batch.length));
    for (const int token : batch.tokens) CHECK((token >= 0 && token < batcher.vocabulary()));
    for (const int target : batch.targets)
      CHECK((target == not_scored || (target >= 0 && target < batcher.vocabulary())));
    for (int example = 0; example < batch.examples; ++example) {
      const auto first = batch.targets.begin() + std::ptrdiff_t{example} * batch.answers();
      CHECK(std::count(first, first + batch.answers(), not_scored) < batch.answers());
    }
  });
}

TEST_CASE("batch: an encoder reads the input as it is and is scored on the target, place by place") {
  const Task& sort = find_task("sort");
  const std::vector<Example> examples = {{{3, 1, 2}, {1, 2, 3}}, {{9, 0, 0}, {0, 0, 9}}};
  const Batch batch = Batcher(sort, ModelKind::encoder).batch(examples);
  CHECK(batch.length == 3);
  CHECK(batch.tokens == Tokens{3, 1, 2, 9, 0, 0});
  CHECK(batch.targets == Tokens{1, 2, 3, 0, 0, 9});
}

TEST_CASE("batch: a decoder reads BOS x SEP y and answers y EOS from SEP on; padding is never scored") {
  const Task& unique = find_task("unique");
  const int BOS = 10, SEP = 11, EOS = 12, no = not_scored;
  const std::vector<Example> examples = {{{3, 1, 3}, {3, 1}}, {{5, 5, 5}, {5}}, {{7, 8, 9}, {7, 8, 9}}};
  const Batcher batcher(unique, ModelKind::decoder);
  const Batch batch = batcher.batch(examples);
  CHECK(batch.length == 8);
  CHECK(batch.tokens == Tokens{BOS, 3, 1, 3, SEP, 3, 1,   EOS,  //
                               BOS, 5, 5, 5, SEP, 5, EOS, EOS,  //
                               BOS, 7, 8, 9, SEP, 7, 8,   9});
  CHECK(batch.targets == Tokens{no, no, no, no, 3, 1,   EOS, no,  //
                                no, no, no, no, 5, EOS, no,  no,  //
                                no, no, no, no, 7, 8,   9,   EOS});
  CHECK(batcher.prompt({3, 1, 3}) == Tokens{BOS, 3, 1, 3, SEP});
  CHECK(batcher.end() == EOS);
  CHECK(std::vector(batcher.names().end() - 3, batcher.names().end()) ==
        std::vector<std::string>{"BOS", "SEP", "EOS"});
}

TEST_CASE("batch: a recurrent model does as an encoder, and generates where an encoder cannot answer") {
  for (const Task* task : all_tasks())
    for (const ModelKind kind : {ModelKind::rnn, ModelKind::gru}) {
      const Batcher batcher(*task, kind);
      const auto like = batcher.generates() ? ModelKind::decoder : ModelKind::encoder;
      CHECK(batcher.generates() == (task->form == Form::generation));
      CHECK(batcher.pooled() == (task->form == Form::classification));
      const auto examples = task->test_set(*task->length_from(5), 3);
      CHECK(batcher.batch(examples).tokens == Batcher(*task, like).batch(examples).tokens);
      CHECK(batcher.batch(examples).targets == Batcher(*task, like).batch(examples).targets);
    }
}

TEST_CASE("batch: an encoder cannot be given a generation task") {
  CHECK_THROWS_WITH_AS(Batcher(find_task("unique"), ModelKind::encoder),
                       "[model] 'unique' asks for answers of any length, which an encoder cannot give. Hint: "
                       "use --model decoder, rnn or gru",
                       UsageError);
}

TEST_CASE(
    "batch: what a decoder may have to read follows from the longest target, also one longer than its "
    "input") {
  const TemporaryFolder folder;
  std::string rows;
  for (int i = 0; i < 60; ++i)
    rows += str("say w", i, "\tw", i, " w", i, " w", i, i == 30 ? " and again" : "", "\n");
  write_file_atomically(folder / "echo.tsv", rows);
  const Table echo(folder / "echo.tsv");
  const Batcher batcher(echo, ModelKind::decoder);
  CHECK(batcher.model_length(2) == 2 + 2 + 5);
  CHECK(Batcher(find_task("sort"), ModelKind::decoder).model_length(7) == 7 + 2 + 7);
  CHECK(Batcher(find_task("before"), ModelKind::decoder).model_length(7) == 7 + 2 + 1);
  CHECK(Batcher(find_task("before"), ModelKind::encoder).model_length(7) == 7);
}

TEST_CASE("batch: an oracle scores exactly 1 on every task, with either model") {
  for_each_encoding([](const Task& task, const Batcher& batcher) {
    for (const int at_least : {5, 9}) {
      const auto examples = task.test_set(*task.length_from(at_least), 200);
      const Batch batch = batcher.batch(examples);
      const Counts counts = count_right(batch, Oracle(task, batcher, examples).answers(batch), batcher.end());
      CHECK(counts.exact == batch.examples);
      CHECK(counts.right == counts.answers);
      std::size_t answers = 0;
      for (const Example& example : examples) answers += example.target.size();
      CHECK(counts.answers == static_cast<int>(answers));
    }
  });
}

TEST_CASE("batch: an oracle that errs once loses that answer and that example, no more") {
  for_each_encoding([](const Task& task, const Batcher& batcher) {
    const auto examples = task.test_set(*task.length_from(6), 10);
    const Batch batch = batcher.batch(examples);
    const std::vector<int> right = Oracle(task, batcher, examples).answers(batch);
    for (std::size_t place = 0; place < right.size(); ++place) {
      std::vector<int> answers = right;
      answers[place] = (answers[place] + 1) % batcher.vocabulary();
      const Counts counts = count_right(batch, answers, batcher.end());
      const int target = batch.targets[place], lost = target != not_scored;
      CHECK(counts.exact == batch.examples - lost);
      CHECK(counts.right == counts.answers - (lost && !(batcher.generates() && target == batcher.end())));
    }
  });
}
