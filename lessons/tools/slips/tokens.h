// The symbols of a piece of C++, as far as a program must know them that changes one at a time. It reads the style of
// this project, and most of what learners write: a+b as a + b. What it takes for something else makes a variation that
// does not compile.
#pragma once

#include <string>
#include <vector>

namespace locus::slips {  // of its own: `Statement` is another thing elsewhere

struct Token {
  enum class Kind { name, number, binary, unary, mark, word };  // word: keywords, types, casts, texts
  Kind kind{};
  std::string text;
  std::size_t begin = 0, end = 0;  // in the piece
  bool declared = false;           // a name that is declared here
  bool called = false;             // a name before (
  bool member = false;             // a name after . or ->
  int partner = -1;                // of a bracket: the number of the other one
};

// Comments are left out.
std::vector<Token> tokens_of(const std::string& piece);

// Statements, in the order of their ends: numbers of the first and last token. `block` is equal for neighbours. The head
// of a loop or of an `if` is one as well, and so is the head of a function, both with `head` set.
struct Statement {
  int first, last, block;
  bool head = false;
};
std::vector<Statement> statements_of(const std::vector<Token>& tokens);

}  // namespace locus::slips
