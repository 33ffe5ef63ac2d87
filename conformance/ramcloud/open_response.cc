// SPDX-License-Identifier: Apache-2.0
// "PT_SESSION_OPEN" and "Session Open Response Payload Format": the response.
#include "conformance/ramcloud/breaches.h"
#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/rules.h"

namespace wirelaw::ramcloud {

constexpr Section kSection{"RAMCloud RPC, Session Open Response Payload Format", Role::responder};
constexpr Section kSessionOpen{"RAMCloud RPC, PT_SESSION_OPEN", Role::responder};

constinit const Rule kOpenResponseHasMaxChannel =
    kSection.must("RAMCLOUD-openResponse-1", "A session open response has the largest channel id in its payload.");
constinit const Rule kOpenResponseIsOneOctet =
    kSection.must("RAMCLOUD-openResponse-2", "Nothing follows maxChannelId in a session open response.");
constinit const Rule kOpenResponseWasAskedFor =
    kSessionOpen.resting_on(Evidence::absence)
        .must_not("RAMCLOUD-openResponse-4",
                  "A session open response is sent only to a client that has sent a request for it.");

namespace {

using enum Deviation;
constexpr auto kBreaches = breach_table(broken_by(kOpenResponseHasMaxChannel, {open_response_empty}),
                                        broken_by(kOpenResponseIsOneOctet, {open_response_two_octets}));

}  // namespace

RuleList open_response_rules() {
  static constexpr const Rule* kRules[] = {&kOpenResponseHasMaxChannel, &kOpenResponseIsOneOctet,
                                           &kOpenResponseWasAskedFor};
  return kRules;
}

BreachList open_response_breaches() {
  return kBreaches;
}

void judge_open_response(Judge& judge, const Seen& seen, bool asked_for) {
  judge.require(kOpenResponseWasAskedFor, asked_for, field::kFlags, expected("an open request before it"),
                actual("none in this flow"),
                "an open response that nobody asked for; or the open request was not captured");
  const std::size_t payload = seen.message.wire_length - layout::kHeader;
  if (!judge.require(kOpenResponseHasMaxChannel, payload >= layout::kOpenResponse, octets(layout::kHeader, 0),
                     expected("one octet of payload"), actual("none"), "maxChannelId is missing"))
    return;
  judge.require(kOpenResponseIsOneOctet, payload == layout::kOpenResponse, field::payload(seen.packet),
                expected("one octet of payload"), actual([&] { return fmt::format("{} octets", payload); }),
                "octets behind maxChannelId");
}

}  // namespace wirelaw::ramcloud
