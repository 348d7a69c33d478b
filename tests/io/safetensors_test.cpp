#include "io/safetensors.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>

#include "base/error.h"
#include "base/random.h"
#include "io/file.h"

namespace safetensors_test {

using namespace locus;

namespace {

// A file with this header, padded or not as given, and this data.
std::string file_of(const std::string& header, const std::string& data) {
  std::string bytes(8, '\0');
  const std::uint64_t length = header.size();
  std::memcpy(bytes.data(), &length, 8);
  return bytes + header + data;
}

std::string error_of(const std::string& bytes) {
  try {
    parse_safetensors(bytes, "m");
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string entry(const std::string& name, const std::string& dtype, const std::string& shape,
                  const std::string& offsets) {
  return "\"" + name + R"(":{"dtype":")" + dtype + R"(","shape":[)" + shape + R"(],"data_offsets":[)" +
         offsets + "]}";
}

std::string header_of(const std::string& entries) { return "{" + entries + "}"; }

}  // namespace

TEST_CASE("safetensors: a file written by hand is read") {
  // 1.0f is 3F800000, -2.0f is C0000000, 0.5 as a double is 3FE0000000000000; little-endian on disk.
  std::string bytes("\xA0\0\0\0\0\0\0\0", 8);
  bytes += R"({"__metadata__":{"format":"pt","é":""},)"
           R"("b":{"dtype":"F64","shape":[],"data_offsets":[8,16]},)"
           R"("a.w":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]}})"
           "          ";
  bytes.append("\0\0\x80\x3F\0\0\0\xC0", 8).append("\0\0\0\0\0\0\xE0\x3F", 8);
  const SafetensorsFile file = parse_safetensors(bytes, "m");
  CHECK(file.metadata == Metadata{{"format", "pt"}, {"é", ""}});
  CHECK(file.metadata_value("format") == "pt");
  REQUIRE(file.tensors.size() == 2);
  CHECK(file.tensors.at("a.w").shape == std::vector<std::size_t>{2, 1});
  CHECK(file.tensors.at("a.w").values == Reals{1, -2});
  CHECK(file.tensors.at("b").shape.empty());
  CHECK(file.tensors.at("b").values == Reals{0.5});
}

TEST_CASE("safetensors: the bytes written are these, aligned to 8") {
  const Reals values = {1, -2};
  const std::string bytes = safetensors_bytes({{"w", {2}, values}}, {{"seed", "3"}});
  const bool is_float = sizeof(Real) == 4;
  const std::string header = std::string(R"({"__metadata__":{"seed":"3"},"w":{"dtype":)") +
                             (is_float ? R"("F32")" : R"("F64")") + R"(,"shape":[2],"data_offsets":[0,)" +
                             (is_float ? "8" : "16") + "]}}";
  std::uint64_t length;
  std::memcpy(&length, bytes.data(), 8);
  CHECK(length % 8 == 0);
  CHECK(length - header.size() < 8);
  CHECK(bytes.substr(8, header.size()) == header);
  CHECK(bytes.size() == 8 + length + 2 * sizeof(Real));
  if (is_float) CHECK(bytes.substr(bytes.size() - 8) == std::string("\0\0\x80\x3F\0\0\0\xC0", 8));
}

TEST_CASE("safetensors: what was written is read back bit by bit, through a file") {
  Random random(1, Purpose::testing);
  Reals values(35);
  for (Real& value : values) value = static_cast<Real>(random.normal());
  values[3] = std::numeric_limits<Real>::infinity();
  values[4] = -Real(0);
  values[5] = std::numeric_limits<Real>::denorm_min();
  const Metadata metadata = {{"scheme", "rope:base=100"}, {"note", "é\n\"\\"}};
  const std::string path = std::filesystem::temp_directory_path() / "locus-safetensors-test";
  write_safetensors(
      path, {{"w", {5, 7}, values}, {"none", {0, 4}, {}}, {"one", {}, std::span(values).first(1)}}, metadata);

  const SafetensorsFile file = read_safetensors(path);
  CHECK(file.metadata == metadata);
  CHECK(file.tensors.at("w").shape == std::vector<std::size_t>{5, 7});
  CHECK(std::memcmp(file.tensors.at("w").values.data(), values.data(), values.size() * sizeof(Real)) == 0);
  CHECK(file.tensors.at("none").shape == std::vector<std::size_t>{0, 4});
  CHECK(file.tensors.at("none").values.empty());
  CHECK(file.tensors.at("one").values == Reals{values[0]});
  std::filesystem::remove(path);
  CHECK(parse_safetensors(safetensors_bytes({}, {}), "m").tensors.empty());
}

TEST_CASE("safetensors: a damaged beginning is refused") {
  for (const auto& [bytes, error] :
       {std::pair{std::string("1234567"),
                  "[m] is cut short, or not a safetensors file: its 7 bytes are too few"},
        {std::string("\x10\0\0\0\0\0\0\0{}", 10),
         "[m] is cut short, or not a safetensors file: its 10 bytes are too few"},
        {std::string(8, '\xFF'), "[m] is cut short, or not a safetensors file: its 8 bytes are too few"},
        {file_of("", ""), "[m: header] byte 1: expected a value"},
        {file_of("[]", ""), "[m] 'header' should be an object, is an array"},
        {file_of(R"({"__metadata__":3})", ""), "[m] '__metadata__' should be an object, is a number"},
        {file_of(R"({"__metadata__":{"seed":3}})", ""),
         "[m: header] 'seed' should be a string, is a number"}})
    CHECK(error_of(bytes) == error);
}

TEST_CASE("safetensors: a damaged entry is refused") {
  const auto error_of_entry = [](const std::string& shape, const std::string& offsets,
                                 const std::string& dtype = "F32") {
    return error_of(file_of(header_of(entry("w", dtype, shape, offsets)), "12345678"));
  };
  CHECK(error_of_entry("2", "0,8") == "no error");
  CHECK(error_of_entry("2", "0,8", "BF16") == "[m: w] the dtype BF16 is not known; F32 and F64 are");
  CHECK(
      error_of_entry("2", "0,4") ==
      "[m: w] the file is cut short or damaged: the shape (2) of F32 takes 8 bytes, and is said to be at 0 to 4 "
      "of 8");
  // Also past the data, backwards, and 2^31 * 2^31 * 4 bytes, which is 2^64: 0 if it wrapped around.
  for (const auto& [shape, offsets] : {std::pair{"3", "0,12"},
                                       {"2", "8,0"},
                                       {"2", "4,12"},
                                       {"2147483648,2147483648", "0,0"},
                                       {"0", "9007199254740992,9007199254740992"}})
    CHECK(error_of_entry(shape, offsets).starts_with("[m: w] the file is cut short or damaged: the shape ("));
  CHECK(error_of_entry("2", "0,8,8") == "[m: w] 'data_offsets' should hold 2 numbers, holds 3");
  CHECK(error_of_entry("-2", "0,8") == "[m: w] 'shape' should not be negative, is -2");
  CHECK(error_of_entry("2", "-8,0") == "[m: w] 'data_offsets' should not be negative, is -8");
  CHECK(error_of_entry("2.5", "0,8") == "[m: w] 'shape' should be a whole number, is 2.5");
  CHECK(error_of(file_of(R"({"w":3})", "")) ==
        "[m: w] expected an object with the key 'dtype', found a number");
  CHECK(error_of(file_of(R"({"w":{"dtype":"F32","data_offsets":[0,0]}})", "")) ==
        "[m: w] the key 'shape' is missing");
}

TEST_CASE("safetensors: hostile names still give one line") {
  CHECK(error_of(file_of(header_of(entry("a\\nb", "F3\\u001b", "2", "0,8")), "")) ==
        "[m: a?b] the dtype F3? is not known; F32 and F64 are");
  CHECK(error_of(file_of(R"({"__metadata__":{"\n":3}})", "")) ==
        "[m: header] '?' should be a string, is a number");
}

TEST_CASE("safetensors: a double that no float can hold is refused, not turned into infinity") {
  const std::string bytes =
      file_of(header_of(entry("w", "F64", "", "0,8")), std::string("\0\0\0\0\0\0\xE0\x7F", 8));
  if (sizeof(Real) == 4)
    CHECK(error_of(bytes) == "[m] 'w' holds 8.98846567431158e+307, too large for a float");
  else
    CHECK(error_of(bytes) == "no error");
}

TEST_CASE("safetensors: only regular files are read") {
  CHECK_THROWS_WITH_AS(read_safetensors("/dev/zero"), "[/dev/zero] is not a regular file", Error);
  CHECK_THROWS_WITH_AS(read_safetensors("/"), "[/] is a folder, should be a file", Error);
  CHECK_THROWS_WITH_AS(read_safetensors("/no"),
                       "[/no] could not be read: No such file or directory. Hint: check the path", Error);
}

}  // namespace safetensors_test
