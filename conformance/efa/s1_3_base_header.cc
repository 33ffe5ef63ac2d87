// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 1.3: the base header, packet types, and that a packet is whole.
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

RuleList s1_3_rules() {
  return {};
}

bool judge_base_header(Judge&, const Message& message) {
  return message.wire_length >= kBaseHeader;
}

void judge_whole(Judge&, const Message&, const DecodeError&) {}

bool judge_type(Judge&, const Message&, const Packet&, const Layout* layout) {
  return layout != nullptr && layout->has_format();
}

void judge_format(Judge&, const SeenPacket&) {}

void judge_flags(Judge&, const SeenPacket&) {}

}  // namespace wirelaw::efa
