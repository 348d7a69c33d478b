#include "lessons/tools/slips/variations.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "io/format.h"
#include "lessons/tools/slips/tokens.h"

namespace locus::slips {

namespace {

using Kind = Token::Kind;
struct Edit {
  std::size_t begin, end;  // these characters
  std::string to;
};

const std::map<std::string, int> precedence = {
    {"*", 9}, {"/", 9},  {"%", 9},  {"+", 8},  {"-", 8}, {"<<", 7}, {">>", 7}, {"<", 6},  {"<=", 6},
    {">", 6}, {">=", 6}, {"==", 5}, {"!=", 5}, {"&", 4}, {"^", 3},  {"|", 2},  {"&&", 1}, {"||", 0}};

const std::map<std::string, std::vector<std::string>> other_operators = {
    {"+", {"-", "*"}},      {"-", {"+", "*"}},   {"*", {"/", "+"}},   {"/", {"*", "-"}},   {"%", {"/", "*"}},
    {"+=", {"-=", "="}},    {"-=", {"+=", "="}}, {"*=", {"/=", "="}}, {"/=", {"*=", "="}}, {"=", {"+="}},
    {"<", {"<=", ">"}},     {"<=", {"<", ">="}}, {">", {">=", "<"}},  {">=", {">", "<="}}, {"==", {"!="}},
    {"!=", {"=="}},         {"&&", {"||"}},      {"||", {"&&"}},      {"&", {"|", "^"}},   {"|", {"&", "^"}},
    {"^", {"|", "&", "+"}}, {">>", {"<<", "/"}}, {"<<", {">>", "*"}}, {"++", {"--"}},      {"--", {"++"}}};

class Maker {
 public:
  Maker(const std::string& region, std::vector<std::string> names)
      : code_(region), tokens_(tokens_of(region)), statements_(statements_of(tokens_)) {
    for (const Token& t : tokens_)
      if (t.kind == Kind::name && !t.called && !t.member) names.push_back(t.text);
    for (const std::string& name : names)
      if (std::ranges::find(names_, name) == names_.end()) names_.push_back(name);
    for (const Statement& s : statements_)
      if (s.head && s.first < std::ssize(tokens_) && !is_control(s.first)) heads_.push_back(s);
  }

  std::vector<Variation> all(bool near) {
    calls_left_out();
    terms_left_out();
    statements_left_out();
    arguments_exchanged();
    statements_exchanged();
    for (int i = 0; i < count(); ++i) choices(i);
    for (int i = 0; i < count(); ++i) operators(i);
    signs();
    names_exchanged();
    for (int i = 0; i < count(); ++i) constants(i);
    for (int i = 0; i < count(); ++i) names(i);
    if (!near) return std::move(made_);
    for (int i = 0; i < count(); ++i) {
      other_functions(i);
      if (at(i).kind == Kind::binary && is(i, "/")) replace(i, "%");
      if (is(i, "++") && at(i + 1).kind == Kind::name)
        make({{at(i).begin, at(i + 1).end, at(i + 1).text + " += 2"}});
    }
    for (int i = 0; i < count(); ++i) put_back(i);
    return std::move(made_);
  }

  std::vector<Variation> grafts(const Maker& original) {
    std::vector<Piece> mine = pieces();
    const std::vector<Piece> others = original.pieces();
    std::ranges::stable_sort(mine, {}, [&](const Piece& p) { return text(p).size(); });
    const auto exchange_pieces = [&](bool several) {  // but names, which are symbols
      for (const Piece& to : mine)
        for (const Piece& from : others)
          if (to.kind == from.kind && !is_name(to) && (to.many > 1) == several && is_alike(to, from))
            graft({{at(to.first).begin, at(to.last).end, original.text(from)}}, to.place);
    };
    exchange_pieces(false);
    grafts_of_repeated_values(mine, original, others);
    exchange_pieces(true);
    for (const Piece& before : mine)
      for (const Piece& from : others) {
        if (before.many > 1 || from.many > 1) continue;
        const bool simple = from.kind == Piece::Kind::statement && original.is(from.last, ";");
        if (before.kind != from.kind || !simple || original.is(from.first, "return")) continue;
        for (const std::size_t place : {at(before.first).begin, at(before.last).end})
          graft({{place, place, " " + original.text(from) + " "}}, "missing");
      }
    return std::move(made_);
  }

