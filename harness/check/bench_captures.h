// SPDX-License-Identifier: Apache-2.0
// Makes captures of honest traffic for one benchmark run, in a directory that is removed after it.
//
// WIRELAW_BENCH_MEGABYTES sets the size of each; 100 by default.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wirelaw {

struct BenchCapture {
  std::string_view label;
  // Octets in each frame before those that a CRC covers; 0 if the protocol has no CRC.
  std::size_t crc_from = 0;
  void (*make)(class CaptureMaker& maker, std::size_t octets);
  std::string_view above = {};  // the protocol above the other one, if any
};

std::span<const BenchCapture> bench_captures();
// Returns the file of one capture; all are made when the first is asked for.
const std::string& bench_capture_file(std::size_t index);

}  // namespace wirelaw
