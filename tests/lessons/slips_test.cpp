// The program behind `make lessons-slips` and `make near-NN`: how it reads a line, and which one-symbol variations it makes of it.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "lessons/tools/slips/tokens.cpp"  // NOLINT: the tool is no part of src/, which the tests are linked with
#include "lessons/tools/slips/variations.cpp"  // NOLINT

using namespace locus;
using namespace locus::slips;

namespace {

std::vector<std::string> codes(const std::string& region, const std::vector<std::string>& names = {}) {
  std::vector<std::string> out;
  for (const Variation& v : variations_of(region, names)) out.push_back(v.code);
  return out;
}

bool makes(const std::string& code, const std::string& region) {
  return std::ranges::count(codes(region), code) == 1;
}

Token::Kind kind_of(const std::string& text, const std::string& piece) {
  for (const Token& t : tokens_of(piece))
    if (t.text == text) return t.kind;
  return Token::Kind::mark;
}

}  // namespace

TEST_CASE("slips: all variations of one line, each once") {
  CHECK(codes("sum += x[i] * 2;", {"k"}) ==
        std::vector<std::string>{"sum += x[i];",       "sum += 2;",        ";",  // left out
                                 "sum -= x[i] * 2;",   "sum = x[i] * 2;",  "sum += x[i] / 2;",
                                 "sum += x[i] + 2;",                                            // operators
                                 "sum += -x[i] * 2;",                                           // a sign
                                 "x += sum[i] * 2;",   "i += x[sum] * 2;", "sum += i[x] * 2;",  // exchanged
                                 "sum += x[i] * 0;",   "sum += x[i] * 1;", "sum += x[i] * 3;",
                                 "sum += x[i] * 4;",  // constants
                                 "k += x[i] * 2;",     "x += x[i] * 2;",   "i += x[i] * 2;",
                                 "sum += k[i] * 2;",  // names
                                 "sum += sum[i] * 2;", "sum += i[i] * 2;", "sum += x[k] * 2;",
                                 "sum += x[sum] * 2;", "sum += x[x] * 2;"});
}

TEST_CASE(
    "slips: calls, conditions, statements and terms are left out, and each variation knows where it begins") {
  const std::string region = "if (n > 0) y = std::sqrt(n);\nreturn f(y, n) / (a - b);";
  const std::string end = "\nreturn f(y, n) / (a - b);", start = "if (n > 0) y = std::sqrt(n);\n";
  CHECK(makes("if (n > 0) y = n;" + end, region));
  CHECK(makes(" y = std::sqrt(n);" + end, region));
  CHECK(makes("if (!(n > 0)) y = std::sqrt(n);" + end, region));
  CHECK(makes("if (n > 0) ;" + end, region));
  CHECK(makes("if (n >= 0) y = std::sqrt(n);" + end, region));
  CHECK(makes(start + "return f(n, y) / (a - b);", region));
  CHECK(makes(start + "return f(y, n);", region));
  CHECK(makes(start + "return 1 / (a - b);", region));
  CHECK(makes(start + "return f(y, n) / (- b);", region));
  for (const Variation& v : variations_of(region, {}, true)) {
    CAPTURE(v.code);
    CHECK(v.begin < region.size());
    CHECK(v.code.substr(0, v.begin) == region.substr(0, v.begin));
  }
}

TEST_CASE(
    "slips: near a learner's lines is also what was left out, another function, and lines in another style") {
  const auto near = [](const std::string& wrong, const std::string& right) {
    const auto all = variations_of(wrong, {"w", "key_"}, true);
    return std::ranges::count(all, right, &Variation::code) == 1;
  };
  CHECK(near("y = x;", "y = (-x);"));
  CHECK(near("y = x[n];", "y = x[(n - 1)];"));
  CHECK(near("y = x[n] + 1;", "y = (w * x[n]) + 1;"));
  CHECK(near("y = 1 / n;", "y = 1.0 / n;"));
  CHECK(near("y = std::sin(x);", "y = std::cos(x);"));
  CHECK(near("y = query_(x);", "y = key_(x);"));
  CHECK(near("for (int i=0;i<n;++i) y+=a*x;", "for (int i=0;i<=n;++i) y+=a*x;"));
  CHECK(near("y = a*b-c;", "y = a*b+c;"));
  CHECK(near("y = 100'000 * a;", "y = 200000 * a;"));
  CHECK(near("y = 100'000; z = a < b;", "y = 100'000; z = a <= b;"));
  CHECK_FALSE(near("return;", "return;"));
}

