// SPDX-License-Identifier: Apache-2.0
// Makes an input smaller as long as the IUT still shows the fault: first its edits, then the conversation, then octets.
// The rest is what a person has to read.
#pragma once

#include <functional>
#include <string_view>

#include "harness/campaign/trial.h"

namespace wirelaw::campaign {

struct Minimised {
  Input input;
  std::size_t trials = 0;
};

// The input shows what the signature names. Makes at most so many trials, and none when the tester is over: the result
// is then the smallest input so far. `smaller` gets each input that became the smallest.
Minimised minimise(Tester& tester, const Input& input, std::string_view signature, const Pace& pace,
                   std::size_t most_trials, const std::function<void(const Input&)>& smaller = {});

}  // namespace wirelaw::campaign