  // Names that are declared here, in their order, and their types.
  struct Declared {
    std::string name, type;
  };
  std::vector<Declared> declared() const {
    std::vector<Declared> out;
    for (int i = 0; i < count(); ++i) {
      if (!at(i).declared || at(i).called) continue;
      int type = i - 1;
      while (is(type, "&") || is(type, "*") || is(type, "const")) --type;
      if (std::ranges::find(out, at(i).text, &Declared::name) == out.end())
        out.push_back({at(i).text, is(type, ",") && !out.empty() ? out.back().type : at(type).text});
    }
    return out;
  }

  // The code with other names.
  std::string renamed(const std::map<std::string, std::string>& names) const {
    std::vector<Edit> edits;
    for (const Token& t : tokens_)
      if (const auto to = names.find(t.text); to != names.end() && !t.member && !t.called)
        edits.push_back({t.begin, t.end, to->second});
    return edited(0, code_.size(), edits);
  }

 private:
  int count() const { return static_cast<int>(tokens_.size()); }
  const Token& at(int i) const {
    static const Token none{.kind = Kind::mark, .text = "", .begin = 0, .end = 0};
    return i >= 0 && i < count() ? tokens_[static_cast<std::size_t>(i)] : none;
  }
  bool is(int i, const std::string& text) const { return at(i).text == text; }
  bool is_control(int i) const { return is(i, "for") || is(i, "if") || is(i, "while"); }
  bool in_head(int i) const {
    return std::ranges::any_of(heads_, [&](const Statement& s) { return s.first <= i && i <= s.last; });
  }
  int level(int i) const {  // of a binary operator; 99 if it is none
    const auto found = precedence.find(at(i).text);
    return at(i).kind == Kind::binary && found != precedence.end() ? found->second : 99;
  }
  std::string source(int first, int last) const {
    return first > last ? "" : code_.substr(at(first).begin, at(last).end - at(first).begin);
  }

  // `code_` from token `first` to `last`, edited.
  std::string edited(std::size_t begin, std::size_t end, const std::vector<Edit>& edits) const {
    std::string out;
    for (const Edit& edit : edits) {
      if (edit.end > end || edit.begin < begin) continue;
      out += code_.substr(begin, edit.begin - begin) + edit.to;
      begin = edit.end;
    }
    return out + code_.substr(begin, end - begin);
  }

  void make(const std::vector<Edit>& edits) {
    const std::string code = edited(0, code_.size(), edits);
    if (code != code_ && seen_.insert(code).second)
      made_.push_back({code, edits.front().begin, edits.back().end});
  }

  // --- pieces ---

  struct Piece {
    enum class Kind { value, statement } kind;
    int first, last;
    std::string place;
    int many = 1, number = 0;  // of neighbouring statements: how many, and which of its block is the first
  };
  static bool is_alike(const Piece& a, const Piece& b) {  // of one piece: whatever it is
    return a.many == 1 || (std::abs(a.many - b.many) <= 1 && std::abs(a.number - b.number) <= 1);
  }

  // The values: what stands in brackets, each argument, what is assigned and what is returned; then the statements, one
  // and several neighbours.
  std::vector<Piece> pieces() const {
    std::vector<Piece> out;
    for (int i = 0; i < count(); ++i) {
      if (in_head(i)) continue;
      const bool block =
          is(i, "{") && (i == 0 || is(i - 1, ")") || is(i - 1, ";") || is(i - 1, "}") || is(i - 1, "else"));
      if ((is(i, "(") || is(i, "[") || is(i, "{")) && !block && at(i).partner > i + 1) {
        const std::string of = "`" + at(i - 1).text + "`";
        const std::string place = is(i, "[")                              ? "the index of " + of
                                  : at(i - 1).called || is_control(i - 1) ? "in the brackets of " + of
                                                                          : "in brackets";
        out.push_back({Piece::Kind::value, i + 1, at(i).partner - 1, place});
        for (const auto& [first, last] : arguments(i))
          out.push_back({Piece::Kind::value, first, last, place});
      }
      const bool assigns = at(i).kind == Kind::binary && level(i) == 99 && !ends_operand(i + 1, false);
      if (!assigns && !is(i, "return")) continue;
      int end = i + 1;
      while (end < count() && !is(end, ",") && !is(end, ";") && !is(end, ")") && !is(end, "]") &&
             !is(end, "}"))
        end = at(end).partner > end ? at(end).partner + 1 : end + 1;
      if (end > i + 1)
        out.push_back({Piece::Kind::value, i + 1, end - 1,
                       assigns ? "right of `" + assigned(i) + " " + at(i).text + "`" : "what is returned"});
    }
    for (const Statement& s : statements_)
      if (!s.head && !in_head(s.first) && (s.first > 0 || s.last + 1 < count()))
        out.push_back({Piece::Kind::statement, s.first, s.last, ""});
    for (std::size_t n = 0; n < statements_.size(); ++n) neighbours(n, out);
    return out;
  }

