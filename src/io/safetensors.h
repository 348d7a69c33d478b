// The safetensors format (huggingface.co/docs/safetensors), so that other tools can open the checkpoints:
//
//   8 bytes   length N of the header, little-endian
//   N bytes   JSON: {"__metadata__": {"seed": "3"},
//                    "linear.weight": {"dtype": "F32", "shape": [2,3], "data_offsets": [0,24]}}
//   the rest  the tensors' bytes, little-endian; offsets count from here, without holes or overlaps
//
// No dtypes but F32 and F64. What a checkpoint holds is decided in checkpoint.h.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/real.h"

namespace locus {

// A tensor to write; the span must outlive the call.
struct NamedTensor {
  std::string name;
  std::vector<std::size_t> shape;
  std::span<const Real> values;  // as many as the product of the shape
};

using Metadata = std::map<std::string, std::string>;

// The bytes of the file: tensors in the given order, as F32 (F64 when Real is double). Equal input gives
// equal bytes.
std::string safetensors_bytes(const std::vector<NamedTensor>& tensors, const Metadata& metadata);

// Writes them to a file, atomically (io/file.h).
void write_safetensors(const std::string& path, const std::vector<NamedTensor>& tensors,
                       const Metadata& metadata);

struct StoredTensor {
  std::vector<std::size_t> shape;
  Reals values;
};

struct SafetensorsFile {
  std::string where;  // the path, for error lines
  Metadata metadata;
  std::map<std::string, StoredTensor, std::less<>> tensors;

  // Throws Error naming the file and the key.
  const std::string& metadata_value(const std::string& key) const;
};

std::string shape_text(const std::vector<std::size_t>& shape);  // "(8,16)"

// Reads F32 and F64 and converts them to Real. Whatever the bytes are, each tensor has the elements of its shape, or
// an Error says which entry is damaged.
SafetensorsFile parse_safetensors(std::string_view bytes, const std::string& where);
SafetensorsFile read_safetensors(const std::string& path);

}  // namespace locus
