// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.1, 4.6 and 4.7: RDMA between the tester's device and an application's.
#include <fmt/format.h>

#include <algorithm>

#include "conformance/efa/3.3-one-sided/rules.h"
#include "conformance/efa/4.1-eor/rules.h"
#include "conformance/efa/4.1-long-read/rules.h"
#include "conformance/efa/4.6-direct-write/rules.h"
#include "conformance/efa/4.7-read-nack/rules.h"
#include "conformance/efa/4.9-unsolicited-write/rules.h"
#include "conformance/efa/probes/driven.h"
#include "conformance/efa/probes/read_offer.h"

namespace wirelaw::efa {
namespace {

using fabric::Receive;
using fabric::Send;

constexpr std::size_t kOctets = 20'000;
constexpr std::size_t kLongRead = std::size_t{2} << 20;  // octets that deployed providers send as long reads
constexpr std::uint32_t kCqData = 0x0102'0304;           // a device has 32 bits for it

bool needs_rdma(Probe& peer) {
  if (peer.ok() && peer.rdma() == nullptr) peer.skip("the transport has no RDMA");
  return peer.ok();
}

std::size_t requests(const Probe& peer, Purpose purpose) {
  return peer.count([purpose](const Received& one) {
    return is_request(one) && one.packet.layout()->purpose == purpose && !one.packet.rma_iov.empty();
  });
}

// Memory of the tester that an application accesses by RDMA. Packets are answered from other memory (LentMemory) with
// other octets, so the octets show which way was used.
class Exposed {
 public:
  Exposed(DrivenRequester& peer, OctetBuffer octets, RdmaAccess access)
      : peer_(peer), before_(octets), octets_(std::move(octets)) {
    if (!peer.ok()) return;
    const auto range = peer.rdma()->expose(octets_, access);
    if (range)
      iov_ = {range->addr, range->len, range->key};
    else
      peer.inconclusive("the device registers no memory");
  }
  ~Exposed() {
    if (iov_.key != 0) peer_.rdma()->withdraw(iov_.key);
  }
  Exposed(const Exposed&) = delete;
  Exposed& operator=(const Exposed&) = delete;

  const RmaIov& iov() const { return iov_; }
  const OctetBuffer& octets() const { return octets_; }
  bool written() const { return octets_ != before_; }
  // True if an RDMA read has filled the buffer of this read call.
  bool was_read(fabric::Context context) const { return peer_.ok() && peer_.app.buffer(context) == octets_; }

