// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 5.8: work without a session.
#include "conformance/section.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {
namespace {

constexpr Section kS5_8{"RFC 3018 5.8"};

constinit const Rule kNoTaskWithoutSession =
    kS5_8.of(Role::responder)
        .by(Observable::stimulus)
        .must("UMSP-5.8-1", "Without a session neither job nor task is initiated, and the JCP is not asked.");
constinit const Rule kSameFormat =
    kS5_8.by(Observable::none)
        .must("UMSP-5.8-2", "An instruction without a session has the format of one in a session.",
              "what each instruction's own rules demand");
constinit const Rule kPckOrSessionZero =
    kS5_8.by(Observable::none)
        .must("UMSP-5.8-3", "An instruction without a session has PCK 00 or SESSION_ID 0.",
              "any other SESSION_ID names a session");
constinit const Rule kVmByDefault =
    kS5_8.of(Role::responder)
        .by(Observable::stimulus)
        .must("UMSP-5.8-4", "A node that works without sessions has a VM that executes such instructions by default.");
constinit const Rule kMemoryReached = kS5_8.of(Role::responder)
                                          .by(Observable::stimulus)
                                          .must("UMSP-5.8-5", "The memory of that VM is reached without a session.");
constinit const Rule kZeroSessionOpen = kS5_8.must(
    "UMSP-5.8-6", "SESSION_OPEN with SESSION_ID 0, for the parameters of the zero-session, has REQ_ID 0 too.",
    "UMSP/A14; PCK 00 with another REQ_ID reads as the first SESSION_OPEN of a session");
constinit const Rule kProvidedAccepted =
    kS5_8.of(Role::responder)
        .by(Observable::stimulus)
        .must("UMSP-5.8-7", "The receiver of such a SESSION_OPEN that provides the profile answers SESSION_ACCEPT.",
              "UMSP/A14; the document sets no time for the answer");
constinit const Rule kNotProvidedOpens =
    kS5_8.of(Role::responder)
        .by(Observable::stimulus)
        .must("UMSP-5.8-8", "The receiver that does not provide it answers a SESSION_OPEN.",
              "UMSP/A14; the document sets no time for the answer");
constinit const Rule kAnswerIsZeroToo =
    kS5_8.of(Role::responder)
        .by(Observable::none)
        .must("UMSP-5.8-9", "That SESSION_OPEN in answer has SESSION_ID 0 and REQ_ID 0.",
              "UMSP/A14; UMSP-5.8-6 judges each of them");
constinit const Rule kOpensNoSession =
    kS5_8.of(Role::responder)
        .by(Observable::stimulus)
        .must("UMSP-5.8-10", "SESSION_OPEN for the zero-session opens no session.", "UMSP/A14");
constinit const Rule kWorksWithoutIt =
    kS5_8.of(Role::responder)
        .by(Observable::stimulus)
        .must("UMSP-5.8-11", "The zero-session works with or without that exchange.");
constinit const Rule kChainInOneSegment =
    kS5_8.by(Observable::none)
        .must("UMSP-5.8-12", "A chain without a session lies in one segment of the transport.",
              "UMSP/B24; TCP cuts its stream as it likes, and of datagrams it is UMSP-7-21");
constinit const Rule kNoMemoryWithoutSession =
    kS5_8.must_not("UMSP-5.8-13", "Without a session no memory is asked for: no MEM_ALLOC, MVCODE.",
                   "a warning for MVCODE, which asks for memory in passing");
constinit const Rule kNoObjectWithoutSession =
    kS5_8.must_not("UMSP-5.8-14", "Without a session no object is made: no NEW, NEW_SYS.");
constinit const Rule kMvrunAllowed = kS5_8.by(Observable::none)
                                         .may("UMSP-5.8-15", "MVRUN may be used without a session.",
                                              "a permission; S30 of the profile is a rule of 5.3.4");
constinit const Rule kNoPointers =
    kS5_8.by(Observable::api)
        .must_not("UMSP-5.8-16", "Without a session neither parameters nor returned values contain pointers.",
                  "what octets mean to a program is not on the wire");
constinit const Rule kLayerChecksNot =
    kS5_8.of(Role::responder)
        .by(Observable::api)
        .must_not("UMSP-5.8-17", "The protocol layer does not check those restrictions: that is the VM's part.",
                  "a refusal does not show which of the two it is from");

bool is_without_session(const Seen& seen) {
  return seen.header().pck == Pck::no_session || seen.membership.session_id == kZeroSession;
}

}  // namespace

bool is_of_zero_session(const Seen& seen) {
  if (!seen.is(Opcode::session_open) && !seen.is(Opcode::session_accept)) return is_without_session(seen);
  if (seen.membership.session_id == kZeroSession) return true;
  return seen.header().pck == Pck::no_session && seen.header().req_id == kZeroSession;
}

void judge_zero_session(Judge& judge, const Seen& seen) {
  if (seen.is(Opcode::session_open) && seen.header().has_session_id() && seen.header().session_id == kZeroSession)
    judge.require(kZeroSessionOpen, seen.header().req_id == kZeroSession, seen.field(HeaderField::req_id),
                  expected("REQ_ID 0"), actual(hex(seen.header().req_id)));
  const bool without = is_without_session(seen);
  const Expected in_session = expected("a session");
  const Actual none = actual("none");
  if (seen.is(Opcode::mem_alloc))
    judge.require(kNoMemoryWithoutSession, !without, seen.field(HeaderField::pck), in_session, none);
  if (seen.is(Opcode::mvcode))
    judge.advise(kNoMemoryWithoutSession, !without, seen.field(HeaderField::pck), in_session, none);
  if (seen.is(Opcode::create) || seen.is(Opcode::sys_new))
    judge.require(kNoObjectWithoutSession, !without, seen.field(HeaderField::pck), in_session, none);
}

UmspSection zero_session_rules() {
  static constexpr const Rule* kRules[] = {&kNoTaskWithoutSession,   &kSameFormat,
                                           &kPckOrSessionZero,       &kVmByDefault,
                                           &kMemoryReached,          &kZeroSessionOpen,
                                           &kProvidedAccepted,       &kNotProvidedOpens,
                                           &kAnswerIsZeroToo,        &kOpensNoSession,
                                           &kWorksWithoutIt,         &kChainInOneSegment,
                                           &kNoMemoryWithoutSession, &kNoObjectWithoutSession,
                                           &kMvrunAllowed,           &kNoPointers,
                                           &kLayerChecksNot};
  return {.rules = {.rules = kRules}};
}

}  // namespace wirelaw::umsp
