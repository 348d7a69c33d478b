// Every view of every scheme, as `locus inspect` shows it.
#ifndef LOCUS_DOUBLE  // the program is built with float
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "../draw/svg_reader.h"
#include "../support/specs.h"
#include "../support/temporary_folder.h"
#include "base/error.h"
#include "io/file.h"
#include "io/safetensors.h"
#include "process.h"

using namespace locus;

namespace {

using Words = std::vector<std::string>;

const Words views{"embedding",  "frequencies", "bias",   "buckets",
                  "similarity", "distance",    "clocks", "scores"};

Finished inspect(const std::string& folder, const std::string& spec, Words words) {
  words.insert(words.begin(), {"inspect", spec, "--d-model", "8", "--length", "6"});
  return run(folder, words);
}

std::string csv(const std::string& spec, const std::string& view, const std::string& model = "encoder") {
  const Finished finished = inspect(".", spec, {"--what", view, "--csv", "--model", model});
  CAPTURE(finished.err);
  CHECK(finished.status == 0);
  return finished.out;
}

std::vector<std::vector<double>> numbers(const std::string& csv) {
  std::vector<std::vector<double>> rows;
  for (const std::string& line : split(csv.substr(csv.find('\n') + 1), '\n')) {
    if (line.empty()) continue;
    rows.emplace_back();
    for (const std::string& cell : split(line, ',')) rows.back().push_back(parse_double(cell).value());
  }
  return rows;
}

// As many numbers in each line as the header has names, all finite.
void check_is_csv(const std::string& text) {
  REQUIRE(text.ends_with('\n'));
  const std::vector<std::string> lines = split(text.substr(0, text.size() - 1), '\n');
  CHECK(lines.size() > 1);
  const std::size_t columns = split(lines[0], ',').size();
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::vector<std::string> cells = split(lines[i], ',');
    CHECK(cells.size() == columns);
    for (const std::string& cell : cells) CHECK_MESSAGE(parse_double(cell).has_value(), lines[i]);
  }
}

// The views that the program says a scheme has, by asking for each.
std::set<std::string> check_views_of(const std::string& spec, const std::string& model) {
  const TemporaryFolder folder;
  std::set<std::string> shown;
  std::vector<std::string> hints;
  for (const std::string& view : views) {
    CAPTURE(view);
    const Words words = {"--model", model, "--what", view};
    const Words with_figure = {"--model", model, "--what", view, "--svg", "figure.svg", "--csv"};
    const Finished finished = inspect(folder.path, spec, with_figure);
    CAPTURE(finished.err);
    if (finished.status == 2) {
      const std::string refusal = str("locus: [inspect] '", spec, "' has no ", view, ". Hint: it has: ");
      CHECK(finished.err.starts_with(refusal));
      hints.push_back(finished.err.substr(std::min(refusal.size(), finished.err.size())));
      continue;
    }
    CHECK(finished.status == 0);
    check_is_csv(finished.out);
    const test::Svg svg = test::read_svg(read_file(folder / "figure.svg"));
    CHECK(svg.fault == "");
    CHECK(test::has_only_finite_numbers(svg));
    CHECK(svg.elements.size() > 8);
    const std::string sketch = inspect(folder.path, spec, words).out;
    CHECK(sketch.starts_with(str(spec, ", ", view, "\n\n")));
    CHECK(sketch.find("nan") == std::string::npos);
    shown.insert(view);
  }
  for (const std::string& hint : hints) {
    const std::vector<std::string> named = split(hint.substr(0, hint.find('\n')), ',');
    CHECK(named.size() == shown.size());
    for (const std::string& name : named) CHECK(shown.contains(name.substr(name.find_first_not_of(' '))));
  }
  return shown;
}

}  // namespace

TEST_CASE(
    "inspect: every view of every scheme is a sound table and figure, or is refused by naming those there "
    "are") {
  for (const std::string model : {"encoder", "decoder"})
    for (const std::string& spec : every_spec(8, model == "decoder")) {
      CAPTURE(model);
      CAPTURE(spec);
      CHECK(check_views_of(spec, model).contains("scores"));
    }
}

TEST_CASE("inspect: schemes of one kind have the views of their kind") {
  const auto views_of = [](const std::string& spec) { return check_views_of(spec, "encoder"); };
  using Names = std::set<std::string>;
  CHECK(views_of("none") == Names{"scores"});
  CHECK(views_of("learned") == Names{"embedding", "similarity", "distance", "scores"});
  CHECK(views_of("sinusoidal") == Names{"embedding", "similarity", "distance", "clocks", "scores"});
  CHECK(views_of("sinusoidal:waves=sin") == Names{"embedding", "similarity", "distance", "scores"});
  CHECK(views_of("rope") == Names{"frequencies", "distance", "clocks", "scores"});
  CHECK(views_of("alibi") == Names{"bias", "scores"});
  CHECK(views_of("t5") == Names{"buckets", "scores"});
  CHECK(views_of("index+alibi") == Names{"embedding", "bias", "similarity", "distance", "scores"});
}

