// SPDX-License-Identifier: Apache-2.0
// The probe for an IUT that initiates. The IUT is triggered to connect to the tester, where the reference node serves
// it correctly. A case examines the received instructions, and changes those sent:
//
//   peer.before_sending([](Draft& draft) { …; return true; });   // false: it does not go
//   peer.serve_until([](const Received& one) { return one.is(Opcode::session_close); });
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "conformance/umsp/probes/line.h"
#include "reference/umsp/node/node.h"

namespace wirelaw::umsp {

class InitiatorProbe : public Line {
 public:
  static constexpr Role kIut = Role::initiator;

  // Triggers the IUT, which then connects.
  explicit InitiatorProbe(CaseRun& run, const TriggerRequest& request = {});
  ~InitiatorProbe();

  // Gets each draft before it is sent, and may change it. If it returns false, the draft is not sent.
  using Hook = std::function<bool(Draft&)>;
  void before_sending(Hook hook);
  // Gets each instruction before our node does. If it returns false, our node does not get it.
  using Filter = std::function<bool(const Received&)>;
  void before_taking(Filter filter) { filter_ = std::move(filter); }

  // Makes our node accept the first SESSION_OPEN at once, even if it has to choose the VM (UMSP/B7).
  void accept_at_once() { accepts_at_once_ = true; }

  // Serves the IUT until `wanted` holds for an instruction, and returns it after our node has answered it. None if
  // nothing arrives during the time to answer, or the connection ends.
  std::optional<Received> serve_until(const std::function<bool(const Received&)>& wanted);
  std::optional<Received> serve_until(Opcode opcode) {
    return serve_until([opcode](const Received& one) { return one.is(opcode); });
  }
  // Serves the IUT for this time, or until `wanted` holds for an instruction.
  std::optional<Received> serve_for(std::chrono::nanoseconds time,
                                    const std::function<bool(const Received&)>& wanted = {});
  // Gives our node an instruction that before_taking() has kept from it.
  void take_late(Octets octets);
  // Sends an instruction that our node would not send, on one of its sessions.
  void send_in(const Session& session, Draft draft);

  // --- state
  // Our node. Call it only after an instruction has arrived.
  Node& node();
  // The session that the IUT has opened; nullptr if there is none.
  const Session* session() const;
  // Requires that the IUT still uses our node's memory: it reads or writes, and gets an answer.
  bool expect_goes_on(const Rule& rule, std::string_view explanation);
  // The OPCODEs of all instructions so far.
  const std::deque<std::uint8_t>& seen() const { return seen_; }

 private:
  class TestNode;
  void link();
  void flush();
  std::optional<Received> serve(Instant deadline, bool extends, const std::function<bool(const Received&)>& wanted);

  std::unique_ptr<TestNode> scripted_;
  Hook hook_;
  Filter filter_;
  bool accepts_at_once_ = false;
  std::deque<std::uint8_t> seen_;
};

}  // namespace wirelaw::umsp
