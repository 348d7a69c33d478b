#include "io/terminal.h"

#include <doctest/doctest.h>

#include "base/error.h"

using namespace locus;

TEST_CASE("table: columns align left or right under a header and a rule") {
  TextTable table({{"scheme"}, {"accuracy", Align::right}, {"note"}});
  table.add_row({"rope", "99.8", "solved"});
  table.add_row({"sinusoidal", "7.25"});
  table.add_rule();
  table.add_row({"none", "", "at the ceiling"});
  CHECK(table.to_text(false) ==
        "scheme      accuracy  note\n"
        "──────────  ────────  ──────────────\n"
        "rope            99.8  solved\n"
        "sinusoidal      7.25\n"
        "──────────  ────────  ──────────────\n"
        "none                  at the ceiling\n");
}

TEST_CASE("table: a heading is a line of its own, and moves no column") {
  TextTable table({{"a"}, {"b"}});
  table.add_heading("a long heading");
  table.add_row({"x", "y"});
  CHECK(table.to_text(false) == "a  b\n─  ─\na long heading\nx  y\n");
  CHECK(table.width() == 4);
}

TEST_CASE("table: widths count characters as a terminal shows them") {
  TextTable table({{"a"}, {"b"}});
  table.add_row({"naïve", "x"});
  table.add_row({"位置", "x"});
  CHECK(table.to_text(false) ==
        "a      b\n"
        "─────  ─\n"
        "naïve  x\n"
        "位置   x\n");
}

TEST_CASE("table: colour only when asked for, and it does not move anything") {
  TextTable table({{"scheme"}, {"accuracy", Align::right}});
  table.add_row({"rope", {"99", Ink::good}});
  table.add_row({{"", Ink::bad}, {"3", Ink::bad}});
  CHECK(table.to_text(true) ==
        "\x1b[1mscheme\x1b[0m  \x1b[1maccuracy\x1b[0m\n"
        "\x1b[2m──────\x1b[0m  \x1b[2m────────\x1b[0m\n"
        "rope          \x1b[32m99\x1b[0m\n"
        "               \x1b[31m3\x1b[0m\n");
  CHECK(table.to_text(false).find('\x1b') == std::string::npos);
}

TEST_CASE("table: control characters cannot break a line or reach the terminal") {
  TextTable table({{"a"}, {"b"}});
  table.add_row({"x\ny\x1b[2J", "\xFF"});
  CHECK(table.to_text(false) ==
        "a        b\n"
        "───────  ─\n"
        "x?y?[2J  ?\n");
}

TEST_CASE("table: without rows there is still a header; too many cells are refused") {
  TextTable table({{"scheme"}, {"accuracy"}});
  CHECK(table.to_text(false) == "scheme  accuracy\n──────  ────────\n");
  CHECK_THROWS_WITH_AS(table.add_row({"a", "b", "c"}), "[table] a row has 3 cells, the table 2 columns",
                       Error);
}

TEST_CASE("table: texts are wrapped between words to fit, numbers and words stay whole") {
  TextTable table({{"scheme"}, {"what it is"}, {"parameters", Align::right}});
  table.add_row({"rope", "turns pairs of channels by the position", "0"});
  table.add_row({"t5", "adds a number", {"64", Ink::good}});
  const std::string wide = table.to_text(false);
  CHECK(table.to_text(false, 1000) == wide);
  CHECK(table.to_text(false, table.width()) == wide);
  CHECK(table.to_text(false, 40) ==
        "scheme  what it is            parameters\n"
        "──────  ────────────────────  ──────────\n"
        "rope    turns pairs of                 0\n"
        "        channels by the\n"
        "        position\n"
        "t5      adds a number                 64\n");
  CHECK(table.to_text(true, 40).find("\x1b[32m64\x1b[0m") != std::string::npos);
}

TEST_CASE("table: in lists a first column of numbers has its title") {
  TextTable table({{"length", Align::right}, {"accuracy", Align::right}});
  table.add_row({"12", "0.5"});
  CHECK(table.to_text(false, 15) == "length 12\n  accuracy  0.5\n");
}

TEST_CASE("table: where the words do not fit either, rows become lists") {
  TextTable table({{"scheme"}, {"what it is"}, {"parameters", Align::right}});
  table.add_row({"rope", "turns pairs of channels", "0"});
  table.add_rule();
  table.add_row({"t5", "", "64"});
  CHECK(table.to_text(false, 27) ==
        "rope\n"
        "  what it is  turns pairs\n"
        "              of channels\n"
        "  parameters  0\n"
        "t5\n"
        "  parameters  64\n");
}
