// The floor of the generated corpus, computed a second time. datasets/make writes with each character how surprising it
// is; its mean is the floor. Here the entropy of the grammar follows from its probabilities alone: no text is drawn,
// and no character is looked at. Each kind of sentence has an expected number of nats and of characters; nested and
// repeated parts give equations. A third count enumerates whole kinds of sentences, and compares every character.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <functional>
#include <map>

#include "datasets/make/sentences.h"

namespace floor_test {

namespace {

using namespace corpus;

// What a part of the text has on average.
struct Mean {
  double nats = 0, characters = 0;
};
Mean operator+(Mean a, Mean b) { return {a.nats + b.nats, a.characters + b.characters}; }
Mean operator*(double p, Mean a) { return {p * a.nats, p * a.characters}; }

Mean fixed(const std::string& string) { return {0, static_cast<double>(string.size())}; }

Mean entropy_of(const std::vector<double>& weights) {
  double total = 0, nats = 0;
  for (const double weight : weights) total += weight;
  for (const double weight : weights)
    if (weight > 0) nats -= weight / total * std::log(weight / total);
  return {nats, 0};
}

Mean length_of(const Words& words) {
  Mean sum;
  for (const std::string& word : words) sum = sum + fixed(word);
  return 1.0 / static_cast<double>(words.size()) * sum;
}

// One of them, each as likely.
Mean one_of(const Words& words) {
  return Mean{std::log(static_cast<double>(words.size())), 0} + length_of(words);
}

Words singular() {
  Words words;
  for (const Noun& noun : nouns) words.push_back(noun.one);
  return words;
}
Words both_numbers() {
  Words words = singular();
  for (const Noun& noun : nouns) words.push_back(noun.many);
  return words;
}

// One of four verbs. The noun is as often one as many, so its verb is as often the longer one.
Mean verb(const std::vector<Verb>& verbs) {
  Words words;
  for (const Verb& one : verbs) words.insert(words.end(), {one.one, one.many});
  return Mean{std::log(4), 0} + length_of(words);
}

Mean agreement(const std::vector<Verb>& verbs, int depth, const std::string& end) {
  const Mean noun = one_of(both_numbers()) + fixed(" "), then_verb = verb(verbs) + fixed(end);
  if (depth == 3) return noun + then_verb;
  // A verb (weight 4), a clause (2) or a phrase (2), and these are followed by the verb.
  Words words;
  for (const Verb& one : verbs) words.insert(words.end(), {one.one, one.many});
  const Mean which = entropy_of({1, 1, 1, 1, 2, 2}), at_once = length_of(words) + fixed(end),
             clause = fixed("that the ") + agreement(seeing, depth + 1, " ") + then_verb,
             phrase = fixed("near the ") + noun + then_verb;
  return noun + which + 0.5 * at_once + 0.25 * clause + 0.25 * phrase;
}

Mean roles() {
  Words did, done;
  for (const Deed& deed : deeds) did.push_back(deed.did), done.push_back(deed.done);
  return 2 * one_of(singular()) + 2 * length_of(singular()) + one_of(did) + length_of(done) +
         fixed("  a , so the  was  by the .\n");
}

Mean only() { return 2 * one_of(names) + one_of(things) + fixed(" gave  : nobody else did.\n"); }

Mean then() {
  const Mean first = one_of(names) + one_of(things) + fixed("only  : to nobody else.\n"),
             second = length_of(names) + one_of(things) + fixed(" only : nothing else.\n");
  return one_of(names) + fixed(" gave ") + entropy_of({3, 1, 1, 1, 1, 1, 1}) + 1.0 / 3 * first +
         2.0 / 3 * second;
}

Mean before_or_after() {
  return 2 * one_of(events) + 2 * length_of(events) + fixed(" came the : first the , then the .\n");
}

Mean described(std::size_t kind) {
  const std::vector<Words> kinds = {sizes, ages, colours, goods};
  double words = 0;
  for (std::size_t later = kind; later < kinds.size(); ++later)
    words += static_cast<double>(kinds[later].size());
  Mean sum = {std::log(words), 0};
  for (std::size_t later = kind; later < kinds.size(); ++later)
    sum =
        sum + static_cast<double>(kinds[later].size()) / words *
                  (length_of(kinds[later]) + (later == 3 ? fixed(".\n") : fixed(" ") + described(later + 1)));
  return sum;
}

Mean code(int left, int open) {
  if (left == 0) return {0, open + 2.0};
  const int opening = open < 4 ? 3 : 0;
  const double closes = 2.0 / (2 + opening);
  std::vector<double> weights(static_cast<std::size_t>(opening), 1.0);
  weights.push_back(2);
  return entropy_of(weights) + closes * (open == 0 ? fixed(".\n") : fixed(")") + code(left - 1, open - 1)) +
         (opening > 0 ? (1 - closes) * (fixed("(") + code(left - 1, open + 1)) : Mean{});
}

Mean blocks() {
  std::array<Mean, 4>
      from{};  // from this depth until the block at depth 1 ends; those equations are solved by repetition
  for (int repetition = 0; repetition < 2000; ++repetition)
    for (int depth = 1; depth <= 3; ++depth) {
      const double more = depth < 3 ? 1.5 : 0, total = 2 + 4 + more, indent = 2.0 * depth;
      from[static_cast<std::size_t>(depth)] =
          entropy_of({2, 1, 1, 1, 1, more}) +
          2 / total * (Mean{0, indent - 2 + 4} + from[static_cast<std::size_t>(depth) - 1]) +
          4 / total * (Mean{0, indent + 5} + from[static_cast<std::size_t>(depth)]) +
          more / total *
              (Mean{0, indent + 6} + (depth < 3 ? from[static_cast<std::size_t>(depth) + 1] : Mean{}));
    }
  return from[1];
}

Mean dates() {
  const Mean day = {0, (9 * 1 + 19 * 2) / 28.0};
  return Mean{std::log(28) + std::log(12) + std::log(30), 0} + 2 * day + 2 * length_of(months) +
         fixed("  2000, that is 2000-00-00 or  , 2000.\n");
}

Mean compared() {
  return Mean{2 * std::log(90) + std::log(2), 0} + fixed("10 and 10 the larger is 10.\n") +
         0.5 * Mean{0, 1};  // "smaller" has one letter more
}

// A paragraph, whose sentences depend on how many names have a key.
Mean paragraph_mean() {
  const std::vector<std::pair<double, Mean>> others = {{3, fixed("the ") + agreement(being, 0, ".\n")},
                                                       {1.5, fixed("a ") + roles()},
                                                       {1, fixed("only ") + only()},
                                                       {1, fixed("then ") + then()},
                                                       {1, fixed("before the ") + before_or_after()},
                                                       {1, fixed("after the ") + before_or_after()},
                                                       {1, fixed("my ") + described(0)},
                                                       {1, fixed("code ") + code(12, 0)},
                                                       {1, fixed("begin\n") + blocks()},
                                                       {1, fixed("on ") + dates()},
                                                       {1, fixed("of ") + compared()}};
  const Mean key = one_of(names) + one_of(colours) + fixed("key of  is .\n");
  Mean after;  // what follows where one name more has a key
  Mean with_none;
  for (int known = 6; known >= 0; --known)
    for (const bool first : {false, true}) {
      if (first && known > 0) continue;
      const double asking = known > 0 ? 3 : 0, ending = first ? 0 : 2.5, total = 13.5 + 2 + asking + ending;
      std::vector<double> weights = {2, asking, ending};
      Mean here;
      for (const auto& [weight, sentence] : others) {
        weights.push_back(weight);
        here = here + weight / total * sentence;
      }
      here = here + entropy_of(weights) + 2 / total * key + ending / total * fixed("\n");
      if (known > 0)
        here = here +
               asking / total *
                   (Mean{std::log(known), 0} + length_of(names) + length_of(colours) + fixed("ask : .\n"));
      const double new_key = 2 / total * (6 - known) / 6.0, stays = 1 - new_key - ending / total;
      if (first) {
        return here + new_key * after +
               stays * with_none;  // `after` has one key, `with_none` none and is not the first
      }
      const Mean from_here = 1 / (1 - stays) * (here + new_key * after);
      (known > 0 ? after : with_none) = from_here;
    }
  return {};
}

// All sentences of a kind with their probabilities, written down by hand.
using Sentences = std::map<std::string, double>;

Sentences all_described() {
  Sentences found;
  const std::vector<Words> kinds = {sizes, ages, colours, goods};
  const auto go_on = [&](const auto& self, const std::string& start, std::size_t kind, double p) -> void {
    if (kind == 4) {
      found[start + ".\n"] += p;
      return;
    }
    Words words;
    std::vector<std::size_t> of;
    for (std::size_t later = kind; later < 4; ++later)
      for (const std::string& word : kinds[later]) words.push_back(word), of.push_back(later);
    for (std::size_t i = 0; i < words.size(); ++i)
      self(self, start + (start.empty() ? "" : " ") + words[i], of[i] + 1,
           p / static_cast<double>(words.size()));
  };
  go_on(go_on, "", 0, 1);
  return found;
}

Sentences all_compared() {
  Sentences found;
  for (int one = 10; one < 100; ++one)
    for (int two = 10; two < 100; ++two) {
      const std::string start = std::to_string(one) + " and " + std::to_string(two) + " the ";
      found[start + "larger is " + std::to_string(std::max(one, two)) + ".\n"] += 0.5 / 8100;
      found[start + "smaller is " + std::to_string(std::min(one, two)) + ".\n"] += 0.5 / 8100;
    }
  return found;
}

Sentences all_then() {
  Sentences found;
  for (const std::string& giver : names)
    for (const std::string& taker : names)
      for (const std::string& thing : things) {
        found[giver + " gave only " + taker + " " + thing + ": to nobody else.\n"] += 1.0 / 3 / (6 * 6 * 4);
        found[giver + " gave " + taker + " only " + thing + ": nothing else.\n"] += 2.0 / 3 / (6 * 6 * 4);
      }
  return found;
}

void compare_characters(const Sentences& sentences, void (*write)(Writer&)) {
  std::map<std::string, double> begins;  // the probability of each beginning
  for (const auto& [sentence, p] : sentences)
    for (std::size_t length = 0; length <= sentence.size(); ++length) begins[sentence.substr(0, length)] += p;
  CHECK(begins[""] == doctest::Approx(1));
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Writer w(seed);
    write(w);
    for (std::size_t i = 0; i < w.text.size(); ++i) {
      CAPTURE(w.text.substr(0, i + 1));
      REQUIRE(begins.contains(w.text.substr(0, i + 1)));
      const double nats = -std::log(begins.at(w.text.substr(0, i + 1)) / begins.at(w.text.substr(0, i)));
      CHECK(std::abs(w.surprisal[i] - nats) < 1e-9);
    }
  }
}

// Of what `write` adds to a text, many times: that floor and length are as expected within three standard errors.
void compare_means(const std::string& kind, int times, Mean expected,
                   const std::function<void(Writer&)>& write) {
  std::vector<Mean> drawn;
  Mean sum;
  Writer w(7);
  for (int i = 0; i < times; ++i) {
    const std::size_t before = w.text.size();
    write(w);
    Mean one = {0, static_cast<double>(w.text.size() - before)};
    for (std::size_t at = before; at < w.text.size(); ++at) one.nats += w.surprisal[at];
    drawn.push_back(one);
    sum = sum + one;
  }
  const double floor = sum.nats / sum.characters, entropy = expected.nats / expected.characters,
               length = sum.characters / times;
  double squares = 0, length_squares = 0;
  for (const Mean& one : drawn) {
    squares += std::pow(one.nats - floor * one.characters, 2);
    length_squares += std::pow(one.characters - length, 2);
  }
  const double error = std::sqrt(squares) / sum.characters, length_error = std::sqrt(length_squares) / times;
  CAPTURE(kind);
  CHECK(error < 0.01 * entropy);
  CHECK(std::abs(floor - entropy) < 3 * error + 1e-9);
  CHECK(std::abs(length - expected.characters) < 3 * length_error + 1e-9);
}

}  // namespace

TEST_CASE("datasets: the surprisal of each character is that of all sentences that begin so") {
  compare_characters(all_described(), adjectives);
  compare_characters(all_compared(), compare);
  compare_characters(all_then(), name_gave);
}

TEST_CASE("datasets: the mean surprisal of each kind of sentence is its entropy, computed without a text") {
  compare_means("the", 2000, agreement(being, 0, ".\n"),
                [](Writer& w) { noun_and_verb(w, being, 0, ".\n"); });
  compare_means("a", 2000, roles(), who_did_what);
  compare_means("only", 2000, only(), only_first);
  compare_means("then", 2000, then(), name_gave);
  compare_means("after", 2000, before_or_after(), [](Writer& w) { before_after(w, true); });
  compare_means("my", 2000, described(0), adjectives);
  compare_means("code", 4000, code(12, 0), brackets);
  compare_means("begin", 4000, blocks(), block);
  compare_means("on", 2000, dates(), date);
  compare_means("of", 2000, compared(), compare);
}

TEST_CASE("datasets: the floor of a long text is the entropy of the grammar, computed without a text") {
  compare_means("all", 60'000, paragraph_mean(), paragraph);
}

}  // namespace floor_test
