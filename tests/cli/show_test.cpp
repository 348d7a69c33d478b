// Commands that show a model, a scheme or a task: ask, attend, inspect, schemes, tasks, last.
#ifndef LOCUS_DOUBLE  // the program is built with float
#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <regex>
#include <set>

#include "../support/temporary_folder.h"
#include "draw/svg.h"
#include "io/format.h"
#include "io/json.h"
#include "io/safetensors.h"
#include "playground.h"
#include "positional/support/registry.h"
#include "tasks/support/registry.h"

using namespace locus;

TEST_CASE("program: inspect prints the columns of the design, with 9 digits or more") {
  const auto csv = [](const Words& words) {
    const Finished finished =
        run(playground().path, Words{"inspect"} + words + Words{"--csv", "--length", "4", "--d-model", "8"});
    CHECK(finished.status == 0);
    CHECK(finished.err.empty());
    return finished.out;
  };
  CHECK(csv({"sinusoidal"}).starts_with("position,dim,value\n0,0,0\n0,1,1\n"));
  CHECK(csv({"sinusoidal"}).find("\n1,0,0.841470984") != std::string::npos);  // sin 1
  CHECK(csv({"rope"}) == "pair,inverse_frequency,scale\n0,1,1\n1,0.01,1\n");
  CHECK(csv({"rope:extend=yarn,factor=2,original=32"}) ==
        "pair,inverse_frequency,scale\n0,1,1.06931471806\n1,0.005,1.06931471806\n");
  CHECK(csv({"rope:extend=dynamic,original=2"}).ends_with("\n1,0.005,1\n"));  // 4 positions, twice as many
  CHECK(csv({"alibi", "--what", "bias"}).starts_with("head,query,key,value\n0,0,0,0\n0,0,1,-0.0625\n"));
  CHECK(csv({"t5"}) == "relative,bucket\n-3,3\n-2,2\n-1,1\n0,0\n1,17\n2,18\n3,19\n");
  CHECK(csv({"sinusoidal+alibi", "--what", "embedding"}) == csv({"sinusoidal"}));
}

TEST_CASE(
    "program: schemes and tasks are a line each, the famous first, then in groups; --long has the rest") {
  const auto listed = [](const Words& words) {
    const Finished finished = run(playground().path, words);
    CHECK(finished.status == 0);
    std::vector<std::string> names;
    for (const std::string& line : split(finished.out, '\n'))
      if (line.starts_with("  ")) names.push_back(line.substr(2, line.find(' ', 2) - 2));
    return names;
  };
  const std::vector<std::string> schemes = listed({"schemes"}), tasks = listed({"tasks"});
  CHECK(std::vector(schemes.begin(), schemes.begin() + 6) ==
        std::vector<std::string>{"none", "sinusoidal", "learned", "rope", "alibi", "coupled"});
  CHECK(std::set(schemes.begin(), schemes.end()).size() == all_schemes().size());
  CHECK(schemes.size() == all_schemes().size());
  CHECK(std::vector(tasks.begin(), tasks.begin() + 5) ==
        std::vector<std::string>{"before", "reverse", "sort", "previous", "majority"});
  CHECK(tasks.size() == all_tasks().size());
  CHECK(std::set(tasks.begin(), tasks.end()).size() == all_tasks().size());
  CHECK(run(playground().path, {"schemes", "--long"}).out.find("\nrope            query and key ") !=
        std::string::npos);
  CHECK(std::regex_search(run(playground().path, {"tasks", "--long"}).out,
                          std::regex("\nreverse +labelling .*3 1 2 -> 2 1 3 +0.268 +1.000 +0.103\n")));
  check_refused(2, {"schemes", "rope", "--long"}, "[schemes] --long has no effect with the name of a scheme");
  check_refused(2, {"tasks", "sort", "--long"}, "[tasks] --long has no effect with the name of a task");
}

