// SPDX-License-Identifier: Apache-2.0
// Cases: several connections use one STag. No peer may invalidate it (RFC 5040, 8.1.1), and an Atomic Operation on it
// is one step for all of them (RFC 7306, 5 and 5.3).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "conformance/rdmap/rdmap/8-security/rules.h"
#include "conformance/rdmap/rdmapx/5.1-operations/rules.h"
#include "conformance/rdmap/rdmapx/5.3-atomicity/rules.h"
#include "conformance/rdmap/rdmapx/extension_cases.h"

namespace wirelaw::rdmap {
namespace {

// Two connections at once, and the buffer that both reach.
class TwoStreams {
 public:
  explicit TwoStreams(ReadyResponder& first) : first_(first), second_(first.run()) {
    const auto one = shared(first_), two = shared(second_);
    if (!one || !two) return;
    if (one->stag == two->stag)
      at_ = one;
    else
      first_.skip("each connection is offered its own STag");
  }
  const std::optional<TargetBuffer>& at() const { return at_; }
  ReadyResponder& first() { return first_; }
  ReadyResponder& second() { return second_; }

 private:
  static std::optional<TargetBuffer> shared(ReadyResponder& responder) {
    return need(responder, targets_of(responder.run(), responder.advertisement()).shared, kSharedByConnections);
  }

  ReadyResponder& first_;
  ReadyResponder second_;
  std::optional<TargetBuffer> at_;
};

void keeps_what_is_shared(ReadyResponder& responder) {
  TwoStreams streams(responder);
  if (!streams.at()) return;
  const TargetBuffer& at = *streams.at();
  ReadyResponder& other = streams.second();
  other.send(other.good_data(), Opcode::send_invalidate, [&](ddp::Header& h) { h.rsvd_ulp_rest = at.stag; });
  const Response answer = other.await(other.in(other.run().answer_time()),
                                      [](const Response& one) { return one.is(Opcode::terminate) || one.is_send(); });
  const auto got = read_back(responder, read_of(at, 0, 8));
  responder.require(rule<"RDMAP-8.1.1-7">, got.has_value(), "a Read Response: the STag remains valid",
                    octets_text(got, responder.last()), "another connection has sent a Send with Invalidate of it");
  if (!answer.is(Opcode::terminate) && !answer.ended())
    responder.advise(rule<"RDMAP-8.1.1-7">, false, "a Terminate: STag cannot be Invalidated", to_text(answer),
                     "the STag is valid on both connections");
}

// Both connections have an operation outstanding at the same time, again and again.
void adds_in_turn(ReadyResponder& responder) {
  constexpr std::uint64_t kRounds = 32;
  if (!responder.ok() || !declares_extensions(responder)) return;
  TwoStreams streams(responder);
  if (!streams.at()) return;
  const TargetBuffer& at = *streams.at();
  set_word(responder, at, 0);
  expect_word(responder, rule<"RDMAPX-5.3-1">, at, 0, "zero was written");
  std::vector<std::uint64_t> found;
  for (std::uint64_t round = 0; round < kRounds && responder.ok() && streams.second().ok(); ++round) {
    for (ReadyResponder* one : {&streams.second(), &streams.first()}) send_atomic(*one, fetch_add_of(at, 1));
    for (ReadyResponder* one : {&streams.first(), &streams.second()}) {
      const Response answer = await_response(*one);
      const auto response = response_in(answer);
      if (!response)
        return responder.inconclusive(fmt::format("a FetchAdd was not answered: there was {}", to_text(answer)));
      found.push_back(response->original_value);
    }
  }
  std::sort(found.begin(), found.end());
  std::uint64_t next = 0;
  const bool each_once = std::all_of(found.begin(), found.end(), [&](std::uint64_t one) { return one == next++; });
  const std::string wanted = fmt::format("each value from 0 to {} once", 2 * kRounds - 1);
  constexpr std::string_view kWhy = "two connections have added 1 to one word at the same time";
  if (!responder.ok()) return;
  responder.run().require(rule<"RDMAPX-5-1">, each_once, wanted, fmt::format("{}", fmt::join(found, ", ")), kWhy);
  expect_word(responder, rule<"RDMAPX-5.3-1">, at, 2 * kRounds, kWhy);
}

const CaseRow kRows[] = {
    {"rdmap/responder-keeps-stags-that-streams-share",
     {&rule<"RDMAP-8.1.1-7">},
     "The IUT does not invalidate an STag that two connections share after a Send with Invalidate.",
     with<keeps_what_is_shared>()},
    {"rdmapx/responder-adds-for-two-streams",
     {&rule<"RDMAPX-5-1">, &rule<"RDMAPX-5.3-1">},
     "The IUT returns each value once to FetchAdds of two connections on one word, and the sum includes all of them.",
     with<adds_in_turn>()},
};

}  // namespace

std::vector<Case> shared_stag_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::rdmap
