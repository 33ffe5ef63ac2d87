// SPDX-License-Identifier: Apache-2.0
// Seeds generated from the table of layouts: a packet of every type with and without its optional headers, and steps
// of conversations. Also the dictionary.
#include <fmt/format.h>

#include <set>

#include "corpora/formats/efa_steps.h"
#include "corpora/seed.h"
#include "corpora/traces/efa_builder.h"
#include "reference/efa/atomic.h"
#include "reference/efa/packet.h"
#include "reference/octets/hex.h"

namespace wirelaw::corpora {
namespace {

using efa::Layout;
using efa::Packet;
using efa::PacketType;

// ------------------------------------------------------------------------------------------------------- packets
std::string file_name(const Layout& layout, std::string_view variant) {
  std::string name(layout.name);
  for (char& c : name) c = c == '_' ? '-' : static_cast<char>(std::tolower(c));
  return name + "-" + std::string(variant);
}

OctetBuffer packet_octets(const Layout& layout, bool optional_headers) {
  EfaTraceBuilder conversation;
  Packet packet = conversation.honest(Side::a, layout.type, 64);
  packet.flags = static_cast<std::uint16_t>(packet.flags & ~unsigned{efa::flag::kRequestOptional});
  packet.nextra_p3 = 4;
  OctetBuffer info(efa::layout::kExtraInfo, 0x5b), payload(layout.data == efa::Data::none ? 0 : 8, 0xda), address;
  encode(EfaTraceBuilder::address_of(Side::a), address);
  packet.extra_info = info;
  packet.raw_address = address;
  packet.raw_address_size = static_cast<std::uint32_t>(address.size());
  packet.payload = payload;
  if (optional_headers) packet.flags = static_cast<std::uint16_t>(packet.flags | layout.allowed);
  return efa::encode(packet);
}

// -------------------------------------------------------------------------------------------------- conversations
using Steps = std::vector<EfaStep>;

// Every extra on both sides, small packets and windows, two registrations.
constexpr EfaSettings kUsual{0x7f, 0, 0x11, 64, 0x28, 0x1a, 63, 0x7f};

constexpr Octet action(EfaAction what) {
  return static_cast<Octet>(what);
}

EfaStep packet(PacketType type, std::uint16_t amount = 16, std::uint16_t length = 16, std::uint16_t offset = 0) {
  return {.type = static_cast<Octet>(type),
          .headers = 1,
          .amount = amount,
          .length = length,
          .offset = offset,
          .own = 1,
          .relative = 0x10};
}
EfaStep call(Octet kind, std::uint16_t length, Octet own = 0, Octet headers = 0, Octet which = 0) {
  return {.action = action(EfaAction::call),
          .type = kind,
          .which = which,
          .headers = headers,
          .amount = 2048,
          .length = length,
          .own = own};
}
constexpr EfaStep kRdma{.action = action(EfaAction::rdma)};

Seed conversation(std::string_view target, std::string name, Steps steps, const EfaSettings& settings = kUsual) {
  return {std::string(target), std::move(name), write_efa_steps({settings, std::move(steps)})};
}

// A peer that begins each kind of exchange, and answers as the endpoint requests.
void add_responder_seeds(std::vector<Seed>& seeds) {
  constexpr std::string_view kTarget = "fuzz_efa_responder";
  for (const Layout& layout : efa::all_layouts()) {
    if (!layout.is_request()) continue;
    Steps steps{call(0, 0), packet(PacketType::handshake), packet(layout.type, 64, 256)};
    const EfaStep data = packet(PacketType::ctsdata, 64, 0, 64);
    for (int i = 0; i < 3; ++i) steps.push_back(data), steps.back().offset = static_cast<std::uint16_t>(64 * (i + 1));
    steps.push_back(packet(PacketType::cts, 256));
    steps.push_back(kRdma);
    seeds.push_back(conversation(kTarget, file_name(layout, "conversation"), std::move(steps)));
  }
}

// Calls of each kind and subprotocol, answered by each kind of answer.
void add_requester_seeds(std::vector<Seed>& seeds) {
  constexpr std::string_view kTarget = "fuzz_efa_requester";
  constexpr PacketType kAnswers[] = {PacketType::cts,     PacketType::readrsp,   PacketType::atomrsp, PacketType::eor,
                                     PacketType::receipt, PacketType::read_nack, PacketType::ctsdata};
  for (Octet kind = 1; kind < 5; ++kind)
    for (Octet own = 0; own < 8; ++own) {
      Steps steps{call(1, 16), packet(PacketType::handshake), call(kind, 600, own, 8, own)};
      for (const PacketType answer : kAnswers) steps.push_back(packet(answer, 600));
      steps.push_back(kRdma);
      seeds.push_back(conversation(kTarget, fmt::format("call-{}-{}", kind, own), std::move(steps)));
    }
}

void add_pair_seeds(std::vector<Seed>& seeds) {
  constexpr std::string_view kTarget = "fuzz_efa_pair";
  const auto deliver = [](Octet which, Octet fates = 0) { return EfaStep{.which = which, .fates = fates}; };
  for (Octet kind = 1; kind < 5; ++kind)
    for (Octet own = 0; own < 8; ++own) {
      Steps steps{call(1, 16), call(kind, 900, own, 8, own)};
      EfaStep receive = call(0, 0);
      receive.relative = 1;
      steps.insert(steps.begin(), 2, receive);
      for (Octet i = 0; i < 8; ++i) steps.push_back(deliver(i, i % 4 == 2 ? 2 : 0));
      steps.push_back(kRdma);
      seeds.push_back(conversation(kTarget, fmt::format("call-{}-{}", kind, own), std::move(steps)));
    }
}

// The path (fuzz/delayed_capture.h), the settings, and the steps.
void add_delayed_seeds(std::vector<Seed>& seeds) {
  for (const auto& [name, path] :
       {std::pair{"3s", OctetBuffer{255, 1, 0x1f, 0, 0}}, std::pair{"overtaking", OctetBuffer{255, 2, 0x20, 0, 0}},
        std::pair{"late", OctetBuffer{110, 3, 0x05, 0, 7}}}) {
    OctetBuffer input = path;
    for (const int one : {0x3f, 100, 0x33, 60, 0x24, 3, 30, 0x3f}) input.push_back(static_cast<Octet>(one));
    for (int i = 0; i < 24; ++i) input.push_back(static_cast<Octet>(i * 37));
    seeds.push_back({"fuzz_efa_delayed", name, std::move(input)});
  }
}

std::string quoted(Octets octets) {
  std::string text;
  for (const Octet octet : octets) text += fmt::format("\\x{:02x}", octet);
  return text;
}

}  // namespace

std::vector<Seed> efa_seeds() {
  std::vector<Seed> seeds;
  for (const Layout& layout : efa::all_layouts()) {
    seeds.push_back({"fuzz_efa_packet", file_name(layout, "bare"), packet_octets(layout, false)});
    if (layout.has_format())
      seeds.push_back({"fuzz_efa_packet", file_name(layout, "full"), packet_octets(layout, true)});
  }
  add_responder_seeds(seeds);
  add_requester_seeds(seeds);
  add_pair_seeds(seeds);
  add_delayed_seeds(seeds);
  return seeds;
}

std::string efa_dictionary() {
  std::string text =
      "# SPDX-License-Identifier: Apache-2.0\n"
      "# EFA RDM v4, from the table of layouts: base headers, flags, IDs and the sizes of headers.\n";
  std::set<std::string> words;
  const auto add = [&](std::string_view name, Octets octets) {
    std::string word = quoted(octets);
    if (words.insert(word).second) text += fmt::format("{}=\"{}\"\n", name, word);
  };
  for (const Layout& layout : efa::all_layouts()) {
    OctetBuffer base;
    Writer(base).octet(layout.id()).octet(efa::kVersion).little_endian(layout.marks);
    std::string name(layout.name);
    for (char& c : name) c = static_cast<char>(std::tolower(c));
    add(name, base);
    store_little_endian(base.data() + 2, layout.allowed);
    add(name + "_full", base);
  }
  for (const efa::FlagInfo& flag : efa::all_flags()) {
    OctetBuffer octets;
    Writer(octets).little_endian(flag.bit);
    add(fmt::format("flag_{}", flag.dissected), octets);
  }
  for (const std::uint32_t number : {3u, 4u, 5u, 24u, 32u, 36u, 40u, 8928u, 0xffffffffu}) {
    OctetBuffer octets;
    Writer(octets).little_endian(number);
    add(fmt::format("number_{}", number), octets);
  }
  return text;
}

}  // namespace wirelaw::corpora
