// SPDX-License-Identifier: Apache-2.0
// RFC 5041, section 6: setting streams up and tearing them down.
#include "conformance/rdmap/ddp/checks.h"

namespace wirelaw::rdmap {
namespace {

constexpr std::string_view kSetup = "RFC 5041 6.1", kTeardown = "RFC 5041 6.2", kGraceful = "RFC 5041 6.2.1",
                           kAbortive = "RFC 5041 6.2.2";
constexpr std::string_view kBetweenLayers = "between DDP and the layers above and below it, of one implementation";

constexpr Rule stream_rule(std::string_view id, Level level, std::string_view section, Observable observable,
                           std::string_view summary, std::string_view note = kBetweenLayers) {
  return ddp_rule(id, level, section, observable, summary, note);
}

constinit const Rule kBothEndsAtOnce =
    stream_rule("DDP-6.1-1", Level::must, kSetup, Observable::none,
                "The ULP enables both ends for DDP at the same time, in both directions.",
                "over TCP the start frames do that: judged by MPA's rules of them");
constinit const Rule kNeverOfItself = stream_rule("DDP-6.2-1", Level::must_not, kTeardown, Observable::api,
                                                  "DDP does not begin to tear a stream down by itself.");
constinit const Rule kAllTransferredFirst =
    stream_rule("DDP-6.2.1-1", Level::should, kGraceful, Observable::none,
                "Before a graceful teardown all data of the ULP has been transferred.", "judged by RDMAP-6.2-1 and -2");
constinit const Rule kRequestsFailAfterwards =
    stream_rule("DDP-6.2.1-2", Level::must, kGraceful, Observable::api,
                "After a graceful teardown further requests of the local ULP return an error.",
                "the caller of the verbs sees the error");
constinit const Rule kDataAfterTeardown =
    stream_rule("DDP-6.2.1-3", Level::must, kGraceful, Observable::none,
                "Data that comes after a graceful teardown of the LLP tears the stream down abortively.",
                "TCP carries no data behind a FIN; a capture in which it seems to is told by the reassembly");
constinit const Rule kHalfClosedIsTold =
    stream_rule("DDP-6.2.1-4", Level::should, kGraceful, Observable::api,
                "A half-closed stream is told to the ULP, and outbound transfers go on.",
                "the ULP decides what it does with its half");
constinit const Rule kOtherHalfGracefully =
    stream_rule("DDP-6.2.1-5", Level::must, kGraceful, Observable::api,
                "When the ULP then asks for a graceful teardown, DDP asks the LLP to close the other half gracefully.",
                "V-01: rdma_disconnect behind the peer's close ends in a close of ours");
constinit const Rule kReceptionStaysEnabled =
    stream_rule("DDP-6.2.1-6", Level::should, kGraceful, Observable::api,
                "After the ULP has closed its half gracefully, reception stays enabled on the other.",
                "no verb of deployed stacks closes one half");
constinit const Rule kLostIsFatal =
    stream_rule("DDP-6.2.2-1", Level::must, kAbortive, Observable::api,
                "The loss of the LLP is told to the ULP as a fatal error.", "V-01: in whichever way verbs tell it");
constinit const Rule kLlpErrorIsFatal =
    stream_rule("DDP-6.2.2-2", Level::must, kAbortive, Observable::api,
                "A fatal error of the LLP is told to the ULP as one.", "V-01: in whichever way verbs tell it");
constinit const Rule kOutstandingFail =
    stream_rule("DDP-6.2.2-4", Level::should, kAbortive, Observable::api,
                "After a fatal error of the LLP it is reported, and outstanding requests complete with an error.",
                "the completions of the verbs show it");
constinit const Rule kTerminationWaits =
    stream_rule("DDP-6.2.2-6", Level::must_not, kAbortive, Observable::api,
                "After a fatal error the stream is not terminated before the local ULP says so.");
constinit const Rule kLlpErrorsPassedUp =
    stream_rule("DDP-7-1", Level::should, "RFC 5041 7", Observable::api, "Errors of the LLP are passed up to the ULP.",
                "V-01: in whichever way verbs tell it");

}  // namespace

RuleList ddp_stream_rules() {
  static constexpr const Rule* kRules[] = {&kBothEndsAtOnce,         &kNeverOfItself,         &kAllTransferredFirst,
                                           &kRequestsFailAfterwards, &kDataAfterTeardown,     &kHalfClosedIsTold,
                                           &kOtherHalfGracefully,    &kReceptionStaysEnabled, &kLostIsFatal,
                                           &kLlpErrorIsFatal,        &kOutstandingFail,       &kTerminationWaits,
                                           &kLlpErrorsPassedUp};
  return kRules;
}

}  // namespace wirelaw::rdmap
