// SPDX-License-Identifier: Apache-2.0
// Inputs, findings and entries of the corpus as JSON. Any file is read, or refused with an error of one line.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "harness/campaign/corpus.h"
#include "harness/campaign/trial.h"

namespace wirelaw::campaign {

using Json = nlohmann::ordered_json;

inline constexpr std::size_t kMostEditsRead = 1024;

Json to_json(const Input& input);
tl::expected<Input, std::string> input_of(const Json& json);

Json to_json(const Entry& entry);
tl::expected<Entry, std::string> entry_of(const Json& json);

// --- of any document: what is there by this name, or what it is otherwise
std::string text_in(const Json& json, const char* name);
std::uint64_t count_in(const Json& json, const char* name);

// The error begins with the file.
tl::expected<Json, std::string> read_json(const std::string& path);
tl::expected<void, std::string> write_json(const std::string& path, const Json& json);
tl::expected<void, std::string> write_text(const std::string& path, std::string_view text);

}  // namespace wirelaw::campaign
