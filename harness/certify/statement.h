// SPDX-License-Identifier: Apache-2.0
// The statement of a certification (wirelaw-statement-2.schema.json): who makes which claim, which verdicts all runs
// gave, on what evidence, and whether that is enough. It is a function of the evidence and the program: the same inputs
// give the same statement, and only `provenance` differs between two certifications of the same octets.
#pragma once

#include <nlohmann/json.hpp>

#include "harness/certify/evidence.h"

namespace wirelaw {

inline constexpr std::string_view kStatementSchema = "wirelaw-statement/2";

using StatementJson = nlohmann::ordered_json;
StatementJson statement_of(const EvidenceSet& evidence, const ProgramIdentity& program);
std::string text_of(const StatementJson& statement);  // The text of the statement's file.

// Returns the statement as text: the verdict, the failures, the coverage.
std::string summary_of(const StatementJson& statement);

}  // namespace wirelaw
