// SPDX-License-Identifier: Apache-2.0
// A fault that a campaign has found, as a folder from which anyone can replay it:
//
//   finding.json     what was broken, by which input, how often it recurred
//   capture.pcapng   the conversation, with the findings as packet comments; `wirelaw check` judges it again
//   script.wirelaw   what the tester said, if scripts can say the protocol; `wirelaw test --script` says it again
//   peer.err         what the started IUT wrote
#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "harness/campaign/input_json.h"
#include "harness/campaign/trial.h"

namespace wirelaw::campaign {

// The number of times that an input does the same again. A replay that did not take place does not count.
struct Replays {
  unsigned times = 0;
  unsigned came_back = 0;
  std::optional<TransportError> lost = {};  // the IUT was gone during one of them, or has stopped serving
  bool is_skipped = false;                  // the case cannot be run here
};

struct CampaignFinding {
  Breach breach;
  Input input;     // made smaller
  Input found_as;  // unchanged
  std::uint64_t run = 0;
  Replays replays;
  std::vector<std::string> also;  // signatures that every replay has broken as well
  std::vector<Step> steps;        // from the last replay that reproduced it
  std::uint64_t messages_sent = 0;
  std::string output;  // output of the started process
  bool is_minimised = false;
};

// Returns the name of a folder for a signature: "rule-RAMCLOUD-ack-5". A long one is cut, and gets a hash of the whole.
std::string folder_name(std::string_view signature);

// Everything but the capture goes into the folder, which is made. The error is one line.
tl::expected<void, std::string> save(const CampaignFinding& finding, const Tester& tester, std::string_view peer,
                                     const std::string& folder);

// A finding in a line, as its folder among `findings` has it.
struct FindingLine {
  std::string signature, actual;
  std::string expected = {}, demand = {};  // a value, and the rule's summary
  std::string shown_by = {};               // kind of the message; empty if there is none
  std::uint64_t run = 0, replays = 0, came_back = 0;
  bool is_minimised = true;  // campaigns once minimised every finding before they kept it
};
FindingLine line_of(const std::string& findings, const std::string& signature);

// The script in the folder of a finding, if scripts can say what the tester did.
inline constexpr const char* kFindingScript = "script.wirelaw";

// The data that are needed to replay a finding.
struct KeptFinding {
  std::string protocol, role, application, revision, signature;
  std::string oracle;            // the oracle that found it, in a word; empty in a finding without one
  std::string rule;              // id of the rule; empty for another oracle
  std::string expected, actual;  // the demand of the rule, and the actual behaviour
  std::vector<std::string> features;
  UseLimits use = {};  // limits of the started process
  Input input;
  // The case that the input changes, if it is not one of the tree's cases.
  std::optional<CapturedConversation> conversation = {};
};
// `path` is the folder, or its finding.json.
tl::expected<KeptFinding, std::string> read_finding(const std::string& path);

// True if this oracle observes the process of the IUT, which `--start` or `--trigger` must have started.
bool is_of_process(std::string_view oracle);

// Plays the input this many times, and stops once the IUT is gone. `last` becomes the last trial that reproduced the
// finding.
Replays replay(Tester& tester, const Input& input, std::string_view signature, const Pace& pace, unsigned times,
               Trial* last = nullptr);

// Plays the input once more, into a capture. Returns true if the finding recurred.
tl::expected<bool, std::string> record(Tester& tester, const Input& input, std::string_view signature, const Pace& pace,
                                       const std::string& path);

}  // namespace wirelaw::campaign
