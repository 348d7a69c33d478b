// Writes the generated corpus: a text whose grammar is known, and the surprisal of each of its characters beside it
// (src/tasks/support/text_floor.h has the format).
//
//   corpus FILE.txt BYTES SEED
//
// sentences.h says what the text is made of.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>

#include "sentences.h"

namespace corpus {

// A symbol for each value that occurs; '.' is 0.
class Symbols {
 public:
  char of(double value) {
    char number[32];
    std::snprintf(number, sizeof number, "%.9g", value);
    if (std::atof(number) <= 1e-12) return '.';
    const auto [at, is_new] = symbols_.try_emplace(number, next_);
    if (is_new) {
      header += std::string(" ") + next_ + "=" + number;
      do ++next_;
      while (next_ == '.' || next_ == '=');
      if (static_cast<unsigned char>(next_) == 127) next_ = static_cast<char>(128);
    }
    if (symbols_.size() > 220) {
      std::cerr << "corpus: more than 220 different values of surprisal\n";
      std::exit(1);
    }
    return at->second;
  }
  std::string header = "#";

 private:
  std::map<std::string, char> symbols_;
  char next_ = '!';
};

int run(const std::string& path, std::size_t bytes, std::uint64_t seed) {
  Writer w(seed);
  while (w.text.size() < bytes) paragraph(w);
  Symbols symbols;
  std::string lines;
  for (std::size_t i = 0; i < w.text.size(); ++i) {
    lines += symbols.of(w.surprisal[i]);
    if (w.text[i] == '\n') lines += '\n';
  }
  std::ofstream text(path, std::ios::binary),
      beside(path.substr(0, path.rfind('.')) + ".surprisal", std::ios::binary);
  text << w.text;
  beside << symbols.header << "\n" << lines;
  text.close();
  beside.close();
  return text && beside ? 0 : 1;
}

}  // namespace corpus

int main(int count, char** words) {
  if (count != 4) {
    std::cerr << "usage: corpus FILE.txt BYTES SEED\n";
    return 2;
  }
  return corpus::run(words[1], static_cast<std::size_t>(std::atoll(words[2])),
                     static_cast<std::uint64_t>(std::atoll(words[3])));
}
