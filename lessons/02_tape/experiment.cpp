// Chapter 2: differences by hand, the tape of a small expression, and a transformer trained with wrong gradients.
#include "lessons/tools/experiment.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iostream>
#include <memory>
#include <numeric>

#include "autograd/ops.h"
#include "base/error.h"
#include "base/machine.h"
#include "base/random.h"
#include "draw/plot.h"
#include "io/format.h"
#include "io/terminal.h"
#include "lessons/02_tape/contract.h"
#include "model/model.h"
#include "nn/layers.h"
#include "positional/support/spec.h"

namespace locus {

namespace {

// --- one number ---

// --- the tape of an expression ---

const Op op_watch{"watch"};

// The same tensor, as the result of an op of its own, which keeps the gradient that comes by.
Tensor watch(Tensor x, double& gradient) {
  Tensor y = x.tape().result(x.shape(), {x});
  *y.value() = *x.value();
  x.tape().record(op_watch, y, [=, &gradient] {
    gradient = static_cast<double>(*y.gradient());
    *x.gradient() += *y.gradient();
  });
  return y;
}

struct Box {
  std::string name;
  double value, gradient;
  Point center;
};
constexpr double box_width = 132, box_height = 58;

void draw(Drawing& drawing, const Box& box) {
  const Point corner{box.center.x - box_width / 2, box.center.y - box_height / 2};
  drawing.rectangle(corner, box_width, box_height, grid_ink);
  drawing.text({box.center.x, box.center.y - 11}, box.name, {Anchor::middle, dark_ink, 13, true});
  drawing.text({box.center.x, box.center.y + 6}, "value " + short_number(box.value),
               {Anchor::middle, dark_ink, 12});
  drawing.text({box.center.x, box.center.y + 22}, "gradient " + short_number(box.gradient),
               {Anchor::middle, above_ink, 12, true});
}

// An arrow from the right side of a box to the left side of another, with the contribution that backward passes along it.
void join(Drawing& drawing, const Box& from, const Box& to, double contribution, double up) {
  const Point a{from.center.x + box_width / 2, from.center.y},
      b{to.center.x - box_width / 2, to.center.y + up};
  drawing.line(a, b, {axis_ink, 1.6, "", 1});
  const double angle = std::atan2(b.y - a.y, b.x - a.x);
  const auto wing = [&](double turn) {
    return Point{b.x - 9 * std::cos(angle + turn), b.y - 9 * std::sin(angle + turn)};
  };
  drawing.polygon({b, wing(0.4), wing(-0.4)}, axis_ink, 1);
  const bool steep = std::abs(b.y - a.y) > b.x - a.x;
  drawing.text({(a.x + b.x) / 2 + (steep ? 26 : 0), (a.y + b.y) / 2 + (b.y <= a.y ? -8 : 18)},
               short_number(contribution), {Anchor::middle, above_ink, 12});
}

// c = a b, d = c + a, loss = d d, on the learner's tape: a is used twice, and so is d.
void draw_tape() {
  const Reals parameters = {3, -2};
  Reals gradients(2);
  Tape tape(parameters.data(), gradients.data());
  double c_gradient = 0, d_gradient = 0, loss_gradient = 0;
  const Tensor a = tape.parameter({{}, 0}), b = tape.parameter({{}, 1});
  // The contribution along each edge.
  double a_to_c = 0, b_to_c = 0, a_to_d = 0, c_to_d = 0, first_d = 0, second_d = 0;
  const Tensor c = watch(watch(a, a_to_c) * watch(b, b_to_c), c_gradient);
  const Tensor d = watch(watch(c, c_to_d) + watch(a, a_to_d), d_gradient);
  const Tensor loss = watch(watch(d, first_d) * watch(d, second_d), loss_gradient);
  tape.backward(loss);
  const Box box_a{"a", *a.value(), gradients[0], {82, 92}}, box_b{"b", *b.value(), gradients[1], {82, 212}},
      box_c{"1.  c = a b", *c.value(), c_gradient, {276, 212}},
      box_d{"2.  d = c + a", *d.value(), d_gradient, {470, 152}},
      box_loss{"3.  loss = d d", *loss.value(), loss_gradient, {664, 152}};
  Drawing drawing;
  const std::string title = "A tensor that is used twice gets two contributions, and they add up";
  drawing.heading(title, title_size, padding, 12, 740);
  join(drawing, box_a, box_c, a_to_c, -14);
  join(drawing, box_b, box_c, b_to_c, 8);
  join(drawing, box_a, box_d, a_to_d, -14);
  join(drawing, box_c, box_d, c_to_d, 14);
  join(drawing, box_d, box_loss, first_d, -10);
  join(drawing, box_d, box_loss, second_d, 12);
  for (const Box& box : {box_a, box_b, box_c, box_d, box_loss}) draw(drawing, box);
  drawing.text({box_d.center.x - box_width / 2, box_b.center.y + 24}, "blue: computed from right to left",
               {Anchor::start, above_ink, 12});
  save_figure("tape", {title, 748, 262, drawing.take()});
}

// --- a matrix product ---

// One element of a, the row of c that it enters and the row of b with its slopes; its gradient by the learner's backward.
void draw_matmul() {
  constexpr int i = 0, k = 1;
  const Reals parameters = {2, 1, 0, 3, 1, 0, 2, 1, 1, 2, 0, 0, 1, 3, 4, 0, 1, 1, 1, 2};
  Reals gradients(parameters.size());
  Tape tape(parameters.data(), gradients.data());
  const Tensor a = tape.parameter({{2, 4}, 0}), b = tape.parameter({{4, 3}, 8}), c = matmul(a, b);
  const Reals dc = {1, -1, 2, 0, 1, 1};
  tape.backward(c, dc.data());

  constexpr double cell = 34, height = 28, top = 84, x_a = 20, x_b = 196, x_c = 338, x_dc = 460, width = 600;
  Drawing drawing;
  const std::string title = "An element of a enters a whole row of c, so its gradient is a sum over this row";
  drawing.heading(title, title_size, padding, 12, width - 2 * padding);
  const auto matrix = [&](double x, const std::string& name, const Real* values, int rows, int columns,
                          auto marked) {
    drawing.text({x, top - 10}, name, {Anchor::start, dark_ink, 13, true});
    for (int r = 0; r < rows; ++r)
      for (int column = 0; column < columns; ++column) {
        const Point corner{x + cell * column, top + height * r};
        drawing.rectangle({corner.x + 1, corner.y + 1}, cell - 2, height - 2, grid_ink);
        if (marked(r, column))
          drawing.polyline({{corner.x + 2, corner.y + 2},
                            {corner.x + cell - 2, corner.y + 2},
                            {corner.x + cell - 2, corner.y + height - 2},
                            {corner.x + 2, corner.y + height - 2},
                            {corner.x + 2, corner.y + 2}},
                           {series_colour(1), 2, "", 1});
        drawing.text({corner.x + cell / 2, corner.y + 19},
                     short_number(static_cast<double>(values[r * columns + column])),
                     {Anchor::middle, dark_ink, 13, marked(r, column)});
      }
  };
  matrix(x_a, "a", a.value(), 2, 4, [](int r, int column) { return r == i && column == k; });
  matrix(x_b, "b", b.value(), 4, 3, [](int r, int) { return r == k; });
  matrix(x_c, "c = a b", c.value(), 2, 3, [](int r, int) { return r == i; });
  matrix(x_dc, "dc", dc.data(), 2, 3, [](int r, int) { return r == i; });
  std::string sum;
  for (int j = 0; j < 3; ++j) {
    const Real slope_of_loss = dc[static_cast<std::size_t>(j)];
    const std::string number = short_number(static_cast<double>(slope_of_loss));
    sum += str(j == 0 ? "" : " + ", slope_of_loss < 0 ? "(" + number + ")" : number, "·",
               short_number(static_cast<double>(b.value()[k * 3 + j])));
  }
  drawing.text({x_c, top + 4 * height - 28},
               "gradient of the marked element:", {Anchor::start, above_ink, 13, true});
  drawing.text({x_c, top + 4 * height - 8},
               str(sum, " = ", short_number(static_cast<double>(gradients[i * 4 + k]))),
               {Anchor::start, above_ink, 13, true});
  save_figure("matmul", {title, width, top + 4 * height + 14, drawing.take()});
}

// --- wrong gradients ---

// In the order of the table.
enum class Wrong {
  nothing,
  hundredfold,
  gelu,
  skip,
  feedback,
  keys_and_values,
  moments,
  queries,
  mean,
  zero
};
struct Named {
  Wrong wrong;
  std::string name;
};
const std::vector<Named> all_wrong = {{Wrong::nothing, "right"},
                                      {Wrong::hundredfold, "100 times too large"},
                                      {Wrong::gelu, "slope of GELU set to 1"},
                                      {Wrong::skip, "none through the skip path"},
                                      {Wrong::feedback, "random matrix in backward"},
                                      {Wrong::keys_and_values, "one use of three counted"},
                                      {Wrong::moments, "mean, variance as constants"},
                                      {Wrong::queries, "none for the queries"},
                                      {Wrong::mean, "no sum in softmax backward"},
                                      {Wrong::zero, "none at all"}};

// The same values, on which nothing depends: no gradient passes.
Tensor stopped(Tensor x) { return x.tape().constant(x.shape(), x.value()); }
// The value of y, with the gradient of x.
Tensor with_gradient_of(Tensor x, Tensor y) { return x + stopped(y - x); }

// The transformer of src/model (an encoder), with one thing about its gradients wrong. Its values are right.
class WrongTransformer : public Model {
 public:
  WrongTransformer(const ModelSettings& settings, const TaskShape& task, Wrong wrong)
      : Model(settings, task), wrong_(wrong) {
    const int D = settings.d_model;
    embedding_ = std::make_unique<Embedding>(parameters_, "embedding", task.vocabulary, D);
    for (int layer = 0; layer < settings.layers; ++layer) {
      const std::string name = str("layer", layer, '.');
      blocks_.push_back({norm(name + "attention_norm"), matrix(name + "attention.query", D, D),
                         matrix(name + "attention.key", D, D), matrix(name + "attention.value", D, D),
                         matrix(name + "attention.output", D, D), norm(name + "feed_forward_norm"),
                         matrix(name + "feed_forward.up", D, settings.d_ff),
                         matrix(name + "feed_forward.down", settings.d_ff, D)});
    }
    last_norm_ = norm("norm");
    head_ = matrix("head", D, task.vocabulary);
    scheme_ = make_scheme("sinusoidal", {D, settings.heads, false}, parameters_);
    random_ = parameters_.sample(1000);
  }