  // Statement n and those after it in its block, together; not all of the region.
  void neighbours(std::size_t n, std::vector<Piece>& out) const {
    const Statement& first = statements_[n];
    if (first.head || in_head(first.first)) return;
    const auto number = static_cast<int>(
        std::ranges::count_if(statements_.begin(), statements_.begin() + static_cast<std::ptrdiff_t>(n),
                              [&](const Statement& s) { return s.block == first.block && !s.head; }));
    int last = first.last, many = 1;
    for (std::size_t m = n + 1; m < statements_.size(); ++m) {
      const Statement& next = statements_[m];
      if (next.block != first.block || next.head || next.first != last + 1) continue;
      last = next.last;
      if (first.first > 0 || last + 1 < count())
        out.push_back({Piece::Kind::statement, first.first, last, "", ++many, number});
    }
  }

  std::string assigned(int i) const {  // what stands left of the operator `i`: y, or w[...]
    return is(i - 1, "]") ? at(at(i - 1).partner - 1).text + "[...]" : at(i - 1).text;
  }
  bool is_name(const Piece& piece) const {
    return piece.first == piece.last && at(piece.first).kind == Kind::name;
  }
  std::string text(const Piece& piece) const { return source(piece.first, piece.last); }

  void graft(const std::vector<Edit>& edits, const std::string& place) {
    const std::size_t before = made_.size();
    make(edits);
    if (made_.size() > before) made_.back().place = place;
  }

  // A value that stands in several places is exchanged in all of them.
  void grafts_of_repeated_values(const std::vector<Piece>& mine, const Maker& original,
                                 const std::vector<Piece>& others) {
    std::map<std::string, std::vector<Edit>> places;
    for (const Piece& to : mine)
      if (std::vector<Edit>& all = places[text(to)];
          to.kind == Piece::Kind::value && (all.empty() || all.back().end <= at(to.first).begin))
        all.push_back({at(to.first).begin, at(to.last).end, ""});
    for (auto& [value, edits] : places)
      for (const Piece& from : others) {
        if (edits.size() < 2 || from.kind != Piece::Kind::value) continue;
        for (Edit& edit : edits) edit.to = original.text(from);
        graft(edits, "`" + value + "`, in more than one place");
      }
  }

  // --- what is left out ---

  // The arguments of a call or list whose bracket is `open`: first and last tokens.
  std::vector<std::pair<int, int>> arguments(int open) const {
    std::vector<std::pair<int, int>> out;
    int from = open + 1;
    for (int i = open + 1; i <= at(open).partner; ++i) {
      if (i < at(open).partner && at(i).partner > i) i = at(i).partner;
      if (!is(i, ",") && i != at(open).partner) continue;
      if (from < i) out.push_back({from, i - 1});
      from = i + 1;
    }
    return out;
  }

  void calls_left_out() {
    for (int i = 0; i < count(); ++i) {
      if (!at(i).called || at(i).declared || in_head(i)) continue;
      if (at(i).text == "as_size") continue;  // without it, the compiler converts by itself
      const int open = i + 1, close = at(open).partner;
      const auto given = arguments(open);
      if (at(i).member) {  // x.f() -> x
        if (given.empty()) make({{at(i - 1).begin, at(close).end, ""}});
        continue;
      }
      for (const auto& [first, last] : given) {
        const bool alone = first == last || given.size() > 1 ? level_inside(first, last) > 50 : false;
        const std::string argument = source(first, last);
        make({{at(i).begin, at(close).end, alone ? argument : "(" + argument + ")"}});
      }
    }
  }
  int level_inside(int first, int last) const {  // of its loosest operator
    int out = 99;
    for (int i = first; i <= last; ++i) {
      out = std::min(out, level(i));
      if (at(i).partner > i) i = at(i).partner;
    }
    return out;
  }

