// SPDX-License-Identifier: Apache-2.0
// A process of --jobs, for `test` and `certify`.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "harness/commands/interruption.h"
#include "harness/commands/test_run.h"
#include "harness/parallel/case_jobs.h"

namespace wirelaw {

// Adds the parameters that are not there. Returns the name of the first that differs; numbers are compared as numbers.
std::string add_declared(const IutParameters& declared, IutParameters& parameters);

// A process of --jobs.
class TestJob final : public CaseJob {
 public:
  // `declared` is what a declaration says in addition to the URI.
  static tl::expected<std::unique_ptr<CaseJob>, std::string> make(const TestCommand& command, const Protocol& protocol,
                                                                  const std::vector<LeftOut>& left_out,
                                                                  const IutParameters& declared = {}) {
    auto job = std::make_unique<TestJob>();
    job->command_ = command;
    job->protocol_ = &protocol;
    if (!command.start.empty() || !command.trigger.empty()) job->keeper_.emplace();
    auto target = target_of(command, protocol);
    if (!target) return tl::make_unexpected(target.error().message);
    job->target_ = std::move(*target);
    add_declared(declared, job->target_.tested.parameters);
    job->options_ = options_of(command, job->target_, left_out);
    job->reporter_.emplace(command.output.quiet, job->options_.limits, Reporter::Does::watch);
    return job;
  }

  Iut& iut() override { return *target_.tested.iut; }
  const RunOptions& options() const override { return options_; }
  RunProgress progress() override { return reporter_->progress(); }
  void repeat(std::uint64_t repetition) override {
    if (!target_.is_reference) return;
    command_.repetition = repetition;
    if (auto target = target_of(command_, *protocol_)) target_ = std::move(*target);
  }

 private:
  TestCommand command_;
  const Protocol* protocol_ = nullptr;
  std::optional<Keeper> keeper_;
  Target target_;
  RunOptions options_;
  std::optional<Reporter> reporter_;
};

}  // namespace wirelaw
