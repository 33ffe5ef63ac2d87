// SPDX-License-Identifier: Apache-2.0
#include "fuzz/efa_mutator.h"

#include <algorithm>
#include <random>
#include <vector>

#include "corpora/formats/records.h"
#include "fuzz/record_mutator.h"
#include "reference/efa/packet.h"

// Defined by libFuzzer and by engines with its interface; null elsewhere.
extern "C" [[gnu::weak]] std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace wirelaw::fuzz {
namespace {

using efa::Array;
using efa::Layout;
using efa::Packet;

using Random = std::minstd_rand;

std::size_t below(Random& random, std::size_t bound) {
  return random() % bound;
}

// Values that are likely to matter: near the old value or near a limit.
std::uint64_t interesting(Random& random, std::uint64_t value, std::size_t payload) {
  switch (below(random, 8)) {
    case 0:
      return value + 1;
    case 1:
      return value - 1;
    case 2:
      return 0;
    case 3:
      return ~std::uint64_t{0};
    case 4:
      return payload;
    case 5:
      return std::uint64_t{1} << below(random, 64);
    case 6:
      return random() % 16;
    default:
      return std::uint64_t{random()} << 32 | random();
  }
}

// Reused from packet to packet: with a sanitizer, allocating them would take longer than everything else.
struct EditorBuffers {
  OctetBuffer rma_iov, read_iov, extra_info, raw_address, payload;
  OctetBuffer encoded;  // the result
};

// A packet with arrays and payload in buffers of its own; corrects the fields that announce them.
class Editor {
 public:
  Editor(const Packet& packet, Random& random, EditorBuffers& buffers)
      : packet_(packet), random_(random), buffers_(buffers) {
    for (const auto& [member, own] : members()) own->assign((packet.*member).begin(), (packet.*member).end());
  }

  void change() {
    switch (below(random_, 7)) {
      case 0:
        return change_type();
      case 1:
        packet_.flags ^= optional_flag();
        break;
      case 2:
        return resize(payload_, below(random_, 4) == 0 ? 256 : 16);
      case 3:
        return resize_array();
      default:
        return set_field();
    }
  }

  void put_together() {
    agree();
    encode();
  }
  // Same, but with one inconsistency.
  void put_together_wrongly() {
    agree();
    OctetBuffer& octets = buffers_.encoded;
    switch (below(random_, 4)) {
      case 0: {  // a flag without its header, or a header without its flag
        encode();
        if (octets.size() > 3) octets[2 + below(random_, 2)] ^= static_cast<Octet>(1u << below(random_, 8));
        return;
      }
      case 1:  // a count that differs from the array
        packet_.rma_iov_count += 1;
        packet_.read_iov_count -= 1;
        packet_.nextra_p3 += static_cast<std::uint32_t>(below(random_, 5)) - 2;
        return encode();
      case 2:
        packet_.raw_address_size = static_cast<std::uint32_t>(interesting(random_, packet_.raw_address_size, 36));
        return encode();
      default:  // a truncated packet
        encode();
        return octets.resize(below(random_, octets.size() + 1));
    }
  }

 private:
  using Member = std::pair<Octets Packet::*, OctetBuffer*>;
  std::array<Member, 5> members() {
    return {{{&Packet::rma_iov, &rma_iov_},
             {&Packet::extra_info, &extra_info_},
             {&Packet::raw_address, &raw_address_},
             {&Packet::read_iov, &read_iov_},
             {&Packet::payload, &payload_}}};
  }

  void encode() {
    buffers_.encoded.clear();
    efa::encode(packet_, buffers_.encoded);
  }

  void agree() {
    const Layout* const layout = packet_.layout();
    const auto has = [&](Array array) {
      return layout != nullptr && layout->has_format() && (layout->array == array || layout->behind == array);
    };
    if (!has(Array::rma_iov)) rma_iov_.clear();
    if (!has(Array::read_iov)) read_iov_.clear();
    if (!has(Array::extra_info)) extra_info_.clear();
    for (const auto& [member, own] : members()) packet_.*member = *own;
    packet_.rma_iov_count = static_cast<std::uint32_t>(rma_iov_.size() / efa::layout::kRmaIov);
    packet_.read_iov_count = static_cast<std::uint32_t>(read_iov_.size() / efa::layout::kRmaIov);
    packet_.nextra_p3 = static_cast<std::uint32_t>(extra_info_.size() / efa::layout::kExtraInfo + 3);
    packet_.raw_address_size = static_cast<std::uint32_t>(raw_address_.size());
    packet_.short_header = false;
  }

  void change_type() {
    const auto all = efa::all_layouts();
    packet_.type = all[below(random_, all.size())].id();
    packet_.flags = static_cast<std::uint16_t>(efa::describe(static_cast<efa::PacketType>(packet_.type)).marks |
                                               (packet_.flags & efa::flag::kConnid));
  }
  std::uint16_t optional_flag() {
    static constexpr std::uint16_t kFlags[] = {efa::flag::kRawAddress, efa::flag::kCqData, efa::flag::kConnid,
                                               efa::flag::kReadNack, efa::flag::kCtsEmulatedRead};
    return kFlags[below(random_, std::size(kFlags))];
  }
  void set_field() {
    const auto field = static_cast<efa::Field>(3 + below(random_, efa::kFields - 3));
    set(packet_, field, interesting(random_, get(packet_, field), payload_.size()));
  }
  void resize(OctetBuffer& octets, std::size_t most) { octets.resize(below(random_, most + 1), 0x5a); }
  void resize_array() {
    switch (below(random_, 4)) {
      case 0:
        return rma_iov_.resize(below(random_, 5) * efa::layout::kRmaIov, 0x11);
      case 1:
        return read_iov_.resize(below(random_, 5) * efa::layout::kRmaIov, 0x22);
      case 2:
        return extra_info_.resize(below(random_, 4) * efa::layout::kExtraInfo, 0x01);
      default:
        return resize(raw_address_, 48);
    }
  }

  Packet packet_;
  Random& random_;
  EditorBuffers& buffers_;
  OctetBuffer &rma_iov_ = buffers_.rma_iov, &read_iov_ = buffers_.read_iov, &extra_info_ = buffers_.extra_info,
              &raw_address_ = buffers_.raw_address, &payload_ = buffers_.payload;
};

// The result is valid until the next call.
const OctetBuffer& mutated(Octets octets, Random& random) {
  static EditorBuffers buffers;
  const auto packet = efa::decode(octets);
  Editor editor(packet ? *packet : efa::packet_of(efa::PacketType::eager_msgrtm), random, buffers);
  for (std::size_t changes = 1 + below(random, 3); changes > 0; --changes) editor.change();
  if (below(random, 4) == 0)
    editor.put_together_wrongly();
  else
    editor.put_together();
  return buffers.encoded;
}

std::size_t put(const OctetBuffer& octets, std::span<Octet> buffer, std::size_t unchanged) {
  if (octets.size() > buffer.size()) return unchanged;
  std::ranges::copy(octets, buffer.begin());
  return octets.size();
}

}  // namespace

std::size_t mutate_efa_packet(std::span<Octet> buffer, std::size_t size, std::uint32_t seed) {
  Random random(seed);
  if (LLVMFuzzerMutate != nullptr && below(random, 4) > 0) return LLVMFuzzerMutate(buffer.data(), size, buffer.size());
  return put(mutated(buffer.first(size), random), buffer, size);
}

std::size_t mutate_efa_trace(std::span<Octet> buffer, std::size_t size, std::uint32_t seed) {
  Random random(seed);
  std::vector<corpora::Record> records = corpora::read_records(buffer.first(size));
  if (records.empty() || below(random, 2) == 0) return mutate(kEfaTraceShape, buffer, size, seed);
  const std::size_t which = below(random, records.size());
  OctetBuffer out;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (i != which)
      corpora::append_record(out, records[i].control, records[i].octets);
    else
      corpora::append_record(out, records[i].control, mutated(records[i].octets, random));
  }
  return put(out, buffer, size);
}

}  // namespace wirelaw::fuzz
