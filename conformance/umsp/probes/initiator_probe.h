// SPDX-License-Identifier: Apache-2.0
// What the cases speak through whose IUT initiates: it is made to connect to us, and what it finds is a whole node, the
// reference's, which serves it as it should. A case looks at what comes, and changes what goes:
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
  static constexpr wirelaw::Role kIut = wirelaw::Role::initiator;

  // Triggers the IUT, which connects.
  explicit InitiatorProbe(CaseRun& run, const TriggerRequest& request = {});
  ~InitiatorProbe();

  // Sees each draft before it goes, and may change it; false: it does not go.
  using Hook = std::function<bool(Draft&)>;
  void before_sending(Hook hook);
  // Sees each instruction before our node does; false: our node does not get it.
  using Filter = std::function<bool(const Received&)>;
  void before_taking(Filter filter) { filter_ = std::move(filter); }

  // Our node accepts the first SESSION_OPEN at once, also where it has to choose the VM (UMSP/B7).
  void accept_at_once() { accepts_at_once_ = true; }

  // Serves the IUT until one comes of which this holds: that one, once our node has answered it. Nothing where the time
  // to answer passes without anything that comes, or the connection ends.
  std::optional<Received> serve_until(const std::function<bool(const Received&)>& wanted);
  std::optional<Received> serve_until(Opcode opcode) {
    return serve_until([opcode](const Received& one) { return one.is(opcode); });
  }
  // Serves it for that long, or until one comes of which this holds.
  std::optional<Received> serve_for(std::chrono::nanoseconds time,
                                    const std::function<bool(const Received&)>& wanted = {});
  // Our node gets what before_taking() has kept from it.
  void take_late(Octets octets);
  // Sends something that our node would not, on a session of it.
  void send_in(const Session& session, Draft draft);

  // --- looks
  // Our node; only once something has come.
  Node& node();
  // The session that the IUT has opened; nullptr where there is none.
  const Session* session() const;
  // What the IUT asks of our node's memory is served: it reads or writes, and is answered.
  bool expect_goes_on(const Rule& rule, std::string_view explanation);
  // All that has come so far, by OPCODE.
  const std::deque<std::uint8_t>& seen() const { return seen_; }

 private:
  class ScriptedNode;
  void link();
  void flush();
  std::optional<Received> serve(Instant deadline, bool extends, const std::function<bool(const Received&)>& wanted);

  std::unique_ptr<ScriptedNode> scripted_;
  Hook hook_;
  Filter filter_;
  bool accepts_at_once_ = false;
  std::deque<std::uint8_t> seen_;
};

}  // namespace wirelaw::umsp
