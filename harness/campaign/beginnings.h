// SPDX-License-Identifier: Apache-2.0
// The first inputs of a campaign besides the cases: conversations from captures, and inputs found by others.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "harness/campaign/captured_case.h"
#include "harness/campaign/input_json.h"

namespace wirelaw::campaign {

inline constexpr const char* kBeginningsFile = "beginnings.json";  // name in a campaign's folder

struct Beginnings {
  std::vector<CapturedConversation> conversations = {};
  std::vector<Input> seeds = {};
};

// Adds the inputs of a folder: another campaign's corpus and findings, files with findings and inputs, and captures
// (exported seeds have one each). The error is one line.
tl::expected<void, std::string> add_folder(const std::string& folder, const Protocol& carried, Role iut,
                                           Beginnings& beginnings);
tl::expected<void, std::string> add_capture(const std::string& capture, const Protocol& carried, Role iut,
                                            Beginnings& beginnings);

Json to_json(const Beginnings& beginnings);
tl::expected<Beginnings, std::string> beginnings_of(const Json& json);

}  // namespace wirelaw::campaign
