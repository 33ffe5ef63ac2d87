// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 7.4: where chains are put until they are whole.
#include "conformance/section.h"
#include "conformance/umsp/pair.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {
namespace {

constexpr Section kS7_4{"RFC 3018 7.4"};

constinit const Rule kOutsideAtOnce =
    kS7_4.by(Observable::stimulus).must("UMSP-7.4-1", "An instruction outside of chains goes to the VM at once.");
constinit const Rule kAsynchronous =
    kS7_4.by(Observable::api)
        .must("UMSP-7.4-2", "The interface of UMSP and VM sends instructions asynchronously.",
              "what is above or below the protocol layer is not on the wire");
constinit const Rule kAsFastAsNetwork =
    kS7_4.by(Observable::none)
        .should("UMSP-7.4-3", "A system executes instructions as fast as they come from the network.",
                "speed is not judged");
constinit const Rule kControlInTwoStages =
    kS7_4.of(Role::responder)
        .by(Observable::stimulus)
        .must("UMSP-7.4-4",
              "A control transfer is handled in two stages: it is checked and scheduled, and then executed.");
constinit const Rule kSteadyLayer =
    kS7_4.by(Observable::none)
        .must("UMSP-7.4-5", "The protocol layer gets processor time enough to work steadily.", "speed is not judged");
constinit const Rule kWindowAgreed =
    kS7_4.by(Observable::none)
        .must("UMSP-7.4-6", "The size of the session window is agreed when the session opens.",
              "SESSION_OPEN has the field: UMSP-5.3.1-9");
constinit const Rule kWindowAboveSegment =
    kS7_4.by(Observable::none)
        .must("UMSP-7.4-7", "The session window is longer than the transport's longest segment.",
              "how long the transport's segments may be is not in the instructions");
constinit const Rule kWindowUnasked =
    kS7_4.by(Observable::stimulus)
        .must("UMSP-7.4-8", "A sender uses the session window without asking the receiver first.");
constinit const Rule kWindowStays =
    kS7_4.by(Observable::none)
        .must_not("UMSP-7.4-9", "The session window is one for the session and does not change.",
                  "UMSP-5.3.1-19; there is no other field of it");
constinit const Rule kWindowNotExceeded =
    kS7_4.by(Observable::none)
        .must("UMSP-7.4-10", "A sender never sends more into the session window than is free of it.",
              "what is free of it depends on the transport's segments and on the receiver's VM; what is sure is "
              "UMSP-7.4-12");
constinit const Rule kTooMuchBreaksOff =
    kS7_4.by(Observable::stimulus)
        .must("UMSP-7.4-11", "A receiver of data that do not fit the session window breaks off the connection.");
constinit const Rule kLongChainAsked = kS7_4.resting_on(Evidence::absence)
                                           .must("UMSP-7.4-12",
                                                 "A transaction or fragmented instruction longer than the session "
                                                 "window is sent only after a REQ_BUF was granted.",
                                                 "A warning: REQ_BUF may go over another connection");
constinit const Rule kFourGigabytes =
    kS7_4.by(Observable::none)
        .must("UMSP-7.4-13", "A chain sent by REQ_BUF has no more than 4294967295 octets.", "the field has 32 bits");
constinit const Rule kReqBufAsk = kS7_4.must("UMSP-7.4-14", "REQ_BUF has ASK 1.");
constinit const Rule kReqBufPck = kS7_4.must("UMSP-7.4-15", "REQ_BUF has PCK 01 or 11.");
constinit const Rule kReqBufChn = kS7_4.must("UMSP-7.4-16", "REQ_BUF has CHN 0.");
constinit const Rule kReqBufExtensionsTaken =
    kS7_4.by(Observable::stimulus).must("UMSP-7.4-17", "A receiver takes REQ_BUF with and without extension headers.");
constinit const Rule kReqBufLength = kS7_4.must("UMSP-7.4-18", "REQ_BUF has 1 word of operands.");
constinit const Rule kReqBufOctets =
    kS7_4.by(Observable::none)
        .must("UMSP-7.4-19", "The operand of REQ_BUF is the number of octets wanted.", "any word is a number");
constinit const Rule kReqBufIsWhole =
    kS7_4.resting_on(Evidence::absence)
        .must("UMSP-7.4-20",
              "That number is the length of all instructions of the chain, subordinated chains included.",
              "UMSP/B22; a warning: instructions of the chain may go over another connection");
constinit const Rule kReqBufByLayer = kS7_4.by(Observable::api)
                                          .must("UMSP-7.4-21", "REQ_BUF is formed by the protocol layer.",
                                                "what is above or below the protocol layer is not on the wire");
constinit const Rule kReqBufAnswered =
    kS7_4.by(Observable::none)
        .must("UMSP-7.4-22", "REQ_BUF is answered by RSP_P.",
              "an RSP instead breaks UMSP-4.1-2; for no answer the document sets no time");
constinit const Rule kBufferByVm = kS7_4.by(Observable::api)
                                       .must("UMSP-7.4-23", "The buffer for REQ_BUF is allocated by the VM.",
                                             "what is above or below the protocol layer is not on the wire");
constinit const Rule kBufferAsynchronously =
    kS7_4.by(Observable::api)
        .must("UMSP-7.4-24", "The interface of UMSP and VM asks for that buffer asynchronously.",
              "what is above or below the protocol layer is not on the wire");
constinit const Rule kReqBufForShortTaken =
    kS7_4.by(Observable::stimulus).must("UMSP-7.4-25", "REQ_BUF is taken for chains that fit the session window, too.");
constinit const Rule kNotAfterRefusal =
    kS7_4.by(Observable::none)
        .must_not("UMSP-7.4-26",
                  "After a negative answer to REQ_BUF its chain is not sent without another grant or the window.",
                  "such a chain was not granted: UMSP-7.4-12 and -31");
constinit const Rule kParentsBuffer =
    kS7_4.by(Observable::stimulus)
        .must("UMSP-7.4-27", "A subordinated chain is put in the buffer of its parental chain.");
constinit const Rule kSequenceUnasked =
    kS7_4.by(Observable::stimulus).must("UMSP-7.4-28", "A sequence is taken without a REQ_BUF.");
constinit const Rule kSequenceUnbuffered =
    kS7_4.by(Observable::stimulus).must("UMSP-7.4-29", "On a single TCP connection a sequence takes no buffer.");
constinit const Rule kSequenceReordered = kS7_4.by(Observable::stimulus)
                                              .must("UMSP-7.4-30",
                                                    "Instructions of a sequence that overtake others on several TCP "
                                                    "connections are put in order in the session window.");
constinit const Rule kLaterExecutionAsked =
    kS7_4.resting_on(Evidence::absence)
        .must("UMSP-7.4-31", "A transaction with TRR 0 is sent only after a REQ_BUF was granted, however short it is.",
              "UMSP/B22, UMSP/B31: a warning where REQ_BUF may go over another connection");
constinit const Rule kOneSegmentUnbuffered =
    kS7_4.by(Observable::stimulus).must("UMSP-7.4-32", "A transaction with TRR 1 in one segment takes no buffer.");
constinit const Rule kFittingTaken =
    kS7_4.by(Observable::stimulus)
        .must("UMSP-7.4-33",
              "A chain with TRR 1, or fragments, that fit the session window are taken without REQ_BUF.");
constinit const Rule kRoomReserved =
    kS7_4.by(Observable::none)
        .must("UMSP-7.4-34", "Room in the window is reserved for the whole chain before its sending begins.",
              "what is free depends on the receiver's VM");
constinit const Rule kNoRoomNotBegun =
    kS7_4.by(Observable::none)
        .must_not("UMSP-7.4-35", "The sending of a chain does not begin while the window has not enough room.",
                  "what is free depends on the receiver's VM");
constinit const Rule kWaitsOrAsks =
    kS7_4.by(Observable::stimulus).must("UMSP-7.4-36", "A sender without room waits, or asks by REQ_BUF.");
constinit const Rule kLongUsesReqBuf =
    kS7_4.by(Observable::none)
        .must("UMSP-7.4-37", "A chain longer than the session window uses REQ_BUF.", "UMSP-7.4-12");

constexpr std::uint64_t kBlock = 256;  // octets; the window is counted in them (5.3.1)

constexpr InstructionRules kInstructions[] = {{.first = Opcode::req_buf,
                                               .ask = &kReqBufAsk,
                                               .pck = &kReqBufPck,
                                               .chn = &kReqBufChn,
                                               .opr_length = &kReqBufLength}};

// A subordinated chain is put where its parental one is, and a sequence nowhere.
bool needs_buffer(const ObservedChain& chain) {
  return (chain.kind == ObservedChainKind::transaction || chain.kind == ObservedChainKind::fragments) &&
         !chain.subordinate;
}

bool take_grant(SessionHalf& half, ObservedChain& chain) {
  if (half.buffers_granted.empty()) return false;
  chain.granted = half.buffers_granted.front();
  chain.granted_alone = half.buffers_granted.size() == 1 && half.buffers_asked.empty();
  half.buffers_granted.erase(half.buffers_granted.begin());
  return true;
}

}  // namespace

