#include "lessons/tools/slips/tokens.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

namespace locus::slips {

namespace {

using Kind = Token::Kind;

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

const std::set<std::string> keywords = {
    "auto",   "bool",   "break",  "case",     "const",      "constexpr",   "continue",      "do",
    "double", "else",   "float",  "for",      "if",         "int",         "long",          "namespace",
    "return", "static", "struct", "unsigned", "using",      "while",       "this",          "nullptr",
    "sizeof", "void",   "char",   "mutable",  "__restrict", "std::size_t", "std::ptrdiff_t"};
const std::set<std::string> operators = {"<<=", ">>=", "->", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=",
                                         "|=",  "^=",  "<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};

// Names of types begin with a capital and go on in small letters: Tensor, not D.
bool names_a_type(const std::string& name) {
  return std::isupper(static_cast<unsigned char>(name[0])) != 0 &&
         std::ranges::any_of(name, [](char c) { return std::islower(static_cast<unsigned char>(c)) != 0; });
}

// The end of the template arguments that begin at `i`, right behind a name; or `i` itself: a<b is a comparison.
std::size_t end_of_arguments(const std::string& s, std::size_t i) {
  if (i >= s.size() || s[i] != '<') return i;
  int depth = 0;
  for (std::size_t end = i; end < s.size(); ++end) {
    const char c = s[end];
    if (!in_name(c) && std::string_view(":, *&<>()").find(c) == std::string_view::npos) return i;
    if (s.compare(end, 2, "&&") == 0 || s.compare(end, 2, "<=") == 0 || s.compare(end, 2, "<<") == 0)
      return i;
    depth += (c == '<') - (c == '>') + 2 * ((c == '(') - (c == ')'));
    if (depth == 0) return end + 1;
    if (depth < 0) return i;
  }
  return i;
}

// The end of the token that begins at `i`.
std::size_t end_of_token(const std::string& s, std::size_t i) {
  if (std::isdigit(static_cast<unsigned char>(s[i])) != 0) {
    while (i < s.size() && (in_name(s[i]) || s[i] == '.' || s[i] == '\'' ||
                            ((s[i] == '-' || s[i] == '+') && s[i - 1] == 'e')))
      ++i;
    return i;
  }
  if (in_name(s[i])) {
    while (i < s.size() && (in_name(s[i]) || s.compare(i, 2, "::") == 0)) i += in_name(s[i]) ? 1 : 2;
    return end_of_arguments(s, i);
  }
  if (s[i] == '"' || s[i] == '\'') {
    const char quote = s[i];
    for (++i; i < s.size() && s[i] != quote; ++i) i += s[i] == '\\';
    return i + 1;
  }
  for (const std::size_t length : {3U, 2U})
    if (operators.contains(s.substr(i, length))) return i + length;
  return i + 1;
}

bool is_type(const Token& t) {
  return t.kind == Kind::word && t.text != "return" && t.text != "else" &&
         t.text.find('"') == std::string::npos;
}

void find_partners(std::vector<Token>& tokens) {
  std::vector<int> open;
  for (int i = 0; i < std::ssize(tokens); ++i) {
    const std::string& t = tokens[static_cast<std::size_t>(i)].text;
    if (t == "(" || t == "[" || t == "{") open.push_back(i);
    if ((t == ")" || t == "]" || t == "}") && !open.empty()) {
      tokens[static_cast<std::size_t>(i)].partner = open.back();
      tokens[static_cast<std::size_t>(open.back())].partner = i;
      open.pop_back();
    }
  }
}

// What is declared, called or a member, from what stands beside it.
void mark_names(std::vector<Token>& tokens) {
  bool in_declaration = false;  // so that a comma may be followed by another name
  int depth = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    Token& t = tokens[i];
    const std::string before = i > 0 ? tokens[i - 1].text : "",
                      after = i + 1 < tokens.size() ? tokens[i + 1].text : "";
    if (t.text == "(" || t.text == "[" || t.text == "{") ++depth;
    if (t.text == ")" || t.text == "]" || t.text == "}") --depth;
    if (t.text == ";" || t.text == "{" || t.text == "}") in_declaration = false;
    if (t.kind != Kind::name) continue;
    t.called = after == "(" && tokens[i + 1].begin == t.end;
    t.member = before == "." || before == "->";
    const bool bound = i > 1 && before == "[" && is_type(tokens[i - 2]);
    t.declared = (i > 0 && is_type(tokens[i - 1]) && !t.member) || bound ||
                 (in_declaration && before == "," && depth == 0) ||
                 (i > 2 && before == "," && tokens[i - 2].declared && (after == "]" || after == ","));
    if (t.declared && i > 0 && is_type(tokens[i - 1]) && after != ")") in_declaration = true, depth = 0;
  }
}

}  // namespace

std::vector<Token> tokens_of(const std::string& piece) {
  std::vector<Token> tokens;
  for (std::size_t i = 0; i < piece.size();) {
    if (std::isspace(static_cast<unsigned char>(piece[i])) != 0) {
      ++i;
    } else if (piece.compare(i, 2, "//") == 0 || piece[i] == '#') {
      i = std::min(piece.find('\n', i), piece.size());
    } else {
      Token t{.text = {}, .begin = i, .end = end_of_token(piece, i)};
      t.text = piece.substr(t.begin, t.end - t.begin);
      i = t.end;
      const char first = t.text[0];
      const bool space_before =
          t.begin > 0 && std::isspace(static_cast<unsigned char>(piece[t.begin - 1])) != 0;
      const bool space_after = i < piece.size() && std::isspace(static_cast<unsigned char>(piece[i])) != 0;
      if (std::isdigit(static_cast<unsigned char>(first)) != 0 || t.text == "true" || t.text == "false")
        t.kind = Kind::number;
      else if (in_name(first))
        t.kind = keywords.contains(t.text) || names_a_type(t.text) || t.text.ends_with('>') ? Kind::word
                                                                                            : Kind::name;
      else if (first == '"' || first == '\'')
        t.kind = Kind::word;
      else if (std::string_view("()[]{};,.?:").find(first) != std::string_view::npos || t.text == "->")
        t.kind = Kind::mark;
      else if (space_before && space_after)
        t.kind = Kind::binary;
      else if (!space_before && space_after && (first == '*' || first == '&') && !tokens.empty() &&
               tokens.back().kind != Kind::mark)
        t.kind = Kind::word;  // of a pointer or reference
      else if (t.text != "++" && t.text != "--" && first != '!' && first != '~' && !tokens.empty() &&
               (tokens.back().kind == Kind::name || tokens.back().kind == Kind::number ||
                tokens.back().text == ")" || tokens.back().text == "]"))
        t.kind = Kind::binary;  // a+b
      else
        t.kind = Kind::unary;
      tokens.push_back(t);
    }
  }
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i)  // `size_t n`, `real& x`: the first is a type
    if (tokens[i].kind == Kind::name &&
        (tokens[i + 1].kind == Kind::name ||
         (tokens[i + 1].kind == Kind::word && tokens[i + 1].text.size() <= 2)))
      tokens[i].kind = Kind::word;
  find_partners(tokens);
  mark_names(tokens);
  return tokens;
}

