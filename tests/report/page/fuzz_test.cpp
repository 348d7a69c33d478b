// Damaged and hostile results. Each input begins as good results and is changed in some places: bytes,
// ranges, or whole values of the JSON. The report must either say in one line what is wrong, or make a page
// in which all text stayed text.
//
//   LOCUS_FUZZ=1000000 LOCUS_FUZZ_SEED=7 build/test-address --test-case='fuzz*'
#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>

#include "../../support/samples.h"
#include "../../support/temporary_folder.h"
#include "base/error.h"
#include "base/random.h"
#include "io/utf8.h"
#include "page_reader.h"
#include "report/page/page.h"

using namespace locus;

namespace {

int from_environment(const char* name, int fallback) {
  const char* given = std::getenv(name);
  return given ? std::atoi(given) : fallback;
}

const std::vector<std::string> hostile = {"<script>alert(1)</script>",
                                          "\"><img src=x onerror=alert(1)>",
                                          "</main></style></script>",
                                          "`",
                                          "'",
                                          "&",
                                          "\\u0000",
                                          "\\ud800",
                                          "\xff",
                                          "\n",
                                          "{",
                                          "}",
                                          "[",
                                          "]",
                                          "null",
                                          "true",
                                          "1e308",
                                          "-1e308",
                                          "1e-320",
                                          "9007199254740992",
                                          "-9007199254740993",
                                          "0",
                                          "-1",
                                          "4294967296",
                                          "0.1",
                                          "\"\"",
                                          "{}",
                                          "[]",
                                          "rope none",
                                          "none",
                                          "decoder",
                                          "gru",
                                          "../../etc/passwd.tsv",
                                          "\x1b[31m",
                                          "\xe2\x80\xae",
                                          "datasets/who_chased_whom.tsv"};

template <class T>
const T& one_of(const std::vector<T>& choices, Random& random) {
  return choices[static_cast<std::size_t>(random.below(static_cast<int>(choices.size())))];
}

Json hostile_value(Random& random) {
  switch (random.below(7)) {
    case 0:
      return nullptr;
    case 1:
      return random.below(2) == 0;
    case 2:
      return one_of<double>({0, -1, 1, 0.5, 1e308, -1e308, 5e-324, 9007199254740992, 3, 1e9}, random);
    case 3:
      return Json::Array{};
    case 4:
      return Json::Array(3, Json(one_of<double>({0, 1, 12, 24, -1}, random)));
    case 5:
      return Json::Object{{"length", Json(12)}};
    default: {
      const std::string& words = one_of(hostile, random);
      return find_invalid_utf8(words) == std::string::npos ? words : "x";
    }
  }
}

// Puts something else into one place of the tree.
void damage(Json& json, Random& random) {
  if (random.below(4) != 0) {
    if (json.type() == Json::Type::object) {
      Json::Object members = json.as_object("", "");
      if (!members.empty()) {
        auto& [key, value] =
            members[static_cast<std::size_t>(random.below(static_cast<int>(members.size())))];
        damage(value, random);
        json.set(key, value);
        return;
      }
    }
    if (json.type() == Json::Type::array) {
      Json::Array items = json.as_array("", "");
      if (!items.empty()) {
        damage(items[static_cast<std::size_t>(random.below(static_cast<int>(items.size())))], random);
        json = items;
        return;
      }
    }
  }
  json = hostile_value(random);
}

void damage(std::string& bytes, Random& random) {
  const auto place = [&] {
    return static_cast<std::size_t>(random.below(static_cast<int>(bytes.size()) + 1));
  };
  const std::size_t at = place(), length = static_cast<std::size_t>(random.below(20));
  switch (random.below(6)) {
    case 0:
      bytes.resize(at);
      break;
    case 1:
      bytes.erase(at, length);
      break;
    case 2:
      bytes.insert(at, one_of(hostile, random));
      break;
    case 3:
      bytes.insert(place(), bytes.substr(at, length * 10));
      break;
    case 4:
      bytes.insert(
          at, std::string(static_cast<std::size_t>(random.below(200)), random.below(2) == 0 ? '[' : '{'));
      break;
    default:
      if (at < bytes.size()) bytes[at] = static_cast<char>(random.below(256));
  }
}

// A few good lines, in which the places worth damaging are a good part of all.
std::string good_lines(Random& random) {
  std::string lines;
  for (int cell = random.below(5); cell >= 0; --cell) {
    test::Sample sample;
    sample.task = one_of<std::string>({"sort", "reverse", "<b>"}, random);
    sample.scheme = one_of<std::string>({"none", "rope", "</g>", "`x`"}, random);
    sample.model = one_of<std::string>({"encoder", "encoder", "decoder"}, random);
    sample.seed = random.below(3);
    sample.tested.resize(static_cast<std::size_t>(1 + random.below(2)));
    if (sample.model == "decoder")
      for (auto& at : sample.tested) at.ceiling.reset();
    Json json = to_json(test::result_of(sample));
    if (random.below(2) == 0) damage(json, random);
    lines += to_string(json) + "\n";
  }
  return lines;
}

std::string curve_lines(const std::string& results, Random& random) {
  std::string lines;
  for (const std::string& line : split(results, '\n')) {
    if (line.empty()) continue;
    Json json = parse_json(line, "curve");
    if (json.type() != Json::Type::object) continue;
    json.set("step", Json::Array{Json(random.below(3)), 3});
    for (const char* key : {"loss", "accuracy"}) json.set(key, Json::Array(2, Json(random.below(2))));
    if (random.below(8) == 0) damage(json, random);
    lines += to_string(json) + "\n";
  }
  return lines;
}

void write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace

TEST_CASE("fuzz: damaged and hostile results never crash the report or become markup") {
  const int inputs = from_environment("LOCUS_FUZZ", 2000);
  Random random(static_cast<std::uint64_t>(from_environment("LOCUS_FUZZ_SEED", 1)), Purpose::testing);
  const TemporaryFolder folder;
  int pages = 0;
  for (int i = 0; i < inputs; ++i) {
    std::string results = good_lines(random);
    write(folder / "curves.jsonl", curve_lines(results, random));
    if (random.below(2) == 0)
      for (int places = 1 + random.below(3); places > 0; --places) damage(results, random);
    write(folder / "results.jsonl", results);
    std::string page;
    try {
      page = report_page(Study(read_records({folder.path})));
    } catch (const Error& error) {
      const std::string_view line = error.what();
      if (line.starts_with('[') && line.find('\n') == line.npos) continue;
      FAIL("an error that is no line: " << line << "\nof: " << results);
    }
    ++pages;
    const auto read = test::read_page(page);
    if (!read.fault.empty() || !test::has_only_finite_numbers(read)) FAIL(read.fault << "\nof: " << results);
  }
  CHECK(pages > inputs / 20);
  CHECK(pages < inputs);
}
