// The surprisal of every character of a generated text, -ln p(character | all before it in its paragraph), by the
// grammar that wrote it: no model does better in the long run. It stands beside the text, NAME.surprisal beside
// NAME.txt, as datasets/make/corpus.cpp writes it:
//
//   # a=0.693147181 b=1.09861229 ...    the symbols and what they mean, in nats; '.' is 0
//   ..a...b                             for each line of the text, a symbol per character and one for the line end
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace locus {

bool has_surprisal(const std::string& text_path);  // whether it has such a file

// For each line of the text, the surprisal of its characters and of its end; empty when the text has no such file.
// Throws Error with file and line where it does not fit the text.
std::vector<std::vector<double>> read_surprisal(const std::string& text_path,
                                                const std::vector<std::string_view>& text_lines);

}  // namespace locus