 private:
  DrivenRequester& peer_;
  OctetBuffer before_, octets_;
  RmaIov iov_;
};

// ----------------------------------------------------------------------------------------------- direct read and write

void reads_directly(DrivenRequester& peer) {
  if (!needs_rdma(peer)) return;
  const Rule& demand = rule<"EFA-4.1-12">;
  peer.announce({Extra::rdma_read});
  peer.meet();
  const Exposed memory(peer, sample_octets(kOctets), RdmaAccess::read);
  peer.app.post(fabric::Read{.context = 1, .from = memory.iov()});
  const auto completion = peer.app.completion_of(1);
  const std::size_t packets = requests(peer, Purpose::read);
  if (packets > 0 && !memory.was_read(1)) return peer.skip("the application's provider reads by packets");
  if (!peer.ok()) return;
  peer.require(demand, packets == 0, "only RDMA reads", fmt::format("{} REQ packets in addition", packets));
  peer.require(demand, completion && completion->ok() && memory.was_read(1),
               "a completion, and the octets of the memory", to_text(completion));
}

void lets_read_directly(DrivenResponder& peer) {
  if (!needs_rdma(peer)) return;
  const Rule& demand = rule<"EFA-4.1-12">;
  peer.announce({Extra::rdma_read});
  peer.meet();
  if (!peer.ok()) return;
  if (!peer.peer_announces(Extra::rdma_read)) return peer.skip("the responder does not announce RDMA read");
  const OctetBuffer data = sample_octets(kOctets);
  const RmaIov region = peer.app.region(data);
  if (!peer.ok()) return;
  const auto packets = [&peer] { return peer.count([](const Received&) { return true; }); };
  const std::size_t before = packets();
  const auto read = peer.rdma()->read({region.addr, region.len, region.key}, peer.in(peer.run().answer_time()));
  peer.require(demand, read && *read && **read == data, size_of(data),
               read && *read ? difference(data, **read) : "the device refuses the read");
  peer.app.expect_silence(demand, "a read by the peer's device");
  peer.require(demand, packets() == before, "no packet", fmt::format("{} packets", packets() - before));
}

void writes_directly(DrivenRequester& peer) {
  if (!needs_rdma(peer)) return;
  const Rule& demand = rule<"EFA-4.6-1">;
  peer.announce({Extra::rdma_read, Extra::rdma_write});
  peer.meet();
  const OctetBuffer data = sample_octets(kOctets, 1);
  const Exposed memory(peer, OctetBuffer(kOctets), RdmaAccess::read_write);
  peer.app.post(fabric::Write{.context = 1, .data = data, .to = memory.iov()});
  const auto completion = peer.app.completion_of(1);
  if (!peer.ok()) return;
  const std::size_t packets = requests(peer, Purpose::write);
  if (packets > 0 && !memory.written()) return peer.skip("the application's provider writes by packets");
  peer.require(demand, packets == 0, "only RDMA writes", fmt::format("{} REQ packets in addition", packets));
  peer.require(demand, completion && completion->ok() && memory.octets() == data,
               "a completion, and the written octets",
               completion && completion->ok() ? difference(data, memory.octets()) : to_text(completion));
}

// The peer does not announce RDMA, although its device supports it.
void reads_what_was_announced(DrivenRequester& peer) {
  if (!needs_rdma(peer)) return;
  peer.announce({});
  peer.meet();
  const Exposed memory(peer, sample_octets(kOctets), RdmaAccess::read);
  peer.app.post(fabric::Read{.context = 1, .from = memory.iov()});
  peer.app.completion_of(1);
  const bool directly = memory.was_read(1);
  peer.require(rule<"EFA-4.1-13">, !directly, "a request in a packet, or an error", "an RDMA read",
               "the peer's HANDSHAKE announces nothing");
}

void writes_what_was_announced(DrivenRequester& peer) {
  if (!needs_rdma(peer)) return;
  peer.announce({});
  peer.meet();
  const Exposed memory(peer, OctetBuffer(kOctets), RdmaAccess::read_write);
  peer.app.post(fabric::Write{.context = 1, .data = sample_octets(kOctets), .to = memory.iov()});
  peer.app.completion_of(1);
  peer.settle();
  peer.require(rule<"EFA-4.6-2">, !memory.written(), "a request in a packet, or an error", "an RDMA write",
               "the peer's HANDSHAKE announces nothing");
}

// If no packet brings the CQ data, the device's write had immediate data. Either side may be the one that announces ID
// 8.
template <bool kAnnounced>
void writes_immediate_to_equals(DrivenRequester& peer) {
  if (!needs_rdma(peer)) return;
  if (kAnnounced)
    peer.announce({Extra::rdma_read, Extra::rdma_write, Extra::unsolicited_write_recv});
  else
    peer.announce({Extra::rdma_read, Extra::rdma_write});
  peer.meet();
  if (!peer.ok()) return;
  if (peer.peer_announces(Extra::unsolicited_write_recv) == kAnnounced)
    return peer.skip(fmt::format("the requester {} unsolicited receives as well", kAnnounced ? "has" : "lacks"));
  const auto packets = [&peer] {
    return peer.count(
        [](const Received& one) { return is_request(one) && one.packet.layout()->purpose == Purpose::write; });
  };
  const std::size_t before = packets();
  const Exposed memory(peer, OctetBuffer(kOctets), RdmaAccess::read_write);
  peer.app.post(fabric::Write{.context = 1, .data = sample_octets(kOctets), .to = memory.iov(), .cq_data = kCqData});
  peer.app.completion_of(1);
  peer.settle();
  const bool immediate = memory.written() && packets() == before;
  constexpr std::string_view kExpected = "a request in a packet, or an error", kGot = "an RDMA write with immediate";
  // One that does not announce the ID may follow a document that does not have it (EFA/A-99).
  if (kAnnounced)
    peer.advise(rule<"EFA-4.9-1">, !immediate, kExpected, kGot, "we announce ID 8, and the requester does not");
  else
    peer.require(rule<"EFA-4.9-1">, !immediate, kExpected, kGot, "the requester announces ID 8, and we do not");
}

void is_remote_cq_data_of_direct_cq_data(DrivenResponder& peer) {
  if (!needs_rdma(peer)) return;
  peer.handshake_by_hand();
  peer.meet();
  peer.announce_rdma_writes();
  if (!peer.ok()) return;
  if (!peer.peer_announces(Extra::rdma_write)) return peer.skip("the responder does not announce RDMA write");
  const OctetBuffer data = sample_octets(kOctets);
  const RmaIov region = peer.app.region(OctetBuffer(kOctets));
  if (!peer.ok()) return;
  const auto written =
      peer.rdma()->write({region.addr, region.len, region.key}, data, kCqData, peer.in(peer.run().answer_time()));
  if (!written || !*written) return peer.inconclusive("the device has not written");
  const auto completion = peer.app.completion();
  const OctetBuffer memory = peer.app.memory(region.key);
  if (!peer.ok()) return;
  peer.require(rule<"EFA-4.6-3">,
               completion && completion->ok() && completion->has(fabric::cq::kRemoteCqData) &&
                   completion->cq_data == kCqData && memory == data,
               fmt::format("a completion with FI_REMOTE_CQ_DATA, {:#x}, and the data", kCqData),
               fmt::format("{}; {}", to_text(completion), difference(data, memory)));
}

// ----------------------------------------------------------------------------------------------------------- long read

void is_not_remote_cq_data_of_a_long_write(DrivenResponder& peer) {
  if (!needs_rdma(peer)) return;
  peer.announce({Extra::rdma_read, Extra::read_nack});
  peer.meet();
  if (!peer.ok()) return;
  if (!peer.peer_announces(Extra::rdma_read)) return peer.skip("the responder does not announce RDMA read");
  const RmaIov region = peer.app.region(OctetBuffer(kOctets));
  if (!peer.ok()) return;
  ReadOffer offer(peer, sample_octets(kOctets), 1);
  const std::uint32_t send_id = peer.fresh_id();
  offer.send_write(send_id, {region});
  if (!offer.await_eor(send_id)) return peer.inconclusive("no EOR came");
  peer.app.expect_silence(rule<"EFA-4.1-14">, "a LONGREAD_RTW without CQ data");
}

void is_remote_cq_data_of_a_long_write(DrivenResponder& peer) {
  if (!needs_rdma(peer)) return;
  peer.announce({Extra::rdma_read, Extra::read_nack});
  peer.meet();
  if (!peer.ok()) return;
  if (!peer.peer_announces(Extra::rdma_read)) return peer.skip("the responder does not announce RDMA read");
  const RmaIov region = peer.app.region(OctetBuffer(kOctets));
  if (!peer.ok()) return;
  ReadOffer offer(peer, sample_octets(kOctets), 1);
  const std::uint32_t send_id = peer.fresh_id();
  offer.send_write(send_id, {region}, kCqData);
  if (!offer.await_eor(send_id)) return peer.inconclusive("no EOR came");
  const auto completion = peer.app.completion();
  if (!peer.ok()) return;
  peer.require(
      rule<"EFA-3.3-2">,
      completion && completion->ok() && completion->has(fabric::cq::kRemoteCqData) && completion->cq_data == kCqData,
      fmt::format("a completion with FI_REMOTE_CQ_DATA, {:#x}", kCqData), to_text(completion),
      "a LONGREAD_RTW with CQ data");
}

void completes_with_the_eor(DrivenRequester& peer) {
  if (!needs_rdma(peer)) return;
  const Rule& demand = rule<"EFA-4.1-25">;
  const auto asks_for_read = [](const Received& one) {
    return is_request(one) && one.packet.layout()->transfer == Transfer::long_read;
  };
  peer.leave(asks_for_read);
  peer.announce({Extra::rdma_read});
  peer.meet();
  peer.app.post(Send{.context = 1, .data = sample_octets(kLongRead)});
  const Received* const request = peer.await(asks_for_read);
  if (!peer.ok()) return;
  if (request == nullptr) return peer.skip("the application's provider sends no long read of 2 MiB");
  peer.app.expect_silence(demand, "a LONGREAD_RTM has come, and its data was not read");
  Packet eor = peer.answer(PacketType::eor);
  eor.send_id = request->packet.send_id;
  peer.send(eor);
  peer.app.expect_completion(demand, 1, "the EOR was sent");
}

void finds_another_way(DrivenRequester& peer) {
  if (!needs_rdma(peer)) return;
  peer.announce({Extra::rdma_read, Extra::runting_read, Extra::read_nack});
  peer.meet();
  peer.app.trouble({.registers = false});
  if (!peer.ok()) return;
  const OctetBuffer data = sample_octets(kLongRead);
  const auto completion = peer.app.outcome_of(Send{.context = 1, .data = data});
  if (!peer.ok()) return;
  const bool failed = completion && !completion->ok();
  const auto message = failed ? std::nullopt : peer.take_message();
  if (!peer.ok()) return;
  peer.require(rule<"EFA-4.1-10">, failed || (message && message->octets == data),
               "the message in packets, or an error",
               fmt::format("{}; {}", to_text(completion), message ? difference(data, message->octets) : "no message"),
               fmt::format("fi_send of {} octets whose buffer cannot be registered", kLongRead));
}

void refuses_what_it_cannot_read(DrivenResponder& peer) {
  if (!needs_rdma(peer)) return;
  peer.announce({Extra::rdma_read, Extra::runting_read, Extra::read_nack});
  peer.meet();
  if (!peer.ok()) return;
  if (!peer.peer_announces(Extra::rdma_read) || !peer.peer_announces(Extra::read_nack))
    return peer.skip("the responder does not announce RDMA read and READ_NACK");
  peer.app.trouble({.registers = false});
  peer.app.post(Receive{.context = 1, .octets = kOctets});
  if (!peer.ok()) return;
  ReadOffer offer(peer, sample_octets(kOctets), 1);
  const std::uint32_t send_id = peer.fresh_id();
  offer.send_message(peer.next_msg_id(), send_id, false);
  const Received* const answer = peer.await([send_id](const Received& one) {
    return (one.is(PacketType::eor) || one.is(PacketType::read_nack)) && one.packet.send_id == send_id;
  });
  if (!peer.ok()) return;
  peer.require(rule<"EFA-4.7-13">, answer != nullptr && answer->is(PacketType::read_nack), "a READ_NACK",
               to_text(answer), "memory for the LONGREAD_MSGRTM cannot be registered");
}

const CaseRow kRows[] = {
    driven_case("application/requester/reads-directly", rule<"EFA-4.1-12">,
                "The requester executes a direct read by RDMA, without a packet.", reads_directly),
    driven_case("application/responder/is-read-directly", rule<"EFA-4.1-12">,
                "The responder sends no packet and reports no completion for a direct read of registered memory.",
                lets_read_directly),
    driven_case("application/requester/reads-what-was-announced", rule<"EFA-4.1-13">,
                "The requester does not read by RDMA from a peer that has not announced RDMA read.",
                reads_what_was_announced),
    driven_case("application/requester/writes-directly", rule<"EFA-4.6-1">,
                "The requester executes a direct write by RDMA, without a packet.", writes_directly),
    driven_case("application/requester/writes-what-was-announced", rule<"EFA-4.6-2">,
                "The requester does not write by RDMA to a peer that has not announced RDMA write.",
                writes_what_was_announced),
    driven_case(
        "application/requester/no-immediate-to-one-with-unsolicited-receives", rule<"EFA-4.9-1">,
        "The requester, which does not announce ID 8, does not send a direct write with CQ data to a peer that does.",
        writes_immediate_to_equals<true>),
    driven_case(
        "application/requester/no-immediate-to-one-without-unsolicited-receives", rule<"EFA-4.9-1">,
        "The requester, which announces ID 8, does not send a direct write with CQ data to a peer that does not.",
        writes_immediate_to_equals<false>),
    driven_case("application/responder/told-of-direct-cq-data", rule<"EFA-4.6-3">,
                "The responder gives its application a completion for an RDMA write with immediate data after the data "
                "is in memory.",
                is_remote_cq_data_of_direct_cq_data),
    driven_case("application/responder/not-told-of-a-long-write", rule<"EFA-4.1-14">,
                "The responder gives its application no completion for a LONGREAD_RTW without CQ data.",
                is_not_remote_cq_data_of_a_long_write),
    driven_case("application/responder/told-of-cq-data-of-a-long-write", rule<"EFA-3.3-2">,
                "The responder gives its application a completion for a LONGREAD_RTW with CQ data.",
                is_remote_cq_data_of_a_long_write),
    driven_case("application/requester/completes-with-the-eor", rule<"EFA-4.1-25">,
                "The requester completes a send whose data is fetched by RDMA reads when the EOR arrives, not before.",
                completes_with_the_eor),
    driven_case(
        "application/requester/finds-another-way", rule<"EFA-4.1-10">,
        "The requester sends a long message whose buffer cannot be registered another way, or reports an error.",
        finds_another_way),
    driven_case("application/responder/refuses-what-it-cannot-read", rule<"EFA-4.7-13">,
                "The responder answers a long read for which it can register no memory with READ_NACK.",
                refuses_what_it_cannot_read),
};

}  // namespace

std::vector<Case> application_rdma_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::efa
