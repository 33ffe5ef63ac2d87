// SPDX-License-Identifier: Apache-2.0
// "clientSessionHint"
#include <fmt/format.h>

#include "conformance/ramcloud/case_file.h"

namespace wirelaw::ramcloud {
namespace {

constexpr Section kServer{"RAMCloud RPC, clientSessionHint", Role::responder, Observable::stimulus};

constinit const Rule kAnyClientHintWorks = kServer.must(
    "RAMCLOUD-clientSessionHint-4", "The clientSessionHint is opaque to the server: a session works under any value.");

constexpr const Rule* kRules[] = {&kAnyClientHintWorks};

using enum Deviation;
constexpr auto kBreaches =
    breach_table(broken_by(kAnyClientHintWorks, {client_hint_truncated_16}),
                 broken_by(kAnyClientHintWorks, kNoSessionOpens), broken_by(kAnyClientHintWorks, kNoRpcCompletes));

const Case kCases[] = {
    {
        .id = "clientSessionHint/any-value-works",
        .iut = Role::responder,
        .rules = {&kAnyClientHintWorks, &kClientHintInOpenResponse, &kServerEchoesClientHint},
        .purpose = "Sessions open and RPCs go through under the hints 0, 1, 0x80000000 and 0xffffffff.",
        .run = with<ServerProbe>([](ServerProbe& server) {
          for (const std::uint32_t hint : {0u, 1u, 0x80000000u, 0xffffffffu}) {
            server.stimulates(kAnyClientHintWorks);
            const auto session = server.try_open({.client_hint = hint});
            const bool opened = server.require(kAnyClientHintWorks, session.has_value(),
                                               fmt::format("an open response with client hint 0x{:08x}", hint), "none");
            if (!opened) return;
            server.expect_echo(kAnyClientHintWorks, *session, {0, 0}, text("under that hint"));
          }
        }),
    },
};

}  // namespace

SectionCases client_session_hint_cases() {
  return {kRules, kCases, kBreaches};
}

}  // namespace wirelaw::ramcloud