TEST_CASE("program: the page of schemes has a card for each, and replaces no file of another kind") {
  const TemporaryFolder folder;
  const Finished made = run(folder.path, {"schemes", "--html", "all.html"});
  CHECK(made.status == 0);
  CHECK(made.err == "");
  CHECK(made.out == "page in all.html\n");
  const std::string page = read_file(folder / "all.html");
  for (const SchemeInfo& info : all_schemes()) {
    CAPTURE(info.name);
    const std::size_t begin = page.find(str("<article class=\"card\" id=\"", info.name, "\">"));
    REQUIRE(begin != page.npos);
    CHECK(page.find(str("href=\"#", info.name, "\"")) < begin);
    const std::string card = page.substr(begin, page.find("</article>", begin) - begin);
    std::vector<std::string> parts = {info.summary, info.formula, info.source, "<dt>promises</dt>"};
    parts.insert(parts.end(), info.traps.begin(), info.traps.end());
    if (info.lesson) parts.push_back(str("<dd>", info.lesson, " of lessons/README.md"));
    for (const std::string& part : parts)
      CHECK_MESSAGE((card.find(escape_xml(part)) != card.npos || card.find(part) != card.npos), part);
    CHECK((card.find("<svg") != card.npos) ==
          (info.stage != Stage::nowhere && info.stage != Stage::positions));
  }
  CHECK(page.find("<h2>Enters at: query and key</h2>") != page.npos);
  CHECK(page.find("src=") == page.npos);                                   // nothing is loaded
  CHECK(run(folder.path, {"schemes", "--html", "all.html"}).status == 0);  // again
  CHECK(read_file(folder / "all.html") == page);
  write_file_atomically(playground() / "mine.html", "<p>mine</p>\n");
  check_refused(1, {"schemes", "--html", "mine.html"}, "Locus did not write it as a page. Hint: it is kept");
  check_refused(2, {"schemes", "--html", "notes.txt"}, "[html] --html writes .html files");
  std::filesystem::remove(playground() / "mine.html");
}

TEST_CASE("program: the card of a scheme shows all there is to know about it") {
  for (const SchemeInfo& info : all_schemes()) {
    CAPTURE(info.name);
    const Finished card = run(playground().path, {"schemes", info.name});
    CHECK(card.status == 0);
    CHECK(card.out.starts_with(str(info.name, ": ", info.summary, "\n")));
    std::vector<std::string> parts = split(info.formula, '\n');
    parts.insert(parts.end(), {info.source, to_string(info.stage), "\n  claims ", "\n  parameters "});
    parts.insert(parts.end(), info.traps.begin(), info.traps.end());
    parts.insert(parts.end(), info.differs.begin(), info.differs.end());
    if (info.lesson) parts.push_back(str("\n  lesson      ", info.lesson, "\n"));
    for (const SchemeOption& option : info.options)
      parts.insert(parts.end(), {"\n" + option.name, option.help, option.fallback});
    for (const std::string& part : parts) CHECK_MESSAGE(card.out.find(part) != std::string::npos, part);
  }
}

TEST_CASE("program: a task's card shows its examples, tokens, lengths and what is reached without order") {
  const std::string card = run(playground().path, {"tasks", "brackets"}).out;
  for (const char* line :
       {"brackets: at each bracket its partner", "\n  example   (2 (0 1) 3) (1 1) -> 3) 1) (0 (2 1) (1\n",
        "\n  models    encoder, decoder, rnn, gru\n", "\n  tokens    (0 (1 (2 (3 0) 1) 2) 3)\n",
        "\n  input     n brackets that open", "\n  lengths   the shortest has 2, the next 4\n",
        "\n    12        0.4", "\n    18        0.4", "\n    24        0.4"})
    CHECK_MESSAGE(card.find(line) != std::string::npos, card, " lacks ", line);
  CHECK(run(playground().path, {"tasks", "unique"}).out.find("\n  models    decoder, rnn, gru\n") !=
        std::string::npos);
}

TEST_CASE("program: the card of a table says what it asks, and what is reached at each of its lengths") {
  const std::string card = run(playground().path, {"tasks", dataset()}).out;
  CHECK(card.starts_with("before_after: which of two events happened first\n"));
  for (const char* line :
       {"\n  answer    one token", "\n  lengths   6, 7, 9\n", "\n     6        0.500 ± 0.000 ",
        "\nNone of the mistakes was found that ruin a table"})
    CHECK_MESSAGE(card.find(line) != std::string::npos, card, " lacks ", line);
}

