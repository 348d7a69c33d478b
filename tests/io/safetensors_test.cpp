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

TEST_CASE("safetensors: misuse when writing is refused") {
  const Reals values(6);
  const auto write = [&](std::vector<NamedTensor> tensors) { return safetensors_bytes(tensors, {}); };
  CHECK_THROWS_WITH_AS(write({{"w", {2, 2}, values}}), "[safetensors] 'w' has the shape (2,2) but 6 values",
                       Error);
  CHECK_THROWS_WITH_AS(write({{"w", {std::size_t{1} << 63, 6}, values}}),
                       "[safetensors] 'w' has the shape (9223372036854775808,6) but 6 values", Error);
  CHECK_THROWS_WITH_AS(write({{"w", {6}, values}, {"w", {6}, values}}),
                       "[safetensors] the name 'w' is taken twice", Error);
  CHECK_THROWS_WITH_AS(write({{"__metadata__", {6}, values}}),
                       "[safetensors] the name '__metadata__' is taken twice", Error);
}

TEST_CASE("safetensors: a key that the metadata lacks is answered with those that it has") {
  const Reals values(1);
  const auto file = parse_safetensors(safetensors_bytes({{"embedding", {1}, values}}, {{"seed", "1"}}), "m");
  CHECK_THROWS_WITH_AS(file.metadata_value("sed"),
                       "[m] its metadata has no 'sed'. Hint: did you mean 'seed'? valid: seed", Error);
}

TEST_CASE("safetensors: a damaged beginning is refused") {
  CHECK(error_of("") == "[m] is cut short: 0 bytes are no safetensors file");
  CHECK(error_of("1234567") == "[m] is cut short: 7 bytes are no safetensors file");
  CHECK(error_of(std::string("\x10\0\0\0\0\0\0\0{}", 10)) ==
        "[m] is cut short: the header takes 16 bytes, 2 follow");
  CHECK(error_of(std::string(8, '\xFF')) ==
        "[m] is no safetensors file: its header would be longer than 100 MB");
  CHECK(error_of(std::string("\x01\xE1\xF5\x05\0\0\0\0", 8)) ==  // 100 000 001
        "[m] is no safetensors file: its header would be longer than 100 MB");
  CHECK(error_of(std::string("\0\xE1\xF5\x05\0\0\0\0", 8)) ==
        "[m] is cut short: the header takes 100000000 bytes, 0 follow");
  CHECK(error_of(file_of("", "")) == "[m: header] byte 1: expected a value, found the end of the text");
  CHECK(error_of(file_of("hello", "")) == "[m: header] byte 1: expected a value, found 'h'");
  CHECK(error_of(file_of("[]", "")) == "[m] 'header' should be an object, is an array");
  CHECK(error_of(file_of(R"({"__metadata__":3})", "")) ==
        "[m] '__metadata__' should be an object, is a number");
  CHECK(error_of(file_of(R"({"__metadata__":{"seed":3}})", "")) ==
        "[m: header] 'seed' should be a string, is a number");
}

TEST_CASE("safetensors: a damaged entry is refused") {
  const auto error_of_entry = [](const std::string& shape, const std::string& offsets,
                                 const std::string& dtype = "F32") {
    return error_of(file_of(header_of(entry("w", dtype, shape, offsets)), "12345678"));
  };
  CHECK(error_of_entry("2", "0,8") == "no error");
  CHECK(error_of_entry("2", "0,8", "BF16") == "[m: w] the dtype BF16 is not known; F32 and F64 are");
  CHECK(error_of_entry("2", "8,0") == "[m: w] begins at byte 8, after its end at 0");
  CHECK(error_of_entry("2", "0,4") == "[m: w] the shape (2) of F32 takes 8 bytes, the offsets span 4");
  CHECK(error_of_entry("3", "0,8") == "[m: w] the shape (3) of F32 takes 12 bytes, the offsets span 8");
  CHECK(error_of_entry("2", "0,8,8") == "[m: w] 'data_offsets' should hold 2 numbers, holds 3");
  CHECK(error_of_entry("-2", "0,8") == "[m: w] 'shape' should not be negative, is -2");
  CHECK(error_of_entry("2", "-8,0") == "[m: w] 'data_offsets' should not be negative, is -8");
  CHECK(error_of_entry("2.5", "0,8") == "[m: w] 'shape' should be a whole number, is 2.5");
  CHECK(error_of_entry("1e300", "0,8") == "[m: w] 'shape' should be a whole number, is 1e+300");
  // 2^31 * 2^31 * 4 bytes is 2^64: 0 when it wraps around, as the offsets pretend.
  CHECK(error_of_entry("2147483648,2147483648", "0,0") ==
        "[m: w] the shape (2147483648,2147483648) is too large for any file");
  CHECK(error_of(file_of(R"({"w":3})", "")) ==
        "[m: w] expected an object with the key 'dtype', found a number");
  CHECK(error_of(file_of(R"({"w":{"dtype":"F32","data_offsets":[0,0]}})", "")) ==
        "[m: w] the key 'shape' is missing");
}

