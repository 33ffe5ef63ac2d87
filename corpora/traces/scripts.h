// SPDX-License-Identifier: Apache-2.0
// The sample traces: scripts in conformance/PROTOCOL/SECTION/*.wirelaw, beside the rules that they break. Those of SMB
// Direct are over iWARP, and each is carried over RoCEv2, too (over_roce.h). The script language cannot say IP options,
// so ramcloud_traces.cc adds them.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "corpora/traces/trace.h"

namespace wirelaw::corpora {

// The scripts of a protocol in the source tree, ordered by path.
std::vector<std::string> script_files(std::string_view protocol);

// The traces of one script file. A trace breaks the rule that its name begins with, and has a mark (`!` or `?`) of this
// rule. Other traces conform. The error is one line with file, line, and what is wrong.
tl::expected<std::vector<Trace>, std::string> traces_of_script(const std::string& path, const Protocol& protocol);

// The traces of all scripts of a protocol. Ends the program with a message if one cannot be read: it is part of the
// tree, and tests would pass without its traces.
std::vector<Trace> scripted_traces(std::string_view protocol);

}  // namespace wirelaw::corpora
