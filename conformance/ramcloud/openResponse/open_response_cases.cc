// SPDX-License-Identifier: Apache-2.0
// "Session Open Response Payload Format"
#include <fmt/format.h>

#include "conformance/ramcloud/openRequest/rules.h"
#include "conformance/ramcloud/openResponse/rules.h"
#include "conformance/ramcloud/probes/case_file.h"
#include "conformance/ramcloud/serverSessionHint/rules.h"
#include "conformance/ramcloud/sessionToken/rules.h"

namespace wirelaw::ramcloud {
namespace {

const CaseRow kRows[] = {
    {"openResponse/maxChannelId-is-usable",
     {&rule<"RAMCLOUD-openResponse-3">, &rule<"RAMCLOUD-openResponse-1">, &rule<"RAMCLOUD-openResponse-2">,
      &rule<"RAMCLOUD-openResponse-4">},
     "The server executes an RPC on the channel that maxChannelId names.",
     with<ServerProbe>([](ServerProbe& server) {
       const ProbeSession session = server.open_proven();
       const std::uint8_t highest = session.max_channel_id;
       const bool usable = server.call(session, {.channel = highest, .id = 0}, text("highest")).has_value();
       if (usable || highest == 0)
         server.require(rule<"RAMCLOUD-openResponse-3">, usable, fmt::format("a response on channel {}", highest),
                        "none");
       else if (server.call(session, {.channel = static_cast<std::uint8_t>(highest - 1), .id = 0}, text("below")))
         server.advise(rule<"RAMCLOUD-openResponse-3">, false, fmt::format("a response on channel {}", highest), "none",
                       "the server answers on the channel below: it seems to send a number of channels");
       else
         server.require(rule<"RAMCLOUD-openResponse-3">, false, fmt::format("a response on channel {}", highest),
                        "none, nor on the channel below");
     })},
    {"openResponse/late-one-is-ignored",
     {&rule<"RAMCLOUD-openResponse-5">, &rule<"RAMCLOUD-sessionToken-2">, &rule<"RAMCLOUD-serverSessionHint-2">},
     "The client ignores an open response with other values that arrives while a request is outstanding.",
     with<ClientProbe>([](ClientProbe& client) {
       const Offer used{.token = 0x1122334455667788, .server_hint = 0x0a0b0c0d};
       const Offer late{.token = 0xfedcba9876543210, .server_hint = 0x01020304, .max_channel_id = 0};
       const ClientRequest request = client.first_request({.count = 3}, used);
       const Octet bound[] = {late.max_channel_id};
       client.stimulates(rule<"RAMCLOUD-openResponse-5">);
       client.send(ClientProbe::open_response(request.header, late), bound);
       auto next = client.expect_to_go_on(rule<"RAMCLOUD-openResponse-5">, request);
       for (int i = 0; i < 2 && next; ++i) {
         client.require(rule<"RAMCLOUD-openResponse-5">, next->header.session_token == used.token, "the token in use",
                        "another token");
         if (i == 0) next = client.expect_to_go_on(rule<"RAMCLOUD-openResponse-5">, *next);
       }
     }),
     Service::echo},
    {"openResponse/empty-one-does-no-harm",
     {&rule<"RAMCLOUD-openResponse-6">, &rule<"RAMCLOUD-openRequest-1">},
     "After an open response without payload, the client asks again or continues, and accepts a valid open response.",
     with<ClientProbe>([](ClientProbe& client) {
       client.trigger({.count = 1});
       const Header open = client.await_open();
       client.stimulates(rule<"RAMCLOUD-openResponse-6">);
       client.send(ClientProbe::open_response(open, {}));
       const auto sign = client.await(client.in(client.patience()), [](const Received& packet) {
         return packet.is(PayloadType::session_open) || packet.is(PayloadType::data);
       });
       if (!client.ok()) return;
       client.require(rule<"RAMCLOUD-openResponse-6">, sign.has_value(), "an open request again, or a request",
                      to_text(sign));
       client.accept(sign && sign->is(PayloadType::session_open) ? sign->header : open);
       auto request = sign && sign->is(PayloadType::data) ? client.serve(*sign) : std::nullopt;
       if (!request) request = client.next_request();
       client.require(rule<"RAMCLOUD-openResponse-6">, request.has_value(), "a request", "none");
       if (request) client.echo(*request);
     }),
     Service::echo},
};

}  // namespace

std::vector<Case> open_response_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::ramcloud