TEST_CASE("inspect: without --what the first view that a scheme has is shown") {
  CHECK(inspect(".", "alibi", {"--csv"}).out == csv("alibi", "bias"));
  CHECK(inspect(".", "none", {"--csv"}).out == csv("none", "scores"));
}

TEST_CASE("inspect: the titles of figures say what is to be seen") {
  const TemporaryFolder folder;
  const auto title = [&](const std::string& spec, const std::string& view) {
    CHECK(run(folder.path, {"inspect", spec, "--what", view, "--svg", "figure.svg"}).status == 0);
    return test::read_svg(read_file(folder / "figure.svg")).elements.at(0).attributes.at("aria-label");
  };
  CHECK(title("onehot:capacity=32", "embedding") ==
        "All 32 codes of onehot:capacity=32 differ; those of neighbours are 1.41 apart");
  CHECK(title("alibi:direction=asymmetric", "bias") ==
        "The bias of alibi:direction=asymmetric is largest at the query, wherever the query is");
  CHECK(title("alibi", "bias") == "The bias of alibi is largest at the query, wherever the query is");
  // Of a scheme that sees no order only the score of a token with itself stands out.
  CHECK(title("alibi", "scores").starts_with("With alibi, untrained, the distance explains 100 % of"));
  CHECK(title("none", "scores").starts_with("With none, untrained, the distance explains 8 % of"));
}

TEST_CASE("inspect: similarity is the cosine between codes; a code of zeros has none") {
  for (const auto& row : numbers(csv("onehot:capacity=8", "similarity"))) CHECK(row[2] == (row[0] == row[1]));
  const auto sinusoidal = numbers(csv("sinusoidal", "similarity"));
  CHECK(sinusoidal.size() == 36);
  for (const auto& row : sinusoidal) {
    double mean = 0;
    for (const double theta : {1.0, 0.1, 0.01, 0.001}) mean += std::cos((row[0] - row[1]) * theta) / 4;
    CHECK(row[2] == doctest::Approx(mean).epsilon(1e-9));
  }
  CHECK(numbers(csv("index", "similarity")).size() == 25);
}

TEST_CASE("inspect: dot products by distance, of codes and of all-ones vectors that rope turns") {
  const auto codes = numbers(csv("sinusoidal", "distance"));
  CHECK(codes.size() == 18);  // of the first, the middle and the last query
  for (const auto& row : codes) {
    double sum = 0;
    for (const double theta : {1.0, 0.1, 0.01, 0.001}) sum += std::cos(row[1] * theta);
    CHECK(row[2] == doctest::Approx(sum).epsilon(1e-9));
  }
  for (const auto& row : numbers(csv("rope", "distance")))
    CHECK(row[2] == doctest::Approx(2 * std::cos(row[1]) + 2 * std::cos(row[1] / 100)).epsilon(1e-5));
  const auto decoder = numbers(csv("rope", "distance", "decoder"));
  CHECK(decoder.size() == 1 + 4 + 6);  // keys up to the query
  for (const auto& row : decoder) CHECK(row[1] <= 0);
}

TEST_CASE("inspect: hands of clocks turn by theta a position, in codes and in rotary schemes") {
  const auto check_hands = [](const std::string& spec, const std::vector<double>& thetas, double scale) {
    const auto hands = numbers(csv(spec, "clocks"));
    CHECK(hands.size() == 6 * thetas.size());
    for (const auto& hand : hands) {
      const double angle = hand[1] * thetas[static_cast<std::size_t>(hand[0])];
      CHECK(hand[2] == doctest::Approx(scale * std::cos(angle)).epsilon(1e-9));
      CHECK(hand[3] == doctest::Approx(scale * std::sin(angle)).epsilon(1e-9));
    }
  };
  check_hands("sinusoidal", {1, 0.1, 0.01, 0.001}, 1);
  check_hands("rope", {1, 0.01}, 1);
  check_hands("rope:extend=yarn,factor=2,original=32", {1, 0.005}, 0.1 * std::log(2) + 1);
}

TEST_CASE("inspect: the scores of a scheme with a fixed bias are those without positions, plus the bias") {
  for (const std::string model : {"encoder", "decoder"})
    for (const std::string spec : {"alibi", "sandwich"}) {
      const auto with = numbers(csv(spec, "scores", model)), without = numbers(csv("none", "scores", model)),
                 bias = numbers(csv(spec, "bias", model));
      CHECK(with.size() == (model == "encoder" ? 72 : 42));  // a query sees the keys up to its own
      REQUIRE(with.size() == without.size());
      for (std::size_t i = 0; i < with.size(); ++i) {
        const auto place = std::find_if(bias.begin(), bias.end(), [&](const auto& row) {
          return std::equal(row.begin(), row.end() - 1, with[i].begin());
        });
        REQUIRE(place != bias.end());
        CHECK(with[i][3] - without[i][3] == doctest::Approx(place->back()).epsilon(1e-5));
      }
    }
}

