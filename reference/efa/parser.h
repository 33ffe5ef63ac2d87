// SPDX-License-Identifier: Apache-2.0
// The only traversal of a packet's octets, shared by decode() and by code that needs the place of every field.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

#include "reference/efa/packet.h"

namespace wirelaw::efa {

// The member of Packet for an array.
constexpr Octets Packet::*member_of(Array array) {
  constexpr Octets Packet::*kMembers[] = {nullptr, &Packet::rma_iov, &Packet::read_iov, &Packet::extra_info,
                                          &Packet::raw_address};
  return kMembers[static_cast<std::size_t>(array)];
}

// The member of Packet for a field. Fields of array elements have none: 0 octets.
struct MemberInfo {
  std::uint16_t offset = 0;
  std::uint16_t octets = 0;
};
static_assert(std::is_standard_layout_v<Packet> && std::is_trivially_copyable_v<Packet>);

inline constexpr std::array<MemberInfo, kFields> kMembers = [] {
  std::array<MemberInfo, kFields> all{};
  const auto put = [&](Field field, std::size_t offset, std::size_t octets) {
    all[static_cast<std::size_t>(field)] = {static_cast<std::uint16_t>(offset), static_cast<std::uint16_t>(octets)};
  };
#define WIRELAW_EFA_MEMBER(name) put(Field::name, offsetof(Packet, name), sizeof(Packet::name))
  WIRELAW_EFA_MEMBER(type);
  WIRELAW_EFA_MEMBER(version);
  WIRELAW_EFA_MEMBER(flags);
  WIRELAW_EFA_MEMBER(msg_id);
  WIRELAW_EFA_MEMBER(send_id);
  WIRELAW_EFA_MEMBER(recv_id);
  WIRELAW_EFA_MEMBER(op_id);
  WIRELAW_EFA_MEMBER(ref_kind);
  WIRELAW_EFA_MEMBER(prov_errno);
  WIRELAW_EFA_MEMBER(rma_iov_count);
  WIRELAW_EFA_MEMBER(read_iov_count);
  WIRELAW_EFA_MEMBER(credit_request);
  WIRELAW_EFA_MEMBER(atomic_datatype);
  WIRELAW_EFA_MEMBER(atomic_op);
  WIRELAW_EFA_MEMBER(padding);
  WIRELAW_EFA_MEMBER(msg_length);
  WIRELAW_EFA_MEMBER(seg_length);
  WIRELAW_EFA_MEMBER(recv_length);
  WIRELAW_EFA_MEMBER(seg_offset);
  WIRELAW_EFA_MEMBER(runt_length);
  WIRELAW_EFA_MEMBER(tag);
  WIRELAW_EFA_MEMBER(connid);
  WIRELAW_EFA_MEMBER(connid_padding);
  WIRELAW_EFA_MEMBER(nextra_p3);
  WIRELAW_EFA_MEMBER(host_id);
  WIRELAW_EFA_MEMBER(device_version);
  WIRELAW_EFA_MEMBER(device_reserved);
  WIRELAW_EFA_MEMBER(user_recv_qpn);
  WIRELAW_EFA_MEMBER(user_recv_qkey);
  WIRELAW_EFA_MEMBER(p2p_supported);
  WIRELAW_EFA_MEMBER(hmem_reserved);
  WIRELAW_EFA_MEMBER(raw_address_size);
  WIRELAW_EFA_MEMBER(cq_data);
#undef WIRELAW_EFA_MEMBER
  return all;
}();

inline void store_member(Packet& packet, MemberInfo member, std::uint64_t value) {
  auto* const at = reinterpret_cast<Octet*>(&packet) + member.offset;
  if (member.octets == 4) store_native(at, static_cast<std::uint32_t>(value));
  if (member.octets == 8) store_native(at, value);
  if (member.octets == 2) store_native(at, static_cast<std::uint16_t>(value));
  if (member.octets == 1) *at = static_cast<Octet>(value);
}

inline std::uint64_t load_member(const Packet& packet, MemberInfo member) {
  const auto* const at = reinterpret_cast<const Octet*>(&packet) + member.offset;
  if (member.octets == 4) return load_native<std::uint32_t>(at);
  if (member.octets == 8) return load_native<std::uint64_t>(at);
  if (member.octets == 2) return load_native<std::uint16_t>(at);
  return member.octets == 1 ? *at : 0;
}

inline std::uint64_t load(const Octet* at, std::size_t width) {
  if (width == 4) return load_little_endian<std::uint32_t>(at);
  if (width == 8) return load_little_endian<std::uint64_t>(at);
  if (width == 2) return load_little_endian<std::uint16_t>(at);
  std::uint64_t value = 0;
  for (std::size_t i = width; i > 0; --i) value = value << 8 | at[i - 1];
  return value;
}

// Fills `packet` and calls `see` for every field and array in wire order, also for those before an error:
//   see.field(const FieldRow&, offset of the header to which the row is relative)
//   see.array(Array, offset, octets)
//   see.rest(offset, octets)
template <class See>
class Parser {
 public:
  Parser(Octets octets, Packet& packet, See& see) : octets_(octets), packet_(packet), see_(see) {}

