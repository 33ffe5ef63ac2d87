// SPDX-License-Identifier: Apache-2.0
#include "conformance/ramcloud/ramcloud.h"

#include "conformance/ramcloud/decode.h"
#include "conformance/ramcloud/observer.h"
#include "conformance/ramcloud/rules.h"

namespace wirelaw::ramcloud {
namespace {

const Catalogue& catalogue() {
  static const Catalogue kCatalogue{transport_rules(),
                                    session_rules(),
                                    header_rules(),
                                    payload_type_rules(),
                                    session_token_rules(),
                                    client_session_hint_rules(),
                                    server_session_hint_rules(),
                                    channel_id_rules(),
                                    rpc_id_rules(),
                                    frag_number_rules(),
                                    total_frags_rules(),
                                    direction_rules(),
                                    request_ack_rules(),
                                    please_drop_rules(),
                                    reserved1_rules(),
                                    open_request_rules(),
                                    open_response_rules(),
                                    bad_session_rules(),
                                    ack_rules(),
                                    old_rules()};
  return kCatalogue;
}

std::span<const Case> cases() {
  return {};
}

}  // namespace

constinit const Protocol kProtocol{.name = "ramcloud",
                                   .title = "RAMCloud RPC",
                                   .initiator = "client",
                                   .responder = "server",
                                   .carriages = "udp",
                                   .catalogue = catalogue,
                                   .cases = cases,
                                   .observer = make_observer,
                                   .recognises = recognises,
                                   .decode = decode_for_people};

}  // namespace wirelaw::ramcloud
