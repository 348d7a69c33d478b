#include "io/safetensors.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "base/error.h"
#include "io/file.h"
#include "io/json.h"
#include "io/utf8.h"

namespace locus {

static_assert(std::endian::native == std::endian::little, "values are copied byte by byte");

namespace {

constexpr std::string_view metadata_key = "__metadata__";
constexpr std::size_t length_bytes = 8;

struct Dtype {
  std::string_view name;
  std::size_t size;
};
constexpr Dtype dtypes[] = {{"F32", sizeof(float)}, {"F64", sizeof(double)}};
constexpr Dtype dtype_of_real = dtypes[sizeof(Real) == sizeof(double)];

// The tensor of an entry of the header: where its bytes are in the data, and its shape.
struct Entry {
  const Dtype* dtype;
  std::vector<std::size_t> shape;
  std::string_view stored;
};

std::uint64_t size_from(const Json& value, const std::string& where, std::string_view name) {
  const long long size = value.as_integer(where, name);
  if (size < 0) fail(where, str("'", name, "' should not be negative, is ", size));
  return static_cast<std::uint64_t>(size);
}

Entry parse_entry(const std::string& name, const Json& json, std::string_view data, const std::string& file) {
  const std::string where = str(file, ": ", printable(name));
  const std::string& dtype = json.string("dtype", where);
  const Dtype* found = std::ranges::find(dtypes, dtype, &Dtype::name);
  if (found == std::end(dtypes))
    fail(where, str("the dtype ", printable(dtype), " is not known; F32 and F64 are"));
  Entry entry{found, {}, {}};
  auto bytes = static_cast<double>(found->size);  // exact as far as files reach
  for (const Json& size : json.array("shape", where)) {
    entry.shape.push_back(size_from(size, where, "shape"));
    bytes *= static_cast<double>(entry.shape.back());
  }
  const Json::Array& offsets = json.array("data_offsets", where);
  if (offsets.size() != 2) fail(where, str("'data_offsets' should hold 2 numbers, holds ", offsets.size()));
  const std::uint64_t begin = size_from(offsets[0], where, "data_offsets"),
                      end = size_from(offsets[1], where, "data_offsets");
  if (begin > end || end > data.size() || static_cast<double>(end - begin) != bytes)
    fail(where,
         str("the file is cut short or damaged: the shape ", shape_text(entry.shape), " of ", dtype,
             " takes ", bytes, " bytes, and is said to be at ", begin, " to ", end, " of ", data.size()));
  entry.stored = data.substr(begin, end - begin);
  return entry;
}

template <class Stored>
Reals convert(std::string_view bytes, const std::string& where, const std::string& name) {
  Reals values(bytes.size() / sizeof(Stored));
  for (std::size_t i = 0; i < values.size(); ++i) {
    Stored stored;
    std::memcpy(&stored, bytes.data() + i * sizeof stored, sizeof stored);
    if (std::isfinite(stored) && std::abs(stored) > std::numeric_limits<Real>::max())
      fail(where, str("'", printable(name), "' holds ", stored, ", too large for a float"));
    values[i] = static_cast<Real>(stored);
  }
  return values;
}

std::uint64_t header_length(std::string_view bytes, const std::string& where) {
  std::uint64_t length = 0;
  if (bytes.size() >= length_bytes) std::memcpy(&length, bytes.data(), length_bytes);
  if (bytes.size() < length_bytes || length > bytes.size() - length_bytes)
    fail(where, str("is cut short, or not a safetensors file: its ", bytes.size(), " bytes are too few"));
  return length;
}

}  // namespace

std::string shape_text(const std::vector<std::size_t>& shape) {
  std::vector<std::string> sizes;
  for (const std::size_t size : shape) sizes.push_back(str(size));
  return str('(', join(sizes, ","), ')');
}

std::string safetensors_bytes(const std::vector<NamedTensor>& tensors, const Metadata& metadata) {
  Json::Object header;
  if (!metadata.empty()) header.emplace_back(metadata_key, Json::Object(metadata.begin(), metadata.end()));

  std::size_t end = 0;
  for (const NamedTensor& tensor : tensors) {
    const std::size_t begin = end;
    end += tensor.values.size_bytes();
    header.emplace_back(tensor.name,
                        Json::Object{{"dtype", dtype_of_real.name},
                                     {"shape", Json::Array(tensor.shape.begin(), tensor.shape.end())},
                                     {"data_offsets", Json::Array{begin, end}}});
  }

  std::string json = to_string(Json(std::move(header)));
  json.append((8 - json.size() % 8) % 8, ' ');  // so that the tensors are aligned
  const std::uint64_t length = json.size();
  std::string bytes(length_bytes, '\0');
  std::memcpy(bytes.data(), &length, length_bytes);
  bytes.reserve(length_bytes + json.size() + end);
  bytes += json;
  for (const NamedTensor& tensor : tensors)
    bytes.append(reinterpret_cast<const char*>(tensor.values.data()), tensor.values.size_bytes());
  return bytes;
}

void write_safetensors(const std::string& path, const std::vector<NamedTensor>& tensors,
                       const Metadata& metadata) {
  write_file_atomically(path, safetensors_bytes(tensors, metadata));
}

SafetensorsFile parse_safetensors(std::string_view bytes, const std::string& where) {
  const std::uint64_t length = header_length(bytes, where);
  const std::string_view data = bytes.substr(length_bytes + length);
  const std::string header_name = str(where, ": header");
  const Json header = parse_json(bytes.substr(length_bytes, length), header_name);

  SafetensorsFile file{where, {}, {}};
  for (const auto& [name, value] : header.as_object(where, "header")) {
    if (name == metadata_key) {
      for (const auto& [key, entry] : value.as_object(where, metadata_key))
        file.metadata[key] = entry.as_string(header_name, key);
    } else {
      Entry entry = parse_entry(name, value, data, where);
      const bool is_double = entry.dtype->size == sizeof(double);
      file.tensors[name] = {std::move(entry.shape), is_double ? convert<double>(entry.stored, where, name)
                                                              : convert<float>(entry.stored, where, name)};
    }
  }
  return file;
}

SafetensorsFile read_safetensors(const std::string& path) {
  constexpr std::uint64_t most_bytes = std::uint64_t{1} << 36;  // more than a model fills that fits in memory
  return parse_safetensors(read_file(path, most_bytes), path);
}

const std::string& SafetensorsFile::metadata_value(const std::string& key) const {
  const auto found = metadata.find(key);
  if (found == metadata.end()) fail(where, str("its metadata has no '", key, "'"));
  return found->second;
}

}  // namespace locus