  bool ends_operand(int i, bool to_the_left) const {
    const Token& t = at(i);
    if (t.kind == Kind::binary && level(i) == 99) return true;  // assignments
    if (t.text == "return" || t.text == "," || t.text == ";" || t.text == "?" || t.text == ":" ||
        t.text.empty())
      return true;
    return to_the_left ? (t.text == "(" || t.text == "[" || t.text == "{")
                       : (t.text == ")" || t.text == "]" || t.text == "}");
  }
  // The last token of what stands right of the operator `i`, and the first of what stands left of it.
  int right_end(int i) const {
    int j = i + 1;
    while (j < count() && !ends_operand(j, false) && !(j > i + 1 && level(j) <= level(i)))
      j = at(j).partner > j ? at(j).partner + 1 : j + 1;
    return j - 1;
  }
  int left_start(int i) const {
    int j = i - 1;
    while (j >= 0 && !ends_operand(j, true) && level(j) > level(i))
      j = at(j).partner >= 0 && at(j).partner < j ? at(j).partner - 1 : j - 1;
    return j + 1;
  }

  void terms_left_out() {
    static const std::set<std::string> joins = {"*",  "+", "-", "&&", "||", "<<",
                                                ">>", "/", "%", "&",  "^",  "|"};
    for (int i = 0; i < count(); ++i) {
      if (at(i).kind != Kind::binary || !joins.contains(at(i).text) || in_head(i)) continue;
      const int start = left_start(i), end = right_end(i);
      if (start >= i || end <= i) continue;
      make({{at(i - 1).end, at(end).end, ""}});
      if (level(start - 1) == level(i)) continue;  // it is not the first of a chain
      if (is(i, "%") || is(i, "<<") || is(i, ">>")) continue;
      make({{at(start).begin, is(i, "-") ? at(i).begin : at(i + 1).begin, is(i, "/") ? "1 / " : ""}});
    }
  }

  bool is_last_return(const Statement& s) const { return is(s.first, "return"); }

  void statements_left_out() {
    for (const Statement& s : statements_) {
      if (s.head && is(s.first, "if")) make({{at(s.first).begin, at(s.last).end, ""}});
      if (s.head || is_last_return(s) || (is(s.last, "}") && in_head(s.first)))
        continue;  // the compiler warns of a missing return
      if (is(s.first, "{")) continue;
      make({{at(s.first).begin, at(s.last).end, ";"}});
    }
  }

  // --- exchanges ---

  void arguments_exchanged() {
    for (int i = 1; i < count(); ++i) {
      const bool call = is(i, "(") && (at(i - 1).called || at(i - 1).text.ends_with('>'));
      const bool values = is(i, "{") && !is(i - 1, ")");
      if ((!call && !values) || in_head(i) || at(i).partner < i) continue;
      const auto given = arguments(i);
      for (std::size_t a = 0; a < given.size(); ++a)
        for (std::size_t b = a + 1; b < given.size(); ++b) exchange(given[a], given[b]);
    }
  }
  void exchange(std::pair<int, int> a, std::pair<int, int> b) {
    const std::string x = source(a.first, a.second), y = source(b.first, b.second);
    make({{at(a.first).begin, at(a.second).end, y}, {at(b.first).begin, at(b.second).end, x}});
  }

  void statements_exchanged() {
    for (std::size_t n = 0; n < statements_.size(); ++n)
      for (std::size_t m = n + 1; m < statements_.size(); ++m) {
        const Statement &a = statements_[n], &b = statements_[m];
        if (a.block != b.block || a.head || b.head || b.first != a.last + 1 || in_head(a.first)) continue;
        const std::string x = source(a.first, a.last), y = source(b.first, b.last);
        make({{at(a.first).begin, at(a.last).end, y}, {at(b.first).begin, at(b.last).end, x}});
      }
  }

