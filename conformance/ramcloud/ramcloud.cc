// SPDX-License-Identifier: Apache-2.0
#include "conformance/ramcloud/ramcloud.h"

#include "conformance/dialect.h"
#include "conformance/ramcloud/cases.h"
#include "conformance/ramcloud/decode.h"
#include "conformance/ramcloud/observer.h"
#include "conformance/ramcloud/rules.h"

namespace wirelaw::ramcloud {
namespace {

const Catalogue& catalogue() {
  static const Catalogue kCatalogue{"ramcloud",
                                    {transport_rules(),
                                     session_rules(),
                                     session_cases().rules,
                                     header_rules(),
                                     header_cases().rules,
                                     payload_type_rules(),
                                     payload_type_cases().rules,
                                     session_token_rules(),
                                     session_token_cases().rules,
                                     client_session_hint_rules(),
                                     client_session_hint_cases().rules,
                                     server_session_hint_rules(),
                                     server_session_hint_cases().rules,
                                     channel_id_rules(),
                                     channel_id_cases().rules,
                                     rpc_id_rules(),
                                     rpc_id_cases().rules,
                                     frag_number_rules(),
                                     frag_number_cases().rules,
                                     total_frags_rules(),
                                     total_frags_cases().rules,
                                     direction_rules(),
                                     direction_cases().rules,
                                     request_ack_rules(),
                                     ack_cases().rules,
                                     request_ack_cases().rules,
                                     please_drop_rules(),
                                     please_drop_cases().rules,
                                     reserved1_rules(),
                                     reserved1_cases().rules,
                                     open_request_rules(),
                                     open_request_cases().rules,
                                     open_response_rules(),
                                     open_response_cases().rules,
                                     bad_session_rules(),
                                     bad_session_cases().rules,
                                     ack_rules(),
                                     old_rules(),
                                     silence_rules(),
                                     old_request_cases().rules,
                                     old_response_cases().rules}};
  return kCatalogue;
}

constexpr std::string_view kControls[] = {
    "sessionToken/the-given-token-is-accepted",
    "serverSessionHint/0-works",
};

constexpr std::string_view kBound[] = {"ramcloud.session_token", "ramcloud.rpc_id", "ramcloud.client_session_hint",
                                       "ramcloud.server_session_hint", "ramcloud.channel_id"};
constexpr edits::Dialect kDialect{.bound = kBound, .proven = true};

}  // namespace

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
