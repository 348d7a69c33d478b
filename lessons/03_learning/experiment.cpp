// Chapter 3: models without positions against their ceiling.
//
// `make lesson-03 TASK=previous` (or another task, LENGTH=24 or another length) trains with optimizers that are wrong.
#include "lessons/tools/experiment.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <numbers>

#include "autograd/ops.h"
#include "base/error.h"
#include "base/random.h"
#include "draw/charts.h"
#include "io/format.h"
#include "io/terminal.h"
#include "lessons/03_learning/adamw.h"
#include "lessons/03_learning/pictures.h"
#include "tasks/support/registry.h"

namespace locus {

namespace {

constexpr std::size_t seeds = 3;

struct Study {
  std::vector<Sample> loss;  // every 50 steps: the mean of the 50 steps before
  int solved_at = 0;         // the first of these steps with 99 % right; 0: none
  double at_end = 0;         // of 1000 test examples, or all there are
  double ceiling = 0;
};

RunSettings settings_of(const std::string& task, const std::string& scheme, int length, int steps,
                        std::uint64_t seed) {
  RunSettings settings;
  settings.task = task;
  settings.model.scheme = scheme;
  settings.train.seed = seed;
  settings.train.steps = steps;
  settings.train.lengths = {length, length};
  settings.test_lengths = {length};
  return complete(settings);
}

// A training with this rule for optimizer, and with the gradient of the mean loss or of the sum: from
// beginning to end, even when the task is solved. The loss and its gradient are the learner's.
Study train_with(const Rule& rule, bool of_sum, const RunSettings& settings) {
  const Run run(settings);
  const TrainSettings& train = settings.train;
  const int length = train.lengths.high;
  Reals parameters = run.model().parameters().sample(train.seed), gradient(parameters.size());
  std::vector<double> mean(parameters.size()), square(parameters.size());
  Tape tape(parameters.data());
  Pool one(1);
  const auto draw = [&](Purpose purpose, int step, int count) {
    Random random(train.seed, purpose, static_cast<std::uint64_t>(step));
    std::vector<Example> examples;
    for (int i = 0; i < count; ++i) examples.push_back(run.task().sample(random, length, Split::train));
    return examples;
  };
  Study study;
  double losses = 0;
  for (int step = 0; step < train.steps;) {
    const Batch batch = run.batcher().batch(draw(Purpose::training_data, step, train.batch));
    std::ranges::fill(gradient, Real{0});
    tape.reset(gradient.data());
    const Tensor logits = run.model().logits(tape, {batch.tokens, length, count_up(tape, length)});
    const Tensor loss = cross_entropy(logits, batch.targets, static_cast<Real>(batch.targets.size()));
    tape.backward(of_sum ? loss * static_cast<double>(batch.targets.size()) : loss);
    losses += *loss.value();
    double squares = 0;
    for (const Real g : gradient) squares += double{g} * double{g};
    const double clip = train.optimizer.clip / std::max(std::sqrt(squares), train.optimizer.clip);
    if (clip < 1)
      for (Real& g : gradient) g *= static_cast<Real>(clip);
    Element all{};
    all.rate = learning_rate_at(train.optimizer, step++, train.steps);
    all.beta1 = train.optimizer.beta1, all.beta2 = train.optimizer.beta2;
    all.epsilon = train.optimizer.epsilon, all.decay = train.optimizer.weight_decay, all.t = step;
    update(rule, all, gradient, parameters, mean, square);
    if (step % validate_every > 0) continue;
    const Score validation = evaluate(run.model(), parameters.data(), run.batcher(),
                                      draw(Purpose::validation_data, step, validation_examples),
                                      {train.seed, Purpose::validation_positions, step}, one);
    study.loss.push_back({static_cast<double>(step), std::exchange(losses, 0) / validate_every});
    if (study.solved_at == 0 && validation.token_accuracy >= solved_accuracy) study.solved_at = step;
  }
  study.at_end = evaluate(run.model(), parameters.data(), run.batcher(), run.task().test_set(length, 1000),
                          {train.seed, Purpose::test_positions, length}, one)
                     .token_accuracy;
  study.ceiling = run.task().order_blind_ceiling(length)->value;
  return study;
}

struct Plan {
  std::string name;
  const Rule* rule;
  bool of_sum;
  std::string task, scheme;
  int length, steps;
};

// Each plan with three seeds, as many at once as there are threads.
std::vector<std::vector<Study>> train_all(const std::vector<Plan>& plans) {
  std::vector<std::vector<Study>> studies(plans.size(), std::vector<Study>(seeds));
  Pool pool(hardware_threads());
  pool.run(static_cast<int>(plans.size() * seeds), [&](int job) {
    const std::size_t plan = static_cast<std::size_t>(job) / seeds,
                      seed = static_cast<std::size_t>(job) % seeds;
    const Plan& p = plans[plan];
    studies[plan][seed] =
        train_with(*p.rule, p.of_sum, settings_of(p.task, p.scheme, p.length, p.steps, seed + 1));
  });
  return studies;
}

// The mean over the seeds.
Series mean_loss(const std::string& name, const std::vector<Study>& studies) {
  Series series{.name = name, .samples = studies[0].loss};
  for (std::size_t i = 0; i < series.samples.size(); ++i) {
    series.samples[i].y = 0;
    for (const Study& study : studies) series.samples[i].y += study.loss[i].y / seeds;
  }
  return series;
}

double mean(const std::vector<Study>& studies, const std::function<double(const Study&)>& of) {
  double sum = 0;
  for (const Study& study : studies) sum += of(study) / static_cast<double>(studies.size());
  return sum;
}

std::string of_seeds(const std::vector<Study>& studies, const std::function<std::string(const Study&)>& of) {
  std::vector<std::string> words;
  for (const Study& study : studies) words.push_back(of(study));
  return join(words, " ");
}

const Rule right{};
const auto end_of = [](const Study& study) { return study.at_end; };

// Models without positions, and how far their ceilings are.
void without_positions() {
  const auto plan = [](const char* task, int length, const char* scheme = "none") {
    return Plan{task, &right, false, task, scheme, length, 300};
  };
  const std::vector<Plan> plans = {plan("before", 12),   plan("before", 24),
                                   plan("parity", 12),   plan("parity", 16),
                                   plan("majority", 12), plan("before", 12, "sinusoidal")};
  const auto studies = train_all(plans);
  const auto end_loss = [](const Study& study) { return study.loss.back().y; };
  TextTable table({{"without positions"},
                   {"tokens", Align::right},
                   {"loss at the end"},
                   {"right at the end"},
                   {"ceiling", Align::right}});
  for (std::size_t i = 0; i < 5; ++i)
    table.add_row({plans[i].task, str(plans[i].length),
                   of_seeds(studies[i], [&](const Study& s) { return fixed(end_loss(s), 3); }),
                   of_seeds(studies[i], [](const Study& s) { return fixed(s.at_end, 2); }),
                   fixed(studies[i][0].ceiling, 2)});
  const double parity = mean(studies[2], end_of);
  reply(
      parity,
      "(The mean of three seeds, 12 tokens.) The ceiling is 1: whether the number of b is even does not depend on their\n"
      "order. But that does not promise that training gets there: whoever knows eleven of the twelve tokens knows\n"
      "nothing about the answer, so small changes hardly change the loss.");
  std::cout << "\nThree seeds each, 300 training steps. ln 2 is " << fixed(std::numbers::ln2, 3) << ".\n\n"
            << table.to_text(false) << '\n';

  LineChart chart;
  chart.title = "Without positions both stop at ln 2, though parity could reach 0";
  chart.x_label = "training step";
  chart.y_label = "loss, 12 tokens, mean of three seeds";
  // The later ones are drawn above the earlier ones, and are thinner: all can be seen.
  const auto styled = [](Series series, std::size_t index, double width) {
    series.style = series_style(index);
    series.style->width = width;
    return series;
  };
  SeriesStyle broadest = ceiling_style();
  broadest.width = 12;
  chart.series = {
      {.name = "ln 2", .samples = {{50, std::numbers::ln2}, {300, std::numbers::ln2}}, .style = broadest},
      styled(mean_loss("before, no positions", studies[0]), 0, 6),
      styled(mean_loss("parity, no positions", studies[2]), 1, 2),
      styled(mean_loss("before, sinusoids", studies[5]), 2, 2)};
  chart.series[1].style->marked = false;
  save_figure("trained_loss", line_chart(chart));
  expect("the loss of `before` without positions", mean(studies[0], end_loss), std::numbers::ln2, 0.02,
         "Is the gradient of step 3.1 divided as the loss is?");
  expect("`majority` without positions", mean(studies[4], end_of), 1, 0.1,
         "Does the gradient reach every row?");
}

// The same training with one right and seven wrong optimizers.
void wrong_optimizers(const std::string& task, int length) {
  const auto plan = [&](const char* name, const Rule& rule, bool of_sum = false) {
    return Plan{name, &rule, of_sum, task, "sinusoidal", length, 400};
  };
  const std::vector<Plan> plans = {plan("nothing", right),
                                   plan("the decay is not multiplied by the rate", decay_alone),
                                   plan("the decay is added to the gradient", decay_in_gradient),
                                   plan("no root: m is divided by v", no_root),
                                   plan("m and v are not corrected", no_correction),
                                   plan("the corrections are a step ahead", one_step_late),
                                   plan("epsilon is inside of the root", epsilon_inside),
                                   plan("the loss is not divided", right, true)};
  const auto studies = train_all(plans);
  TextTable table({{"what is wrong with the optimizer"}, {"99 % at step"}, {"right at the end"}});
  for (std::size_t i = 0; i < plans.size(); ++i)
    table.add_row(
        {plans[i].name,
         of_seeds(studies[i], [](const Study& s) { return s.solved_at > 0 ? str(s.solved_at) : "never"; }),
         of_seeds(studies[i], [](const Study& s) { return fixed(s.at_end, 2); })});
  std::cout << "`" << task << "` with sinusoids, " << length << " tokens, three seeds, 400 training steps\n\n"
            << table.to_text(false);
}

}  // namespace

void experiment() {
  const char *task = std::getenv("TASK"), *length = std::getenv("LENGTH");
  if (task || length) {
    wrong_optimizers(task ? task : "previous", length ? std::atoi(length) : 12);
    return;
  }
  without_positions();
  save_figure("slopes", picture_of_slopes());
  save_figure("means", picture_of_means());
  save_figure("orders", picture_of_orders());
}

}  // namespace locus
