// SPDX-License-Identifier: Apache-2.0
// The tables from which the RAMCloud RPC traces are made.
#pragma once

#include <span>
#include <string_view>

#include "corpora/traces/ramcloud_script.h"

namespace wirelaw::corpora {

struct Sample {
  std::string_view id;  // of the rule that is broken, or the name of a conforming trace
  std::string_view purpose;
  void (*script)(RamcloudScript& script);
  Severity severity = Severity::violation;
  std::string_view variant = {};  // distinguishes several traces of one rule
};

std::span<const Sample> ramcloud_violating_samples();
std::span<const Sample> ramcloud_conforming_samples();

}  // namespace wirelaw::corpora
