// SPDX-License-Identifier: Apache-2.0
#include "conformance/efa/efa.h"

#include <vector>

#include "conformance/dialect.h"
#include "conformance/efa/1.3-base-header/rules.h"
#include "conformance/efa/1.4-raw-address/rules.h"
#include "conformance/efa/2.1-extra-features/rules.h"
#include "conformance/efa/2.1-handshake/rules.h"
#include "conformance/efa/2.2-raw-address-header/rules.h"
#include "conformance/efa/2.3-implementation/rules.h"
#include "conformance/efa/3.1-req/rules.h"
#include "conformance/efa/3.2-cts/rules.h"
#include "conformance/efa/3.2-ctsdata/rules.h"
#include "conformance/efa/3.2-eager/rules.h"
#include "conformance/efa/3.2-end/rules.h"
#include "conformance/efa/3.2-longcts/rules.h"
#include "conformance/efa/3.2-medium/rules.h"
#include "conformance/efa/3.2-msg-id/rules.h"
#include "conformance/efa/3.2-requester/rules.h"
#include "conformance/efa/3.3-atomic/rules.h"
#include "conformance/efa/3.3-atomrsp/rules.h"
#include "conformance/efa/3.3-one-sided/rules.h"
#include "conformance/efa/3.3-read/rules.h"
#include "conformance/efa/3.3-readrsp/rules.h"
#include "conformance/efa/3.3-requester/rules.h"
#include "conformance/efa/3.3-write/rules.h"
#include "conformance/efa/4.1-eor/rules.h"
#include "conformance/efa/4.1-long-read/rules.h"
#include "conformance/efa/4.10-peer-error/rules.h"
#include "conformance/efa/4.2-delivery-complete/rules.h"
#include "conformance/efa/4.3-constant-header/rules.h"
#include "conformance/efa/4.4-connid/rules.h"
#include "conformance/efa/4.5-runting-read/rules.h"
#include "conformance/efa/4.6-direct-write/rules.h"
#include "conformance/efa/4.7-read-nack/rules.h"
#include "conformance/efa/4.8-user-recv-qp/rules.h"
#include "conformance/efa/4.9-unsolicited-write/rules.h"
#include "conformance/efa/cases.h"
#include "conformance/efa/decode.h"
#include "conformance/efa/observer.h"
#include "conformance/efa/padding/rules.h"
#include "conformance/efa/stray-answers/rules.h"
#include "reference/efa/capability.h"

namespace wirelaw::efa {
namespace {

// An endpoint announces its features in its HANDSHAKE. If the user declares them, a case or a reference peer knows them
// earlier.
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
  static constexpr RuleSheet kSheets[] = {
      BaseHeaderRules::kRules,
      RawAddressRules::kRules,
      ExtraFeaturesRules::kRules,
      HandshakeRules::kRules,
      RawAddressHeaderRules::kRules,
      ImplementationRules::kRules,
      ReqRules::kRules,
      CtsRules::kRules,
      CtsdataRules::kRules,
      EagerRules::kRules,
      EndRules::kRules,
      LongctsRules::kRules,
      MediumRules::kRules,
      MsgIdRules::kRules,
      MessageRequesterRules::kRules,
      AtomicRules::kRules,
      AtomrspRules::kRules,
      OneSidedRules::kRules,
      ReadRules::kRules,
      ReadrspRules::kRules,
      OneSidedRequesterRules::kRules,
      WriteRules::kRules,
      EorRules::kRules,
      LongReadRules::kRules,
      DeliveryCompleteRules::kRules,
      ConstantHeaderRules::kRules,
      ConnidRules::kRules,
      RuntingReadRules::kRules,
      DirectWriteRules::kRules,
      ReadNackRules::kRules,
      UserRecvQpRules::kRules,
      UnsolicitedWriteRules::kRules,
      PeerErrorRules::kRules,
      PaddingRules::kRules,
      StrayAnswersRules::kRules,
  };
  static const Catalogue kCatalogue("efa", kSheets);
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