  Tensor logits(Tape& tape, const Inputs& inputs) const override {
    Tensor x = scheme_->embedding((*embedding_)(tape, inputs.tokens, inputs.length), inputs);
    for (const Block& block : blocks_) {
      x = skip(x) + attention(block, normalised(x, block.attention_norm));
      x = skip(x) + product(bent(product(normalised(x, block.feed_forward_norm), block.up)), block.down);
    }
    x = normalised(x, last_norm_);
    const Tensor y = product(task_.pooled ? mean_over_time(x) : x, head_);
    if (wrong_ == Wrong::hundredfold) return with_gradient_of(y * 100, y);
    if (wrong_ == Wrong::zero) return with_gradient_of(y * 0, y);
    return y;
  }
  double activations_per_example(int length) const override { return 100.0 * length * settings_.d_model; }
  int capacity() const override { return no_limit; }

 private:
  struct Matrix {
    Parameter weight, bias;
    Shape shape;
  };
  struct Norm {
    Parameter gain, bias;
  };
  struct Block {
    Norm attention_norm;
    Matrix query, key, value, output;
    Norm feed_forward_norm;
    Matrix up, down;
  };
  Matrix matrix(const std::string& name, int inputs, int outputs) {
    const Initial initial = Initial::uniform(1 / std::sqrt(inputs));
    return {parameters_.add(name + ".weight", {inputs, outputs}, initial),
            parameters_.add(name + ".bias", {outputs}, initial),
            {inputs, outputs}};
  }
  Norm norm(const std::string& name) {
    return {parameters_.add(name + ".gain", {settings_.d_model}, Initial::constant(1)),
            parameters_.add(name + ".bias", {settings_.d_model}, Initial::constant(0))};
  }

