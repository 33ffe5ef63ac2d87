// SPDX-License-Identifier: Apache-2.0
#include "conformance/efa/efa.h"

#include <vector>

#include "conformance/dialect.h"
#include "conformance/efa/cases.h"
#include "conformance/efa/decode.h"
#include "conformance/efa/observer.h"
#include "conformance/efa/rules.h"
#include "reference/efa/capability.h"

namespace wirelaw::efa {
namespace {

// What an endpoint announces is in its HANDSHAKE; declared, a case or a reference peer knows it before.
constexpr Feature kFeatures[] = {
    {"rdma_read", "RDMA-Read based data transfer (4.1)"},
    {"rdma_write", "RDMA-Write based data transfer (4.6)"},
    {"constant_header_length", "Asks for packet headers of a constant length (4.3)"},
    {"unsolicited_write_recv", "Consumes no receive for an RDMA write with immediate (4.9 of later documents)"},
    {kHomogeneousPeers, "Its application declares that all peers are alike (libfabric 2.2 and later)"},
    {"peer_error", "Reports by PEER_ERROR what it gives up (4.10 of later documents)"},
};

constexpr Feature kRevisions[] = {
    {"2023-10", "The document of October 2023, for libfabric up to 2.5"},
    {"2.6", "The document of libfabric 2.6: delivery complete, connid, runting read and READ_NACK are baseline"},
    {"main", "The main branch after libfabric 2.6: PEER_ERROR, and the HMEM block of HANDSHAKE"},
};

constexpr Feature kParameters[] = {
    {"addr", "Address of memory that the implementation under test lets peers read, write and change"},
    {"key", "Key of that memory"},
    {"length", "Length of that memory, in octets"},
    {"mtu", "Size of the largest packet that it accepts, in octets"},
    {"msg_id", "The first message ID of either direction; 0 by default (EFA/A-20)"},
    {"receive", "Size of each receive that its application posts, in octets"},
    {"tag", "The only tag that its application receives; messages with other tags wait (default: any tag)"},
};

const Catalogue& catalogue() {
  static const Catalogue kCatalogue = [] {
    std::vector<RuleList> lists;
    for (const SectionRules& section : rule_sections()) lists.push_back(section.rules);
    lists.insert(lists.end(), suite().rules().begin(), suite().rules().end());
    return Catalogue("efa", std::span<const RuleList>(lists));
  }();
  return kCatalogue;
}

std::span<const Case> cases() {
  return suite().cases();
}

constexpr std::string_view kControls[] = {
    "eager/message-of-every-size",
    "handshake/answers-a-handshake-that-comes-first",
    "eager/echo-to-requester",
    "handshake/requester-answers-a-first-packet",
};

constexpr std::string_view kBound[] = {"efa_rdm.connid", "efa_rdm.msg_id", "efa_rdm.send_id", "efa_rdm.recv_id"};
constexpr edits::Dialect kDialect{.bound = kBound, .proven = true};

}  // namespace

constinit const Protocol kProtocol{.name = "efa",
                                   .title = "EFA RDM v4",
                                   .initiator = "requester",
                                   .responder = "responder",
                                   .transports = "udp srd",
                                   .catalogue = catalogue,
                                   .cases = cases,
                                   .observer = make_observer,
                                   .decode = decode_for_people,
                                   .datagrams = OnDatagrams{.recognises = recognises, .plausible = plausible},
                                   .features = kFeatures,
                                   .revisions = kRevisions,
                                   .parameters = kParameters,
                                   .controls = kControls,
                                   .dissector = "efa_rdm",
                                   .dialect = &kDialect};

}  // namespace wirelaw::efa
