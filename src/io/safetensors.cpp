#include "io/safetensors.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <set>
#include <tuple>

#include "base/error.h"
#include "io/file.h"
#include "io/json.h"
#include "io/utf8.h"

namespace locus {

static_assert(std::endian::native == std::endian::little, "values are copied byte by byte");

namespace {

constexpr std::string_view metadata_key = "__metadata__";
constexpr std::size_t length_bytes = 8;
constexpr std::uint64_t longest_header = 100'000'000;  // the limit of the reference implementation

struct Dtype {
  std::string_view name;
  std::size_t size;
};
constexpr Dtype dtypes[] = {{"F32", sizeof(float)}, {"F64", sizeof(double)}};
constexpr Dtype dtype_of_real = dtypes[sizeof(Real) == sizeof(double)];

// False on overflow.
bool multiply(std::uint64_t& product, std::uint64_t factor) {
  if (factor != 0 && product > std::numeric_limits<std::uint64_t>::max() / factor) return false;
  product *= factor;
  return true;
}

// The entry of a tensor in the header; all but its position among the others is checked when it is parsed.
struct Entry {
  std::string name;
  const Dtype* dtype;
  std::vector<std::size_t> shape;
  std::uint64_t begin, end;
};

std::uint64_t size_from(const Json& value, const std::string& where, std::string_view name) {
  const long long size = value.as_integer(where, name);
  if (size < 0) fail(where, text("'", name, "' should not be negative, is ", size));
  return static_cast<std::uint64_t>(size);
}

Entry parse_entry(const std::string& name, const Json& json, const std::string& file) {
  const std::string where = text(file, ": ", printable(name));
  Entry entry{name, nullptr, {}, 0, 0};

  const std::string& dtype = json.string("dtype", where);
  entry.dtype =
      std::find_if(std::begin(dtypes), std::end(dtypes), [&](const Dtype& d) { return d.name == dtype; });
  if (entry.dtype == std::end(dtypes))
    fail(where, text("the dtype ", printable(dtype), " is not known; F32 and F64 are"));

  std::uint64_t bytes = entry.dtype->size;
  bool fits = true;
  for (const Json& size : json.array("shape", where)) {
    entry.shape.push_back(size_from(size, where, "shape"));
    fits = fits && multiply(bytes, entry.shape.back());
  }
  if (!fits) fail(where, text("the shape ", shape_text(entry.shape), " is too large for any file"));

  const Json::Array& offsets = json.array("data_offsets", where);
  if (offsets.size() != 2) fail(where, text("'data_offsets' should hold 2 numbers, holds ", offsets.size()));
  entry.begin = size_from(offsets[0], where, "data_offsets");
  entry.end = size_from(offsets[1], where, "data_offsets");
  if (entry.begin > entry.end)
    fail(where, text("begins at byte ", entry.begin, ", after its end at ", entry.end));
  if (entry.end - entry.begin != bytes)
    fail(where, text("the shape ", shape_text(entry.shape), " of ", dtype, " takes ", bytes,
                     " bytes, the offsets span ", entry.end - entry.begin));
  return entry;
}

// The tensors must follow each other without holes or overlaps and fill the data exactly.
void check_layout(std::vector<Entry>& entries, std::size_t data_bytes, const std::string& where) {
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
  });
  std::uint64_t end = 0;
  for (const Entry& entry : entries) {
    if (entry.begin < end)
      fail(where, text("'", printable(entry.name), "' overlaps the tensor before it at byte ", entry.begin));
    if (entry.begin > end)
      fail(where, text("the data bytes ", end, " to ", entry.begin, " belong to no tensor"));
    end = entry.end;
    if (end > data_bytes)
      fail(where, text("is cut short: '", printable(entry.name), "' ends at data byte ", end,
                       ", the file at ", data_bytes));
  }
  if (end < data_bytes) fail(where, text(data_bytes - end, " bytes follow the last tensor"));
}

