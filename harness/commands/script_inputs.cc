// SPDX-License-Identifier: Apache-2.0
#include "harness/commands/script_inputs.h"

#include <algorithm>

namespace wirelaw {

tl::expected<ScriptInputs, std::string> ScriptInputs::of(std::vector<std::string>& files) {
  ScriptInputs inputs;
  std::vector<std::string> replaced;
  for (const std::string& file : files) {
    if (!is_script(file)) {
      replaced.push_back(file);
      continue;
    }
    const auto script = read_script(file);
    if (!script) return tl::unexpected(script.error());
    for (const ScriptPart& part : script->parts) {
      auto capture = TemporaryCapture::of(*script, part);
      if (!capture) return tl::unexpected(std::move(capture.error()));
      replaced.push_back(capture->path());
      inputs.captures_.push_back({std::move(*capture), script->name_of(part)});
    }
  }
  files = std::move(replaced);
  return inputs;
}

std::string ScriptInputs::name_of(const std::string& file) const {
  const auto found = std::ranges::find(captures_, file, [](const Named& one) { return one.capture.path(); });
  return found == captures_.end() ? file : found->name;
}

void ScriptInputs::name(FileResults& run) const {
  for (Input& one : run.results.inputs) one.name = name_of(one.name);
  for (auto* const problems : {&run.results.problems, &run.incomplete})
    for (InputProblem& one : *problems) one.file = name_of(one.file);
}

}  // namespace wirelaw