void judge_buffer_begin(Judge& judge, const Seen& seen, SessionHalf& half, ObservedChain& chain) {
  if (chain.kind == ObservedChainKind::fragments && chain.subordinate) {
    // The instruction in them could be the first of its parental chain, for which the buffer was asked.
    half.buffers_granted.clear();
    return;
  }
  if (!needs_buffer(chain)) return;
  const bool granted = take_grant(half, chain);
  if (chain.execute_later && seen.connection.is_all_seen())
    require_here(judge, seen, kLaterExecutionAsked, granted, octets(0, seen.instruction.header.octets()),
                 expected("a REQ_BUF that was granted before"), actual("none"));
}

void judge_buffer_use(Judge& judge, const Seen& seen, const SessionHalf& receiver, ObservedChain& chain) {
  if (!needs_buffer(chain) || chain.granted || chain.execute_later || chain.above_window) return;
  if (!receiver.profile || receiver.window == 0 || !chain.from_start || !seen.connection.is_all_seen()) return;
  const std::uint64_t window = receiver.window * kBlock;
  chain.above_window = !judge.advise(kLongChainAsked, chain.octets <= window, octets(0, 2),
                                     expected([&] { return fmt::format("{} octets of the window at most", window); }),
                                     actual(chain.octets));
}

void judge_buffer_end(Judge& judge, const Seen&, const ObservedChain& chain) {
  if (chain.granted && chain.granted_alone && chain.from_start && chain.complete)
    judge.advise(kReqBufIsWhole, chain.octets == *chain.granted, octets(0, 2),
                 expected([&] { return fmt::format("{} octets, as REQ_BUF had it", *chain.granted); }),
                 actual(chain.octets));
}

