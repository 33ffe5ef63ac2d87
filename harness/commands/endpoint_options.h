// SPDX-License-Identifier: Apache-2.0
// Options for the behaviour of a reference peer, shared by `test` and `serve`.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/peers/reference_peers.h"

namespace wirelaw {

void add_application_option(CLI::App& command, std::string& application, const char* description);
void add_deviate_option(CLI::App& command, std::vector<std::string>& deviations);

// The error for a deviation that the protocol's reference peer does not have.
std::optional<std::string> unknown_deviation(const std::vector<std::string>& deviations, const Protocol& protocol);

// The roles of peers, in the words of all protocols: "responder|initiator|server|client".
std::string role_words();

Service application_of(std::string_view word);  // the option has checked it
// Returns an error if the protocol has no such application; empty if it has.
std::optional<std::string> foreign_application(std::string_view word, const Protocol& protocol);

}  // namespace wirelaw
