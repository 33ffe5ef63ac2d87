// SPDX-License-Identifier: Apache-2.0
// "channelId"
#include "conformance/ramcloud/breaches.h"
#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/rules.h"

namespace wirelaw::ramcloud {

constexpr Section kSection{"RAMCloud RPC, channelId"};
constexpr Section kServer = kSection.of(Role::responder), kClient = kSection.of(Role::initiator);

constinit const Rule kChannelWithinBounds =
    kClient.must("RAMCLOUD-channelId-1", "The client uses no channel above the largest that the open response allows.",
                 "RAMCLOUD/R1");
constinit const Rule kAnswerOnChannelOfRequest =
    kServer.resting_on(Evidence::absence)
        .must("RAMCLOUD-channelId-2", "The server answers an RPC on the channel on which the request came.");

namespace {

using enum Deviation;
constexpr auto kBreaches =
    breach_table(broken_by(kChannelWithinBounds, {channel_beyond_max}),
                 broken_by(kAnswerOnChannelOfRequest, {answers_on_other_channel, wrong_token_accepted}));

}  // namespace

RuleList channel_id_rules() {
  static constexpr const Rule* kRules[] = {&kChannelWithinBounds, &kAnswerOnChannelOfRequest};
  return kRules;
}

BreachList channel_id_breaches() {
  return kBreaches;
}

void judge_client_channel(Judge& judge, const Seen& seen) {
  if (!seen.session->max_channel_id) return;
  judge.require(kChannelWithinBounds, seen.header().channel_id <= *seen.session->max_channel_id, field::kChannelId,
                expected([&] { return fmt::format("at most {}", *seen.session->max_channel_id); }),
                actual(seen.header().channel_id), "the channel is beyond the bound of the session");
}

void judge_server_channel(Judge& judge, const Seen& seen, bool was_used) {
  if (!seen.session->witnessed) return;
  judge.require(kAnswerOnChannelOfRequest, was_used, field::kChannelId,
                expected("a channel on which the client has sent a request"), actual(seen.header().channel_id),
                "nothing was asked on this channel; or the request was not captured");
}

}  // namespace wirelaw::ramcloud