bool follow_buffers(const Seen& seen, ObservedSession& session) {
  if (seen.is(Opcode::req_buf)) {
    auto& asked = session.half(seen.message.sender).buffers_asked;
    const auto size = seen.value(Operand::buffer_size);
    if (size && asked.size() < kMostBuffers) asked[seen.header().req_id] = static_cast<std::uint32_t>(*size);
    return false;
  }
  if (!seen.is(Opcode::rsp_p)) return false;
  SessionHalf& asker = session.half(other(seen.message.sender));
  const auto found = asker.buffers_asked.find(seen.header().req_id);
  if (found == asker.buffers_asked.end()) return false;
  const bool positive = seen.value(Operand::basic_return_code).value_or(0) == 0;
  if (positive && asker.buffers_granted.size() < kMostBuffers) asker.buffers_granted.push_back(found->second);
  asker.buffers_asked.erase(found);
  return true;
}

UmspSection buffering_rules() {
  static constexpr const Rule* kRules[] = {
      &kOutsideAtOnce,         &kAsynchronous,      &kAsFastAsNetwork,     &kControlInTwoStages,
      &kSteadyLayer,           &kWindowAgreed,      &kWindowAboveSegment,  &kWindowUnasked,
      &kWindowStays,           &kWindowNotExceeded, &kTooMuchBreaksOff,    &kLongChainAsked,
      &kFourGigabytes,         &kReqBufAsk,         &kReqBufPck,           &kReqBufChn,
      &kReqBufExtensionsTaken, &kReqBufLength,      &kReqBufOctets,        &kReqBufIsWhole,
      &kReqBufByLayer,         &kReqBufAnswered,    &kBufferByVm,          &kBufferAsynchronously,
      &kReqBufForShortTaken,   &kNotAfterRefusal,   &kParentsBuffer,       &kSequenceUnasked,
      &kSequenceUnbuffered,    &kSequenceReordered, &kLaterExecutionAsked, &kOneSegmentUnbuffered,
      &kFittingTaken,          &kRoomReserved,      &kNoRoomNotBegun,      &kWaitsOrAsks,
      &kLongUsesReqBuf};
  return {.rules = {.rules = kRules}, .instructions = kInstructions};
}

}  // namespace wirelaw::umsp
