// The ledger: what five articles say about positions (lessons/claims.txt), and what running it says. A
// chapter's claims.cpp settles its rows, each with the verdict and a function that looks for the evidence:
//
//   const Settles row_16(16, "holds", [] {
//     const double change = ...;
//     return Evidence{change < 1e-12, str("the score moves by ", change, " at most")};
//   });
//
// Evidence that does not support its verdict fails `make claims`.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace locus {

struct Evidence {
  bool supports = false;  // whether the numbers bear the verdict out
  std::string text;       // the numbers, in words
};

struct Settles {
  // The verdict: "holds", "holds if ..." with the condition, "fails: ..." with what is true instead, or "not
  // settled: ..." with what is seen and why it is not enough. Training experiments are made at two sizes with
  // three seeds or more.
  Settles(int row, std::string verdict, std::function<Evidence()> look,
          std::string file = __builtin_FILE());  // std::source_location is not in every clang++

  int row;
  std::string verdict;
  std::function<Evidence()> look;
  std::string file;
  static const std::vector<Settles>& all();
};

}  // namespace locus
