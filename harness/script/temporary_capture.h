// SPDX-License-Identifier: Apache-2.0
// The capture of a script, in a file that is removed with this object.
#pragma once

#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "conformance/script/conversation.h"
#include "harness/script/script_file.h"
#include "harness/temporary_file.h"

namespace wirelaw {

class TemporaryCapture {
 public:
  // The error is one line, with the place in the script.
  static tl::expected<TemporaryCapture, std::string> of(const ScriptFile& file, const ScriptPart& part);

  const std::string& path() const { return file_.path(); }
  const script::Conversation& conversation() const { return conversation_; }
  // For each of conversation().spoken, the number of its frame; 0 if it is not in the capture.
  const std::vector<std::uint64_t>& frames() const { return frames_; }

 private:
  TemporaryFile file_;
  script::Conversation conversation_;
  std::vector<std::uint64_t> frames_;
};

}  // namespace wirelaw
