// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 5.3 to 5.3.3: sessions are opened.
#include <algorithm>

#include "conformance/section.h"
#include "conformance/umsp/jobs.h"
#include "conformance/umsp/pair.h"
#include "conformance/umsp/parties.h"
#include "conformance/umsp/rules.h"
#include "conformance/umsp/sessions.h"

namespace wirelaw::umsp {
namespace {

constexpr Section kS5_3{"RFC 3018 5.3"};
constexpr Section kS5_3_1{"RFC 3018 5.3.1"};
constexpr Section kS5_3_2{"RFC 3018 5.3.2"};
constexpr Section kS5_3_3{"RFC 3018 5.3.3"};

constinit const Rule kJoinsTwoTasks = kS5_3.by(Observable::none)
                                          .must("UMSP-5.3-1", "A session joins two tasks of one job.",
                                                "what a session is: UMSP-5.3.1-21 and -23 say which fields name them");
constinit const Rule kOpenedForVm = kS5_3.of(Role::initiator)
                                        .by(Observable::api)
                                        .must("UMSP-5.3-2", "A session is opened when a VM asks for it.",
                                              "what is above or below the protocol layer is not on the wire");
constinit const Rule kOneTask =
    kS5_3.by(Observable::none)
        .must("UMSP-5.3-3", "One session belongs to one task on a node.", "SESSION_OPEN has room for one LTID");
constinit const Rule kSeveralSessionsOfATask =
    kS5_3.by(Observable::stimulus).must("UMSP-5.3-4", "A task can have sessions with several nodes.");
constinit const Rule kOneSessionOfAJob =
    kS5_3.resting_on(Evidence::absence)
        .must("UMSP-5.3-5",
              "Two nodes have no more than one session of one GJID: who accepts a second one leaves the first.",
              "UMSP/B11; a session that was replaced may still be named by SESSION_ABEND and by responses");
constinit const Rule kOpenHasGjid =
    kS5_3.of(Role::initiator)
        .by(Observable::none)
        .must("UMSP-5.3-6", "SESSION_OPEN contains a GJID.", "the form of SESSION_OPEN: UMSP-5.3.1-9");
constinit const Rule kUnknownJobMakesATask =
    kS5_3.of(Role::responder)
        .by(Observable::stimulus)
        .must("UMSP-5.3-7", "A SESSION_OPEN with a GJID that the node does not know makes a new task.");
constinit const Rule kKnownJobMakesNoTask =
    kS5_3.of(Role::responder)
        .by(Observable::stimulus)
        .must("UMSP-5.3-8",
              "A SESSION_OPEN with a GJID that the node has a task of makes no second task: no TASK_REG is sent.");
constinit const Rule kHandshakeOverTcp = kS5_3.by(Observable::none)
                                             .must("UMSP-5.3-9", "The handshake of a session goes over TCP.",
                                                   "one of the codes that never go over UDP: UMSP-5-3");
constinit const Rule kUdpAllowed =
    kS5_3.by(Observable::none)
        .may("UMSP-5.3-10", "Instructions of a session that need no response may go over UDP once it is open.",
             "a permission");
constinit const Rule kUdpAfterTcp =
    kS5_3.by(Observable::stimulus)
        .must("UMSP-5.3-11", "Instructions of a session go over UDP only after the session was opened over TCP.",
              "needs the TCP connections and the datagrams of two nodes at once");
constinit const Rule kSessionsShareAConnection =
    kS5_3.by(Observable::stimulus).must("UMSP-5.3-12", "Several sessions share one TCP connection.");
constinit const Rule kConnectionsShareASession =
    kS5_3.by(Observable::stimulus).must("UMSP-5.3-13", "One session uses several TCP connections.");
constinit const Rule kVmByDefault =
    kS5_3.of(Role::responder)
        .by(Observable::stimulus)
        .must("UMSP-5.3-14", "A node that works without sessions has a VM which executes such instructions.");
constinit const Rule kSidesAgree =
    kS5_3.by(Observable::none)
        .must("UMSP-5.3-15",
              "At the opening the sides agree on VM types and profiles: SESSION_ACCEPT takes what the last "
              "SESSION_OPEN said.",
              "SESSION_ACCEPT has no room for terms of its own; who departs from what was agreed breaks 5.3.4");
constinit const Rule kSidesMayDiffer =
    kS5_3.by(Observable::stimulus)
        .must("UMSP-5.3-16", "The two sides of a session can have VMs of different types and different profiles.");
constinit const Rule kTypeZeroIsAGroup =
    kS5_3.by(Observable::none)
        .must("UMSP-5.3-17", "VM type 0 means that the VM version is the number of a group.", "a definition");
constinit const Rule kVersionZeroWithTypeZero =
    kS5_3.must_not("UMSP-5.3-18", "A VM version of 0 comes only with a VM type of 0.",
                   "UMSP/B8; the text calls it the realization, of which there is no field: a breach is a warning");
constinit const Rule kTwoToEightSteps = kS5_3.by(Observable::none)
                                            .must("UMSP-5.3-19", "The handshake of a session has 2 to 8 steps.",
                                                  "UMSP-5.3.1-28 counts them; fewer than two make no session");
constinit const Rule kOpenAnswered =
    kS5_3_1.by(Observable::stimulus)
        .must("UMSP-5.3.1-1", "A SESSION_OPEN is answered by SESSION_OPEN, SESSION_ACCEPT or SESSION_REJECT.",
              "UMSP/B9; the document sets no time for the answer");
constinit const Rule kOpensInTurn =
    kS5_3_1.resting_on(Evidence::absence)
        .must("UMSP-5.3.1-2", "The sides send SESSION_OPEN in turn: none sends two without an answer between them.",
              "UMSP/B9");
constinit const Rule kFirstOpenWithoutSession =
    kS5_3_1.of(Role::initiator)
        .by(Observable::none)
        .must("UMSP-5.3.1-3", "The first SESSION_OPEN of a session has PCK 00.",
              "a first one with PCK 11 names a session that is not: UMSP-5.3.1-11 and, where that is 0, UMSP-5.8-6");
constinit const Rule kLaterOpenNamesSession =
    kS5_3_1.must("UMSP-5.3.1-4", "No SESSION_OPEN has PCK 01 or 10: the first has 00, each later one 11.",
                 "one with PCK 00 reads as the first of another session");
constinit const Rule kOpenChn = kS5_3_1.must("UMSP-5.3.1-5", "SESSION_OPEN has CHN 0.");
constinit const Rule kOpenAsk = kS5_3_1.must("UMSP-5.3.1-6", "SESSION_OPEN has ASK 1.");
constinit const Rule kOpenExtensionsTaken =
    kS5_3_1.by(Observable::stimulus)
        .must("UMSP-5.3.1-7", "A receiver takes SESSION_OPEN with and without extension headers.");
constinit const Rule kOpenLength =
    kS5_3_1.must("UMSP-5.3.1-8", "SESSION_OPEN has 7 to 11 words of operands.", "UMSP/A20");
constinit const Rule kOpenOperands = kS5_3_1.must(
    "UMSP-5.3.1-9",
    "OPR_LENGTH of SESSION_OPEN is what its fixed fields, GJID and LTID take together, rounded up to words.",
    "UMSP/A20");
constinit const Rule kFirstOpenHasNoSessionId =
    kS5_3_1.of(Role::initiator)
        .by(Observable::none)
        .must("UMSP-5.3.1-10", "The first SESSION_OPEN has no SESSION_ID.", "with PCK 00 there is none: UMSP-3.1-14");
constinit const Rule kOpenSessionId =
    kS5_3_1.resting_on(Evidence::absence)
        .must("UMSP-5.3.1-11",
              "SESSION_ID of a later SESSION_OPEN is the id that its receiver assigned in its own SESSION_OPEN.",
              "a warning: the session could have come up on another connection of the two nodes (5.3)");
constinit const Rule kOpenReqIdIsId =
    kS5_3_1.by(Observable::none)
        .must("UMSP-5.3.1-12", "REQ_ID of SESSION_OPEN is the session id that its sender assigns.",
              "which identifier was meant cannot be seen; what contradicts it is UMSP-5.3.1-13");
constinit const Rule kOpenKeepsId =
    kS5_3_1.resting_on(Evidence::absence)
        .must("UMSP-5.3.1-13",
              "Each side keeps the session id that it assigned in its first SESSION_OPEN for the whole handshake.");
constinit const Rule kOpenRequiredVm =
    kS5_3_1.by(Observable::none)
        .must("UMSP-5.3.1-14",
              "Operands 1 and 2 of SESSION_OPEN are type and version of the VM that the addressee is asked for.",
              "the form of SESSION_OPEN: UMSP-5.3.1-9");
constinit const Rule kOpenRequiredProfile =
    kS5_3_1.by(Observable::none)
        .must("UMSP-5.3.1-15", "Operand 3 of SESSION_OPEN is the profile that the addressee is asked for, 4 octets.",
              "the form of SESSION_OPEN: UMSP-5.3.1-9");
constinit const Rule kOpenSenderVm =
    kS5_3_1.by(Observable::none)
        .must("UMSP-5.3.1-16", "Operands 4 and 5 of SESSION_OPEN are type and version of the sender's VM.",
              "the form of SESSION_OPEN: UMSP-5.3.1-9");
constinit const Rule kOpenSenderProfile =
    kS5_3_1.by(Observable::none)
        .must("UMSP-5.3.1-17", "Operand 6 of SESSION_OPEN is the profile that the sender offers, 4 octets.",
              "the form of SESSION_OPEN: UMSP-5.3.1-9");
constinit const Rule kOpenWindow =
    kS5_3_1.by(Observable::none)
        .must("UMSP-5.3.1-18",
              "Operand 7 of SESSION_OPEN is the sender's session window, 2 octets, in blocks of 256 octets.",
              "the form of SESSION_OPEN: UMSP-5.3.1-9");
constinit const Rule kOpenKeepsWindow =
    kS5_3_1.resting_on(Evidence::absence)
        .must_not("UMSP-5.3.1-19", "The window of a side does not change during the handshake.");
constinit const Rule kWindowZeroUnused =
    kS5_3_1.by(Observable::stimulus)
        .must("UMSP-5.3.1-20", "Window 0 means no buffer: nothing is sent to that side which needs its window.");
constinit const Rule kOpenGjid = kS5_3_1.by(Observable::none)
                                     .must("UMSP-5.3.1-21", "Operand 8 of SESSION_OPEN is the GJID, 4 to 16 octets.",
                                           "the form of SESSION_OPEN: UMSP-5.3.1-9");
constinit const Rule kOpenKeepsGjid =
    kS5_3_1.resting_on(Evidence::absence)
        .must("UMSP-5.3.1-22", "All SESSION_OPEN of one handshake have the same GJID.");
constinit const Rule kOpenLtid =
    kS5_3_1.by(Observable::none)
        .must("UMSP-5.3.1-23", "Operand 9 of SESSION_OPEN is the LTID of the sender's task, in 4 or 8 octets.",
              "the form of SESSION_OPEN: UMSP-5.3.1-9");
constinit const Rule kOpenKeepsLtid =
    kS5_3_1.resting_on(Evidence::absence)
        .must("UMSP-5.3.1-24", "All SESSION_OPEN of one side in one handshake have the same LTID.");
constinit const Rule kLtidIsRegistered =
    kS5_3_1.of(Role::responder)
        .by(Observable::stimulus)
        .must("UMSP-5.3.1-25", "The receiver puts the LTID of SESSION_OPEN into the GTID of its TASK_REG.",
              "needs the connections of all nodes of the job");
constinit const Rule kChoosesVm =
    kS5_3_1.of(Role::responder)
        .by(Observable::stimulus)
        .must("UMSP-5.3.1-26",
              "A VM type and version of 0 asked for: the receiver chooses and names its VM in the next SESSION_OPEN.",
              "UMSP/B7");
constinit const Rule kOwnVmNamed = kS5_3_1.must_not(
    "UMSP-5.3.1-27",
    "No session is opened without a VM or group: type and version of the sender's own VM are not both 0.", "UMSP/B8");
constinit const Rule kSevenOpensAtMost =
    kS5_3_1.resting_on(Evidence::absence)
        .must_not("UMSP-5.3.1-28", "No more than 7 SESSION_OPEN make one handshake.", "UMSP/B9");
constinit const Rule kAcceptConfirms =
    kS5_3_1.by(Observable::none)
        .must("UMSP-5.3.1-29", "A session is confirmed by SESSION_ACCEPT.", "what SESSION_ACCEPT means");
constinit const Rule kRejectRefuses =
    kS5_3_1.by(Observable::none)
        .must("UMSP-5.3.1-30", "A session is refused by SESSION_REJECT.", "what SESSION_REJECT means");
constinit const Rule kRejectTaken =
    kS5_3_1.by(Observable::stimulus).must("UMSP-5.3.1-31", "A side accepts a SESSION_REJECT at any step.");
constinit const Rule kEighthStepDecides =
    kS5_3_1.of(Role::responder)
        .by(Observable::none)
        .must("UMSP-5.3.1-32", "The eighth step is SESSION_ACCEPT or SESSION_REJECT.",
              "an eighth SESSION_OPEN breaks UMSP-5.3.1-28");
constinit const Rule kOnlyVmAndProfileChange =
    kS5_3_1.by(Observable::none)
        .must_not("UMSP-5.3.1-33", "During a handshake only VM types, VM versions and profiles change.",
                  "UMSP-5.3.1-13, -19, -22 and -24 name what stays");
constinit const Rule kReopenedByJcpEndsTask = kS5_3_1.of(Role::responder)
                                                  .by(Observable::stimulus)
                                                  .must("UMSP-5.3.1-34",
                                                        "A further SESSION_OPEN of the same GJID from the JCP: the "
                                                        "existing task is ended abnormally and frees its resources.",
                                                        "UMSP/B11");
constinit const Rule kReopenedByJcpStartsTask =
    kS5_3_1.of(Role::responder)
        .by(Observable::stimulus)
        .must("UMSP-5.3.1-35",
              "A further SESSION_OPEN of the same GJID from the JCP: the new task starts without asking the JCP.",
              "UMSP/B11");
constinit const Rule kReopenedByJcpConfirmed =
    kS5_3_1.of(Role::responder)
        .by(Observable::stimulus)
        .must("UMSP-5.3.1-36", "A further SESSION_OPEN of the same GJID from the JCP: the session is confirmed.",
              "UMSP/B11");
constinit const Rule kReopenedByOtherRefused =
    kS5_3_1.of(Role::responder)
        .by(Observable::stimulus)
        .resting_on(Evidence::absence)
        .must("UMSP-5.3.1-37", "A further SESSION_OPEN of the same GJID from a node that is not the JCP is refused.",
              "which of the nodes is the JCP is not in their session");
constinit const Rule kRefusedLeavesSession =
    kS5_3_1.of(Role::responder)
        .by(Observable::stimulus)
        .must("UMSP-5.3.1-38", "A refused further SESSION_OPEN leaves the existing session and task as they were.");
constinit const Rule kAcceptOpensSession =
    kS5_3_2.by(Observable::stimulus)
        .must("UMSP-5.3.2-1", "After SESSION_ACCEPT both sides take the session for open and use its ids.");
constinit const Rule kAcceptAnswers =
    kS5_3_2.resting_on(Evidence::absence)
        .must("UMSP-5.3.2-2", "SESSION_ACCEPT is sent only in answer to a SESSION_OPEN.");
constinit const Rule kAcceptAsk = kS5_3_2.must("UMSP-5.3.2-3", "SESSION_ACCEPT has ASK 1.");
constinit const Rule kAcceptUnanswered =
    kS5_3_2.by(Observable::none)
        .must_not("UMSP-5.3.2-4", "SESSION_ACCEPT gets no response.", "such a response answers no request: UMSP-4.1-9");
constinit const Rule kAcceptPck = kS5_3_2.must("UMSP-5.3.2-5", "SESSION_ACCEPT has PCK 11.");
constinit const Rule kAcceptExtensionsTaken =
    kS5_3_2.by(Observable::stimulus)
        .must("UMSP-5.3.2-6", "A receiver takes SESSION_ACCEPT with and without extension headers.");
constinit const Rule kAcceptChn = kS5_3_2.must("UMSP-5.3.2-7", "SESSION_ACCEPT has CHN 0.");
constinit const Rule kAcceptLength = kS5_3_2.must("UMSP-5.3.2-8", "SESSION_ACCEPT has no operands.");
constinit const Rule kAcceptSessionId =
    kS5_3_2.resting_on(Evidence::absence)
        .must("UMSP-5.3.2-9", "SESSION_ID of SESSION_ACCEPT is the session id that its addressee assigned.",
              "a warning: the session could have come up on another connection of the two nodes (5.3)");
constinit const Rule kAcceptReqIdIsId =
    kS5_3_2.by(Observable::none)
        .must("UMSP-5.3.2-10", "REQ_ID of SESSION_ACCEPT is the session id that its sender assigns.",
              "which identifier was meant cannot be seen; what contradicts it is UMSP-5.3.2-11");
constinit const Rule kAcceptKeepsId =
    kS5_3_2.resting_on(Evidence::absence)
        .must("UMSP-5.3.2-11",
              "REQ_ID of SESSION_ACCEPT is the id that its sender gave in its SESSION_OPEN, if it sent one.");
constinit const Rule kRejectAnswers =
    kS5_3_3.resting_on(Evidence::absence)
        .must("UMSP-5.3.3-1", "SESSION_REJECT is sent only in answer to a SESSION_OPEN.",
              "a warning behind one's own SESSION_OPEN, as 5.3.1 lets a side refuse at whatever step");
constinit const Rule kRejectedUnused =
    kS5_3_3.resting_on(Evidence::absence)
        .must_not("UMSP-5.3.3-2", "After SESSION_REJECT its sender does not use the ids of the refused session.",
                  "UMSP/B31: a warning where the identifier could have been given anew on another connection");
constinit const Rule kRejectAsk = kS5_3_3.must("UMSP-5.3.3-3", "SESSION_REJECT has ASK 0.", "UMSP/B10");
constinit const Rule kRejectPck = kS5_3_3.must("UMSP-5.3.3-4", "SESSION_REJECT has PCK 11.");
constinit const Rule kRejectExtensionsTaken =
    kS5_3_3.by(Observable::stimulus)
        .must("UMSP-5.3.3-5", "A receiver takes SESSION_REJECT with and without extension headers.");
constinit const Rule kRejectChn = kS5_3_3.must("UMSP-5.3.3-6", "SESSION_REJECT has CHN 0.");
constinit const Rule kRejectLength = kS5_3_3.must("UMSP-5.3.3-7", "SESSION_REJECT has 1 word of operands.");
constinit const Rule kRejectSessionId =
    kS5_3_3.resting_on(Evidence::absence)
        .must("UMSP-5.3.3-8", "SESSION_ID of SESSION_REJECT is the session id that its addressee assigned.",
              "a warning: the session could have come up on another connection of the two nodes (5.3)");
constinit const Rule kRejectBasicCode =
    kS5_3_3.must("UMSP-5.3.3-9", "The first operand of SESSION_REJECT is the basic error code, 2 octets, not 0.");
constinit const Rule kRejectAdditionalCode =
    kS5_3_3.by(Observable::none)
        .must("UMSP-5.3.3-10", "The second operand of SESSION_REJECT is the additional error code, 2 octets.",
              "any octets at its place are one");
constinit const Rule kRejectMsgTaken =
    kS5_3_3.by(Observable::stimulus).must("UMSP-5.3.3-11", "A receiver takes a SESSION_REJECT with a _MSG header.");

constexpr std::uint32_t kMostOpens = 7;

// ---------------------------------------------------------------------------------------- what one instruction shows

void judge_vm(Judge& judge, const Seen& seen, const Rule& rule, Operand type, Operand version) {
  const std::uint64_t vm_type = seen.value(type).value_or(0);
  const std::uint64_t vm_version = seen.value(version).value_or(0);
  judge.advise(rule, vm_version != 0 || vm_type == 0, seen.operand(version), expected("1 or more"), actual(vm_version),
               [&] { return fmt::format("the VM type is {}", vm_type); });
}

void judge_open_operands(Judge& judge, const Seen& seen) {
  judge_profiles(judge, seen);
  if (is_of_zero_session(seen)) return;
  judge_vm(judge, seen, kVersionZeroWithTypeZero, Operand::required_vm_type, Operand::required_vm_version);
  judge_vm(judge, seen, kVersionZeroWithTypeZero, Operand::sender_vm_type, Operand::sender_vm_version);
  if (!is_of_zero_session(seen)) {
    judge_vm_of_session(judge, seen, Operand::sender_vm_type, Operand::sender_vm_version);
    judge_vm_of_session(judge, seen, Operand::required_vm_type, Operand::required_vm_version);
  }
  const bool named = seen.value(Operand::sender_vm_type) != 0u || seen.value(Operand::sender_vm_version) != 0u;
  judge.require(kOwnVmNamed, named, seen.operand(Operand::sender_vm_type), expected("the sender's VM, or its group"),
                actual("type 0, version 0"));
}

void judge_reject_operands(Judge& judge, const Seen& seen) {
  const std::uint64_t code = seen.value(Operand::basic_error_code).value_or(0);
  judge.require(kRejectBasicCode, code != 0, seen.operand(Operand::basic_error_code), expected("1 or more"),
                actual(code));
}

constexpr InstructionRules kInstructions[] = {{.first = Opcode::session_open,
                                               .ask = &kOpenAsk,
                                               .pck = &kLaterOpenNamesSession,
                                               .chn = &kOpenChn,
                                               .opr_length = &kOpenLength,
                                               .operands = &kOpenOperands,
                                               .judge = judge_open_operands},
                                              {.first = Opcode::session_accept,
                                               .ask = &kAcceptAsk,
                                               .pck = &kAcceptPck,
                                               .chn = &kAcceptChn,
                                               .opr_length = &kAcceptLength},
                                              {.first = Opcode::session_reject,
                                               .ask = &kRejectAsk,
                                               .pck = &kRejectPck,
                                               .chn = &kRejectChn,
                                               .opr_length = &kRejectLength,
                                               .judge = judge_reject_operands}};

// ------------------------------------------------------------------------------------------- what its session shows

bool is_turn_of(const ObservedSession& session, Side side) {
  return session.stage == SessionStage::opening && session.latest_open != side;
}

// What a side says in each of its SESSION_OPEN alike. Gives whether it does.
bool judge_kept(Judge& judge, const Seen& seen, const ObservedSession& session) {
  const SessionHalf& half = session.half(seen.message.sender);
  const bool reserved = seen.header().req_id == kZeroSession || seen.header().req_id == kReservedSessionId;  // 3.1
  if (half.id && !reserved &&
      !judge.require(kOpenKeepsId, seen.header().req_id == *half.id, seen.field(HeaderField::req_id),
                     expected([&] { return say(hex(*half.id)); }), actual(hex(seen.header().req_id))))
    return false;
  const auto gjid = identifier_of(seen, Operand::gjid);
  if (gjid && session.gjid &&
      !judge.require(kOpenKeepsGjid, *gjid == *session.gjid, seen.operand(Operand::gjid),
                     expected([&] { return to_string(*session.gjid); }), actual([&] { return to_string(*gjid); })))
    return false;
  if (!half.profile) return true;  // this is its first
  const std::uint64_t window = seen.value(Operand::window).value_or(half.window);
  if (!judge.require(kOpenKeepsWindow, window == half.window, seen.operand(Operand::window), expected(half.window),
                     actual(window)))
    return false;
  const auto ltid = seen.value(Operand::ltid);
  return !ltid || !half.ltid ||
         judge.require(kOpenKeepsLtid, *ltid == *half.ltid, seen.operand(Operand::ltid),
                       expected([&] { return say(hex(*half.ltid)); }), actual(hex(*ltid)));
}

bool judge_open_again(Judge& judge, const Seen& seen, const ObservedSession& session) {
  if (!judge.require(kOpensInTurn, is_turn_of(session, seen.message.sender), octets(0, 1),
                     expected("the other side's SESSION_OPEN before it"), actual([&] {
                       return session.stage == SessionStage::opening ? "two of one side in a row"
                                                                     : "the session is no longer being opened";
                     })))
    return false;
  if (!judge.require(kSevenOpensAtMost, session.opens < kMostOpens, octets(0, 1),
                     expected("SESSION_ACCEPT or SESSION_REJECT"), actual("an eighth SESSION_OPEN")))
    return false;
  return judge_kept(judge, seen, session);
}

// Who accepts another session of a job, while one is in use, accepts it from the JCP alone. Which node that is says the
// GJID, where the nodes' addresses are known.
void judge_reopened(Judge& judge, const Seen& seen, const ObservedSession& session) {
  const auto parties = session.gjid ? parties_of(seen) : std::nullopt;
  const auto jcp = parties ? job_node_of(*session.gjid) : std::nullopt;
  if (!session.second || !jcp || *jcp == parties->to || seen.message.sender == session.initiator) return;
  const auto same = seen.connection.sessions_of_job.find(job_key(*session.gjid));
  const bool in_use =
      same != seen.connection.sessions_of_job.end() && std::ranges::any_of(same->second, [&](std::uint64_t number) {
        const ObservedSession& one = seen.connection.sessions.at(number);
        return &one != &session && one.gjid == session.gjid && one.is_in_use();
      });
  judge.require(kReopenedByOtherRefused, !in_use, octets(0, 1), expected("SESSION_REJECT"), actual("SESSION_ACCEPT"),
                "a session of the job is in use, and the node that opens another one is not its JCP");
}

bool judge_accept(Judge& judge, const Seen& seen, const ObservedSession& session) {
  judge_reopened(judge, seen, session);
  if (!judge.require(kAcceptAnswers, is_turn_of(session, seen.message.sender), octets(0, 1),
                     expected("a SESSION_OPEN that waits for it"), actual("none")))
    return false;
  const auto& id = session.half(seen.message.sender).id;
  const bool reserved = seen.header().req_id == kZeroSession || seen.header().req_id == kReservedSessionId;  // 3.1
  return !id || reserved ||
         judge.require(kAcceptKeepsId, seen.header().req_id == *id, seen.field(HeaderField::req_id),
                       expected([&] { return say(hex(*id)); }), actual(hex(seen.header().req_id)));
}

bool judge_reject(Judge& judge, const Seen& seen, const ObservedSession& session) {
  const bool awaited = is_turn_of(session, seen.message.sender);
  // "On any step" (5.3.1): who refuses behind its own SESSION_OPEN could mean that.
  if (!awaited && session.stage == SessionStage::opening)
    return judge.advise(kRejectAnswers, false, octets(0, 1), expected("a SESSION_OPEN that waits for it"),
                        actual("the sender's own SESSION_OPEN"));
  return judge.require(kRejectAnswers, awaited, octets(0, 1), expected("a SESSION_OPEN that waits for it"),
                       actual("none"));
}

}  // namespace

bool judge_handshake(Judge& judge, const Seen& seen, const ObservedSession& session) {
  // Behind a gap the two streams are read with a delay, each its own: who was first is not known.
  if (!seen.connection.is_all_seen()) return true;
  // What is missing of another connection of the two nodes may be a SESSION_OPEN that is answered here (UMSP/B31).
  if (seen.connection.pair != nullptr && seen.connection.pair->is_broken()) return true;
  if (session.half(other(seen.message.sender)).broke_handshake) return true;
  if (seen.is(Opcode::session_open)) return judge_open_again(judge, seen, session);
  if (seen.is(Opcode::session_accept)) return judge_accept(judge, seen, session);
  if (seen.is(Opcode::session_reject)) return judge_reject(judge, seen, session);
  return true;
}

void judge_replaced(Judge& judge, const Seen& seen, const ObservedSession& session) {
  const bool response = seen.layout != nullptr && seen.layout->response;
  if (response || seen.is(Opcode::session_abend)) return;
  const bool left = session.replaced_by == seen.message.sender;
  judge.require(kOneSessionOfAJob, !left, seen.field(HeaderField::session_id),
                expected("the session of this GJID that was accepted last"), actual("an older one"));
}

const Rule* names_session_rule(const Seen& seen) {
  // The sender's own identifier: judge_header() and judge_response() have warned of it.
  const bool is_own = seen.session == nullptr &&
                      seen.connection.find_session(seen.message.sender, *seen.membership.session_id) != nullptr;
  // A case does not know all connections of the two nodes.
  const bool is_live = seen.connection.jobs != nullptr && seen.connection.jobs->is_live();
  const bool is_rsp = seen.is(Opcode::rsp) || seen.is(Opcode::rsp_p);
  const Rule* const others = is_own || is_live ? nullptr : is_rsp ? &kRspSession : &kSessionIdOfReceiver;
  if (seen.layout == nullptr) return others;
  switch (seen.layout->opcode) {
    case Opcode::session_open:
      return &kOpenSessionId;
    case Opcode::session_accept:
      return &kAcceptSessionId;
    case Opcode::session_reject:
      return &kRejectSessionId;
    case Opcode::session_close:
    case Opcode::session_abend:
      return names_closing_rule(seen.layout->opcode);
    default:
      return others;
  }
}

void judge_after_reject(Judge& judge, const Seen& seen, bool unused) {
  require_anywhere(judge, seen, kRejectedUnused, unused, seen.field(HeaderField::session_id),
                   expected("an identifier of a session that was not refused"),
                   actual("one that this side has refused"));
}

UmspSection session_rules() {
  static constexpr const Rule* kRules[] = {&kJoinsTwoTasks,
                                           &kOpenedForVm,
                                           &kOneTask,
                                           &kSeveralSessionsOfATask,
                                           &kOneSessionOfAJob,
                                           &kOpenHasGjid,
                                           &kUnknownJobMakesATask,
                                           &kKnownJobMakesNoTask,
                                           &kHandshakeOverTcp,
                                           &kUdpAllowed,
                                           &kUdpAfterTcp,
                                           &kSessionsShareAConnection,
                                           &kConnectionsShareASession,
                                           &kVmByDefault,
                                           &kSidesAgree,
                                           &kSidesMayDiffer,
                                           &kTypeZeroIsAGroup,
                                           &kVersionZeroWithTypeZero,
                                           &kTwoToEightSteps,
                                           &kOpenAnswered,
                                           &kOpensInTurn,
                                           &kFirstOpenWithoutSession,
                                           &kLaterOpenNamesSession,
                                           &kOpenChn,
                                           &kOpenAsk,
                                           &kOpenExtensionsTaken,
                                           &kOpenLength,
                                           &kOpenOperands,
                                           &kFirstOpenHasNoSessionId,
                                           &kOpenSessionId,
                                           &kOpenReqIdIsId,
                                           &kOpenKeepsId,
                                           &kOpenRequiredVm,
                                           &kOpenRequiredProfile,
                                           &kOpenSenderVm,
                                           &kOpenSenderProfile,
                                           &kOpenWindow,
                                           &kOpenKeepsWindow,
                                           &kWindowZeroUnused,
                                           &kOpenGjid,
                                           &kOpenKeepsGjid,
                                           &kOpenLtid,
                                           &kOpenKeepsLtid,
                                           &kLtidIsRegistered,
                                           &kChoosesVm,
                                           &kOwnVmNamed,
                                           &kSevenOpensAtMost,
                                           &kAcceptConfirms,
                                           &kRejectRefuses,
                                           &kRejectTaken,
                                           &kEighthStepDecides,
                                           &kOnlyVmAndProfileChange,
                                           &kReopenedByJcpEndsTask,
                                           &kReopenedByJcpStartsTask,
                                           &kReopenedByJcpConfirmed,
                                           &kReopenedByOtherRefused,
                                           &kRefusedLeavesSession,
                                           &kAcceptOpensSession,
                                           &kAcceptAnswers,
                                           &kAcceptAsk,
                                           &kAcceptUnanswered,
                                           &kAcceptPck,
                                           &kAcceptExtensionsTaken,
                                           &kAcceptChn,
                                           &kAcceptLength,
                                           &kAcceptSessionId,
                                           &kAcceptReqIdIsId,
                                           &kAcceptKeepsId,
                                           &kRejectAnswers,
                                           &kRejectedUnused,
                                           &kRejectAsk,
                                           &kRejectPck,
                                           &kRejectExtensionsTaken,
                                           &kRejectChn,
                                           &kRejectLength,
                                           &kRejectSessionId,
                                           &kRejectBasicCode,
                                           &kRejectAdditionalCode,
                                           &kRejectMsgTaken};
  return {.rules = {.rules = kRules}, .instructions = kInstructions};
}

}  // namespace wirelaw::umsp
