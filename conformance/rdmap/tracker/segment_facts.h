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

// The message of the same queue, or the tagged message, that came before the one which a segment begins.
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

// Another message that is open when a message begins.
struct AmongFact {
  std::optional<std::uint64_t> open = {};  // index of its first FPDU; empty: none is open
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
  std::uint32_t last_mo = 0;        // untagged: MO of the last segment
  std::optional<Stray> stray = {};  // set for late, gap and headless
};

// How DDP carries a message, compared with what its opcode demands.
enum class Carriage : std::uint8_t { reserved_opcode, right, wrong_model, wrong_queue };

// The terms of the connection that the control field of a message depends on.
struct TermsFact {
  bool may_be_consortium = false;  // version 0, the RDMA Consortium's, may have been agreed
  std::uint8_t mpa_revision = 0;
  bool has_extensions = false;  // RFC 7306 is declared
};

// The Read Requests of a side that wait for an answer, after it has sent another one.
struct OutstandingFact {
  std::size_t limit = 0;  // the agreed one
  std::size_t reads = 0;
  std::size_t all = 0;  // with Atomic Requests
};

// An RDMA Read Response, once it shows which request it answers. Indices are those of the requests.
struct AnswerFact {
  std::uint32_t stag = 0;                     // of the response
  std::uint64_t to = 0;                       // the lowest so far
  std::optional<std::uint64_t> due = {};      // the oldest request that waits
  std::optional<std::uint64_t> instead = {};  // the later one that it answers
  ReadRequest request = {};
};

// A response shows that its sender has accepted a segment with this fault.
struct AcceptedFact {
  PlainFault fault = {};
  bool is_itself = false;  // the request that is answered has the fault; otherwise that request came after it
};

// The octets of an RDMA Read Response, once they are all there or too many.
struct ResponseFact {
  std::uint32_t size = 0;      // requested
  std::uint64_t received = 0;  // so far
};

// The address of an Atomic Operation is a multiple of it (RFC 7306, 5.1).
inline constexpr std::uint64_t kAtomicAlignment = 8;

// A message of an opcode of RFC 7306.
struct ExtensionFact {
  std::optional<std::uint64_t> octets = {};  // its length, if it is complete with this segment
  std::optional<AtomicRequest> request = {};
};

// An Atomic Response, compared with the oldest request that waits.
struct AtomicAnswerFact {
  struct Request {
    std::uint64_t index = 0;
    std::uint32_t identifier = 0;
  };
  std::uint32_t identifier = 0;
  std::optional<Request> due = {};                 // empty: no Atomic Request waits
  bool is_known = false;                           // a request that waits has the identifier
  std::optional<std::uint64_t> earlier_read = {};  // index of a Read that was requested before and still waits

  bool is_due() const { return due && due->identifier == identifier; }
};

// The first segment of an RDMA Read Response, and the Atomic Requests before its own. Indices are those of the
// requests.
struct ReadAfterAtomicsFact {
  std::uint64_t read = 0;
  std::optional<std::uint64_t> earlier_atomic = {};  // still waits
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
  Carriage carriage = Carriage::reserved_opcode;
  bool first_segment = true;  // first segment of its message

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
  std::optional<std::uint32_t> segments = {};  // the number in a message that ends without any payload
  std::optional<MessageOrderFact> order = {};  // set if it ends its message

  // --- RDMAP. The evidence of checks that depend on what the sender had received:
  Evidence of_lack = Evidence::absence;
  std::optional<TermsFact> terms = {};                    // set for the first segment of a message
  std::optional<std::uint64_t> read_request_octets = {};  // the length of a Read Request that has ended
  std::optional<bool> is_read_request_whole = {};         // it is in one segment
  std::optional<OutstandingFact> outstanding = {};
  std::optional<AnswerFact> answer = {};
  std::optional<AcceptedFact> accepted = {};
  std::optional<ResponseFact> response = {};
  std::optional<ReadAfterAtomicsFact> read_after_atomics = {};
  std::optional<ExtensionFact> extension = {};
  std::optional<AtomicAnswerFact> atomic_answer = {};
};

}  // namespace wirelaw::rdmap
