// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 5.4: sessions are closed.
#include "conformance/section.h"
#include "conformance/umsp/pair.h"
#include "conformance/umsp/rules.h"
#include "conformance/umsp/sessions.h"

namespace wirelaw::umsp {
namespace {

constexpr Section kS5_4{"RFC 3018 5.4"};
constexpr Section kS5_4_1{"RFC 3018 5.4.1"};
constexpr Section kS5_4_2{"RFC 3018 5.4.2"};

constinit const Rule kInitiatorCloses =
    kS5_4.resting_on(Evidence::absence)
        .must("UMSP-5.4-1", "Only the side that opened a session closes it by SESSION_CLOSE.");
constinit const Rule kThreeSteps =
    kS5_4.by(Observable::none)
        .must("UMSP-5.4-2", "Closing has three steps: SESSION_CLOSE, RSP_P, SESSION_ABEND.",
              "each step has its rule: UMSP-5.4-9, -15 and -16");
constinit const Rule kAbendTakenAnyTime =
    kS5_4.by(Observable::stimulus).must("UMSP-5.4-3", "Either side may end a session by SESSION_ABEND at any time.");
constinit const Rule kCloseFirst =
    kS5_4.of(Role::initiator)
        .by(Observable::none)
        .must("UMSP-5.4-4", "A that wants to close a session sends SESSION_CLOSE first.",
              "what a node wants is not on the wire, and SESSION_ABEND is allowed at any time");
constinit const Rule kSendingGoesOn =
    kS5_4.of(Role::initiator)
        .by(Observable::none)
        .must("UMSP-5.4-5", "A may go on to send instructions after SESSION_CLOSE: that gives the closing up.",
              "UMSP/B12; a permission, and nothing can make A use it: UMSP-5.4-6 is what it does to the other side");
constinit const Rule kInstructionCancels =
    kS5_4.of(Role::responder)
        .by(Observable::stimulus)
        .must(
            "UMSP-5.4-6",
            "An instruction other than a response from A after SESSION_CLOSE cancels the closing: the session goes on.",
            "UMSP/B12");
constinit const Rule kResponseCancelsNot =
    kS5_4.of(Role::responder)
        .by(Observable::stimulus)
        .must("UMSP-5.4-7", "A response from A after SESSION_CLOSE does not cancel the closing.", "UMSP/B12");
constinit const Rule kWaitsWithoutTimeout =
    kS5_4.of(Role::initiator)
        .by(Observable::stimulus)
        .must("UMSP-5.4-8", "A side that sent SESSION_CLOSE waits for the answer without a timeout.");
constinit const Rule kCloseAnswered =
    kS5_4.of(Role::responder)
        .by(Observable::stimulus)
        .must("UMSP-5.4-9", "The receiver of SESSION_CLOSE answers RSP_P.", "the document sets no time for the answer");
constinit const Rule kZeroCloses =
    kS5_4.of(Role::initiator)
        .by(Observable::stimulus)
        .must("UMSP-5.4-10", "RSP_P with basic return code 0 closes: A goes on to SESSION_ABEND or to cancel.",
              "UMSP/B13");
constinit const Rule kOtherCancels =
    kS5_4.of(Role::initiator)
        .by(Observable::stimulus)
        .must("UMSP-5.4-11", "RSP_P with another basic return code cancels the closing: the session stays in use.",
              "UMSP/B13");
constinit const Rule kQuietAfterAnswer =
    kS5_4.of(Role::responder)
        .resting_on(Evidence::absence)
        .must_not("UMSP-5.4-12",
                  "After its positive RSP_P, B does not use the session for 30 seconds, unless A cancels the closing.",
                  "UMSP/B12, UMSP/B43; SESSION_ABEND and responses are taken. A warning: what cancels the closing may "
                  "go over "
                  "another connection");
constinit const Rule kAbendAfterTimeout =
    kS5_4.of(Role::responder)
        .resting_on(Evidence::absence)
        .must(
            "UMSP-5.4-13",
            "B sends SESSION_ABEND if within 30 seconds A sends neither SESSION_ABEND nor an instruction that cancels.",
            "UMSP/B12; judged after twice that time. UMSP/B31: a warning where it may go over another connection");
constinit const Rule kOwnAbendCloses =
    kS5_4.of(Role::responder)
        .by(Observable::stimulus)
        .must("UMSP-5.4-14", "After that SESSION_ABEND, B takes the session for closed.");
constinit const Rule kAbendOrCancels =
    kS5_4.of(Role::initiator)
        .by(Observable::stimulus)
        .must("UMSP-5.4-15", "A sends SESSION_ABEND after a positive RSP_P, or any other instruction to cancel.",
              "who waits leaves the end to the other side: UMSP-5.4-13");
constinit const Rule kNothingAfterAbend =
    kS5_4.resting_on(Evidence::absence)
        .must_not(
            "UMSP-5.4-16", "After SESSION_ABEND nothing more is sent on the session.",
            "judged of its sender. UMSP/B31: a warning where the identifier could have been given anew on another "
            "connection");
constinit const Rule kAnythingRevives =
    kS5_4.of(Role::responder)
        .by(Observable::stimulus)
        .must("UMSP-5.4-17",
              "After a positive RSP_P an instruction of A, NOP included, brings the session back to work.");
constinit const Rule kClosePck = kS5_4_1.must("UMSP-5.4.1-1", "SESSION_CLOSE has PCK 01 or 11.");
constinit const Rule kCloseChn = kS5_4_1.must("UMSP-5.4.1-2", "SESSION_CLOSE has CHN 0.");
constinit const Rule kCloseAsk = kS5_4_1.must("UMSP-5.4.1-3", "SESSION_CLOSE has ASK 0.",
                                              "UMSP/A13; a warning, as RSP_P, which answers it, has REQ_ID");
constinit const Rule kCloseExtensionsTaken =
    kS5_4_1.by(Observable::stimulus)
        .must("UMSP-5.4.1-4", "A receiver takes SESSION_CLOSE with and without extension headers.");
constinit const Rule kCloseLength = kS5_4_1.must("UMSP-5.4.1-5", "SESSION_CLOSE has 0 or 1 word of operands.");
constinit const Rule kCloseSessionId =
    kS5_4_1.resting_on(Evidence::absence)
        .must("UMSP-5.4.1-6", "SESSION_ID of SESSION_CLOSE is the session id that its addressee assigned.",
              "a warning: the session could have come up on another connection of the two nodes (5.3)");
constinit const Rule kCloseUnknown =
    kS5_4_1.by(Observable::stimulus)
        .must("UMSP-5.4.1-7", "SESSION_CLOSE for a session that the receiver does not know closes no other session.");
constinit const Rule kCloseCodes =
    kS5_4_1.by(Observable::none)
        .must(
            "UMSP-5.4.1-8",
            "Operands of SESSION_CLOSE are the basic termination code in 2 octets and the additional one in 2 octets.",
            "any word is two codes: UMSP-5.4.1-5");
constinit const Rule kCloseMsgTaken =
    kS5_4_1.by(Observable::stimulus).must("UMSP-5.4.1-9", "A receiver takes a SESSION_CLOSE with a _MSG header.");
constinit const Rule kCloseWithoutCodes =
    kS5_4_1.by(Observable::stimulus)
        .must("UMSP-5.4.1-10", "SESSION_CLOSE without operands is the same as one with code 0.");
constinit const Rule kAbendEndsAtOnce =
    kS5_4_2.by(Observable::stimulus)
        .must("UMSP-5.4.2-1", "SESSION_ABEND ends the session at once: nothing more is executed or sent on it.");
constinit const Rule kAbendUnanswered =
    kS5_4_2.by(Observable::none)
        .must_not("UMSP-5.4.2-2", "SESSION_ABEND gets no response.", "such a response answers no request: UMSP-4.1-9");
constinit const Rule kAbendSenderQuiet =
    kS5_4_2.by(Observable::none)
        .must("UMSP-5.4.2-3", "The sender of SESSION_ABEND waits for no responses and sends none on the session.",
              "what it waits for is not on the wire; what it sends breaks UMSP-5.4-16");
constinit const Rule kAbendPck = kS5_4_2.must("UMSP-5.4.2-4", "SESSION_ABEND has PCK 01 or 11.");
constinit const Rule kAbendChn = kS5_4_2.must("UMSP-5.4.2-5", "SESSION_ABEND has CHN 0.");
constinit const Rule kAbendAsk = kS5_4_2.must("UMSP-5.4.2-6", "SESSION_ABEND has ASK 0.");
constinit const Rule kAbendExtensionsTaken =
    kS5_4_2.by(Observable::stimulus)
        .must("UMSP-5.4.2-7", "A receiver takes SESSION_ABEND with and without extension headers.");
constinit const Rule kAbendLength = kS5_4_2.must("UMSP-5.4.2-8", "SESSION_ABEND has 0 or 1 word of operands.");
constinit const Rule kAbendSessionId =
    kS5_4_2.resting_on(Evidence::absence)
        .must("UMSP-5.4.2-9", "SESSION_ID of SESSION_ABEND is the session id that its addressee assigned.",
              "a warning: the session could have come up on another connection of the two nodes (5.3)");
constinit const Rule kAbendCodes =
    kS5_4_2.by(Observable::none)
        .must(
            "UMSP-5.4.2-10",
            "Operands of SESSION_ABEND are the basic termination code in 2 octets and the additional one in 2 octets.",
            "any word is two codes: UMSP-5.4.2-8");
constinit const Rule kAbendMsgTaken =
    kS5_4_2.by(Observable::stimulus).must("UMSP-5.4.2-11", "A receiver takes a SESSION_ABEND with a _MSG header.");
constinit const Rule kAbendWithoutCodes =
    kS5_4_2.by(Observable::stimulus)
        .must("UMSP-5.4.2-12", "SESSION_ABEND without operands is the same as one with codes 0.");

constexpr std::int64_t kClosingTime = 30'000'000'000;  // ns
constexpr std::int64_t kPatience = 2 * kClosingTime;   // UMSP/B12: some tolerance

void judge_close_ask(Judge& judge, const Seen& seen) {
  judge.advise(kCloseAsk, !seen.header().ask, seen.field(HeaderField::ask), expected("0"), actual(seen.header().ask));
}

constexpr InstructionRules kInstructions[] = {{.first = Opcode::session_close,
                                               .pck = &kClosePck,
                                               .chn = &kCloseChn,
                                               .opr_length = &kCloseLength,
                                               .judge = judge_close_ask},
                                              {.first = Opcode::session_abend,
                                               .ask = &kAbendAsk,
                                               .pck = &kAbendPck,
                                               .chn = &kAbendChn,
                                               .opr_length = &kAbendLength}};

}  // namespace

bool judge_closing(Judge& judge, const Seen& seen, const ObservedSession& session) {
  const bool initiates = seen.message.sender == session.initiator;
  // Before it is in use the instruction could be of an earlier session of that identifier, and have been on its way.
  if (seen.is(Opcode::session_close) && session.is_in_use())
    return judge.require(kInitiatorCloses, initiates, octets(0, 1), expected("the side that opened the session"),
                         actual("the other side"));
  if (session.stage != SessionStage::closed || initiates) return true;
  const bool response = seen.layout != nullptr && seen.layout->response;
  return judge.advise(kQuietAfterAnswer, response || seen.is(Opcode::session_abend), octets(0, 1),
                      expected("nothing until the other side cancels the closing"), actual("an instruction"));
}

void judge_after_abend(Judge& judge, const Seen& seen, bool nothing) {
  require_anywhere(judge, seen, kNothingAfterAbend, nothing, seen.field(HeaderField::session_id),
                   expected("nothing after the sender's SESSION_ABEND"), actual("an instruction"));
}

const Rule* names_closing_rule(Opcode opcode) {
  if (opcode == Opcode::session_close) return &kCloseSessionId;
  if (opcode == Opcode::session_abend) return &kAbendSessionId;
  return nullptr;
}

void judge_abend_came(Judge& judge, const Connection& connection, const ObservedSession& session) {
  const std::int64_t since = judge.now_ns() - session.stage_ns;
  judge.at({.sender = other(session.initiator),
            .index = session.stage_index,
            .frame = session.stage_frame,
            .time_ns = session.stage_ns});
  const bool came = session.stage != SessionStage::closed || since <= kPatience;
  const auto want = expected("SESSION_ABEND 30 s after the positive answer to SESSION_CLOSE");
  const auto got = actual([&] { return fmt::format("nothing for {} s", since / 1'000'000'000); });
  if (is_all_seen(connection, session))
    judge.require(kAbendAfterTimeout, came, octets(0, 0), want, got);
  else
    judge.advise(kAbendAfterTimeout, came, octets(0, 0), want, got);
}

UmspSection closing_rules() {
  static constexpr const Rule* kRules[] = {&kInitiatorCloses,
                                           &kThreeSteps,
                                           &kAbendTakenAnyTime,
                                           &kCloseFirst,
                                           &kSendingGoesOn,
                                           &kInstructionCancels,
                                           &kResponseCancelsNot,
                                           &kWaitsWithoutTimeout,
                                           &kCloseAnswered,
                                           &kZeroCloses,
                                           &kOtherCancels,
                                           &kQuietAfterAnswer,
                                           &kAbendAfterTimeout,
                                           &kOwnAbendCloses,
                                           &kAbendOrCancels,
                                           &kNothingAfterAbend,
                                           &kAnythingRevives,
                                           &kClosePck,
                                           &kCloseChn,
                                           &kCloseAsk,
                                           &kCloseExtensionsTaken,
                                           &kCloseLength,
                                           &kCloseSessionId,
                                           &kCloseUnknown,
                                           &kCloseCodes,
                                           &kCloseMsgTaken,
                                           &kCloseWithoutCodes,
                                           &kAbendEndsAtOnce,
                                           &kAbendUnanswered,
                                           &kAbendSenderQuiet,
                                           &kAbendPck,
                                           &kAbendChn,
                                           &kAbendAsk,
                                           &kAbendExtensionsTaken,
                                           &kAbendLength,
                                           &kAbendSessionId,
                                           &kAbendCodes,
                                           &kAbendMsgTaken,
                                           &kAbendWithoutCodes};
  return {.rules = {.rules = kRules}, .instructions = kInstructions};
}

}  // namespace wirelaw::umsp