  Tensor skip(Tensor x) const { return wrong_ == Wrong::skip ? stopped(x) : x; }
  Tensor bent(Tensor x) const { return wrong_ == Wrong::gelu ? with_gradient_of(x, gelu(x)) : gelu(x); }

  Tensor product(Tensor x, const Matrix& m) const {
    Tape& tape = x.tape();
    const Tensor W = tape.parameter(m.weight), bias = tape.parameter(m.bias);
    if (wrong_ != Wrong::feedback) return linear(x, W, bias);
    // x gets the gradient of a product with random numbers in place of W (Lillicrap et al. 2016).
    const Tensor other = matmul(x, tape.constant(m.shape, random_.data() + m.weight.offset));
    return linear(stopped(x), W, bias) + (other - stopped(other));
  }

  Tensor normalised(Tensor x, const Norm& n) const {
    Tape& tape = x.tape();
    const Tensor gain = tape.parameter(n.gain), bias = tape.parameter(n.bias);
    if (wrong_ != Wrong::moments) return layer_norm(x, gain, bias);
    Reals mean, scale;
    const int D = settings_.d_model;
    for (int row = 0; row < x.shape().rows(); ++row) {
      const Real* values = x.value() + std::ptrdiff_t{row} * D;
      double sum = 0, squares = 0;
      for (int c = 0; c < D; ++c) sum += static_cast<double>(values[c]);
      for (int c = 0; c < D; ++c) squares += std::pow(static_cast<double>(values[c]) - sum / D, 2);
      mean.push_back(static_cast<Real>(sum / D));
      scale.push_back(static_cast<Real>(1 / std::sqrt(squares / D + 1e-5)));
    }
    const Shape column = x.shape().with_last(1);
    return (x - tape.constant(column, mean.data())) * tape.constant(column, scale.data()) * gain + bias;
  }

