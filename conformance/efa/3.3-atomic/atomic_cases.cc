// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.3: emulated atomics. Operations and datatypes by fi_atomic's numbers, values little-endian (EFA/A-21,
// EFA/A-30).
#include <fmt/format.h>

#include "conformance/efa/3.3-atomic/rules.h"
#include "conformance/efa/probes/case_file.h"
#include "conformance/efa/roles.h"
#include "reference/octets/hex.h"

namespace wirelaw::efa {
namespace {

constexpr std::uint64_t kNeeded = 4'096;

// An operation on values in memory, and the values that it must leave there.
struct Example {
  AtomicOp op;
  Datatype datatype;
  std::string_view before, operand, compare, after;
};

// Examples for fi_atomic and fi_fetch_atomic.
constexpr Example kExamples[] = {
    {AtomicOp::min, Datatype::int8, "80 05", "7f fb", "", "80 fb"},
    {AtomicOp::max, Datatype::int16, "ffff 0010", "0100 00f0", "", "0100 0010"},
    {AtomicOp::sum, Datatype::uint8, "f0 01", "20 02", "", "10 03"},
    {AtomicOp::sum, Datatype::uint64, "ffffffffffffffff", "0200000000000000", "", "0100000000000000"},
    {AtomicOp::sum, Datatype::single, "0000c03f", "00001040", "", "00007040"},
    {AtomicOp::max, Datatype::single, "000080bf", "00000040", "", "00000040"},
    {AtomicOp::prod, Datatype::uint16, "0300 0080", "0500 0200", "", "0f00 0000"},
    {AtomicOp::prod, Datatype::real, "0000000000000840", "000000000000e0bf", "", "000000000000f8bf"},
    {AtomicOp::sum, Datatype::single_complex, "0000803f 00000040", "0000003f 000080bf", "", "0000c03f 0000803f"},
    // Wider datatypes are left to implementations: fi_query_atomic() has them for an application (EFA/A-77).
    {AtomicOp::prod, Datatype::single_complex, "00000000 0000803f", "00000000 0000803f", "", "000080bf 00000000"},
    {AtomicOp::lor, Datatype::int32, "00000000 05000000", "02000000 00000000", "", "01000000 01000000"},
    {AtomicOp::land, Datatype::int32, "00000000 05000000", "02000000 03000000", "", "00000000 01000000"},
    {AtomicOp::bor, Datatype::uint32, "0f0f0f0f", "f0000001", "", "ff0f0f0f"},
    {AtomicOp::band, Datatype::uint32, "0f0f0f0f", "f1ff000f", "", "010f000f"},
    {AtomicOp::lxor, Datatype::int64, "0000000000000000 0100000000000000", "0700000000000000 0700000000000000", "",
     "0100000000000000 0000000000000000"},
    {AtomicOp::bxor, Datatype::uint64, "0123456789abcdef", "ffffffffffffffff", "", "fedcba9876543210"},
    {AtomicOp::atomic_write, Datatype::int64, "1111111111111111", "8877665544332211", "", "8877665544332211"},
};

// Examples for fi_compare_atomic, which compares `compare` with the value in memory.
constexpr Example kComparing[] = {
    {AtomicOp::cswap, Datatype::uint32, "07000000 08000000", "09000000 0a000000", "07000000 07000000",
     "09000000 08000000"},
    {AtomicOp::cswap_ne, Datatype::int32, "07000000 08000000", "09000000 0a000000", "07000000 07000000",
     "07000000 0a000000"},
    {AtomicOp::cswap_le, Datatype::int16, "0500 0300", "0900 0900", "0400 0400", "0900 0300"},
    {AtomicOp::cswap_lt, Datatype::int8, "05 04", "09 09", "04 04", "09 04"},
    {AtomicOp::cswap_ge, Datatype::uint64, "0500000000000000 0600000000000000", "0900000000000000 0900000000000000",
     "0500000000000000 0500000000000000", "0900000000000000 0600000000000000"},
    {AtomicOp::cswap_gt, Datatype::uint16, "0500 0600", "0900 0900", "0600 0600", "0900 0600"},
    {AtomicOp::mswap, Datatype::uint32, "11223344", "aabbccdd", "ff00ff00", "aa22cc44"},
    {AtomicOp::cswap, Datatype::real, "000000000000f03f", "0000000000000040", "000000000000f03f", "0000000000000040"},
};

std::string name_of(const Example& example) {
  return fmt::format("{} of {}", find_atomic_op(static_cast<std::uint32_t>(example.op))->name,
                     find_datatype(static_cast<std::uint32_t>(example.datatype))->name);
}

OctetBuffer hex(std::string_view text) {
  return *from_hex(text);
}

// Tests each example with this call. The operation must be applied, and a fetching call must return the old values.
struct Examples {
  AtomicCall call;
  std::span<const Example> all;
  const Rule& applied;
  const Rule& gives_old = rule<"EFA-3.3-243">;
};
void try_examples(ResponderProbe& responder, const Examples& examples) {
  responder.need_memory(kNeeded);
  responder.meet();
  std::uint64_t at = 0;
  for (const Example& example : examples.all) {
    if (!responder.ok()) return;
    const OctetBuffer before = hex(example.before);
    responder.prepare(at, before);
    const auto old =
        responder.atomic({examples.call, example.op, example.datatype, hex(example.operand), hex(example.compare)},
                         {responder.part(at, before.size())});
    if (examples.call != AtomicCall::write)
      responder.require(examples.gives_old, old == before, size_of(before),
                        old ? difference(before, *old) : "no ATOMRSP", name_of(example));
    responder.expect_memory(examples.applied, at, hex(example.after), name_of(example));
    at += 32;
  }
}

AtomicStep add_one(AtomicCall call) {
  return {call, AtomicOp::sum, Datatype::uint64, hex("0100000000000000"), {}};
}

// Sends a faulty atomic from a separate peer, and expects that the memory around its buffer is unchanged.
template <class Spoil>
void expect_refused(ResponderProbe& responder, const Rule& rule, unsigned identity, const AtomicStep& step,
                    std::string_view what, Spoil spoil, bool also_buffer = true) {
  if (!responder.ok()) return;
  const OctetBuffer before = sample_octets(96, 3);
  responder.prepare(0, before);
  ResponderProbe peer(responder.run(), identity);
  Packet packet = peer.atomic_request(step, {responder.part(32, 8)}, peer.fresh_id());
  spoil(packet);
  peer.send(packet);
  peer.settle();
  if (also_buffer) {
    responder.expect_untouched(rule, 0, before, what);
    return;
  }
  responder.expect_untouched(rule, 0, Octets(before).first(32), what);
  responder.expect_untouched(rule, 40, Octets(before).subspan(40), what);
}

// A number that fi_atomic does not have, in this field.
CaseRow undefined(std::string_view id, std::string_view purpose, std::uint32_t Packet::*field, std::string_view name,
                  std::array<std::uint32_t, 3> numbers) {
  return {id, {&rule<"EFA-3.3-249">}, purpose, with<ResponderProbe>([field, name, numbers](ResponderProbe& responder) {
            responder.need_memory(kNeeded);
            responder.meet();
            unsigned identity = 1;
            for (const std::uint32_t number : numbers)
              for (const AtomicCall call : {AtomicCall::write, AtomicCall::fetch, AtomicCall::compare})
                expect_refused(responder, rule<"EFA-3.3-249">, ++identity, add_one(call),
                               fmt::format("{} {}", name, number),
                               [field, number](Packet& packet) { packet.*field = number; });
          })};
}

const CaseRow kRows[] = {
    {"atomic/write",
     {&rule<"EFA-3.3-241">},
     "The responder executes WRITE_RTA with each operation on twelve datatypes; the case reads the result back.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       try_examples(responder, {AtomicCall::write, kExamples, rule<"EFA-3.3-241">});
     })},
    {"atomic/fetch",
     {&rule<"EFA-3.3-242">, &rule<"EFA-3.3-243">},
     "The responder executes FETCH_RTA with each operation on twelve datatypes.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       try_examples(responder, {AtomicCall::fetch, kExamples, rule<"EFA-3.3-242">});
     })},
    {"atomic/compare",
     {&rule<"EFA-3.3-244">, &rule<"EFA-3.3-245">},
     "The responder executes COMPARE_RTA with each operation on eight datatypes.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       try_examples(responder, {AtomicCall::compare, kComparing, rule<"EFA-3.3-244">, rule<"EFA-3.3-245">});
     })},
    {"atomic/read",
     {&rule<"EFA-3.3-246">},
     "The responder executes FI_ATOMIC_READ without an operand, and with one that it ignores.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_memory(kNeeded);
       responder.meet();
       const OctetBuffer there = sample_octets(64, 1);
       responder.prepare(0, there);
       for (const std::size_t operand : {0u, 64u}) {
         const auto got = responder.atomic(
             {AtomicCall::fetch, AtomicOp::atomic_read, Datatype::uint64, sample_octets(operand, 9), {}},
             {responder.part(0, 64)});
         responder.require(rule<"EFA-3.3-246">, got == there, size_of(there),
                           got ? difference(there, *got) : "no ATOMRSP", fmt::format("{} octets of operand", operand));
       }
       responder.expect_memory(rule<"EFA-3.3-246">, 0, there, "nothing is written");
     })},
    {"atomic/first-packet",
     {&rule<"EFA-3.3-243">},
     "The responder executes a FETCH_RTA with msg_id 0 that is a peer's first packet.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_memory(kNeeded);
       ResponderProbe writer(responder.run(), 2);
       writer.need_memory(kNeeded);
       writer.prepare(0, hex("2900000000000000"));
       const auto old = responder.atomic(add_one(AtomicCall::fetch), {responder.part(0, 8)});
       responder.require(rule<"EFA-3.3-243">, old == hex("2900000000000000"), "41", old ? to_hex(*old) : "no ATOMRSP");
     })},
    {"atomic/several-buffers",
     {&rule<"EFA-3.3-252">},
     "The responder executes one FETCH_RTA on three separate buffers.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_memory(kNeeded);
       responder.meet();
       responder.prepare(0, hex("01000000 02000000 03000000 04000000"));
       const std::vector<RmaIov> buffers{responder.part(8, 8), responder.part(4, 0), responder.part(0, 4)};
       const auto old = responder.atomic(
           {AtomicCall::fetch, AtomicOp::sum, Datatype::uint32, hex("10000000 20000000 30000000"), {}}, buffers);
       const OctetBuffer wanted = hex("03000000 04000000 01000000");
       responder.require(rule<"EFA-3.3-252">, old == wanted, to_hex(wanted), old ? to_hex(*old) : "no ATOMRSP");
       responder.expect_memory(rule<"EFA-3.3-252">, 0, hex("31000000 02000000 13000000 24000000"));
     })},
    {"atomic/many-at-once",
     {&rule<"EFA-3.3-243">, &rule<"EFA-3.3-248">},
     "The responder counts exactly to thirty-two with thirty-two concurrent fetching sums, each sent twice.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_memory(kNeeded);
       responder.meet();
       responder.prepare(0, OctetBuffer(8));
       for (unsigned i = 0; i < 32; ++i) {
         const Packet packet = responder.atomic_request(add_one(AtomicCall::fetch), {responder.part(0, 8)}, 0x9000 + i);
         responder.send(packet);
         responder.send(packet);
       }
       std::vector<unsigned> values;
       for (unsigned i = 0; i < 32; ++i) {
         const Received* const response = responder.await(
             [i](const Received& one) { return one.is(PacketType::atomrsp) && one.packet.recv_id == 0x9000 + i; });
         responder.require(rule<"EFA-3.3-243">, response != nullptr && response->packet.payload.size() == 8,
                           "an ATOMRSP with 8 octets", to_text(response));
         if (response == nullptr) return;
         values.push_back(response->packet.payload.front());
       }
       std::ranges::sort(values);
       for (unsigned i = 0; i < 32; ++i)
         responder.require(rule<"EFA-3.3-243">, values[i] == i, "each value from 0 to 31 once",
                           fmt::format("{}", fmt::join(values, " ")));
       responder.expect_memory(rule<"EFA-3.3-248">, 0, hex("2000000000000000"));
     })},
    {"atomic/comes-again",
     {&rule<"EFA-3.3-248">},
     "The responder executes a WRITE_RTA and a FETCH_RTA once, although they come again at once and after other "
     "messages.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_memory(kNeeded);
       responder.meet();
       responder.prepare(0, OctetBuffer(8));
       const OctetBuffer addr_free = hex("0100000000000000");
       Packet write = responder.atomic_request(add_one(AtomicCall::write), {responder.part(0, 8)}, 0);
       const OctetBuffer iov(write.rma_iov.begin(), write.rma_iov.end());
       write.rma_iov = iov;
       write.payload = addr_free;
       Packet fetch = responder.atomic_request(add_one(AtomicCall::fetch), {responder.part(0, 8)}, 0x9100);
       for (unsigned i = 0; i < 3; ++i) responder.send(write);
       for (unsigned i = 0; i < 3; ++i) responder.send(fetch);
       responder.expect_memory(rule<"EFA-3.3-248">, 0, hex("0200000000000000"));
       for (unsigned i = 0; i < 4; ++i) responder.send_message(sample_octets(10, i));
       responder.send(write);
       responder.settle();
       responder.expect_memory(rule<"EFA-3.3-248">, 0, hex("0200000000000000"), "repeated later");
       responder.expect_alive(rule<"EFA-3.3-248">);
     })},
    {"atomic/in-the-order-of-msg-id",
     {&rule<"EFA-3.3-247">},
     "The responder executes three FI_ATOMIC_WRITE in the order of msg_id, although they arrive in another order and "
     "the message between them arrives last.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_memory(kNeeded);
       responder.meet();
       responder.prepare(0, OctetBuffer(8));
       std::vector<OctetBuffer> packets;
       for (unsigned i = 1; i <= 3; ++i) {
         OctetBuffer value(8);
         value[0] = static_cast<Octet>(i);
         if (i == 2) packets.push_back(responder.message_packets(responder.next_msg_id(), value, {})[0]);
         packets.push_back(responder.octets_of(responder.atomic_request(
             {AtomicCall::write, AtomicOp::atomic_write, Datatype::uint64, value, {}}, {responder.part(0, 8)}, 0)));
       }
       for (const std::size_t number : {3u, 2u, 0u, 1u}) responder.send_octets(packets[number]);
       std::optional<OctetBuffer> there;
       for (unsigned attempt = 0; attempt < ResponderProbe::kTries && responder.ok(); ++attempt) {
         there = responder.read(responder.part(0, 8));
         if (there && (*there)[0] == 3) break;
         responder.settle();
       }
       responder.advise(rule<"EFA-3.3-247">, there && (*there)[0] == 3, "the value of the last msg_id",
                        there ? to_hex(*there) : "no READRSP");
     })},
    undefined("atomic/undefined-operation",
              "The responder does not execute operations 19, 99 and 2^32-1 in WRITE_RTA, FETCH_RTA and COMPARE_RTA.",
              &Packet::atomic_op, "operation", {19, 99, 0xffff'ffff}),
    undefined("atomic/undefined-datatype", "The responder does not execute atomics on datatypes 99, 2^31 and 2^32-1.",
              &Packet::atomic_datatype, "datatype", {99, 0x8000'0000, 0xffff'ffff}),
    {"atomic/operation-of-another-call",
     {&rule<"EFA-3.3-249">},
     "The responder does not execute FI_CSWAP in WRITE_RTA and FETCH_RTA, FI_SUM in COMPARE_RTA, or FI_BOR on a float.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_memory(kNeeded);
       responder.meet();
       const auto of = [](AtomicOp op) {
         return [op](Packet& packet) { packet.atomic_op = static_cast<std::uint32_t>(op); };
       };
       // The effect of such an operation on its own buffer is not specified.
       expect_refused(responder, rule<"EFA-3.3-249">, 2, add_one(AtomicCall::write), "FI_CSWAP in a WRITE_RTA",
                      of(AtomicOp::cswap), false);
       expect_refused(responder, rule<"EFA-3.3-249">, 3, add_one(AtomicCall::fetch), "FI_MSWAP in a FETCH_RTA",
                      of(AtomicOp::mswap), false);
       expect_refused(responder, rule<"EFA-3.3-249">, 4, add_one(AtomicCall::compare), "FI_SUM in a COMPARE_RTA",
                      of(AtomicOp::sum), false);
       AtomicStep real = add_one(AtomicCall::write);
       real.datatype = Datatype::real;
       expect_refused(responder, rule<"EFA-3.3-249">, 5, real, "FI_BOR on FI_DOUBLE", of(AtomicOp::bor), false);
     })},
    {"atomic/operands-too-short-and-too-long",
     {&rule<"EFA-3.3-250">},
     "The responder keeps working after an operand of no octets, one octet less, one octet more, and far more than the "
     "buffer holds.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_memory(kNeeded);
       responder.meet();
       unsigned identity = 1;
       const OctetBuffer octets = sample_octets(400, 9);
       for (const AtomicCall call : {AtomicCall::write, AtomicCall::fetch, AtomicCall::compare}) {
         for (const std::size_t size : {0u, 1u, 7u, 9u, 15u, 17u, 400u}) {
           AtomicStep step = add_one(call);
           if (call == AtomicCall::compare) step.op = AtomicOp::cswap;
           expect_refused(
               responder, rule<"EFA-3.3-250">, ++identity, step, fmt::format("{} octets of operands for 8", size),
               [&](Packet& packet) { packet.payload = Octets(octets).first(size); }, false);
         }
       }
     })},
    {"atomic/outside-of-the-memory",
     {&rule<"EFA-3.3-251">},
     "The responder does not execute atomics with a wrong key, beyond the end, without a buffer, or with lengths that "
     "wrap.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_whole_memory(kNeeded);
       responder.meet();
       const RmaIov region = responder.region();
       const OctetBuffer last = sample_octets(64, 4);
       responder.prepare(region.len - 64, last);
       const std::vector<std::vector<RmaIov>> bad = {
           {{region.addr, 8, region.key ^ 0x8000'0000'0000'0000}},
           {{region.addr + region.len - 4, 8, region.key}},
           {{region.addr + region.len, 8, region.key}},
           {{region.addr - 4, 8, region.key}},
           {{~std::uint64_t{0} - 3, 8, region.key}},
           {{region.addr, ~std::uint64_t{0}, region.key}},
           {{region.addr, std::uint64_t{1} << 63, region.key}, {region.addr, (std::uint64_t{1} << 63) + 8, region.key}},
           {},
       };
       unsigned identity = 1;
       for (const auto& buffers : bad) {
         for (const AtomicCall call : {AtomicCall::write, AtomicCall::fetch}) {
           ResponderProbe peer(responder.run(), ++identity);
           peer.send(peer.atomic_request(add_one(call), buffers, peer.fresh_id()));
           peer.settle();
         }
         responder.expect_untouched(rule<"EFA-3.3-251">, region.len - 64, last,
                                    buffers.empty() ? std::string("no buffer at all")
                                                    : fmt::format("{} octets at 0x{:x} under key 0x{:x}",
                                                                  buffers[0].len, buffers[0].addr, buffers[0].key));
       }
     })},
    {"atomic/part-of-a-value",
     {&rule<"EFA-3.3-250">},
     "The responder keeps working after buffers that hold a fractional number of values.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_memory(kNeeded);
       responder.meet();
       unsigned identity = 1;
       for (const std::uint64_t octets : {1u, 7u, 9u, 12u}) {
         const OctetBuffer before = sample_octets(64, 3);
         responder.prepare(0, before);
         ResponderProbe peer(responder.run(), ++identity);
         AtomicStep step = add_one(AtomicCall::fetch);
         step.operand = sample_octets(static_cast<std::size_t>(octets), 9);
         peer.send(peer.atomic_request(step, {responder.part(16, octets)}, peer.fresh_id()));
         peer.settle();
         responder.expect_untouched(rule<"EFA-3.3-250">, 0, Octets(before).first(16), "before the buffer");
         responder.expect_untouched(rule<"EFA-3.3-250">, 16 + octets, Octets(before).subspan(16 + octets),
                                    "after the buffer");
       }
     })},
};

}  // namespace

std::vector<Case> atomic_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::efa
