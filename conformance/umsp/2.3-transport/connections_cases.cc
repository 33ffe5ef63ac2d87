// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 2.2, 2.3 and 3.4: connections, datagrams and segments, and their relation to jobs and sessions.
#include <algorithm>
#include <vector>

#include "conformance/umsp/2.1-addresses/rules.h"
#include "conformance/umsp/2.3-transport/rules.h"
#include "conformance/umsp/probes/case_file.h"
#include "conformance/umsp/probes/datagram_session.h"
#include "conformance/umsp/probes/write_attempt.h"

namespace wirelaw::umsp {
namespace {

constexpr std::uint16_t kChain = 0x0203;

// ------------------------------------------------------------------------------------------------ TCP and its segments

void serves_by_tcp(ExecutorProbe& peer, const Rule& judged) {
  const SessionOpen open = peer.good_open();
  const std::uint32_t ours = peer.new_session();
  peer.send(peer.first_open(open, ours));
  const auto answer = peer.next_of({Opcode::session_open, Opcode::session_accept, Opcode::session_reject});
  peer.require(judged, answer.has_value(), "an answer to SESSION_OPEN", to_text(answer),
               "The WRITE comes over a TCP connection.");
}

void takes_from_several_segments(ServedSession& peer) {
  for (const std::size_t first : {1u, 3u, 9u}) {
    const WriteAttempt attempt(peer);
    const OctetBuffer octets = write(attempt.draft);
    peer.send_octets(Octets(octets).first(first));
    peer.send_octets(Octets(octets).subspan(first));
    expect_executed(peer, {&rule<"UMSP-2.3-20">}, attempt, "The WRITE comes in two segments.");
  }
}

void executes_all_of_a_segment(ServedSession& peer) {
  const auto octets = static_cast<std::uint32_t>(short_write(peer));
  const OctetBuffer first = peer.fresh(octets), last = peer.fresh(octets);
  const Draft drafts[] = {peer.asking(peer.session(), peer.write_draft(peer.address(), first)),
                          peer.asking(peer.session(), peer.read_draft(peer.address(), octets)),
                          peer.asking(peer.session(), peer.write_draft(peer.address(), last))};
  peer.send_together({drafts[0], drafts[1], drafts[2]});
  unsigned answered = 0;
  std::vector<std::uint32_t> open;
  for (const Draft& draft : drafts) open.push_back(*draft.req_id);
  const Instant deadline = peer.CaseProbe::in(peer.run().answer_time());
  while (answered < std::size(drafts)) {
    const auto one = peer.next(deadline);
    if (!one) break;
    if (one->instruction.header.ask && std::ranges::count(open, one->req_id()) > 0) ++answered;
  }
  require_each(peer, {&rule<"UMSP-2.3-20">, &rule<"UMSP-2.3-21">}, answered == std::size(drafts),
               "a response to each of three", "responses to some", "Two WRITE and a REQ_DATA come in one segment.");
  const auto there = peer.read(peer.session(), peer.address(), octets);
  require_each(peer, {&rule<"UMSP-2.3-20">, &rule<"UMSP-2.3-21">}, there == last, "the octets of the last WRITE",
               "other octets");
}

// ------------------------------------------------------------------------------------------------- several connections

// Sends the request over `other`, and accepts the answer on either connection.
std::optional<Received> request_over(Line& other, ServedSession& peer, const Draft& draft) {
  other.send(draft);
  auto answer = ExecutorProbe::answer_on(other, peer.session(), *draft.req_id);
  return answer ? std::move(answer) : peer.answer_to(peer.session(), *draft.req_id);
}

void serves_over(Line& other, ServedSession& peer, const Rule& judged, std::string_view explanation) {
  const OctetBuffer octets = peer.fresh(short_write(peer));
  const auto written = request_over(other, peer, peer.asking(peer.session(), peer.write_draft(peer.address(), octets)));
  other.require(judged, ExecutorProbe::says_done(written), "a response that reports its execution", to_text(written),
                explanation);
  const auto read = request_over(
      other, peer,
      peer.asking(peer.session(), peer.read_draft(peer.address(), static_cast<std::uint32_t>(octets.size()))));
  const bool same = read && read->is(Opcode::data) && read->instruction.operands.size() >= octets.size() &&
                    std::ranges::equal(read->instruction.operands.first(octets.size()), octets);
  other.require(judged, same, "the written octets", to_text(read), explanation);
}

void serves_session_on_other_connection(ServedSession& peer) {
  Line other(peer.run());
  serves_over(other, peer, rule<"UMSP-3.4-11">, "The session was opened on another connection of the same node.");
}

void serves_two_connections(ServedSession& peer) {
  ExecutorProbe other(peer.run());
  const SessionOpen open = other.good_open(peer.new_job());
  const std::uint32_t ours = peer.new_session();
  other.send(other.first_open(open, ours));
  const auto answer = other.next_of({Opcode::session_open, Opcode::session_accept, Opcode::session_reject});
  require_each(other, {&rule<"UMSP-2.3-7">, &rule<"UMSP-3.4-10">}, answer.has_value(), "an answer to SESSION_OPEN",
               to_text(answer), "The WRITE comes on a second connection of the node, from another port.");
  peer.expect_served(rule<"UMSP-2.3-7">, peer.session(), "The first connection is still served.");
}

void keeps_session_over_end_of_connection(ServedSession& peer) {
  Line other(peer.run());
  peer.end(Ending::closed);
  const OctetBuffer octets = peer.fresh(short_write(peer));
  const Draft draft = peer.asking(peer.session(), peer.write_draft(peer.address(), octets));
  other.send(draft);
  const auto written = ExecutorProbe::answer_on(other, peer.session(), *draft.req_id);
  other.require(rule<"UMSP-2.3-8">, ExecutorProbe::says_done(written), "a response that reports its execution",
                to_text(written), "The connection on which the session was opened has ended, and another one is open.");
}

// The last instruction of a sequence arrives first, over another connection.
void takes_any_order(ExecutorProbe& peer) {
  const auto memory = peer.memory();
  SessionOpen open = peer.good_open();
  open.required_vm = {};  // makes the IUT answer with a SESSION_OPEN, which names its window
  const auto session = memory ? peer.open_session(open) : std::nullopt;
  if (!session) return;
  peer.show_served(*session);
  if (!offers(peer, *session, ProfileFlag::sequences, kNeedsSequences)) return;
  if (session->window == 0) return peer.skip("needs an IUT that offers a session window");
  const std::size_t octets = peer.address_octets() == 2 ? 2 : 4;
  const OctetBuffer before = peer.fresh(octets), last = peer.fresh(octets);
  Line other(peer.run());
  other.send(in_sequence(ExecutorProbe::in(*session, peer.write_draft(memory->address, last)), kChain, 1));
  other.send(end_of_sequence(*session, kChain, 2));
  if (!peer.is_silent({Opcode::session_abend})) return peer.inconclusive("the session ended");
  const Draft first = in_sequence(peer.asking(*session, peer.write_draft(memory->address, before)), kChain, 0);
  peer.send(first);
  auto done = peer.answer_to(*session, *first.req_id);
  if (!done) done = ExecutorProbe::answer_on(other, *session, *first.req_id);
  peer.expect_done(rule<"UMSP-2.3-13">, done, "The first instruction of a sequence comes after the others.");
  peer.expect_written(rule<"UMSP-2.3-13">, *session, memory->address, last,
                      "The second WRITE came before the first one.");
}

void has_several_sessions(ServedSession& peer) {
  for (unsigned count = 0; count < 2 && peer.ok(); ++count) {
    const SessionOpen open = peer.good_open();
    const std::uint32_t ours = peer.new_session();
    peer.send(peer.first_open(open, ours));
    const auto answer = peer.next_of({Opcode::session_open, Opcode::session_accept, Opcode::session_reject});
    peer.require(rule<"UMSP-2.3-18">, answer && !answer->is(Opcode::session_reject), "SESSION_ACCEPT or SESSION_OPEN",
                 to_text(answer), "The two nodes also have a session of another job.");
  }
  peer.expect_served(rule<"UMSP-2.3-18">, peer.session(), "The first session is served beside the others.");
}

// ----------------------------------------------------------------------------------------------------------- datagrams

// True if a VM_NOTIF of the IUT names UDP (9.2).
bool offers_datagrams(ExecutorProbe& peer) {
  Draft req = VmReq{{peer.vm()}}.draft();
  peer.send_good(req);
  const Instant deadline = peer.CaseProbe::in(peer.run().answer_time());
  while (const auto one = peer.next(deadline)) {
    const auto notif = one->is(Opcode::vm_notif) ? VmNotif::read(one->instruction) : std::nullopt;
    if (notif && (notif->transport == 0x0102 || notif->transport == 0x0103)) return true;
  }
  if (peer.ok()) peer.skip("needs an IUT that notifies of a VM over UDP");
  return false;
}

// The answer to a VM_REQ in the same datagram shows that the datagram arrived.
void takes_datagrams(DatagramSession& peer) {
  if (!peer.ready() || !offers_datagrams(peer)) return;
  const Written judged = peer.written();
  bool has_come = false, is_there = false;
  for (unsigned tried = 0; tried < kDatagramTries && peer.ready() && !has_come && !is_there; ++tried) {
    peer.datagrams().send_together({judged.draft, VmReq{}.draft()});
    has_come = peer.datagrams().next_of({Opcode::vm_notif}).has_value();
    is_there = peer.has(judged);
  }
  if (!has_come && !is_there) return peer.inconclusive("nothing shows that datagrams arrive");
  require_each(peer, {&rule<"UMSP-3.4-10">, &rule<"UMSP-3.4-9">}, is_there, "the written octets", "other octets",
               "A WRITE with ASK 0 comes by UDP from a port of the tester, with a VM_REQ that is answered.");
}

// ---------------------------------------------------------------------------------------------------------------- jobs

// Two of our nodes open sessions of one job with the IUT. The first one is the JCP and confirms the second.
std::optional<OpenSession> open_beside(ServedSession& jcp, ExecutorProbe& other) {
  const SessionOpen open = other.good_open(jcp.session().gjid);
  const std::uint32_t ours = jcp.new_session();
  other.send(other.first_open(open, ours));
  const auto asked = jcp.next(jcp.CaseProbe::in(jcp.run().silence_time()));
  if (asked && asked->is_one_of({Opcode::task_reg_2, Opcode::task_reg_4, Opcode::task_reg_8})) {
    jcp.require(rule<"UMSP-2.2-2">, false, "TASK_CHK, or nothing", to_text(asked), "The job has a task on the IUT.");
    return std::nullopt;
  }
  if (asked && asked->is(Opcode::task_chk)) {
    Draft confirm = TaskConfirm{jcp.format().task_id(0x4712)}.draft();
    confirm.req_id = asked->req_id();
    jcp.send_good(confirm);
  }
  return other.finish_opening(open, ours);
}

void has_one_task(ServedSession& peer) {
  ExecutorProbe other(peer.run(), {.node = 1});
  if (!other.ok()) return;
  const auto session = open_beside(peer, other);
  if (!session) return;
  const OctetBuffer octets = peer.fresh(short_write(peer));
  if (!peer.write(peer.session(), peer.address(), octets)) return peer.inconclusive("a WRITE was not executed");
  const auto there = other.read(*session, peer.address(), static_cast<std::uint32_t>(octets.size()));
  if (!there) return peer.inconclusive("the other node did not read the memory");
  peer.require(rule<"UMSP-2.2-2">, there == octets, "the octets that the other session has written", "other octets",
               "Both sessions are of one job.");
}

void ends_task_with_job(ServedSession& peer) {
  peer.send(JobCompletedInfo{Codes{}, peer.session().gjid}.draft());
  peer.is_silent({Opcode::session_abend});
  const auto there = peer.request(peer.session(), peer.read_draft(peer.address(), 2));
  peer.require(rule<"UMSP-2.2-3">, !ExecutorProbe::says_done(there), "the end of the task", to_text(there),
               "The JCP has reported the end of the job.");
}

std::optional<Identifier> registered(ExecutorProbe& peer, std::uint64_t ltid) {
  Draft req = ControlReq{{}, peer.format().task_id(ltid)}.draft();
  req.req_id = peer.new_request();
  peer.send(req);
  const auto answer = peer.next_of({Opcode::control_confirm, Opcode::control_reject});
  const auto confirm = answer ? ControlConfirm::read(answer->instruction) : std::nullopt;
  if (!confirm || !answer->is(Opcode::control_confirm)) {
    if (peer.ok()) peer.inconclusive("the IUT does not confirm control of a job");
    return std::nullopt;
  }
  return confirm->gjid;
}

void gives_each_job_its_gjid(ExecutorProbe& peer) {
  const auto first = registered(peer, 0x2201), second = registered(peer, 0x2202);
  if (!first || !second) return;
  peer.require(rule<"UMSP-2.2-10">, encode(*first) != encode(*second), "another GJID", to_string(*second),
               "Two jobs are registered, and neither has ended.");
}

const CaseRow kRows[] = {
    {"connection/tcp-is-served",
     {&rule<"UMSP-2.3-6">},
     "The IUT accepts a TCP connection, and answers SESSION_OPEN on it.",
     with<ExecutorProbe>([](ExecutorProbe& peer) { serves_by_tcp(peer, rule<"UMSP-2.3-6">); })},
    {"connection/instruction-in-several-segments",
     {&rule<"UMSP-2.3-20">},
     "The IUT executes a WRITE that arrives in several segments.",
     with<takes_from_several_segments>()},
    {"connection/segment-of-several-instructions",
     {&rule<"UMSP-2.3-20">, &rule<"UMSP-2.3-21">},
     "The IUT executes all instructions of a segment.",
     with<executes_all_of_a_segment>()},
    {"connection/session-on-another-one",
     {&rule<"UMSP-3.4-11">},
     "The IUT serves a session on a connection other than that on which it was opened.",
     with<serves_session_on_other_connection>()},
    {"connection/two-at-a-time",
     {&rule<"UMSP-2.3-7">, &rule<"UMSP-3.4-10">},
     "The IUT serves two connections of a node at a time, from any ports.",
     with<serves_two_connections>()},
    {"connection/end-does-not-end-the-session",
     {&rule<"UMSP-2.3-8">},
     "The IUT keeps a session when the connection on which it was opened ends.",
     with<keeps_session_over_end_of_connection>()},
    {"connection/any-order-of-two",
     {&rule<"UMSP-2.3-13">},
     "The IUT executes a sequence over two connections whose end arrives first.",
     with<takes_any_order>()},
    {"connection/several-sessions",
     {&rule<"UMSP-2.3-18">},
     "The IUT serves sessions of several jobs at a time.",
     with<has_several_sessions>()},
    {"connection/datagrams-are-taken",
     {&rule<"UMSP-3.4-9">, &rule<"UMSP-3.4-10">},
     "The IUT executes a WRITE with ASK 0 that arrives by UDP, if it offers UDP.",
     with<takes_datagrams>()},
    {"connection/one-task-of-two-sessions",
     {&rule<"UMSP-2.2-2">},
     "The IUT gives sessions of two nodes in one job the same task, whose memory they share.",
     with<has_one_task>()},
    {"connection/job-ends-its-task",
     {&rule<"UMSP-2.2-3">},
     "The IUT ends the task with its job.",
     with<ends_task_with_job>()},
    {"connection/jcp-gives-each-job-its-gjid",
     {&rule<"UMSP-2.2-10">},
     "The IUT assigns two jobs different GJIDs.",
     with<gives_each_job_its_gjid>()},
};

}  // namespace

std::vector<Case> connections_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::umsp
