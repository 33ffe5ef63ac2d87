// SPDX-License-Identifier: Apache-2.0
// Captures of honest traffic, made for one benchmark run in a directory that goes with it.
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
  // Octets in front of what a CRC covers in each frame; 0 where the protocol has none.
  std::size_t crc_from = 0;
  void (*make)(class CaptureMaker& maker, std::size_t octets);
  std::string_view above = {};  // the protocol that stands on the one below, where one does
};

std::span<const BenchCapture> bench_captures();
// The file of one of them; all are made when the first is asked for.
const std::string& bench_capture_file(std::size_t index);

}  // namespace wirelaw
