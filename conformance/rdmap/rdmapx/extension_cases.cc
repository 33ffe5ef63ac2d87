// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/rdmapx/extension_cases.h"

#include <fmt/format.h>

#include "conformance/rdmap/observer.h"

namespace wirelaw::rdmap {

bool declares_extensions(Probe& probe) {
  if (probe.run().declares(kExtensions)) return true;
  probe.skip("the IUT does not declare RFC 7306 (--feature rfc7306)");
  return false;
}

AtomicRequest fetch_add_of(const TargetBuffer& at, std::uint64_t add, std::uint64_t mask) {
  return {.reserved_and_opcode = kFetchAdd,
          .request_identifier = 0x0badd00d,
          .stag = at.stag,
          .to = at.to,
          .data = add,
          .data_mask = mask,
          .compare_mask = kAllOnes};
}
AtomicRequest cmp_swap_of(const TargetBuffer& at, std::uint64_t swap, std::uint64_t swap_mask, std::uint64_t compare,
                          std::uint64_t compare_mask) {
  return {.reserved_and_opcode = kCmpSwap,
          .request_identifier = 0x5a9,
          .stag = at.stag,
          .to = at.to,
          .data = swap,
          .data_mask = swap_mask,
          .compare = compare,
          .compare_mask = compare_mask};
}

OctetBuffer send_atomic(Probe& probe, const AtomicRequest& request, const Probe::HeaderEdit& edit,
                        const Probe::Faults& faults) {
  ddp::Header header = probe.untagged(Opcode::atomic_request);
  if (edit) edit(header);
  OctetBuffer payload;
  encode(request, payload);
  OctetBuffer ulpdu = Probe::ulpdu_of(header, payload);
  probe.send_fpdu(ulpdu, faults);
  probe.message_sent(kReadRequestQueue);
  return ulpdu;
}
OctetBuffer send_immediate(Probe& probe, std::size_t octets, const Probe::HeaderEdit& edit) {
  ddp::Header header = probe.untagged(Opcode::immediate_data);
  if (edit) edit(header);
  OctetBuffer ulpdu = Probe::ulpdu_of(header, sample_octets(octets));
  probe.send_fpdu(ulpdu);
  probe.message_sent(kSendQueue);
  return ulpdu;
}

Response await_response(Probe& probe) {
  return probe.await(probe.in(probe.run().answer_time()), [](const Response& answer) {
    return answer.is(Opcode::atomic_response) || answer.is(Opcode::terminate);
  });
}
std::optional<AtomicResponse> response_in(const Response& answer) {
  return answer.is(Opcode::atomic_response) ? decode_atomic_response(answer.segment()->payload) : std::nullopt;
}

void expect_original(Probe& probe, const Rule& rule, const AtomicRequest& request, std::uint64_t original,
                     std::string_view explanation) {
  send_atomic(probe, request);
  const Response answer = await_response(probe);
  const auto response = response_in(answer);
  if (!probe.ok()) return;
  probe.require(rule, response && response->original_value == original, fmt::format("0x{:016x}", original),
                response ? fmt::format("0x{:016x}", response->original_value) : to_text(answer), explanation);
}
void set_word(Probe& probe, const TargetBuffer& at, std::uint64_t value) {
  OctetBuffer octets;
  encode(AtomicResponse{.original_value = value}, octets);
  probe.write(Octets(octets).subspan(layout::kOriginalValue), at.stag, at.to);
}
void expect_word(Probe& probe, const Rule& rule, const TargetBuffer& at, std::uint64_t value,
                 std::string_view explanation) {
  expect_original(probe, rule, fetch_add_of(at, 0), value, explanation);
}

Response expect_terminate(Probe& probe, const Rule& rule, Outcomes outcomes, std::string_view explanation) {
  const Response answer = probe.await(probe.in(probe.run().answer_time()), [](const Response& one) {
    return one.is(Opcode::terminate) || one.is(Opcode::atomic_response) || one.is(Response::Kind::unreadable);
  });
  probe.judge(rule, answer, outcomes, explanation);
  return answer;
}

}  // namespace wirelaw::rdmap
