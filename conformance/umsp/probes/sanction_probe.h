// SPDX-License-Identifier: Apache-2.0
// The probe for an IUT that executes jobs which a third node controls (RFC 3018 5.2). Our node 0 opens sessions, and
// node 1 is the control point (JCP) that the IUT has to ask.
#pragma once

#include <optional>

#include "conformance/umsp/probes/executor_probe.h"
#include "conformance/umsp/probes/party.h"

namespace wirelaw::umsp {

class SanctionProbe : public ExecutorProbe {
 public:
  explicit SanctionProbe(CaseRun& run);

  // Sends the first SESSION_OPEN of a session of a new job, or of the given one.
  void open() { open(new_job(jcp.self())); }
  void open(const Identifier& gjid);
  // The TASK_REG that the JCP gets for it; inconclusive if none arrives.
  std::optional<TaskReg> registration();
  Draft confirm(std::uint64_t ctid) const;
  Draft reject() const { return TaskReject{{1, 0}}.draft(); }
  void answer(Draft draft);
  void answer_good(Draft draft);
  // Completes the handshake, and returns the session that the IUT has opened.
  std::optional<OpenSession> finish() { return finish_opening(wanted, ours); }
  // The answer to the opener: SESSION_OPEN, SESSION_ACCEPT or SESSION_REJECT.
  std::optional<Received> opening_answer();
  // Performs all of it: a working session of a registered task.
  bool serve(std::optional<std::uint16_t> period = {});
  // True if the session still answers a request.
  bool is_served();
  // The answer to STATE_REQ that the JCP gets: TASK_STATE or NODE_RELOAD.
  std::optional<Received> state_of(TaskId ltid);
  // Connections are not ordered among each other. True if the IUT has received everything on the connection of the JCP,
  // or on that of the session: it has answered what was sent last.
  bool has_all_of_jcp();
  bool has_all_of_opener();

  Party jcp;
  SessionOpen wanted;
  std::uint32_t ours = 0;
  std::uint32_t req_id = 0;  // REQ_ID of the TASK_REG
  TaskReg task;              // as registered
  OpenSession session;
};

// The session is open and works.
class SanctionedSession : public SanctionProbe {
 public:
  explicit SanctionedSession(CaseRun& run) : SanctionProbe(run) {
    if (ok()) serve();
  }
};

}  // namespace wirelaw::umsp
