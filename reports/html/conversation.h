// SPDX-License-Identifier: Apache-2.0
// The traffic around findings and in cases, as a report shows it. The harness reads it from the capture or the
// recording once the verdicts are known.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reference/octets/octets.h"

namespace wirelaw {

struct ShownField {
  std::string name, value;  // in the words of the Wireshark dissector
  std::size_t offset = 0, length = 0;
};

struct ShownMessage {
  std::uint64_t frame = 0;
  std::uint64_t number = 0;  // in its flow, from 1
  std::int64_t time_ns = 0;
  bool from_a = true;  // the flow's first name
  std::string protocol, summary;
  std::size_t wire_length = 0;
  OctetBuffer octets = {};              // the first octets, if kept
  std::vector<ShownField> fields = {};  // the fields of those octets
};

// A side of a flow is named by its address, as findings name who sent a message.
struct ShownFlow {
  std::string id, a, b;
  std::vector<ShownMessage> messages = {};  // in the order of the capture; not all of them
};

// One entry per input, in the order of Results::inputs.
struct ShownInput {
  std::vector<ShownFlow> flows = {};  // in the order of their first message
};

struct ShownTraffic {
  std::vector<ShownInput> inputs = {};
  // The input of each finding, in the order of Results::findings.
  std::vector<std::size_t> input_of_finding = {};
  std::string missing = {};  // why nothing is shown; empty if something is
};

}  // namespace wirelaw