TEST_CASE("program: the card of a bad table names its mistakes, each with a row") {
  const TemporaryFolder folder;
  std::string rows;
  for (const char* a : {"p", "q", "r", "s", "t", "u"})
    for (const char* b : {"v", "w", "x", "y", "z"}) rows += str(a, " ", b, "\tyes\n", b, " ", a, "\tyes\n");
  write_file_atomically(folder / "bad.tsv", rows + "p v\tyes\n");
  const Finished card = run(folder.path, {"tasks", "bad.tsv"});
  CHECK(card.status == 0);
  for (const char* words : {"\nwarning: the words alone give the answer away in 30 of the 30 bags",
                            "\nwarning: 'yes' is 60 of the 60", "\nwarning: 1 row repeats an earlier one",
                            "\nwarning: 1 length has fewer than 40 rows to test"})
    CHECK_MESSAGE(card.out.find(words) != std::string::npos, card.out, " lacks ", words);
  CHECK(card.out.find("None of the mistakes") == std::string::npos);
}

TEST_CASE("program: attend shows what each head looks at, and what it is worth") {
  const TemporaryFolder folder;
  const std::string run_folder = playground().path + "/good";
  const Finished one = run(folder.path, {"attend", run_folder, "--input", "3 1 4 1 5", "--svg", "a.svg"});
  CHECK(one.status == 0);
  const std::string asked = run(playground().path, {"ask", "good", "3 1 4 1 5"}).out;
  CHECK(asked.find("\ninput        3 1 4 1 5\nanswer       ") != asked.npos);
  CHECK(one.out.starts_with("Attention of none on before\n" + asked));
  CHECK(one.out.find("\nhead 0.1, over ") != one.out.npos);
  CHECK(one.out.find("attention weight: blank from") ==
        one.out.rfind("attention weight: "));  // one key for all
  CHECK(read_file(folder / "a.svg").find(">head 0.1, over ") != std::string::npos);
  CHECK(read_file(folder / "a.svg").find(">input: 3 1 4 1 5<") != std::string::npos);

  CHECK(run(folder.path, {"attend", run_folder, "--input", "3 1 4 1 5", "--html", "a.html"}).status == 0);
  const std::string page = read_file(folder / "a.html");
  CHECK(page.find("without head 0.1") != page.npos);
  CHECK(page.find("positions 0 and 4 swapped") != page.npos);
  CHECK(page.find("positions 1 and 3 swapped") == page.npos);  // both are 1
  CHECK(page.find("Every weight has moved along with its tokens") !=
        page.npos);  // an encoder without positions
  CHECK(page.find("Beyond moving along") == page.npos);
  check_refused(2, {"attend", "good", "--html", "a.html"}, "give it: --input");

  const std::string csv = run(folder.path, {"attend", run_folder, "--input", "3 1 4 1 5", "--csv"}).out;
  CHECK(csv.starts_with("layer,head,query,key,weight\n0,0,0,0,0."));
  const std::string chosen = run(folder.path, {"attend", run_folder, "--heads", "0.1", "--csv"}).out;
  CHECK(chosen.starts_with("layer,head,query,key,weight\n0,1,0,0,0."));
  CHECK(chosen.find("\n0,0,") == chosen.npos);

  const std::string worth = run(folder.path, {"attend", run_folder, "--silence", "0.0,0.1"}).out;
  CHECK(worth.find("\nnone silenced  ") != worth.npos);
  CHECK(worth.find("\n0.0, 0.1 ") != worth.npos);

  check_refused(2, {"attend", "good", "--input", "3 1 x"}, "'x'");
  check_refused(2, {"attend", "good", "--heads", "7.0"}, "[head] there is no head '7.0'");
  check_refused(2, {"attend", "good", "--silence", "0.0", "0.0"}, "named twice");
  check_refused(2, {"attend", "good", "--input", join(std::vector<std::string>(513, "1"), " ")},
                "the most is 512");
}

