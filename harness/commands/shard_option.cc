// SPDX-License-Identifier: Apache-2.0
#include "harness/commands/shard_option.h"

#include <fmt/format.h>

#include "harness/commands/command.h"
#include "harness/commands/options.h"

namespace wirelaw {
namespace {

class Asked {
 public:
  void add(std::string_view option, const std::string& value) {
    if (!value.empty()) all_.push_back(fmt::format("{} {}", option, value));
  }
  void add(std::string_view option, const std::vector<std::string>& values) {
    for (const std::string& one : values) add(option, one);
  }
  void add(std::string_view option, bool is_set) {
    if (is_set) all_.emplace_back(option);
  }
  void add(std::string_view option, double value) { all_.push_back(fmt::format("{} {}", option, value)); }
  std::vector<std::string> take() { return std::move(all_); }

 private:
  std::vector<std::string> all_;
};

}  // namespace

void add_shard_option(CLI::App& command, std::string& shard, std::string description) {
  add_option(command, "--shard", shard, std::move(description))->type_name("I/N");
}

tl::expected<Shard, std::string> understand_shard(const std::string& shard) {
  if (shard.empty()) return Shard{};
  auto understood = parse_shard(shard);
  if (!understood) return tl::make_unexpected("--shard: " + understood.error());
  return *understood;
}

ShardRun run_of(const CaptureOptions& options) {
  Asked asked;
  asked.add("--decode-as", options.decode_as);
  asked.add("--iut", options.iut);
  asked.add("--rule", options.rules);
  asked.add("--section", options.sections);
  asked.add("--protocol", options.protocol);
  asked.add("--feature", options.features);
  asked.add("--revision", options.revision);
  asked.add("--complete", options.complete);
  return {.command = "check",
          .version = std::string(version()),
          .commit = std::string(commit()),
          .asked = asked.take(),
          .protocol = options.protocol};
}

ShardRun run_of(const TestCommand& command, Role iut) {
  Asked asked;
  asked.add("URI", command.uri);
  asked.add("--start", command.start);
  asked.add("--listen", command.listen);
  asked.add("--trigger", command.trigger);
  asked.add("--application", command.application);
  asked.add("--case", command.cases);
  asked.add("--rule", command.rules);
  asked.add("--skip", command.skipped);
  asked.add("--slow", command.slow);
  asked.add("--deviate", command.deviations);
  asked.add("--feature", command.features);
  asked.add("--revision", command.revision);
  asked.add("--capture-on", command.capture_on);
  asked.add("--keep-going", command.keep_going);
  if (command.seed) asked.add("--seed", fmt::format("{}", *command.seed));
  if (command.deadline) asked.add("--deadline", *command.deadline);
  asked.add("--answer-time", command.answer_time);
  asked.add("--silence-time", command.silence_time);
  return {.command = "test",
          .version = std::string(version()),
          .commit = std::string(commit()),
          .asked = asked.take(),
          .protocol = command.protocol,
          .role = iut};
}

}  // namespace wirelaw