  Tensor attention(const Block& block, Tensor x) const {
    const Tensor other = wrong_ == Wrong::keys_and_values ? stopped(x) : x;
    Tensor q = split_heads(product(x, block.query), settings_.heads);
    if (wrong_ == Wrong::queries) q = stopped(q);
    const Tensor k = split_heads(product(other, block.key), settings_.heads),
                 v = split_heads(product(other, block.value), settings_.heads);
    const Tensor scores = matmul(q, transpose(k), 1 / std::sqrt(settings_.d_model / settings_.heads));
    Tensor weights = softmax(scores);
    if (wrong_ == Wrong::mean) weights = with_gradient_of(scores * stopped(weights), weights);  // dx = y dy
    return product(merge_heads(matmul(weights, v)), block.output);
  }

  Wrong wrong_;
  std::unique_ptr<Embedding> embedding_;
  std::vector<Block> blocks_;
  Norm last_norm_;
  Matrix head_;
  std::unique_ptr<Scheme> scheme_;
  Reals random_;  // as long as the parameters, and drawn like them
};

struct Size {
  int length, width;
};
constexpr Size sizes[] = {{8, 16}, {12, 32}};
constexpr std::uint64_t seeds = 3;
const std::vector<std::string> tasks = {"previous", "before"};

Run run_of(const std::string& task, const Size& size, std::uint64_t seed) {
  RunSettings settings;
  settings.task = task;
  settings.model.scheme = "sinusoidal";
  settings.model.d_model = size.width;
  settings.train.lengths = {size.length, size.length};
  settings.train.seed = seed;
  settings.test_lengths = {size.length};
  settings.test_examples = 500;
  settings.train.steps = 400;
  settings.train.batch = 32;
  return Run(complete(settings));
}

Reals gradient(const Model& model, const Batch& batch, const Reals& parameters) {
  Reals gradients(parameters.size());
  Tape tape(parameters.data(), gradients.data());
  const Tensor logits = model.logits(tape, {batch.tokens, batch.length, count_up(tape, batch.length)});
  tape.backward(cross_entropy(logits, batch.targets, static_cast<Real>(batch.targets.size())));
  return gradients;
}

// |g - right| / |right|, over all parameters of a new model, on one batch.
double error_of(const Model& model, const Model& right, const Run& run, const Size& size,
                std::uint64_t seed) {
  Random random(seed, Purpose::testing);
  std::vector<Example> examples;
  for (int i = 0; i < 64; ++i) examples.push_back(run.task().sample(random, size.length, Split::train));
  const Batch batch = run.batcher().batch(examples);
  const Reals parameters = model.parameters().sample(seed);
  const Reals wrong = gradient(model, batch, parameters), reference = gradient(right, batch, parameters);
  double apart = 0, squares = 0;
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    apart += std::pow(static_cast<double>(wrong[i] - reference[i]), 2);
    squares += std::pow(static_cast<double>(reference[i]), 2);
  }
  return std::sqrt(apart / squares);
}

struct Trained {
  double error = 0, accuracy = 0;
};
Trained train_with(Wrong wrong, const std::string& task, const Size& size, std::uint64_t seed) {
  const Run run = run_of(task, size, seed);
  const ModelSettings& settings = run.settings().model;
  const TaskShape shape = run.batcher().task_shape();
  const WrongTransformer model(settings, shape, wrong), right(settings, shape, Wrong::nothing);
  Pool pool(1);
  Trainer trainer(model, run.batcher(), run.settings().train, pool);
  while (trainer.train_step() == TrainStatus::running) continue;
  const Test test = test_at(run.task(), run.settings(), size.length);
  const Score score = evaluate(model, trainer.parameters().data(), run.batcher(), test.examples,
                               {seed, Purpose::test_positions, size.length}, pool);
  return {error_of(model, right, run, size, seed), score.token_accuracy};
}

// Means over the seeds; by wrong gradient, task and size.
using Results = std::vector<std::vector<std::vector<Trained>>>;
Results train_all() {
  const int cells = static_cast<int>(all_wrong.size() * tasks.size() * std::size(sizes));
  std::vector<Trained> runs(static_cast<std::size_t>(cells) * seeds);
  Pool pool(hardware_threads());
  const bool lively = is_lively_terminal(STDERR_FILENO);
  std::atomic<int> trained = 0;
  pool.run(static_cast<int>(runs.size()), [&](int job, int) {
    const auto at = static_cast<std::size_t>(job), cell = at / seeds, pair = cell / std::size(sizes);
    runs[at] = train_with(all_wrong[pair / tasks.size()].wrong, tasks[pair % tasks.size()],
                          sizes[cell % std::size(sizes)], at % seeds + 1);
    const int so_far = ++trained;
    if (lively)
      std::cerr << str("\r\x1b[K", so_far, " of ", runs.size(), " models are trained") << std::flush;
  });
  if (lively) std::cerr << "\r\x1b[K";
  Results results(all_wrong.size(), std::vector(tasks.size(), std::vector<Trained>(std::size(sizes))));
  for (std::size_t at = 0; at < runs.size(); ++at) {
    const std::size_t cell = at / seeds, pair = cell / std::size(sizes);
    Trained& mean = results[pair / tasks.size()][pair % tasks.size()][cell % std::size(sizes)];
    mean.error += runs[at].error / seeds;
    mean.accuracy += runs[at].accuracy / seeds;
  }
  return results;
}

// A row for each mistake, in the order of the error: its name, its error, and a bar for each task at the larger size.
Figure accuracy_in_order_of_error(const Results& results) {
  constexpr double row_height = 26, top = 92, name_end = 218, error_end = 286, bar_start = 306, bar = 130,
                   gap = 76;
  const Trained &no_sum = results[static_cast<std::size_t>(Wrong::mean)][0].back(),
                &hundredfold = results[static_cast<std::size_t>(Wrong::hundredfold)][0].back();
  const std::string title =
      str("A gradient with error ", fixed(no_sum.error, 2), " ends at accuracy ", fixed(no_sum.accuracy, 2),
          ", one with error ", fixed(hundredfold.error, 0), " at ", fixed(hundredfold.accuracy, 2));
  std::vector<std::size_t> order(all_wrong.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t w) { return results[w][0].back().error; });
  Drawing drawing;
  drawing.heading(title, title_size, padding, 12, 700);
  drawing.text({name_end, top - 12}, "gradient", {Anchor::end, pale_ink, 12});
  drawing.text({error_end, top - 12}, "error", {Anchor::end, pale_ink, 12});
  for (std::size_t task = 0; task < tasks.size(); ++task)
    drawing.text({bar_start + static_cast<double>(task) * (bar + gap), top - 12},
                 "accuracy, " + tasks[task] + ", 12", {Anchor::start, pale_ink, 12});
  double y = top;
  for (const std::size_t w : order) {
    drawing.text({name_end, y + 15}, all_wrong[w].name, {Anchor::end, dark_ink, 12});
    drawing.text({error_end, y + 15}, fixed(results[w][0].back().error, 2),
                 {Anchor::end, dark_ink, 12, true});
    for (std::size_t task = 0; task < tasks.size(); ++task) {
      const double accuracy = results[w][task].back().accuracy,
                   left = bar_start + static_cast<double>(task) * (bar + gap);
      drawing.rectangle({left, y + 2}, bar, row_height - 8, grid_ink);
      drawing.rectangle({left, y + 2}, bar * accuracy, row_height - 8, series_colour(accuracy > 0.9 ? 0 : 1));
      drawing.text({left + bar + 8, y + 15}, fixed(accuracy, 2), {Anchor::start, dark_ink, 12});
    }
    y += row_height;
  }
  drawing.text(
      {padding, y + 22},
      "error: |wrong - right| / |right| before the first step, on previous, 12. Blue: accuracy above 0.9.",
      {Anchor::start, pale_ink, 12});
  return {title, 710, y + 36, drawing.take()};
}

}  // namespace

