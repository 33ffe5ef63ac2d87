// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.3: one-sided operations, as the applications of both sides see them.
#include <fmt/format.h>

#include "conformance/efa/3.3-one-sided/rules.h"
#include "conformance/efa/3.3-read/rules.h"
#include "conformance/efa/3.3-write/rules.h"
#include "conformance/efa/probes/driven.h"

namespace wirelaw::efa {
namespace {

using fabric::Receive;

constexpr std::size_t kRegion = 20'000, kShort = 64;
constexpr std::uint64_t kCqData = 0x0102'0304;

RmaIov part(const RmaIov& region, std::uint64_t offset, std::uint64_t octets) {
  return {region.addr + offset, octets, region.key};
}

AtomicStep fetch_and_add() {
  AtomicStep step{.call = AtomicCall::fetch, .op = AtomicOp::sum, .datatype = Datatype::uint64, .operand = {}};
  Writer(step.operand).little_endian(std::uint64_t{1});
  return step;
}

void serves_without_a_call(DrivenResponder& peer) {
  const Rule& demand = rule<"EFA-3.3-1">;
  constexpr std::string_view kWhy = "the application has no receive, and only reads completions";
  peer.meet();
  const OctetBuffer before = sample_octets(kRegion, 1), data = sample_octets(kShort, 2);
  const RmaIov region = peer.app.region(before);
  if (!peer.ok()) return;
  const auto read = peer.read(part(region, 8, kShort));
  peer.require(demand, read && std::ranges::equal(*read, Octets(before).subspan(8, kShort)), "what is in its memory",
               read ? difference(Octets(before).subspan(8, kShort), *read) : "no answer to a SHORT_RTR", kWhy);
  peer.write({part(region, 8, kShort)}, data);
  peer.settle();
  const OctetBuffer after = peer.app.memory(region.key);
  if (!peer.ok()) return;
  const Octets there = Octets(after).subspan(8, kShort);
  peer.require(demand, std::ranges::equal(there, data), size_of(data), difference(data, there), kWhy);
  const auto fetched = peer.atomic(fetch_and_add(), {part(region, 0, 8)});
  if (peer.ok()) peer.require(demand, fetched.has_value(), "an ATOMRSP", "no answer to a FETCH_RTA", kWhy);
}

void is_remote_cq_data_of_cq_data(DrivenResponder& peer) {
  const Rule& demand = rule<"EFA-3.3-2">;
  peer.meet();
  const RmaIov region = peer.app.region(OctetBuffer(kRegion));
  for (const Transfer transfer : {Transfer::eager, Transfer::long_cts}) {
    const std::size_t octets = transfer == Transfer::eager ? kShort : kRegion;
    peer.write({part(region, 0, octets)}, sample_octets(octets), {.transfer = transfer, .cq_data = kCqData});
    if (!peer.ok()) return;
    const auto completion = peer.app.completion();
    if (!peer.ok()) return;
    peer.require(
        demand,
        completion && completion->ok() && completion->has(fabric::cq::kRemoteCqData) && completion->cq_data == kCqData,
        fmt::format("a completion with FI_REMOTE_CQ_DATA, {:#x}", kCqData), to_text(completion),
        fmt::format("a write of {} octets with CQ data", octets));
  }
}

void is_remote_cq_data_of_nothing_else(DrivenResponder& peer) {
  peer.meet();
  const RmaIov region = peer.app.region(OctetBuffer(kRegion));
  peer.write({part(region, 0, kShort)}, sample_octets(kShort));
  peer.write({part(region, 0, kRegion)}, sample_octets(kRegion), {.transfer = Transfer::long_cts});
  peer.read(part(region, 0, kShort));
  peer.read_long({region}, {.first_window = kRegion, .window = kRegion});
  AtomicStep add = fetch_and_add();
  peer.atomic(add, {part(region, 0, 8)});
  add.call = AtomicCall::write;
  peer.atomic(add, {part(region, 0, 8)});
  peer.app.expect_silence(rule<"EFA-3.3-3">, "writes without CQ data, reads and atomics");
}

void keeps_its_receive(DrivenResponder& peer) {
  const Rule& demand = rule<"EFA-3.3-24">;
  peer.meet();
  const RmaIov region = peer.app.region(OctetBuffer(kRegion));
  peer.app.post(Receive{.context = 1, .octets = kShort});
  const OctetBuffer data = sample_octets(kShort, 1);
  peer.write({part(region, 100, kShort)}, data);
  peer.app.expect_silence(demand, "a write while a receive waits");
  const OctetBuffer memory = peer.app.memory(region.key), buffer = peer.app.buffer(1);
  if (!peer.ok()) return;
  const Octets there = Octets(memory).subspan(100, kShort);
  peer.require(demand, std::ranges::equal(there, data), "the data at the place that rma_iov names: " + size_of(data),
               difference(data, there));
  const OctetBuffer untouched(kShort);
  peer.require(demand, buffer == untouched, "the buffer of the receive unchanged", difference(untouched, buffer));
  peer.send_message(text("for the receive"));
  peer.app.expect_completion(demand, 1, "a message after the write");
}

// ------------------------------------------------------------------------------------------------------- the requester

// One operation of each kind, by packets.
struct Calls {
  fabric::Write write{.context = 1, .data = sample_octets(kShort), .to = {kLent.addr, kShort, kLent.key}};
  fabric::Write long_write{.context = 2, .data = sample_octets(kRegion), .to = {kLent.addr, kRegion, kLent.key}};
  fabric::Read read{.context = 3, .from = {kLent.addr, kShort, kLent.key}};
  fabric::Read long_read{.context = 4, .from = {kLent.addr, kRegion, kLent.key}};
  fabric::Atomic atomic{.context = 5, .operand = 1, .on = {kLent.addr, 8, kLent.key}};
};

void post_each(DrivenRequester& peer, const Calls& calls) {
  peer.app.post(calls.write);
  peer.app.post(calls.long_write);
  peer.app.post(calls.read);
  peer.app.post(calls.long_read);
  if (peer.ok() && peer.app.abilities().atomics) peer.app.post(calls.atomic);
}

void is_remote_cq_data_of_the_end(DrivenRequester& peer) {
  peer.announce({});
  peer.meet();
  post_each(peer, {});
  if (!peer.ok()) return;
  const fabric::Context last = peer.app.abilities().atomics ? 5 : 4;
  constexpr std::string_view kCalls[] = {"fi_write", "fi_write", "fi_read", "fi_read", "fi_fetch_atomic"};
  for (fabric::Context context = 1; context <= last; ++context)
    peer.app.expect_completion(rule<"EFA-3.3-4">, context, kCalls[context - 1]);
}

void names_the_key_that_it_was_given(DrivenRequester& peer) {
  const Rule& demand = rule<"EFA-3.3-6">;
  peer.announce({});
  peer.meet();
  post_each(peer, {});
  for (const Purpose purpose : {Purpose::write, Purpose::read, Purpose::atomic}) {
    if (!peer.ok() || (purpose == Purpose::atomic && !peer.app.abilities().atomics)) return;
    const Received* const request = peer.find(peer.in(peer.run().answer_time()), [purpose](const Received& one) {
      return is_request(one) && one.packet.layout()->purpose == purpose && !one.packet.rma_iov.empty();
    });
    if (!peer.ok()) return;
    if (request == nullptr) return peer.inconclusive("an operation did not come as a request");
    const RmaIov iov = rma_iov_at(request->packet.rma_iov, 0);
    peer.require(demand, iov.key == kLent.key, fmt::format("key {:#x}", kLent.key), fmt::format("key {:#x}", iov.key),
                 request->packet.layout()->name);
  }
}

// Reads around the most that one READRSP brings. How long a packet may be only its user can tell.
void reads_by_short_rtr_what_fits(DrivenRequester& peer) {
  const Rule& demand = rule<"EFA-3.3-52">;
  peer.announce({});
  peer.meet();
  const bool declared = !peer.run().parameter("mtu").empty();
  const std::size_t most = peer.packet_octets() - describe(PacketType::readrsp).header_octets;
  for (const std::size_t octets : {most / 2, most - 1, most, most + 1, 2 * most}) {
    peer.app.post(fabric::Read{.context = octets, .from = {kLent.addr, octets, kLent.key}});
    const Received* const request = peer.find(peer.in(peer.run().answer_time()), [octets](const Received& one) {
      return is_request(one) && one.packet.layout()->purpose == Purpose::read && one.packet.msg_length == octets;
    });
    if (!peer.ok()) return;
    if (request == nullptr) return peer.inconclusive("a read did not come as a request");
    const bool holds = octets <= most || !request->is(PacketType::short_rtr);
    const std::string want = fmt::format("LONGCTS_RTR for more than {} octets", most);
    const std::string what = fmt::format("a read of {} octets; packets have at most {}", octets, peer.packet_octets());
    if (declared)
      peer.require(demand, holds, want, to_text(request), what);
    else
      peer.advise(demand, holds, want, to_text(request), what + ", unless ?mtu= sets another size");
  }
}

const CaseRow kRows[] = {
    driven_case("application/responder/serves-without-a-call", rule<"EFA-3.3-1">,
                "The responder serves reads, writes and atomics while the application only reads completions.",
                serves_without_a_call),
    driven_case("application/responder/told-of-cq-data", rule<"EFA-3.3-2">,
                "The responder gives its application a completion with the CQ data of a write.",
                is_remote_cq_data_of_cq_data),
    driven_case("application/responder/told-of-nothing-else", rule<"EFA-3.3-3">,
                "The responder gives its application no completion for writes without CQ data, reads and atomics.",
                is_remote_cq_data_of_nothing_else),
    driven_case("application/responder/keeps-its-receive", rule<"EFA-3.3-24">,
                "The responder places a write at its rma_iov, and keeps a posted receive for the next message.",
                keeps_its_receive),
    driven_case("application/requester/told-of-the-end", rule<"EFA-3.3-4">,
                "The requester reports one completion for each write, read and atomic.", is_remote_cq_data_of_the_end),
    driven_case("application/requester/short-reads-fit", rule<"EFA-3.3-52">,
                "The requester sends LONGCTS_RTR for reads that do not fit in one READRSP.",
                reads_by_short_rtr_what_fits),
    driven_case("application/requester/names-the-key", rule<"EFA-3.3-6">,
                "The requester names memory by the key that the application gave.", names_the_key_that_it_was_given),
};

}  // namespace

std::vector<Case> application_one_sided_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::efa
