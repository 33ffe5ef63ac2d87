// SPDX-License-Identifier: Apache-2.0
// Makes an input smaller while the IUT still shows the fault: first its edits, then the conversation, then octets.
// People have to read only the rest.
#pragma once

#include <functional>
#include <string_view>

#include "harness/campaign/trial.h"

namespace wirelaw::campaign {

struct Minimised {
  Input input;
  std::size_t trials = 0;
};

// `input` reproduces the signature. Makes at most this many trials, and none once the tester is over; the result is the
// smallest input so far. `smaller` is called with each new smallest input.
Minimised minimise(Tester& tester, const Input& input, std::string_view signature, const Pace& pace,
                   std::size_t most_trials, const std::function<void(const Input&)>& smaller = {});

}  // namespace wirelaw::campaign
