// The options of a scheme and the values that a spec gives them, checked:
// "base=100,layout=half,rescale=1/1.5/3".
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace locus {

struct SchemeOption {
  std::string name;
  std::string fallback;  // its value when the spec does not give one; "": the model or another option decides
  std::string help;
  std::vector<std::string> choices;  // if there are any, the value is one of these; else it is a number
  double low = 0, high = 0;          // the range of the number
  bool integer = false;              // the number must be whole
  bool list = false;                 // several numbers are allowed, with "/" between them: "1/1.5/3"
};

SchemeOption choice_option(std::string name, std::string fallback, std::vector<std::string> choices,
                           std::string help);
SchemeOption number_option(std::string name, std::string fallback, double low, double high, std::string help);
SchemeOption integer_option(std::string name, std::string fallback, double low, double high,
                            std::string help);
SchemeOption list_option(std::string name, double low, double high, std::string help);
SchemeOption integers_option(std::string name, double low, double high, std::string help);  // a list, too

// "1 to 512". Without exponents, whose '+' would separate two schemes in a spec.
std::string range_text(const SchemeOption& option);

class Options {
 public:
  // `given`: names and values, as in the spec. Throws UsageError for an unknown name, a value of the wrong
  // type or out of range, and an option that is given twice.
  Options(std::string_view scheme, const std::vector<SchemeOption>& options,
          const std::vector<std::pair<std::string, std::string>>& given);

  bool given(std::string_view option) const;  // in the spec
  const std::string& text(std::string_view option) const;
  std::vector<double> numbers(std::string_view option) const;  // of a list; none when it is ""
  double number(std::string_view option) const;
  int integer(std::string_view option) const;

 private:
  std::vector<std::string> given_;
  std::vector<std::pair<std::string, std::string>> values_;
};

}  // namespace locus
