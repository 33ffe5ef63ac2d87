// SPDX-License-Identifier: Apache-2.0
// The progress of a long reading: on standard error, only on a terminal, erased at the end.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pcap/ip_reader.h"

namespace wirelaw {

class Progress {
 public:
  explicit Progress(const std::vector<std::string>& files);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  bool shown() const { return shown_; }
  void update(const pcap::Counts& counts);  // counts of the file that is being read
  void clear();

 private:
  bool shown_;
  std::uint64_t total_ = 0;   // octets of all files; 0 if one has no size
  std::uint64_t before_ = 0;  // octets of the files read before
  pcap::Counts last_;
  bool dirty_ = false;
};

}  // namespace wirelaw
