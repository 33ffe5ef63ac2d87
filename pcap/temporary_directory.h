// SPDX-License-Identifier: Apache-2.0
// A directory for the files of a test. CTest runs tests of one program in parallel, so each has its own directory.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reference/octets/octets.h"

namespace wirelaw::pcap::testing {

// Creates a directory and removes it when the test ends.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  std::string path(std::string_view name) const;
  std::string write(std::string_view name, const OctetBuffer& octets) const;  // returns the file's path
  std::vector<std::string> names() const;

 private:
  std::string path_;
};

}  // namespace wirelaw::pcap::testing
