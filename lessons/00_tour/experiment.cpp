// Chapter 0: a sentence of three words on its way through a model of one layer, and what each hook of a
// positional scheme is shown on the way.
#include "lessons/tools/experiment.h"

#include <iostream>

#include "autograd/ops.h"
#include "base/error.h"
#include "draw/svg.h"
#include "io/format.h"
#include "io/terminal.h"
#include "lessons/tools/compare.h"
#include "model/model.h"
#include "positional/support/registry.h"

namespace locus {

namespace {

const std::vector<std::string> words = {"dog", "bites", "man"};
constexpr int T = 3, man = 2, D = 8, H = 2;  // the tour follows the last word

// What stands at one station of the way: the shape of all of it, and the numbers of the word `man`.
struct Station {
  std::string name, hook;
  Shape shape;
  std::vector<double> of_man;
};
std::vector<Station> way;

// Of a tensor (B,T,W) or (B,H,T,W) the row of `man`, in head 0.
void note(const std::string& name, const std::string& hook, Tensor x) {
  const Array all = copy(x);
  const auto start = all.values.begin() + man * all.shape.last();
  way.push_back({name, hook, all.shape, {start, start + all.shape.last()}});
}

// A positional scheme that changes nothing, and notes what its hooks are given.
class Witness : public Scheme {
 public:
  Witness(const Options&, const SchemeContext&, ParameterTable&) {}

  Positions positions(Tape&, const Inputs& inputs) const override {
    way.push_back({"positions", "positions", inputs.positions.shape(), {inputs.positions(0, man)}});
    return inputs.positions;
  }
  Tensor embedding(Tensor x, const Inputs&) const override {
    note("words as vectors x", "embedding", x);
    return x;
  }
  void query_and_key(Tensor& q, Tensor& k, const AttentionInputs&) const override {
    note("queries", "query_and_key", q);
    note("keys", "query_and_key", k);
  }
  Tensor scores(Tensor scores, const AttentionInputs&) const override {
    note("scores", "scores", scores);
    return scores;
  }
  std::optional<Tensor> weights(Tensor scores, Mask mask) const override {
    note("weights", "weights", softmax(scores, mask));
    return {};  // no weights of its own: the softmax stays
  }
  Tensor mixed(Tensor mixed, Tensor, const AttentionInputs&) const override {
    note("mix of the values", "mixed", mixed);
    return mixed;
  }
  Claims claims() const override { return {.order_blind = true, .shift_invariant = true}; }
};

const RegisterScheme registered{{.name = "witness",
                                 .summary = "changes nothing, and notes what it sees",
                                 .source = "this chapter",
                                 .stage = Stage::nowhere,
                                 .options = {},
                                 .make = make<Witness>}};

std::string numbers(const Station& station) {
  std::string out;
  for (const double number : station.of_man)
    out += text(out.empty() ? "" : " ", station.name == "positions" ? text(number) : fixed(number, 2));
  return out;
}

// The stations from top to bottom; on the right the hooks, with schemes that use them.
Figure picture() {
  const auto schemes_at = [](const std::string& hook) -> std::string {
    if (hook == "positions") return "randomized: draws them";
    if (hook == "embedding") return "index, sinusoidal, learned: a code";
    if (hook == "query_and_key") return "rope, xpos: turned";
    if (hook == "scores") return "alibi, t5: a number added";
    if (hook == "weights") return "stick-breaking: no softmax";
    if (hook == "mixed") return "shaw: a vector by distance";
    return "";
  };
  constexpr double x_name = 48, x_hook = 378, row = 48, top = 84, width = 616;
  const std::string blue = series_colour(0), orange = series_colour(1);
  Drawing drawing;
  const std::string title = "At six points a positional scheme can change what is computed";
  drawing.heading(title, title_size, padding, 12, width - 2 * padding);
  drawing.text({x_name, top - 26}, "shapes, and the numbers of \"man\" (in head 0)",
               {Anchor::start, pale_ink, 12});
  drawing.text({x_hook, top - 26}, "hooks, and schemes that use them", {Anchor::start, pale_ink, 12});
  double y = top, block_from = 0, block_to = 0;
  for (std::size_t i = 0; i < way.size(); ++i) {
    const Station& station = way[i];
    if (station.name == "queries") block_from = y - 14;
    drawing.text({x_name, y}, station.name, {Anchor::start, dark_ink, 14, true});
    drawing.text({x_name + 160, y}, to_string(station.shape), {Anchor::start, pale_ink, 13});
    drawing.text({x_name, y + 18}, numbers(station), {Anchor::start, blue, 13});
    if (!station.hook.empty() && (i == 0 || way[i - 1].hook != station.hook)) {
      drawing.line({x_hook - 26, y - 5}, {x_hook - 8, y - 5}, {orange, 2, "", 1});
      drawing.text({x_hook, y}, station.hook, {Anchor::start, orange, 14, true});
      drawing.text({x_hook, y + 18}, schemes_at(station.hook), {Anchor::start, dark_ink, 13});
    }
    if (station.name == "mix of the values") block_to = y + 22;
    y += row;
  }
  drawing.line({x_name - 14, block_from}, {x_name - 14, block_to}, {blue, 3, "", 1});
  drawing.text({x_name - 22, (block_from + block_to) / 2}, "attention",
               {Anchor::middle, blue, 13, true, -90});
  return {title, width, y - 8, drawing.take()};
}

}  // namespace

void experiment() {
  ModelSettings settings;
  settings.scheme = "witness";
  settings.layers = 1;
  settings.heads = H;
  settings.d_model = D;
  settings.d_ff = 4 * D;
  const auto model = make_model(settings, {.vocabulary = static_cast<int>(words.size())});
  const Reals parameters = model->parameters().draw(1);
  Reals gradients(parameters.size());
  Tape tape(parameters.data(), gradients.data());
  const std::vector<int> sentence = {0, 1, 2};

  way.clear();
  const Tensor logits =
      model->logits(tape, {.tokens = sentence, .length = T, .positions = count_up(tape, T)});
  note("logits", "", logits);
  const std::vector<int> targets = {2, 1, 0};  // asked for: the sentence turned round
  const Tensor loss = cross_entropy(logits, targets, T);
  const std::size_t recorded = tape.ops().size();
  tape.backward(loss);

  std::cout
      << "\"dog bites man\" through an encoder of one layer: B = 1, T = 3, D = 8, H = 2, d = 4, V = 3\n\n";
  TextTable table({{"what"}, {"shape"}, {"of \"man\", in head 0"}, {"hook"}});
  for (const Station& station : way)
    table.add_row({station.name, to_string(station.shape), numbers(station), station.hook});
  std::cout
      << table.to_text(false) << "\nThe model has " << parameters.size() << " parameters. The tape recorded "
      << recorded << " ops, the last of them the loss, " << fixed(*loss.value(), 2)
      << ".\nBackward runs them in reverse and computes a gradient for every parameter: that of the first, in the "
         "vector of \"dog\", is "
      << fixed(gradients[0], 3) << ".\n";
  save_figure("tour", picture());
}

}  // namespace locus