namespace {

class Parser {
 public:
  explicit Parser(const std::vector<Token>& tokens) : tokens_(tokens) {}

  // Statements from `i` on, up to a } or the end. Returns where they end.
  int block(int i) {
    const int number = ++blocks_;
    while (i < std::ssize(tokens_) && at(i) != "}") i = statement(i, number);
    return i;
  }
  std::vector<Statement> found;

 private:
  const std::string& at(int i) const {
    static const std::string none;
    return i < std::ssize(tokens_) ? tokens_[static_cast<std::size_t>(i)].text : none;
  }
  int partner(int i) const { return tokens_[static_cast<std::size_t>(i)].partner; }

  // Returns the number of the token after it.
  int statement(int first, int number) {
    int i = first;
    if (at(i) == "{") {
      i = block(i + 1) + 1;
    } else if (at(i) == "for" || at(i) == "if" || at(i) == "while") {
      while (at(i) != "(") ++i;
      i = partner(i) + 1;
      found.push_back({first, i - 1, 0, true});
      i = statement(i, ++blocks_);
      if (at(first) == "if" && at(i) == "else") i = statement(i + 1, ++blocks_);
    } else if (at(i) == "do") {
      i = statement(i + 1, ++blocks_);  // `while (...);` follows as a statement without a body
    } else {
      for (; i < std::ssize(tokens_) && at(i) != ";"; ++i) {
        if (at(i) == "(" || at(i) == "[") {
          const int end = partner(i);
          for (int j = i; j < end; ++j)  // bodies of lambdas
            if (at(j) == "{" && j > 0 && at(j - 1) == ")") j = block(j + 1);
          i = end;
        } else if (at(i) == "{") {
          const bool body = i > 0 && at(i - 1) == ")";
          const bool of_function =
              body && number == 1 && at(first) != "return" && partner(i) >= 0 && at(partner(i) + 1) != ";";
          if (of_function) found.push_back({first, i - 1, 0, true});
          if (body) block(i + 1);
          i = partner(i);
          if (of_function) break;
        }
      }
      i = std::min<int>(i + 1, static_cast<int>(std::ssize(tokens_)));
    }
    found.push_back({first, i - 1, number});
    return i;
  }

  const std::vector<Token>& tokens_;
  int blocks_ = 0;
};

}  // namespace

std::vector<Statement> statements_of(const std::vector<Token>& tokens) {
  Parser parser(tokens);
  parser.block(0);
  return parser.found;
}

}  // namespace locus::slips
