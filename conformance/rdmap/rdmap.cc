// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/rdmap.h"

#include "conformance/rdmap/cases.h"
#include "conformance/rdmap/checks.h"
#include "conformance/rdmap/decode.h"
#include "conformance/rdmap/dialect.h"
#include "conformance/rdmap/fpdu_row.h"
#include "conformance/rdmap/tracker/observer.h"
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

const Catalogue& catalogue() {
  static const Catalogue kCatalogue = [] {
    std::vector<RuleList> lists;
    for (const auto layer : {rdmap_rules(), ddp_rules(), mpa_rules()})
      for (const SectionRules& section : layer) lists.push_back(section.rules);
    for (const RuleList rules : suite().rules()) lists.push_back(rules);
    return Catalogue("rdmap", std::span<const RuleList>(lists));
  }();
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
