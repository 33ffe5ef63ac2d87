// SPDX-License-Identifier: Apache-2.0
// A user's scripts as the cases of a run.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "conformance/script/live.h"
#include "harness/script/script_file.h"

namespace wirelaw {

// Reads the scripts at these paths. A folder means all files *.wirelaw in it and below, in the order of their names.
// The error is one line.
tl::expected<std::vector<ScriptFile>, std::string> read_scripts(const std::vector<std::string>& paths);

// Why this case of the file cannot be played, in one line. Empty if it can, or if the part is a trace.
std::optional<std::string> trouble_with_case(const ScriptFile& file, const ScriptPart& part);

// A protocol whose cases are scripts. A part of a file is a case if its heading says so or if it names its IUT:
// "script/FILE/NAME", or "script/FILE" for a part without a name. The protocol is a copy of the one whose traffic the
// scripts describe, and keeps its controls.
class ScriptedProtocol {
 public:
  // What the scripts are to the protocol's own cases.
  enum class Use {
    alone,          // the scripts replace them
    beside_others,  // the scripts follow them. They exercise no rule by what they expect, and any violation fails them.
  };
  // Only one may exist in a process, since Protocol::cases has no state. The error is one line.
  static tl::expected<std::unique_ptr<ScriptedProtocol>, std::string> of(std::vector<ScriptFile> files,
                                                                         const Protocol& protocol,
                                                                         Use use = Use::alone);
  ~ScriptedProtocol();
  ScriptedProtocol(const ScriptedProtocol&) = delete;
  ScriptedProtocol& operator=(const ScriptedProtocol&) = delete;

  const Protocol& protocol() const { return protocol_; }
  // Features that the scripts declare for the IUT.
  const std::vector<std::string>& features() const { return features_; }

 private:
  explicit ScriptedProtocol(const Protocol& protocol) : protocol_(protocol) {}

  std::vector<ScriptFile> files_;
  std::deque<std::string> texts_;  // texts to which the cases refer
  std::vector<script::LivePart> parts_;
  std::vector<Case> cases_;
  std::vector<std::string> features_;
  Protocol protocol_;
};

}  // namespace wirelaw
