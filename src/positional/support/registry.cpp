#include "positional/support/registry.h"

#include <algorithm>
#include <functional>

#include "base/error.h"

namespace locus {

namespace {

std::vector<SchemeInfo>& registered() {
  static std::vector<SchemeInfo> schemes;  // made at first use: schemes register before main, in any order
  return schemes;
}

struct Part {
  const SchemeInfo* info;
  Options options;
};

Part parse_part(const std::string& part, std::string_view spec) {
  const auto colon = part.find(':');
  const std::string name = part.substr(0, colon);
  if (name.empty())
    fail_usage("scheme", text("a name is missing in '", spec, "'"),
               "for example sinusoidal+alibi or rope:base=100");
  const SchemeInfo& info = find_scheme(name);
  std::vector<std::pair<std::string, std::string>> given;
  if (colon != std::string::npos)
    for (const std::string& setting : split(part.substr(colon + 1), ',')) {
      const auto equals = setting.find('=');
      if (equals == std::string::npos || equals == 0)
        fail_usage(name, text("'", setting, "' in '", spec, "' is not of the form key=value"),
                   "for example rope:base=100,layout=half");
      given.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
    }
  return {&info, Options(name, info.options, given)};
}

std::vector<Part> parse_parts(std::string_view spec) {
  std::vector<Part> parts;
  for (const std::string& part : split(spec, '+')) parts.push_back(parse_part(part, spec));
  return parts;
}

const SchemeInfo::Variant* variant_of(const Part& part) {
  const auto chosen = [&](const SchemeInfo::Variant& variant) {
    return part.options.text(variant.option) == variant.value;
  };
  const auto found = std::ranges::find_if(part.info->variants, chosen);
  return found == part.info->variants.end() ? nullptr : &*found;
}

// Throws UsageError unless these parts can serve one model.
void check_together(const std::vector<Part>& parts, std::string_view spec, bool causal) {
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const SchemeInfo &a = *parts[j].info, &b = *parts[i].info;
      if (a.name == b.name)
        fail_usage("scheme", text("'", spec, "' names ", a.name, " twice"), "name it once");
      if (a.stage == Stage::nowhere || b.stage == Stage::nowhere)
        fail_usage("scheme", text("'", spec, "' combines ", a.name, " with ", b.name), "none stands alone");
      if (a.stage == b.stage && a.stage != Stage::scores)
        fail_usage(
            "scheme",
            text("in '", spec, "' both ", a.name, " and ", b.name, " enter at the ", a.stage, " stage"),
            "combine schemes of different stages; `locus schemes` shows them");
    }
  for (const Part& part : parts)
    if (part.info->causal_only && !causal)
      fail_usage("scheme", text(part.info->name, " looks back only, but an encoder sees both ways"),
                 "give it to a decoder: --model decoder");
}

// Several parts as one scheme: each hook passes through all of them, in the order of the spec.
class Composite : public Scheme {
 public:
  // `placing`: the part that decides where the tokens stand, if there is one.
  Composite(std::vector<std::unique_ptr<Scheme>> parts, const Scheme* placing)
      : parts_(std::move(parts)), placing_(placing) {}

  Positions positions(Tape& tape, const Inputs& inputs) const override {
    Inputs moved = inputs;
    for (const auto& part : parts_) moved.positions = part->positions(tape, moved);
    return moved.positions;
  }
  Tensor embedding(Tensor x, const Inputs& inputs) const override {
    for (const auto& part : parts_) x = part->embedding(x, inputs);
    return x;
  }
  void query_and_key(Tensor& q, Tensor& k, const Positions& p) const override {
    for (const auto& part : parts_) part->query_and_key(q, k, p);
  }
  Tensor scores(Tensor scores, const AttentionInputs& inputs) const override {
    for (const auto& part : parts_) scores = part->scores(scores, inputs);
    return scores;
  }
  std::optional<Tensor> weights(Tensor scores, Mask mask) const override {
    for (const auto& part : parts_)
      if (const auto weights = part->weights(scores, mask)) return weights;
    return {};
  }
  Tensor mixed(Tensor mixed, Tensor weights, const AttentionInputs& inputs) const override {
    for (const auto& part : parts_) mixed = part->mixed(mixed, weights, inputs);
    return mixed;
  }
  Claims claims() const override {
    Claims all;
    for (const ClaimInfo& claim : all_claims) {
      const auto made = [&](const auto& part) { return part->claims().*claim.holds; };
      all.*claim.holds = claim.parts == ClaimInfo::ANY ? std::ranges::any_of(parts_, made)
                                                       : std::ranges::all_of(parts_, made);
    }
    for (const auto& part : parts_) all.parameters += part->claims().parameters;
    if (placing_) {  // whatever positions come in, the other parts see those it chooses
      const Claims chosen = placing_->claims();
      all.shift_invariant = chosen.shift_invariant;
      all.bounded = chosen.bounded;
      all.extrapolates = chosen.extrapolates;
    }
    return all;
  }
  int capacity() const override {
    int least = Scheme::capacity();
    for (const auto& part : parts_) least = std::min(least, part->capacity());
    return least;
  }
  std::vector<double> code(double position, int length, const Real* parameters) const override {
    for (const auto& part : parts_)
      if (auto code = part->code(position, length, parameters); !code.empty()) return code;
    return {};
  }
  Frequencies frequencies(int length) const override {
    for (const auto& part : parts_)
      if (auto frequencies = part->frequencies(length); !frequencies.inverse_frequency.empty())
        return frequencies;
    return {};
  }
  std::optional<double> bias(int head, double query, double key) const override {
    std::optional<double> total;
    for (const auto& part : parts_)
      if (const auto one = part->bias(head, query, key)) total = total.value_or(0) + *one;
    return total;
  }
  std::optional<int> bucket(int relative) const override {
    for (const auto& part : parts_)
      if (const auto bucket = part->bucket(relative)) return bucket;
    return {};
  }

