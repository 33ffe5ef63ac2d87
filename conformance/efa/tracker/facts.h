// SPDX-License-Identifier: Apache-2.0
// Facts that the tracker states about the packets of an exchange. The checks of the sections decide rules from them.
//
// A fact is stated whenever its rules apply, whether or not they were obeyed; an empty one says that it is unknown. A
// fact does not repeat fields of the packet.
#pragma once

#include <cstdint>
#include <optional>

#include "conformance/efa/tracker/seen.h"
#include "reference/efa/packet.h"

namespace wirelaw::efa {

// An operation that a packet of the flow began.
struct Operation {
  const Layout* request = nullptr;
  std::uint64_t begun = 0;  // Message::index of that packet
};

// An answer of a kind that comes once to a request.
struct AnswerFact {
  std::optional<Operation> answered = {};  // the request, if such an answer has come before
};

// The request that the send_id of an EOR or a READ_NACK names.
struct ReadFact {
  bool is_read = false;             // its data is to be read
  const Layout* request = nullptr;  // nullptr: none was seen
};

// The RUNTREAD packets of a message that come before its READ_NACK.
struct RuntsFact {
  std::uint64_t due = 0;  // octets in all of them
  std::uint64_t sent = 0;
};

// An EOR or a READ_NACK: either ends the reading of a request's data.
struct ReadEndFact {
  std::optional<ReadFact> read = {};
  std::optional<bool> is_only_end = {};  // the other of the two has not come
  std::optional<AnswerFact> answer = {};
  std::optional<RuntsFact> runts = {};
};

// A LONGCTS_RTM.
struct ResumptionFact {
  // The first difference from the refused message.
  enum class Difference : std::uint8_t { none, msg_id, msg_length, kind, data };
  // A message that was refused, as it was before.
  struct Refused {
    std::uint32_t msg_id = 0;
    std::uint64_t length = 0;
    std::uint64_t tag = 0;
    bool is_tagged = false;
    Difference difference = Difference::none;
  };

  bool begins_message = false;         // it resumes no message that was refused, or may have been
  bool is_known_to_follow_no = false;  // no message with its msg_id was refused
  std::optional<Refused> refused = {};
};

}  // namespace wirelaw::efa
