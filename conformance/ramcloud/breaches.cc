// SPDX-License-Identifier: Apache-2.0
#include "conformance/ramcloud/breaches.h"

#include <vector>

#include "conformance/ramcloud/cases.h"
#include "conformance/ramcloud/rules.h"

namespace wirelaw::ramcloud {

std::span<const BreachList> breaches() {
  static const std::vector<BreachList> kAll = [] {
    std::vector<BreachList> all{
        session_breaches(),     header_breaches(),      payload_type_breaches(),        session_token_breaches(),
        channel_id_breaches(),  rpc_id_breaches(),      client_session_hint_breaches(), server_session_hint_breaches(),
        frag_number_breaches(), total_frags_breaches(), direction_breaches(),           request_ack_breaches(),
        please_drop_breaches(), reserved1_breaches(),   open_request_breaches(),        open_response_breaches(),
        bad_session_breaches(), ack_breaches()};
    for (const SectionCases& section : suite().sections()) all.push_back(section.breaches);
    return all;
  }();
  return kAll;
}

}  // namespace wirelaw::ramcloud
