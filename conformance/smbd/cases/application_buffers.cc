// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD] 2.1, 2.2.3.1 and 3.1.4.3 to 3.1.4.6: buffers that the upper layer lends, and RDMA Reads and Writes that it
// asks for.
#include <fmt/format.h>

#include <algorithm>

#include "conformance/smbd/2.1-transport/rules.h"
#include "conformance/smbd/2.2.2-negotiate-response/rules.h"
#include "conformance/smbd/2.2.3.1-buffer-descriptor/rules.h"
#include "conformance/smbd/3.1.4.3-register/rules.h"
#include "conformance/smbd/3.1.4.4-deregister/rules.h"
#include "conformance/smbd/3.1.4.5-write/rules.h"
#include "conformance/smbd/3.1.4.6-read/rules.h"
#include "conformance/smbd/3.1.5.7-receiving-response/rules.h"
#include "conformance/smbd/cases/driven.h"
#include "reference/octets/hex.h"

namespace wirelaw::smbd {
namespace {

OctetBuffer counting(std::size_t octets, Octet first) {
  OctetBuffer data(octets);
  for (std::size_t i = 0; i < octets; ++i) data[i] = static_cast<Octet>(first + i);
  return data;
}

std::string octets_text(Octets octets) {
  return fmt::format(
      "{} octets{}", octets.size(),
      octets.empty() ? "" : ", which begin with " + to_hex(octets.first(std::min<std::size_t>(octets.size(), 8))));
}

std::uint64_t described(const UpperLayer::Descriptors& descriptors) {
  std::uint64_t octets = 0;
  for (const BufferDescriptorV1& one : descriptors) octets += one.length;
  return octets;
}

// The descriptors name the octets of the buffer, in order.
template <class Peer>
void expect_buffer(Peer& peer, const UpperLayer::Descriptors& descriptors, const OctetBuffer& whole) {
  const std::string all = fmt::format("{} octets in all", whole.size());
  peer.require_each({&rule<"SMBD-3.1.4.3-9">, &rule<"SMBD-2.2.3.1-3">, &rule<"SMBD-3.1.4.3-7">},
                    described(descriptors) == whole.size(), all,
                    fmt::format("{} descriptors of {} octets", descriptors.size(), described(descriptors)));
  OctetBuffer fetched;
  for (const BufferDescriptorV1& one : descriptors) {
    const auto part = peer.fetch(one);
    peer.require_each({&rule<"SMBD-3.1.4.3-1">, &rule<"SMBD-2.2.3.1-2">, &rule<"SMBD-2.2.3.1-1">}, part.has_value(),
                      "the part can be read", "an RDMA Read of it is refused");
    if (!peer.ok()) return;
    fetched.insert(fetched.end(), part->begin(), part->end());
  }
  peer.require_each({&rule<"SMBD-3.1.4.3-8">, &rule<"SMBD-2.2.3.1-1">, &rule<"SMBD-2.2.3.1-4">, &rule<"SMBD-2.1-4">},
                    fetched == whole, octets_text(whole), octets_text(fetched));
}

// Two buffers of ours, of 100 and 200 octets.
struct Lent {
  OctetBuffer &first, &second;
  UpperLayer::Descriptors descriptors;
};
template <class Peer>
Lent lend_two(Peer& peer, rdmap::Access access) {
  OctetBuffer& first = peer.memory(counting(100, 1));
  OctetBuffer& second = peer.memory(counting(200, 101));
  Lent lent{first, second, {peer.lend(first, access), peer.lend(second, access)}};
  peer.name_buffers(lent.descriptors);
  return lent;
}

constexpr std::uint64_t kOffset = 60;   // in the first
constexpr std::size_t kTransfer = 120;  // 40 octets of the first, 80 of the second

const CaseRow kRows[] = {
    {"application/{}-describes-a-buffer",
     {&rule<"SMBD-3.1.4.3-1">, &rule<"SMBD-3.1.4.3-7">, &rule<"SMBD-3.1.4.3-8">, &rule<"SMBD-3.1.4.3-9">,
      &rule<"SMBD-2.2.3.1-1">, &rule<"SMBD-2.2.3.1-2">, &rule<"SMBD-2.2.3.1-3">, &rule<"SMBD-2.2.3.1-4">,
      &rule<"SMBD-2.1-4">},
     "The IUT's descriptors of a buffer of two parts name its octets in order, and the peer can read each of them.",
     with_driven([](auto& peer) {
       const OctetBuffer one = counting(100, 3), two = counting(300, 77);
       const auto lent = peer.upper().register_buffer({one, two}, {.read = true});
       if (!lent) return peer.inconclusive("a buffer cannot be registered: " + lent.error().message);
       OctetBuffer whole = one;
       whole.insert(whole.end(), two.begin(), two.end());
       expect_buffer(peer, *lent, whole);
     })},
    {"application/{}-lends-to-be-written",
     {&rule<"SMBD-3.1.4.3-1">, &rule<"SMBD-2.1-3">},
     "The IUT lets the peer write a buffer that is registered for writes.",
     with_driven([](auto& peer) {
       const auto lent = peer.upper().register_buffer({OctetBuffer(64)}, {.write = true});
       if (!lent) return peer.inconclusive("a buffer cannot be registered: " + lent.error().message);
       const OctetBuffer data = counting(64, 9);
       peer.store(lent->front(), data);
       peer.show_written();
       const OctetBuffer there = peer.ok() ? peer.upper().memory(lent->front()) : OctetBuffer{};
       peer.require_each({&rule<"SMBD-3.1.4.3-1">, &rule<"SMBD-2.1-3">}, there == data, octets_text(data),
                         octets_text(there));
     })},
    {"application/{}-permits-what-was-asked-for",
     {&rule<"SMBD-3.1.4.3-2">},
     "The IUT does not let the peer write a buffer that is registered only for reads.",
     with_driven([](auto& peer) {
       const OctetBuffer data = counting(64, 9);
       const auto lent = peer.upper().register_buffer({data}, {.read = true});
       if (!lent) return peer.inconclusive("a buffer cannot be registered: " + lent.error().message);
       if (!peer.fetch(lent->front())) return peer.inconclusive("the buffer cannot be read");
       peer.store(lent->front(), OctetBuffer(64, Octet{0xee}));
       peer.show_written();
       const OctetBuffer there = peer.ok() ? peer.upper().memory(lent->front()) : OctetBuffer{};
       peer.require(rule<"SMBD-3.1.4.3-2">, there == data, octets_text(data), octets_text(there),
                    "a Write to a buffer that is registered only for reads");
     })},
    {"application/{}-returns-a-refused-registration",
     {&rule<"SMBD-3.1.4.3-5">, &rule<"SMBD-3.1.4.3-6">},
     "The IUT reports an error and leaves no part registered if the provider refuses one part of a buffer.",
     with_driven([](auto& peer) {
       const std::size_t before = peer.upper().registrations();
       if (!peer.upper().limit_registrations(1)) return peer.skip("needs a provider that can be made to refuse");
       const auto lent = peer.upper().register_buffer({counting(64, 1), counting(64, 2)}, {.read = true});
       peer.require(rule<"SMBD-3.1.4.3-5">, !lent, "an error", "descriptors", "the second registration is refused");
       if (!peer.ok()) return;
       const std::size_t after = peer.upper().registrations();
       peer.require(rule<"SMBD-3.1.4.3-6">, after == before, fmt::format("{} registrations, as before", before),
                    std::to_string(after), "the second registration is refused");
     })},
    {"application/{}-reports-a-failed-read",
     {&rule<"SMBD-3.1.4.6-7">},
     "The IUT reports that an RDMA Read that the peer refuses has failed.",
     with_driven([](auto& peer) {
       const UpperLayer::Descriptors nobodys{{.offset = DrivenListener::kBase, .token = 0x5eed0bad, .length = 64}};
       peer.name_buffers(nobodys);
       if (!peer.ok()) return;
       const auto id = peer.upper().read(64, nobodys, 0);
       if (!id) return peer.inconclusive("a Read was refused: " + id.error().message);
       const auto moved = peer.template await<Transferred>();
       peer.require(rule<"SMBD-3.1.4.6-7">, moved && !moved->ok, "a failure", moved ? "success" : "nothing",
                    "a Read of a token that names no buffer");
     })},
    {"application/initiator-keeps-to-the-read-write-size",
     {&rule<"SMBD-3.1.5.7-16">},
     "The IUT does not begin a transfer above the listener's MaxReadWriteSize, and begins one of exactly that size.",
     with<DrivenInitiator>([](DrivenInitiator& initiator) {
       constexpr std::uint32_t kMost = 4096;
       initiator.connect_both(kMost);
       if (!initiator.ok()) return;
       OctetBuffer& memory = initiator.memory(OctetBuffer(kMost + 1));
       const auto lent = initiator.lend(memory, {.read = true, .write = true});
       initiator.name_buffers({lent});
       if (!initiator.ok()) return;
       const auto fits = initiator.upper().read(kMost, {lent}, 0);
       if (!fits) return initiator.inconclusive("a Read of MaxReadWriteSize was refused: " + fits.error().message);
       const auto beyond = initiator.upper().read(memory.size(), {lent}, 0);
       initiator.require(rule<"SMBD-3.1.5.7-16">, !beyond, "an error", "the transfer begins",
                         "one octet above MaxReadWriteSize");
     })},
    {"application/{}-takes-a-buffer-back",
     {&rule<"SMBD-3.1.4.4-1">, &rule<"SMBD-3.1.4.4-4">},
     "The IUT does not let the peer read a deregistered buffer.",
     with_driven([](auto& peer) {
       const auto lent = peer.upper().register_buffer({counting(64, 1), counting(64, 2)}, {.read = true});
       if (!lent) return peer.inconclusive("a buffer cannot be registered: " + lent.error().message);
       for (const BufferDescriptorV1& one : *lent)
         if (!peer.fetch(one)) return peer.inconclusive("the buffer cannot be read");
       if (const auto back = peer.upper().deregister_buffer(*lent); !back)
         return peer.inconclusive("the buffer cannot be deregistered: " + back.error().message);
       const bool refused = !peer.fetch(lent->back());
       peer.require_each({&rule<"SMBD-3.1.4.4-1">, &rule<"SMBD-3.1.4.4-4">}, refused, "the Read is refused",
                         "the octets");
     })},
    {"application/{}-returns-an-unknown-buffer",
     {&rule<"SMBD-3.1.4.4-2">},
     "The IUT reports an error if its upper layer deregisters a buffer that is not registered.",
     with_driven([](auto& peer) {
       const auto lent = peer.upper().register_buffer({counting(64, 1)}, {.read = true});
       if (!lent) return peer.inconclusive("a buffer cannot be registered: " + lent.error().message);
       if (!peer.upper().deregister_buffer(*lent)) return peer.inconclusive("a buffer cannot be deregistered");
       peer.require(rule<"SMBD-3.1.4.4-2">, !peer.upper().deregister_buffer(*lent), "an error", "success",
                    "the same buffer again");
     })},
    {"application/{}-writes-where-it-is-asked-to",
     {&rule<"SMBD-3.1.4.5-2">, &rule<"SMBD-3.1.4.5-3">, &rule<"SMBD-3.1.4.5-4">, &rule<"SMBD-3.1.4.5-5">,
      &rule<"SMBD-3.1.4.5-6">, &rule<"SMBD-3.1.4.5-7">, &rule<"SMBD-2.1-3">},
     "The IUT's RDMA Write from an offset in the first of two buffers past its end changes exactly those octets.",
     with_driven([](auto& peer) {
       const Lent lent = lend_two(peer, {.read = true, .write = true});
       if (!peer.ok()) return;
       OctetBuffer expected = lent.first;
       expected.insert(expected.end(), lent.second.begin(), lent.second.end());
       const OctetBuffer data(kTransfer, Octet{0xd0});
       std::ranges::copy(data, expected.begin() + static_cast<std::ptrdiff_t>(kOffset));
       const auto id = peer.upper().write(data, lent.descriptors, kOffset);
       if (!id) return peer.inconclusive("a Write was refused: " + id.error().message);
       const auto moved = peer.template await<Transferred>();
       peer.require(rule<"SMBD-3.1.4.5-7">, moved && moved->id == *id && moved->ok, "success",
                    moved ? "a failure" : "nothing");
       peer.show_written();
       OctetBuffer actual = lent.first;
       actual.insert(actual.end(), lent.second.begin(), lent.second.end());
       const auto [here, there] = std::ranges::mismatch(actual, expected);
       const std::string what = here == actual.end() ? "" : fmt::format("octet {} differs", here - actual.begin());
       peer.require_each({&rule<"SMBD-3.1.4.5-6">, &rule<"SMBD-3.1.4.5-2">, &rule<"SMBD-3.1.4.5-3">,
                          &rule<"SMBD-3.1.4.5-4">, &rule<"SMBD-3.1.4.5-5">, &rule<"SMBD-2.1-3">},
                         actual == expected, "120 octets from octet 60 on", what);
     })},
    {"application/{}-reads-what-it-is-asked-to",
     {&rule<"SMBD-3.1.4.6-2">, &rule<"SMBD-3.1.4.6-3">, &rule<"SMBD-3.1.4.6-4">, &rule<"SMBD-3.1.4.6-5">,
      &rule<"SMBD-3.1.4.6-6">, &rule<"SMBD-3.1.4.6-7">, &rule<"SMBD-2.1-4">},
     "The IUT's RDMA Read from an offset in the first of two buffers past its end returns exactly those octets.",
     with_driven([](auto& peer) {
       const Lent lent = lend_two(peer, {.read = true, .write = true});
       if (!peer.ok()) return;
       OctetBuffer whole = lent.first;
       whole.insert(whole.end(), lent.second.begin(), lent.second.end());
       const OctetBuffer expected(whole.begin() + static_cast<std::ptrdiff_t>(kOffset),
                                  whole.begin() + static_cast<std::ptrdiff_t>(kOffset + kTransfer));
       const auto id = peer.upper().read(kTransfer, lent.descriptors, kOffset);
       if (!id) return peer.inconclusive("a Read was refused: " + id.error().message);
       const auto moved = peer.template await<Transferred>();
       peer.require(rule<"SMBD-3.1.4.6-7">, moved && moved->id == *id && moved->ok, "success",
                    moved ? "a failure" : "nothing");
       if (!peer.ok()) return;
       const OctetBuffer actual = peer.upper().read_octets(*id);
       peer.require_each({&rule<"SMBD-3.1.4.6-6">, &rule<"SMBD-3.1.4.6-2">, &rule<"SMBD-3.1.4.6-3">,
                          &rule<"SMBD-3.1.4.6-4">, &rule<"SMBD-3.1.4.6-5">, &rule<"SMBD-2.1-4">},
                         actual == expected, octets_text(expected), octets_text(actual));
     })},
    {"application/listener-keeps-to-its-read-write-size",
     {&rule<"SMBD-2.2.2-21">},
     "The IUT does not begin a transfer above MaxReadWriteSize.",
     with<DrivenListener>([](DrivenListener& listener) {
       listener.connect_both();
       if (!listener.ok()) return;
       const std::uint64_t most = listener.response().max_read_write_size;
       if (most > (std::uint64_t{16} << 20)) return listener.skip("MaxReadWriteSize is above 16 MiB");
       OctetBuffer& memory = listener.memory(OctetBuffer(most + 1));
       const auto lent = listener.lend(memory, {.read = true, .write = true});
       listener.name_buffers({lent});
       if (!listener.ok()) return;
       const auto id = listener.upper().read(memory.size(), {lent}, 0);
       listener.require(rule<"SMBD-2.2.2-21">, !id, "an error", "the transfer begins",
                        "one octet above MaxReadWriteSize");
     })},
};

}  // namespace

std::vector<Case> application_buffer_cases() {
  return cases_of(kRows, kRoleWords);
}

}  // namespace wirelaw::smbd
