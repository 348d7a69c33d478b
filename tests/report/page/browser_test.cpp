// The page in a browser, when there is one: drawn on a wide screen and on a phone, light and dark, used with
// the mouse, and read without scripts. A page around it gives it its width, and prints what a script within
// it saw.
#include <doctest/doctest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <regex>

#include "../../support/samples.h"
#include "../../support/temporary_folder.h"
#include "io/json.h"
#include "report/page/page.h"

using namespace locus;

namespace {

// What a command prints on standard output and error; "" when it fails.
std::string output_of(const std::string& command) {
  std::string out;
  std::FILE* pipe = ::popen(command.c_str(), "r");
  std::array<char, 4096> block;
  for (std::size_t read; pipe && (read = std::fread(block.data(), 1, block.size(), pipe)) > 0;)
    out.append(block.data(), read);
  return pipe && ::pclose(pipe) == 0 ? out : "";
}

const std::string& browser() {
  static const std::string found = [] {
    for (const char* name : {"chromium", "chromium-browser", "google-chrome"})
      if (!output_of(std::string("command -v ") + name + " 2>/dev/null").empty()) return std::string(name);
    return std::string();
  }();
  return found;
}

// The document after its scripts ran, and what the browser had to complain about.
struct Shown {
  std::string document, log;
};

Shown show(const TemporaryFolder& folder, const std::string& file, const std::string& options) {
  const std::string log = folder / "log";
  const std::string document = output_of(
      "timeout 60 " + browser() +
      " --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
      " --disable-component-update --disable-sync --enable-logging=stderr --virtual-time-budget=3000"
      " --window-size=1600,1000 --user-data-dir=" +
      folder.path + "/profile " + options + " --dump-dom file://" + (folder / file) + " 2>" + log);
  return {document, read_file(log)};
}

std::string frame(int width) {
  return str(
      "<!doctype html><pre id=\"seen\"></pre><script>addEventListener('message', (event) => { "
      "document.getElementById('seen').textContent = event.data; });</script><iframe width=\"",
      width, "\" height=\"900\" src=\"page.html\"></iframe>");
}

Json seen_in(const Shown& shown) {
  const std::size_t start = shown.document.find("<pre id=\"seen\">") + 15,
                    end = shown.document.find("</pre>", start);
  CAPTURE(shown.log);
  REQUIRE(start < end);
  REQUIRE(end != std::string::npos);
  return parse_json(shown.document.substr(start, end - start), "what the browser saw");
}

std::string sample_page() {
  std::vector<Result> results;
  for (const char* task : {"reverse", "sort", "who_chased_whom", "missing_duplicate"})
    for (const char* scheme :
         {"none", "sinusoidal", "rope:base=100,extend=yarn,factor=2,original=26,beta_fast=4", "alibi", "t5",
          "randomized+learned"})
      for (int seed = 1; seed <= 3; ++seed) {
        const double accuracy =
            std::string(scheme) == "t5" ? 1 : 1.0 / (1 + static_cast<double>(results.size() % 7));
        results.push_back(test::result_of({.task = task,
                                           .scheme = scheme,
                                           .seed = seed,
                                           .tested = {{12, accuracy}, {18, accuracy}, {24, accuracy / 2}},
                                           .steps_to_solve = 100 * seed}));
        results.back().outcome.curve = {{50, 100}, {2, 1}, {0.1, accuracy}};
      }
  return report_page(Study(Records{results}));
}

}  // namespace

