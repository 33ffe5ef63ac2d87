// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/rdmap.h"

#include <vector>

#include "conformance/rdmap/cases.h"
#include "conformance/rdmap/ddp/3-lower-layer/rules.h"
#include "conformance/rdmap/ddp/4.1-control-field/rules.h"
#include "conformance/rdmap/ddp/4.2-tagged-header/rules.h"
#include "conformance/rdmap/ddp/4.3-untagged-header/rules.h"
#include "conformance/rdmap/ddp/4.4-segment-format/rules.h"
#include "conformance/rdmap/ddp/5.2-segmentation/rules.h"
#include "conformance/rdmap/ddp/5.3-ordering/rules.h"
#include "conformance/rdmap/ddp/5.4-delivery/rules.h"
#include "conformance/rdmap/ddp/6-streams/rules.h"
#include "conformance/rdmap/ddp/7.1-validation/rules.h"
#include "conformance/rdmap/ddp/7.2-error-numbers/rules.h"
#include "conformance/rdmap/ddp/8-security/rules.h"
#include "conformance/rdmap/decode.h"
#include "conformance/rdmap/dialect.h"
#include "conformance/rdmap/ece/10-interoperability/rules.h"
#include "conformance/rdmap/ece/5-ready-to-receive/rules.h"
#include "conformance/rdmap/ece/6-frames/rules.h"
#include "conformance/rdmap/ece/7-sctp/rules.h"
#include "conformance/rdmap/ece/8-error-codes/rules.h"
#include "conformance/rdmap/ece/9-enhanced-data/rules.h"
#include "conformance/rdmap/ece/9.1-ird-and-ord/rules.h"
#include "conformance/rdmap/ece/9.2-peer-to-peer/rules.h"
#include "conformance/rdmap/ece/9.3-negotiation-flow/rules.h"
#include "conformance/rdmap/fpdu_row.h"
#include "conformance/rdmap/mpa/1.2-overview/rules.h"
#include "conformance/rdmap/mpa/3-ddp/rules.h"
#include "conformance/rdmap/mpa/4.1-fpdu/rules.h"
#include "conformance/rdmap/mpa/4.2-marker-format/rules.h"
#include "conformance/rdmap/mpa/4.3-markers/rules.h"
#include "conformance/rdmap/mpa/4.4-crc/rules.h"
#include "conformance/rdmap/mpa/4.5-fpdu-size/rules.h"
#include "conformance/rdmap/mpa/5-tcp/rules.h"
#include "conformance/rdmap/mpa/6-identification/rules.h"
#include "conformance/rdmap/mpa/7.1-setup/rules.h"
#include "conformance/rdmap/mpa/7.1.1-start-frames/rules.h"
#include "conformance/rdmap/mpa/7.1.2-startup/rules.h"
#include "conformance/rdmap/mpa/7.1.5-dual-stack/rules.h"
#include "conformance/rdmap/mpa/7.2-teardown/rules.h"
#include "conformance/rdmap/mpa/8-errors/rules.h"
#include "conformance/rdmap/mpa/9-security/rules.h"
#include "conformance/rdmap/observer.h"
#include "conformance/rdmap/rdmap/3.1-transport/rules.h"
#include "conformance/rdmap/rdmap/4.1-control-field/rules.h"
#include "conformance/rdmap/rdmap/4.2-message-definitions/rules.h"
#include "conformance/rdmap/rdmap/4.3-write-header/rules.h"
#include "conformance/rdmap/rdmap/4.4-read-request-header/rules.h"
#include "conformance/rdmap/rdmap/4.5-read-response-header/rules.h"
#include "conformance/rdmap/rdmap/4.6-send-header/rules.h"
#include "conformance/rdmap/rdmap/4.7-send-invalidate-header/rules.h"
#include "conformance/rdmap/rdmap/4.8-error-codes/rules.h"
#include "conformance/rdmap/rdmap/4.8-terminate-header/rules.h"
#include "conformance/rdmap/rdmap/4.8-terminated-headers/rules.h"
#include "conformance/rdmap/rdmap/5.1-write/rules.h"
#include "conformance/rdmap/rdmap/5.2-read/rules.h"
#include "conformance/rdmap/rdmap/5.3-send/rules.h"
#include "conformance/rdmap/rdmap/5.4-terminate/rules.h"
#include "conformance/rdmap/rdmap/5.5-ordering/rules.h"
#include "conformance/rdmap/rdmap/6.1-initialization/rules.h"
#include "conformance/rdmap/rdmap/6.2-teardown/rules.h"
#include "conformance/rdmap/rdmap/7-error-management/rules.h"
#include "conformance/rdmap/rdmap/7.1-error-surfacing/rules.h"
#include "conformance/rdmap/rdmap/7.2-incoming-errors/rules.h"
#include "conformance/rdmap/rdmap/8-security/rules.h"
#include "conformance/rdmap/rdmapx/4-header-extensions/rules.h"
#include "conformance/rdmap/rdmapx/5.1-operations/rules.h"
#include "conformance/rdmap/rdmapx/5.2-messages/rules.h"
#include "conformance/rdmap/rdmapx/5.3-atomicity/rules.h"
#include "conformance/rdmap/rdmapx/5.4-completion/rules.h"
#include "conformance/rdmap/rdmapx/6-immediate-data/rules.h"
#include "conformance/rdmap/rdmapx/7-ordering/rules.h"
#include "conformance/rdmap/rdmapx/8.1-local-errors/rules.h"
#include "conformance/rdmap/rdmapx/8.2-remote-errors/rules.h"
#include "conformance/rdmap/rdmasec/6.1.1-stags/rules.h"
#include "conformance/rdmap/rdmasec/7.2-read-request-queue/rules.h"
#include "conformance/rdmap/recognition.h"
#include "conformance/settling.h"