TEST_CASE("safetensors: tensors that do not tile the data are refused") {
  const auto error_of_two = [](const std::string& first, const std::string& second, std::size_t data_bytes) {
    return error_of(file_of(header_of(entry("a", "F32", "2", first) + "," + entry("b", "F32", "2", second)),
                            std::string(data_bytes, '\0')));
  };
  CHECK(error_of_two("0,8", "8,16", 16) == "no error");
  CHECK(error_of_two("8,16", "0,8", 16) == "no error");
  CHECK(error_of_two("0,8", "0,8", 8) == "[m] 'b' overlaps the tensor before it at byte 0");
  CHECK(error_of_two("0,8", "4,12", 12) == "[m] 'b' overlaps the tensor before it at byte 4");
  CHECK(error_of_two("0,8", "12,20", 20) == "[m] the data bytes 8 to 12 belong to no tensor");
  CHECK(error_of_two("4,12", "12,20", 20) == "[m] the data bytes 0 to 4 belong to no tensor");
  CHECK(error_of_two("0,8", "8,16", 15) == "[m] is cut short: 'b' ends at data byte 16, the file at 15");
  CHECK(error_of_two("0,8", "9007199254740984,9007199254740992", 8) ==
        "[m] the data bytes 8 to 9007199254740984 belong to no tensor");
  CHECK(error_of_two("0,8", "8,16", 19) == "[m] 3 bytes follow the last tensor");
  CHECK(error_of(file_of("{}", "x")) == "[m] 1 bytes follow the last tensor");
  const std::string twice = header_of(entry("a", "F32", "2", "0,8") + "," + entry("a", "F32", "2", "8,16"));
  CHECK(error_of(file_of(twice, std::string(16, '\0'))) ==
        "[m: header] byte 108: the object that ends here has the key 'a' twice");
}

TEST_CASE("safetensors: hostile names still give one line") {
  CHECK(error_of(file_of(header_of(entry("a\\nb", "F3\\u001b", "2", "0,8")), "")) ==
        "[m: a?b] the dtype F3? is not known; F32 and F64 are");
  CHECK(error_of(file_of(header_of(entry("a\\nb", "F32", "2", "0,8")), "1")) ==
        "[m] is cut short: 'a?b' ends at data byte 8, the file at 1");
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

TEST_CASE("safetensors: damaged files are read or refused in one line, never worse") {
  const Reals values(6, Real(0.25));
  const std::string source = safetensors_bytes({{"linear.weight", {2, 3}, values},
                                                {"linear.bias", {3}, std::span(values).first(3)},
                                                {"empty", {0}, {}}},
                                               {{"scheme", "rope"}, {"seed", "3"}});
  Random random(2, Purpose::testing);
  const auto below = [&](std::size_t count) {
    return static_cast<std::size_t>(random.below(static_cast<int>(count)));
  };
  for (int i = 0; i < 20000; ++i) {
    std::string damaged = source;
    if (random.below(2) == 0) damaged.resize(below(source.size() + 1));
    for (int flips = 1 + random.below(4); flips > 0 && !damaged.empty(); --flips)
      damaged[below(damaged.size())] =
          random.below(2) == 0 ? static_cast<char>(random.below(256)) : "0123456789,[]{}\""[below(16)];
    try {
      for (const auto& [name, tensor] : parse_safetensors(damaged, "m").tensors) {
        std::size_t count = 1;
        for (const std::size_t size : tensor.shape) count *= size;
        CHECK(tensor.values.size() == count);
      }
    } catch (const Error& error) {
      const std::string message = error.what();
      CHECK(message.starts_with("[m"));
      CHECK(message.find('\n') == std::string::npos);
    }
  }
}

}  // namespace safetensors_test