void experiment() {
  draw_tape();
  draw_matmul();

  std::cout << str(all_wrong.size() * tasks.size() * std::size(sizes) * seeds,
                   " small transformers train now, with right and with wrong gradients: up to a minute.")
            << std::endl;
  const Results results = train_all();
  TextTable table({{"gradient"},
                   {"error", Align::right},
                   {"previous, 8", Align::right},
                   {"previous, 12", Align::right},
                   {"before, 8", Align::right},
                   {"before, 12", Align::right}});
  for (std::size_t w = 0; w < all_wrong.size(); ++w) {
    std::vector<TableCell> row = {all_wrong[w].name, fixed(results[w][0].back().error, 2)};
    for (const auto& of_task : results[w])
      for (const Trained& t : of_task) row.push_back(fixed(t.accuracy, 2));
    table.add_row(row);
  }
  save_figure("trained_accuracy", accuracy_in_order_of_error(results));

  const auto previous_at_12 = [&](Wrong wrong) {
    return results[static_cast<std::size_t>(wrong)][0].back().accuracy;
  };
  reply(previous_at_12(Wrong::mean),
        "(The mean of three seeds.) The gradient of all parameters together is wrong by a few percent only.\n"
        "But the missing sum is the mean of dy over all keys, weighted by y. With it, training raises the\n"
        "score of a key only if the dy of this key is below the mean. Without it, the sign of dy decides,\n"
        "even if dy is the same for all keys. So the model does not learn which digit to attend to.");
  std::cout
      << "\nA transformer trained with wrong gradients: the error of the gradient before the first step\n"
         "(previous, length 12), and the accuracy at the lengths 8 (width 16) and 12 (width 32), means of "
         "three seeds\n\n"
      << table.to_text(false);
  expect("previous at 12 with right gradients", previous_at_12(Wrong::nothing), 1, 0.02,
         "Does each op add to the gradient (+=), and does the walk run every record?");
  expect("previous at 12 without a gradient for the skip path", previous_at_12(Wrong::skip), 1, 0.1,
         "Is an addition of two tensors right, and its gradient?");
}

}  // namespace locus
