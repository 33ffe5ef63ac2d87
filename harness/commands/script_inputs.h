// SPDX-License-Identifier: Apache-2.0
// Script files among the captures of `check` and `decode`: each of their parts is judged as a capture.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "harness/check/check_files.h"
#include "harness/script/temporary_capture.h"

namespace wirelaw {

class ScriptInputs {
 public:
  // Replaces each script in `files` by the captures of its parts, which live as long as this. The error is one line.
  static tl::expected<ScriptInputs, std::string> of(std::vector<std::string>& files);

  // Restores the names of the scripts in the inputs of the results.
  void name(FileResults& run) const;
  std::string name_of(const std::string& file) const;
  bool empty() const { return captures_.empty(); }

 private:
  struct Named {
    TemporaryCapture capture;
    std::string name;
  };
  std::vector<Named> captures_;
};

}  // namespace wirelaw
