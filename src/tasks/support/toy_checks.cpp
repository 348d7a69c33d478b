// What is wrong with the fields of a toy task, in words: what the compiler cannot know of them.
#include <algorithm>

#include "base/error.h"
#include "base/random.h"
#include "base/text.h"
#include "tasks/support/toy.h"

namespace locus {

namespace {

class Checks {
 public:
  explicit Checks(const Toy& toy) : toy_(toy) {}

  void require(bool holds, const std::string& what, const std::string& hint) const {
    if (!holds) fail("tasks", str("the task '", toy_.name, "' ", what), hint);
  }

  void fields() const {
    require(is_plain_name(toy_.name), "has no name that the command line can hold",
            "in .name: a to z, 0 to 9, - and _");
    require(!toy_.summary.empty(), "has no summary", "in .summary: what is asked for, on one line");
    require(toy_.solve, "has no solver", ".solve = a function from an input to its target");
    require(toy_.sample, "draws nothing", ".sample = a function; left out, it draws digits");
    require(toy_.accepts, "accepts nothing", ".accepts = a function; left out, it accepts every input");
    require(toy_.shuffle, "shuffles nothing",
            ".shuffle = a function; left out, every order is equally likely");
    require(toy_.shortest >= 1 && toy_.step >= 1 && toy_.longest >= toy_.shortest,
            str("has no lengths from .shortest = ", toy_.shortest, " in steps of .step = ", toy_.step,
                " to .longest = ", toy_.longest),
            "all are 1 or more, and the longest is not below the shortest");
    for (const std::string& token : toy_.alphabet)
      require(
          !token.empty() && token.find(' ') == token.npos && std::ranges::count(toy_.alphabet, token) == 1,
          str("has the token '", token, "' in .alphabet, which is empty, has a space or stands there twice"),
          "every token is one word of its own");
  }

  // An input that comes from .sample or .example.
  void input(const Tokens& input, const std::string& which) const {
    tokens(input, which, "the tokens are numbered from 0 in the order of .alphabet");
    require(toy_.accepts(input), str("does not accept ", which),
            ".accepts is true for all that .sample can draw");
    const Tokens target = toy_.solve(input);
    tokens(target, str("the answer of .solve to ", which),
           "labels of answers, such as yes, belong to .alphabet, too");
    const std::size_t expected = toy_.form == Form::classification ? 1
                                 : toy_.form == Form::labelling    ? input.size()
                                                                   : target.size();
    require(
        target.size() == expected,
        str("answers ", target.size(), " tokens to ", which, ", and its form is ", to_string(toy_.form)),
        "in .form: classification has one answer, labelling as many as the input has tokens, generation any");
  }

  Tokens example() const {
    Tokens read;
    for (const std::string& word : split(toy_.example, ' ')) {
      const auto token = std::ranges::find(toy_.alphabet, word);
      require(token != toy_.alphabet.end(), str("has '", word, "' in .example, which is not in .alphabet"),
              "the example is an input, with spaces between its tokens");
      read.push_back(static_cast<int>(token - toy_.alphabet.begin()));
    }
    return read;
  }

 private:
  void tokens(const Tokens& all, const std::string& of, const std::string& hint) const {
    const int count = static_cast<int>(toy_.alphabet.size());
    for (const int token : all)
      require(token >= 0 && token < count,
              str("has the token ", token, " in ", of, ", and .alphabet has the tokens 0 to ", count - 1),
              hint);
  }

  const Toy& toy_;
};

}  // namespace

void require_complete(const Toy& toy) {
  const Checks checks(toy);
  checks.fields();
  checks.input(checks.example(), "its example");
  const int length = toy.usual_lengths.low;
  Random random(0, Purpose::testing);
  const Tokens drawn = toy.sample(random, length);
  checks.require(static_cast<int>(drawn.size()) == length,
                 str("draws ", drawn.size(), " tokens where ", length, " were asked for"),
                 ".sample gets the length that it has to give");
  checks.input(drawn, "an input that it draws");
}

}  // namespace locus
