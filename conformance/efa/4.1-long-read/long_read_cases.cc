// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.1: data that a responder fetches from the requester by RDMA reads. Requires a transport with RDMA, and
// endpoints that announce it.
#include <fmt/format.h>

#include "conformance/efa/4.1-eor/rules.h"
#include "conformance/efa/4.1-long-read/rules.h"
#include "conformance/efa/4.5-runting-read/rules.h"
#include "conformance/efa/probes/case_file.h"
#include "conformance/efa/probes/read_offer.h"
#include "conformance/efa/roles.h"
#include "reference/efa/coverage.h"

namespace wirelaw::efa {
namespace {

constexpr std::uint64_t kNeeded = 65'536;

// Waits for the requester's first request with data to fetch, and leaves it unanswered.
const Received* await_long_read(RequesterProbe& requester) {
  requester.announce({Extra::rdma_read, Extra::read_nack});
  requester.leave([](const Received& one) { return is_request(one) && one.packet.layout()->behind != Array::none; });
  requester.trigger({.octets = 32, .count = 1});
  const Received* const request = requester.serve_until(
      [](const Received& one) { return is_request(one) && one.packet.layout()->behind != Array::none; });
  if (request == nullptr) requester.skip("the requester sends no message that is fetched by RDMA reads");
  return request;
}

// The octets that the responder's device has read from the offered buffer, and reads outside it.
struct Reads {
  Coverage octets;  // offsets in `offered` that have been read
  std::string beyond;
};
Reads reads_within(const RmaIov& offered, const std::vector<RdmaSeen>& seen) {
  Reads reads;
  for (const RdmaSeen& one : seen) {
    const std::uint64_t from = one.range.addr - offered.addr;
    if (one.range.key != offered.key || from > offered.len || one.range.len > offered.len - from)
      reads.beyond = fmt::format("a read of {} octets at 0x{:x}", one.range.len, one.range.addr);
    else
      static_cast<void>(reads.octets.add(from, from + one.range.len, seen.size()));
  }
  return reads;
}

Packet eor_to(const RequesterProbe& requester, const Received& request) {
  Packet eor = requester.answer(PacketType::eor);
  eor.send_id = request.packet.send_id;
  eor.recv_id = 0x7001;
  return eor;
}

const CaseRow kRows[] = {
    {"long-read/message",
     {&rule<"EFA-4.1-201">, &rule<"EFA-4.1-22">, &rule<"EFA-4.1-23">},
     "The responder fetches LONGREAD_RTM of several lengths, tagged and untagged, from one buffer and from two.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       meet_with_reads(responder);
       for (const std::size_t octets : {1u, 100u, 20'000u, 60'000u}) {
         for (const bool tagged : {false, true}) {
           if (!responder.ok()) return;
           ReadOffer offer(responder, sample_octets(octets, tagged ? 1 : 2), octets > 100 ? 2 : 1);
           const std::uint32_t send_id = responder.fresh_id();
           offer.send_message(responder.next_msg_id(), send_id, tagged);
           responder.require(rule<"EFA-4.1-201">, offer.await_eor(send_id), "an EOR", "none",
                             fmt::format("{} octets", octets));
           responder.expect_echoed(rule<"EFA-4.1-201">, offer.data());
         }
       }
     }),
     Service::echo},
    {"long-read/buffer-used-anew",
     {&rule<"EFA-4.1-203">},
     "The responder echoes the original data although the tester overwrites and withdraws the buffer as soon as the "
     "EOR arrives.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       meet_with_reads(responder);
       if (!responder.ok()) return;
       ReadOffer offer(responder, sample_octets(30'000, 1), 1);
       const OctetBuffer data = offer.data();
       const std::uint32_t send_id = responder.fresh_id();
       offer.send_message(responder.next_msg_id(), send_id, false);
       if (!offer.await_eor(send_id)) return responder.inconclusive("no EOR came");
       offer.withdraw();
       const auto echo = responder.await_message(data);
       if (!responder.ok()) return;
       responder.require(rule<"EFA-4.1-203">, echo && echo->octets == data, size_of(data),
                         echo ? difference(data, echo->octets) : "no echo");
     }),
     Service::echo},
    {"long-read/write-used-anew",
     {&rule<"EFA-4.1-24">},
     "The responder keeps the original data of a LONGREAD_RTW although the tester overwrites the buffer as soon as the "
     "EOR arrives.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_memory(kNeeded);
       meet_with_reads(responder);
       if (!responder.ok()) return;
       ReadOffer offer(responder, sample_octets(30'000, 2), 1);
       const OctetBuffer data = offer.data();
       const std::uint32_t send_id = responder.fresh_id();
       offer.send_write(send_id, {responder.part(0, data.size())});
       if (!offer.await_eor(send_id)) return responder.inconclusive("no EOR came");
       offer.withdraw();
       responder.expect_memory(rule<"EFA-4.1-24">, 0, data);
     })},
    {"long-read/reads-what-is-offered",
     {&rule<"EFA-4.1-11">},
     "The responder reads all of the offered middle of a registered buffer, and nothing else, before it sends the EOR.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       meet_with_reads(responder);
       if (!responder.ok()) return;
       if (responder.rdma()->seen() == nullptr)
         return responder.skip("the tester's device does not show who reads its memory");
       constexpr std::uint64_t kMargin = 4'096, kOffered = 30'000;
       OctetBuffer exposed = sample_octets(kOffered + 2 * kMargin);
       const auto range = responder.rdma()->expose(exposed, RdmaAccess::read);
       if (!range) return responder.inconclusive("the device registers no more memory for RDMA reads");
       const RmaIov offered{range->addr + kMargin, kOffered, range->key};
       OctetBuffer iov;
       encode(offered, iov);
       Packet packet = ReadOffer::message(responder, PacketType::longread_msgrtm, kOffered);
       packet.msg_id = responder.next_msg_id();
       packet.read_iov = iov;
       packet.read_iov_count = 1;
       responder.send(packet);
       const Received* const answer = responder.await(
           [](const Received& one) { return one.is(PacketType::eor) || one.is(PacketType::read_nack); });
       const Reads reads = reads_within(offered, *responder.rdma()->seen());
       responder.rdma()->withdraw(range->key);
       if (!responder.ok()) return;
       if (answer != nullptr && answer->is(PacketType::read_nack))
         return responder.skip("the responder registers no memory for RDMA reads, and refuses them");
       if (answer == nullptr) return responder.inconclusive("no EOR came");
       responder.require(
           rule<"EFA-4.1-11">, reads.beyond.empty() && reads.octets.octets() == kOffered,
           fmt::format("RDMA reads of {} octets at 0x{:x}", kOffered, offered.addr),
           reads.beyond.empty() ? fmt::format("reads of {} octets of them", reads.octets.octets()) : reads.beyond);
     })},
    {"long-read/write",
     {&rule<"EFA-4.1-202">, &rule<"EFA-4.1-22">, &rule<"EFA-4.1-23">},
     "The responder executes LONGREAD_RTW from two buffers to two buffers.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_memory(kNeeded);
       meet_with_reads(responder);
       if (!responder.ok()) return;
       ReadOffer offer(responder, sample_octets(30'000, 1), 2);
       const std::uint32_t send_id = responder.fresh_id();
       offer.send_write(send_id, {responder.part(0, 10'001), responder.part(20'000, 19'999)});
       responder.require(rule<"EFA-4.1-202">, offer.await_eor(send_id), "an EOR", "none");
       responder.expect_memory(rule<"EFA-4.1-202">, 0, Octets(offer.data()).first(10'001));
       responder.expect_memory(rule<"EFA-4.1-202">, 20'000, Octets(offer.data()).subspan(10'001));
     })},
    {"long-read/source-that-is-refused",
     {&rule<"EFA-4.1-204">},
     "The responder keeps working after a read_iov with a wrong key, beyond the buffer, with lengths that wrap, with "
     "no buffer, and another msg_length.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       meet_with_reads(responder);
       if (!responder.ok()) return;
       ReadOffer offer(responder, sample_octets(4'096, 1), 1);
       const RmaIov good = offer.buffers().front();
       struct Bad {
         std::vector<RmaIov> buffers;
         std::uint64_t msg_length;
       };
       const std::vector<Bad> all = {
           {{{good.addr, good.len, good.key + 1}}, good.len},
           {{{good.addr, good.len + 1, good.key}}, good.len + 1},
           {{{good.addr + good.len, 64, good.key}}, 64},
           {{{~std::uint64_t{0} - 31, 64, good.key}}, 64},
           {{{good.addr, std::uint64_t{1} << 63, good.key}, {good.addr, (std::uint64_t{1} << 63) + 64, good.key}}, 64},
           {{good}, good.len + 1},
           {{good}, good.len - 1},
           {{good}, 0},
           {{good}, ~std::uint64_t{0}},
           {{{good.addr, ~std::uint64_t{0}, good.key}}, ~std::uint64_t{0}},
           {{}, 4'096},
           {{}, 0},
       };
       unsigned identity = 1;
       for (const Bad& bad : all) {
         ResponderProbe peer(responder.run(), ++identity);
         meet_with_reads(peer);
         if (!peer.ok()) return;
         Packet packet = ReadOffer::message(peer, PacketType::longread_msgrtm, bad.msg_length);
         OctetBuffer iovs;
         for (const RmaIov& iov : bad.buffers) encode(iov, iovs);
         packet.read_iov = iovs;
         packet.read_iov_count = static_cast<std::uint32_t>(bad.buffers.size());
         packet.msg_id = peer.next_msg_id();
         peer.send(packet);
         peer.settle();
         responder.expect_alive(rule<"EFA-4.1-204">,
                                bad.buffers.empty() ? fmt::format("no buffer, msg_length {}", bad.msg_length)
                                                    : fmt::format("{} octets at 0x{:x} under key 0x{:x}, msg_length {}",
                                                                  bad.buffers[0].len, bad.buffers[0].addr,
                                                                  bad.buffers[0].key, bad.msg_length));
       }
     })},
    {"extras/requests-that-were-not-announced",
     {&rule<"EFA-2.1-205">},
     "The responder keeps working after a request of every extra feature that it has not announced.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.meet();
       bool any = false;
       unsigned identity = 1;
       for (const Layout& layout : all_layouts()) {
         if (!responder.ok()) return;
         if (!layout.is_request() || layout.extras == 0) continue;
         const std::uint64_t announced =
             load_little_endian<std::uint64_t>(responder.handshake()->packet.extra_info.data());
         if ((layout.extras & ~announced) == 0) continue;
         any = true;
         ResponderProbe peer(responder.run(), ++identity);
         OctetBuffer iov;
         encode(RmaIov{.addr = 1, .len = 16, .key = 1}, iov);
         Packet packet = peer.one_sided(layout.type, {});
         packet.msg_id = peer.next_msg_id();
         packet.msg_length = packet.seg_length = 16;
         packet.read_iov = iov;
         packet.read_iov_count = 1;
         peer.send(packet);
         peer.settle();
         responder.expect_alive(rule<"EFA-2.1-205">, fmt::format("after {}", layout.name));
       }
       if (!any) responder.skip("the responder announces every extra feature");
     })},
    {"walk/peer-announces-everything", trace_rules({"EFA-4.*"}),
     "The requester sends valid packets to a responder that announces all features, including RDMA.",
     with<RequesterProbe>([](RequesterProbe& requester) {
       if (requester.ok() && requester.rdma() == nullptr) return requester.skip("the transport has no RDMA");
       requester.announce(
           {Extra::rdma_read, Extra::delivery_complete, Extra::connid_header, Extra::runting_read, Extra::read_nack});
       requester.trigger({.octets = 100, .count = 2});
       if (!requester.serve_to_the_end()) return;
       const std::size_t begun = requester.intake().incomplete_runts();
       requester.require(rule<"EFA-4.5-15">, begun == 0, "all packets of each runting message",
                         fmt::format("{} messages with a missing packet", begun));
     })},
    {"long-read/source-is-registered",
     {&rule<"EFA-4.1-9">},
     "The requester lets the responder read each buffer in read_iov by RDMA under its key until it receives the EOR.",
     with<RequesterProbe>([](RequesterProbe& requester) {
       if (requester.ok() && requester.rdma() == nullptr) return requester.skip("the transport has no RDMA");
       const Received* const request = await_long_read(requester);
       if (request == nullptr) return;
       const Octets iovs = request->packet.read_iov;
       for (std::size_t i = 0; i < rma_iov_count(iovs); ++i) {
         const RmaIov iov = rma_iov_at(iovs, i);
         const auto read =
             requester.rdma()->read({iov.addr, iov.len, iov.key}, requester.in(requester.run().answer_time()));
         if (!read) return requester.inconclusive("the device has failed: " + read.error().message);
         requester.require(rule<"EFA-4.1-9">, read->has_value() && (*read)->size() == iov.len,
                           fmt::format("{} octets at 0x{:x} under key 0x{:x}", iov.len, iov.addr, iov.key),
                           *read ? size_of(**read) : "the device refuses the read");
       }
     })},
    {"long-read/eor-comes-again-to-requester",
     {&rule<"EFA-4.1-221">},
     "The requester continues after it receives an EOR three times.",
     with<RequesterProbe>([](RequesterProbe& requester) {
       const Received* const request = await_long_read(requester);
       if (request == nullptr) return;
       for (unsigned i = 0; i < 3; ++i) requester.send(eor_to(requester, *request));
       requester.settle();
       requester.expect_new_start(rule<"EFA-4.1-221">);
     })},
    {"long-read/eor-of-twelve-octets-to-requester",
     {&rule<"EFA-4.1-222">},
     "After an EOR without its last word, the requester does not switch to another subprotocol, and continues.",
     with<RequesterProbe>([](RequesterProbe& requester) {
       const Received* const request = await_long_read(requester);
       if (request == nullptr) return;
       Packet eor = packet_of(PacketType::eor);
       eor.send_id = request->packet.send_id;
       eor.recv_id = 0x7001;
       eor.short_header = true;
       requester.send(eor);
       requester.settle();
       requester.expect_new_start(rule<"EFA-4.1-222">);
     })},
};

}  // namespace

std::vector<Case> long_read_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::efa
