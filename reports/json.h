// SPDX-License-Identifier: Apache-2.0
// Results as JSON, described by wirelaw-2.schema.json. The same results give the same octets: no time, no host name,
// keys in a fixed order, one record per line.
#pragma once

#include "reports/report.h"

namespace wirelaw {

inline constexpr std::string_view kResultSchema = "wirelaw/2";
inline constexpr std::string_view kCatalogueSchema = "wirelaw-rules/1";
inline constexpr std::string_view kCasesSchema = "wirelaw-cases/2";
inline constexpr std::string_view kRunSchema = "wirelaw-run/1";

void write_json(const Report& report, Output& out);

// One recorded run, in ASCII and on one line.
std::string json_of_run(const RecordedRun& run);

// A case, as `wirelaw test --list` knows it.
struct ListedCase {
  std::string_view id, protocol;
  std::string_view role;  // role of the peer that it tests
  std::string_view purpose;
  std::string_view application;  // the least --application that it needs; empty: any
  std::vector<std::string_view> rules = {};
};
void write_cases_json(std::span<const ListedCase> cases, std::string_view version, Output& out);
void write_rules_json(std::span<const Rule* const> rules, std::string_view version, Output& out);

}  // namespace wirelaw
