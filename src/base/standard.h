// The standard headers that most files use. The Makefile compiles them once and hands them to (nearly) all
// that is compiled. Files still include what they need: `make alone` reads each by itself, and proves it.
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
