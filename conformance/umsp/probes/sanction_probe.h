// SPDX-License-Identifier: Apache-2.0
// What the cases speak through whose IUT executes jobs that a third node controls (RFC 3018 5.2): node 0 of ours opens
// sessions, node 1 is the control point (JCP) that the IUT has to ask.
#pragma once

#include <optional>

#include "conformance/umsp/probes/executor_probe.h"
#include "conformance/umsp/probes/party.h"

namespace wirelaw::umsp {

class SanctionProbe : public ExecutorProbe {
 public:
  explicit SanctionProbe(CaseRun& run);

  // Sends the first SESSION_OPEN of a session of a new job, or of that one.
  void open() { open(new_job(jcp.self())); }
  void open(const Identifier& gjid);
  // TASK_REG that the JCP gets for it; inconclusive where none comes.
  std::optional<TaskReg> registration();
  Draft confirm(std::uint64_t ctid) const;
  Draft reject() const { return TaskReject{{1, 0}}.draft(); }
  void answer(Draft draft);
  void answer_good(Draft draft);
  // The rest of the handshake: the session that the IUT has opened then.
  std::optional<OpenSession> finish() { return finish_opening(wanted, ours); }
  // What the opener gets: SESSION_OPEN, SESSION_ACCEPT or SESSION_REJECT.
  std::optional<Received> opening_answer();
  // All of it: a session, shown to serve, of a task that was registered.
  bool serve(std::optional<std::uint16_t> period = {});
  // Whether the session still executes: its answer to a request comes.
  bool is_served();
  // The answer to STATE_REQ: TASK_STATE or NODE_RELOAD at the JCP.
  std::optional<Received> state_of(TaskId ltid);
  // Connections are not ordered among each other: whether all that was sent on that of the JCP, or on that of the
  // session, has come to the IUT, shown by its answer to what was sent behind it.
  bool has_all_of_jcp();
  bool has_all_of_opener();

  Party jcp;
  SessionOpen wanted;
  std::uint32_t ours = 0;
  std::uint32_t req_id = 0;  // of the TASK_REG
  TaskReg task;              // as registered
  OpenSession session;
};

// Its session is open and serves.
class SanctionedSession : public SanctionProbe {
 public:
  explicit SanctionedSession(CaseRun& run) : SanctionProbe(run) {
    if (ok()) serve();
  }
};

}  // namespace wirelaw::umsp
