// The page in a browser, when there is one: drawn on a wide screen and on a phone, light and dark, used with
// the mouse, and read without scripts. A page around it gives it its width, and prints what a script within
// it saw.
#include <doctest/doctest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>

#include "../../support/samples.h"
#include "../../support/temporary_folder.h"
#include "base/json.h"
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

// Runs within the page: looks for what is cut or overlaps, then uses it like a reader: chooses a scheme by its button
// and by a click into a cell, moves the length, guesses.
constexpr std::string_view probe = R"js(<script>
addEventListener('load', () => {
  const faults = [], all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) faults.push(`the page is ${wide} wide`);
  const check = (frame, texts) => texts.forEach(([words, box], i) => {
    if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1)
      faults.push(`'${words}' is cut`);
    for (const [other, its] of texts.slice(0, i)) {
      const across = Math.min(box.right, its.right) - Math.max(box.left, its.left);
      const down = Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top);
      if (across > 1 && down > 3) faults.push(`'${words}' and '${other}' overlap`);
    }
  });
  const boxes = (things) => things.map((one) => [one.textContent || one.getAttribute('aria-label'), one.getBoundingClientRect()]);
  for (const svg of all('figure svg[role]')) check(svg.getBoundingClientRect(), boxes(all('text', svg)));
  for (const grid of all('.grid')) {
    const box = grid.getBoundingClientRect();
    check({ left: 0, right: box.right, top: box.top - 1, bottom: box.bottom + 1 },
          boxes(all('td svg, td b, th .name, thead th', grid)));
  }
  const grid = document.querySelector('.grid'), order = () => all('tbody tr', grid).map((row) => row.dataset.series);
  const numbers = () => all('td b', grid).map((one) => one.textContent).join(' ');
  const pressed = () => all('.grid .name[aria-pressed=true]').map((one) => one.dataset.series)[0] || '';
  const escape = () => document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
  const seen = { width: innerWidth, faults, paper: getComputedStyle(document.body).backgroundColor,
    buttons: all('.name', grid).length, headings: all('h1, h2, h3').map((one) => one.tagName[1]).join(''),
    first: grid.getBoundingClientRect().top };

  const second = all('.name', grid)[1];
  second.focus();
  seen.focused = document.activeElement === second;
  second.click();
  seen.pressed = pressed() === order()[1];
  seen.kept = all('[data-series]').every((one) => one.classList.contains('faded') ===
      (one.dataset.series !== order()[1] && !one.matches('button')));
  escape();
  seen.restored = all('.faded').length;

  // A click chooses what the tooltip names.
  seen.agree = all('td svg').filter((svg) => svg.closest('.grid') === grid).every((svg) => {
    const box = svg.getBoundingClientRect(), at = { bubbles: true, clientX: box.left + 5, clientY: box.top + 5 };
    svg.dispatchEvent(new PointerEvent('pointermove', at));
    const tip = document.querySelector('.tip'), name = tip.hidden ? '' : tip.textContent.split(' on ')[0];
    svg.dispatchEvent(new MouseEvent('click', at));
    const chosen = pressed();
    escape();
    return name !== '' && name === chosen;
  });
  const shape = all('figure [data-tip]')[0], box = shape.getBoundingClientRect();
  const at = { bubbles: true, clientX: box.left + 2, clientY: box.top + 2 };
  shape.dispatchEvent(new PointerEvent('pointerdown', at));  // as a finger does
  seen.touched = document.querySelector('.tip').textContent;
  shape.dispatchEvent(new MouseEvent('click', at));
  seen.named = seen.touched.startsWith(pressed() + ' on ');
  escape();
  // Selecting text selects text.
  getSelection().selectAllChildren(document.querySelector('h1'));
  all('td svg', grid)[0].dispatchEvent(new MouseEvent('click', { bubbles: true }));
  seen.selecting = pressed();
  getSelection().removeAllRanges();

  const slider = document.querySelector('.tools input'), move = (value) => {
    slider.value = value;
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const longest = [numbers(), order().join(' ')];
  move(0);
  seen.trained = document.querySelector('.reading span').textContent;
  seen.moved = numbers() !== longest[0] && order()[0] === 'none';
  move(2);
  seen.back = numbers() === longest[0] && order().join(' ') === longest[1];

  document.querySelector('.tools button').click();
  seen.hidden = getComputedStyle(document.querySelector('.findings')).visibility + ' ' +
      getComputedStyle(document.querySelector('.grid td svg')).visibility;
  all('.name', grid).find((one) => one.dataset.series === 'alibi').click();
  seen.guess = document.querySelector('[role=status]').textContent;
  seen.told = getComputedStyle(document.querySelector('.findings')).visibility;
  parent.postMessage(JSON.stringify(seen), '*');
});
</script>)js";

std::string frame(int width) {
  return text(
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
  std::vector<CellCurve> curves;
  for (const char* task : {"reverse", "sort", "who_chased_whom", "missing_duplicate"})
    for (const char* scheme :
         {"none", "sinusoidal", "rope:base=100,layout=half", "alibi", "t5", "randomized+learned"})
      for (int seed = 1; seed <= 3; ++seed) {
        const double accuracy = 1.0 / (1 + static_cast<double>(results.size() % 7));
        results.push_back(test::result_of({.task = task,
                                           .scheme = scheme,
                                           .seed = seed,
                                           .tested = {{12, accuracy}, {18, accuracy}, {24, accuracy / 2}},
                                           .steps_to_solve = 100 * seed}));
        curves.push_back({results.back().settings, {{50, 100}, {2, 1}, {0.1, accuracy}}});
      }
  return report_page(Study(Records{results, curves}));
}

}  // namespace

TEST_CASE("browser: nothing overlaps, is cut or complains, on a wide screen and a phone, light and dark") {
  if (browser().empty()) {
    MESSAGE("skipped: there is no Chromium here to show the page");
    return;
  }
  const TemporaryFolder folder;
  std::string page = sample_page();
  page.insert(page.rfind("</body>"), probe);
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
      CHECK(seen.number("first", "seen") < (width == 390 ? 640 : 420));
      CHECK(seen.string("paper", "seen") == (dark ? "rgb(21, 23, 26)" : "rgb(255, 255, 255)"));
      for (const char* well : {"focused", "pressed", "kept", "agree", "named", "moved", "back"}) {
        CAPTURE(well);
        CHECK(seen.boolean(well, "seen"));
      }
      CHECK(seen.number("restored", "seen") == 0);
      CHECK(seen.string("selecting", "seen") == "");
      CHECK(seen.string("trained", "seen") == "at 12 tokens");
      CHECK(seen.string("hidden", "seen") == "hidden hidden");
      CHECK(seen.string("guess", "seen").starts_with("Your guess: alibi, "));
      CHECK(seen.string("told", "seen") == "visible");
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
  for (const char* words :
       {"Which positions still work on longer inputs?", "Training and cost", "build/locus ablate",
        "no-input baseline", "reverse, encoder: token accuracy, mean and every seed"}) {
    CAPTURE(words);
    CHECK(seen.string("words", "seen").find(words) != std::string::npos);
  }
}
