#include "io/json.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/random.h"

using namespace locus;

namespace {

std::string round_trip(std::string_view source) { return to_string(parse_json(source, "test")); }

// The error of reading `source`, without its "[test] ".
std::string parse_error(std::string_view source) {
  try {
    parse_json(source, "test");
  } catch (const Error& error) {
    const std::string message = error.what();
    CHECK(message.starts_with("[test] "));
    return message.substr(7);
  }
  return "no error";
}

}  // namespace

TEST_CASE("json: every kind of value reads and writes back") {
  for (const char* source :
       {"null", "true", "false", "0", "-0", "17", "-2.5", "\"\"", "\"rope\"", "[]", "{}", "[1,[2,[]],{}]",
        R"({"task":"reverse","by_length":[{"length":8,"ceiling":null}]})", R"(["\"\\\n\r\t\u0000\u001f"])",
        "\"é…😀\""})
    CHECK(round_trip(source) == source);
}

TEST_CASE("json: white space between values is skipped") {
  CHECK(round_trip(" { \"a\" :\t[ 1 ,\r\n 2 ] } ") == R"({"a":[1,2]})");
}

TEST_CASE("json: objects keep the order of insertion") {
  Json cell;
  cell.set("z", 1);
  cell.set("a", "x");
  cell.set("m", true);
  cell.set("z", Json::Array{1, 2.5, nullptr});
  CHECK(to_string(cell) == R"({"z":[1,2.5,null],"a":"x","m":true})");
  CHECK(cell == parse_json(to_string(cell), "test"));
  CHECK(cell != parse_json(R"({"a":"x","z":[1,2.5,null],"m":true})", "test"));
}

TEST_CASE("json: numbers are written in the shortest form that reads back exactly") {
  CHECK(to_string(Json(0.1)) == "0.1");
  CHECK(to_string(Json(1.0 / 3)) == "0.3333333333333333");
  CHECK(to_string(Json(100000.0)) == "100000");
  CHECK(to_string(Json(9007199254740992.0)) == "9007199254740992");
  CHECK(to_string(Json(1e300)) == "1e+300");
  CHECK(to_string(Json(5e-324)) == "5e-324");
  CHECK(to_string(Json(-0.0)) == "-0");
  Random random(1, Purpose::testing);
  for (int i = 0; i < 2000; ++i) {
    const double value = std::bit_cast<double>((std::uint64_t{random.bits()} << 32) | random.bits());
    if (!std::isfinite(value)) continue;
    CHECK(parse_json(to_string(Json(value)), "test").as_number("", "") == value);
  }
}

TEST_CASE("json: all number forms of the grammar are read") {
  const auto read = [](std::string_view source) { return parse_json(source, "test").as_number("", ""); };
  CHECK(read("1e2") == 100);
  CHECK(read("1E+2") == 100);
  CHECK(read("25e-1") == 2.5);
  CHECK(read("-0.5") == -0.5);
  CHECK(read("1e-999") == 0);
}

TEST_CASE("json: escapes") {
  CHECK(parse_json(R"("\u00e9\u2026\u0041\u00E9\/\t")", "test").as_string("", "") == "é…Aé/\t");
}

TEST_CASE("json: errors say the byte and what was expected") {
  const std::string value = "expected a value", number = "expected a number that a double can hold",
                    digits = "expected the four hexadecimal digits of a character after '\\u'";
  struct Case {
    std::string_view source;
    int byte;
    std::string what;
  };
  for (const Case& one : {Case{"", 1, value},
                          Case{"  ", 3, value},
                          Case{"[1,]", 4, value},
                          Case{"é", 1, value},
                          Case{"NaN", 1, value},
                          Case{"nul", 1, value},
                          Case{"+1", 1, value},
                          Case{"[1 2]", 4, "expected ',' or ']'"},
                          Case{"[1", 3, "expected ',' or ']'"},
                          Case{"{\"a\":1,}", 8, "expected a key in double quotes"},
                          Case{"{'a':1}", 2, "expected a key in double quotes"},
                          Case{"{\"a\" 1}", 6, "expected ':' after the key 'a'"},
                          Case{"{\"a\":1 \"b\":2}", 8, "expected ',' or '}'"},
                          Case{"1 2", 3, "expected the end of the text"},
                          Case{std::string_view("1\0", 2), 2, "expected the end of the text"},
                          Case{"\"a", 3, "expected '\"' to end the string"},
                          Case{"\"\\x\"", 3, "expected an escape such as \\n"},
                          Case{"\"\\u12g4\"", 4, digits},
                          Case{"\"\\u12", 4, digits},
                          Case{"\"\\ud800x\"", 4, digits},
                          Case{"\"\\udfff\"", 4, digits},
                          Case{"\"\xC3(\"", 2, "these bytes are not valid UTF-8"},
                          Case{"-", 1, number},
                          Case{"1e+", 1, number},
                          Case{"[-1e999]", 2, number},
                          Case{"[1-2]", 2, number}}) {
    CAPTURE(one.source);
    CHECK(parse_error(one.source) == str("byte ", one.byte, ": ", one.what));
  }
}