TEST_CASE("program: the attention page of a long input is bounded, and says what was left out") {
  const TemporaryFolder folder;
  const std::string good = playground().path + "/good";
  std::string input = "A B";
  for (int i = 2; i < 300; ++i) input += str(' ', i % 8);
  const Finished finished = run(folder.path, {"attend", good, "--input", input, "--html", "long.html"});
  CHECK(finished.status == 0);
  const std::string page = read_file(folder / "long.html");
  CHECK(page.size() < 5'000'000);
  CHECK(page.find("left out") != page.npos);
}

TEST_CASE("program: one file cannot be the figure and the page") {
  check_refused(2, {"attend", "good", "--input", "3 1 A 4 B", "--svg", "x", "--html", "x"},
                "--svg and --html both name 'x'");
}

TEST_CASE("program: a complaint is not cut at a zero byte") {
  const Finished asked = run_shell(playground().path, "printf '3 \\0 end-of-word\\n' | \"$LOCUS\" ask good");
  CHECK(asked.status == 2);
  CHECK(asked.err.starts_with("locus: [before] no token is called '?'"));
  CHECK(asked.err.ends_with("\n"));
}

TEST_CASE("program: ask shows answer, probabilities, target and what is wrong, and warns") {
  const std::string& folder = playground().path;
  const Finished both = run(folder, {"ask", "good", "3 A 4 B 5", "3 A 4 1 5 B"});
  CHECK(both.status == 0);
  CHECK(both.err == "");
  const std::regex first(
      R"(warning: length 5 was never trained \(trained at 6\)\ninput        3 A 4 B 5\nanswer       \S+\n)"
      R"(probability  [01]\.\d\d\ntarget       A\n(right|wrong        \^\nwrong: 1 of 1 tokens)\n\n)"),
      second(R"(input        3 A 4 1 5 B\nanswer       \S+\nprobability  [01]\.\d\d\ntarget       A\n)"
             R"((right|wrong        \^\nwrong: 1 of 1 tokens)\n)");
  const std::size_t end = both.out.find("\n\n") + 2;
  CHECK(std::regex_match(both.out.substr(0, end), first));
  CHECK(std::regex_match(both.out.substr(end), second));
  CHECK(run(folder, {"ask", "good", "3 A 4 1 5 1"})
            .out.find(
                "\nthe right answer is not known: not an input of 'before' (one A, one B, and\ndigits)\n") !=
        std::string::npos);

  const std::string twice = run(folder, {"ask", "good", "3 A 4 B 5", "3 A 4 B 6", "3 A B"}).out;
  CHECK(twice.find("warning: length 5") == twice.rfind("warning: length 5"));  // once for each length
  CHECK(twice.find("warning: length 3") != twice.npos);

  // What cannot be asked is said; what follows is answered.
  const Finished mixed = run(folder, {"ask", "good", "3 x", "A3B", "1,A,B", "3 A 4 1 5 B"});
  CHECK(mixed.status == 2);
  CHECK(mixed.out == both.out.substr(end));
  CHECK(mixed.err.starts_with("locus: [before] no token is called 'x'. Hint: valid: "));
  for (const char* hint : {"'A3B'. Hint: separate tokens by spaces: 'A 3 B'\n",
                           "'1,A,B'. Hint: separate tokens by spaces: '1 A B'\n"})
    CHECK(mixed.err.find(hint) != std::string::npos);

  // Lines, and JSON.
  const TemporaryFolder other;
  write_file_atomically(other / "lines", "3 A 4 1 5 B\r\n\n3 A B 1\nx");
  const Finished lines = run(folder, {"ask", "good", "--json", "--logits"},
                             [&] { ::dup2(::open((other / "lines").c_str(), O_RDONLY), 0); });
  CHECK(lines.status == 2);
  CHECK(lines.err == "");
  std::vector<Json> asked;
  for (const std::string& line : split(lines.out, '\n'))
    if (!line.empty()) asked.push_back(parse_json(line, "ask"));
  REQUIRE(asked.size() == 3);
  CHECK(asked[0].string("input", "") == "3 A 4 1 5 B");
  CHECK(asked[0].string("target", "") == "A");
  CHECK(asked[0].member("right", "") == Json(asked[0].string("answer", "") == "A"));
  CHECK(asked[0].array("warnings", "").empty());
  CHECK(asked[0].array("logits", "").size() == 1);
  CHECK(asked[0].array("probabilities", "").size() == 1);
  CHECK(asked[1].array("warnings", "").front() == Json("length 4 was never trained (trained at 6)"));
  CHECK(asked[2].string("error", "").starts_with("[before] no token is called 'x'"));

  check_refused(2, {"ask", "good", "3 A B", "--failures", "3"}, "[ask] both inputs and --failures are given");
  check_refused(2, {"ask", "good", "3 A B", "--logits"}, "[ask] --logits has no effect without --json");
  check_refused(2, {"ask", "good", "3 A B", "--length", "6"},
                "[ask] --length has no effect without --failures");
  check_refused(1, {"ask", "nowhere", "3 A B"}, "[nowhere] there is no such folder");
}

