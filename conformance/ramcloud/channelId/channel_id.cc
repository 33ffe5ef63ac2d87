// SPDX-License-Identifier: Apache-2.0
// "channelId"
#include "conformance/ramcloud/channelId/channel_id.h"

#include "conformance/ramcloud/channelId/rules.h"
#include "conformance/ramcloud/fields.h"

namespace wirelaw::ramcloud {

void judge_client_channel(Judge& judge, const Seen& seen) {
  if (!seen.session->max_channel_id) return;
  judge.require(rule<"RAMCLOUD-channelId-1">, seen.header().channel_id <= *seen.session->max_channel_id,
                field::kChannelId, expected([&] { return fmt::format("at most {}", *seen.session->max_channel_id); }),
                actual(seen.header().channel_id), "the channel is beyond the bound of the session");
}

void judge_server_channel(Judge& judge, const Seen& seen, bool was_used) {
  if (!seen.session->witnessed) return;
  judge.require(rule<"RAMCLOUD-channelId-2">, was_used, field::kChannelId,
                expected("a channel on which the client has sent a request"), actual(seen.header().channel_id),
                "nothing was asked on this channel; or the request was not captured");
}

}  // namespace wirelaw::ramcloud