template <class Stored>
Reals convert(std::string_view bytes, const std::string& where, const std::string& name) {
  Reals values(bytes.size() / sizeof(Stored));
  for (std::size_t i = 0; i < values.size(); ++i) {
    Stored stored;
    std::memcpy(&stored, bytes.data() + i * sizeof stored, sizeof stored);
    if (std::isfinite(stored) && std::abs(stored) > std::numeric_limits<Real>::max())
      fail(where, text("'", printable(name), "' holds ", stored, ", too large for a float"));
    values[i] = static_cast<Real>(stored);
  }
  return values;
}

std::uint64_t header_length(std::string_view bytes, const std::string& where) {
  if (bytes.size() < length_bytes)
    fail(where, text("is cut short: ", bytes.size(), " bytes are no safetensors file"));
  std::uint64_t length;
  std::memcpy(&length, bytes.data(), length_bytes);
  if (length > longest_header) fail(where, "is no safetensors file: its header would be longer than 100 MB");
  if (length > bytes.size() - length_bytes)
    fail(where,
         text("is cut short: the header takes ", length, " bytes, ", bytes.size() - length_bytes, " follow"));
  return length;
}

}  // namespace

std::string shape_text(const std::vector<std::size_t>& shape) {
  std::vector<std::string> sizes;
  for (const std::size_t size : shape) sizes.push_back(text(size));
  return text('(', join(sizes, ","), ')');
}

std::string safetensors_bytes(const std::vector<NamedTensor>& tensors, const Metadata& metadata) {
  Json::Object header;
  if (!metadata.empty()) header.emplace_back(metadata_key, Json::Object(metadata.begin(), metadata.end()));

  std::set<std::string_view> names = {metadata_key};
  std::size_t end = 0;
  for (const NamedTensor& tensor : tensors) {
    if (!names.insert(tensor.name).second)
      fail("safetensors", text("the name '", tensor.name, "' is taken twice"));
    std::uint64_t count = 1;
    bool fits = true;
    for (const std::size_t size : tensor.shape) fits = fits && multiply(count, size);
    if (!fits || count != tensor.values.size())
      fail("safetensors", text("'", tensor.name, "' has the shape ", shape_text(tensor.shape), " but ",
                               tensor.values.size(), " values"));
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
  const std::string header_name = text(where, ": header");
  const Json header = parse_json(bytes.substr(length_bytes, length), header_name);

  SafetensorsFile file{where, {}, {}};
  std::vector<Entry> entries;
  for (const auto& [name, value] : header.as_object(where, "header")) {
    if (name == metadata_key) {
      for (const auto& [key, entry] : value.as_object(where, metadata_key))
        file.metadata[key] = entry.as_string(header_name, key);
    } else {
      entries.push_back(parse_entry(name, value, where));
    }
  }
  check_layout(entries, data.size(), where);

  for (Entry& entry : entries) {
    const std::string_view stored = data.substr(entry.begin, entry.end - entry.begin);
    const bool is_double = entry.dtype->size == sizeof(double);
    file.tensors[entry.name] = {std::move(entry.shape), is_double
                                                            ? convert<double>(stored, where, entry.name)
                                                            : convert<float>(stored, where, entry.name)};
  }
  return file;
}

SafetensorsFile read_safetensors(const std::string& path) {
  constexpr std::uint64_t most_bytes = std::uint64_t{1} << 36;  // more than a model fills that fits in memory
  return parse_safetensors(read_file(path, most_bytes), path);
}

const std::string& SafetensorsFile::metadata_value(const std::string& key) const {
  const auto found = metadata.find(key);
  if (found != metadata.end()) return found->second;
  std::vector<std::string> keys;
  for (const auto& [other, _] : metadata) keys.push_back(other);
  fail(where, text("its metadata has no '", key, "'"), nearest_names(key, keys));
}

}  // namespace locus
