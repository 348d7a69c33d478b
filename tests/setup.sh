#!/bin/sh
# Installs doctest, the one thing the tests need beyond a compiler, through the system's package manager.
set -u

has_doctest() { echo '#include <doctest/doctest.h>' | ${CXX:-g++} -std=c++20 -I/opt/homebrew/include -E -x c++ - >/dev/null 2>&1; }

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"
  elif command -v sudo >/dev/null; then echo "installing needs root: sudo $*" && sudo "$@"
  else echo "installing needs root, and there is no sudo" && return 1
  fi
}

install_doctest() {
  if command -v apt-get >/dev/null; then
    as_root apt-get install -y doctest-dev || { as_root apt-get update && as_root apt-get install -y doctest-dev; }
  elif command -v dnf >/dev/null; then as_root dnf install -y doctest-devel
  elif command -v pacman >/dev/null; then as_root pacman -S --noconfirm doctest
  elif command -v brew >/dev/null; then brew install doctest
  else return 1
  fi
}

has_doctest && echo "doctest is there" && exit 0
install_doctest >&2
has_doctest && echo "doctest is installed" && exit 0
echo "doctest could not be installed. Please install it by hand: the package is called doctest-dev (Debian, Ubuntu)," >&2
echo "doctest-devel (Fedora) or doctest (Arch, Homebrew); or put doctest.h into a folder doctest/ on the include path." >&2
exit 1