TEST_CASE("browser: nothing overlaps, is cut or complains, on a wide screen and a phone, light and dark") {
  if (browser().empty()) {
    MESSAGE("skipped: there is no Chromium here to show the page");
    return;
  }
  const TemporaryFolder folder;
  std::string page = sample_page();
  page.insert(page.rfind("</body>"), "<script>" + read_file("tests/report/page/probe.js") + "</script>");
  write_file_atomically(folder / "page.html", page);
  for (const int width : {1280, 390})
    for (const bool dark : {false, true}) {
      CAPTURE(width);
      CAPTURE(dark);
      write_file_atomically(folder / "frame.html", frame(width));
      const Shown shown = show(folder, "frame.html", dark ? "--blink-settings=preferredColorScheme=0" : "");
      CHECK(shown.log.find("CONSOLE") == std::string::npos);
      const Json seen = seen_in(shown);
      CHECK(seen.number("width", "seen") == width);
      CHECK(to_string(seen.member("faults", "seen")) == "[]");
      CHECK(seen.number("buttons", "seen") == 6);
      CHECK(seen.string("headings", "seen").starts_with("123"));
      CHECK(seen.number("first", "seen") < (width == 390 ? 480 : 330));
      CHECK(seen.string("paper", "seen") == (dark ? "rgb(21, 23, 26)" : "rgb(255, 255, 255)"));
      for (const std::string well :
           {"focused", "pressed", "kept", "enlarged", "named", "moved", "back", "asked", "before"}) {
        CAPTURE(well);
        CHECK(seen.boolean(well, "seen"));
      }
      CHECK(seen.number("restored", "seen") == 0);
      CHECK(seen.string("selecting", "seen") == "");
      CHECK(seen.string("trained", "seen") == "at 12 tokens");
      CHECK(seen.string("hidden", "seen") == "Which scheme will do best at 24 tokens? none hidden");
      CHECK(seen.string("guess", "seen").starts_with("Your guess, alibi, is number "));
      CHECK(seen.string("told", "seen") == "grid");
      CHECK(seen.number("hole", "seen") < 60);
      CHECK(seen.number("smallest", "seen") >= 32);
    }
}

TEST_CASE("browser: the page is whole without its script") {
  if (browser().empty()) {
    MESSAGE("skipped: there is no Chromium here to show the page");
    return;
  }
  const TemporaryFolder folder;
  std::string page = sample_page();
  const std::size_t script = page.rfind("<script>");
  page.replace(script, page.rfind("</script>") + 9 - script, R"js(<script>addEventListener('load', () => {
    document.querySelector('#accuracy summary').click();
    const hidden = [...document.querySelectorAll('main *:not(details *, title)')].filter((one) => !one.checkVisibility());
    parent.postMessage(JSON.stringify({ hidden: hidden.length, words: document.body.innerText }), '*');
  });</script>)js");
  write_file_atomically(folder / "page.html", page);
  write_file_atomically(folder / "frame.html", frame(1280));
  const Json seen = seen_in(show(folder, "frame.html", ""));
  CHECK(seen.number("hidden", "seen") == 0);
  for (const char* words : {"What else it shows", "Training and cost", "build/locus ablate",
                            "no-input baseline", "reverse, encoder: token accuracy, mean and every seed"}) {
    CAPTURE(words);
    CHECK(seen.string("words", "seen").find(words) != std::string::npos);
  }
}

TEST_CASE("program: the site's links lead to files of its own, and a browser opens it without a network") {
  const TemporaryFolder folder;
  REQUIRE(std::system(
              str("lessons/results/site.sh ", folder.path, " decoder text-32 > ", folder / "log").c_str()) ==
          0);
  const std::string index = read_file(folder / "index.html");
  const std::regex link("(?:href|src)=\"([^\"]+)\"");
  int links = 0;
  for (std::sregex_iterator at(index.begin(), index.end(), link), end; at != end; ++at, ++links) {
    CAPTURE((*at)[1].str());
    CHECK(std::filesystem::exists(folder / (*at)[1].str()));
  }
  CHECK(links == 7);  // the playground twice, two studies with a picture each, the schemes
  CHECK(index.find("the decoder gets 77") != std::string::npos);
  if (browser().empty()) return;
  const Shown shown = show(folder, "index.html", "--host-resolver-rules='MAP * ~NOTFOUND'");
  CHECK(shown.log.find("CONSOLE") == std::string::npos);
  CHECK(shown.document.find("Begin yourself") != std::string::npos);
}
