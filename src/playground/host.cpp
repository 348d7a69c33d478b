// What the engine asks of its machine, in a browser: clocks, memory, files, and the end of an error.
//
// The toolchain cannot unwind the stack. So `throw` does not return: the text of the error goes to the page, which
// shows it, and the instance of WebAssembly ends there. The page begins a new one. (What would have been caught ends
// the instance, too: the page asks only for names that it knows.)
#include <cstdlib>
#include <ctime>
#include <string_view>
#include <typeinfo>

#include "base/error.h"
#include "base/machine.h"
#include "io/file.h"

// Takes the text of an error, in UTF-8, before the program ends.
extern "C" [[clang::import_module("page"), clang::import_name("error")]] void tell_error(const char* words,
                                                                                         std::size_t bytes);

extern "C" {

void* __cxa_allocate_exception(std::size_t size) throw() { return std::malloc(size); }
void __cxa_free_exception(void* memory) throw() { std::free(memory); }

// All that is thrown in src/ is an Error; the standard library, built without exceptions, ends by abort().
[[noreturn]] void __cxa_throw(void* thrown, std::type_info* type, void (*)(void*)) {
  const bool is_error = *type == typeid(locus::Error) || *type == typeid(locus::UsageError);
  const std::string_view words = is_error ? static_cast<locus::Error*>(thrown)->what() : type->name();
  tell_error(words.data(), words.size());
  std::abort();
}

// Objects of a thread are destroyed at its end; the one thread here has none.
int __cxa_thread_atexit(void (*)(void*), void*, void*) { return 0; }

}  // extern "C"

namespace locus {

double clock_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}
double processor_seconds() { return clock_seconds(); }

// 32-bit WebAssembly can address 4 GB; browsers of phones grant about 1.
double memory_bytes() { return 1e9; }
std::string program_folder() { return ""; }
void require_memory(std::string_view where, std::string_view what, double bytes, std::string_view hint) {
  if (bytes > 0.8 * memory_bytes())
    fail(where, str(what, " needs about ", bytes / 1e6, " MB, and there are ", memory_bytes() / 1e6, " MB"),
         hint);
}

// There are no files: a task is one of the toy tasks.
bool file_exists(const std::string&) { return false; }
std::string file_stem(const std::string& path) { return path; }
std::vector<std::string> paths_in(const std::string&) { return {}; }
std::string read_file(const std::string& path, std::uint64_t) {
  fail(path, "there are no files in a browser", "choose one of the toy tasks");
}

}  // namespace locus
