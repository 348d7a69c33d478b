// Writes one-symbol variations of the exercise regions of a file, all into one file that is compiled once:
//
//   slips FILE CHAPTER                          prints for each region the step and its first and last number
//   slips FILE CHAPTER OUT FROM TO [LEFT_OUT]   writes OUT with the variations FROM to TO, which are of one region,
//                                               without the numbers in the file LEFT_OUT; prints a line each:
//                                               number, step, first and last line in OUT, line in FILE, that line
//
// With `near ORIGINAL` before FILE, the variations are those that `make near-NN` tries on a learner's file: more of them, and
// then its grafts, which are from a third number on. A line then tells what is changed, too: first and last character in FILE,
// and the place.
// The program that OUT is linked into (main.cpp) runs the variation whose number is lesson_slip, and the original if that is
// 0. A region inside a function is repeated with all that follows in its block, so that what
// it declares is known there:
//
//   if (lesson_slip == 17) { the region, changed; the rest of the block }
//   if (lesson_slip != 17 && ...) { the region; the rest of the block }
//
// A region at the left margin holds functions; each variation is in a namespace of its own, and the last function calls
// the one that is asked for.
#include <algorithm>
#include <iostream>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "io/file.h"
#include "io/format.h"
#include "lessons/tools/slips/tokens.h"
#include "lessons/tools/slips/variations.h"

