// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.2: eager messages.
#include <fmt/format.h>

#include <algorithm>

#include "conformance/efa/3.2-eager/rules.h"
#include "conformance/efa/probes/case_file.h"
#include "conformance/efa/roles.h"

namespace wirelaw::efa {
namespace {

const CaseRow kRows[] = {
    {"eager/message-of-every-size",
     {&rule<"EFA-3.2-211">},
     "The responder echoes messages of no octets, one, a few, and as many as one packet holds.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       // The first message has a raw address, the others have none.
       responder.expect_echo(rule<"EFA-3.2-211">, sample_octets(33), {}, "the first message of a peer");
       responder.await_handshake();
       const Packet plain = responder.request(PacketType::eager_msgrtm);
       const std::size_t most = responder.packet_octets() - responder.octets_of(plain).size();
       for (const std::size_t octets :
            {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{64}, std::size_t{1000}, most - 1, most})
         responder.expect_echo(rule<"EFA-3.2-211">, sample_octets(octets, 1), {}, fmt::format("{} octets", octets));
     }),
     Service::echo},
    {"eager/tagged-message-of-every-size",
     {&rule<"EFA-3.2-212">},
     "The responder echoes tagged messages of several sizes.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.meet();
       for (const std::size_t octets : {0u, 1u, 64u, 400u})
         responder.expect_echo(rule<"EFA-3.2-212">, sample_octets(octets, 2),
                               {.tag = responder.tag(0x8877'6655'4433'2211)});
       responder.expect_echo(rule<"EFA-3.2-212">, sample_octets(10, 3), {.tag = responder.tag(0)});
     }),
     Service::echo},
    {"eager/two-peers",
     {&rule<"EFA-3.2-213">},
     "The responder echoes messages from two peers with the same msg_id, even if one of them has a gap.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.meet();
       ResponderProbe other(responder.run(), 2);
       other.expect_echo(rule<"EFA-3.2-213">, text("the first of the other"));
       other.await_handshake();
       const std::uint32_t missing = responder.next_msg_id();
       responder.send_message(text("waits for its turn"));
       other.expect_echo(rule<"EFA-3.2-213">, text("does not wait"));
       other.expect_echo(rule<"EFA-3.2-213">, text("nor does this"));
       responder.send_message(missing, text("first"), {});
       responder.expect_echoed(rule<"EFA-3.2-213">, text("first"));
       responder.expect_echoed(rule<"EFA-3.2-213">, text("waits for its turn"));
     }),
     Service::echo},
    {"eager/many-at-once",
     {&rule<"EFA-3.2-214">},
     "The responder echoes a hundred messages, every other one tagged, that arrive faster than an application posts "
     "receives.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       constexpr unsigned kMessages = 100;
       responder.meet();
       std::vector<OctetBuffer> wanted, got;
       for (unsigned i = 0; i < kMessages; ++i) {
         wanted.push_back(sample_octets(20, i));
         SendOptions options;
         if (i % 2 == 1) options.tag = responder.tag(i);
         responder.send_message(wanted.back(), options);
       }
       while (got.size() < kMessages) {
         auto echo = responder.await_message();
         if (!echo) break;
         got.push_back(std::move(echo->octets));
       }
       std::ranges::sort(wanted);
       std::ranges::sort(got);
       responder.require(rule<"EFA-3.2-214">, got == wanted, fmt::format("the echoes of {} messages", kMessages),
                         got.size() == kMessages ? "other octets" : fmt::format("{} echoes", got.size()));
     }),
     Service::echo},
};

}  // namespace

std::vector<Case> eager_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::efa
