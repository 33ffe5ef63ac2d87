// SPDX-License-Identifier: Apache-2.0
// Reads script files (.wirelaw), and checks them against the protocols, rules and features of this build.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "conformance/protocol.h"
#include "conformance/script/language.h"
#include "conformance/script/syntax.h"

namespace wirelaw {

// A trace or a case of a script file.
struct ScriptPart {
  script::Part part;
  const Protocol* protocol = nullptr;
  const script::Language* language = nullptr;
  std::vector<std::string> features;
  std::string revision;
  Side iut = Side::b;
  bool names_iut = false;  // the setting iut is there
};

struct ScriptFile {
  std::string path;
  std::vector<ScriptPart> parts;

  // "FILE.wirelaw", or "FILE.wirelaw: NAME" if the file has several parts.
  std::string name_of(const ScriptPart& part) const;
};

bool is_script(std::string_view path);

// Reads `path`, "-" is no script. The error is one line: file, line, column, what is wrong, and a hint. Every protocol,
// rule, feature and revision in it exists.
tl::expected<ScriptFile, std::string> read_script(const std::string& path);
// Same for a text. `path` is its name in messages.
tl::expected<ScriptFile, std::string> script_of(std::string_view text, std::string path);

// Reads the changes that a relay makes to passing messages: a file that contains only triggers, all for this protocol.
// A line such as "protocol efa" may state it. The error is one line, as in read_script().
tl::expected<std::vector<script::Trigger>, std::string> read_faults(const std::string& path, const Protocol& protocol);
// The same for a text; `path` is what messages call it.
tl::expected<std::vector<script::Trigger>, std::string> faults_of(std::string_view text, const std::string& path,
                                                                  const Protocol& protocol);

}  // namespace wirelaw
