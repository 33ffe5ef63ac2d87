// SPDX-License-Identifier: Apache-2.0
// Report formats. To add a format, add a row to report_formats().
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "conformance/verdict.h"
#include "reports/gate.h"
#include "reports/output.h"

namespace wirelaw {

// Options of the text report. Other formats ignore them.
struct TextStyle {
  bool colour = false;
  bool quiet = false;            // only the bottom line
  bool verbose = false;          // every case, input and flow, coverage by section, rules that were not exercised
  std::size_t width = 100;       // columns
  std::size_t max_findings = 1;  // number of findings printed in full for each fault; 0: all
};

struct ShownTraffic;
struct RunProvenance;
struct RunIdentity;

// Marks the result of one shard, so that readers do not take it for the result of the whole run.
struct ShardNote {
  std::string name;    // "2/3"
  std::string object;  // the shard as a JSON object, for `wirelaw merge`
};

struct Report {
  const Results& results;
  const Gate& gate;
  std::string_view version;  // version of wirelaw
  TextStyle style = {};
  // The traffic (reports/html/conversation.h), for formats that show it.
  const ShownTraffic* evidence = nullptr;
  const ShardNote* shard = nullptr;           // the part of a run that this is; nullptr: all of it
  std::string_view commit = {};               // commit that wirelaw was built from; empty: unknown
  const RunProvenance* provenance = nullptr;  // reports/provenance.h; nullptr: not requested
  const RunIdentity* identity = nullptr;      // for a run of `wirelaw certify`
  std::string_view subject = {};  // for titles: "RAMCloud RPC, server: udp://192.0.2.1:7000"; empty: unknown
};

// Evidence that a format needs besides the results: the input of each finding, or also the traffic around it.
enum class EvidenceNeed : std::uint8_t { none, inputs, conversations };

struct ReportFormat {
  std::string_view name;  // the word of --format
  std::string_view purpose;
  void (*write)(const Report& report, Output& out);
  EvidenceNeed needs = EvidenceNeed::none;
};

std::span<const ReportFormat> report_formats();
const ReportFormat* find_report_format(std::string_view name);  // nullptr if there is none

// The protocol of a rule, in the words of the command line: "ramcloud" for RAMCLOUD-ack-5, "rdmap" for MPA-4.1-3. For a
// rule that no protocol's catalogue lists, the first word of its id.
std::string protocol_of(const Rule& rule);

}  // namespace wirelaw
