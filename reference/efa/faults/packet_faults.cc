// SPDX-License-Identifier: Apache-2.0
#include "reference/efa/faults/packet_faults.h"

#include <algorithm>
#include <initializer_list>

#include "reference/efa/atomic.h"
#include "reference/efa/locate.h"

namespace wirelaw::efa {
namespace {

using enum Deviation;
using Type = PacketType;

// A packet before it is encoded, with the octets that it refers to.
struct Draft {
  Packet packet;
  const Layout& layout;
  const FaultContext& context;
  std::uint32_t before;  // number of packets of this type before it
  OctetBuffer raw_address, extra_info, rma_iov, read_iov, payload;
  unsigned copies = 1;

  Draft(const Packet& original, const Layout& of_type, const FaultContext& about, std::uint32_t count)
      : packet(original), layout(of_type), context(about), before(count) {
    const auto own = [](OctetBuffer& buffer, Octets octets) { buffer.assign(octets.begin(), octets.end()); };
    own(raw_address, packet.raw_address);
    own(extra_info, packet.extra_info);
    own(rma_iov, packet.rma_iov);
    own(read_iov, packet.read_iov);
    own(payload, packet.payload);
  }
  OctetBuffer encode() {
    packet.raw_address = raw_address;
    packet.extra_info = extra_info;
    packet.rma_iov = rma_iov;
    packet.read_iov = read_iov;
    packet.payload = payload;
    return efa::encode(packet);
  }
  void clear(std::uint16_t flag) { packet.flags = static_cast<std::uint16_t>(packet.flags & ~unsigned{flag}); }
  bool has(std::uint16_t flag) const { return packet.has(flag); }
};

// ------------------------------------------------------------------------------------------------ packets concerned

using Concerns = bool (*)(const Layout&);

bool every(const Layout&) {
  return true;
}
bool request(const Layout& row) {
  return row.is_request();
}
bool message(const Layout& row) {
  return row.purpose == Purpose::message;
}
bool tagged(const Layout& row) {
  return row.tagged;
}
bool untagged(const Layout& row) {
  return message(row) && !row.tagged;
}
bool atomic(const Layout& row) {
  return row.purpose == Purpose::atomic;
}
bool rma(const Layout& row) {
  return row.purpose == Purpose::write || row.purpose == Purpose::read;
}
bool write(const Layout& row) {
  return row.purpose == Purpose::write;
}
bool long_write(const Layout& row) {
  return write(row) && row.find(Field::msg_length) != nullptr;
}
bool read(const Layout& row) {
  return row.purpose == Purpose::read;
}
bool medium(const Layout& row) {
  return row.transfer == Transfer::medium;
}
bool long_cts_request(const Layout& row) {
  return row.transfer == Transfer::long_cts && row.find(Field::credit_request) != nullptr;
}
bool long_read(const Layout& row) {
  return row.transfer == Transfer::long_read;
}
bool runting(const Layout& row) {
  return row.transfer == Transfer::runting_read;
}
bool without_data(const Layout& row) {
  return row.category == Category::non_req && row.data == Data::none && row.type != Type::handshake;
}
template <Type type>
bool only(const Layout& row) {
  return row.type == type;
}

// ------------------------------------------------------------------------------------------- faults before encoding

template <class Int>
void add(Int& value, int step) {
  value = static_cast<Int>(value + static_cast<Int>(step));
}

void twice(Draft& draft) {
  draft.copies = 2;
}
// More copies than a network makes.
void thrice(Draft& draft) {
  draft.copies = 3;
}
void never(Draft& draft) {
  draft.copies = 0;
}
void without_every_second(Draft& draft) {
  if (draft.before % 2 == 1) draft.copies = 0;
}
void one_octet_less(Draft& draft) {
  if (!draft.payload.empty()) draft.payload.pop_back();
}
void data_behind(Draft& draft) {
  draft.payload.insert(draft.payload.end(), {'d', 'a', 't', 'a'});
}

void set_raw_address(Draft& draft, std::size_t at, std::size_t from_size) {
  if (draft.raw_address.size() >= from_size) draft.raw_address[at] ^= 1;
}

struct DraftFault {
  Deviation deviation;
  Concerns concerns;
  void (*commit)(Draft&);
};

constexpr DraftFault kDraftFaults[] = {
    {version_three, every, [](Draft& draft) { draft.packet.version = 3; }},
    {undefined_flag, every, [](Draft& draft) { draft.packet.flags |= 0x0040; }},
    {trailing_octets, without_data, [](Draft& draft) { draft.payload.push_back(0); }},
    {payload_altered, every,
     [](Draft& draft) {
       if (!draft.payload.empty()) draft.payload.back() ^= 1;
     }},

    {handshake_twice, only<Type::handshake>, thrice},
    {handshake_count_low, only<Type::handshake>, [](Draft& draft) { --draft.packet.nextra_p3; }},
    {handshake_count_of_ids, only<Type::handshake>, [](Draft& draft) { draft.packet.nextra_p3 = 7 + 3; }},
    {handshake_without_extra_info, only<Type::handshake>,
     [](Draft& draft) {
       draft.packet.nextra_p3 = 3;
       draft.extra_info.clear();
     }},
    {handshake_undefined_bit, only<Type::handshake>,
     [](Draft& draft) {
       if (draft.extra_info.size() >= layout::kExtraInfo) draft.extra_info[40 / 8] |= 1;
     }},
    {handshake_connid_wrong, only<Type::handshake>, [](Draft& draft) { draft.packet.connid ^= 1; }},

    {hmem_undefined, only<Type::handshake>, [](Draft& draft) { draft.packet.p2p_supported = 2; }},
    {peer_error_undefined_kind, only<Type::peer_error>, [](Draft& draft) { draft.packet.ref_kind = 3; }},
    {peer_error_wrong_op_id, only<Type::peer_error>, [](Draft& draft) { draft.packet.op_id ^= 0x5a5a; }},

    {raw_address_missing, request,
     [](Draft& draft) {
       if (!draft.context.handshake_received) draft.clear(flag::kRawAddress);
     }},
    {raw_address_short, request,
     [](Draft& draft) {
       draft.raw_address.resize(std::min<std::size_t>(draft.raw_address.size(), 16));
       draft.packet.raw_address_size = static_cast<std::uint32_t>(draft.raw_address.size());
     }},
    {raw_address_size_beyond, request, [](Draft& draft) { draft.packet.raw_address_size = 0xffff; }},
    {raw_address_wrong_gid, request, [](Draft& draft) { set_raw_address(draft, 15, 16); }},
    {raw_address_wrong_qpn, request, [](Draft& draft) { set_raw_address(draft, 16, 18); }},
    {raw_address_wrong_connid, request, [](Draft& draft) { set_raw_address(draft, 20, 24); }},

    {connid_wrong, every,
     [](Draft& draft) {
       if (draft.has(flag::kConnid)) draft.packet.connid ^= 1;
     }},

    {msg_flag_missing, message, [](Draft& draft) { draft.clear(flag::kMsg); }},
    {tagged_flag_missing, tagged, [](Draft& draft) { draft.clear(flag::kTagged); }},
    {tagged_flag_on_untagged, untagged, [](Draft& draft) { draft.packet.flags |= flag::kTagged; }},
    {atomic_flag_missing, atomic, [](Draft& draft) { draft.clear(flag::kAtomic); }},
    {rma_flag_missing, rma, [](Draft& draft) { draft.packet.flags &= static_cast<std::uint16_t>(~flag::kRma); }},
    {msg_flag_on_write, write, [](Draft& draft) { draft.packet.flags |= flag::kMsg; }},

    {medium_offset_zero, medium, [](Draft& draft) { draft.packet.seg_offset = 0; }},
    {medium_length_changes, medium, [](Draft& draft) { draft.packet.seg_length += draft.before; }},
    {medium_beyond_length, medium, [](Draft& draft) { draft.packet.seg_offset += draft.packet.seg_length; }},
    {medium_segment_missing, medium, without_every_second},
    {medium_segment_twice, medium, twice},

    {credit_request_zero, long_cts_request, [](Draft& draft) { draft.packet.credit_request = 0; }},
    {longcts_length_short, long_cts_request, [](Draft& draft) { --draft.packet.msg_length; }},
    {longcts_length_long, long_cts_request, [](Draft& draft) { ++draft.packet.msg_length; }},
    {cts_twice, only<Type::cts>, twice},
    {cts_length_zero, only<Type::cts>, [](Draft& draft) { draft.packet.recv_length = 0; }},
    {cts_length_beyond, only<Type::cts>, [](Draft& draft) { draft.packet.recv_length += 1u << 20; }},
    {cts_wrong_send_id, only<Type::cts>, [](Draft& draft) { draft.packet.send_id ^= 0x8000; }},
    {cts_recv_id_changes, only<Type::cts>, [](Draft& draft) { draft.packet.recv_id += 0x10000 * (draft.before + 1); }},
    {cts_read_flag_set, only<Type::cts>, [](Draft& draft) { draft.packet.flags |= flag::kCtsEmulatedRead; }},
    {cts_read_flag_clear, only<Type::cts>, [](Draft& draft) { draft.clear(flag::kCtsEmulatedRead); }},
    {ctsdata_wrong_recv_id, only<Type::ctsdata>, [](Draft& draft) { draft.packet.recv_id ^= 0x8000; }},
    {ctsdata_length_long, only<Type::ctsdata>, [](Draft& draft) { ++draft.packet.seg_length; }},
    {ctsdata_length_short, only<Type::ctsdata>, [](Draft& draft) { --draft.packet.seg_length; }},
    {ctsdata_offset_zero, only<Type::ctsdata>, [](Draft& draft) { draft.packet.seg_offset = 0; }},
    {ctsdata_offset_shifted, only<Type::ctsdata>, [](Draft& draft) { ++draft.packet.seg_offset; }},
    {ctsdata_missing, only<Type::ctsdata>, without_every_second},
    {ctsdata_twice, only<Type::ctsdata>, twice},

    {rtw_data_short, [](const Layout& row) { return write(row) && row.transfer == Transfer::eager; }, one_octet_less},
    {rtw_wrong_key, write,
     [](Draft& draft) {
       if (draft.rma_iov.size() >= layout::kRmaIov) draft.rma_iov[layout::kRmaIov - 1] ^= 0x80;
     }},
    {rtw_length_differs, long_write, [](Draft& draft) { ++draft.packet.msg_length; }},
    {rtr_with_data, read, data_behind},
    {rtr_cq_data, read, [](Draft& draft) { draft.packet.flags |= flag::kCqData; }},
    {rtr_length_differs, read, [](Draft& draft) { ++draft.packet.msg_length; }},
    {rtr_recv_length_zero, only<Type::longcts_rtr>, [](Draft& draft) { draft.packet.recv_length = 0; }},
    {readrsp_missing, only<Type::readrsp>, never},
    {readrsp_twice, only<Type::readrsp>, twice},
    {readrsp_wrong_recv_id, only<Type::readrsp>, [](Draft& draft) { draft.packet.recv_id ^= 0x8000; }},
    {readrsp_length_wrong, only<Type::readrsp>, [](Draft& draft) { ++draft.packet.recv_length; }},

    {atomic_type_undefined, atomic, [](Draft& draft) { draft.packet.atomic_datatype = 99; }},
    {atomic_op_undefined, atomic, [](Draft& draft) { draft.packet.atomic_op = 99; }},
    {atomic_op_of_other_call, atomic,
     [](Draft& draft) {
       const bool compares = draft.packet.is(Type::compare_rta);
       draft.packet.atomic_op = static_cast<std::uint32_t>(compares ? AtomicOp::sum : AtomicOp::cswap);
     }},
    {atomic_operand_short, atomic, one_octet_less},
    {atomrsp_missing, only<Type::atomrsp>, never},
    {atomrsp_twice, only<Type::atomrsp>, twice},
    {atomrsp_wrong_recv_id, only<Type::atomrsp>, [](Draft& draft) { draft.packet.recv_id ^= 0x8000; }},
    {atomrsp_length_wrong, only<Type::atomrsp>, [](Draft& draft) { ++draft.packet.seg_length; }},

    {receipt_missing, only<Type::receipt>, never},
    {receipt_twice, only<Type::receipt>, twice},
    {receipt_wrong_send_id, only<Type::receipt>, [](Draft& draft) { draft.packet.send_id ^= 0x8000; }},
    {receipt_wrong_msg_id, only<Type::receipt>, [](Draft& draft) { add(draft.packet.msg_id, 1); }},

    {longread_with_data, long_read, data_behind},
    {longread_length_differs, long_read, [](Draft& draft) { --draft.packet.msg_length; }},
    {longread_without_iov, long_read,
     [](Draft& draft) {
       draft.packet.read_iov_count = 0;
       draft.read_iov.clear();
     }},
    {eor_missing, only<Type::eor>, never},
    {eor_twice, only<Type::eor>, twice},
    {eor_wrong_send_id, only<Type::eor>, [](Draft& draft) { draft.packet.send_id ^= 0x8000; }},
    {eor_of_twelve_octets, only<Type::eor>,
     [](Draft& draft) {
       draft.clear(flag::kConnid);
       draft.packet.short_header = true;
     }},
    {runt_length_changes, runting, [](Draft& draft) { draft.packet.runt_length += draft.before; }},
    {runt_offset_zero, runting, [](Draft& draft) { draft.packet.seg_offset = 0; }},
    {runt_missing, runting, without_every_second},

    {nack_twice, only<Type::read_nack>, twice},
    {nack_wrong_send_id, only<Type::read_nack>, [](Draft& draft) { draft.packet.send_id ^= 0x8000; }},
    {nacked_with_data, request,
     [](Draft& draft) {
       if (draft.has(flag::kReadNack)) data_behind(draft);
     }},
    {nacked_length_differs, request,
     [](Draft& draft) {
       if (draft.has(flag::kReadNack)) --draft.packet.msg_length;
     }},
    {nacked_flag_missing, request, [](Draft& draft) { draft.clear(flag::kReadNack); }},
};

// ---------------------------------------------------------------------------------------------- faults in the octets

// Returns the place of an optional header in the octets; empty if there is none.
Place header_at(const Packet& packet, Field first, std::size_t octets) {
  const auto place = find_field(packet, first);
  return place ? Place{place->offset, octets} : Place{};
}

// Swaps two adjacent headers.
void swap_headers(OctetBuffer& octets, const Place& first, const Place& second) {
  if (first.width == 0 || second.width == 0) return;
  const auto begin = octets.begin() + static_cast<std::ptrdiff_t>(first.offset);
  const auto middle = octets.begin() + static_cast<std::ptrdiff_t>(second.offset);
  std::rotate(begin, middle, middle + static_cast<std::ptrdiff_t>(second.width));
}

void insert_zeros(OctetBuffer& octets, std::size_t at, std::size_t count) {
  octets.insert(octets.begin() + static_cast<std::ptrdiff_t>(at), count, 0);
}

void reverse_fields(OctetBuffer& octets, const Packet&) {
  for (const Located& field : locate(octets, 1000).fields)
    if (field.kind != FieldKind::array) {
      const auto at = octets.begin() + static_cast<std::ptrdiff_t>(field.offset);
      std::reverse(at, at + static_cast<std::ptrdiff_t>(field.width));
    }
}

struct OctetFault {
  Deviation deviation;
  Concerns concerns;
  void (*commit)(OctetBuffer& octets, const Packet& packet);
};

constexpr OctetFault kOctetFaults[] = {
    {handshake_connid_unpadded, only<Type::handshake>,
     [](OctetBuffer& octets, const Packet& packet) {
       const auto padding = find_field(packet, Field::connid_padding);
       if (!padding) return;
       const auto at = octets.begin() + static_cast<std::ptrdiff_t>(padding->offset);
       octets.erase(at, at + static_cast<std::ptrdiff_t>(padding->width));
     }},
    {handshake_blocks_swapped, only<Type::handshake>,
     [](OctetBuffer& octets, const Packet& packet) {
       swap_headers(octets, header_at(packet, Field::connid, 8), header_at(packet, Field::host_id, 8));
     }},
    {handshake_space_reserved, only<Type::handshake>,
     [](OctetBuffer& octets, const Packet& packet) {
       if (packet.has(flag::kConnid))
         octets[3] = static_cast<Octet>(octets[3] & 0x7f);
       else
         insert_zeros(octets, kBaseHeader + 4 + packet.extra_info.size(), 8);
     }},
    {handshake_truncated, only<Type::handshake>,
     [](OctetBuffer& octets, const Packet&) { octets.resize(octets.size() - 4); }},
    {raw_address_behind_cq_data, request,
     [](OctetBuffer& octets, const Packet& packet) {
       swap_headers(octets, header_at(packet, Field::raw_address_size, 4 + packet.raw_address.size()),
                    header_at(packet, Field::cq_data, 8));
     }},
    {connid_before_cq_data, request,
     [](OctetBuffer& octets, const Packet& packet) {
       swap_headers(octets, header_at(packet, Field::cq_data, 8), header_at(packet, Field::connid, 4));
     }},
    {connid_unannounced, every,
     [](OctetBuffer& octets, const Packet&) { octets[3] = static_cast<Octet>(octets[3] & 0x7f); }},
    {connid_padded, request,
     [](OctetBuffer& octets, const Packet& packet) {
       if (const auto place = find_field(packet, Field::connid)) insert_zeros(octets, place->offset + 4, 4);
     }},
    {big_endian, every, reverse_fields},
};

// ----------------------------------------------------------------------------------------------- additional packets

struct ExtraPacket {
  Deviation deviation;
  std::uint8_t type;
};

constexpr ExtraPacket kExtraPackets[] = {
    {sends_deprecated_type, 1},
    {sends_reserved_type, 131},
    {sends_unassigned_type, 77},
};

}  // namespace

std::vector<OctetBuffer> PacketFaults::encode(const Packet& packet, const FaultContext& context) {
  const Layout& layout = *packet.layout();
  Draft draft(packet, layout, context, sent_[packet.type]++);
  for (const DraftFault& fault : kDraftFaults)
    if (deviations_.has(fault.deviation) && fault.concerns(layout)) fault.commit(draft);
  OctetBuffer octets = draft.encode();
  for (const OctetFault& fault : kOctetFaults)
    if (deviations_.has(fault.deviation) && fault.concerns(layout)) fault.commit(octets, draft.packet);
  std::vector<OctetBuffer> all(draft.copies, octets);
  for (const ExtraPacket& extra : kExtraPackets)
    if (deviations_.has(extra.deviation) && layout.is_request())
      all.push_back(efa::encode(Packet{.type = extra.type, .payload = Octets(octets).subspan(kBaseHeader)}));
  return all;
}

}  // namespace wirelaw::efa
