// SPDX-License-Identifier: Apache-2.0
// What is made of the results of a run when all its cases have ended.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "conformance/verdict.h"
#include "harness/case_runner.h"
#include "harness/shard/share.h"

namespace wirelaw {

// Octets that the IUT sent prove the finding by themselves.
bool is_proved_by_octets(const Finding& finding);

// Marks in the account of a run that the calls of the present case end here. `findings` is the number of findings so
// far.
void end_case(ConsumerAccount& account, std::size_t findings);

// Adds the latest calls of the consumer, from the same case, to each finding on the wire of its device.
void join_account(std::vector<Finding>& findings, const ConsumerAccount& account);

// For an IUT that has not spoken the protocol at all: keeps only what its octets prove. `found` has an element for each
// finding. `findings_until` has the number of findings at the end of each case.
void discount(Results& results, std::vector<SharedFinding>& found, std::span<const std::size_t> findings_until);

}  // namespace wirelaw
