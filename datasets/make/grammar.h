// The words of the generated corpus, and a writer that knows how surprising each character is.
//
// The grammar is a machine whose next choice depends only on what stands there already. Each choice is between strings
// of which none is the beginning of another, so the probability of a character, given all before it in its paragraph,
// is known exactly: the weight of the strings that still fit with it, by the weight of those that fit without it.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace corpus {

using Words = std::vector<std::string>;

struct Noun {
  std::string one, many;
};
struct Verb {
  std::string one, many;  // the cat sees, the cats see
};
struct Deed {
  std::string did, done;  // bit, was bitten
};

inline const std::vector<Noun> nouns = {{"dog", "dogs"},   {"cat", "cats"},    {"girl", "girls"},
                                        {"boy", "boys"},   {"king", "kings"},  {"bird", "birds"},
                                        {"cook", "cooks"}, {"nurse", "nurses"}};
inline const std::vector<Verb> seeing = {
    {"sees", "see"}, {"hears", "hear"}, {"likes", "like"}, {"knows", "know"}};
inline const std::vector<Verb> being = {
    {"sleeps", "sleep"}, {"sings", "sing"}, {"waits", "wait"}, {"runs", "run"}};
inline const std::vector<Deed> deeds = {
    {"bit", "bitten"}, {"chased", "chased"}, {"found", "found"}, {"saw", "seen"}};
inline const Words names = {"Ann", "Ben", "Eva", "Jon", "Lea", "Max"},
                   things = {"tea", "bread", "money", "soap"},
                   events = {"lunch", "walk", "game", "storm", "song", "speech"},
                   sizes = {"big", "small", "tiny"}, ages = {"old", "new"},
                   colours = {"red", "blue", "green", "white"}, goods = {"hat", "chair", "coat", "lamp"},
                   months = {"January", "February", "March",     "April",   "May",      "June",
                             "July",    "August",   "September", "October", "November", "December"};

// The same numbers on every machine (splitmix64).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  int below(int count) { return static_cast<int>(uniform() * count); }

 private:
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  std::uint64_t state_;
};

struct Alternative {
  std::string string;
  double weight = 1;
};

class Writer {
 public:
  explicit Writer(std::uint64_t seed) : random(seed) {}

  // What can be foreseen.
  void put(const std::string& string) { write(string, std::vector<double>(string.size())); }

  // One of the strings; none may be the beginning of another. Returns its number.
  std::size_t choose(const std::vector<Alternative>& alternatives) {
    double total = 0;
    for (const Alternative& one : alternatives) total += one.weight;
    double left = random.uniform() * total;
    std::size_t chosen = 0;
    while (chosen + 1 < alternatives.size() && left >= alternatives[chosen].weight)
      left -= alternatives[chosen++].weight;
    const std::string& string = alternatives[chosen].string;
    std::vector<double> each;
    for (std::size_t length = 1; length <= string.size(); ++length) {
      double fits = 0;
      for (const Alternative& one : alternatives)
        if (one.string.compare(0, length, string, 0, length) == 0) fits += one.weight;
      each.push_back(std::log(total / fits));
      total = fits;
    }
    write(string, each);
    return chosen;
  }

  // One of the words, each followed by `end`.
  std::size_t choose(const Words& words, const std::string& end) {
    std::vector<Alternative> alternatives;
    for (const std::string& word : words) alternatives.push_back({word + end});
    return choose(alternatives);
  }

  Random random;
  std::string text;
  std::vector<double> surprisal;  // of each character of the text (which is ASCII)

 private:
  void write(const std::string& string, const std::vector<double>& each) {
    text += string;
    surprisal.insert(surprisal.end(), each.begin(), each.end());
  }
};

}  // namespace corpus
