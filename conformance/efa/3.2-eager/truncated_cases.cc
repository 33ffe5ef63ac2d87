// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.2: messages that are longer than the receive that takes them. The document is silent on this. The
// subprotocol of the message must complete, and nothing else may be disturbed.
#include <fmt/format.h>

#include "conformance/efa/3.2-eager/rules.h"
#include "conformance/efa/probes/case_file.h"
#include "conformance/efa/probes/read_offer.h"
#include "conformance/efa/roles.h"

namespace wirelaw::efa {
namespace {

constexpr std::uint64_t kLeast = 64, kMost = std::uint64_t{1} << 20;

// Meets the peer, and returns a message one octet longer than a receive. Skips the case if the length of a receive is
// unknown or too large.
OctetBuffer too_long(ResponderProbe& responder, std::uint64_t most = kMost) {
  const auto receive = number_of(responder.run().parameter("receive"));
  if (!receive || *receive < kLeast || *receive >= most)
    responder.skip(
        fmt::format("needs receives of {} octets or more, and fewer than {}: use ?receive= in the URI", kLeast, most));
  if (!responder.ok()) return {};
  return sample_octets(static_cast<std::size_t>(*receive) + 1, 1);
}

// The application may answer anything to a truncated message.
void expect_next(ResponderProbe& responder, std::string_view what) {
  responder.settle();
  responder.intake().messages().clear();
  responder.expect_echo(rule<"EFA-3.2-215">, text("a message that fits"), {}, what);
  responder.expect_alive(rule<"EFA-3.2-215">, what);
}

// A subprotocol, and the largest receive, in octets, for which it is used.
struct Way {
  SendOptions options;
  std::uint64_t most;
};
Way eager(const ResponderProbe& responder) {
  return {{}, responder.packet_octets() - 64};
}
Way medium(const ResponderProbe& responder) {
  const std::uint64_t receive = number_of(responder.run().parameter("receive")).value_or(0);
  return {{.transfer = Transfer::medium, .segment = static_cast<std::size_t>(std::min<std::uint64_t>(receive, 1'000))},
          65'536};
}
Way long_cts(const ResponderProbe&) {
  return {{.transfer = Transfer::long_cts, .segment = 1'000}, kMost};
}

CaseRow too_long_by(Way (*way)(const ResponderProbe&), std::string_view id, std::string_view purpose) {
  return {id,
          {&rule<"EFA-3.2-215">},
          purpose,
          with<ResponderProbe>([way](ResponderProbe& responder) {
            const auto [options, most] = way(responder);
            const OctetBuffer message = too_long(responder, most);
            responder.meet();
            responder.send_message(message, options);
            expect_next(responder, "after a message that is one octet too long");
          }),
          Service::echo};
}

const CaseRow kRows[] = {
    too_long_by(eager, "truncated/eager",
                "The responder keeps working after an eager message that is one octet longer than its receive."),
    too_long_by(medium, "truncated/medium",
                "The responder keeps working after a medium message whose last segment makes it one octet longer than "
                "its receive."),
    too_long_by(long_cts, "truncated/long-cts",
                "The responder keeps working after a long-CTS message that is one octet longer than its receive."),
    {"truncated/long-read",
     {&rule<"EFA-3.2-215">},
     "The responder keeps working after a message to be fetched by RDMA reads that is one octet longer than its "
     "receive.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       const OctetBuffer message = too_long(responder);
       meet_with_reads(responder);
       if (!responder.ok()) return;
       ReadOffer offer(responder, message, 1);
       offer.send_message(responder.next_msg_id(), responder.fresh_id(), false);
       expect_next(responder, "after a LONGREAD_RTM that is one octet too long");
     }),
     Service::echo},
};

}  // namespace

std::vector<Case> truncated_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::efa
