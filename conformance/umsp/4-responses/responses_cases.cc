// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 4 and 4.1: responses and their requests.
#include <utility>

#include "conformance/umsp/4-responses/rules.h"
#include "conformance/umsp/probes/case_file.h"
#include "conformance/umsp/probes/party.h"
#include "conformance/umsp/probes/write_attempt.h"

namespace wirelaw::umsp {
namespace {

constexpr std::uint32_t kNobodyAsked = 0x00f0'0f00;

// ---------------------------------------------------------------------------------------------- unrequested responses

Draft response_of(Opcode opcode, Codes codes, std::uint32_t req_id) {
  Draft draft = codes_draft(opcode, codes);
  draft.req_id = req_id;
  return draft;
}

void takes_unasked(ServedSession& peer, Opcode opcode, const Rule& judged) {
  for (const Codes codes : {Codes{}, Codes{7, 1}}) {
    peer.send(ExecutorProbe::in(peer.session(), response_of(opcode, codes, kNobodyAsked)));
    peer.expect_silence(judged, {Opcode::session_abend, Opcode::session_close, Opcode::rsp, Opcode::rsp_p},
                        "A response has a REQ_ID that the IUT has not used.");
    peer.expect_served(judged, peer.session(), "The session continues after a response to no request.");
  }
}

// The IUT has asked the JCP, one of our nodes, for permission. A response to another request changes nothing.
void takes_answer_of_its_request(ExecutorProbe& peer) {
  Party jcp(peer.run(), 1);
  if (!jcp.ok()) return;
  const SessionOpen open = peer.good_open(peer.new_job(jcp.self()));
  const std::uint32_t ours = peer.new_session();
  peer.send_good(peer.first_open(open, ours));
  const auto asked = jcp.next_of({Opcode::task_reg_2, Opcode::task_reg_4, Opcode::task_reg_8});
  if (!asked) return peer.inconclusive("no TASK_REG came on the connection of the JCP");
  Draft reject = TaskReject{Codes{5, 0}}.draft();
  reject.req_id = asked->req_id() ^ kNobodyAsked;
  jcp.send(reject);
  peer.expect_silence(rule<"UMSP-4-5">, {Opcode::session_reject, Opcode::session_open, Opcode::session_accept},
                      "TASK_REJECT has another REQ_ID than the TASK_REG.");
  Draft confirm = TaskConfirm{peer.format().task_id(0x4711)}.draft();
  confirm.req_id = asked->req_id();
  jcp.send(confirm);
  const auto answer = peer.next_of({Opcode::session_reject, Opcode::session_open, Opcode::session_accept});
  peer.require(rule<"UMSP-4-5">, answer && !answer->is(Opcode::session_reject), "SESSION_ACCEPT or SESSION_OPEN",
               to_text(answer), "TASK_CONFIRM has the REQ_ID of the TASK_REG.");
}

void keeps_sessions_apart(ServedSession& peer) {
  const auto second = peer.open_session();
  if (!second) return;
  peer.show_served(*second);
  const OctetBuffer octets = peer.fresh(short_write(peer));
  Draft mine = peer.asking(peer.session(), peer.write_draft(peer.address(), octets));
  Draft other = ExecutorProbe::in(*second, peer.read_draft(peer.address(), 4));
  other.req_id = mine.req_id;
  peer.send(mine);
  const auto written = peer.answer_to(peer.session(), *mine.req_id);
  require_each(peer, {&rule<"UMSP-4-12">, &rule<"UMSP-4-13">}, written && written->is_positive(), "a positive RSP",
               to_text(written), "The first session sends a WRITE.");
  peer.send(other);
  const auto read = peer.answer_to(*second, *mine.req_id);
  require_each(peer, {&rule<"UMSP-4-12">, &rule<"UMSP-4-13">}, read && read->is(Opcode::data),
               "DATA in the second session", to_text(read),
               "A REQ_DATA of the second session has the REQ_ID of the first session's WRITE.");
}

// -------------------------------------------------------------------------------------- how the IUT handles responses

bool is_write(std::uint8_t opcode) {
  return opcode >= static_cast<std::uint8_t>(Opcode::write_2) && opcode <= static_cast<std::uint8_t>(Opcode::write_ext);
}

using Change = void (*)(Draft& response);

// `change` alters our positive RSP to a WRITE of the IUT. The IUT still takes it as positive and continues.
void expect_goes_on(InitiatorProbe& peer, std::initializer_list<const Rule*> rules, Change change,
                    std::string_view explanation) {
  std::uint8_t asked = 0;
  bool sent = false, sent_before = false;
  peer.before_taking([&asked](const Received& one) {
    asked = one.instruction.opcode();
    return true;
  });
  peer.before_sending([&](Draft& draft) {
    if (!draft.is(Opcode::rsp) || !is_write(asked) || sent) return true;
    change(draft);
    return sent = true;
  });
  const auto next = peer.serve_until([&](const Received&) { return std::exchange(sent_before, sent); });
  peer.before_taking({});
  peer.before_sending({});
  if (!sent) return peer.skip("needs an IUT that sends a WRITE");
  require_each(peer, rules, next && !next->is(Opcode::session_abend), "the next instruction of the session",
               to_text(next), explanation);
}

// `change` alters our positive RSP_P to SESSION_CLOSE of the IUT. The IUT still ends the session.
void expect_closes(InitiatorProbe& peer, std::initializer_list<const Rule*> rules, Change change,
                   std::string_view explanation) {
  bool sent = false;
  peer.before_sending([&](Draft& draft) {
    if (!draft.is(Opcode::rsp_p)) return true;
    change(draft);
    return sent = true;
  });
  const auto abend = peer.serve_until(Opcode::session_abend);
  peer.before_sending({});
  if (!sent) return peer.skip("needs an IUT that closes its session");
  require_each(peer, rules, abend.has_value(), "SESSION_ABEND", to_text(abend), explanation);
}

void as_it_is(Draft&) {}
void without_operands(Draft& draft) {
  draft.operands.clear();
}
void with_zeros(Draft& draft) {
  draft.operands.assign(4, 0);
}
void with_additional_code(Draft& draft) {
  draft.operands = {0, 0, 0x12, 0x34};
}

const CaseRow kRows[] = {
    {"response/unasked-rsp-changes-nothing",
     {&rule<"UMSP-4-6">},
     "The IUT keeps a session after a response between VMs that answers nothing.",
     with<ServedSession>([](ServedSession& peer) { takes_unasked(peer, Opcode::rsp, rule<"UMSP-4-6">); })},
    {"response/unasked-rsp-is-not-answered",
     {&rule<"UMSP-4-11">},
     "The IUT does not answer a response, even with ASK 1.",
     with<ServedSession>([](ServedSession& peer) { takes_unasked(peer, Opcode::rsp, rule<"UMSP-4-11">); })},
    {"response/unasked-rsp-p-changes-nothing",
     {&rule<"UMSP-4.1-22">},
     "The IUT ignores RSP_P that answers nothing.",
     with<ServedSession>([](ServedSession& peer) { takes_unasked(peer, Opcode::rsp_p, rule<"UMSP-4.1-22">); })},
    {"response/of-another-request-changes-nothing",
     {&rule<"UMSP-4-5">},
     "The IUT does not accept TASK_REJECT with another REQ_ID as the answer to its TASK_REG.",
     with<takes_answer_of_its_request>()},
    {"response/one-req-id-in-two-sessions",
     {&rule<"UMSP-4-12">, &rule<"UMSP-4-13">},
     "The IUT serves two sessions that use the same REQ_ID.",
     with<keeps_sessions_apart>()},
    {"response/initiator-vm-gets-the-response",
     {&rule<"UMSP-4-7">},
     "The IUT continues after the response to its request.",
     with<InitiatorProbe>([](InitiatorProbe& peer) {
       expect_goes_on(peer, {&rule<"UMSP-4-7">}, as_it_is, "The response is a positive RSP.");
     })},
    {"response/initiator-takes-rsp-with-message",
     {&rule<"UMSP-4.1-5">, &rule<"UMSP-4.1-11">},
     "The IUT reads a positive RSP with a _MSG as positive.",
     with<InitiatorProbe>([](InitiatorProbe& peer) {
       expect_goes_on(peer, {&rule<"UMSP-4.1-11">, &rule<"UMSP-4.1-5">}, with_message,
                      "The response is a positive RSP with a _MSG.");
     })},
    {"response/initiator-takes-rsp-with-alignment",
     {&rule<"UMSP-4.1-5">},
     "The IUT accepts RSP with _ALIGNMENT.",
     with<InitiatorProbe>([](InitiatorProbe& peer) {
       expect_goes_on(peer, {&rule<"UMSP-4.1-5">}, with_alignment, "The response is a positive RSP with _ALIGNMENT.");
     })},
    {"response/initiator-takes-rsp-p-with-message",
     {&rule<"UMSP-4.1-5">, &rule<"UMSP-4.1-11">},
     "The IUT reads a positive RSP_P with a _MSG as positive.",
     with<InitiatorProbe>([](InitiatorProbe& peer) {
       expect_closes(peer, {&rule<"UMSP-4.1-11">, &rule<"UMSP-4.1-5">}, with_message,
                     "The response to SESSION_CLOSE is a positive RSP_P with a _MSG.");
     })},
    {"response/initiator-takes-rsp-p-with-alignment",
     {&rule<"UMSP-4.1-5">},
     "The IUT accepts RSP_P with _ALIGNMENT.",
     with<InitiatorProbe>([](InitiatorProbe& peer) {
       expect_closes(peer, {&rule<"UMSP-4.1-5">}, with_alignment,
                     "The response to SESSION_CLOSE is a positive RSP_P with _ALIGNMENT.");
     })},
    {"response/initiator-takes-no-operands-for-positive",
     {&rule<"UMSP-4.1-12">, &rule<"UMSP-4.1-13">},
     "The IUT reads a response without operands as positive, like one with zeros.",
     with<InitiatorProbe>([](InitiatorProbe& peer) {
       expect_goes_on(peer, {&rule<"UMSP-4.1-12">, &rule<"UMSP-4.1-13">}, without_operands,
                      "The response is RSP without operands.");
       expect_closes(peer, {&rule<"UMSP-4.1-12">, &rule<"UMSP-4.1-13">}, without_operands,
                     "The response is RSP_P without operands.");
     })},
    {"response/initiator-takes-zeros-for-positive",
     {&rule<"UMSP-4.1-15">},
     "The IUT reads a response with both codes 0 as positive.",
     with<InitiatorProbe>([](InitiatorProbe& peer) {
       expect_goes_on(peer, {&rule<"UMSP-4.1-15">}, with_zeros, "The response is RSP with both codes 0.");
       expect_closes(peer, {&rule<"UMSP-4.1-15">}, with_additional_code,
                     "The response is RSP_P with basic code 0 and an additional code.");
     })},
    {"response/initiator-takes-basic-code-0-for-positive",
     {&rule<"UMSP-4.1-15">},
     "The IUT reads basic code 0 as positive, whatever the additional code.",
     with<InitiatorProbe>([](InitiatorProbe& peer) {
       expect_goes_on(peer, {&rule<"UMSP-4.1-15">}, with_additional_code,
                      "The response is RSP with basic code 0 and an additional code.");
     })},
};

}  // namespace

std::vector<Case> responses_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::umsp
