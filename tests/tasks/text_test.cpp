#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <map>
#include <set>

#include "../support/errors.h"
#include "../support/sample_text.h"
#include "../support/temporary_folder.h"
#include "base/random.h"
#include "tasks/support/text_task.h"

using namespace locus;

namespace {

struct Texts : TemporaryFolder {
  std::string with(const std::string& bytes, const std::string& name = "sample.txt") const {
    const std::string file = *this / name;
    write_file_atomically(file, bytes);
    return file;
  }
  // The message about a text, its path written FILE.
  std::string refusal(const std::string& bytes, const TextReading& reading = {}) const {
    const std::string file = with(bytes);
    std::string message = error_of([&] { const TextTask task(file, reading); });
    for (auto at = message.find(file); at != message.npos; at = message.find(file))
      message.replace(at, file.size(), "FILE");
    return message;
  }
};

}  // namespace

TEST_CASE("text: bad texts are refused with a clear word each") {
  const Texts texts;
  CHECK(texts.refusal("").starts_with("[FILE] the text is empty"));
  CHECK(texts.refusal("\n\n  \n").starts_with("[FILE] the text is empty"));
  CHECK(texts.refusal("one line\n").starts_with("[FILE] the text is one paragraph"));
  CHECK(texts.refusal("no newline").starts_with("[FILE] the text is one paragraph"));
  CHECK(texts.refusal("two\n\nparagraphs").find("paragraphs none is left") != std::string::npos);
  CHECK(texts.refusal(std::string("a\n\nb\0c\n", 7)).starts_with("[FILE:3] a NUL byte"));
  CHECK(texts.refusal("a\n\nb\xFF\n").starts_with("[FILE:3] byte 2 of the line is not UTF-8"));
  CHECK(texts.refusal("a\n\nb\x07\n").starts_with("[FILE:3] a control character (code 7) at byte 2"));
  CHECK(texts.refusal(std::string(100'000'000, 'a')).find("64") != std::string::npos);
  CHECK(texts.refusal(sample_text(), {.tokens = "syllable"}).find("char or word") != std::string::npos);
  CHECK(texts.refusal(sample_text(), {.min_count = 1'000'000}).find("smaller --min-count") !=
        std::string::npos);

  const TextTask task(texts.with(sample_text()), {});
  const std::string long_window = error_of([&] { task.test_set(100'000, 10); });
  CHECK(long_window.starts_with(
      "[sample] a window of 100000 tokens is longer than the part of the text to test"));
}

TEST_CASE("text: a paragraph is on one side of the split, wherever it stands") {
  const Texts texts;
  const std::string sample = sample_text();
  const TextFile once = read_text_file(texts.with(sample), "char"),
                 twice = read_text_file(texts.with(sample + sample), "char");
  CHECK(twice.paragraphs == 2 * once.paragraphs);
  for (const TextPart part : {TextPart::train, TextPart::validation, TextPart::test}) {
    CHECK(once.of(part).size() > 0);
    CHECK(twice.of(part).size() == 2 * once.of(part).size());
  }
  CHECK(once.of(TextPart::train).size() > 2 * once.of(TextPart::test).size());
}

TEST_CASE("text: line ends of another system, a byte order mark and a missing last line end change nothing") {
  const Texts texts;
  const std::string sample = sample_text();
  std::string windows = "\xEF\xBB\xBF";
  for (const char c : sample) windows += c == '\n' ? "\r\n" : std::string(1, c);
  const TextTask plain(texts.with(sample), {}), other(texts.with(windows), {}),
      cut(texts.with(sample.substr(0, sample.size() - 2)), {});
  CHECK(plain.fingerprint == other.fingerprint);
  CHECK(plain.fingerprint == cut.fingerprint);
  CHECK(plain.stream(TextPart::test) == other.stream(TextPart::test));
  CHECK(TextTask(texts.with(sample + "x\n"), {}).fingerprint != plain.fingerprint);
}

TEST_CASE("text: words, characters, and rare ones that are unknown") {
  const Texts texts;
  CHECK(cut_text("It's 3.5 m\n", "word") == std::vector<std::string>{"It's", "3", ".", "5", "m", "⏎"});
  CHECK(cut_text("é a\n", "char") == std::vector<std::string>{"é", "␣", "a", "⏎"});
  const std::string path = texts.with(sample_text() + "q9\n\nq8\n\nq7\n\nq6\n\nq5\n\nq4\n\nq3\n");
  const TextTask all(path, {.tokens = "word"}), frequent(path, {.tokens = "word", .min_count = 2});
  CHECK(frequent.alphabet.size() < all.alphabet.size());
  CHECK(frequent.tokens_of("never a1") == Tokens{frequent.unknown(), frequent.tokens_of("a1")[0]});
  CHECK(frequent.tokens_of("a1<mask>a1")[1] == frequent.unknown() + 1);
  CHECK(spell(all, all.tokens_of("a1 b2.")) == "a1 b2 .");
  CHECK(spell(TextTask(path, {}), TextTask(path, {}).tokens_of("a1 b2.")) == "a1␣b2.");
}

TEST_CASE("text: a token is a number, and each different one is kept once") {
  const Texts texts;
  const std::string sample = sample_text() + "é\tz\n";
  for (const char* tokens : {"char", "word"}) {
    const TextFile file = read_text_file(texts.with(sample), tokens);
    CHECK(std::set(file.names.begin(), file.names.end()).size() == file.names.size());
    const std::vector<std::string> cut = cut_text(sample, tokens);
    CHECK(std::set(cut.begin(), cut.end()) == std::set(file.names.begin(), file.names.end()));
    std::map<std::string, int> count;
    for (const std::string& token : cut) ++count[token];
    for (const auto& part : file.tokens)
      for (const int token : part) --count[file.names[static_cast<std::size_t>(token)]];
    count["⏎"] = 0;  // blank lines are counted otherwise at the end of the text
    CHECK(std::ranges::all_of(count, [](const auto& one) { return one.second == 0; }));
  }
}

TEST_CASE("text: a text that memory cannot hold is refused before it is cut") {
  const Texts texts;
  const std::string path = texts.with(std::string(30'000'000, 'a') + "\n\nb\n\nc\n");
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit little{300'000'000, 300'000'000};
    ::setrlimit(RLIMIT_AS, &little);
    const std::string said = error_of([&] { read_text_file(path, "char"); });
    ::_exit(said.find("] a text of 30 MB needs about 360 MB") == said.npos);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(status == 0);
}

TEST_CASE("text: a window is a piece of the stream, and its target the same one token later") {
  const Texts texts;
  const TextTask task(texts.with(sample_text()), {});
  const Tokens& test = task.stream(TextPart::test);
  const auto windows = task.test_set(16, 100'000);
  CHECK(windows.size() == (test.size() - 17) / 8 + 1);
  for (std::size_t i = 0; i < windows.size(); ++i)
    for (std::size_t at = 0; at < 16; ++at) {
      REQUIRE(windows[i].input[at] == test[8 * i + at]);
      REQUIRE(windows[i].target[at] == test[8 * i + at + 1]);
    }
  CHECK(task.test_set(16, 5).size() == 5);
  Random random(1, Purpose::testing);
  for (int i = 0; i < 50; ++i) {
    const Example drawn = task.sample(random, 20, Split::train);
    CHECK(drawn.input.size() == 20);
    const Tokens& all = task.stream(TextPart::train);
    CHECK(std::search(all.begin(), all.end(), drawn.input.begin(), drawn.input.end()) != all.end());
  }
}

// A second computation: counts of strings in maps, over the text of each part.
TEST_CASE("text: unigram and bigram losses are those of a second count") {
  const Texts texts;
  const std::string path = texts.with(sample_text());
  const TextTask task(path, {});
  const TextFile file = read_text_file(path, "char");
  const auto strings = [&](TextPart part) {
    std::vector<std::string> tokens;
    for (const int token : file.of(part)) tokens.push_back(file.names[static_cast<std::size_t>(token)]);
    return tokens;
  };
  const std::vector<std::string> train = strings(TextPart::train), test = strings(TextPart::test);
  std::map<std::string, double> one, followed;
  std::map<std::string, double> two;
  for (std::size_t i = 0; i < train.size(); ++i) {
    one[train[i]] += 1;
    if (i + 1 < train.size()) {
      followed[train[i]] += 1;
      two[train[i] + " " + train[i + 1]] += 1;
    }
  }
  const double k = task.counted().strength(), N = static_cast<double>(train.size()),
               V = static_cast<double>(task.alphabet.size());
  const int length = 8;
  double unigram = 0, bigram = 0, count = 0;
  for (std::size_t start = 0; start + length + 1 <= test.size(); start += length / 2)
    for (std::size_t i = start + 1; i <= start + length; ++i) {
      const double alone = (one[test[i]] + 1) / (N + V);
      unigram -= std::log(alone);
      bigram -= std::log((two[test[i - 1] + " " + test[i]] + k * alone) / (followed[test[i - 1]] + k));
      ++count;
    }
  const auto levels = task.text_levels(length, 1'000'000);
  REQUIRE(levels);
  CHECK(levels->unigram == doctest::Approx(unigram / count));
  CHECK(*levels->bigram == doctest::Approx(bigram / count));
  CHECK(*levels->bigram < levels->unigram);
  CHECK(!levels->floor);
}

TEST_CASE("text: probabilities of the counting models sum to 1") {
  const std::vector<int> train = {0, 1, 2, 0, 1, 1, 3, 0}, validation = {0, 1, 0, 2};
  const CountingModels models(5, train, validation);
  double alone = 0;
  for (int v = 0; v < 5; ++v) alone += std::exp(-models.unigram(v));
  CHECK(alone == doctest::Approx(1));
  for (int before = 0; before < 5; ++before) {
    double after = 0;
    for (int v = 0; v < 5; ++v) after += std::exp(-models.bigram(before, v));
    CHECK(after == doctest::Approx(1));
  }
}

TEST_CASE("text: the surprisal beside a generated text must fit it") {
  const Texts texts;
  const std::string sample = sample_text(), path = texts.with(sample);
  std::string symbols = "# a=0.5\n";
  for (const char c : sample) symbols += c == '\n' ? ".\n" : "a";
  const auto refusal = [&](const std::string& bytes) {
    texts.with(bytes, "sample.surprisal");
    return error_of([&] { const TextTask task(path, {}); });
  };
  CHECK(refusal(symbols) == "no error");
  std::string windows = "\xEF\xBB\xBF";
  for (const char c : symbols) windows += c == '\n' ? "\r\n" : std::string(1, c);
  CHECK(refusal(windows) == "no error");
  const TextTask task(path, {});
  const auto levels = task.text_levels(16, 1'000'000);
  REQUIRE(levels->floor);
  double nats = 0, count = 0;
  for (const Example& window : task.test_set(16, 1'000'000))
    for (const int target : window.target) {
      nats += task.alphabet[static_cast<std::size_t>(target)] == "⏎" ? 0 : 0.5;
      ++count;
    }
  CHECK(*levels->floor == doctest::Approx(nats / count));
  CHECK(levels->floor_by_position.size() == 16);
  CHECK(refusal("").find("the first line should say") != std::string::npos);
  CHECK(refusal("# ab\n").find("'ab' gives no symbol a value") != std::string::npos);
  CHECK(refusal("# a=0.5\n.\n").find("and the text has") != std::string::npos);
  CHECK(refusal(symbols.substr(0, 9) + symbols.substr(10)).find("symbols, but the line") !=
        std::string::npos);
}