TEST_CASE("json: nesting is bounded") {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  CHECK(round_trip(nested(100)) == nested(100));
  CHECK(parse_error(nested(101)) == "byte 101: nested deeper than 100");
  CHECK(parse_error(std::string(1'000'000, '[')) == "byte 101: nested deeper than 100");
}

TEST_CASE("json: what JSON cannot say is refused when writing") {
  CHECK_THROWS_WITH_AS(to_string(Json(std::nan(""))),
                       "[json] the number nan cannot be written. Hint: null stands for no number", Error);
  CHECK_THROWS_WITH_AS(to_string(Json(-std::numeric_limits<double>::infinity())),
                       "[json] the number -inf cannot be written. Hint: null stands for no number", Error);
  CHECK_THROWS_WITH_AS(to_string(Json("\xFF")), "[json] a string to write is not valid UTF-8", Error);
  CHECK(to_string(Json(-(1LL << 53))) == "-9007199254740992");
}

TEST_CASE("json: a member of the wrong type is named") {
  const std::string where = "results.jsonl:12";
  const Json cell = parse_json(
      R"({"seed":"3","steps":1.5,"big":1e17,"task":7,"name":"rope","list":[true],"ok":false})", where);
  CHECK(cell.string("name", where) == "rope");
  CHECK(cell.integer("task", where) == 7);
  CHECK(cell.number("steps", where) == 1.5);
  CHECK_FALSE(cell.boolean("ok", where));
  CHECK(cell.array("list", where).at(0).as_boolean(where, "list"));
  CHECK(cell.find("loss") == nullptr);
  CHECK(Json(1).find("loss") == nullptr);

  CHECK_THROWS_WITH_AS(cell.number("seed", where),
                       "[results.jsonl:12] 'seed' should be a number, is a string", Error);
  CHECK_THROWS_WITH_AS(cell.integer("steps", where),
                       "[results.jsonl:12] 'steps' should be a whole number, is 1.5", Error);
  CHECK_THROWS_WITH_AS(cell.integer("big", where),
                       "[results.jsonl:12] 'big' should be a whole number, is 1e+17", Error);
  CHECK_THROWS_WITH_AS(cell.string("task", where),
                       "[results.jsonl:12] 'task' should be a string, is a number", Error);
  CHECK_THROWS_WITH_AS(cell.boolean("task", where),
                       "[results.jsonl:12] 'task' should be true or false, is a number", Error);
  CHECK_THROWS_WITH_AS(cell.array("ok", where), "[results.jsonl:12] 'ok' should be an array, is a boolean",
                       Error);
  CHECK_THROWS_WITH_AS(cell.member("list", where).as_object(where, "list"),
                       "[results.jsonl:12] 'list' should be an object, is an array", Error);
  CHECK_THROWS_WITH_AS(cell.number("loss", where), "[results.jsonl:12] the key 'loss' is missing", Error);
  CHECK_THROWS_WITH_AS(Json(nullptr).number("loss", where),
                       "[results.jsonl:12] expected an object with the key 'loss', found null", Error);
  Json number = 3;
  CHECK_THROWS_WITH_AS(number.set("a", 1), "[json] the key 'a' cannot be set: this is a number", Error);
}
