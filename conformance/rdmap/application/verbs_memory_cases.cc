// SPDX-License-Identifier: Apache-2.0
// The memory of a consumer of verbs: the peers that may access it, and the end of the access (RFC 5040, 8.1.1; RFC
// 5041, 7.1 and 8).
#include <algorithm>

#include "conformance/rdmap/ddp/4.3-untagged-header/rules.h"
#include "conformance/rdmap/ddp/7.1-validation/rules.h"
#include "conformance/rdmap/ddp/8-security/rules.h"
#include "conformance/rdmap/probes/driven.h"
#include "conformance/rdmap/rdmap/8-security/rules.h"
#include "conformance/rdmap/rdmasec/6.1.1-stags/rules.h"

namespace wirelaw::rdmap {
namespace {

using namespace verbs;

OctetBuffer copy_of(const Region& region) {
  return {region.memory.begin(), region.memory.end()};
}

bool is_refusal(const Response& answer) {
  return answer.ended() || answer.is(Opcode::terminate);
}

// Expects that the stream ends because of the message sent; skips other messages.
template <class Peer>
Response await_refusal_of(Peer& peer) {
  return peer.await(peer.in(peer.run().answer_time()), [](const Response& one) { return is_refusal(one); });
}

// A Write of the wire that must not arrive.
template <class Peer>
void expect_write_refused(Peer& peer, std::initializer_list<const Rule*> rules, const Region& region,
                          std::string_view explanation) {
  const OctetBuffer before = copy_of(region);
  peer.write(sample_octets(16, 7), region.rkey, region.addr);
  const Response answer = await_refusal_of(peer);
  peer.app.require(rules, is_refusal(answer), "a Terminate, or the end of the connection", to_text(answer),
                   explanation);
  peer.app.require(rules, copy_of(region) == before, octets_text(before), octets_text(copy_of(region)), explanation);
}

template <class Peer>
std::optional<OctetBuffer> read_region(Peer& peer, const Region& region, std::uint32_t size) {
  return read_back(peer, {.sink_stag = kOurSinkStag,
                          .sink_to = kOurSinkTo,
                          .size = size,
                          .source_stag = region.rkey,
                          .source_to = region.addr});
}

constexpr auto is_reached_while_registered = [](auto& peer) {
  if (!peer.open()) return;
  const Region region = peer.app.region(64);
  const OctetBuffer data = sample_octets(16);
  peer.write(data, region.rkey, region.addr);
  const auto read = read_region(peer, region, 16);
  const bool reached = read == data && std::ranges::equal(region.memory.first(16), data);
  peer.app.require({&rule<"RDMAP-8.1.1-4">, &rule<"DDP-8.3.1-4">, &rule<"DDP-8.3-1">, &rule<"DDP-8.3-2">}, reached,
                   octets_text(data), octets_text(read, peer.last()), "a Write to a memory region, and a Read of it");
  if (!peer.ok()) return;
  if (const auto gone = peer.app.device().dereg_mr(region); !gone)
    return peer.inconclusive("ibv_dereg_mr failed: " + gone.error().message);
  expect_write_refused(peer,
                       {&rule<"RDMAP-8.1.1-4">, &rule<"RDMAP-8.1.1-6">, &rule<"DDP-8.3.1-4">, &rule<"DDP-8.3.1-6">,
                        &rule<"DDP-8.3-1">, &rule<"DDP-8.3-2">},
                       region, "the memory region was deregistered");
};

constexpr auto is_not_written_without_the_right = [](auto& peer) {
  if (!peer.open()) return;
  const Region region = peer.app.region_of(sample_octets(64), {.local_write = true, .remote_read = true});
  const auto read = read_region(peer, region, 16);
  peer.app.require({&rule<"RDMAP-8.1.1-5">, &rule<"DDP-8.3.1-5">},
                   read && std::ranges::equal(*read, region.memory.first(16)), octets_text(region.memory.first(16)),
                   octets_text(read, peer.last()), "the region was registered with IBV_ACCESS_REMOTE_READ");
  expect_write_refused(peer, {&rule<"RDMAP-8.1.1-5">, &rule<"DDP-8.3.1-5">}, region,
                       "the region was registered without IBV_ACCESS_REMOTE_WRITE");
};

constexpr auto is_not_read_without_the_right = [](auto& peer) {
  if (!peer.open()) return;
  const Region region = peer.app.region_of(sample_octets(64), {.local_write = true, .remote_write = true});
  const auto read = read_region(peer, region, 16);
  peer.app.require({&rule<"RDMAP-8.1.1-5">, &rule<"DDP-8.3.1-5">}, !read, "no response", octets_text(read, peer.last()),
                   "the region was registered without IBV_ACCESS_REMOTE_READ");
};

constexpr auto belongs_to_one_domain = [](auto& peer) {
  if (!peer.open()) return;
  std::remove_cvref_t<decltype(peer)> other(peer.run());
  if (!other.open()) return;
  const Region region = other.app.region(64);
  constexpr std::string_view kWhy = "the STag belongs to the protection domain of another queue pair";
  expect_write_refused(
      peer, {&rule<"RDMAP-8.1.1-1">, &rule<"DDP-8.2-1">, &rule<"DDP-8.3.1-1">, &rule<"RDMASEC-6.1.1-1">}, region, kWhy);
  const std::string reported = peer.app.reported_end();
  peer.app.require({&rule<"DDP-8.2-1">}, !reported.empty(), "the application is notified", "nothing is reported", kWhy);
  if (!peer.ok()) return;
  const OctetBuffer data = sample_octets(16, 3);
  other.write(data, region.rkey, region.addr);
  const auto read = read_region(other, region, 16);
  other.app.require({&rule<"RDMASEC-6.1.1-1">}, read == data, octets_text(data), octets_text(read, other.last()),
                    "the queue pair's own stream can access it");
};

constexpr auto names_what_it_invalidates = [](auto& peer) {
  if (!peer.open()) return;
  const Region region = peer.app.region(64);
  peer.app.post_recv(1, peer.app.region(64));
  peer.send(sample_octets(8), Opcode::send_invalidate,
            [&](ddp::Header& header) { header.rsvd_ulp_rest = region.rkey; });
  const auto wc = peer.app.completion(Cq::receive);
  if (!peer.ok()) return;
  // RDMAP/V-05: not every device lets a peer invalidate what an application has registered by ibv_reg_mr.
  if (!wc || wc->status != WcStatus::success)
    return peer.skip("the device lets no peer invalidate the STag of a plain memory region: " + to_text(wc));
  peer.app.require({&rule<"DDP-4.3-3">}, !wc->invalidated_rkey || *wc->invalidated_rkey == region.rkey,
                   fmt::format("invalidated rkey 0x{:08x}, or none reported", region.rkey), to_text(wc));
  expect_write_refused(peer, {&rule<"DDP-4.3-3">}, region, "a Send with Invalidate has named its STag");
};

constexpr auto holds_nothing_of_what_is_refused = [](auto& peer) {
  if (!peer.open()) return;
  const Region region = peer.app.region(64);
  const OctetBuffer before = copy_of(region);
  peer.write(sample_octets(16, 7), region.rkey, region.addr + 60);
  peer.write(sample_octets(16, 8), region.rkey, region.addr);
  const Response answer = await_refusal_of(peer);
  if (peer.ok() && !is_refusal(answer))
    return peer.inconclusive("a Write that leaves its buffer is not refused: DDP-7.1-4 judges that");
  peer.app.require({&rule<"DDP-7.1-11">}, copy_of(region) == before, octets_text(before), octets_text(copy_of(region)),
                   "a Write that begins in the region and extends beyond it, and one to the region after it");
};

const CaseRow kRows[] = {
    {"verbs/{}/is-reached-while-registered",
     {&rule<"RDMAP-8.1.1-4">, &rule<"RDMAP-8.1.1-6">, &rule<"DDP-8.3-1">, &rule<"DDP-8.3-2">, &rule<"DDP-8.3.1-4">,
      &rule<"DDP-8.3.1-6">},
     "The IUT lets a peer access memory while it is registered, and no longer.",
     with_driven(is_reached_while_registered)},
    {"verbs/{}/is-not-written-without-the-right",
     {&rule<"RDMAP-8.1.1-5">, &rule<"DDP-8.3.1-5">},
     "The IUT allows Reads of memory that was registered for remote reads, and refuses Writes to it.",
     with_driven(is_not_written_without_the_right)},
    {"verbs/{}/is-not-read-without-the-right",
     {&rule<"RDMAP-8.1.1-5">, &rule<"DDP-8.3.1-5">},
     "The IUT refuses Reads of memory that was registered only for remote writes.",
     with_driven(is_not_read_without_the_right)},
    {"verbs/{}/belongs-to-one-domain",
     {&rule<"RDMAP-8.1.1-1">, &rule<"DDP-8.2-1">, &rule<"DDP-8.3.1-1">, &rule<"RDMASEC-6.1.1-1">},
     "The IUT refuses a stream's access to memory in another queue pair's protection domain.",
     with_driven(belongs_to_one_domain)},
    {"verbs/{}/names-what-it-invalidates",
     {&rule<"DDP-4.3-3">},
     "The IUT reports the STag of a Send with Invalidate with its receive, and then refuses the STag.",
     with_driven(names_what_it_invalidates)},
    {"verbs/{}/holds-nothing-of-a-refused-write",
     {&rule<"DDP-7.1-11">},
     "The IUT places nothing of a Write that extends beyond its buffer, or of the message that follows it.",
     with_driven(holds_nothing_of_what_is_refused)},
};

}  // namespace

void add_verbs_memory_cases(std::vector<Case>& cases) {
  add_cases(cases, kRows);
}

}  // namespace wirelaw::rdmap
