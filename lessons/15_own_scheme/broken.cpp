#include "lessons/15_own_scheme/broken.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <memory>
#include <sstream>

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include "autograd/ops.h"
#include "base/error.h"
#include "positional/support/registry.h"
#include "tests/positional/refute.h"

namespace locus {

namespace {

// How a scheme is broken: the position that it is told for p, and a factor for all that it adds.
struct Fault {
  std::string what;
  std::function<double(double)> position = [](double p) { return p; };
  double factor = 1;
};

const std::vector<Fault> faults = {
    {"it counts positions from 1", [](double p) { return p + 1; }},
    {"it gets every position doubled", [](double p) { return 2 * p; }},
    {"its positions are 5 % too small", [](double p) { return 0.95 * p; }},
    {"it counts backwards", [](double p) { return -p; }},
    {"positions 3 and 4 are exchanged", [](double p) { return p == 3   ? 4
                                                              : p == 4 ? 3
                                                                       : p; }},
    {"from position 9 on, all positions are 9", [](double p) { return std::min(p, 9.0); }},
    {"all positions are 0", [](double) { return 0; }},
    {"its numbers are 10 % too large", [](double p) { return p; }, 1.1},
    {"its numbers have the other sign", [](double p) { return p; }, -1},
};

// A scheme with a fault.
class Broken : public Scheme {
 public:
  Broken(std::unique_ptr<Scheme> right, const Fault& fault) : right_(std::move(right)), fault_(fault) {}

  Positions positions(Tape& tape, const Inputs& inputs) const override {
    return right_->positions(tape, inputs);
  }
  Tensor embedding(Tensor x, const Inputs& inputs) const override {
    Inputs wrong = inputs;
    wrong.positions = moved(inputs.positions);
    return enlarged(x, right_->embedding(x, wrong));
  }
  void query_and_key(Tensor& q, Tensor& k, const AttentionInputs& inputs) const override {
    const Tensor q_before = q, k_before = k;
    with_moved(inputs, [&](const AttentionInputs& wrong) { right_->query_and_key(q, k, wrong); });
    if (q.shape() == q_before.shape()) q = enlarged(q_before, q);
    if (k.shape() == k_before.shape()) k = enlarged(k_before, k);
  }
  Tensor scores(Tensor scores, const AttentionInputs& inputs) const override {
    Tensor after = scores;
    with_moved(inputs, [&](const AttentionInputs& wrong) { after = right_->scores(scores, wrong); });
    return enlarged(scores, after);
  }
  std::optional<Tensor> weights(Tensor scores, Mask mask) const override {
    return right_->weights(scores, mask);
  }
  bool replaces_softmax() const override { return right_->replaces_softmax(); }
  Tensor mixed(Tensor mixed, Tensor weights, const AttentionInputs& inputs) const override {
    Tensor after = mixed;
    with_moved(inputs, [&](const AttentionInputs& wrong) { after = right_->mixed(mixed, weights, wrong); });
    return enlarged(mixed, after);
  }
  Claims claims() const override { return right_->claims(); }
  int capacity() const override { return right_->capacity(); }

  std::vector<double> code(double position, int length, const Real* parameters) const override {
    std::vector<double> code = right_->code(fault_.position(position), length, parameters);
    for (double& number : code) number *= fault_.factor;
    return code;
  }
  Frequencies frequencies(int length) const override {
    Frequencies all = right_->frequencies(length);
    for (double& one : all.inverse_frequency) one *= fault_.position(1) - fault_.position(0);
    all.scale *= fault_.factor;
    return all;
  }
  std::optional<double> bias(int head, double query, double key) const override {
    const auto bias = right_->bias(head, fault_.position(query), fault_.position(key));
    return bias ? std::optional(*bias * fault_.factor) : bias;
  }
  std::optional<int> bucket(int relative) const override {
    return right_->bucket(static_cast<int>(fault_.position(relative)));
  }

 private:
  Positions moved(const Positions& right) const {
    std::vector<double>& wrong = moved_.emplace_back();
    for (const double p : right.all()) wrong.push_back(fault_.position(p));
    return {right.rows, right.length, wrong.data()};
  }
  void with_moved(const AttentionInputs& inputs, const auto& then) const {
    const Positions wrong = moved(inputs.positions);
    then(AttentionInputs{inputs.x, inputs.q, inputs.k, wrong, inputs.layer});
  }
  Tensor enlarged(Tensor before, Tensor after) const {
    if (fault_.factor == 1) return after;
    return before + static_cast<Real>(fault_.factor) * (after - before);
  }

