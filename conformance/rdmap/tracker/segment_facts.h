// SPDX-License-Identifier: Apache-2.0
// Facts that the tracker states about a DDP segment and the message that it belongs to. The checks of the sections
// decide rules from them.
//
// A fact is stated whenever its rules apply, whether or not they were obeyed.
#pragma once

#include <cstdint>
#include <optional>

#include "conformance/rdmap/tracker/connection.h"

namespace wirelaw::rdmap {

// A field, and the value that the segments before it make one expect.
template <class Int>
struct Compared {
  Int due{}, seen{};
  bool holds() const { return seen == due; }
};

// The ULPDU, compared with the DDP header that its T flag announces.
struct HeaderFact {
  bool tagged = false;
  std::size_t needed = 0, octets = 0;
  bool holds() const { return octets >= needed; }
};

struct VersionFact {
  std::optional<std::uint8_t> before = {};  // that of the segments before it
  bool is_agreed = false;                   // the start frames have agreed on this version of DDP
};

// The message before the one that a segment begins: of its queue, or the tagged one.
struct PreviousFact {
  bool is_ended = true;
  std::uint64_t begun = 0;  // index of its first FPDU
  std::uint32_t msn = 0;
};

// An untagged segment that comes after the last segment of a message.
enum class AfterLast : std::uint8_t {
  next_message,  // it begins the next message
  missing_part,  // it is the part of that message that was missing
  more,          // it continues that message past its end
};

// The MSN of a message that begins.
struct MsnFact {
  Compared<std::uint32_t> msn = {};
  bool is_first = false;  // no message of the queue has been seen before
};

// A message that begins while another one of the side is open.
struct AmongFact {
  std::optional<std::uint64_t> open = {};  // index of the other one's first FPDU; empty: none is open
};

// The place of a segment in its message.
enum class Offset : std::uint8_t {
  unsettled,  // shown once the message has ended
  start,      // it begins its message
  next,       // it continues its message at the end of the segment before it
};

// A later segment of a message: the fields that all its segments share.
struct SharedFact {
  Compared<std::uint8_t> rsvd_ulp = {};
  Compared<std::uint32_t> stag = {};                              // tagged
  Compared<std::uint32_t> rsvd_ulp_rest = {}, qn = {}, msn = {};  // untagged
};

// The order and the completeness of a message that has ended.
enum class MessageOrder : std::uint8_t {
  in_order,
  late,              // the stray segment left octets out, which came later
  last_not_highest,  // the last segment is not the one with the highest MO
  gap,               // octets are missing, or came twice
  headless,          // its first octets are missing
};

struct MessageOrderFact {
  MessageOrder order = MessageOrder::in_order;
  bool tagged = false;
  std::uint32_t last_mo = 0;  // untagged: MO of the last segment
  Stray stray = {};           // for late, gap and headless
};

// A segment, and the facts about it.
struct SegmentFacts {
  bool is(Opcode opcode) const { return control.is(opcode); }
  bool has_header() const { return header_room && header_room->holds(); }

  std::optional<HeaderFact> header_room = {};  // empty: there is no ULPDU that can be trusted

  // --- set if the DDP header is complete
  ddp::Header header = {};
  Octets payload = {};  // payload of the DDP segment: RDMAP header, if any, and ULP payload
  Control control = {};
  const OpcodeRow* row = nullptr;  // nullptr: a reserved opcode
  bool first_segment = true;       // first segment of its message

  VersionFact version = {};
  // The earlier message of its queue whose last segment came before octets that are still missing. It is given up.
  std::optional<MessageOrderFact> given_up = {};
  std::optional<PreviousFact> previous = {};
  std::optional<AfterLast> after_last = {};
  std::optional<MsnFact> msn = {};
  std::optional<AmongFact> among = {};
  std::optional<SharedFact> shared = {};
  Offset offset = Offset::unsettled;
  std::optional<std::uint64_t> length = {};    // untagged: MO and payload together; tagged: the message so far
  std::optional<std::uint32_t> segments = {};  // of a message without payload that has ended
  std::optional<MessageOrderFact> order = {};  // of the message that it ends
};

}  // namespace wirelaw::rdmap
