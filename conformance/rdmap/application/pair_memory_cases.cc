// SPDX-License-Identifier: Apache-2.0
// The memory of a consumer, as the consumer at the other end reaches it, and when not (RFC 5040, 8.1.1; RFC 5041, 7.1
// and 8).
#include <algorithm>

#include "conformance/rdmap/ddp/4.3-untagged-header/rules.h"
#include "conformance/rdmap/ddp/7.1-validation/rules.h"
#include "conformance/rdmap/ddp/8-security/rules.h"
#include "conformance/rdmap/probes/pair.h"
#include "conformance/rdmap/rdmap/4.1-control-field/rules.h"
#include "conformance/rdmap/rdmap/5.3-send/rules.h"
#include "conformance/rdmap/rdmap/7.2-incoming-errors/rules.h"
#include "conformance/rdmap/rdmap/8-security/rules.h"
#include "conformance/rdmap/rdmasec/6.1.1-stags/rules.h"

namespace wirelaw::rdmap {
namespace {

using namespace verbs;

constexpr std::initializer_list<const Rule*> kGrant = {&rule<"RDMAP-8.1.1-5">, &rule<"DDP-8.3.1-5">};

// Judges a request of the far end that the IUT must refuse: `region` of the IUT must stay unchanged.
void expect_untouched(PairProbe& peer, std::initializer_list<const Rule*> rules, const Region& region,
                      const SendWr& request, std::string_view explanation) {
  const OctetBuffer before = copy_of(region);
  peer.far.post(request);
  if (!peer.ok()) return;
  const std::string reported = reported_refusal(peer.far);
  peer.app.require(rules, copy_of(region) == before, octets_text(before), octets_text(copy_of(region)), explanation);
  peer.app.require(rules, !reported.empty(), "the far end is notified of an error", "nothing is reported", explanation);
}

// A Read of the far end that the IUT must refuse: nothing of `region` arrives.
void expect_unread(PairProbe& peer, std::initializer_list<const Rule*> rules, const Region& region, BufferAt from,
                   std::uint32_t size, std::string_view explanation) {
  const Region sink = peer.far.region(size, kSink);
  peer.far.post(Driver::read_of(1, sink, from));
  const auto wc = peer.far.completion(Cq::send);
  if (!peer.ok()) return;
  const bool empty = std::ranges::all_of(sink.memory, [](Octet one) { return one == 0; });
  peer.app.require(rules, empty, "no octet of the region", octets_text(sink.memory),
                   std::string(explanation) + ", whose octets begin with " + octets_text(region.memory.first(4)));
  peer.app.require(rules, wc && wc->status != WcStatus::success, "a Read that completes in error", to_text(wc),
                   explanation);
}

SendWr write_to(PairProbe& peer, BufferAt to, std::size_t octets = 16) {
  return Driver::write_of(1, peer.far.region_of(sample_octets(octets, 7)), to);
}

constexpr auto is_not_written_without_the_right = [](auto& peer) {
  if (!peer.open()) return;
  const Region region = peer.app.region_of(sample_octets(64), {.local_write = true, .remote_read = true});
  expect_untouched(peer, kGrant, region, write_to(peer, at(region)),
                   "a Write to memory without IBV_ACCESS_REMOTE_WRITE");
};

constexpr auto is_not_read_without_the_right = [](auto& peer) {
  if (!peer.open()) return;
  const Region region = peer.app.region_of(sample_octets(64), {.local_write = true, .remote_write = true});
  expect_unread(peer, kGrant, region, at(region), 64, "a Read of memory without IBV_ACCESS_REMOTE_READ");
};

constexpr auto is_not_changed_without_the_right = [](auto& peer) {
  if (!peer.has_atomics() || !peer.open()) return;
  // Both rights together allow atomic operations.
  const Region region = peer.app.region_of(sample_octets(8), {.local_write = true, .remote_write = true});
  const Region result = peer.far.region(8, kSink);
  expect_untouched(peer, kGrant, region,
                   {.wr_id = 1,
                    .opcode = WrOpcode::atomic_fetch_and_add,
                    .sge = Driver::all_of(result),
                    .remote_addr = region.addr,
                    .rkey = region.rkey,
                    .compare_add = 1},
                   "a FetchAdd to memory without IBV_ACCESS_REMOTE_ATOMIC");
};

constexpr auto is_reached_while_registered = [](auto& peer) {
  if (!peer.open()) return;
  const Region region = peer.app.region(64);
  const OctetBuffer data = sample_octets(64, 1);
  const Region source = peer.far.region_of(data), sink = peer.far.region(64, kSink);
  peer.far.post(Driver::write_of(1, source, at(region)));
  peer.far.post(Driver::read_of(2, sink, at(region)));
  const std::vector<Wc> list = peer.far.completions(Cq::send, 2);
  if (!peer.ok()) return;
  peer.app.require({&rule<"RDMAP-8.1.1-4">, &rule<"DDP-8.3.1-4">, &rule<"DDP-8.3-1">, &rule<"DDP-8.3-2">},
                   copy_of(sink) == data && copy_of(region) == data, octets_text(data), octets_text(sink.memory),
                   "a Write to a memory region, and a Read of it: " + to_text(list));
  if (!peer.ok()) return;
  if (const auto gone = peer.app.device().dereg_mr(region); !gone)
    return peer.inconclusive("ibv_dereg_mr failed: " + gone.error().message);
  expect_untouched(peer,
                   {&rule<"RDMAP-8.1.1-4">, &rule<"RDMAP-8.1.1-6">, &rule<"DDP-8.3.1-4">, &rule<"DDP-8.3.1-6">,
                    &rule<"DDP-8.3-1">, &rule<"DDP-8.3-2">},
                   region, write_to(peer, at(region)), "a Write to memory that has been deregistered");
};

constexpr auto is_not_read_when_deregistered = [](auto& peer) {
  if (!peer.open()) return;
  const Region region = peer.app.region_of(sample_octets(64));
  if (const auto gone = peer.app.device().dereg_mr(region); peer.ok() && !gone)
    return peer.inconclusive("ibv_dereg_mr failed: " + gone.error().message);
  expect_unread(peer, {&rule<"RDMAP-8.1.1-4">, &rule<"DDP-8.3.1-4">, &rule<"DDP-8.3-2">}, region, at(region), 64,
                "a Read of memory that has been deregistered");
};

constexpr auto is_not_written_beyond_its_end = [](auto& peer) {
  if (!peer.open()) return;
  const Region region = peer.app.region(64);
  expect_untouched(peer, {&rule<"DDP-7.1-9">, &rule<"DDP-7.1-11">}, region, write_to(peer, at(region, 56)),
                   "a Write that begins in a region and extends beyond it");
};

constexpr auto is_not_written_before_its_beginning = [](auto& peer) {
  if (!peer.open()) return;
  // In the middle of a separate page, so that the surrounding octets belong to the IUT as well.
  const auto memory = peer.app.device().allocate(3 * 64);
  if (!memory) return peer.inconclusive("no memory: " + memory.error().message);
  const auto region = peer.app.device().reg_mr(memory->subspan(64, 64), kEverything);
  if (!region) return peer.inconclusive("no memory could be registered: " + region.error().message);
  Region whole = *region;
  whole.memory = *memory;
  expect_untouched(peer, {&rule<"DDP-7.1-8">}, whole, write_to(peer, {region->rkey, region->addr - 32}),
                   "a Write before the beginning of a region");
};

constexpr auto is_not_read_beyond_its_end = [](auto& peer) {
  if (!peer.open()) return;
  const Region region = peer.app.region_of(sample_octets(64));
  expect_unread(peer, {&rule<"RDMAP-7.2-11">}, region, at(region, 56), 16,
                "a Read that begins in a region and extends beyond it");
};

constexpr auto belongs_to_one_domain = [](auto& peer) {
  if (!peer.open()) return;
  std::remove_cvref_t<decltype(peer)> other(peer.run());
  if (!other.open()) return;
  const Region region = other.app.region(64);
  constexpr std::string_view kWhy = "a Write to memory in the protection domain of another queue pair";
  expect_untouched(peer, {&rule<"RDMAP-8.1.1-1">, &rule<"DDP-8.2-1">, &rule<"DDP-8.3.1-1">, &rule<"RDMASEC-6.1.1-1">},
                   region, write_to(peer, at(region)), kWhy);
  if (!peer.ok()) return;
  const OctetBuffer data = sample_octets(64, 3);
  const Region source = other.far.region_of(data), sink = other.far.region(64, kSink);
  other.far.post(Driver::write_of(1, source, at(region)));
  other.far.post(Driver::read_of(2, sink, at(region)));
  const std::vector<Wc> list = other.far.completions(Cq::send, 2);
  other.app.require({&rule<"RDMASEC-6.1.1-1">}, copy_of(sink) == data, octets_text(data), octets_text(sink.memory),
                    "the queue pair of that domain can access it: " + to_text(list));
};

// RDMAP/V-05: not every device lets a peer invalidate what an application has registered by ibv_reg_mr.
constexpr std::string_view kNotInvalidated = "the device lets no peer invalidate the STag of a plain memory region: ";

// Sends a message from `from` that invalidates a region of `to`, and returns the completion at `to`.
std::optional<Wc> invalidate(Driver& from, Driver& to, const Region& region) {
  to.post_recv(1, to.region(64));
  SendWr wr = Driver::send_of(1, from.region(8));
  wr.opcode = WrOpcode::send_with_inv;
  wr.invalidate_rkey = region.rkey;
  from.post(wr);
  return to.completion(Cq::receive);
}

constexpr auto names_what_it_invalidates = [](auto& peer) {
  if (!peer.open()) return;
  if (!peer.far.device().device().send_with_inv) return peer.skip("the far end does not support Send with Invalidate");
  const Region region = peer.app.region(64);
  const auto wc = invalidate(peer.far, peer.app, region);
  if (!peer.ok()) return;
  if (!wc || wc->status != WcStatus::success) return peer.skip(std::string(kNotInvalidated) + to_text(wc));
  peer.app.require({&rule<"DDP-4.3-3">}, !wc->invalidated_rkey || *wc->invalidated_rkey == region.rkey,
                   fmt::format("invalidated rkey 0x{:08x}, or none reported", region.rkey), to_text(wc));
  peer.far.completion(Cq::send);
  expect_untouched(peer, {&rule<"RDMAP-5.3-11">}, region, write_to(peer, at(region)),
                   "a Write to memory whose rkey a Send with Invalidate has named");
};

constexpr auto invalidates_what_it_names = [](auto& peer) {
  if (!peer.open()) return;
  if (!peer.app.device().device().send_with_inv) return peer.skip("the device does not support Send with Invalidate");
  // The far end would accept the right rkey if it is the same device, which accepts one.
  if (peer.app.device().device().name != peer.far.device().device().name)
    return peer.skip("the far end is another device, which may accept no rkey at all");
  const auto taken = invalidate(peer.far, peer.app, peer.app.region(64));
  if (peer.ok() && (!taken || taken->status != WcStatus::success))
    return peer.skip(std::string(kNotInvalidated) + to_text(taken));
  const Region region = peer.far.region(64);
  const auto wc = invalidate(peer.app, peer.far, region);
  if (peer.ok() && wc && wc->status == WcStatus::success && !wc->invalidated_rkey)
    return peer.skip("the far end does not report which rkey was invalidated");
  peer.app.require({&rule<"RDMAP-5.3-9">, &rule<"RDMAP-4.1-3">}, wc && wc->invalidated_rkey == region.rkey,
                   fmt::format("a receive whose invalidated rkey is 0x{:08x}", region.rkey), to_text(wc),
                   "a Send with Invalidate, as it arrives");
};

const CaseRow kRows[] = {
    {"pair/{}/is-not-written-without-the-right",
     {&rule<"DDP-8.3.1-5">, &rule<"RDMAP-8.1.1-5">},
     "The IUT refuses a Write to memory that was not registered for remote writes.",
     with_pair(is_not_written_without_the_right)},
    {"pair/{}/is-not-read-without-the-right",
     {&rule<"DDP-8.3.1-5">, &rule<"RDMAP-8.1.1-5">},
     "The IUT refuses a Read of memory that was not registered for remote reads.",
     with_pair(is_not_read_without_the_right)},
    {"pair/{}/is-not-changed-without-the-right",
     {&rule<"DDP-8.3.1-5">, &rule<"RDMAP-8.1.1-5">},
     "The IUT refuses atomic operations on memory that was not registered for them.",
     with_pair(is_not_changed_without_the_right)},
    {"pair/{}/is-reached-while-registered",
     {&rule<"DDP-8.3-1">, &rule<"DDP-8.3-2">, &rule<"DDP-8.3.1-4">, &rule<"DDP-8.3.1-6">, &rule<"RDMAP-8.1.1-4">,
      &rule<"RDMAP-8.1.1-6">},
     "The IUT allows Writes and Reads of memory while it is registered, and no longer.",
     with_pair(is_reached_while_registered)},
    {"pair/{}/is-not-read-when-deregistered",
     {&rule<"DDP-8.3-2">, &rule<"DDP-8.3.1-4">, &rule<"RDMAP-8.1.1-4">},
     "The IUT refuses a Read of deregistered memory.",
     with_pair(is_not_read_when_deregistered)},
    {"pair/{}/is-not-written-beyond-its-end",
     {&rule<"DDP-7.1-9">, &rule<"DDP-7.1-11">},
     "The IUT places no octet of a Write that extends beyond its region.",
     with_pair(is_not_written_beyond_its_end)},
    {"pair/{}/is-not-written-before-its-start",
     {&rule<"DDP-7.1-8">},
     "The IUT does not place a Write that begins before its region.",
     with_pair(is_not_written_before_its_beginning)},
    {"pair/{}/is-not-read-beyond-its-end",
     {&rule<"RDMAP-7.2-11">},
     "The IUT refuses a Read that extends beyond its region.",
     with_pair(is_not_read_beyond_its_end)},
    {"pair/{}/belongs-to-one-domain",
     {&rule<"DDP-8.2-1">, &rule<"DDP-8.3.1-1">, &rule<"RDMAP-8.1.1-1">, &rule<"RDMASEC-6.1.1-1">},
     "The IUT refuses a queue pair's access to memory in another queue pair's protection domain.",
     with_pair(belongs_to_one_domain)},
    {"pair/{}/names-what-it-invalidates",
     {&rule<"DDP-4.3-3">, &rule<"RDMAP-5.3-11">},
     "The IUT reports the rkey of a Send with Invalidate with its receive, and then refuses the rkey.",
     with_pair(names_what_it_invalidates)},
    {"pair/{}/invalidates-what-it-names",
     {&rule<"RDMAP-4.1-3">, &rule<"RDMAP-5.3-9">},
     "The IUT puts the rkey of the work request in a Send with Invalidate.",
     with_pair(invalidates_what_it_names)},
};

}  // namespace

void add_pair_memory_cases(std::vector<Case>& cases) {
  add_cases(cases, kRows);
}

}  // namespace wirelaw::rdmap
