// Schemes against numbers worked out elsewhere: tests/golden/schemes.json (from the code of the papers'
// authors and of widely used libraries) and tests/golden/sinusoid.json (recomputed by numpy).
#include "../golden/golden.h"

#include <doctest/doctest.h>

#include <memory>
#include <numeric>
#include <set>

#include "positional/support/spec.h"

namespace golden_test {

using namespace locus;

namespace {

constexpr double digits12 = 1e-11;  // the files hold 12 significant digits
constexpr double rotated = sizeof(Real) == 8 ? digits12 : 1e-6;

std::unique_ptr<Scheme> scheme(std::string_view spec, const SchemeContext& context) {
  ParameterTable table;
  return make_scheme(spec, context, table);
}

std::vector<double> sinusoid(int width, double position) {
  return scheme("sinusoidal", {width, 1, false})->code(position, 0, nullptr);
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

double cosine_distance(const std::vector<double>& a, const std::vector<double>& b) {
  return 1 - dot(a, b) / std::sqrt(dot(a, a) * dot(b, b));
}

// The bias of one head between 5 queries and 5 keys, divided by `slope`.
std::vector<double> bias_matrix(std::string_view spec, int heads, double slope) {
  const auto alibi = scheme(spec, {heads, heads, false});
  std::vector<double> matrix;
  for (int query = 0; query < 5; ++query)
    for (int key = 0; key < 5; ++key) matrix.push_back(alibi->bias(0, query, key).value() / slope);
  return matrix;
}

std::vector<int> buckets(std::string_view spec, const std::vector<int>& relatives) {
  const auto t5 = scheme(spec, {4, 1, false});
  std::vector<int> result;
  for (const int relative : relatives) result.push_back(t5->bucket(relative).value());
  return result;
}

std::vector<int> range(int first, int last, int step = 1) {
  std::vector<int> result;
  for (int i = first; i != last + step; i += step) result.push_back(i);
  return result;
}

// [first distance, bucket] for each bucket that begins at a later distance than the one before, up to
// distance 1000.
std::vector<int> edges(std::string_view spec) {
  const std::vector<int> past = buckets(spec, range(0, -1000, -1));
  std::vector<int> result = {0, past[0]};
  for (std::size_t distance = 1; distance < past.size(); ++distance)
    if (past[distance] != past[distance - 1])
      result.insert(result.end(), {static_cast<int>(distance), past[distance]});
  return result;
}

// The vector x as a query at each of these positions, after rope, row by row; as a key it must be the same.
std::vector<double> turned(std::string_view spec, const std::vector<double>& x,
                           const std::vector<double>& positions) {
  const int T = static_cast<int>(positions.size()), d = static_cast<int>(x.size());
  Reals rows;
  for (int t = 0; t < T; ++t)
    for (const double value : x) rows.push_back(static_cast<Real>(value));
  Tape tape;
  Tensor q = tape.constant({1, 1, T, d}, rows.data()), k = q;
  scheme(spec, {d, 1, false})->query_and_key(q, k, {q, q, k, {1, T, positions.data()}, 0});
  CHECK(std::equal(q.value(), q.value() + q.count(), k.value()));
  return {q.value(), q.value() + q.count()};
}

}  // namespace

TEST_CASE("index: the code is the position, from 0") {
  const Json golden = golden_scheme("index_encodings");
  const auto index = scheme("index", {4, 1, false});
  std::vector<double> codes;
  for (int position = 0; position < 5; ++position) codes.push_back(index->code(position, 5, nullptr).at(0));
  CHECK(codes == numbers(golden, "raw_index_0based_L5"));
}

TEST_CASE("fraction: from 0 at the first position to 1 at the last, and 0 when there is but one") {
  const Json golden = golden_scheme("index_encodings");
  const auto fraction = scheme("fraction", {4, 1, false});
  std::vector<double> codes;
  for (int position = 0; position < 5; ++position)
    codes.push_back(fraction->code(position, 5, nullptr).at(0));
  CHECK(codes == numbers(golden, "fraction_i/(L-1)_L5"));
  CHECK(codes != numbers(golden, "fraction_(i+1)/L_L5"));
  CHECK(fraction->code(0, 1, nullptr) == numbers(golden, "fraction_L1_must_not_divide_by_zero"));
}

TEST_CASE("binary: as many bits as the capacity needs, least significant first") {
  const Json golden = golden_scheme("index_encodings");
  const auto binary = scheme("binary:capacity=16", {4, 1, false});
  std::vector<double> codes;
  for (int position = 0; position < 6; ++position)
    for (const double bit : binary->code(position, 6, nullptr)) codes.push_back(bit);
  CHECK(codes == numbers(golden, "binary_4bit_lsb_first_i=0..5"));
  for (const auto& [capacity, bits] : {std::pair{2, 1}, {3, 2}, {4, 2}, {5, 3}, {512, 9}, {513, 10}})
    CHECK(scheme(str("binary:capacity=", capacity), {4, 1, false})->code(1, 1, nullptr).size() ==
          static_cast<std::size_t>(bits));
}

TEST_CASE("onehot: 1 at the position, 0 elsewhere") {
  const Json golden = golden_scheme("index_encodings");
  CHECK(scheme("onehot:capacity=5", {4, 1, false})->code(2, 5, nullptr) == numbers(golden, "one_hot_i2_L5"));
}

TEST_CASE("sinusoidal: sine and cosine in turn, both of one frequency, from fast to slow") {
  const Json golden = golden_scheme("sinusoid");
  std::vector<double> codes;
  for (int position = 0; position < 3; ++position)
    for (const double value : sinusoid(4, position)) codes.push_back(value);
  CHECK(difference(codes, numbers(golden, "d4_rows0to2_interleaved"), digits12) == "");
  CHECK(difference(sinusoid(6, 3), numbers(golden, "d6_row3_interleaved"), digits12) == "");
}

TEST_CASE("sinusoidal: cosine distances at width 1024 are those an article prints") {
  const Json golden = read_golden("sinusoid.json");
  for (const Json& row : golden.array("cosine_distance_D1024_[a,b,distance]", "golden")) {
    const std::vector<double> pair = numbers(row);
    CAPTURE(pair[0]);
    CAPTURE(pair[1]);
    CHECK(std::abs(cosine_distance(sinusoid(1024, pair[0]), sinusoid(1024, pair[1])) - pair[2]) < 1e-9);
  }
}

TEST_CASE("sinusoidal: at width 128 another article prints codes that the formula does not give") {
  const Json golden = read_golden("sinusoid.json");
  for (const Json& row : golden.array("codes_D128", "golden")) {
    const double position = row.number("position", "golden");
    CAPTURE(position);
    const std::vector<double> printed = numbers(row, "the_article_prints");
    const std::vector<double> all = sinusoid(128, position);
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(row.integer("first_channel", "golden"));
    const std::vector<double> codes(first, first + static_cast<std::ptrdiff_t>(printed.size()));
    CHECK(difference(codes, numbers(row, "values"), digits12) == "");
    CHECK(difference(codes, printed, 0.005) != "");
  }
}

TEST_CASE("alibi: slopes for every number of heads, powers of two or not") {
  const Json golden = golden_scheme("alibi").member("slopes", "golden");
  for (const auto& entry : golden.as_object("golden", "slopes")) {
    CAPTURE(entry.first);
    const int heads = std::stoi(entry.first);
    const auto alibi = scheme("alibi", {heads, heads, true});
    std::vector<double> slopes;
    for (int head = 0; head < heads; ++head) slopes.push_back(-alibi->bias(head, 1, 0).value());
    CHECK(difference(slopes, numbers(entry.second), digits12) == "");
  }
}

TEST_CASE("alibi: biases that are causal, symmetric, and half a place nearer on the left") {
  const Json golden = golden_scheme("alibi");
  auto expected = [&](const char* name) { return numbers(golden, name); };
  const double one_head = 1.0 / 256;  // the slope of a single head
  CHECK(bias_matrix("alibi:direction=causal", 4, 1) == expected("bias_slope_0.25_causal_L5_lower_triangle"));
  CHECK(bias_matrix("alibi:direction=symmetric", 1, one_head) ==
        expected("bias_bidirectional_symmetric_L5_slope1"));
  CHECK(bias_matrix("alibi:direction=asymmetric", 1, one_head) ==
        expected("bias_bidirectional_deepmind_L5_slope1"));
}

TEST_CASE("t5: the bucket of every listed distance, in both directions") {
  const Json golden = golden_scheme("t5_bucket");
  auto expected = [&](const char* name) { return integers(golden, name); };
  const std::vector<int> relatives = expected("rel");
  CHECK(buckets("t5:direction=bidirectional", relatives) == expected("bidirectional_32_128"));
  CHECK(buckets("t5:direction=causal", relatives) == expected("unidirectional_32_128"));
  CHECK(buckets("t5:buckets=8,max_distance=16,direction=bidirectional", range(-20, 20)) ==
        expected("tiny_bidirectional_nb8_md16_rel_-20..20"));
  CHECK(buckets("t5:buckets=8,max_distance=16,direction=causal", range(0, -20, -1)) ==
        expected("tiny_unidirectional_nb8_md16_dist_0..20"));
}

TEST_CASE("t5: every bucket begins at the distance it should, powers of two included") {
  const Json golden = golden_scheme("t5_bucket");
  CHECK(edges("t5:direction=bidirectional") ==
        integers(golden, "bidirectional_edges_past_[first_distance,bucket]"));
  CHECK(edges("t5:direction=causal") == integers(golden, "unidirectional_edges_[first_distance,bucket]"));
}

TEST_CASE(
    "t5: keys after the query fill the upper half of the buckets but for its first, which no distance "
    "reaches") {
  const std::vector<int> all = buckets("t5:direction=bidirectional", range(1, 1000));
  const std::vector<int> expected = range(17, 31);
  CHECK(std::set<int>(all.begin(), all.end()) == std::set<int>(expected.begin(), expected.end()));
}

TEST_CASE("rope: a vector turned at positions 0 to 3, in both layouts and in both senses") {
  const Json golden = golden_scheme("rope");
  auto expected = [&](const char* name) { return numbers(golden, name); };
  const std::vector<double> x = expected("x"), forward = {0, 1, 2, 3}, backward = {0, -1, -2, -3};
  CHECK(difference(turned("rope", x, forward), expected("interleaved_pos0..3"), rotated) == "");
  CHECK(difference(turned("rope:layout=half", x, forward), expected("half_pos0..3"), rotated) == "");
  CHECK(difference(turned("rope:layout=half", x, backward), expected("half_negative_angle_pos0..3(nanochat)"),
                   rotated) == "");
}

TEST_CASE("rope: the dot product of query and key depends on the distance between them only") {
  const Json golden = golden_scheme("rope");
  const std::vector<double> q = numbers(golden, "q"), k = numbers(golden, "k");
  auto check = [&](std::string_view spec, double m, double n, const char* name) {
    CAPTURE(m);
    CAPTURE(n);
    const double expected = numbers(golden, name).at(0);
    CHECK(difference({dot(turned(spec, q, {m}), turned(spec, k, {n}))}, {expected}, rotated) == "");
  };
  for (const double shift : {0, 1, 2, 1000}) {
    check("rope:layout=half", 2 + shift, shift, "dot_half_(m,n)=(3,1),(5,3),(2,0)");
    check("rope:layout=half", shift, 2 + shift, "dot_half_positive_angle_(1,3)");
    check("rope", 2 + shift, shift, "dot_inter_(m,n)=(3,1)");
  }
}

TEST_CASE("rope: the angular speeds of its pairs") {
  const Json golden = golden_scheme("rope");
  const std::vector<double> d8 = scheme("rope", {8, 1, false})->frequencies(32).inverse_frequency;
  CHECK(difference(d8, numbers(golden, "inv_freq_d8"), digits12) == "");
  const std::vector<double> d64 = scheme("rope", {64, 1, false})->frequencies(32).inverse_frequency;
  REQUIRE(d64.size() == 32);
  CHECK(difference({d64[0], d64[1], d64[2], d64[3], d64[31]}, numbers(golden, "inv_freq_d64_first4_last"),
                   digits12) == "");
}

}  // namespace golden_test
