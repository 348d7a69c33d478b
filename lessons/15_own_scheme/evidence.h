// What a learner says about a scheme, in the form of evidence.txt, and how it is read.
//
//   scheme: wheel
//   prediction: wheel is worse than rope on previous at 24
//   runs: runs/wheel
//   sentence: wheel is better than none on previous at 12
//
// Predictions and sentences have one form, so that a machine can judge them: two schemes, a task, a length, and one of four
// verdicts. Budget and size are not said: the runs say them.
#pragma once

#include <string>
#include <vector>

namespace locus {

enum class Said { better, worse, equal, not_told_apart };
std::string to_string(Said);  // "better than", "worse than", "equal to", "not told apart from"

struct Statement {
  std::string scheme;
  Said said;
  std::string control, task;
  int length;
  std::string words;  // the statement as it is written

  // Whether both compare the same two schemes on the same task at the same length, whatever they say of them.
  bool is_about_what(const Statement& other) const;
};

struct Evidence {
  std::string scheme;
  std::vector<Statement> predictions, sentences;
  std::vector<std::string> runs;  // folders of results
};

// `where`: the file, for error lines. Throws Error naming the line when it has another form, an unknown key, or a
// statement that is about another scheme. What is not filled in is empty.
Evidence read_evidence(const std::string& text, const std::string& where);

// "wheel is better than none on previous at 12". Throws Error that says which word is wrong, and what would be right.
Statement read_statement(const std::string& words, const std::string& where);

}  // namespace locus
