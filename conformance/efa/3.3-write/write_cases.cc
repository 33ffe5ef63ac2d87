// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.3: emulated writes. The written octets are read back by SHORT_RTR.
#include <fmt/format.h>

#include "conformance/efa/3.3-write/rules.h"
#include "conformance/efa/probes/case_file.h"
#include "conformance/efa/roles.h"

namespace wirelaw::efa {
namespace {

constexpr std::uint64_t kNeeded = 16'384;

// Buffers that a responder must not write to or read from, each with its fault.
struct BadBuffer {
  std::string_view what;
  RmaIov iov;
};
std::vector<BadBuffer> bad_buffers(const RmaIov& region, std::uint64_t octets) {
  const std::uint64_t end = region.addr + region.len;
  return {
      {"another key", {region.addr, octets, region.key ^ 0x8000'0000'0000'0000}},
      {"key 0", {region.addr, octets, region.key == 0 ? std::uint64_t{1} : std::uint64_t{0}}},
      {"key 2^64-1", {region.addr, octets, ~std::uint64_t{0}}},
      {"one octet beyond the end", {end - octets + 1, octets, region.key}},
      {"after the end", {end, octets, region.key}},
      {"one octet before the beginning", {region.addr - 1, octets, region.key}},
      {"an end that wraps", {~std::uint64_t{0} - octets / 2 + 1, octets, region.key}},
      {"the highest address", {~std::uint64_t{0}, octets, region.key}},
      {"all of the address space from its beginning", {region.addr, ~std::uint64_t{0} - region.addr, region.key}},
  };
}

OctetBuffer mark() {
  return sample_octets(256, 77);
}

// The first and the last octets of the memory, which refused writes would reach first.
void prepare_ends(ResponderProbe& responder) {
  responder.prepare(0, mark());
  responder.prepare(responder.region().len - mark().size(), mark());
}
void expect_ends_untouched(ResponderProbe& responder, const Rule& rule, std::string_view what) {
  responder.expect_untouched(rule, 0, mark(), what);
  responder.expect_untouched(rule, responder.region().len - mark().size(), mark(), what);
}

// Sends the rest of a LONGCTS_RTW's data if a CTS allows it nevertheless.
void send_rest_if_allowed(ResponderProbe& peer, Octets data, std::size_t sent) {
  const Instant deadline = peer.in(peer.run().silence_time() / 10);
  const Received* const cts = peer.await(deadline, [](const Received& one) { return one.is(PacketType::cts); });
  if (cts == nullptr) return;
  Packet rest = packet_of(PacketType::ctsdata);
  rest.recv_id = cts->packet.recv_id;
  rest.seg_offset = sent;
  rest.seg_length = data.size() - sent;
  rest.payload = data.subspan(sent);
  peer.send(rest);
}

// Writes to each of the bad buffers, from a separate peer.
CaseRow refused(PacketType type, std::string_view id, std::string_view purpose) {
  return {id, {&rule<"EFA-3.3-205">}, purpose, with<ResponderProbe>([type](ResponderProbe& responder) {
            responder.need_whole_memory(kNeeded);
            responder.meet();
            prepare_ends(responder);
            unsigned identity = 1;
            const OctetBuffer data = sample_octets(64, 9);
            const bool is_long = type == PacketType::longcts_rtw;
            for (const BadBuffer& bad : bad_buffers(responder.region(), data.size())) {
              ResponderProbe peer(responder.run(), ++identity);
              Packet packet = peer.one_sided(type, {bad.iov});
              if (is_long) packet.send_id = peer.fresh_id();
              packet.payload = is_long ? Octets(data).first(16) : Octets(data);
              peer.send(packet);
              if (is_long) send_rest_if_allowed(peer, data, 16);
              peer.settle();
              expect_ends_untouched(responder, rule<"EFA-3.3-205">, bad.what);
            }
          })};
}

const CaseRow kRows[] = {
    {"write/eager",
     {&rule<"EFA-3.3-201">},
     "The responder executes eager writes of one octet, a few, and as many as one packet holds, one of them a new "
     "peer's first packet.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_memory(kNeeded);
       responder.write({responder.part(8, 40)}, sample_octets(40, 1));
       responder.expect_memory(rule<"EFA-3.3-201">, 8, sample_octets(40, 1), "the first packet of a peer");
       const std::size_t most = std::min<std::size_t>(responder.packet_octets() - 36, 8'000);
       for (const std::size_t octets : {std::size_t{1}, std::size_t{7}, std::size_t{512}, most}) {
         responder.write({responder.part(3, octets)}, sample_octets(octets, 2));
         responder.expect_memory(rule<"EFA-3.3-201">, 3, sample_octets(octets, 2), fmt::format("{} octets", octets));
       }
     })},
    {"write/eager-touches-nothing-else",
     {&rule<"EFA-3.3-201">},
     "The responder leaves the octets before and after a write unchanged.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_memory(kNeeded);
       responder.meet();
       OctetBuffer around = sample_octets(300, 3);
       responder.prepare(0, around);
       const OctetBuffer data = sample_octets(101, 4);
       responder.write({responder.part(100, 101)}, data);
       std::ranges::copy(data, around.begin() + 100);
       responder.expect_memory(rule<"EFA-3.3-201">, 0, around);
     })},
    {"write/several-buffers",
     {&rule<"EFA-3.3-202">},
     "The responder executes writes to two, three and four separate buffers, one of them empty.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_memory(kNeeded);
       responder.meet();
       responder.prepare(0, sample_octets(2'000, 5));
       OctetBuffer wanted = sample_octets(2'000, 5);
       const OctetBuffer data = sample_octets(96, 6);
       const std::vector<RmaIov> buffers{responder.part(1'000, 50), responder.part(10, 30), responder.part(500, 0),
                                         responder.part(1'900, 16)};
       responder.write(buffers, data);
       std::ranges::copy(Octets(data).first(50), wanted.begin() + 1'000);
       std::ranges::copy(Octets(data).subspan(50, 30), wanted.begin() + 10);
       std::ranges::copy(Octets(data).subspan(80, 16), wanted.begin() + 1'900);
       responder.expect_memory(rule<"EFA-3.3-202">, 0, wanted);
     })},
    {"write/nothing",
     {&rule<"EFA-3.3-203">},
     "The responder accepts writes without a buffer, as the first packet and later, and with empty buffers under any "
     "key.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.send(responder.one_sided(PacketType::eager_rtw, {}));
       responder.require(rule<"EFA-3.3-203">, responder.await_handshake(), "a HANDSHAKE", "none",
                         "an EAGER_RTW without buffers is the first packet");
       responder.send(responder.one_sided(PacketType::eager_rtw, {}));
       responder.send(responder.one_sided(PacketType::eager_rtw, {{0, 0, 0}}));
       responder.send(responder.one_sided(PacketType::eager_rtw, {{~std::uint64_t{0}, 0, 1}, {1, 0, 1}}));
       responder.expect_alive(rule<"EFA-3.3-203">);
     })},
    {"write/long-cts-of-nothing",
     {&rule<"EFA-3.3-203">},
     "The responder accepts a LONGCTS_RTW for no octets, with a buffer and without.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.meet();
       for (const auto& buffers : {std::vector<RmaIov>{}, std::vector<RmaIov>{{1, 0, 1}}}) {
         Packet packet = responder.one_sided(PacketType::longcts_rtw, buffers);
         packet.send_id = responder.fresh_id();
         responder.send(packet);
       }
       responder.expect_alive(rule<"EFA-3.3-203">);
     })},
    {"write/with-cq-data",
     {&rule<"EFA-3.3-208">},
     "The responder executes eager and long-CTS writes with CQ data.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_memory(kNeeded);
       responder.meet();
       responder.write({responder.part(0, 64)}, sample_octets(64, 1), {.cq_data = 0x0102'0304'0506'0708});
       responder.expect_memory(rule<"EFA-3.3-208">, 0, sample_octets(64, 1), "EAGER_RTW");
       const bool whole = responder.write({responder.part(64, 4'000)}, sample_octets(4'000, 2),
                                          {.transfer = Transfer::long_cts, .cq_data = 1});
       responder.require(rule<"EFA-3.3-208">, whole, "a CTS", "none", "LONGCTS_RTW");
       responder.expect_memory(rule<"EFA-3.3-208">, 64, sample_octets(4'000, 2), "LONGCTS_RTW");
     })},
    {"write/long-cts",
     {&rule<"EFA-3.3-204">},
     "The responder executes long-CTS writes with and without data in the request, in one packet and in many, in any "
     "order.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_memory(kNeeded);
       unsigned seed = 0;
       for (const SendOptions& options :
            {SendOptions{.transfer = Transfer::long_cts},
             SendOptions{.transfer = Transfer::long_cts, .segment = 300, .in_request = 100},
             SendOptions{.transfer = Transfer::long_cts, .segment = 999, .backwards = true},
             SendOptions{.transfer = Transfer::long_cts, .segment = 999, .in_request = 5'999, .doubled = false}}) {
         const OctetBuffer data = sample_octets(6'000, ++seed);
         const bool whole = responder.write({responder.part(seed, data.size())}, data, options);
         responder.require(rule<"EFA-3.3-204">, whole, "a CTS for all the data", "none");
         responder.expect_memory(rule<"EFA-3.3-204">, seed, data);
       }
     })},
    {"write/long-cts-to-several-buffers",
     {&rule<"EFA-3.3-202">},
     "The responder executes a long-CTS write whose packets cross from one buffer to the next.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_memory(kNeeded);
       responder.meet();
       const OctetBuffer data = sample_octets(5'000, 1);
       const bool whole =
           responder.write({responder.part(6'000, 1'111), responder.part(0, 2'222), responder.part(8'000, 1'667)}, data,
                           {.transfer = Transfer::long_cts, .segment = 500, .in_request = 50, .backwards = true});
       responder.require(rule<"EFA-3.3-202">, whole, "a CTS for all the data", "none");
       responder.expect_memory(rule<"EFA-3.3-202">, 6'000, Octets(data).first(1'111));
       responder.expect_memory(rule<"EFA-3.3-202">, 0, Octets(data).subspan(1'111, 2'222));
       responder.expect_memory(rule<"EFA-3.3-202">, 8'000, Octets(data).subspan(3'333));
     })},
    refused(PacketType::eager_rtw, "write/outside-of-the-memory",
            "The responder does not execute eager writes with a wrong key, beyond either end, or with addresses that "
            "wrap."),
    refused(PacketType::longcts_rtw, "write/long-cts-outside-of-the-memory",
            "The responder does not execute a LONGCTS_RTW with a wrong key, beyond either end, or with addresses that "
            "wrap, even if data follows a CTS."),
    {"write/one-buffer-of-two-is-bad",
     {&rule<"EFA-3.3-205">},
     "The responder does not write beyond its memory when a write names a valid buffer and one beyond the memory.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_whole_memory(kNeeded);
       responder.meet();
       prepare_ends(responder);
       const OctetBuffer data = sample_octets(64, 9);
       const RmaIov region = responder.region();
       Packet packet = responder.one_sided(
           PacketType::eager_rtw, {responder.part(1'000, 32), {region.addr + region.len - 16, 32, region.key}});
       packet.payload = data;
       responder.send(packet);
       expect_ends_untouched(responder, rule<"EFA-3.3-205">, "the second buffer extends beyond the end");
     })},
    {"write/lengths-that-wrap",
     {&rule<"EFA-3.3-205">},
     "The responder keeps working after buffers whose lengths add up to the length of the data only modulo 2^64.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_whole_memory(kNeeded);
       responder.meet();
       prepare_ends(responder);
       const OctetBuffer data = sample_octets(64, 9);
       const RmaIov region = responder.region();
       Packet packet =
           responder.one_sided(PacketType::eager_rtw, {{region.addr, std::uint64_t{1} << 63, region.key},
                                                       {region.addr, (std::uint64_t{1} << 63) + 64, region.key}});
       packet.payload = data;
       responder.send(packet);
       packet = responder.one_sided(PacketType::longcts_rtw,
                                    {{region.addr, ~std::uint64_t{0}, region.key}, {region.addr, 65, region.key}});
       packet.send_id = responder.fresh_id();
       packet.payload = data;
       responder.send(packet);
       expect_ends_untouched(responder, rule<"EFA-3.3-205">, "lengths that wrap");
     })},
    {"write/data-and-buffer-of-different-lengths",
     {&rule<"EFA-3.3-206">},
     "The responder keeps working after eager writes with one octet less and one octet more data than their buffer "
     "holds.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_memory(kNeeded);
       responder.meet();
       responder.prepare(0, sample_octets(300, 1));
       unsigned identity = 1;
       for (const std::size_t octets : {std::size_t{0}, std::size_t{99}, std::size_t{101}, std::size_t{200}}) {
         ResponderProbe peer(responder.run(), ++identity);
         const OctetBuffer data = sample_octets(octets, 9);
         Packet packet = peer.one_sided(PacketType::eager_rtw, {responder.part(100, 100)});
         packet.payload = data;
         peer.send(packet);
         peer.settle();
         responder.expect_untouched(rule<"EFA-3.3-206">, 0, Octets(sample_octets(300, 1)).first(100),
                                    "the memory before the buffer");
         responder.expect_untouched(rule<"EFA-3.3-206">, 200, Octets(sample_octets(300, 1)).subspan(200),
                                    "the memory after the buffer");
       }
     })},
    {"write/msg-length-and-buffer-of-different-lengths",
     {&rule<"EFA-3.3-206">},
     "The responder keeps working after long-CTS writes whose msg_length is more, less and far more than their buffer "
     "holds.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_memory(kNeeded);
       responder.meet();
       responder.prepare(0, sample_octets(300, 1));
       unsigned identity = 1;
       for (const std::uint64_t length :
            {std::uint64_t{0}, std::uint64_t{99}, std::uint64_t{101}, std::uint64_t{1} << 62, ~std::uint64_t{0}}) {
         ResponderProbe peer(responder.run(), ++identity);
         const OctetBuffer data = sample_octets(150, 9);
         Packet packet = peer.one_sided(PacketType::longcts_rtw, {responder.part(100, 100)});
         packet.send_id = peer.fresh_id();
         packet.msg_length = length;
         packet.payload = Octets(data).first(50);
         peer.send(packet);
         send_rest_if_allowed(peer, data, 50);
         peer.settle();
         const std::string what = fmt::format("msg_length {} and 100 octets of buffer", length);
         responder.expect_untouched(rule<"EFA-3.3-206">, 0, Octets(sample_octets(300, 1)).first(100), what);
         responder.expect_untouched(rule<"EFA-3.3-206">, 200, Octets(sample_octets(300, 1)).subspan(200), what);
       }
     })},
    {"write/long-cts-request-comes-again",
     {&rule<"EFA-3.3-207">},
     "The responder executes a LONGCTS_RTW once that comes three times before its data, and once after it.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_memory(kNeeded);
       responder.meet();
       const OctetBuffer data = sample_octets(4'000, 1);
       Packet packet = responder.one_sided(PacketType::longcts_rtw, {responder.part(0, data.size())});
       packet.send_id = responder.fresh_id();
       for (unsigned i = 0; i < 3; ++i) responder.send(packet);
       const Received* const cts = responder.await(PacketType::cts);
       responder.require(rule<"EFA-3.3-207">, cts != nullptr, "a CTS", "none");
       if (cts == nullptr) return;
       Packet all = packet_of(PacketType::ctsdata);
       all.recv_id = cts->packet.recv_id;
       all.seg_length = data.size();
       all.payload = data;
       responder.send(all);
       responder.expect_memory(rule<"EFA-3.3-207">, 0, data);
       packet = responder.one_sided(PacketType::longcts_rtw, {responder.part(0, data.size())});
       packet.send_id = responder.fresh_id();
       responder.send(packet);
       responder.send(packet);
       responder.expect_alive(rule<"EFA-3.3-207">);
     })},
};

}  // namespace

std::vector<Case> write_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::efa