TEST_CASE("program: attend --scheme shows the same input with the trained scheme and another, side by side") {
  const TemporaryFolder folder;
  REQUIRE(run(folder.path, train("before", "rope", "roped")).status == 0);
  const Words trained = {"attend", "roped", "--input", "3 A 4 1 5 B"};
  const Words both = trained + Words{"--scheme", "none", "--svg", "both.svg", "--html", "both.html"};
  const Finished shown = run(folder.path, both);
  REQUIRE(shown.status == 0);
  CHECK(shown.out.starts_with("Attention of rope on before\ninput "));
  CHECK(shown.out.find("\nAttention of none, trained with rope, on before\ninput ") != std::string::npos);
  CHECK(std::regex_search(shown.out, std::regex("\nhead 0.1, over [^\n]+head 0.1, over ")));
  for (const char* file : {"both.svg", "both.html"}) {
    const std::string drawn = read_file(folder / file);
    for (const char* subject : {" of rope on before", " of none, trained with rope, on before"})
      CHECK(drawn.find(subject) != std::string::npos);
  }
  // With the trained scheme itself, both sides are what attend shows without another.
  const std::string alone = run(folder.path, trained).out;
  const std::string same = run(folder.path, trained + Words{"--scheme", "rope"}).out;
  for (const std::string& line : split(alone.substr(alone.find("\nhead 0.0,")), '\n'))
    if (line.starts_with("head 0.")) CHECK(same.find(line + "  ") < same.find("  " + line + "\n"));

  check_refused(2, {"attend", "good", "--scheme", "none", "--csv"},
                "[attend] --csv has no effect with another scheme");
  check_refused(2, {"attend", "good", "--scheme", "none", "--silence", "all"},
                "[attend] --scheme has no effect with --silence");
  check_refused(1, {"attend", "good", "--scheme", "t5"}, "it holds no tensor 'position.bias'");
  check_refused(2, {"attend", "good", "--scheme", "rop"}, "rope");
}

