#include "lessons/tools/experiment.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <streambuf>
#include <utility>

#include "base/error.h"
#include "io/file.h"
#include "io/format.h"
#include "io/terminal.h"

namespace locus {

namespace {

std::string folder;

// Standard output without empty lines at the beginning, at the end, or after each other: lesson.sh prints one above the
// experiment's output and one below it, and an experiment need not know what it printed last.
class SingleEmptyLines : public std::streambuf {
 public:
  SingleEmptyLines() : below_(std::cout.rdbuf(this)) {}
  ~SingleEmptyLines() override { std::cout.rdbuf(below_); }
  SingleEmptyLines(const SingleEmptyLines&) = delete;
  SingleEmptyLines& operator=(const SingleEmptyLines&) = delete;

 protected:
  int overflow(int character) override {
    if (character == traits_type::eof()) return traits_type::not_eof(character);
    if (character == '\n' && line_is_empty_) {
      is_due_ = has_begun_;
      return character;
    }
    if (std::exchange(is_due_, false)) below_->sputc('\n');
    has_begun_ = true;
    line_is_empty_ = character == '\n';
    return below_->sputc(traits_type::to_char_type(character));
  }
  int sync() override { return below_->pubsync(); }

 private:
  std::streambuf* below_;
  bool has_begun_ = false, line_is_empty_ = true;
  bool is_due_ = false;  // an empty line, printed as soon as other text follows
};

// The learner's answer to the question of `make lesson-NN`; "" if there is none.
std::string guess() {
  const std::string path = folder + "/guess";
  if (!file_exists(path)) return "";
  std::string words = read_file(path);
  while (!words.empty() && std::isspace(static_cast<unsigned char>(words.back()))) words.pop_back();
  return words;
}

// "0.8", "80%" and "80 %" are one number.
std::optional<double> number_in(std::string words) {
  const std::size_t percent = words.find('%');
  if (percent != std::string::npos) words.erase(percent);
  while (!words.empty() && words.back() == ' ') words.pop_back();
  const auto number = parse_double(words);
  return number && percent != std::string::npos ? *number / 100 : number;
}

}  // namespace

void run_experiment(const std::string& given_folder) {
  folder = given_folder;
  create_folders(folder);
  const SingleEmptyLines lines;
  experiment();
}

void reply(double is, const std::string& why) {
  constexpr double near = 0.05;
  const std::string words = guess();
  if (const auto number = number_in(words)) {
    const double over = *number - is;
    const int digits = is == std::round(is) && over == std::round(over) ? 0 : 2;  // something counted
    std::cout << "\nYou guessed " << short_number(*number) << "; it is " << fixed(is, digits) << ": "
              << (std::abs(over) <= near ? std::string("well guessed")
                                         : str(fixed(std::abs(over), digits), over > 0 ? " less" : " more"));
    std::cout << ".\n";
  } else if (!words.empty()) {
    std::cout << "\nYou guessed \"" << words << "\"; it is " << fixed(is, 2) << ".\n";
  } else {
    std::cout << '\n';
  }
  std::cout << why << '\n';
}

void reply(const std::vector<Choice>& choices) {
  const Choice& best = *std::ranges::max_element(choices, {}, &Choice::result);
  const std::string words = guess();
  const auto chosen = std::ranges::find(choices, words, &Choice::name);
  std::cout << '\n';
  if (chosen != choices.end()) {
    std::cout << "You guessed " << words << "; it gets " << fixed(chosen->result, 2)
              << (chosen->name == best.name
                      ? ", the most of all"
                      : str(", and ", best.name, " gets ", fixed(best.result - chosen->result, 2), " more"))
              << ". " << chosen->reason << '\n';
    if (chosen->name == best.name) return;
  } else if (!words.empty()) {
    std::cout << "You guessed \"" << words << "\". ";
  }
  std::cout << "Best is " << best.name << ", with " << fixed(best.result, 2) << ". " << best.reason << '\n';
}

void expect(const std::string& what, double is, double text_says, double tolerance,
            const std::string& suspect) {
  if (std::abs(is - text_says) <= tolerance) return;
  std::cout << "\nWARNING: " << what << " is " << fixed(is, 2) << "; the text has " << fixed(text_says, 2)
            << ", and other machines come within " << fixed(tolerance, 2) << " of that. " << suspect << '\n';
}

int width_asked() {
  const char* words = std::getenv("WIDTH");
  if (!words) return usual_width;
  const int width = std::atoi(words);
  if (str(width) != words || width < 16 || width > 128 || width % 16 != 0)
    fail_usage("WIDTH", str("'", words, "' is not a width of these models"), "32 or 64, say");
  return width;
}

void save_figure(const std::string& name, const Figure& figure) {
  write_file_atomically(str(folder, '/', name, ".svg"), svg_document(figure));
}

Reals train(const Run& run) {
  Pool pool(hardware_threads());
  Trainer trainer(run.model(), run.batcher(), run.settings().train, pool);
  train(trainer, run.settings());
  return trainer.parameters();
}

void train(Trainer& trainer, const RunSettings& settings, const std::function<void()>& after_each) {
  static int trainings = 0;
  const ModelSettings& model = settings.model;
  const std::string what = str("training ", ++trainings, ": ",
                               is_recurrent(model.kind) ? to_string(model.kind) : to_string(model.scheme),
                               " on ", settings.task, ", seed ", settings.train.seed, ", step ");
  const bool lively = is_lively_terminal(STDERR_FILENO);
  for (TrainStatus status = TrainStatus::running; status == TrainStatus::running; after_each()) {
    if (lively && trainer.step() % validate_every == 0)
      std::cerr << "\r\x1b[K" << str(what, trainer.step()).substr(0, terminal_width(STDERR_FILENO) - 1)
                << std::flush;
    status = trainer.train_step();
  }
  if (lively) std::cerr << "\r\x1b[K";
}

std::string of_each(const std::vector<double>& accuracies) {
  std::string out;
  for (const double accuracy : accuracies) out += str(out.empty() ? "" : " ", fixed(accuracy, 2));
  return out;
}

std::vector<LengthScore> train_and_test(const RunSettings& settings) {
  const Run run(complete(settings));
  Pool pool(hardware_threads());
  return run.test(train(run).data(), pool);
}

}  // namespace locus
