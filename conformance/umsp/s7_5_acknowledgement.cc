// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 7.5: chains are acknowledged.
#include "conformance/section.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {
namespace {

constexpr Section kS7_5{"RFC 3018 7.5"};

constinit const Rule kReqIdInFirst =
    kS7_5.must("UMSP-7.5-1", "In a chain only the first instruction has REQ_ID, save EXEC_TR.",
               "UMSP/B20; responses are taken, each of which has its own");
constinit const Rule kOneAnswer = kS7_5.of(Role::responder)
                                      .by(Observable::stimulus)
                                      .must("UMSP-7.5-2", "The answer to a chain is one, for all of it.");
constinit const Rule kLaterAskZero =
    kS7_5.by(Observable::none)
        .must_not("UMSP-7.5-3", "Later instructions of a chain have ASK 0, the last included, save EXEC_TR.",
                  "REQ_ID is there where ASK is 1: UMSP-7.5-1");
constinit const Rule kDeliveryReported =
    kS7_5.by(Observable::none)
        .must("UMSP-7.5-4", "The transport of chains reports when data were delivered.",
              "a demand on the transport; TCP is the one in use");
constinit const Rule kNoTracking = kS7_5.by(Observable::api)
                                       .must_not("UMSP-7.5-5",
                                                 "For a chain with a granted buffer or in one segment, the protocol "
                                                 "layer of the sender does not follow acknowledgements.",
                                                 "what is above or below the protocol layer is not on the wire");
constinit const Rule kSequenceFreesOnDelivery =
    kS7_5.by(Observable::api)
        .must("UMSP-7.5-6", "For a sequence the sender takes window room as free when the transport delivered.",
              "what is above or below the protocol layer is not on the wire");
constinit const Rule kSequenceAtOnce =
    kS7_5.by(Observable::stimulus)
        .must("UMSP-7.5-7",
              "Instructions of a sequence go to the VM at once as they are in order, and free the window.");
constinit const Rule kWholeToVm =
    kS7_5.by(Observable::stimulus)
        .must_not("UMSP-7.5-8",
                  "A fragmented instruction or transaction does not go to the VM before all of it is there.");
constinit const Rule kFreeWhenExecuted =
    kS7_5.by(Observable::stimulus)
        .must("UMSP-7.5-9",
              "For a chain in the window the sender takes room as free only when its execution was acknowledged.");
constinit const Rule kKeepsReqId =
    kS7_5.by(Observable::api)
        .must("UMSP-7.5-10", "For a chain in the window the protocol layer keeps the VM's REQ_ID and sets its own.",
              "what is above or below the protocol layer is not on the wire");
constinit const Rule kOwnReqIdInFirst =
    kS7_5.by(Observable::none)
        .must("UMSP-7.5-11", "The protocol's own REQ_ID is in the first instruction of that chain.",
              "UMSP-7.5-1; whose it is cannot be seen");
constinit const Rule kCollectedInWindow =
    kS7_5.by(Observable::stimulus)
        .must("UMSP-7.5-12", "A chain in the window is collected whole before it is executed.");
constinit const Rule kVmReports =
    kS7_5.by(Observable::api)
        .must("UMSP-7.5-13", "The VM reports to the protocol layer when the chain was executed.",
              "what is above or below the protocol layer is not on the wire");
constinit const Rule kRoomCleared =
    kS7_5.by(Observable::stimulus)
        .must("UMSP-7.5-14", "The receiver clears the chain's room in the window after the execution.");
constinit const Rule kWindowAnsweredByRspP =
    kS7_5.by(Observable::stimulus)
        .must("UMSP-7.5-15", "A chain that was in the window is acknowledged by RSP_P.",
              "UMSP/B21; whether the window was used is not on the wire");
constinit const Rule kOtherAnsweredByRsp =
    kS7_5.by(Observable::stimulus)
        .must("UMSP-7.5-16", "A chain that was not in the window is acknowledged by RSP.",
              "UMSP/B21; whether the window was used is not on the wire");
constinit const Rule kRoomFreeAfterRspP =
    kS7_5.by(Observable::stimulus).must("UMSP-7.5-17", "The sender counts the chain's room as free after RSP_P.");
constinit const Rule kGivesReqIdBack =
    kS7_5.by(Observable::api)
        .must("UMSP-7.5-18", "The protocol layer gives the VM its REQ_ID back with the acknowledgement.",
              "what is above or below the protocol layer is not on the wire");

}  // namespace

void judge_chain_ask(Judge& judge, const Seen& seen) {
  if (seen.layout != nullptr && seen.layout->response) return;
  judge.require(kReqIdInFirst, !seen.header().ask, seen.field(HeaderField::ask),
                expected("REQ_ID in the first instruction of the chain alone"), actual("ASK 1"));
}

UmspSection acknowledgement_rules() {
  static constexpr const Rule* kRules[] = {&kReqIdInFirst,       &kOneAnswer,         &kLaterAskZero,
                                           &kDeliveryReported,   &kNoTracking,        &kSequenceFreesOnDelivery,
                                           &kSequenceAtOnce,     &kWholeToVm,         &kFreeWhenExecuted,
                                           &kKeepsReqId,         &kOwnReqIdInFirst,   &kCollectedInWindow,
                                           &kVmReports,          &kRoomCleared,       &kWindowAnsweredByRspP,
                                           &kOtherAnsweredByRsp, &kRoomFreeAfterRspP, &kGivesReqIdBack};
  return {.rules = {.rules = kRules}};
}

}  // namespace wirelaw::umsp
