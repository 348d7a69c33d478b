// What an action complains about.
#pragma once

#include <string>

#include "base/error.h"

namespace locus {

template <class Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace locus