TEST_CASE("inspect: where weights replace the softmax, their logarithm is the score") {
  const auto near_first = numbers(csv("stick-breaking", "scores", "decoder"));
  CHECK(near_first.size() == 2 * 15);  // no token sees itself
  for (const auto& row : near_first) CHECK(row[3] < 0);
  CHECK(near_first[6][3] < near_first[9][3]);  // query 4: key 0 and key 3
}

TEST_CASE("inspect: every pair that a decoder sees has a row of finite scores, however long the input") {
  const TemporaryFolder folder;
  const Finished xpos =
      run(folder.path, {"inspect", "xpos:scale_base=2", "--what", "scores", "--model", "decoder", "--length",
                        "400", "--heads", "1", "--d-model", "8", "--csv"});
  CHECK(xpos.status == 0);
  CHECK(std::ranges::count(xpos.out, '\n') == 1 + 400 * 401 / 2);
  CHECK(xpos.err.empty());
  const Finished stick =
      run(folder.path, {"inspect", "stick-breaking", "--what", "scores", "--model", "decoder", "--length",
                        "400", "--heads", "1", "--d-model", "8", "--csv"});
  const auto rows = std::ranges::count(stick.out, '\n') - 1;
  CHECK(stick.err ==
        str("locus: warning: ", 400 * 399 / 2 - rows,
            " pairs have no row: the weight of the key was 0, as it fell below the range of a float\n"));
}

TEST_CASE("inspect of a run: learned tables and biases are those in its checkpoint") {
  const TemporaryFolder folder;
  const auto train = [&](const std::string& scheme, const std::string& out, Words more = {}) {
    Words words = {"train", "--task",          "before", "--scheme",        scheme, "--out",
                   out,     "--layers",        "2",      "--d-model",       "8",    "--batch",
                   "8",     "--steps",         "20",     "--train-lengths", "6",    "--test-lengths",
                   "6",     "--test-examples", "16"};
    words.insert(words.end(), more.begin(), more.end());
    REQUIRE(run(folder.path, words).status == 0);
    return read_safetensors(folder / (out + "/model.safetensors"));
  };
  const auto shown = [&](const std::string& run_folder, const std::string& view, Words more = {"--csv"}) {
    Words words = {"inspect", run_folder, "--length", "6", "--what", view};
    words.insert(words.end(), more.begin(), more.end());
    const Finished finished = run(folder.path, words);
    CAPTURE(finished.err);
    REQUIRE(finished.status == 0);
    return finished.out;
  };

  const SafetensorsFile learned = train("learned:capacity=16", "learned");
  const Reals& table = learned.tensors.at("position.table").values;
  for (const auto& row : numbers(shown("./learned", "embedding")))
    CHECK(row[2] == doctest::Approx(table[static_cast<std::size_t>(8 * row[0] + row[1])]).epsilon(1e-6));

  const SafetensorsFile t5 = train("t5", "t5");
  const auto& bias = t5.tensors.at("position.bias");
  std::map<double, double> bucket;  // by distance
  for (const auto& row : numbers(shown("./t5", "buckets"))) bucket[row[0]] = row[1];
  const auto rows = numbers(shown("./t5", "bias"));
  CHECK(rows.size() == 2 * 6 * 6);
  for (const auto& row : rows)
    CHECK(row[3] ==
          doctest::Approx(bias.values[static_cast<std::size_t>(row[0] * static_cast<double>(bias.shape[1]) +
                                                               bucket.at(row[2] - row[1]))])
              .epsilon(1e-5));
  for (const char* scheme : {"fire", "kerple"}) {
    train(scheme, scheme);
    CHECK(numbers(shown(str("./", scheme), "bias")).size() == 2 * 6 * 6);
  }
  train("rope", "roped");
  CHECK(shown("roped", "clocks") == shown("rope", "clocks", {"--csv", "--d-model", "8"}));
  CHECK(shown("roped", "scores") != shown("rope", "scores", {"--csv", "--d-model", "8"}));
  CHECK(shown("./t5", "bias", {"--svg", "bias.svg"}).starts_with("t5, trained, bias\n"));
  CHECK(test::read_svg(read_file(folder / "bias.svg")).fault == "");

  const auto refused = [&](const Words& words, const std::string& clue) {
    const Finished finished = run(folder.path, words);
    CHECK(finished.status != 0);
    CAPTURE(finished.err);
    CHECK(finished.err.find(clue) != std::string::npos);
  };
  refused({"inspect", "t5", "--what", "bias"},
          "has no bias");  // the SPEC, although there is a run of that name
  refused({"inspect", "./t5", "--what", "bias", "--length", "65536"}, "numbers in bias, more than");
  refused({"inspect", "roped", "--d-model", "8"}, "[inspect] --d-model has no effect with a run");
  refused({"inspect", "runs/nowhere"}, "[runs/nowhere] there is no such folder");
  CHECK(run(folder.path, {"inspect", "rope:still=1/2", "--what", "clocks"}).status == 0);  // not a folder
  refused({"inspect", "roped", "--what", "bias"}, "'rope' has no bias. Hint: it has: frequencies");
  train("none", "gru", {"--model", "gru"});
  refused({"inspect", "gru"}, "the model is a gru, and schemes are shown in transformers. Hint: ");
}

#endif
