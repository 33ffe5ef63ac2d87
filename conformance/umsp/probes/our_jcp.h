// SPDX-License-Identifier: Apache-2.0
// A node of ours that is the control point of jobs of which another node of ours opens sessions. It records and
// confirms all requests of the IUT (RFC 3018 5.2). The IUT may use a connection that we have made, or make one itself;
// both are read.
//
//   OurJcp jcp(executor.run());
//   executor.send(…);                                    // SESSION_OPEN with a GJID of jcp.self()
//   jcp.serve_until(executor, {Opcode::session_accept});  // answers TASK_REG and TASK_CHK meanwhile
#pragma once

#include <cstdint>
#include <deque>
#include <initializer_list>
#include <optional>

#include "conformance/umsp/probes/executor_probe.h"
#include "conformance/umsp/probes/line.h"

namespace wirelaw::umsp {

class OurJcp {
 public:
  explicit OurJcp(CaseRun& run, unsigned node = 1);

  bool ok() const { return ours_.ok() && theirs_.ok(); }
  NodeAddress self() const { return ours_.self(); }

  // Answers until one of these codes arrives on that line, or the time to answer has passed.
  std::optional<Received> serve_until(Line& line, std::initializer_list<Opcode> codes);
  // Answers during the time of silence.
  void serve(Line& line);
  // Performs the whole handshake of a session that another node opens.
  std::optional<OpenSession> open_session(ExecutorProbe& opener, const SessionOpen& open);

  // All TASK_REGs so far.
  const std::deque<Received>& registrations() const { return registrations_; }

 private:
  // Reads what arrives on the line until the deadline.
  void take(Line& line, Instant deadline);

  Line ours_, theirs_;
  std::deque<Received> registrations_;
  std::uint64_t last_ctid_ = 0x2000;
};

}  // namespace wirelaw::umsp
