// SPDX-License-Identifier: Apache-2.0
#include "conformance/ramcloud/ramcloud.h"

#include "conformance/dialect.h"
#include "conformance/ramcloud/ack/rules.h"
#include "conformance/ramcloud/badSession/rules.h"
#include "conformance/ramcloud/cases.h"
#include "conformance/ramcloud/channelId/rules.h"
#include "conformance/ramcloud/clientSessionHint/rules.h"
#include "conformance/ramcloud/decode.h"
#include "conformance/ramcloud/direction/rules.h"
#include "conformance/ramcloud/echo_check.h"
#include "conformance/ramcloud/fragNumber/rules.h"
#include "conformance/ramcloud/header/rules.h"
#include "conformance/ramcloud/observer.h"
#include "conformance/ramcloud/old/rules.h"
#include "conformance/ramcloud/openRequest/rules.h"
#include "conformance/ramcloud/openResponse/rules.h"
#include "conformance/ramcloud/payloadType/rules.h"
#include "conformance/ramcloud/pleaseDrop/rules.h"
#include "conformance/ramcloud/requestAck/rules.h"
#include "conformance/ramcloud/reserved1/rules.h"
#include "conformance/ramcloud/rpcId/rules.h"
#include "conformance/ramcloud/serverSessionHint/rules.h"
#include "conformance/ramcloud/session/rules.h"
#include "conformance/ramcloud/sessionToken/rules.h"
#include "conformance/ramcloud/totalFrags/rules.h"
#include "conformance/ramcloud/transport/rules.h"

namespace wirelaw::ramcloud {
namespace {

const Catalogue& catalogue() {
  static constexpr RuleSheet kSheets[] = {
      TransportRules::kRules,         SessionRules::kRules,      HeaderRules::kRules,
      PayloadTypeRules::kRules,       SessionTokenRules::kRules, ClientSessionHintRules::kRules,
      ServerSessionHintRules::kRules, ChannelIdRules::kRules,    RpcIdRules::kRules,
      FragNumberRules::kRules,        TotalFragsRules::kRules,   DirectionRules::kRules,
      RequestAckRules::kRules,        AckRules::kRules,          PleaseDropRules::kRules,
      Reserved1Rules::kRules,         OpenRequestRules::kRules,  OpenResponseRules::kRules,
      BadSessionRules::kRules,        OldRules::kRules,
  };
  static const Catalogue kCatalogue{"ramcloud", kSheets};
  return kCatalogue;
}

constexpr std::string_view kControls[] = {
    "sessionToken/the-given-token-is-accepted",
    "serverSessionHint/0-works",
};

constexpr std::string_view kBound[] = {"ramcloud.session_token", "ramcloud.rpc_id", "ramcloud.client_session_hint",
                                       "ramcloud.server_session_hint", "ramcloud.channel_id"};
constexpr edits::Dialect kDialect{.bound = kBound, .echo = make_echo_check, .proven = true};

}  // namespace

std::span<const BreachList> breaches() {
  static const std::vector<Breach> kBreaches = breaches_of(catalogue().rules());
  static const BreachList kAll[] = {kBreaches};
  return kAll;
}

constinit const Protocol kProtocol{.name = "ramcloud",
                                   .title = "RAMCloud RPC",
                                   .initiator = "client",
                                   .responder = "server",
                                   .transports = "udp",
                                   .catalogue = catalogue,
                                   .cases = [] { return suite().cases(); },
                                   .observer = make_observer,
                                   .decode = decode_for_people,
                                   .datagrams = OnDatagrams{.recognises = recognises, .plausible = plausible},
                                   .controls = kControls,
                                   .dialect = &kDialect};

}  // namespace wirelaw::ramcloud
