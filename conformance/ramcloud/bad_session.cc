// SPDX-License-Identifier: Apache-2.0
// "PT_BAD_SESSION"
#include "conformance/ramcloud/breaches.h"
#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/rules.h"

namespace wirelaw::ramcloud {

constexpr Section kSection{"RAMCloud RPC, PT_BAD_SESSION"};
constexpr Section kServer = kSection.of(Role::responder), kClient = kSection.of(Role::initiator);

constinit const Rule kBadSessionEmpty = kServer.must("RAMCLOUD-badSession-1", "A BAD_SESSION packet has no payload.");
constinit const Rule kBadSessionFromServer =
    kClient.must_not("RAMCLOUD-badSession-2", "Only a server calls a session invalid; a client sends no BAD_SESSION.");
constinit const Rule kBadSessionNamesClient =
    kServer.resting_on(Evidence::absence)
        .must("RAMCLOUD-badSession-3", "BAD_SESSION carries the client's hint of the packet that it answers.",
              "RAMCLOUD/R6");

constinit const Rule kBadSessionIsLeft =
    kClient.by(Observable::stimulus)
        .must("RAMCLOUD-badSession-5",
              "After BAD_SESSION the client sends nothing more under the token of that session.", "RAMCLOUD/R27");

namespace {

using enum Deviation;
constexpr auto kBreaches = breach_table(broken_by(kBadSessionEmpty, {bad_session_with_payload}),
                                        broken_by(kBadSessionFromServer, {sends_bad_session}),
                                        broken_by(kBadSessionNamesClient, {bad_session_wrong_client_hint}));

}  // namespace

RuleList bad_session_rules() {
  static constexpr const Rule* kRules[] = {&kBadSessionEmpty, &kBadSessionFromServer, &kBadSessionNamesClient,
                                           &kBadSessionIsLeft};
  return kRules;
}

BreachList bad_session_breaches() {
  return kBreaches;
}

void judge_new_in_refused(Judge& judge, const Seen& seen) {
  constexpr std::int64_t kTransitNs = 10'000'000'000;  // nothing that was sent before is under way any more
  const auto& refused = seen.session->refused_ns;
  if (!refused || seen.message.time_ns - *refused < kTransitNs) return;
  judge.advise(kBadSessionIsLeft, false, field::kSessionToken, expected("a new session"), actual("a new RPC"),
               "or BAD_SESSION was lost, or answered a packet of another session");
}

void judge_bad_session(Judge& judge, const Seen& seen, bool from_client, std::optional<bool> hint_known) {
  judge.require(kBadSessionEmpty, seen.message.wire_length == layout::kHeader, field::payload(seen.packet),
                expected("no payload"),
                actual([&] { return fmt::format("{} octets", seen.message.wire_length - layout::kHeader); }),
                "BAD_SESSION carries nothing behind its header");
  if (!judge.require(kBadSessionFromServer, !from_client, field::kFlags, expected("no BAD_SESSION from a client"),
                     actual("BAD_SESSION"), "the sender has only been a client in this flow"))
    return;
  if (!hint_known) return;
  judge.require(kBadSessionNamesClient, *hint_known, field::kClientSessionHint, expected("a hint that the client used"),
                actual(hex(seen.header().client_session_hint)),
                "no packet of the client carried this hint; or the one that did was not captured");
}

}  // namespace wirelaw::ramcloud