namespace {

using namespace locus;
using namespace locus::slips;

struct Region {
  std::string step;
  std::size_t begin, end;          // of its lines, without the markers
  std::size_t block_end;           // where the } of the block around it stands
  bool of_functions;               // it is at the left margin
  std::vector<std::string> names;  // that are declared around it, inside of the function
};

// The } that ends the block in which `from` stands.
std::size_t end_of_block(const std::string& file, std::size_t from) {
  const std::string rest = file.substr(from);
  int depth = 0;
  for (const Token& t : tokens_of(rest)) {
    depth += (t.text == "{") - (t.text == "}");
    if (depth < 0) return from + t.begin;
  }
  fail("slips", "a region has no block around it");
}

// Parameters and variables that are declared before `from` in the function around it.
std::vector<std::string> names_around(const std::string& file, std::size_t from) {
  std::vector<Token> open;  // tokens of what is not closed yet
  for (const Token& t : tokens_of(file.substr(0, from))) {
    open.push_back(t);
    if (t.text != "}") continue;
    while (!open.empty() && open.back().text != "{") open.pop_back();
    if (!open.empty()) open.pop_back();
    if (!open.empty() && open.back().text == ")") open.push_back({.text = ";"});  // the end of a function
  }
  std::size_t start = 0;  // of the function: after the last ; { or } that is not in brackets, before a {
  for (std::size_t i = 0; i < open.size() && start == 0; ++i) {
    if (open[i].text != "{" || i == 0) continue;
    std::size_t head = i;
    for (int depth = 0; head > 0; --head) {
      depth += (open[head - 1].text == ")") - (open[head - 1].text == "(");
      if (depth == 0 && (open[head - 1].text == ";" || open[head - 1].text == "{")) break;
    }
    const std::string& word = open[head].text;
    if (word != "namespace" && word != "class" && word != "struct") start = head;
  }
  std::vector<std::string> names;
  for (std::size_t i = start; i < open.size(); ++i)
    if (open[i].declared && !open[i].called) names.push_back(open[i].text);
  return names;
}

std::vector<Region> regions_of(const std::string& file, const std::string& chapter) {
  std::vector<Region> regions;
  const std::string marker = "// exercise " + chapter + ".";
  for (std::size_t at = file.find(marker); at != std::string::npos; at = file.find(marker, at)) {
    const std::size_t number = at + marker.size() - chapter.size() - 1, colon = file.find(':', number);
    Region region{.step = file.substr(number, colon - number),
                  .begin = file.find('\n', at) + 1,
                  .end = 0,
                  .block_end = 0,
                  .of_functions = at == 0 || file[at - 1] == '\n',
                  .names = {}};
    region.end = file.rfind('\n', file.find("// end\n", at)) + 1;
    if (!region.of_functions) {
      region.block_end = end_of_block(file, region.end);
      region.names = names_around(file, at);
    }
    at = region.end;
    regions.push_back(region);
  }
  return regions;
}

// "double f(int a, const B& b)" -> "f(a, b)"
std::string call_of(const std::string& head) {
  std::string out, name;
  std::vector<std::string> given;
  for (const Token& t : tokens_of(head)) {
    if (t.kind != Token::Kind::name || !t.declared) continue;
    if (t.called)
      name = t.text;
    else
      given.push_back(t.text);
  }
  return name + "(" + join(given, ", ") + ")";
}

struct Chosen {
  int number;
  Variation variation;
};

// The lines that stand for the region and what follows it, up to `block_end`; `ranges`: where each variation is in them.
std::string in_place(const std::string& file, const Region& region, const std::vector<Chosen>& chosen,
                     std::vector<std::pair<std::size_t, std::size_t>>& ranges) {
  const std::string original = file.substr(region.begin, region.end - region.begin);
  std::string out, others = "true";
  const auto add = [&](const Chosen& c, const std::string& before, const std::string& after) {
    const auto begin = out.size();
    out += before + c.variation.code + after;
    ranges.push_back({begin, out.size()});
    others += str(" && lesson_slip != ", c.number);
  };
  if (!region.of_functions) {
    const std::string rest = file.substr(region.end, region.block_end - region.end);
    for (const Chosen& c : chosen) add(c, str("if (lesson_slip == ", c.number, ") {\n"), rest + "\n}\n");
    return out + "if (" + others + ") {\n" + original + rest + "}\n";
  }
  std::string calls;
  const auto tokens = tokens_of(original);
  Statement last{};
  for (const Statement& s : statements_of(tokens))
    if (s.head && s.block == 0 && tokens[static_cast<std::size_t>(s.first)].text != "for" &&
        tokens[static_cast<std::size_t>(s.first)].text != "if" &&
        tokens[static_cast<std::size_t>(s.first)].text != "while")
      last = s;
  const std::size_t start = tokens[static_cast<std::size_t>(last.first)].begin;
  const std::string head = original.substr(start, tokens[static_cast<std::size_t>(last.last)].end - start);
  for (const Chosen& c : chosen) {
    add(c, str("namespace slip_", c.number, " {\n"), "}\n");
    calls += str("if (lesson_slip == ", c.number, ") return slip_", c.number, "::", call_of(head), ";\n");
  }
  return out + "namespace slip_0 {\n" + original + "}\n" + head + " {\n" + calls +
         "return slip_0::" + call_of(head) + ";\n}\n";
}

std::ptrdiff_t line_of(const std::string& text, std::size_t at) {
  return std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1;
}

// Writes the file with the chosen variations of one region; prints a line for each.
void write(const std::string& file, const Region& region, const std::vector<Chosen>& chosen,
           const std::string& out) {
  std::string code = "extern int lesson_slip;\n" + file.substr(0, region.begin);
  std::vector<std::pair<std::size_t, std::size_t>> ranges;
  const std::size_t start = code.size();
  code += in_place(file, region, chosen, ranges);
  const auto line = [&](std::size_t at) { return line_of(code, start + at); };
  for (std::size_t n = 0; n < chosen.size(); ++n) {
    const std::size_t at = region.begin + chosen[n].variation.begin,
                      end = region.begin + chosen[n].variation.end,
                      start_of_line = file.rfind('\n', at - 1) + 1;
    const std::string changed = file.substr(start_of_line, file.find('\n', at) - start_of_line);
    std::cout << chosen[n].number << '\t' << region.step << '\t' << line(ranges[n].first) << '\t'
              << line(ranges[n].second) - 1 << '\t' << line_of(file, at) << '\t'
              << changed.substr(std::min(changed.find_first_not_of(' '), changed.size())) << '\t' << at
              << '\t' << end << '\t' << line_of(file, end) << '\t' << chosen[n].variation.place << '\n';
  }
  write_file_atomically(out, code + file.substr(region.of_functions ? region.end : region.block_end));
}

// Those of one symbol; for `make near-NN` also the grafts, from `grafts` on.
struct Variations {
  std::vector<Variation> all;
  std::size_t grafts;
};
Variations variations_in(const std::string& file, Region region, const std::vector<Region>& originals,
                         const std::string& original) {
  const auto text = [](const std::string& of, const Region& r) {
    return of.substr(r.begin, r.end - r.begin);
  };
  const bool near = !original.empty();
  if (near)  // members may stand there, too
    for (const Token& t : tokens_of(file))
      if (t.kind == Token::Kind::name && t.text.ends_with('_')) region.names.push_back(t.text);
  Variations out{variations_of(text(file, region), region.names, near), 0};
  out.grafts = out.all.size();
  for (const Region& o : originals)
    if (o.step == region.step)
      std::ranges::move(grafts_of(text(file, region), text(original, o)), std::back_inserter(out.all));
  return out;
}

void run(std::vector<std::string> words) {
  std::string original;
  if (words.size() > 2 && words[0] == "near") {
    original = read_file(words[1]);
    words.erase(words.begin(), words.begin() + 2);
  }
  if (words.size() != 2 && words.size() != 5 && words.size() != 6)
    fail("slips", "use: slips [near ORIGINAL] FILE CHAPTER [OUT FROM TO [LEFT_OUT]]");
  const std::string file = read_file(words[0]);
  const bool listed = words.size() == 2;
  const int from = listed ? 0 : parse_int(words[3]).value(), to = listed ? 0 : parse_int(words[4]).value();
  std::set<std::string> left_out;
  if (words.size() == 6)
    for (const std::string& number : split(read_file(words[5]), '\n')) left_out.insert(number);
  int number = 0;
  const std::vector<Region> originals = regions_of(original, words[1]);
  for (const Region& region : regions_of(file, words[1])) {
    const int first = number + 1;
    const Variations variations = variations_in(file, region, originals, original);
    std::vector<Chosen> chosen;
    for (const Variation& v : variations.all)
      if (++number >= from && number <= to && !left_out.contains(str(number))) chosen.push_back({number, v});
    if (listed) std::cout << region.step << ' ' << first << ' ' << number;
    if (listed && !original.empty()) std::cout << ' ' << first + static_cast<int>(variations.grafts);
    if (listed) std::cout << '\n';
    if (!chosen.empty()) write(file, region, chosen, words[2]);
  }
}

}  // namespace

int main(int count, char** words) {
  try {
    run({words + 1, words + count});
  } catch (const std::exception& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
  }
  return 0;
}
