// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.3: emulated reads.
#include <fmt/format.h>

#include "conformance/efa/3.3-read/rules.h"
#include "conformance/efa/probes/case_file.h"
#include "conformance/efa/roles.h"

namespace wirelaw::efa {
namespace {

constexpr std::uint64_t kNeeded = 32'768;

bool carries_data(const Received& one) {
  return (one.is(PacketType::readrsp) || one.is(PacketType::ctsdata)) && !one.packet.payload.empty();
}

void expect_read(ResponderProbe& responder, const Rule& rule, Octets wanted, const std::optional<OctetBuffer>& got,
                 std::string_view explanation = {}) {
  responder.require(rule, got && std::ranges::equal(*got, wanted), size_of(wanted),
                    got ? difference(wanted, *got) : "no READRSP, or not all the data", explanation);
}

const CaseRow kRows[] = {
    {"read/short",
     {&rule<"EFA-3.3-221">},
     "The responder answers short reads of one octet, a few, and as many as one packet holds, one of them a new peer's "
     "first packet.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_memory(kNeeded);
       ResponderProbe writer(responder.run(), 2);
       writer.need_memory(kNeeded);
       const OctetBuffer data = sample_octets(8'000, 1);
       writer.prepare(0, data);
       expect_read(responder, rule<"EFA-3.3-221">, Octets(data).subspan(5, 60), responder.read(responder.part(5, 60)),
                   "the first packet of a peer");
       const std::size_t most = std::min<std::size_t>(responder.packet_octets() - 25, data.size());
       for (const std::size_t octets : {std::size_t{1}, std::size_t{1'000}, most})
         expect_read(responder, rule<"EFA-3.3-221">, Octets(data).first(octets),
                     responder.read(responder.part(0, octets)), fmt::format("{} octets", octets));
     })},
    {"read/several-at-once",
     {&rule<"EFA-3.3-221">},
     "The responder answers eight concurrent short reads, each with its own octets.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_memory(kNeeded);
       responder.meet();
       const OctetBuffer data = sample_octets(800, 1);
       responder.prepare(0, data);
       for (std::uint32_t i = 0; i < 8; ++i) {
         Packet packet = responder.one_sided(PacketType::short_rtr, {responder.part(i * 100, 100)});
         packet.recv_id = 0x9000 + i;
         responder.send(packet);
       }
       for (std::uint32_t i = 8; i-- > 0;) {
         const Received* const response = responder.await([i](const Received& one) {
           return one.is(PacketType::readrsp) && (one.packet.recv_id == 0x9000 + i || one.packet.send_id == 0x9000 + i);
         });
         const Octets wanted = Octets(data).subspan(i * 100, 100);
         responder.require(rule<"EFA-3.3-221">,
                           response != nullptr && std::ranges::equal(response->packet.payload, wanted), size_of(wanted),
                           response == nullptr ? "no READRSP" : difference(wanted, response->packet.payload));
       }
     })},
    {"read/several-buffers",
     {&rule<"EFA-3.3-222">},
     "The responder answers short and long reads of three buffers, one of them empty.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_memory(kNeeded);
       responder.meet();
       const OctetBuffer data = sample_octets(30'000, 1);
       responder.prepare(0, data);
       const auto wanted_of = [&](std::size_t first, std::size_t second) {
         OctetBuffer wanted(data.begin() + 20'000, data.begin() + 20'000 + static_cast<std::ptrdiff_t>(first));
         wanted.insert(wanted.end(), data.begin() + 7, data.begin() + 7 + static_cast<std::ptrdiff_t>(second));
         return wanted;
       };
       Packet packet = responder.one_sided(PacketType::short_rtr,
                                           {responder.part(20'000, 100), responder.part(3, 0), responder.part(7, 50)});
       packet.recv_id = responder.fresh_id();
       responder.send(packet);
       const Received* const response = responder.await([id = packet.recv_id](const Received& one) {
         return one.is(PacketType::readrsp) && (one.packet.recv_id == id || one.packet.send_id == id);
       });
       expect_read(responder, rule<"EFA-3.3-222">, wanted_of(100, 50),
                   response == nullptr
                       ? std::nullopt
                       : std::optional(OctetBuffer(response->packet.payload.begin(), response->packet.payload.end())),
                   "SHORT_RTR");
       expect_read(responder, rule<"EFA-3.3-222">, wanted_of(9'000, 12'000),
                   responder.read_long({responder.part(20'000, 9'000), responder.part(3, 0), responder.part(7, 12'000)},
                                       {.first_window = 21'000, .window = 21'000}),
                   "LONGCTS_RTR");
     })},
    {"read/long-cts",
     {&rule<"EFA-3.3-223">},
     "The responder answers long-CTS reads in one window and in many.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_memory(kNeeded);
       responder.meet();
       const OctetBuffer data = sample_octets(30'000, 1);
       responder.prepare(0, data);
       for (const auto& how : {ResponderProbe::LongRead{30'000, 0}, ResponderProbe::LongRead{10'000, 10'000},
                               ResponderProbe::LongRead{100, 7'000}, ResponderProbe::LongRead{1, 29'999}})
         expect_read(responder, rule<"EFA-3.3-223">, data, responder.read_long({responder.part(0, data.size())}, how),
                     fmt::format("windows of {} and {} octets", how.first_window, how.window));
       expect_read(responder, rule<"EFA-3.3-223">, Octets(data).first(10),
                   responder.read_long({responder.part(0, 10)}, {.first_window = 10, .window = 10}),
                   "a read that fits in one packet");
     })},
    {"read/long-cts-as-a-first-packet",
     {&rule<"EFA-3.3-223">},
     "The responder answers a long-CTS read by a peer that has sent nothing else.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_memory(kNeeded);
       ResponderProbe writer(responder.run(), 2);
       writer.need_memory(kNeeded);
       const OctetBuffer data = sample_octets(20'000, 1);
       writer.prepare(0, data);
       expect_read(responder, rule<"EFA-3.3-223">, data,
                   responder.read_long({responder.part(0, data.size())}, {.first_window = 9'000, .window = 9'000}));
     })},
    {"read/window-is-kept",
     {&rule<"EFA-3.3-224">},
     "The responder sends no more than 150 octets of a read of 30000 with recv_length 100 and a CTS for 50.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_memory(kNeeded);
       responder.meet();
       Packet packet = responder.one_sided(PacketType::longcts_rtr, {responder.part(0, 30'000)});
       packet.recv_id = responder.fresh_id();
       packet.recv_length = 100;
       responder.send(packet);
       const auto octets_here = [&] {
         std::size_t sum = 0;
         static_cast<void>(responder.count([&](const Received& one) {
           if (carries_data(one)) sum += one.packet.payload.size();
           return false;
         }));
         return sum;
       };
       responder.listen();
       responder.require(rule<"EFA-3.3-224">, octets_here() == 100, "100 octets", fmt::format("{}", octets_here()),
                         "recv_length 100");
       const Received* const response = responder.await(PacketType::readrsp);
       if (response == nullptr) return;
       Packet cts = responder.answer(PacketType::cts);
       cts.flags |= flag::kCtsEmulatedRead;
       cts.recv_id = packet.recv_id;
       cts.send_id = response->packet.recv_id == packet.recv_id ? response->packet.send_id : response->packet.recv_id;
       cts.recv_length = 50;
       responder.send(cts);
       responder.listen();
       responder.require(rule<"EFA-3.3-224">, octets_here() == 150, "150 octets", fmt::format("{}", octets_here()),
                         "and a CTS for 50");
     })},
    {"read/nothing",
     {&rule<"EFA-3.3-225">},
     "The responder answers reads without a buffer, and of empty buffers under any key, without data.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.meet();
       for (const PacketType type : {PacketType::short_rtr, PacketType::longcts_rtr}) {
         for (const auto& buffers : {std::vector<RmaIov>{}, std::vector<RmaIov>{{5, 0, 5}}}) {
           Packet packet = responder.one_sided(type, buffers);
           packet.recv_id = responder.fresh_id();
           responder.send(packet);
         }
       }
       responder.expect_none(rule<"EFA-3.3-225">, carries_data, "no data in the answer to a read of no octets");
       responder.expect_alive(rule<"EFA-3.3-225">);
     })},
    {"read/outside-of-the-memory",
     {&rule<"EFA-3.3-226">},
     "The responder returns no data for reads with a wrong key, beyond either end, and with addresses that wrap.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_whole_memory(kNeeded);
       responder.meet();
       const RmaIov region = responder.region();
       const std::uint64_t end = region.addr + region.len;
       const std::vector<RmaIov> bad = {
           {region.addr, 64, region.key ^ 0x8000'0000'0000'0000},
           {region.addr, 64, ~std::uint64_t{0}},
           {end - 63, 64, region.key},
           {end, 64, region.key},
           {region.addr - 1, 64, region.key},
           {~std::uint64_t{0} - 31, 64, region.key},
           {~std::uint64_t{0}, 64, region.key},
           {region.addr, region.len + 1, region.key},
           {region.addr, ~std::uint64_t{0}, region.key},
       };
       unsigned identity = 1;
       // A read that begins in registered memory and ends far beyond it. The document neither requires nor forbids
       // an answer with the registered octets.
       const auto begins_inside = [&](const RmaIov& iov) { return iov.addr == region.addr && iov.key == region.key; };
       for (const RmaIov& iov : bad) {
         for (const PacketType type : {PacketType::short_rtr, PacketType::longcts_rtr}) {
           ResponderProbe peer(responder.run(), ++identity);
           Packet packet = peer.one_sided(type, {iov});
           packet.recv_id = peer.fresh_id();
           packet.recv_length = 64;
           peer.send(packet);
           const Instant deadline = peer.in(peer.run().silence_time() / 10);
           const Received* const data = peer.await(deadline, carries_data);
           const std::string what =
               fmt::format("a read of {} octets at 0x{:x} under key 0x{:x}", iov.len, iov.addr, iov.key);
           if (begins_inside(iov))
             responder.advise(rule<"EFA-3.3-226">, data == nullptr, "no data", to_text(data), what);
           else
             responder.require(rule<"EFA-3.3-226">, data == nullptr, "no data", to_text(data), what);
         }
         responder.expect_alive(rule<"EFA-3.3-226">);
       }
     })},
    {"read/lengths-that-wrap",
     {&rule<"EFA-3.3-226">},
     "The responder returns no data for a read of two buffers whose lengths add up to 64 modulo 2^64.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_whole_memory(kNeeded);
       responder.meet();
       const RmaIov region = responder.region();
       for (const PacketType type : {PacketType::short_rtr, PacketType::longcts_rtr}) {
         Packet packet = responder.one_sided(type, {{region.addr, std::uint64_t{1} << 63, region.key},
                                                    {region.addr, (std::uint64_t{1} << 63) + 64, region.key}});
         packet.msg_length = packet.recv_length = 64;
         packet.recv_id = responder.fresh_id();
         responder.send(packet);
       }
       responder.expect_none(rule<"EFA-3.3-226">, carries_data, "no data");
       responder.expect_alive(rule<"EFA-3.3-226">);
     })},
    {"read/msg-length-and-buffer-of-different-lengths",
     {&rule<"EFA-3.3-227">},
     "The responder keeps working after reads whose msg_length is zero, or more, less or far more than their buffer "
     "holds.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_memory(kNeeded);
       responder.meet();
       unsigned identity = 1;
       for (const std::uint64_t length :
            {std::uint64_t{0}, std::uint64_t{99}, std::uint64_t{101}, std::uint64_t{1} << 62, ~std::uint64_t{0}}) {
         for (const PacketType type : {PacketType::short_rtr, PacketType::longcts_rtr}) {
           ResponderProbe peer(responder.run(), ++identity);
           Packet packet = peer.one_sided(type, {responder.part(0, 100)});
           packet.recv_id = peer.fresh_id();
           packet.msg_length = length;
           packet.recv_length = 50;
           peer.send(packet);
           peer.settle();
         }
         responder.expect_alive(rule<"EFA-3.3-227">, fmt::format("after msg_length {} for 100 octets", length));
       }
     })},
    {"read/request-comes-again",
     {&rule<"EFA-3.3-228">},
     "The responder answers a LONGCTS_RTR once that comes three times before its first CTS, and a SHORT_RTR once that "
     "comes twice.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_memory(kNeeded);
       responder.meet();
       Packet packet = responder.one_sided(PacketType::longcts_rtr, {responder.part(0, 30'000)});
       packet.recv_id = responder.fresh_id();
       packet.recv_length = 100;
       for (unsigned i = 0; i < 3; ++i) responder.send(packet);
       packet = responder.one_sided(PacketType::short_rtr, {responder.part(0, 100)});
       packet.recv_id = responder.fresh_id();
       responder.send(packet);
       responder.send(packet);
       responder.expect_alive(rule<"EFA-3.3-228">);
     })},
    {"read/recv-length-of-nothing-and-of-too-much",
     {&rule<"EFA-3.3-229">},
     "The responder keeps working after LONGCTS_RTR with recv_length 0 and 2^32-1.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_memory(kNeeded);
       responder.meet();
       Packet packet = responder.one_sided(PacketType::longcts_rtr, {responder.part(0, 20'000)});
       packet.recv_id = responder.fresh_id();
       packet.recv_length = 0;
       responder.send(packet);
       const Received* const early = responder.await(responder.in(responder.run().silence_time()), carries_data);
       responder.advise(rule<"EFA-3.3-229">, early == nullptr, "no data for recv_length 0", to_text(early),
                        "a requester that allows nothing breaks the protocol itself (3.2)");
       responder.expect_alive(rule<"EFA-3.3-229">, "after recv_length 0");
       ResponderProbe peer(responder.run(), 2);
       packet = peer.one_sided(PacketType::longcts_rtr, {responder.part(0, 20'000)});
       packet.recv_id = peer.fresh_id();
       packet.recv_length = 0xffff'ffff;
       peer.send(packet);
       peer.listen();
       std::size_t octets = 0;
       static_cast<void>(peer.count([&](const Received& one) {
         octets += carries_data(one) ? one.packet.payload.size() : 0;
         return false;
       }));
       responder.require(rule<"EFA-3.3-229">, octets <= 20'000, "20000 octets at most", fmt::format("{}", octets),
                         "recv_length 2^32-1");
       responder.expect_alive(rule<"EFA-3.3-229">, "after recv_length 2^32-1");
     })},
    {"read/short-of-too-much",
     {&rule<"EFA-3.3-230">},
     "The responder keeps working after a SHORT_RTR for all of its memory.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_whole_memory(kNeeded);
       responder.meet();
       Packet packet = responder.one_sided(PacketType::short_rtr, {responder.part(0, responder.region().len)});
       packet.recv_id = responder.fresh_id();
       responder.send(packet);
       responder.settle();
       responder.expect_alive(rule<"EFA-3.3-230">);
     })},
    {"read/cts-for-nothing",
     {&rule<"EFA-3.3-229">},
     "The responder keeps working after CTS for a long read that allow nothing, that allow everything, and that come "
     "again after the last octet.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_memory(kNeeded);
       responder.meet();
       Packet packet = responder.one_sided(PacketType::longcts_rtr, {responder.part(0, 30'000)});
       packet.recv_id = responder.fresh_id();
       packet.recv_length = 100;
       responder.send(packet);
       const Received* const response = responder.await(PacketType::readrsp);
       responder.require(rule<"EFA-3.3-229">, response != nullptr, "a READRSP", "none");
       if (response == nullptr) return;
       Packet cts = responder.answer(PacketType::cts);
       cts.flags |= flag::kCtsEmulatedRead;
       cts.recv_id = packet.recv_id;
       cts.send_id = response->packet.recv_id == packet.recv_id ? response->packet.send_id : response->packet.recv_id;
       for (const std::uint64_t allowed : {std::uint64_t{0}, ~std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{1}}) {
         cts.recv_length = allowed;
         responder.send(cts);
         responder.settle();
         responder.expect_alive(rule<"EFA-3.3-229">, fmt::format("after a CTS for {} octets", allowed));
       }
     })},
};

}  // namespace

std::vector<Case> read_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::efa
