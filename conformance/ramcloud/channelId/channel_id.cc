// SPDX-License-Identifier: Apache-2.0
// "channelId"
#include "conformance/ramcloud/channelId/channel_id.h"

#include "conformance/ramcloud/channelId/rules.h"
#include "conformance/ramcloud/fields.h"

namespace wirelaw::ramcloud {

void check_client_channel(Judge& judge, const PacketFacts& facts, std::uint8_t max_channel) {
  judge.require(rule<"RAMCLOUD-channelId-1">, facts.header().channel_id <= max_channel, field::kChannelId,
                expected([&] { return fmt::format("at most {}", max_channel); }), actual(facts.header().channel_id),
                "the channel is beyond the bound of the session");
}

void check_server_channel(Judge& judge, const PacketFacts& facts, bool is_used) {
  judge.require(rule<"RAMCLOUD-channelId-2">, is_used, field::kChannelId,
                expected("a channel on which the client has sent a request"), actual(facts.header().channel_id),
                "nothing was asked on this channel; or the request was not captured");
}

}  // namespace wirelaw::ramcloud