TEST_CASE("program: eval, ask and attend --positions show a model as it is and told other positions") {
  const TemporaryFolder folder;
  const Words longer = {"--layers",       "1",    "--steps",         "100",
                        "--lr",           "0.01", "--train-lengths", "6",
                        "--test-lengths", "6,9",  "--test-examples", "64"};
  REQUIRE(run(folder.path, Words{"train", "--task", "first", "--scheme", "rope", "--out", "rope"} + longer)
              .status == 0);
  REQUIRE(run(folder.path, train("first", "sinusoidal", "wave")).status == 0);
  REQUIRE(run(folder.path, {"train", "--task", "first", "--model", "gru", "--out", "gru", "--steps", "2",
                            "--d-model", "8"})
              .status == 0);

  const auto out = [&](const Words& words) {
    CAPTURE(typed(words));
    const Finished finished = run(folder.path, words);
    CHECK(finished.status == 0);
    return finished.out;
  };
  // The numbers of a column, of the lines of a table that begin with a number.
  const auto column = [](const std::string& table, std::size_t index) {
    std::vector<std::string> numbers;
    for (const std::string& line : split(table, '\n')) {
      std::vector<std::string> cells;
      for (const std::string& cell : split(line, ' '))
        if (!cell.empty()) cells.push_back(cell);
      if (cells.size() > index && parse_int(cells[0])) numbers.push_back(cells[index]);
    }
    return numbers;
  };
  const std::string plain = out({"eval", "rope"}), bare = out({"eval", "rope", "--scheme", "none"}),
                    told = out({"eval", "rope", "--positions", "constant"});
  CHECK(told.find("; told: with positions constant\n\n") != told.npos);
  CHECK(column(told, 1) == column(plain, 1));
  CHECK(column(told, 2) == column(bare, 1));
  CHECK(column(told, 3) == column(plain, 2));
  CHECK(column(told, 4) == column(bare, 2));
  CHECK(column(told, 2) != column(told, 1));
  CHECK(out({"eval", "rope", "--positions", "constant", "--only-layers", "0"})
            .find("; told: with positions constant in layer 0\n\n") != std::string::npos);
  CHECK(out({"eval", "rope", "--positions", "shuffled", "--threads", "1"}) ==
        out({"eval", "rope", "--positions", "shuffled", "--threads", "3"}));

  const std::string both = out({"ask", "wave", "3 1 4 1 5 9", "--positions", "swap:0,5"});
  CHECK(both == out({"ask", "wave", "3 1 4 1 5 9"}) + both.substr(both.find("\ntold positions swap:0,5:\n")));
  const std::string json =
      out({"ask", "wave", "3 1 4 1 5 9", "--positions", "reversed", "--json", "--logits"});
  const std::vector<std::string> lines = split(json, '\n');
  REQUIRE(lines.size() == 3);
  const Json one = parse_json(lines[0], ""), two = parse_json(lines[1], "");
  CHECK(lines[0] + "\n" == out({"ask", "wave", "3 1 4 1 5 9", "--json", "--logits"}));
  CHECK(two.string("positions", "") == "reversed");
  CHECK(to_string(*one.find("logits")) != to_string(*two.find("logits")));
  const std::string failures =
      out({"ask", "wave", "--failures", "1", "--length", "6", "--positions", "reversed"});
  CHECK(failures.find("\ntold positions reversed:\n") != failures.npos);

  const Words attend = {"attend",      "rope",     "--input", "3 1 4 1 5 9",
                        "--positions", "reversed", "--svg",   "two.svg"};
  const std::string maps = out(attend);
  CHECK(maps.find("Attention of rope on first\n") != maps.npos);
  CHECK(maps.find("Attention of rope, told reversed, on first\n") != maps.npos);
  CHECK(read_file(folder / "two.svg").find("rope, told reversed,") != std::string::npos);

  const auto refused = [&](const Words& words, const std::string& clue) {
    CAPTURE(typed(words));
    const Finished finished = run(folder.path, words);
    CHECK(finished.status == 2);
    CHECK(finished.out.empty());
    CHECK(finished.err.find(clue) != std::string::npos);
  };
  refused({"eval", "rope", "--positions", "swap:2,9"},
          "'swap:2,9' goes beyond an input that is read as 6 tokens");
  refused({"eval", "rope", "--positions", "swap:2,3", "--only-layers", "1"},
          "there is no layer 1. Hint: the only one is 0");
  refused({"eval", "rope", "--only-layers", "0"}, "--only-layers has no effect without --positions");
  refused({"eval", "gru", "--positions", "constant"}, "'gru' reads one token after another");
  refused({"ask", "rope", "3 1", "--only-layers", "0"}, "--only-layers has no effect without --positions");
  refused({"ask", "rope", "3 1", "--positions", "swap:0,2"}, "goes beyond an input that is read as 2 tokens");
  refused({"attend", "rope", "--only-layers", "0"}, "--only-layers has no effect without --positions");
  refused({"attend", "rope", "--positions", "constant", "--csv"}, "--csv has no effect with --positions");
  refused({"attend", "rope", "--positions", "constant", "--silence", "all"}, "no effect with --silence");
  refused({"attend", "rope", "--positions", "constant", "--scheme", "none"}, "no effect with another scheme");
}