  tl::expected<void, DecodeError> run() {
    if (octets_.size() < kBaseHeader) return fail("base header", 0, kBaseHeader);
    packet_.type = octets_[0];
    packet_.version = octets_[1];
    packet_.flags = load_little_endian<std::uint16_t>(octets_.data() + 2);
    for (const FieldRow& row : base_fields()) see_.field(row, 0);
    at_ = kBaseHeader;

    layout_ = packet_.layout();
    if (layout_ != nullptr && layout_->has_format()) {
      if (auto done = mandatory(); !done) return done;
      if (layout_->array != Array::none)
        if (auto done = array(layout_->array); !done) return done;
      if (packet_.has(layout_->announcing))
        for (const OptionalHeader& header : layout_->optional)
          if (packet_.has(header.flag))
            if (auto done = optional(header); !done) return done;
      if (layout_->behind != Array::none)
        if (auto done = array(layout_->behind); !done) return done;
    }
    packet_.payload = octets_.subspan(at_);
    see_.rest(at_, packet_.payload);
    return {};
  }

 private:
  tl::expected<void, DecodeError> fail(std::string_view part, std::size_t offset, std::uint64_t needed) const {
    return tl::unexpected(DecodeError{part, offset, needed, octets_.size() - offset, layout_});
  }

  tl::expected<void, DecodeError> mandatory() {
    std::size_t end = layout_->header_octets;
    packet_.short_header = octets_.size() == layout_->short_octets && !packet_.has(flag::kConnid);
    if (packet_.short_header) end = layout_->short_octets;
    if (octets_.size() < end) return fail("header", 0, end);
    fields(layout_->fields, 0, end);
    at_ = end;
    return {};
  }

  tl::expected<void, DecodeError> optional(const OptionalHeader& header) {
    if (octets_.size() - at_ < header.octets) return fail(header.name, at_, header.octets);
    fields(header.fields, at_, octets_.size());
    at_ += header.octets;
    return array(header.array);
  }

  // Nearly all fields have the width of their member, and most have four or eight octets.
  void take(const FieldRow& row, const Octet* from) {
    const MemberInfo member = kMembers[static_cast<std::size_t>(row.field)];
    auto* const to = reinterpret_cast<Octet*>(&packet_) + member.offset;
    if (row.width == 4 && member.octets == 4)
      store_native(to, load_little_endian<std::uint32_t>(from));
    else if (row.width == 8 && member.octets == 8)
      store_native(to, load_little_endian<std::uint64_t>(from));
    else
      store_member(packet_, member, load(from, row.width));
  }

  void fields(std::span<const FieldRow> rows, std::size_t base, std::size_t end) {
    for (const FieldRow& row : rows) {
      const std::size_t offset = base + row.offset;
      if (offset >= end) break;
      take(row, octets_.data() + offset);
      see_.field(row, base);
    }
  }

  tl::expected<void, DecodeError> array(Array which) {
    if (which == Array::none) return {};
    const ArrayInfo& info = describe(which);
    const std::uint64_t count = load_member(packet_, kMembers[static_cast<std::size_t>(info.count)]);
    const std::uint64_t needed = count > info.bias ? (count - info.bias) * info.element : 0;  // below 2^37
    if (octets_.size() - at_ < needed) return fail(info.name, at_, needed);
    const Octets elements = octets_.subspan(at_, static_cast<std::size_t>(needed));
    packet_.*member_of(which) = elements;
    see_.array(which, at_, elements);
    at_ += elements.size();
    return {};
  }

  Octets octets_;
  Packet& packet_;
  See& see_;
  const Layout* layout_ = nullptr;
  std::size_t at_ = 0;
};

}  // namespace wirelaw::efa