  std::unique_ptr<Scheme> right_;
  const Fault& fault_;
  mutable std::deque<std::vector<double>> moved_;  // positions last as long as the scheme
};

// What the registry calls to make the scheme, and what it called before.
const Fault* fault = nullptr;
std::unique_ptr<Scheme> (*make_right)(const Options&, const SchemeContext&, ParameterTable&) = nullptr;
std::unique_ptr<Scheme> make_broken(const Options& options, const SchemeContext& context,
                                    ParameterTable& table) {
  return std::make_unique<Broken>(make_right(options, context, table), *fault);
}

// The registry's own list is not const: it grows while schemes register.
void break_scheme(const std::string& name, const Fault& with) {
  fault = &with;
  auto& info = const_cast<SchemeInfo&>(find_scheme(name));
  make_right = info.make;
  info.make = make_broken;
}

// What a scheme computes, as numbers: equal for two schemes that no test can tell apart.
std::vector<double> seen_from_outside(const std::string& name) {
  const ModelKind kind = find_scheme(name).causal_only ? ModelKind::decoder : ModelKind::encoder;
  std::vector<double> all;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Subject subject(name, kind, seed);
    for (const int p : {0, 1, 2, 3, 4, 7, 12})
      for (const double number : subject.scheme().code(p, 16, subject.parameters().data()))
        all.push_back(number);
    for (const int p : {0, 3, 4, 12})
      for (const int q : {0, 3, 5, 12})
        if (const auto bias = subject.scheme().bias(0, p, q)) all.push_back(*bias);
    std::vector<int> tokens;
    for (int t = 0; t < 14; ++t) tokens.push_back(t * t % vocabulary);
    Tape tape(subject.parameters().data());
    const Places places = count_from(0, 14);
    const Tensor logits = subject.model().logits(tape, {tokens, 14, {1, 14, places.data()}});
    for (std::size_t i = 0; i < logits.count(); ++i) all.push_back(static_cast<double>(logits.value()[i]));
  }
  return all;
}

struct Ran {
  int status;  // 0: all pass
  std::string said;
};

// Runs `job` in a process of its own, which may crash or never end; its status is what `job` returns.
Ran in_a_process(const std::function<int(std::ostream&)>& job) {
  int ends[2];
  if (::pipe(ends) != 0) fail("judge", "no pipe could be made");
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    ::alarm(20);
    std::ostringstream out;
    int status = 1;
    try {
      status = job(out);
    } catch (const std::exception& error) {
      out << error.what();
    }
    const std::string said = out.str().substr(0, 60000);  // a pipe holds so much
    if (::write(ends[1], said.data(), said.size()) < 0) status = 1;
    ::_exit(status);
  }
  ::close(ends[1]);
  Ran ran{1, ""};
  char bytes[4096];
  for (ssize_t count; (count = ::read(ends[0], bytes, sizeof bytes)) > 0;)
    ran.said.append(bytes, static_cast<std::size_t>(count));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFEXITED(status))
    ran.status = WEXITSTATUS(status);
  else
    ran.said += WTERMSIG(status) == SIGALRM ? "the tests did not end within 20 seconds" : "the tests crashed";
  return ran;
}

int run_tests(const std::string& file, std::ostream& out) {
  doctest::Context context;
  context.addFilter("source-file", ("*" + file).c_str());
  context.setOption("no-colors", true);
  context.setOption("no-intro", true);
  context.setCout(&out);
  return context.run();
}

}  // namespace

TestVerdict judge_tests(const std::string& scheme, const std::string& file) {
  TestVerdict verdict;
  const Ran right = in_a_process([&](std::ostream& out) { return run_tests(file, out); });
  const auto count = right.said.find("test cases:");
  if (count != right.said.npos) verdict.cases = std::atoi(right.said.c_str() + count + 11);
  verdict.passes = right.status == 0;
  if (!verdict.passes) verdict.failure = right.said;
  if (verdict.cases == 0 || !verdict.passes) return verdict;

  const std::vector<double> seen = seen_from_outside(scheme);
  for (const Fault& one : faults) {
    const Ran same = in_a_process([&](std::ostream&) {
      break_scheme(scheme, one);
      const std::vector<double> now = seen_from_outside(scheme);
      const auto near = [](double a, double b) { return std::abs(a - b) <= 1e-4 * (1 + std::abs(a)); };
      return std::ranges::equal(seen, now, near) ? 7 : 0;
    });
    if (same.status == 7) continue;
    const Ran broken = in_a_process([&](std::ostream& out) {
      break_scheme(scheme, one);
      return run_tests(file, out);
    });
    (broken.status == 0 ? verdict.missed : verdict.noticed).push_back(one.what);
  }
  return verdict;
}

}  // namespace locus
