// SPDX-License-Identifier: Apache-2.0
// Results of pairs of peers in scenarios, and their reports: text, JSON, JUnit, and a page.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reports/gate.h"
#include "reports/output.h"

namespace wirelaw {

// `pass`: both sides kept every rule, and the data arrived. `data_lost`: it did not, and no rule was broken.
// `peer_lost`: the responder did not start, or served nothing. `no_verdict`: the cell could not be run or judged.
enum class InteropState : std::uint8_t { pass, fail, data_lost, peer_lost, no_verdict, unsupported };

struct InteropBreach {
  std::string rule, level, summary;
  std::string side;  // "initiator", "responder", or "both"
};

struct InteropCell {
  std::string initiator, responder, scenario;
  InteropState state = InteropState::no_verdict;
  std::string reason = {};  // the reason why it is not `pass`, in one line; empty for `pass`
  std::vector<InteropBreach> breaches = {};
  std::size_t warned = 0;               // number of rules that warned
  std::string folder = {};              // the cell's folder, relative to that of the results; empty: no files
  std::vector<std::string> files = {};  // names in that folder: "report.html", …
};

struct InteropResults {
  std::string protocol;
  std::vector<std::string> pairs, scenarios;  // in their order; a pair is "client → server"
  std::vector<InteropCell> cells;
};

std::string pair_of(const InteropCell& cell);  // "client → server"
std::string_view to_string(InteropState state);
// 0 if each cell passes or is unsupported. Otherwise the first that applies to some cell: 3 if a responder was lost, 1
// if a rule was broken or data was lost, 2 if there is no verdict.
ExitStatus status_of(const InteropResults& results);

void write_interop_text(const InteropResults& results, Output& out);
void write_interop_json(const InteropResults& results, std::string_view version, Output& out);
void write_interop_junit(const InteropResults& results, Output& out);
void write_interop_html(const InteropResults& results, std::string_view version, Output& out);

}  // namespace wirelaw
