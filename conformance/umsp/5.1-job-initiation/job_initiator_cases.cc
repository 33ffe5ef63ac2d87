// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 5.1 and 5.6, for an IUT that initiates. The parameter `jcp` declares that the node to which it
// connects controls its jobs.
#include "conformance/umsp/5-job-management/rules.h"
#include "conformance/umsp/5.1-job-initiation/rules.h"
#include "conformance/umsp/5.6-job-completion/rules.h"
#include "conformance/umsp/probes/case_file.h"
#include "conformance/umsp/probes/with_headers.h"

namespace wirelaw::umsp {
namespace {

class JobProbe : public InitiatorProbe {
 public:
  explicit JobProbe(CaseRun& run) : InitiatorProbe(run) {
    if (ok() && run.parameter("jcp") != "peer")
      skip("needs an IUT whose jobs are controlled by the node that it connects to: jcp=peer");
  }

  // Serves until CONTROL_REQ arrives. Our node answers it itself unless the hook prevents that.
  std::optional<Received> control_req() {
    auto one = serve_until(Opcode::control_req);
    if (!one) inconclusive("no CONTROL_REQ came");
    return one;
  }
  // Requires that the IUT open a session of the job.
  bool expect_begun(const Rule& rule, std::string_view explanation) {
    const auto open = serve_until(Opcode::session_open);
    return require(rule, open.has_value(), "SESSION_OPEN of the job", to_text(open), explanation);
  }
};

bool is_control_answer(const Draft& draft) {
  return draft.is(Opcode::control_confirm) || draft.is(Opcode::control_reject);
}

void registers_first(JobProbe& peer) {
  const auto first = peer.serve_until([](const Received& one) {
    return one.is_one_of({Opcode::control_req, Opcode::session_open});
  });
  peer.require_each({&rule<"UMSP-5.1-4">, &rule<"UMSP-5.1.1-1">}, first && first->is(Opcode::control_req),
                    "CONTROL_REQ", to_text(first), "a session of a job opens only after its control point controls it");
}

void repeats_gjid(JobProbe& peer) {
  std::optional<Identifier> given;
  peer.before_sending([&given](Draft& draft) {
    if (!draft.is(Opcode::control_confirm)) return true;
    const OctetBuffer octets = write(draft);
    if (const auto instruction = decode(octets))
      if (const auto confirm = ControlConfirm::read(*instruction)) given = confirm->gjid;
    return true;
  });
  const auto open = peer.serve_until(Opcode::session_open);
  const auto read = open ? SessionOpen::read(open->instruction) : std::nullopt;
  if (!given || !read) return peer.inconclusive("no job began, or none of its sessions opened");
  peer.require(rule<"UMSP-5-21">, read->gjid == *given, to_string(*given), to_string(read->gjid),
               "CONTROL_CONFIRM has assigned the GJID");
}

void leaves_confirmation_unanswered(JobProbe& peer) {
  const auto answer = peer.serve_until([](const Received& one) {
    return one.is_one_of({Opcode::rsp, Opcode::rsp_p, Opcode::session_open});
  });
  if (!answer) return peer.inconclusive("nothing comes after CONTROL_CONFIRM");
  peer.require(rule<"UMSP-5.1.2-5">, answer->is(Opcode::session_open), "SESSION_OPEN", to_text(answer),
               "CONTROL_CONFIRM needs no response");
}

void registers_no_first_task(JobProbe& peer) {
  const auto one = peer.serve_until([](const Received& received) {
    return received.is_one_of({Opcode::task_reg_2, Opcode::task_reg_4, Opcode::task_reg_8, Opcode::session_open});
  });
  if (!one) return peer.inconclusive("nothing comes after CONTROL_CONFIRM");
  peer.require(rule<"UMSP-5.1.2-11">, one->is(Opcode::session_open), "SESSION_OPEN", to_text(one),
               "CONTROL_REQ has already requested the task");
}

template <unsigned kHeader>
void takes_confirmation_with_header(JobProbe& peer) {
  peer.before_sending([](Draft& draft) {
    if (draft.is(Opcode::control_confirm)) draft = kHeaders[kHeader].add(std::move(draft));
    return true;
  });
  peer.expect_begun(rule<"UMSP-5.1.2-6">, kHeaders[kHeader].name);
}

// ------------------------------------------------------------------------------------------------------ CONTROL_REJECT

// A later CONTROL_CONFIRM for a rejected request begins no job. The cases of CONTROL_CONFIRM show that it begins the
// job otherwise.
void reject(JobProbe& peer, std::initializer_list<const Rule*> rules, Opcode opcode,
            std::initializer_list<OwnedExtension> extensions, std::string_view explanation) {
  std::optional<Draft> confirm;
  peer.before_sending([&confirm](Draft& draft) {
    if (!is_control_answer(draft)) return true;
    confirm = draft;
    return false;
  });
  if (!peer.control_req()) return;
  if (!confirm) return peer.inconclusive("our node does not take control");
  Draft rejection = ControlReject{{1, 0}}.draft();
  rejection.opcode = static_cast<std::uint8_t>(opcode);
  rejection.extensions = extensions;
  rejection.req_id = confirm->req_id;
  peer.send(rejection);
  peer.send(*confirm);
  const auto open =
      peer.serve_for(peer.run().silence_time(), [](const Received& one) { return one.is(Opcode::session_open); });
  peer.require_each(rules, !open, "no session of the job", to_text(open), explanation);
}

void takes_rejection(JobProbe& peer) {
  reject(peer, {&rule<"UMSP-5.1.3-3">}, Opcode::control_reject, {}, "control was refused, with OPCODE 5");
}
void takes_rejection_with_opcode_4(JobProbe& peer) {
  reject(peer, {&rule<"UMSP-5.1.3-3">}, Opcode::control_confirm, {}, "control was refused, with OPCODE 4");
}
void takes_rejection_with_message(JobProbe& peer) {
  reject(peer, {&rule<"UMSP-5.1.3-8">, &rule<"UMSP-5.1.3-16">}, Opcode::control_reject,
         {text_extension(HeadCode::msg, "no room")}, "control was refused, with _MSG");
}
void takes_rejection_with_alignment(JobProbe& peer) {
  reject(peer, {&rule<"UMSP-5.1.3-8">}, Opcode::control_reject, {{HeadCode::alignment, OctetBuffer(4)}},
         "control was refused, with _ALIGNMENT");
}
void takes_rejection_with_period(JobProbe& peer) {
  reject(peer, {&rule<"UMSP-5.1.3-15">}, Opcode::control_reject, {inaction_extension(120)},
         "control was refused, with _INACTION_TIME");
}

void leaves_rejection_unanswered(JobProbe& peer) {
  peer.before_sending([](Draft& draft) {
    if (!is_control_answer(draft)) return true;
    const auto req_id = draft.req_id;
    draft = ControlReject{{1, 0}}.draft();
    draft.req_id = req_id;
    return true;
  });
  if (!peer.control_req()) return;
  const auto answer = peer.serve_for(peer.run().silence_time(), [](const Received& one) {
    return one.is_one_of({Opcode::rsp, Opcode::rsp_p});
  });
  peer.require(rule<"UMSP-5.1.3-7">, !answer, "nothing", to_text(answer), "CONTROL_REJECT needs no response");
}

// ------------------------------------------------------------------------------------------------------------- the end

// Our node refuses the closing of the session, so the end of the job has to end the session.
void abends_sessions_of_its_job(JobProbe& peer) {
  peer.before_sending([](Draft& draft) {
    if (draft.is(Opcode::rsp_p) && draft.req_id.value_or(0) == 0)
      draft.operands = codes_draft(Opcode::rsp_p, {1, 0}).operands;
    return true;
  });
  if (!peer.serve_until(Opcode::session_close)) return peer.skip("the IUT did not close its session");
  const auto end = peer.serve_until([](const Received& one) {
    return one.is_one_of({Opcode::job_completed, Opcode::session_abend});
  });
  if (!end || !end->is(Opcode::job_completed)) return peer.skip("the IUT did not end its job while it had a session");
  const auto abend = peer.serve_until(Opcode::session_abend);
  peer.require(rule<"UMSP-5.6.1-11">, abend.has_value(), "SESSION_ABEND", to_text(abend), "JOB_COMPLETED has come");
}

const CaseRow kRows[] = {
    {"job/initiator-asks-for-control-first",
     {&rule<"UMSP-5.1-4">, &rule<"UMSP-5.1.1-1">},
     "The IUT asks its control point to take a job before it opens a session.",
     with<registers_first>()},
    {"job/initiator-repeats-the-gjid",
     {&rule<"UMSP-5-21">},
     "The IUT opens sessions with the GJID that the control point assigned.",
     with<repeats_gjid>()},
    {"job/initiator-leaves-control-confirm-unanswered",
     {&rule<"UMSP-5.1.2-5">},
     "The IUT sends no response to CONTROL_CONFIRM.",
     with<leaves_confirmation_unanswered>()},
    {"job/initiator-registers-no-first-task",
     {&rule<"UMSP-5.1.2-11">},
     "The IUT sends no TASK_REG for the first task.",
     with<registers_no_first_task>()},
    {"job/initiator-takes-control-confirm-with-a-message",
     {&rule<"UMSP-5.1.2-6">},
     "The IUT accepts CONTROL_CONFIRM with _MSG.",
     with<takes_confirmation_with_header<0>>()},
    {"job/initiator-takes-control-confirm-with-alignment",
     {&rule<"UMSP-5.1.2-6">},
     "The IUT accepts CONTROL_CONFIRM with _ALIGNMENT.",
     with<takes_confirmation_with_header<1>>()},
    {"job/initiator-takes-control-reject",
     {&rule<"UMSP-5.1.3-3">},
     "The IUT accepts CONTROL_REJECT with OPCODE 5.",
     with<takes_rejection>()},
    {"job/initiator-takes-control-reject-with-opcode-4",
     {&rule<"UMSP-5.1.3-3">},
     "The IUT accepts CONTROL_REJECT with OPCODE 4.",
     with<takes_rejection_with_opcode_4>()},
    {"job/initiator-takes-control-reject-with-a-message",
     {&rule<"UMSP-5.1.3-8">, &rule<"UMSP-5.1.3-16">},
     "The IUT accepts CONTROL_REJECT with _MSG.",
     with<takes_rejection_with_message>()},
    {"job/initiator-takes-control-reject-with-alignment",
     {&rule<"UMSP-5.1.3-8">},
     "The IUT accepts CONTROL_REJECT with _ALIGNMENT.",
     with<takes_rejection_with_alignment>()},
    {"job/initiator-takes-control-reject-with-a-period",
     {&rule<"UMSP-5.1.3-15">},
     "The IUT accepts CONTROL_REJECT with _INACTION_TIME.",
     with<takes_rejection_with_period>()},
    {"job/initiator-leaves-control-reject-unanswered",
     {&rule<"UMSP-5.1.3-7">},
     "The IUT sends no response to CONTROL_REJECT.",
     with<leaves_rejection_unanswered>()},
    {"job/initiator-abends-sessions-of-its-job",
     {&rule<"UMSP-5.6.1-11">},
     "The IUT sends SESSION_ABEND on each session after JOB_COMPLETED.",
     with<abends_sessions_of_its_job>()},
};

}  // namespace

std::vector<Case> job_initiator_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::umsp