  void choices(int i) {
    if (!is(i, "?") || in_head(i)) return;
    int colon = i + 1;
    while (colon < count() && !is(colon, ":"))
      colon = at(colon).partner > colon ? at(colon).partner + 1 : colon + 1;
    int end = colon + 1;
    while (end < count() && !ends_operand(end, false))
      end = at(end).partner > end ? at(end).partner + 1 : end + 1;
    int start = i - 1;
    while (start >= 0 && !ends_operand(start, true))
      start = at(start).partner >= 0 && at(start).partner < start ? at(start).partner - 1 : start - 1;
    const auto [yes, no] = std::pair(std::pair(i + 1, colon - 1), std::pair(colon + 1, end - 1));
    exchange(yes, no);
    for (const auto& [first, last] : {yes, no})
      make({{at(start + 1).begin, at(end - 1).end, source(first, last)}});
  }

  void names_exchanged() {
    for (const Statement& s : statements_) {
      if (is(s.last, "}") || in_head(s.first) || (is_control(s.first) && !s.head)) continue;
      std::vector<const Token*> here;
      for (int i = s.first; i <= s.last; ++i)
        if (at(i).kind == Kind::name && !at(i).declared &&
            std::ranges::none_of(here, [&](const Token* t) { return t->text == at(i).text; }))
          here.push_back(&at(i));
      for (std::size_t a = 0; a < here.size(); ++a)
        for (std::size_t b = a + 1; b < here.size(); ++b) {
          if (here[a]->called != here[b]->called || here[a]->member != here[b]->member) continue;
          const std::string &x = here[a]->text, &y = here[b]->text;
          std::vector<Edit> edits;
          for (int i = s.first; i <= s.last; ++i)
            if (at(i).kind == Kind::name && !at(i).declared && (at(i).text == x || at(i).text == y))
              edits.push_back({at(i).begin, at(i).end, at(i).text == x ? y : x});
          make(edits);
        }
    }
  }

  // --- one symbol for another ---

  void replace(int i, const std::string& to) { make({{at(i).begin, at(i).end, to}}); }

  void operators(int i) {
    const auto others = other_operators.find(at(i).text);
    if ((at(i).kind != Kind::binary && !is(i, "++") && !is(i, "--")) || others == other_operators.end() ||
        in_head(i))
      return;
    if (is(i, "=") && (at(i - 1).declared || is(i - 2, ".") || is(i - 2, ",") || is(i - 2, "["))) return;
    for (const std::string& to : others->second) replace(i, to);
  }

  void signs() {
    for (int i = 0; i < count(); ++i) {
      if (in_head(i)) continue;
      if (at(i).kind == Kind::unary && (is(i, "-") || is(i, "!"))) make({{at(i).begin, at(i).end, ""}});
      const bool starts = at(i).kind == Kind::name || at(i).kind == Kind::number || is(i, "(");
      const Token& before = at(i - 1);
      const bool begins = before.text == "(" || before.text == "," || before.text == "return" ||
                          before.text == "?" || before.text == ":" || before.text == "{" ||
                          (before.kind == Kind::binary && level(i - 1) == 99);
      const bool sign_matters = !is(i, "true") && !is(i, "false") && !is(i, "0");
      if (!starts || !begins || at(i).declared || is_control(i - 2) || (is(i, "(") && is_control(i - 1)) ||
          !sign_matters)
        continue;
      make({{at(i).begin, at(i).begin, "-"}});
    }
    for (const Statement& s : statements_)
      if (s.head && is(s.first, "if")) {
        int open = s.first;
        while (!is(open, "(")) ++open;
        make({{at(open).end, at(open).end, "!("}, {at(s.last).begin, at(s.last).begin, ")"}});
      }
  }

  void constants(int i) {
    if (at(i).kind != Kind::number || in_head(i)) return;
    std::string text = at(i).text;
    std::erase(text, '\'');  // 100'000
    if (text == "true" || text == "false") return replace(i, text == "true" ? "false" : "true");
    const std::optional<double> value = parse_double(text);
    if (!value) return;
    const bool whole = parse_int(text).has_value();
    for (const double other : {0.0, 1.0, *value - 1, *value + 1, 2 * *value}) {
      if (other == *value) continue;
      std::string to = significant(other, 6);
      if (!whole && to.find_first_of(".e") == std::string::npos) to += ".0";
      if (parse_double(to) != *value) replace(i, to[0] == '-' ? "(" + to + ")" : to);
    }
  }

