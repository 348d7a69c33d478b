// The words after `locus COMMAND`, checked against the options that the command has.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace locus {

struct OptionSpec {
  std::string name;   // "--steps"
  std::string value;  // what follows the option, for the help: "N"; "" for a switch
  std::string help;
  bool list = false;  // takes several values: all words up to the next option; may be repeated
  std::string group = "options";  // its heading in the help: "the model"
};

class Arguments {
 public:
  // Throws UsageError for an unknown option (naming the nearest), a missing, empty or superfluous value, an
  // option given twice, and too many or too few words that belong to no option: `usage` shows them.
  Arguments(std::string_view command, const std::vector<OptionSpec>& options,
            const std::vector<std::string>& words, std::size_t least_positional, std::size_t most_positional,
            std::string_view usage = "");

  const std::string& command() const { return command_; }
  const std::vector<std::string>& words() const { return words_; }  // as they were typed
  // The same arguments, completed by those of `defaults` for options that are not given.
  Arguments with_defaults(const Arguments& defaults) const;
  // The same arguments with this value of this option.
  Arguments with(const std::string& option, const std::string& value) const;
  Arguments without(const std::string& option) const;

  bool given(std::string_view option) const { return values_.contains(option); }
  const std::vector<std::string>& positional() const { return positional_; }

  std::string text(std::string_view option, std::string fallback = "") const;
  std::vector<std::string> texts(std::string_view option) const;  // all words of a list
  // Throw UsageError when the value is not a number or outside [low, high].
  int integer(std::string_view option, int fallback, int low, int high) const;
  double number(std::string_view option, double fallback, double low, double high) const;
  std::vector<int> integers(std::string_view option, int low,
                            int high) const;  // "12,18,24"; {} when not given
  // Lengths from 1 to `most`, each once: "12,18,24", "2-12" or "2-12,24"; {} when not given. 1000 at most.
  std::vector<int> lengths(std::string_view option, int most) const;

  // A list of names or specs. Spaces and commas separate them; in a word with a ':' commas belong to the
  // spec. Empty only when the option is not given.
  std::vector<std::string> names(std::string_view option) const;

  // A list of paths of tables and texts. A comma or space separates two of them behind the ending .tsv or .txt alone:
  // others belong to a path.
  std::vector<std::string> paths(std::string_view option) const;

  // Throws UsageError when one of these options is given, which would have no effect.
  // arguments.refuse({"--seed"}, "with --from") -> "--seed has no effect with --from".
  void refuse(std::initializer_list<std::string_view> options, std::string_view when) const;

 private:
  std::string command_;
  std::vector<std::string> words_;
  std::vector<std::string> positional_;
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
};

}  // namespace locus
