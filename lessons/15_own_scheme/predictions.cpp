#include "lessons/15_own_scheme/predictions.h"

#include <algorithm>
#include <filesystem>

#include "ablation/results.h"
#include "base/error.h"
#include "io/file.h"

namespace locus {

namespace fs = std::filesystem;

Measured measured_in(const std::set<std::string>& folders, const std::string& scheme) {
  Measured measured;
  for (const std::string& folder : folders) {
    if (!file_exists(folder + "/results.jsonl")) continue;
    try {
      for (const Result& result : read_records({folder}).results)
        if (result.settings.model.scheme == scheme)
          for (const LengthScore& at : result.outcome.by_length)
            measured.emplace(std::pair(result.settings.task, at.length), folder);
    } catch (const Error&) {
      continue;  // a broken folder that the form names is refused where the runs are judged
    }
  }
  return measured;
}

std::set<std::string> known_folders(const Evidence& evidence, const std::string& runs) {
  std::set<std::string> folders(evidence.runs.begin(), evidence.runs.end());
  if (fs::is_directory(runs))
    for (const auto& entry : fs::recursive_directory_iterator(runs))
      if (entry.is_directory()) folders.insert(entry.path());
  return folders;
}

std::vector<Statement> kept_predictions(const std::string& file, const std::string& scheme) {
  if (!file_exists(file)) return {};
  std::vector<Statement> kept;
  for (const std::string& line : split(read_file(file), '\n'))
    if (!line.empty()) kept.push_back(read_statement(line, file));
  std::erase_if(kept, [&](const Statement& one) { return one.scheme != scheme; });
  return kept;
}

std::vector<Statement> keep_predictions(const Evidence& evidence, const Measured& measured,
                                        const std::string& file) {
  const auto is_measured = [&](const Statement& one) { return measured.contains({one.task, one.length}); };
  std::vector<Statement> kept = kept_predictions(file, evidence.scheme);
  std::erase_if(kept, [&](const Statement& one) { return !is_measured(one); });
  for (const Statement& one : evidence.predictions)
    if (!is_measured(one)) kept.push_back(one);
  std::string lines;
  for (const Statement& one : kept) lines += one.words + "\n";
  create_folders(fs::path(file).parent_path());
  write_file_atomically(file, lines);
  return kept;
}

std::vector<Statement> written_late(const Evidence& evidence, const std::vector<Statement>& kept) {
  std::vector<Statement> late = evidence.predictions;
  std::erase_if(
      late, [&](const Statement& one) { return std::ranges::count(kept, one.words, &Statement::words) > 0; });
  return late;
}

std::optional<std::pair<Statement, Statement>> two_about_one(const std::vector<Statement>& predictions) {
  for (std::size_t i = 0; i < predictions.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (predictions[i].is_about_what(predictions[j])) return std::pair(predictions[j], predictions[i]);
  return {};
}

}  // namespace locus
