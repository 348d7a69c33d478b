#include "tasks/support/text_file.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "base/machine.h"
#include "base/random.h"
#include "base/size.h"
#include "io/file.h"
#include "io/utf8.h"
#include "tasks/support/table.h"
#include "tasks/support/text_floor.h"

namespace locus {

namespace {

constexpr std::size_t largest_text = 64'000'000;

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t") == line.npos; }

bool is_of_word(char32_t code) {
  return code >= 0x80 || code == '\'' || (code >= '0' && code <= '9') || (code >= 'a' && code <= 'z') ||
         (code >= 'A' && code <= 'Z');
}

struct Paragraph {
  std::size_t first, lines;  // of the text
};

std::vector<Paragraph> find_paragraphs(const std::vector<std::string_view>& lines) {
  const auto last = std::ranges::find_if_not(lines.rbegin(), lines.rend(), is_blank).base();
  const bool between_blanks = std::any_of(std::ranges::find_if_not(lines, is_blank), last, is_blank);
  std::vector<Paragraph> paragraphs;
  bool open = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (is_blank(lines[i])) {
      open = false;
    } else if (open && between_blanks) {
      ++paragraphs.back().lines;
    } else {
      paragraphs.push_back({i, 1});
      open = true;
    }
  }
  return paragraphs;
}

TextPart part_of(std::string_view paragraph) {
  const auto tenth = hash(paragraph) % 10;
  return tenth < 2 ? TextPart::test : tenth == 2 ? TextPart::validation : TextPart::train;
}

// Calls use(token) with each token of the piece (cut_text).
template <class Use>
void for_each_token(std::string_view piece, bool characters, Use&& use) {
  std::size_t word = piece.npos;  // where it began; npos: in no word
  for (std::size_t at = 0; at < piece.size();) {
    const auto [code, bytes] = utf8_character(piece, at);
    const std::string_view character = code == '\n' ? "⏎" : piece.substr(at, bytes);
    if (characters) {
      use(code == ' ' ? "␣" : code == '\t' ? "⇥" : character);
    } else if (is_of_word(code)) {
      if (word == piece.npos) word = at;
    } else {
      if (word != piece.npos) use(piece.substr(std::exchange(word, piece.npos), at - word));
      if (code != ' ' && code != '\t') use(character);
    }
    at += bytes;
  }
  if (word != piece.npos) use(piece.substr(word));
}

// Gives each different token a number, from 0.
class Numbers {
 public:
  int of(std::string_view token) {
    const auto found = numbers_.find(token);
    return found != numbers_.end() ? found->second : add(token);
  }
  std::vector<std::string> names() const { return {names_.begin(), names_.end()}; }

 private:
  int add(std::string_view token) {
    const int number = static_cast<int>(names_.size());
    numbers_.emplace(names_.emplace_back(token), number);
    return number;
  }

  std::deque<std::string> names_;  // they stay where they are
  std::unordered_map<std::string_view, int> numbers_;
};

// The memory of a text: for each of its bytes, a copy of it, its token while streams grow, and the counts of pairs.
constexpr double bytes_per_byte = 12, bytes_with_surprisal = 36;

std::string hexadecimal(std::uint64_t number) {
  std::string digits;
  for (; digits.size() < 16; number >>= 4) digits += "0123456789abcdef"[number & 15];
  return digits;
}

}  // namespace

std::vector<std::string> cut_text(std::string_view piece, const std::string& tokens) {
  std::vector<std::string> cut;
  for_each_token(piece, tokens == "char", [&](std::string_view token) { cut.emplace_back(token); });
  return cut;
}

TextFile read_text_file(const std::string& path, const std::string& tokens) {
  if (tokens != "char" && tokens != "word")
    fail_usage("train", str("there are no tokens '", tokens, "'"), "--tokens char or word");
  const std::string there = find_table(path);
  const std::string bytes = read_file(there, largest_text);
  const auto size = static_cast<double>(bytes.size());
  require_memory(path, str("a text of ", std::round(size / 1e6), " MB"),
                 size * (has_surprisal(there) ? bytes_with_surprisal : bytes_per_byte), "give a part of it");
  const std::vector<std::string_view> lines = lines_in(bytes);
  for (std::size_t i = 0; i < lines.size(); ++i) check_line(str(path, ":", i + 1), lines[i]);
  const std::vector<Paragraph> paragraphs = find_paragraphs(lines);
  if (paragraphs.empty()) fail(path, "the text is empty", "write paragraphs, with blank lines between them");
  if (paragraphs.size() == 1)
    fail(path, "the text is one paragraph, which cannot be both trained on and tested",
         "separate paragraphs by blank lines, or write one a line");
  const std::vector<std::vector<double>> surprisal = read_surprisal(there, lines);
  const bool blank_after = paragraphs[1].first > paragraphs[0].first + paragraphs[0].lines;

  TextFile file;
  Numbers numbers;
  file.paragraphs = static_cast<int>(paragraphs.size());
  std::string all;
  for (const auto& [first, count] : paragraphs) {
    std::string paragraph;
    std::vector<double> known;
    for (std::size_t i = first; i < first + count; ++i) {
      paragraph += lines[i];
      paragraph += '\n';
      if (!surprisal.empty()) known.insert(known.end(), surprisal[i].begin(), surprisal[i].end());
    }
    all += paragraph;
    all += '\n';
    const auto part = as_size(part_of(paragraph));
    if (blank_after) {
      paragraph += "\n";
      if (const std::size_t blank = first + count; blank < surprisal.size())
        known.push_back(surprisal[blank].back());
      else
        known.push_back(0);  // after a last paragraph without one
    }
    for_each_token(paragraph, tokens == "char",
                   [&](std::string_view token) { file.tokens[part].push_back(numbers.of(token)); });
    if (!surprisal.empty() && tokens == "char")
      file.surprisal[part].insert(file.surprisal[part].end(), known.begin(), known.end());
  }
  constexpr const char* names[] = {"to train on", "for the validations of training", "to test"};
  for (std::size_t part = 0; part < text_parts; ++part)
    if (file.tokens[part].empty())
      fail(path, str("of its ", paragraphs.size(), " paragraphs none is left ", names[part]),
           "write more paragraphs: a hash of each says where it belongs, 7, 1 and 2 in ten");
  file.names = numbers.names();
  file.fingerprint = str(paragraphs.size(), " paragraphs, hash ", hexadecimal(hash(all)));
  return file;
}

}  // namespace locus
