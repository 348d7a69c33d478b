// A transformer from nothing but the standard library: it reads 12 digits and learns to write them backwards.
//   mkdir -p build && g++ -O3 -march=native -std=c++20 lessons/00_tour/whole.cpp -o build/whole && build/whole
// Each digit must find its mirror image with attention (struct Head). But attention is a weighted sum over all digits,
// and its weights depend on the digits alone: it does not know order. THE LINE (search for it) tells the positions.
// Guess what share of the answers stays right without it, then put // before it. (Blind guesses: 0.10.)
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <numbers>
#include <random>
#include <vector>
// B inputs at once, T tokens (digits) in each, D numbers for each token, V different tokens.
const int B = 32, T = 12, D = 32, V = 10, layers = 2, heads = 2, steps = 300;
std::mt19937 generator;  // of all random numbers
// --- The task: src/tasks/reverse.cpp ---
using Tokens = std::vector<int>;  // B * T digits, input after input: digit t has place t % T in input t / T
Tokens draw() {
  Tokens inputs(B * T);
  for (int& token : inputs) token = std::uniform_int_distribution<int>(0, V - 1)(generator);
  return inputs;
}
int answer(const Tokens& inputs, int t) { return inputs[t / T * T + T - 1 - t % T]; }  // mirror image of digit t
// --- Tensors, and the tape that remembers how they were computed: src/autograd/tape.h ---
// A tensor is a list of matrices of one shape: mostly one matrix for each input, in it one row for each token. The loss
// is one number: how wrong all answers are. The gradient of a value: how fast the loss grows with it.
struct Data {
  int matrices, rows, columns;
  float start = 0;  // what each value is at first
  std::vector<float> value = std::vector<float>(matrices * rows * columns, start);
  std::vector<float> gradient = std::vector<float>(value.size()), mean = {}, square = {};  // see update()
};
using Tensor = std::shared_ptr<Data>;
Tensor tensor(Data data) { return std::make_shared<Data>(std::move(data)); }
// Each operation computes a tensor y, and leaves its chain rule on the tape: a function that takes the gradient
// of y and adds to the gradients of the tensors that y was computed from.
std::vector<std::function<void()>> tape;
void backward() {  // the last operation first, so that all users of y come before y itself
  for (auto chain_rule = tape.rbegin(); chain_rule != tape.rend(); ++chain_rule) (*chain_rule)();
  tape.clear();
}
// --- Operations: src/autograd/ops.h has them all, src/tensor/matmul.cpp the fast product ---
struct Slopes { float y, a, b; };  // y = f(a, b), and how fast it grows with a and with b
const auto add = [](float a, float b) { return Slopes{a + b, 1, 1}; };
const auto multiply = [](float a, float b) { return Slopes{a * b, b, a}; };
const auto divide = [](float a, float b) { return Slopes{a / b, 1 / b, -a / b / b}; };
const auto exponential = [](float a, float) { return Slopes{std::exp(a), std::exp(a), 0}; };
const auto root = [](float a, float) { return Slopes{std::sqrt(a + 1e-5f), 0.5f / std::sqrt(a + 1e-5f), 0}; };  // > 0
const auto gelu = [](float a, float) {  // a soft switch: about 0 far below 0, about a far above
  const float phi = (1 + std::erf(a / std::numbers::sqrt2_v<float>)) / 2;  // share of a normal distribution below a
  return Slopes{a * phi, phi + a * std::exp(-a * a / 2) / std::sqrt(2 * std::numbers::pi_v<float>), 0};
};
// y = f(a, b), number by number. A smaller b is used again for all tokens. If f needs a alone, b is a, with slope 0.
Tensor each(Tensor a, Tensor b, auto f) {
  Tensor y = tensor({a->matrices, a->rows, a->columns});
  const size_t all = a->value.size(), part = b->value.size();
  for (size_t start = 0; start < all; start += part)
    for (size_t i = 0; i < part; ++i) y->value[start + i] = f(a->value[start + i], b->value[i]).y;
  tape.push_back([=] {
    for (size_t start = 0; start < all; start += part)
      for (size_t i = 0; i < part; ++i) {
        const Slopes slopes = f(a->value[start + i], b->value[i]);
        a->gradient[start + i] += slopes.a * y->gradient[start + i];
        b->gradient[i] += slopes.b * y->gradient[start + i];
      }
  });
  return y;
}
Tensor operator+(Tensor a, Tensor b) { return each(a, b, add); }
Tensor operator*(Tensor a, Tensor b) { return each(a, b, multiply); }
// The product of each matrix of a with that of b, or with that of b transposed; a single b multiplies all rows of a.
Tensor matmul(Tensor a, Tensor b, bool transposed = false) {
  const int n = a->matrices * a->rows, k = a->columns, m = transposed ? b->rows : b->columns;
  const int per_b = n / b->matrices;  // this many rows of a meet the same matrix of b
  const int l_step = transposed ? 1 : m, j_step = transposed ? k : 1;  // how far b[l+1,j] and b[l,j+1] are from b[l,j]
  Tensor y = tensor({a->matrices, a->rows, m});
  for (int i = 0; i < n; ++i)
    for (int l = 0; l < k; ++l) {  // y[i,j] is the sum over l of a[i,l] b[l,j]
      const float a_il = a->value[i * k + l], *b_l = &b->value[i / per_b * k * m + l * l_step];
      for (int j = 0; j < m; ++j) y->value[i * m + j] += a_il * b_l[j * j_step];
    }
  tape.push_back([=] {
    for (int i = 0; i < n; ++i)
      for (int l = 0; l < k; ++l) {
        const int b_l = i / per_b * k * m + l * l_step;
        const float a_il = a->value[i * k + l], *dy = &y->gradient[i * m];
        float da = 0;
        for (int j = 0; j < m; ++j) da += dy[j] * b->value[b_l + j * j_step];
        for (int j = 0; j < m; ++j) b->gradient[b_l + j * j_step] += dy[j] * a_il;
        a->gradient[i * k + l] += da;
      }
  });
  return y;
}
// The sum of each row times factor, in every column, by a matrix full of factor. (Factor 1 / columns: the mean.)
Tensor row_sum(Tensor x, float factor) { return matmul(x, tensor({1, x->columns, x->columns, factor})); }
// Turns each row into shares: positive, sum 1, larger for larger numbers. (src/ subtracts the largest: no overflow.)
Tensor softmax(Tensor x) {
  const Tensor positive = each(x, x, exponential);
  return each(positive, row_sum(positive, 1), divide);
}
// --- The model: src/model/transformer.cpp, src/model/attention.cpp, src/nn/layers.cpp ---
std::vector<Tensor> parameters;  // what training changes
Tensor parameter(int rows, int columns, float start, double spread) {
  Tensor p = tensor({1, rows, columns, start});
  for (float& x : p->value) x += float(std::uniform_real_distribution<>(-spread, spread)(generator));
  p->mean = p->square = p->gradient;  // zeros, as many
  parameters.push_back(p);
  return p;
}
struct Linear {  // x W + b: each output is a sum of all inputs, with weights that are learned
  int inputs, outputs;
  Tensor weight = parameter(inputs, outputs, 0, 1 / std::sqrt(inputs));
  Tensor bias = parameter(1, outputs, 0, 1 / std::sqrt(inputs));
  Tensor operator()(Tensor x) const { return matmul(x, weight) + bias; }
};
struct Norm {  // each row gets mean 0 and variance 1, so that no number grows too large; then gain and bias
  Tensor gain = parameter(1, D, 1, 0), bias = parameter(1, D, 0, 0);
  Tensor operator()(Tensor x) const {
    const Tensor centred = x + row_sum(x, -1.0f / D), variance = row_sum(centred * centred, 1.0f / D);
    return each(centred, each(variance, variance, root), divide) * gain + bias;
  }
};
// Attention, the only place where tokens exchange information. From the row of each token a head makes a query (what it
// looks for), a key (how others find it) and a value (what it tells them). The larger the dot product of query i and
// key j, the larger the share that token i takes of value j. Two heads can look for two things.
struct Head {
  Linear query{D, D / heads}, key{D, D / heads}, value{D, D / heads};
  Tensor output = parameter(D / heads, D, 0, 1 / std::sqrt(D));
  Tensor scale = tensor({1, 1, T, std::sqrt(float(heads) / D)});  // 1 / root of d = D / heads: for sums of d numbers
  // (B,T,T): row i says which share token i takes of each token
  Tensor shares(Tensor x) const { return softmax(matmul(query(x), key(x), true) * scale); }
  Tensor operator()(Tensor x) const { return matmul(matmul(shares(x), value(x)), output); }
};
// A layer adds to the row of each token: first what it takes from others, then what it works out from this row alone.
struct Layer {
  Norm attention_norm, feed_forward_norm;
  std::vector<Head> attention = std::vector<Head>(heads);
  Tensor attention_bias = parameter(1, D, 0, 1 / std::sqrt(D));  // one for all heads
  Linear up{D, 4 * D}, down{4 * D, D};  // without gelu between them, they would be one Linear
  Tensor operator()(Tensor x) const {
    const Tensor seen = attention_norm(x);
    for (const Head& head : attention) x = x + head(seen);
    x = x + attention_bias;
    const Tensor wide = up(feed_forward_norm(x));
    return x + down(each(wide, wide, gelu));
  }
};
// Number c of the D numbers that mark a place; no two places have the same. src/positional/sinusoidal.cpp
float code(int place, int c) {
  const double angle = place / std::pow(10000, c / 2 * 2.0 / D);  // the hand of clock c / 2; they go from fast to slow
  return float(c % 2 == 0 ? std::sin(angle) : std::cos(angle));
}
struct Model {
  Tensor embedding = parameter(V, D, 0, 0), positions = tensor({1, T, D});  // a row for each digit, for each place
  std::vector<Layer> stack = std::vector<Layer>(layers);
  Norm norm;
  Linear to_logits{D, V};
  Model() {
    for (float& x : embedding->value) x = std::normal_distribution<float>()(generator);
    for (int i = 0; i < T * D; ++i) positions->value[i] = code(i / D, i % D);
  }
  Tensor embed(const Tokens& tokens) const {
    Tensor one_hot = tensor({B, T, V});  // zeros and a single 1: times embedding, this picks its row
    for (int t = 0; t < B * T; ++t) one_hot->value[t * V + tokens[t]] = 1;
    Tensor x = matmul(one_hot, embedding);
    x = x + positions;  // THE LINE: a mark for each place. Training finds how to tell mark and digit apart
    return x;
  }
  Tensor logits(const Tokens& tokens) const {  // (B,T,V): for each digit V numbers, the largest is the answer
    Tensor x = embed(tokens);
    for (const Layer& layer : stack) x = layer(x);
    return to_logits(norm(x));
  }
};
// --- Training: src/train/optimizer.cpp, src/train/trainer.cpp ---
// AdamW: a step against the mean of recent gradients, divided by their usual size, so that small ones count, too; and
// a small pull of each parameter towards 0 (weight decay, the W). Both averages began at 0: division corrects them.
void update(int step) {
  const double rise = std::min(1.0, (step + 1) / 50.0), fall = 1 + std::cos(std::numbers::pi * step / steps);
  const float rate = float(0.0015 * rise * fall);  // small at first, and at the end
  const float part = float(1 - std::pow(0.9, step + 1)), square_part = float(1 - std::pow(0.999, step + 1));
  for (const Tensor& p : parameters)
    for (size_t i = 0; i < p->value.size(); ++i) {
      p->mean[i] += 0.1f * (p->gradient[i] - p->mean[i]);
      p->square[i] += 0.001f * (p->gradient[i] * p->gradient[i] - p->square[i]);
      const float mean = p->mean[i] / part, square = p->square[i] / square_part;
      p->value[i] -= rate * (mean / (std::sqrt(square) + 1e-8f) + 0.01f * p->value[i]);
      p->gradient[i] = 0;
    }
}
// The loss: the mean of -log(probability of the right answer): 0 if sure and right, log 10 = 2.3 for a blind guess.
int largest(const float* row) { return int(std::max_element(row, row + V) - row); }
std::pair<float, float> loss_and_right(const auto& model, const Tokens& inputs) {
  const Tensor probability = softmax(model.logits(inputs));
  float loss = 0, right = 0;
  for (int t = 0; t < B * T; ++t) {
    const float *row = &probability->value[t * V], of_answer = row[answer(inputs, t)];
    loss -= std::log(of_answer) / (B * T);
    right += float(largest(row) == answer(inputs, t)) / (B * T);
    probability->gradient[t * V + answer(inputs, t)] = -1 / (of_answer * B * T);  // backward() begins with this
  }
  return {loss, right};
}
int main(int argc, char** argv) {
  generator.seed(argc > 1 ? std::atoi(argv[1]) : 1);
  Model model;
  for (int step = 0; step <= steps; ++step) {
    const auto [loss, right] = loss_and_right(model, draw());  // the inputs are new: each step is a test, too
    if (step % 50 == 0) std::printf("step %3d   loss %.3f   right %.2f\n", step, loss, right);
    backward();
    update(step);
  }
  const Tokens example = draw();
  const Tensor logits = model.logits(example);
  for (int t = 0; t < T; ++t) std::printf("%d%s", example[t], t == T - 1 ? " -> " : "");
  for (int t = 0; t < T; ++t) std::printf("%d%s", largest(&logits->value[t * V]), t == T - 1 ? "\n" : "");
}
