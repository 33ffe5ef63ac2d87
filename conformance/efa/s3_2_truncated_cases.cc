// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.2: messages that are longer than the receive that takes them. The document is silent; the message's
// subprotocol goes to its end, and nothing else suffers.
#include <fmt/format.h>

#include "conformance/efa/case_file.h"
#include "conformance/efa/read_offer.h"

namespace wirelaw::efa {
namespace {

constinit const Rule kTooLongIsHarmless = responder_rule(
    "EFA-3.2-215", Level::must, "EFA RDM v4 3.2",
    "A message that is longer than the receive that takes it does no harm, and the next one is delivered.",
    "E-09; only where the octets of a receive are known (parameter receive)");
constexpr const Rule* kRules[] = {&kTooLongIsHarmless};

constexpr std::uint64_t kLeast = 64, kMost = std::uint64_t{1} << 20;

// An octet more than a receive holds, after the peers have met; skips where that is not known, or is out of reach.
OctetBuffer too_long(RequesterProbe& responder, std::uint64_t most = kMost) {
  const auto receive = number_of(responder.run().parameter("receive"));
  if (!receive || *receive < kLeast || *receive >= most)
    responder.skip(fmt::format("wants receives of {} octets or more, and fewer than {}: say it as ?receive= in the URI",
                               kLeast, most));
  if (!responder.ok()) return {};
  return sample_octets(static_cast<std::size_t>(*receive) + 1, 1);
}

// What the application answers to a part of a message is its affair.
void expect_next(RequesterProbe& responder, std::string_view what) {
  responder.settle();
  responder.intake().messages().clear();
  responder.expect_echo(kTooLongIsHarmless, text("a message that fits"), {}, what);
  responder.expect_alive(kTooLongIsHarmless, what);
}

void send_too_long(RequesterProbe& responder, const SendOptions& options, std::uint64_t most) {
  const OctetBuffer message = too_long(responder, most);
  responder.meet();
  responder.send_message(message, options);
  expect_next(responder, "after a message of an octet too much");
}

}  // namespace

SectionCases s3_2_truncated_cases() {
  static const Case kCases[] = {
      {
          .id = "truncated/eager",
          .iut = Role::responder,
          .rules = {&kTooLongIsHarmless},
          .purpose = "An eager message of an octet more than its receive.",
          .needs = Service::echo,
          .run = on_responder(
              [](RequesterProbe& responder) { send_too_long(responder, {}, responder.packet_octets() - 64); }),
      },
      {
          .id = "truncated/medium",
          .iut = Role::responder,
          .rules = {&kTooLongIsHarmless},
          .purpose = "A medium message of an octet more than its receive, which is its last segment.",
          .needs = Service::echo,
          .run = on_responder([](RequesterProbe& responder) {
            const std::uint64_t receive = number_of(responder.run().parameter("receive")).value_or(0);
            send_too_long(responder,
                          {.transfer = Transfer::medium,
                           .segment = static_cast<std::size_t>(std::min<std::uint64_t>(receive, 1'000))},
                          65'536);
          }),
      },
      {
          .id = "truncated/long-cts",
          .iut = Role::responder,
          .rules = {&kTooLongIsHarmless},
          .purpose = "A long-CTS message of an octet more than its receive.",
          .needs = Service::echo,
          .run = on_responder([](RequesterProbe& responder) {
            send_too_long(responder, {.transfer = Transfer::long_cts, .segment = 1'000}, kMost);
          }),
      },
      {
          .id = "truncated/long-read",
          .iut = Role::responder,
          .rules = {&kTooLongIsHarmless},
          .purpose = "A message of an octet more than its receive, to be fetched by RDMA reads.",
          .needs = Service::echo,
          .run = on_responder([](RequesterProbe& responder) {
            const OctetBuffer message = too_long(responder);
            meet_with_reads(responder);
            if (!responder.ok()) return;
            ReadOffer offer(responder, message, 1);
            offer.send_message(responder.next_msg_id(), responder.fresh_id(), false);
            expect_next(responder, "after a LONGREAD_RTM of an octet too much");
          }),
      },
  };
  return {kRules, kCases};
}

}  // namespace wirelaw::efa