 private:
  std::vector<std::unique_ptr<Scheme>> parts_;
  const Scheme* placing_;
};

}  // namespace

std::string to_string(Stage stage) {
  switch (stage) {
    case Stage::nowhere:
      return "nowhere";
    case Stage::positions:
      return "positions";
    case Stage::embedding:
      return "embedding";
    case Stage::query_and_key:
      return "query and key";
    case Stage::scores:
      return "scores";
  }
  return "";
}

RegisterScheme::RegisterScheme(SchemeInfo info) {
  auto& all = registered();
  all.insert(std::ranges::upper_bound(all, info.name, {}, &SchemeInfo::name), std::move(info));
}

const std::vector<SchemeInfo>& all_schemes() { return registered(); }

const SchemeInfo& find_scheme(std::string_view name) {
  std::vector<std::string> names;
  for (const SchemeInfo& info : registered()) {
    if (info.name == name) return info;
    names.push_back(info.name);
  }
  fail_usage("scheme", text("there is no scheme '", name, "'"),
             name.find(',') != name.npos ? "in a list, put spaces before and after a scheme with settings"
                                         : nearest_names(name, names));
}

std::unique_ptr<Scheme> make_scheme(std::string_view spec, const SchemeContext& context,
                                    ParameterTable& table) {
  std::vector<Part> parts = parse_parts(spec);
  check_together(parts, spec, context.causal);
  // Whoever chooses positions is made last, when it is known how many the others can tell apart.
  const auto chooses = [](const Part& part) { return part.info->stage == Stage::positions; };
  std::stable_partition(parts.begin(), parts.end(), std::not_fn(chooses));
  SchemeContext room = context;
  std::vector<std::unique_ptr<Scheme>> schemes;
  for (const Part& part : parts) {
    schemes.push_back(part.info->make(part.options, room, table));
    room.capacity = std::min(room.capacity, schemes.back()->capacity());
  }
  if (schemes.size() == 1) return std::move(schemes.front());
  const Scheme* placing = chooses(parts.back()) ? schemes.back().get() : nullptr;
  return std::make_unique<Composite>(std::move(schemes), placing);
}

std::vector<std::string> summaries_of(std::string_view spec) {
  std::vector<std::string> summaries;
  for (const Part& part : parse_parts(spec)) {
    const SchemeInfo::Variant* variant = variant_of(part);
    summaries.push_back(variant ? variant->summary : part.info->summary);
  }
  return summaries;
}

std::vector<std::string> variants_of(std::string_view spec) {
  std::vector<std::string> summaries;
  for (const Part& part : parse_parts(spec))
    if (const SchemeInfo::Variant* variant = variant_of(part)) summaries.push_back(variant->summary);
  return summaries;
}

bool has_untrained_positions(std::string_view spec) {
  const std::vector<Part> parts = parse_parts(spec);
  return std::ranges::any_of(parts, [](const Part& part) { return part.info->trains_each_position; }) &&
         std::ranges::none_of(parts, [](const Part& part) { return part.info->stage == Stage::positions; });
}

std::vector<Stage> stages_of(std::string_view spec) {
  std::vector<Stage> stages;
  for (const Part& part : parse_parts(spec)) stages.push_back(part.info->stage);
  return stages;
}

}  // namespace locus