  void names(int i) {
    const Token& t = at(i);
    if (t.kind != Kind::name || t.declared || in_head(i)) return;
    std::vector<std::string> others;
    if (!t.member && !t.called) others = names_;
    for (const Token& other : tokens_)
      if (other.kind == Kind::name && other.called == t.called && other.member == t.member &&
          (t.called || t.member))
        others.push_back(other.text);
    for (const std::string& to : others)
      if (to != t.text && !declares(i, to)) replace(i, to);
  }
  // What a learner may have left out of an operand: a minus, one more or less, a factor.
  void put_back(int i) {
    const Token& t = at(i);
    const bool operand =
        (t.kind == Kind::name && !t.declared && !t.called && !t.member) || t.kind == Kind::number;
    if (!operand || in_head(i) || t.text == "true" || t.text == "false") return;
    int end = i;  // with its members and indices: a[i], a.size()
    while (is(end + 1, ".") || is(end + 1, "->") || is(end + 1, "[") || (is(end + 1, "(") && end > i))
      end = is(end + 1, "[") || is(end + 1, "(") ? at(end + 1).partner : end + 2;
    if (end < i || is(end + 1, "=") || is(end + 1, "++")) return;
    const std::string x = source(i, end);
    std::vector<std::string> others = {"(-@)", "(@ - 1)", "(@ + 1)", "(2 * @)", "(@ / 2)"};
    if (parse_int(t.text)) others.push_back("@.0");  // so that a division is not one of whole numbers
    for (const std::string& name : names_)
      if (name != t.text && !declares(i, name)) others.push_back("(" + name + " * @)");
    for (std::string& with : others) make({{t.begin, at(end).end, with.replace(with.find('@'), 1, x)}});
  }
  // One function for another that is often taken for it, or one that the file calls elsewhere.
  void other_functions(int i) {
    static const std::vector<std::vector<std::string>> alike = {
        {"std::sin", "std::cos", "std::tan"},
        {"std::exp", "std::log", "std::exp2", "std::log2"},
        {"std::min", "std::max"},
        {"std::floor", "std::ceil", "std::round"}};
    if (!at(i).called || at(i).member || at(i).declared || in_head(i)) return;
    for (const auto& kind : alike)
      if (std::ranges::find(kind, at(i).text) != kind.end())
        for (const std::string& to : kind)
          if (to != at(i).text) replace(i, to);
    if (at(i).text.ends_with('_'))
      for (const std::string& to : names_)
        if (to.ends_with('_') && to != at(i).text) replace(i, to);
  }
  // Whether token `i` is in the first value of a variable of this name, which would be read before it has one.
  bool declares(int i, const std::string& name) const {
    for (int j = i; j >= 0 && !is(j, ";") && !is(j, "{") && !is(j, "}"); --j)
      if (at(j).declared && at(j).text == name) return is(j + 1, "=") || is(j + 1, "(");
    return false;
  }

  std::string code_;
  std::vector<Token> tokens_;
  std::vector<Statement> statements_, heads_;  // heads_: of functions
  std::vector<std::string> names_;
  std::vector<Variation> made_;
  std::set<std::string> seen_;
};

}  // namespace

std::vector<Variation> variations_of(const std::string& region, const std::vector<std::string>& names,
                                     bool near) {
  return Maker(region, names).all(near);
}

std::vector<Variation> grafts_of(const std::string& region, const std::string& original) {
  Maker maker(region, {});
  using Declared = Maker::Declared;
  const std::vector<Declared> mine = maker.declared(), others = Maker(original, {}).declared();
  const auto only = [](const std::vector<Declared>& in, const std::vector<Declared>& not_in) {
    std::vector<Declared> out;
    std::ranges::copy_if(in, std::back_inserter(out), [&](const Declared& one) {
      return std::ranges::find(not_in, one.name, &Declared::name) == not_in.end();
    });
    return out;
  };
  std::vector<Declared> to = only(mine, others);
  const std::vector<Declared> from = only(others, mine);
  std::map<std::string, std::string> names;
  for (const bool same_type : {true, false})
    for (const Declared& original_name : from) {
      const auto found = std::ranges::find_if(
          to, [&](const Declared& one) { return !same_type || one.type == original_name.type; });
      if (names.contains(original_name.name) || found == to.end()) continue;
      names[original_name.name] = found->name;
      to.erase(found);
    }
  return maker.grafts(Maker(Maker(original, {}).renamed(names), {}));
}

}  // namespace locus::slips
