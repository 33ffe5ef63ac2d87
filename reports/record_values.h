// SPDX-License-Identifier: Apache-2.0
// Reads values back from the JSON that reports/json.cc writes. Nothing throws, for any JSON. Each function returns
// false for JSON in another form.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "conformance/verdict.h"
#include "reports/json_values.h"
#include "reports/run_record.h"

namespace wirelaw {

// Does not set the rules; the caller finds them by id.
bool read(const Json& from, RuleResult& to);
bool read(const Json& from, Finding& to);
bool read(const Json& from, CaseResult& to);

bool read(const Json& from, FlowResult& to);
bool read(const Json& from, Input& to);
bool read(const Json& from, InputProblem& to);

std::optional<ReadRun> read_run(const Json& document, const FindRule& find);

}  // namespace wirelaw
