// SPDX-License-Identifier: Apache-2.0
// Facts that the tracker states about responses, sessions and chains (RFC 3018 4, 5.3, 7), other than claims.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "conformance/umsp/tracker/connection.h"

namespace wirelaw::umsp {

// The request that a response certainly answers.
struct AnsweredFact {
  std::uint8_t opcode = 0;
  bool is_of_layer = false;        // the protocol layer has chosen its REQ_ID, not a VM
  bool is_chained = false;         // the response answers its whole chain
  std::optional<Fact> chain = {};  // what has to be sent of its chain before the response
};

// A later SESSION_OPEN of a session with this GJID.
struct SessionGjidFact {
  Identifier due;
};

// What the receiver of an instruction has declared.
struct ProfileFact {
  std::uint32_t profile = 0;
  bool is_of_zero_session = false;
  bool have_border = false;  // both sides know of S20
};

// An instruction's place in its chain, as its own octets show it.
struct LinkFact {
  ChainPlace place = {};
  std::size_t begins = 0;  // headers that begin a chain
  std::size_t begin = 0;   // index of the first of them
  ObservedChainKind kind = ObservedChainKind::unknown;
  bool ends = false;

  bool is_first() const { return place.instr_number == 0; }
  // The account of chains can use the instruction.
  bool is_usable() const { return begins == 0 || (begins == 1 && is_first()); }
};

// A VM_NOTIF with ASK 1.
struct NotificationFact {
  bool has_request = false;                  // any VM_REQ of the other node waits
  const ObservedRequest* request = nullptr;  // the request with its REQ_ID
  bool is_over_other_transport = false;      // that request used the other one of TCP and UDP
};

// What is known about an instruction before the tracker follows it, for the checks of its fields.
struct FactsBefore {
  bool inherits = true;                   // the values that PCK 01 and 10 refer to are known
  std::optional<bool> has_own_name = {};  // its SESSION_ID is one that its sender has assigned; empty: to none is known
  bool may_have_border = true;            // the sides may have agreed on S20
  // The kind of the chain that it continues.
  ObservedChainKind chain = ObservedChainKind::unknown;
  std::optional<NotificationFact> notification = {};
  std::vector<Fact> claims = {};  // most instructions have none
};

// Receives the facts in the order of the trace. The facts are about the current instruction, unless at() names another
// message.
class FactSink {
 public:
  virtual ~FactSink() = default;
  virtual void at(const Message& message) = 0;
  virtual bool state(const Fact& fact) = 0;  // returns if the claim holds
  virtual void state(const AnsweredFact& fact) = 0;
  virtual void state(const SessionGjidFact& fact) = 0;
  virtual void state(const ProfileFact& fact) = 0;
  virtual void state(const LinkFact& link) = 0;
};

}  // namespace wirelaw::umsp
