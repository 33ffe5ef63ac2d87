// SPDX-License-Identifier: Apache-2.0
// The messages between the process that deals the cases and those that run them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace wirelaw {

namespace order {
constexpr char kBegin = 'b', kFinish = 'f', kTurn = 't';
constexpr char kCase = 'c';    // run it; its result counts
constexpr char kTry = 'y';     // run it; its result counts only if it is certain (PartOfRun::is_certain)
constexpr char kForget = 'o';  // drop the results of all tries
}  // namespace order

namespace answer {
constexpr char kRefused = 'r', kWantsTurn = 'w', kEnded = 'e', kDone = 'd';
}  // namespace answer

// Flags of a run that begins.
constexpr std::string_view kRecords = "records", kShared = "shared";

inline std::string text_of(const nlohmann::json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace wirelaw
