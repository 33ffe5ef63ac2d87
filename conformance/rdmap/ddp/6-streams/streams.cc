// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 6: setting streams up and tearing them down.
#include "conformance/rdmap/ddp/checks.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace {

constexpr Section kSetup = Section{"RFC 5041 6.1"}.by(Observable::none);
constexpr Section kTeardown = Section{"RFC 5041 6.2"}.by(Observable::api);
constexpr Section kGraceful = Section{"RFC 5041 6.2.1"}.by(Observable::api);
constexpr Section kGracefulNotJudged = kGraceful.by(Observable::none);
constexpr Section kAbortive = Section{"RFC 5041 6.2.2"}.by(Observable::api);
constexpr Section kSection7 = Section{"RFC 5041 7"}.by(Observable::api);
constexpr std::string_view kBetweenLayers = "between DDP and the layers above and below it, of one implementation";

constinit const Rule kBothEndsAtOnce =
    kSetup.must("DDP-6.1-1", "The ULP enables both ends for DDP at the same time, in both directions.",
                "over TCP the start frames do that: judged by MPA's rules of them");
constinit const Rule kNeverOfItself =
    kTeardown.must_not("DDP-6.2-1", "DDP does not begin to tear a stream down by itself.", kBetweenLayers);
constinit const Rule kAllTransferredFirst =
    kGracefulNotJudged.should("DDP-6.2.1-1", "Before a graceful teardown all data of the ULP has been transferred.",
                              "judged by RDMAP-6.2-1 and -2");
constinit const Rule kRequestsFailAfterwards =
    kGraceful.must("DDP-6.2.1-2", "After a graceful teardown further requests of the local ULP return an error.",
                   "the caller of the verbs sees the error");
constinit const Rule kDataAfterTeardown = kGracefulNotJudged.must(
    "DDP-6.2.1-3", "Data that comes after a graceful teardown of the LLP tears the stream down abortively.",
    "TCP carries no data behind a FIN; a capture in which it seems to is reported by the reassembly");
constinit const Rule kOtherHalfGracefully = kGraceful.must(
    "DDP-6.2.1-5",
    "When the ULP then asks for a graceful teardown, DDP asks the LLP to close the other half gracefully.",
    "RDMAP/V-01: rdma_disconnect behind the peer's close ends in a close of ours");
constinit const Rule kReceptionStaysEnabled = kGraceful.should(
    "DDP-6.2.1-6", "After the ULP has closed its half gracefully, reception stays enabled on the other.",
    "no verb of deployed stacks closes one half");
constinit const Rule kLostIsFatal =
    kAbortive.must("DDP-6.2.2-1", "The loss of the LLP is reported to the ULP as a fatal error.",
                   "RDMAP/V-01: in whichever way verbs report it");
constinit const Rule kLlpErrorIsFatal =
    kAbortive.must("DDP-6.2.2-2", "A fatal error of the LLP is reported to the ULP as one.",
                   "RDMAP/V-01: in whichever way verbs report it");
constinit const Rule kOutstandingFail = kAbortive.should(
    "DDP-6.2.2-4", "After a fatal error of the LLP it is reported, and outstanding requests complete with an error.",
    "the completions of the verbs show it");
constinit const Rule kTerminationWaits = kAbortive.must_not(
    "DDP-6.2.2-6", "After a fatal error the stream is not terminated before the local ULP says so.", kBetweenLayers);
constinit const Rule kLlpErrorsPassedUp = kSection7.should("DDP-7-1", "Errors of the LLP are passed up to the ULP.",
                                                           "RDMAP/V-01: in whichever way verbs report it");

constexpr Breach kBreaches[] = {
    {Deviation::posts_after_disconnect, kRequestsFailAfterwards, {.given = "verbs pair"}},
    {Deviation::never_closes, kOtherHalfGracefully, {.given = "verbs"}},
    {Deviation::error_not_surfaced, kLostIsFatal, {.given = "verbs"}},
    {Deviation::error_not_surfaced, kLlpErrorIsFatal, {.given = "verbs"}},
    {Deviation::work_not_flushed, kOutstandingFail, {.given = "verbs pair"}},
    {Deviation::error_not_surfaced, kLlpErrorsPassedUp, {.given = "verbs"}},
};

}  // namespace

SectionRules ddp_stream_rules() {
  static constexpr const Rule* kRules[] = {&kBothEndsAtOnce,         &kNeverOfItself,     &kAllTransferredFirst,
                                           &kRequestsFailAfterwards, &kDataAfterTeardown, &kOtherHalfGracefully,
                                           &kReceptionStaysEnabled,  &kLostIsFatal,       &kLlpErrorIsFatal,
                                           &kOutstandingFail,        &kTerminationWaits,  &kLlpErrorsPassedUp};
  return {kRules, kBreaches};
}

}  // namespace wirelaw::rdmap
