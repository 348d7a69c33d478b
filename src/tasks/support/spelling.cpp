#include "tasks/support/spelling.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/text.h"
#include "io/utf8.h"

namespace locus {

namespace {

using Codes = std::u32string;

Codes codes_of(std::string_view word) {
  Codes codes;
  for (std::size_t at = 0; at < word.size();) {
    const auto [code, bytes] = utf8_character(word, at);
    codes += code;
    at += std::max<std::size_t>(bytes, 1);
  }
  return codes;
}

std::string utf8_of(const Codes& codes) {
  std::string word;
  for (const char32_t code : codes) append_utf8(word, code);
  return word;
}

bool within(char32_t code, char32_t first, char32_t last) { return code >= first && code <= last; }

// The small letter of a capital; the blocks of Unicode have rules.
char32_t small(char32_t c) {
  const bool even = c % 2 == 0;
  if (within(c, 'A', 'Z') || (within(c, 0xC0, 0xDE) && c != 0xD7)) return c + 0x20;  // Latin
  if (c == 0x178) return 0xFF;                                                       // Ÿ
  if (within(c, 0x139, 0x148) || within(c, 0x179, 0x17E)) return even ? c : c + 1;   // Latin Extended-A
  if (within(c, 0x100, 0x177) && !within(c, 0x130, 0x131) && c != 0x138) return even ? c + 1 : c;
  if (c == 0x386) return 0x3AC;  // Greek, with accents
  if (within(c, 0x388, 0x38A)) return c + 0x25;
  if (c == 0x38C) return 0x3CC;
  if (within(c, 0x38E, 0x38F)) return c + 0x3F;
  if (within(c, 0x391, 0x3AB)) return c + 0x20;
  if (c == 0x3C2) return 0x3C3;                  // ς
  if (within(c, 0x400, 0x40F)) return c + 0x50;  // Cyrillic
  if (within(c, 0x410, 0x42F)) return c + 0x20;
  if (within(c, 0x460, 0x481) || within(c, 0x48A, 0x4BF) || within(c, 0x4D0, 0x52F)) return even ? c + 1 : c;
  return c;
}

// Letters with an accent, and what they are made of, in the same order.
struct Accented {
  char32_t accent;
  std::u32string_view letters, bases;
};
constexpr Accented all_accented[] = {
    {0x300, U"àèìòùÀÈÌÒÙѐѝЀЍ", U"aeiouAEIOUеиЕИ"},
    {0x301, U"áéíóúýćĺńŕśźÁÉÍÓÚÝĆĹŃŔŚŹάέήίόύώΆΈΉΊΌΎΏѓќЃЌ", U"aeiouyclnrszAEIOUYCLNRSZαεηιουωΑΕΗΙΟΥΩгкГК"},
    {0x302, U"âêîôûĉĝĥĵŝŵŷÂÊÎÔÛĈĜĤĴŜŴŶ", U"aeioucghjswyAEIOUCGHJSWY"},
    {0x303, U"ãñõĩũÃÑÕĨŨ", U"anoiuANOIU"},
    {0x304, U"āēīōūĀĒĪŌŪӣӯӢӮ", U"aeiouAEIOUиуИУ"},
    {0x306, U"ăĕğĭŏŭĂĔĞĬŎŬйўЙЎ", U"aegiouAEGIOUиуИУ"},
    {0x307, U"ċėġżĊĖĠŻİ", U"cegzCEGZI"},
    {0x308, U"äëïöüÿÄËÏÖÜŸёїЁЇϊϋΪΫ", U"aeiouyAEIOUYеіЕІιυΙΥ"},
    {0x30A, U"åůÅŮ", U"auAU"},
    {0x30B, U"őűŐŰ", U"ouOU"},
    {0x30C, U"čďěľňřšťžČĎĚĽŇŘŠŤŽ", U"cdelnrstzCDELNRSTZ"},
    {0x327, U"çģķļņŗşţÇĢĶĻŅŖŞŢ", U"cgklnrstCGKLNRST"},
    {0x328, U"ąęįųĄĘĮŲ", U"aeiuAEIU"},
};
constexpr bool all_have_bases() {
  return std::ranges::all_of(all_accented,
                             [](const Accented& a) { return a.letters.size() == a.bases.size(); });
}
static_assert(all_have_bases());

void append_parts(Codes& out, char32_t code) {
  for (const auto& [accent, letters, bases] : all_accented)
    if (const std::size_t at = letters.find(code); at != letters.npos) {
      out += bases[at];
      out += accent;
      return;
    }
  out += code;
}

// Letters of Cyrillic and Greek, and hyphens, that look like others; and quotes, which differ as signs do.
struct Likenesses {
  std::u32string_view from, to;
};
constexpr Likenesses look_alikes = {U"асеорухіјѕһԁԛԝАВЕКМНОРСТУХІЈЅοΑΒΕΖΗΙΚΜΝΟΡΤΥΧ‐‑‒–−",
                                    U"aceopyxijshdqwABEKMHOPCTYXIJSoABEZHIKMNOPTYX-----"},
                     quotes = {U"’‘‛ʼ´`“”„‟", U"''''''\"\"\"\""};
static_assert(look_alikes.from.size() == look_alikes.to.size() && quotes.from.size() == quotes.to.size());

char32_t replaced(char32_t code, const Likenesses& likenesses) {
  const std::size_t at = likenesses.from.find(code);
  return at == likenesses.from.npos ? code : likenesses.to[at];
}

// Of no width, or a space that is none to a table.
bool is_unseen(char32_t code) {
  return code == 0xAD || within(code, 0x200B, 0x200F) || within(code, 0x2060, 0x2064) || code == 0xFEFF ||
         within(code, 0xFE00, 0xFE0F);
}
bool is_space(char32_t code) {
  return code == 0xA0 || within(code, 0x2000, 0x200A) || code == 0x202F || code == 0x205F || code == 0x3000;
}

// In parts, without what cannot be seen.
Codes seen(std::string_view word) {
  Codes out;
  for (const char32_t code : codes_of(word))
    if (!is_unseen(code)) append_parts(out, is_space(code) ? U' ' : code);
  while (out.starts_with(U' ')) out.erase(0, 1);
  while (out.ends_with(U' ')) out.pop_back();
  return out;
}

std::string code_points(const Codes& codes) {
  std::vector<std::string> all;
  for (const char32_t code : codes) {
    std::string digits;
    for (char32_t left = code; left > 0 || digits.size() < 4; left /= 16)
      digits.insert(digits.begin(), "0123456789ABCDEF"[left % 16]);
    all.push_back("U+" + digits);
  }
  return all.empty() ? "nothing" : join(all, " ");
}

}  // namespace

std::string look_of(std::string_view word) {
  Codes codes = seen(word);
  for (char32_t& code : codes) code = replaced(code, look_alikes);
  return utf8_of(codes);
}

std::string spelling_of(std::string_view word) {
  constexpr std::u32string_view signs = U".,;:!?\"'()[]{}«»‹›‚…¡¿";
  Codes codes = seen(word);
  for (char32_t& code : codes) code = small(replaced(code, quotes));
  const std::size_t from = codes.find_first_not_of(signs);
  return utf8_of(from == codes.npos ? codes : codes.substr(from, codes.find_last_not_of(signs) + 1 - from));
}

std::string differing_code_points(std::string_view one, std::string_view other) {
  Codes a = codes_of(one), b = codes_of(other);
  const auto same = std::ranges::mismatch(a, b).in1 - a.begin();
  a.erase(0, static_cast<std::size_t>(same));
  b.erase(0, static_cast<std::size_t>(same));
  while (!a.empty() && !b.empty() && a.back() == b.back()) a.pop_back(), b.pop_back();
  return str(code_points(a), " and ", code_points(b));
}

}  // namespace locus