TEST_CASE("program: last is the run that was written last, and is named; a run of that name comes first") {
  const TemporaryFolder folder;
  const Finished none = run(folder.path, {"ask", "last", "3 A B"});
  CHECK(none.status == 1);
  CHECK(none.err.starts_with("locus: [last] there is no run in runs yet. Hint: `locus train "));
  for (const char* name : {"runs/older", "runs/deep/down/newer"})
    REQUIRE(run(folder.path, train("before", "none", name)).status == 0);
  using std::filesystem::last_write_time;
  const auto touch = [&](const std::string& name, std::chrono::hours age) {
    const std::string path = folder / ("runs/" + name + "/model.safetensors");
    last_write_time(path, std::filesystem::file_time_type::clock::now() - age);
  };
  const Words words[] = {
      {"ask", "last", "3 A B"}, {"eval", "last"}, {"attend", "last", "--csv"}, {"report", "last", "--csv"}};
  for (const auto& [newest, oldest] : {std::pair{"deep/down/newer", "older"}, {"older", "deep/down/newer"}}) {
    touch(newest, std::chrono::hours(1));
    touch(oldest, std::chrono::hours(2));
    for (const Words& command : words) {
      const Finished asked = run(folder.path, command);
      CHECK(asked.status == 0);
      CHECK(asked.err.starts_with(str("locus: last: runs/", newest, "\n")));
      Words named = command;
      named[1] = str("runs/", newest);
      CHECK(asked.out == run(folder.path, named).out);
    }
  }

  // What the program of a chapter trained, with the learner's lines, is that program's last, not this one's.
  const char* of_lesson = "runs/lessons/09/trained/before/none";
  REQUIRE(run(folder.path, train("before", "none", of_lesson)).status == 0);
  const Finished asked = run(folder.path, {"ask", "last", "3 A B"});
  CHECK(asked.status == 0);
  CHECK(asked.err == str("locus: last: runs/older. Hint: ", of_lesson,
                         " is newer; build/locus-09 trained it, and takes it as its last\n"));
  std::filesystem::remove_all(folder / "runs/older");
  std::filesystem::remove_all(folder / "runs/deep");
  CHECK(run(folder.path, {"ask", "last", "3 A B"})
            .err.starts_with(str("locus: [last] there is no run in runs yet (", of_lesson,
                                 " is newer; build/locus-09 trained it")));

  REQUIRE(run(folder.path, train("before", "none", "last")).status == 0);
  CHECK(run(folder.path, {"ask", "last", "3 A B"}).err.empty());
}

TEST_CASE("program: ask --failures lists test inputs that are answered wrong") {
  const std::string& folder = playground().path;
  const Finished shown = run(folder, {"ask", "good", "--failures", "2"});
  CHECK(shown.status == 0);
  CHECK(std::regex_search(
      shown.out,
      std::regex("^length 6: 2 of the first \\d+ of 16 test inputs are answered wrong\n\ninput ")));
  CHECK(shown.out.find("\nlength 9: 2 of the ") != std::string::npos);
  const std::string all = run(folder, {"ask", "good", "--failures", "99", "--length", "6", "--json"}).out;
  int wrong = 0;
  for (const std::string& line : split(all, '\n'))
    if (!line.empty()) {
      ++wrong;
      CHECK(parse_json(line, "ask").member("right", "") == Json(false));
    }
  const std::string scores = run(folder, {"eval", "good", "--test-lengths", "6"}).out;
  CHECK(scores.find(str("     6  ")) != std::string::npos);
  CHECK(scores.find(str("  ", fixed(1 - wrong / 16.0, 3), "  ")) != std::string::npos);  // exact match
}
#endif

TEST_CASE("program: a byte order mark before typed inputs is left out") {
  const TemporaryFolder folder;
  write_file_atomically(folder / "inputs",
                        "\xEF\xBB\xBF"
                        "3 1 4\r\n1 2 3\n");
  const Finished read = run(playground().path, {"ask", "good", "--json"},
                            [&] { ::dup2(::open((folder / "inputs").c_str(), O_RDONLY), 0); });
  CHECK(read.status == 0);
  CHECK(read.out == run(playground().path, {"ask", "good", "--json", "3 1 4", "1 2 3"}).out);
}
