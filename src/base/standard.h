// The standard headers that most files use, precompiled by the Makefile. No file includes
// this one; each includes what it needs.
#ifndef LOCUS_STANDARD_H  // no pragma once: this file is compiled by itself
#define LOCUS_STANDARD_H

#include <algorithm>
#include <any>
#include <array>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#endif
