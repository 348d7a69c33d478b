#include "tasks/support/text_file.h"

#include <algorithm>

#include "base/error.h"
#include "base/random.h"
#include "base/size.h"
#include "io/file.h"
#include "io/utf8.h"
#include "tasks/support/table.h"
#include "tasks/support/text_floor.h"

namespace locus {

namespace {

constexpr std::size_t largest_text = 64'000'000;

std::vector<std::string_view> lines_of(std::string_view bytes) {
  std::vector<std::string_view> lines;
  while (!bytes.empty()) {
    std::string_view line = bytes.substr(0, bytes.find('\n'));
    bytes.remove_prefix(std::min(line.size() + 1, bytes.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
  }
  return lines;
}

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
  return tenth < 2 ? TextPart::test : tenth == 2 ? TextPart::probe : TextPart::train;
}

std::string hexadecimal(std::uint64_t number) {
  std::string digits;
  for (; digits.size() < 16; number >>= 4) digits += "0123456789abcdef"[number & 15];
  return digits;
}

}  // namespace

std::vector<std::string> cut_text(std::string_view piece, const std::string& tokens) {
  std::vector<std::string> cut;
  bool in_word = false;
  for (std::size_t at = 0; at < piece.size();) {
    const auto [code, bytes] = utf8_character(piece, at);
    const std::string character(piece.substr(at, bytes));
    at += bytes;
    if (tokens == "char") {
      cut.push_back(code == ' ' ? "␣" : code == '\n' ? "⏎" : code == '\t' ? "⇥" : character);
    } else if (code == ' ' || code == '\t') {
      in_word = false;
    } else if (is_of_word(code)) {
      if (in_word)
        cut.back() += character;
      else
        cut.push_back(character);
      in_word = true;
    } else {
      cut.push_back(code == '\n' ? "⏎" : character);
      in_word = false;
    }
  }
  return cut;
}

TextFile read_text_file(const std::string& path, const std::string& tokens) {
  if (tokens != "char" && tokens != "word")
    fail_usage("train", text("there are no tokens '", tokens, "'"), "--tokens char or word");
  const std::string there = find_table(path), bytes = read_file(there, largest_text);
  std::string_view rest = bytes;
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);  // a byte order mark
  const std::vector<std::string_view> lines = lines_of(rest);
  for (std::size_t i = 0; i < lines.size(); ++i) check_line(text(path, ":", i + 1), lines[i]);
  const std::vector<Paragraph> paragraphs = find_paragraphs(lines);
  if (paragraphs.empty()) fail(path, "the text is empty", "write paragraphs, with blank lines between them");
  if (paragraphs.size() == 1)
    fail(path, "the text is one paragraph, which cannot be both trained on and tested",
         "separate paragraphs by blank lines, or write one a line");
  const std::vector<std::vector<double>> surprisal = read_surprisal(there, lines);
  const bool blank_after = paragraphs[1].first > paragraphs[0].first + paragraphs[0].lines;

  TextFile file;
  file.paragraphs = static_cast<int>(paragraphs.size());
  std::string all;
  for (const auto& [first, count] : paragraphs) {
    std::string paragraph;
    std::vector<double> known;
    for (std::size_t i = first; i < first + count; ++i) {
      paragraph += text(lines[i], "\n");
      if (!surprisal.empty()) known.insert(known.end(), surprisal[i].begin(), surprisal[i].end());
    }
    all += paragraph + "\n";
    const auto part = as_size(part_of(paragraph));
    if (blank_after) {
      paragraph += "\n";
      if (const std::size_t blank = first + count; blank < surprisal.size())
        known.push_back(surprisal[blank].back());
      else
        known.push_back(0);  // after a last paragraph without one
    }
    const std::vector<std::string> cut = cut_text(paragraph, tokens);
    file.tokens[part].insert(file.tokens[part].end(), cut.begin(), cut.end());
    if (!surprisal.empty() && tokens == "char")
      file.surprisal[part].insert(file.surprisal[part].end(), known.begin(), known.end());
  }
  constexpr const char* names[] = {"to train on", "for the probes of training", "to test"};
  for (std::size_t part = 0; part < text_parts; ++part)
    if (file.tokens[part].empty())
      fail(path, text("of its ", paragraphs.size(), " paragraphs none is left ", names[part]),
           "write more paragraphs: a hash of each says where it belongs, 7, 1 and 2 in ten");
  file.fingerprint = text(paragraphs.size(), " paragraphs, hash ", hexadecimal(hash(all)));
  return file;
}

}  // namespace locus
