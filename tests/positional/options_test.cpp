// What is said to a spec that is not right: always a UsageError of one line, and always with what would be
// right.
#include "positional/support/options.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "positional/support/registry.h"
#include "positional/support/spec.h"

using namespace locus;

namespace {

constexpr SchemeContext encoder{.d_model = 8, .heads = 2, .causal = false};
constexpr SchemeContext decoder{.d_model = 8, .heads = 2, .causal = true};

// The complaint about a spec, or "" when it is fine.
std::string complaint(const std::string& spec, const SchemeContext& context = encoder) {
  ParameterTable table;
  try {
    make_scheme(spec, context, table);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

std::string range_of(const SchemeOption& key) {
  return str(key.name, " is ", key.integer ? "a whole number" : "a number",
             key.list ? ", or several with / between, from " : " from ", range_text(key));
}

// Calls f(scheme, key) for all keys of all schemes.
template <class F>
void for_all_keys(F f) {
  for (const SchemeInfo& info : all_schemes())
    for (const SchemeOption& key : info.options) {
      CAPTURE(info.name);
      CAPTURE(key.name);
      f(info, key);
    }
}

}  // namespace

TEST_CASE("options: for every key, what is not a number is refused and the range is named") {
  for_all_keys([](const SchemeInfo& info, const SchemeOption& key) {
    if (!key.choices.empty()) return;
    for (const char* value : {"", "abc", "1e999", "nan", "inf", "0x10", "1.5.2", "7=7"})
      CHECK(complaint(str(info.name, ":", key.name, "=", value)) ==
            str("[", info.name, "] '", key.name, "=", value, "' is not a number. Hint: ", range_of(key)));
  });
}

TEST_CASE("options: for every key, a number out of range is refused and the range is named") {
  for_all_keys([](const SchemeInfo& info, const SchemeOption& key) {
    if (!key.choices.empty()) return;
    for (const std::string& value : {str(key.low - 1), str(key.high + 1), str("-1e300"), str("1e300")})
      CHECK(complaint(str(info.name, ":", key.name, "=", value)) ==
            str("[", info.name, "] '", key.name, "=", value, "' is out of range. Hint: ", range_of(key)));
    if (key.integer)
      CHECK(complaint(str(info.name, ":", key.name, "=", key.low + 0.5)) ==
            str("[", info.name, "] '", key.name, "=", key.low + 0.5,
                "' is not a whole number. Hint: ", range_of(key)));
  });
}

TEST_CASE("options: for every key, both ends of its range are taken, and read back as written") {
  for_all_keys([](const SchemeInfo& info, const SchemeOption& key) {
    if (!key.choices.empty()) return;
    for (const double value : {key.low, key.high}) {
      const Options options(info.name, info.options, {{key.name, str(value)}});
      CHECK(options.number(key.name) == value);
      if (key.integer) CHECK(options.integer(key.name) == value);
    }
  });
}

TEST_CASE("options: for every key, its choices are taken and any other is refused with the nearest") {
  for_all_keys([](const SchemeInfo& info, const SchemeOption& key) {
    for (const std::string& choice : key.choices) {
      CHECK(Options(info.name, info.options, {{key.name, choice}}).text(key.name) == choice);
      CHECK(complaint(str(info.name, ":", key.name, "=", choice, "x")) ==
            str("[", info.name, "] '", key.name, "=", choice, "x' is not a choice. Hint: did you mean '",
                choice, "'?"));
    }
    if (!key.choices.empty())
      CHECK(
          complaint(str(info.name, ":", key.name, "=")) ==
          str("[", info.name, "] '", key.name, "=' is not a choice. Hint: ", nearest_names("", key.choices)));
  });
}

TEST_CASE("options: for every option, a slip of the pen is refused with the right name") {
  for_all_keys([](const SchemeInfo& info, const SchemeOption& key) {
    CHECK(complaint(str(info.name, ":", key.name, "x=", key.fallback)) ==
          str("[", info.name, "] it has no option '", key.name, "x'. Hint: did you mean '", key.name, "'?"));
  });
}

TEST_CASE("options: for every key, giving it twice is refused, even with the same value") {
  for_all_keys([](const SchemeInfo& info, const SchemeOption& key) {
    const std::string value = key.choices.empty() ? str(key.low) : key.choices.front();
    CHECK(complaint(str(info.name, ":", key.name, "=", value, ",", key.name, "=", value)) ==
          str("[", info.name, "] '", key.name, "' is given twice. Hint: give it once"));
  });
}

TEST_CASE("options: a key left out has its default") {
  for_all_keys([](const SchemeInfo& info, const SchemeOption& key) {
    CHECK(Options(info.name, info.options, {}).text(key.name) == key.fallback);
  });
}

TEST_CASE("options: a list is refused when one of its numbers is, and read back as written") {
  const std::vector<SchemeOption> keys = {list_option("rescale", 1, 8, "")};
  CHECK(Options("rope", keys, {{"rescale", "1/1.5/8"}}).numbers("rescale") == std::vector{1.0, 1.5, 8.0});
  CHECK(Options("rope", keys, {}).numbers("rescale").empty());
  for (const char* value : {"1/", "/1", "1//2", "1/x", "1/0.5", "9/1", "1;2"})
    CHECK_THROWS_AS(Options("rope", keys, {{"rescale", value}}), UsageError);
}

TEST_CASE("options: what the spec gives is told from what it leaves out, even when they agree") {
  const std::vector<SchemeOption> keys = {number_option("base", "10", 1, 100, "")};
  CHECK(Options("rope", keys, {{"base", "10"}}).given("base"));
  CHECK_FALSE(Options("rope", keys, {}).given("base"));
}

TEST_CASE("options: asking for an option that was never declared is an error of the program") {
  const Options options("rope", {number_option("base", "10", 1, 100, "")}, {});
  CHECK_THROWS_WITH_AS(options.text("bse"), "[options] no option 'bse' was declared", Error);
}

TEST_CASE("specs: every scheme by its name alone is fine, in an encoder unless it looks back only") {
  for (const SchemeInfo& info : all_schemes()) {
    CHECK(complaint(info.name, encoder) ==
          (info.causal_only ? str("[scheme] ", info.name,
                                  " looks back only, but an encoder sees both ways. Hint: give it to a "
                                  "decoder: --model decoder")
                            : ""));
    CHECK(complaint(info.name, decoder) == "");
  }
}

TEST_CASE("specs: malformed ones are refused with an example of a right one") {
  const struct {
    const char *spec, *complaint;
  } cases[] = {
      {"", "[scheme] a name is missing in ''. Hint: for example sinusoidal+alibi or rope:base=100"},
      {"+", "[scheme] a name is missing in '+'. Hint: for example sinusoidal+alibi or rope:base=100"},
      {"rope+", "[scheme] a name is missing in 'rope+'. Hint: for example sinusoidal+alibi or rope:base=100"},
      {"+rope", "[scheme] a name is missing in '+rope'. Hint: for example sinusoidal+alibi or rope:base=100"},
      {":base=3",
       "[scheme] a name is missing in ':base=3'. Hint: for example sinusoidal+alibi or rope:base=100"},
      {"rope:",
       "[rope] '' in 'rope:' is not of the form key=value. Hint: for example rope:base=100,layout=half"},
      {"rope:base",
       "[rope] 'base' in 'rope:base' is not of the form key=value. Hint: for example "
       "rope:base=100,layout=half"},
      {"rope:=3",
       "[rope] '=3' in 'rope:=3' is not of the form key=value. Hint: for example rope:base=100,layout=half"},
      {"rope:base=3,",
       "[rope] '' in 'rope:base=3,' is not of the form key=value. Hint: for example "
       "rope:base=100,layout=half"},
      {"rope:base=", "[rope] 'base=' is not a number. Hint: base is a number from 1.0001 to 1000000000000"},
      {"rope:base=ten",
       "[rope] 'base=ten' is not a number. Hint: base is a number from 1.0001 to 1000000000000"},
      {"rope:base=1", "[rope] 'base=1' is out of range. Hint: base is a number from 1.0001 to 1000000000000"},
      {"learned:capacity=8.5",
       "[learned] 'capacity=8.5' is not a whole number. Hint: capacity is a whole number from 1 to "
       "1000000000"},
      {"rope:bsae=3", "[rope] it has no option 'bsae'. Hint: did you mean 'base'?"},
      {"rope:layout=halve", "[rope] 'layout=halve' is not a choice. Hint: did you mean 'half'?"},
      {"rope:base=1e+5",
       "[rope] 'base=1e' is not a number. Hint: base is a number from 1.0001 to 1000000000000"},
      {"none:base=3", "[none] it has no option 'base'. Hint: it takes none"},
  };
  for (const auto& one : cases) CHECK(complaint(one.spec) == one.complaint);
}

TEST_CASE("specs: an unknown scheme is refused with the nearest, or else with all valid names") {
  std::vector<std::string> names;
  for (const SchemeInfo& info : all_schemes()) names.push_back(info.name);
  CHECK(complaint("magnet") == "[scheme] there is no scheme 'magnet'. Hint: valid: " + join(names, ", "));
  CHECK(complaint("roppe") == "[scheme] there is no scheme 'roppe'. Hint: did you mean 'rope'?");
  CHECK(complaint("Rope") == "[scheme] there is no scheme 'Rope'. Hint: did you mean 'rope'?");
  CHECK(
      complaint("rope alibi") ==
      "[scheme] 'rope alibi' names several schemes, for the layers in turn. Hint: give one SPEC; '+' combines "
      "schemes: sinusoidal+alibi");
  for (const char* spaced : {"rope ", " rope", "rope:base=7 ", "rope  none"})
    CHECK(complaint(spaced) ==
          str("[scheme] '", spaced,
              "' holds a space too many. Hint: one space separates the schemes of the layers: rope none"));
}

TEST_CASE("specs: parts that would enter in the same place are refused, parts that compose are fine") {
  CHECK(complaint("rope+rope") == "[scheme] 'rope+rope' names rope twice. Hint: name it once");
  CHECK(complaint("alibi+t5+alibi") == "[scheme] 'alibi+t5+alibi' names alibi twice. Hint: name it once");
  CHECK(complaint("none+rope") == "[scheme] 'none+rope' combines none with rope. Hint: none stands alone");
  CHECK(complaint("rope+none") == "[scheme] 'rope+none' combines rope with none. Hint: none stands alone");
  CHECK(complaint("sinusoidal+learned") ==
        "[scheme] in 'sinusoidal+learned' both sinusoidal and learned enter at the embedding stage. Hint: "
        "combine "
        "schemes of different stages; `locus schemes` shows them");
  for (const char* spec :
       {"sinusoidal+alibi", "alibi+t5", "rope+alibi", "learned:capacity=9,join=concat+rope:base=50+t5"})
    CHECK(complaint(spec) == "");
}

TEST_CASE("specs: two schemes that both write codes, or both turn, are refused in every pairing") {
  int pairs = 0;
  for (const SchemeInfo& a : all_schemes())
    for (const SchemeInfo& b : all_schemes()) {
      if (a.name == b.name || a.stage != b.stage || a.stage == Stage::scores) continue;
      CAPTURE(a.name);
      CAPTURE(b.name);
      CHECK(complaint(str(a.name, "+", b.name), decoder) ==
            str("[scheme] in '", a.name, "+", b.name, "' both ", a.name, " and ", b.name, " enter at the ",
                to_string(a.stage),
                " stage. Hint: combine schemes of different stages; `locus schemes` shows them"));
      ++pairs;
    }
  CHECK(pairs >= 7 * 6 + 2);
}

TEST_CASE("specs: randomized composes with every scheme but none, on either side of it") {
  for (const SchemeInfo& info : all_schemes()) {
    if (info.stage == Stage::positions || info.stage == Stage::nowhere) continue;
    CHECK(complaint(str("randomized+", info.name), decoder) == "");
    CHECK(complaint(str(info.name, "+randomized"), decoder) == "");
  }
  CHECK(complaint("randomized+none") ==
        "[scheme] 'randomized+none' combines randomized with none. Hint: none stands alone");
}

TEST_CASE("randomized: draws no position that the other scheme does not know") {
  CHECK(complaint("randomized:range=8+learned:capacity=8") == "");
  for (const char* spec : {"randomized:range=9+learned:capacity=8", "learned:capacity=8+randomized:range=9"})
    CHECK(complaint(spec) ==
          "[randomized] 'range=9' goes past the 8 positions of the other scheme. Hint: give range=8 or less, "
          "or the other a larger capacity");
}

TEST_CASE("rope: turns pairs, so an odd number of channels is refused") {
  CHECK(complaint("rope", {.d_model = 6, .heads = 2, .causal = false}) ==
        "[rope] 3 channels of each head of 3 would be turned, but rope turns pairs. Hint: make --d-model / "
        "--heads even: 2 or 4, not 3");
  CHECK(complaint("rope", {.d_model = 2, .heads = 2, .causal = false}).ends_with("even: 2, not 1"));
  CHECK(complaint("rope:fraction=0.25") ==
        "[rope] 1 channels of each head of 4 would be turned, but rope turns pairs. Hint: make fraction * "
        "--d-model / --heads even, as with fraction=0.5");
  CHECK(complaint("rope:fraction=0.6") != "");  // 2.4 channels
  CHECK(complaint("rope:fraction=0") != "");
  CHECK(complaint("rope:fraction=0.5") == "");
}

TEST_CASE("rope: an extension is refused without what it needs, and with what it does not read") {
  const std::string example = "Hint: for example rope:extend=yarn,factor=4,original=16";
  for (const char* extend : {"pi", "ntk", "yarn", "llama3", "longrope"})
    CHECK(complaint(str("rope:extend=", extend, ",original=16")) ==
          str("[rope] extend=", extend, " needs factor. ", example));
  for (const char* extend : {"dynamic", "yarn", "llama3", "longrope"})
    CHECK(complaint(str("rope:extend=", extend, ",factor=4")) ==
          str("[rope] extend=", extend, " needs original. ", example));
  CHECK(complaint("rope:temperature=on") == "[rope] extend=none,temperature=on needs factor. " + example);
  for (const char* spec : {"rope:factor=4", "rope:factor=4,temperature=off"})
    CHECK(complaint(spec) ==
          "[rope] 'factor' does nothing with extend=none. Hint: it belongs to extend=pi, ntk, yarn, llama3, "
          "longrope, dynamic, and to temperature=on");
  CHECK(complaint("rope:extend=prope,factor=4") != "");
  CHECK(complaint("rope:original=16") != "");
  CHECK(complaint("rope:temperature=on,factor=4,original=16") != "");
  CHECK(complaint("rope:extend=pi,factor=4,beta_fast=32") ==
        "[rope] 'beta_fast' does nothing with extend=pi. Hint: it belongs to extend=yarn, llama3");
  CHECK(complaint("rope:extend=yarn,factor=4,original=16,rescale=1/2") ==
        "[rope] 'rescale' does nothing with extend=yarn. Hint: it belongs to extend=longrope");
  for (const char* spec :
       {"rope:extend=pi,factor=4", "rope:extend=ntk,factor=4,original=16", "rope:extend=dynamic,original=16",
        "rope:extend=dynamic,original=16,factor=2", "rope:extend=yarn,factor=4,original=16,temperature=off",
        "rope:extend=llama3,factor=4,original=16", "rope:extend=longrope,factor=4,original=16,rescale=1/3",
        "rope:extend=prope,fraction=0.5", "rope:temperature=on,factor=4", "rope:temperature=off"})
    CHECK(complaint(spec) == "");
}

TEST_CASE("rope: pairs that stand still are some of those that turn") {  // heads have 2 pairs
  CHECK(complaint("rope:still=1") == "");
  CHECK(
      complaint("rope:still=2") ==
      "[rope] 'still' names pair 2, but pairs 0 to 1 turn. Hint: a head has d-model / heads / 2 pairs, counted from 0");
  CHECK(complaint("rope:still=1/1") == "[rope] 'still' names pair 1 twice. Hint: name each once");
  CHECK(complaint("rope:still=1/0") ==
        "[rope] 'still' stops every pair, so that nothing says positions. Hint: use the scheme none");
  CHECK(complaint("rope:still=0,fraction=0.5") != "");
  for (const char* value : {"0.5", "-1", "x", "", "1/", "1e9"}) {
    CAPTURE(value);
    CHECK(complaint(str("rope:still=", value)) != "");
  }
  CHECK(complaint("rope:still=0.5") ==
        "[rope] 'still=0.5' is not a whole number. "
        "Hint: still is a whole number, or several with / between, from 0 to 511");
}

TEST_CASE("rope: an extension that cannot be is refused with what would be right") {
  CHECK(complaint("rope:extend=yarn,factor=4,original=16,beta_fast=1") ==
        "[rope] beta_fast=1 is not above beta_slow=1. Hint: both count turns in the trained length: the fast "
        "pairs make more");
  CHECK(complaint("rope:extend=llama3,factor=4,original=16,beta_slow=4") != "");  // its beta_fast is 4
  CHECK(complaint("rope:extend=longrope,factor=4,original=16,rescale=1/2/3") ==
        "[rope] 'rescale' has 3 numbers for 2 pairs. Hint: give one for each pair, from fast to slow");
  for (const std::string spec : {"ntk,factor=4", "dynamic,original=16", "longrope,factor=4,original=16"}) {
    const std::string extend = spec.substr(0, spec.find(','));
    CHECK(complaint("rope:fraction=0.5,extend=" + spec) ==
          str("[rope] extend=", extend,
              " goes from the fastest pair to the slowest, but there is one. Hint: choose d-model / heads * "
              "fraction 4 or more"));
  }
}

TEST_CASE("xpos: turns pairs, so a head of an odd width is refused") {
  CHECK(complaint("xpos", {.d_model = 6, .heads = 2, .causal = true}) ==
        "[xpos] 3 channels of each head of 3 would be turned, but xpos turns pairs. Hint: make --d-model / "
        "--heads even: 2 or 4, not 3");
}

TEST_CASE("t5: buckets are shared between near and far, and in an encoder between left and right") {
  CHECK(complaint("t5:buckets=7") ==
        "[t5] 'buckets=7' cannot be shared between near and far, left and right. Hint: give an even number, "
        "4 or more");
  CHECK(complaint("t5:buckets=2") ==
        "[t5] 'buckets=2' cannot be shared between near and far, left and right. Hint: give an even number, "
        "4 or more");
  CHECK(complaint("t5:buckets=7", decoder) == "");
  CHECK(complaint("t5:buckets=7,direction=causal") == "");
  CHECK(complaint("t5:buckets=7,direction=bidirectional", decoder) != "");
  CHECK(complaint("t5:max_distance=8") ==
        "[t5] 'max_distance=8' leaves no room for far buckets. Hint: give more than 8");
  CHECK(complaint("t5:max_distance=9") == "");
}

TEST_CASE("tables: a position outside is an error, never the nearest row") {
  for (const std::string name : {"learned", "onehot", "binary"}) {
    ParameterTable table;
    const auto scheme = make_scheme(name + ":capacity=8", encoder, table);
    const Reals parameters(table.count());
    for (const double position : {8.0, 1000.0, -1.0, 2.5}) {
      const std::string expected =
          str("[", name, "] position ", position, " is not one of 0 to 7. Hint: it knows nothing past its ",
              "capacity: give ", name, ":capacity=N, or whole positions");
      CHECK_THROWS_WITH_AS(scheme->code(position, 1, parameters.data()), expected.c_str(), Error);
      Tape tape(parameters.data());
      const double places[] = {0, position};
      const Tensor x = tape.constant({1, 2, 8}, Reals(16).data());
      CHECK_THROWS_WITH_AS(scheme->embedding(x, {{}, 2, {1, 2, places}}), expected.c_str(), Error);
    }
    CHECK(scheme->capacity() == 8);
    CHECK_NOTHROW(scheme->code(7, 1, parameters.data()));
  }
}
