// Every scheme there is, and every choice of every one of its keys: what "for all schemes" means in the
// tests. A new file in src/positional/ is in this list, and so in those tests, without further ado.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "positional/support/registry.h"

namespace locus {

// "alibi", "alibi:direction=asymmetric", ... Schemes with a table of limited capacity get one of `capacity`
// rows. Those made for decoders only are left out unless the model is `causal`.
inline std::vector<std::string> every_spec(int capacity, bool causal = false) {
  std::vector<std::string> specs;
  for (const SchemeInfo& info : all_schemes()) {
    if (info.causal_only && !causal) continue;
    std::vector<std::string> settings = {""};  // the defaults, then one choice at a time
    std::string size;
    // Ways to read longer inputs than trained on say nothing until told how much longer.
    const auto with_needs = [](const std::string& setting) {
      const bool stretches = setting.starts_with("extend=") && setting != "extend=prope";
      return setting + (stretches || setting == "temperature=on" ? ",factor=4" : "") +
             (stretches ? ",original=4" : "");
    };
    for (const SchemeOption& option : info.options) {
      if (option.name == "capacity") size = str("capacity=", capacity);
      for (const std::string& choice : option.choices)
        if (choice != option.fallback) settings.push_back(with_needs(str(option.name, "=", choice)));
    }
    for (const std::string& setting : settings) {
      const std::string both = setting + (setting.empty() || size.empty() ? "" : ",") + size;
      specs.push_back(info.name + (both.empty() ? "" : ":") + both);
    }
  }
  return specs;
}

}  // namespace locus
