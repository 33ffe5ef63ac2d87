// SPDX-License-Identifier: Apache-2.0
// Where a test has its files. CTest runs tests of one program beside each other: each has its own directory.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reference/octets/octets.h"

namespace wirelaw::pcap::testing {

// A directory that goes away with its test.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  std::string path(std::string_view name) const;
  std::string write(std::string_view name, const OctetBuffer& octets) const;  // gives its path
  std::vector<std::string> names() const;

 private:
  std::string path_;
};

}  // namespace wirelaw::pcap::testing