TEST_CASE("slips: a piece of a learner's lines is exchanged for one of the original's, the smallest first") {
  const auto place = [](const std::string& wrong, const std::string& original, const std::string& right) {
    for (const Variation& v : grafts_of(wrong, original)) {
      CHECK(wrong.substr(0, v.begin) == v.code.substr(0, v.begin));
      CHECK(v.code != wrong);
      if (v.code == right) return v.place + "|" + wrong.substr(v.begin, v.end - v.begin);
    }
    return std::string("nothing");
  };
  const std::string end = "\nreturn y;";
  CHECK(place("y = f(b, a);" + end, "y = f(a, b);" + end, "y = f(a, b);" + end) ==
        "in the brackets of `f`|b, a");
  CHECK(place("y = w[i + 1] * 2;" + end, "y = w[i / 2] * 2;" + end, "y = w[i / 2] * 2;" + end) ==
        "the index of `w`|i + 1");
  CHECK(place("y = (a + b) / c;" + end, "y = a + b / c;" + end, "y = a + b / c;" + end) ==
        "right of `y =`|(a + b) / c");
  CHECK(place("f(y);\nreturn -x;", "f(y);\nreturn y;", "f(y);\nreturn y;") == "what is returned|-x");
  CHECK(place("g({.a = (x)});" + end, "g({.a = f(x)});" + end, "g({.a = f(x)});" + end) ==
        "right of `a =`|(x)");  // no bracket is cut off
  CHECK(place("w[i] = (a);" + end, "w[i] = a * b;" + end, "w[i] = a * b;" + end) ==
        "right of `w[...] =`|(a)");
  CHECK(place("if (a > b) f(y);" + end, "if (a >= 2 * b) f(y);" + end, "if (a >= 2 * b) f(y);" + end) ==
        "in the brackets of `if`|a > b");
  CHECK(place("f(y);\ny.g();" + end, "f(y);\ny *= 2;" + end, "f(y);\ny *= 2;" + end) == "|y.g();");
  CHECK(place("f(y);" + end, "f(y);\ny *= 2;" + end, "f(y); y *= 2; " + end) == "missing|");
  CHECK(place("f(y);\nreturn 2 * g(y);", "f(y);", "f(y);\nreturn 2 * g(y);") == "nothing");
  // A learner's own names.
  CHECK(place("double s = 0;\nfor (int k = 0; k < n; ++k) s += x[k];\nreturn s;",
              "double sum = 0;\nfor (int i = 0; i < n; ++i) sum += x[i] * x[i];\nreturn sum;",
              "double s = 0;\nfor (int k = 0; k < n; ++k) s += x[k] * x[k];\nreturn s;") ==
        "right of `s +=`|x[k]");
  CHECK(place("int k = 0;\ndouble s = 2;\ns += x[k];\nreturn s;",
              "double sum = 1;\nint i = 0;\nsum += x[i];\nreturn sum;",
              "int k = 0;\ndouble s = 1;\ns += x[k];\nreturn s;") ==
        "right of `s =`|2");  // each name for one of its type
  // One value, wrong in two places.
  CHECK(place("f(a, 1);\ng(b, 1);" + end, "f(a, c);\ng(b, c);" + end, "f(a, c);\ng(b, c);" + end) ==
        "`1`, in more than one place|1);\ng(b, 1");
  // Two statements that are both wrong.
  CHECK(place("f(y);\ny = 2 * y;\nreturn y + 1;", "f(y);\ny = 3 * y;\nreturn y;",
              "f(y);\ny = 3 * y;\nreturn y;") == "|y = 2 * y;\nreturn y + 1;");
}

TEST_CASE("slips: what is declared, a comment and a text are left as they are, and a return stays") {
  const auto all = codes("const double h = 2 * x;  // not y\nuse(\"a + b\", h);\nreturn h;");
  CHECK(all.size() > 10);
  for (const std::string& code : all) {
    CAPTURE(code);
    CHECK((code.find("double h = ") != std::string::npos || code.starts_with(";")));
    CHECK(code.find("a - b") == std::string::npos);
    CHECK(code.find("// not y") != std::string::npos);
    CHECK(code.find("return ") != std::string::npos);
  }
}

TEST_CASE("slips: a * between spaces is a product, any other belongs to a type or is a sign") {
  CHECK(kind_of("*", "a * b;") == Token::Kind::binary);
  CHECK(kind_of("*", "const Real* a = b;") == Token::Kind::word);
  CHECK(kind_of("-", "return -a;") == Token::Kind::unary);
  CHECK(kind_of("-", "b-a;") == Token::Kind::binary);
  CHECK(kind_of("<", "for (i=0;i<n;++i)") == Token::Kind::binary);
  CHECK(kind_of("<", "a < b") == Token::Kind::binary);
  CHECK(kind_of("static_cast<Real>", "static_cast<Real>(1 / b)") == Token::Kind::word);
  CHECK(makes("const Real* a = b + 2;", "const Real* a = b + 1;"));
}

TEST_CASE("slips: neighbouring statements are exchanged, and none across the border of a block") {
  const std::string region = "a = 1;\nfor (int i = 0; i < n; ++i) {\n  b = 2;\n  c = 3;\n}\nd = 4;";
  CHECK(makes("a = 1;\nfor (int i = 0; i < n; ++i) {\n  c = 3;\n  b = 2;\n}\nd = 4;", region));
  CHECK(makes("for (int i = 0; i < n; ++i) {\n  b = 2;\n  c = 3;\n}\na = 1;\nd = 4;", region));
  CHECK_FALSE(makes("b = 1;\nfor (int i = 0; i < n; ++i) {\n  a = 2;\n  c = 3;\n}\nd = 4;", region));
  CHECK(makes("a = 1;\nfor (int i = 0; i <= n; ++i) {\n  b = 2;\n  c = 3;\n}\nd = 4;", region));
}
