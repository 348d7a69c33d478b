// The words after `locus COMMAND`, checked against the options the command declares.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace locus {

struct OptionSpec {
  std::string name;   // "--steps"
  std::string value;  // what follows it, for the help: "N"; "" for a switch
  std::string help;
  bool list = false;  // takes several values: words up to the next option, or the option again
};

class Arguments {
 public:
  // Throws UsageError for an unknown option (naming the nearest), a missing, empty or superfluous value, an
  // option given twice, and too many or too few words that belong to no option.
  Arguments(std::string_view command, const std::vector<OptionSpec>& options,
            const std::vector<std::string>& words, std::size_t least_positional, std::size_t most_positional);

  const std::vector<std::string>& words() const { return words_; }  // as they were typed
  // These, and for options that are not given, those of `defaults`.
  Arguments with_defaults(const Arguments& defaults) const;
  // The same, but for this value of this option.
  Arguments with(const std::string& option, const std::string& value) const;
  Arguments without(const std::string& option) const;

  bool given(std::string_view option) const { return values_.contains(option); }
  const std::vector<std::string>& positional() const { return positional_; }

  std::string text(std::string_view option, std::string fallback = "") const;
  std::vector<std::string> texts(std::string_view option) const;  // of a list, word by word
  // Throw UsageError when the value is no number or outside [low, high].
  int integer(std::string_view option, int fallback, int low, int high) const;
  double number(std::string_view option, double fallback, double low, double high) const;
  std::vector<int> integers(std::string_view option, int low,
                            int high) const;  // "12,18,24"; empty when not given

  // A list of names or specs. Commas separate them too, except in a word with a ':', where they belong to the
  // spec. Empty only when the option is not given.
  std::vector<std::string> names(std::string_view option) const;

  // What would be ignored is refused: throws UsageError when one of these options is given.
  // arguments.refuse({"--seed"}, "with --from") -> "--seed has no effect with --from".
  void refuse(std::initializer_list<std::string_view> options, std::string_view when) const;

 private:
  std::string command_;
  std::vector<std::string> words_;
  std::vector<std::string> positional_;
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
};

// "low-high" or a single number, from 1 to `most`.
struct IntegerRange {
  int low, high;
};
IntegerRange parse_range(std::string_view where, std::string_view option, std::string_view value, int most);

}  // namespace locus