namespace wirelaw::rdmap {
namespace {

constexpr Feature kFeatures[] = {{kExtensions, "RDMA Protocol Extensions: Atomics and Immediate Data (RFC 7306)"}};

constexpr Feature kParameters[] = {
    {"stag", "An STag of the implementation under test with which its peer may read and write"},
    {"to", "Tagged offset of the first octet of that memory (default 0)"},
    {"length", "Length of that memory, in octets"},
    {"receive", "Size of each buffer that it posts for Sends, in octets"},
    kSettle,
};

constexpr RuleSheet kSheets[] = {
    TransportRules::kRules,
    ControlFieldRules::kRules,
    MessageDefinitionsRules::kRules,
    WriteHeaderRules::kRules,
    ReadRequestHeaderRules::kRules,
    ReadResponseHeaderRules::kRules,
    SendHeaderRules::kRules,
    SendInvalidateHeaderRules::kRules,
    TerminateHeaderRules::kRules,
    ErrorCodesRules::kRules,
    TerminatedHeadersRules::kRules,
    WriteRules::kRules,
    ReadRules::kRules,
    SendRules::kRules,
    TerminateRules::kRules,
    OrderingRules::kRules,
    InitializationRules::kRules,
    TeardownRules::kRules,
    ErrorManagementRules::kRules,
    ErrorSurfacingRules::kRules,
    SecurityRules::kRules,
    HeaderExtensionsRules::kRules,
    OperationsRules::kRules,
    AtomicMessagesRules::kRules,
    CompletionRules::kRules,
    ImmediateDataRules::kRules,
    ExtensionOrderingRules::kRules,
    LocalErrorsRules::kRules,
    StagsRules::kRules,
    ReadRequestQueueRules::kRules,
    DdpLowerLayerRules::kRules,
    DdpControlFieldRules::kRules,
    DdpTaggedHeaderRules::kRules,
    DdpUntaggedHeaderRules::kRules,
    DdpSegmentFormatRules::kRules,
    DdpSegmentationRules::kRules,
    DdpOrderingRules::kRules,
    DdpDeliveryRules::kRules,
    DdpStreamsRules::kRules,
    DdpErrorNumbersRules::kRules,
    DdpSecurityRules::kRules,
    MpaOverviewRules::kRules,
    MpaDdpRules::kRules,
    MpaFpduRules::kRules,
    MpaMarkerFormatRules::kRules,
    MpaMarkersRules::kRules,
    MpaCrcRules::kRules,
    MpaFpduSizeRules::kRules,
    MpaTcpRules::kRules,
    MpaIdentificationRules::kRules,
    MpaSetupRules::kRules,
    MpaStartFramesRules::kRules,
    MpaStartupRules::kRules,
    MpaDualStackRules::kRules,
    MpaTeardownRules::kRules,
    MpaErrorsRules::kRules,
    MpaSecurityRules::kRules,
    EceReadyToReceiveRules::kRules,
    EceFramesRules::kRules,
    EceSctpRules::kRules,
    EceErrorCodesRules::kRules,
    EceEnhancedDataRules::kRules,
    EceIrdAndOrdRules::kRules,
    EcePeerToPeerRules::kRules,
    EceNegotiationFlowRules::kRules,
    EceInteroperabilityRules::kRules,
    // Sections that only cases judge.
    IncomingErrorsRules::kRules,
    RemoteErrorsRules::kRules,
    AtomicityRules::kRules,
    DdpValidationRules::kRules,
};

const Catalogue& catalogue() {
  static const Catalogue kCatalogue("rdmap", kSheets);
  return kCatalogue;
}

constexpr std::string_view kControls[] = {
    "ddp/responder-places-sends",  "rdmap/responder-answers-empty-reads", "mpa/responder-answers-enhanced-requests",
    "mpa/initiator-ends-in-order", "mpa/initiator-enters-full-operation",
};

constexpr OnStreams kStreams{.begins_in = begins_in,
                             .begins_protocol = true,
                             .confirms = confirms,
                             .may_continue = may_begin_fpdu,
                             .continues = continues};

}  // namespace

std::span<const BreachList> breaches() {
  static const std::vector<Breach> kBreaches = breaches_of(catalogue().rules());
  static const BreachList kAll[] = {kBreaches};
  return kAll;
}

constinit const Protocol kProtocol{.name = "rdmap",
                                   .title = "iWARP (RDMAP, DDP, MPA)",
                                   .initiator = "initiator",
                                   .responder = "responder",
                                   .transports = "tcp verbs",
                                   .catalogue = catalogue,
                                   .cases = [] { return suite().cases(); },
                                   .observer = make_observer,
                                   .decode = decode_for_people,
                                   .streams = kStreams,
                                   .features = kFeatures,
                                   .parameters = kParameters,
                                   .controls = kControls,
                                   .dialect = &kDialect};

}  // namespace wirelaw::rdmap
