// SPDX-License-Identifier: Apache-2.0
#include "reference/efa/deviations.h"

#include <algorithm>
#include <array>

#include "reference/deviation_rows.h"
#include "reference/efa/atomic.h"
#include "reference/efa/faults/packet_faults.h"
#include "reference/efa/locate.h"

namespace wirelaw::efa {
namespace {

using enum Deviation;
using Type = PacketType;

// --- packets concerned
bool every(const Layout&) {
  return true;
}
bool any_request(const Layout& row) {
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

// --- faults before encoding
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

constexpr PacketEdit draft(bool (*concerns)(const Layout&), void (*edit)(Draft&)) {
  return {.concerns = concerns, .draft = edit};
}
constexpr PacketEdit octets(bool (*concerns)(const Layout&), void (*edit)(OctetBuffer&, const Packet&)) {
  return {.concerns = concerns, .octets = edit};
}
constexpr PacketEdit extra(std::uint8_t type) {
  return {.concerns = any_request, .extra = type};
}

// In the order of the enumeration. A deviation in a packet has its edit here. One that needs time or several steps is
// in faults/.
constexpr std::array<DeviationEntry<Deviation, PacketEdit>, kDeviationCount> kRows{{
    {version_three, Role::any, "1.3", "Sends every packet with version 3.",
     draft(every, [](Draft& draft) { draft.packet.version = 3; })},
    {undefined_flag, Role::any, "1.3", "Sets bit 6 of flags, which no packet type defines.",
     draft(every, [](Draft& draft) { draft.packet.flags |= 0x0040; })},
    {big_endian, Role::any, "1.3", "Sends every integer of the headers in network byte order (EFA/A-21).",
     octets(every, reverse_fields)},
    {trailing_octets, Role::any, "1.3", "Puts an octet after packets that carry no data.",
     draft(without_data, [](Draft& draft) { draft.payload.push_back(0); })},
    {payload_altered, Role::any, "3.2", "Sends the last octet of the data with a bit changed.",
     draft(every,
           [](Draft& draft) {
             if (!draft.payload.empty()) draft.payload.back() ^= 1;
           })},
    {sends_deprecated_type, Role::initiator, "1.3", "Sends an RTS after every request.", extra(1)},
    {sends_reserved_type, Role::initiator, "1.3", "Sends a packet of the reserved type 131 after every request.",
     extra(131)},
    {sends_unassigned_type, Role::initiator, "1.3", "Sends a packet of the unassigned type 77 after every request.",
     extra(77)},
    {no_handshake, Role::any, "2.1", "Never sends a HANDSHAKE."},
    {handshake_late, Role::any, "2.1", "Sends its HANDSHAKE after the second packet of a peer instead of the first."},
    {handshake_only_to_requests, Role::any, "2.1", "Answers a HANDSHAKE that comes first with nothing (EFA/A-13)."},
    {handshake_twice, Role::any, "2.1", "Sends its HANDSHAKE three times.", draft(only<Type::handshake>, thrice)},
    {handshake_to_every_request, Role::any, "2.1", "Sends a HANDSHAKE for every request packet that it gets."},
    {handshake_count_low, Role::any, "2.1", "Sends nextra_p3 as the number of extra_info members plus 2.",
     draft(only<Type::handshake>, [](Draft& draft) { --draft.packet.nextra_p3; })},
    {handshake_count_of_ids, Role::any, "2.1",
     "Sends nextra_p3 as the number of IDs plus 3, with one member of extra_info (EFA/A-12).",
     draft(only<Type::handshake>, [](Draft& draft) { draft.packet.nextra_p3 = 7 + 3; })},
    {handshake_without_extra_info, Role::any, "2.1", "Sends a HANDSHAKE without extra_info.",
     draft(only<Type::handshake>,
           [](Draft& draft) {
             draft.packet.nextra_p3 = 3;
             draft.extra_info.clear();
           })},
    {handshake_undefined_bit, Role::any, "2.1", "Announces extra feature 40.",
     draft(only<Type::handshake>,
           [](Draft& draft) {
             if (draft.extra_info.size() >= layout::kExtraInfo) draft.extra_info[40 / 8] |= 1;
           })},
    {handshake_connid_wrong, Role::any, "4.4", "Sends another connid in its HANDSHAKE than in its raw address.",
     draft(only<Type::handshake>, [](Draft& draft) { draft.packet.connid ^= 1; })},
    {handshake_connid_unpadded, Role::any, "2.1", "Leaves out the padding after the connid of its HANDSHAKE.",
     octets(only<Type::handshake>,
            [](OctetBuffer& octets, const Packet& packet) {
              const auto padding = find_field(packet, Field::connid_padding);
              if (!padding) return;
              const auto at = octets.begin() + static_cast<std::ptrdiff_t>(padding->offset);
              octets.erase(at, at + static_cast<std::ptrdiff_t>(padding->width));
            })},
    {handshake_blocks_swapped, Role::any, "2.1.1", "Puts host_id in front of connid in its HANDSHAKE.",
     octets(only<Type::handshake>,
            [](OctetBuffer& octets, const Packet& packet) {
              swap_headers(octets, header_at(packet, Field::connid, 8), header_at(packet, Field::host_id, 8));
            })},
    {handshake_space_reserved, Role::any, "2.1.1", "Leaves room for a connid that its HANDSHAKE does not announce.",
     octets(only<Type::handshake>,
            [](OctetBuffer& octets, const Packet& packet) {
              if (packet.has(flag::kConnid))
                octets[3] = static_cast<Octet>(octets[3] & 0x7f);
              else
                insert_zeros(octets, kBaseHeader + 4 + packet.extra_info.size(), 8);
            })},
    {handshake_truncated, Role::any, "2.1", "Sends its HANDSHAKE without its last four octets.",
     octets(only<Type::handshake>, [](OctetBuffer& octets, const Packet&) { octets.resize(octets.size() - 4); })},
    {handshake_needed, Role::responder, "2.1", "Serves no further request of a peer whose HANDSHAKE has not come."},
    {raw_address_missing, Role::initiator, "2.2", "Leaves the raw address out of requests before it has a HANDSHAKE.",
     draft(any_request,
           [](Draft& draft) {
             if (!draft.context.handshake_received) draft.clear(flag::kRawAddress);
           })},
    {raw_address_kept, Role::initiator, "2.2", "Continues to send the raw address after the HANDSHAKE, unasked."},
    {raw_address_short, Role::initiator, "3.1", "Sends a raw address of 16 octets.",
     draft(any_request,
           [](Draft& draft) {
             draft.raw_address.resize(std::min<std::size_t>(draft.raw_address.size(), 16));
             draft.packet.raw_address_size = static_cast<std::uint32_t>(draft.raw_address.size());
           })},
    {raw_address_size_beyond, Role::initiator, "3.1", "Sends a raw address whose size is larger than the packet.",
     draft(any_request, [](Draft& draft) { draft.packet.raw_address_size = 0xffff; })},
    {raw_address_wrong_gid, Role::initiator, "1.4", "Sends the raw address with another GID.",
     draft(any_request, [](Draft& draft) { set_raw_address(draft, 15, 16); })},
    {raw_address_wrong_qpn, Role::initiator, "1.4", "Sends the raw address with another queue pair number.",
     draft(any_request, [](Draft& draft) { set_raw_address(draft, 16, 18); })},
    {raw_address_wrong_connid, Role::initiator, "4.4",
     "Sends the raw address with another connid than it uses elsewhere.",
     draft(any_request, [](Draft& draft) { set_raw_address(draft, 20, 24); })},
    {raw_address_behind_cq_data, Role::initiator, "3.1", "Puts the CQ data in front of the raw address.",
     octets(any_request,
            [](OctetBuffer& octets, const Packet& packet) {
              swap_headers(octets, header_at(packet, Field::raw_address_size, 4 + packet.raw_address.size()),
                           header_at(packet, Field::cq_data, 8));
            })},
    {raw_address_refused, Role::responder, "2.2",
     "Passes over requests with a raw address once it has a HANDSHAKE of their sender."},
    {connid_before_cq_data, Role::initiator, "3.1", "Puts the connid in front of the CQ data.",
     octets(any_request,
            [](OctetBuffer& octets, const Packet& packet) {
              swap_headers(octets, header_at(packet, Field::cq_data, 8), header_at(packet, Field::connid, 4));
            })},
    {connid_wrong, Role::any, "4.4", "Sends a connid that is not its own.",
     draft(every,
           [](Draft& draft) {
             if (draft.has(flag::kConnid)) draft.packet.connid ^= 1;
           })},
    {connid_unannounced, Role::any, "4.4", "Sends connid with CONNID_HDR clear.",
     octets(every, [](OctetBuffer& octets, const Packet&) { octets[3] = static_cast<Octet>(octets[3] & 0x7f); })},
    {connid_not_sent, Role::any, "4.4", "Leaves connid out of requests and CTSDATA although its peer requested it."},
    {connid_padded, Role::initiator, "3.1", "Pads the connid of requests to eight octets (EFA/A-51).",
     octets(any_request,
            [](OctetBuffer& octets, const Packet& packet) {
              if (const auto place = find_field(packet, Field::connid)) insert_zeros(octets, place->offset + 4, 4);
            })},
    {connid_needed, Role::responder, "4.4", "Passes over packets that have no connid of their sender."},
    {other_endpoint_refused, Role::responder, "4.4",
     "Passes over another endpoint that has taken the address of one that it knows."},
    {constant_header_ignored, Role::initiator, "4.3",
     "Shortens the header of EAGER_MSGRTM although its peer requested a constant length."},
    {msg_flag_missing, Role::initiator, "3.1", "Leaves REQ_MSG clear in RTM.",
     draft(message, [](Draft& draft) { draft.clear(flag::kMsg); })},
    {tagged_flag_missing, Role::initiator, "3.1", "Leaves REQ_TAGGED clear in TAGRTM.",
     draft(tagged, [](Draft& draft) { draft.clear(flag::kTagged); })},
    {tagged_flag_on_untagged, Role::initiator, "3.1", "Sets REQ_TAGGED in MSGRTM.",
     draft(untagged, [](Draft& draft) { draft.packet.flags |= flag::kTagged; })},
    {atomic_flag_missing, Role::initiator, "3.1", "Leaves REQ_ATOMIC clear in RTA.",
     draft(atomic, [](Draft& draft) { draft.clear(flag::kAtomic); })},
    {rma_flag_missing, Role::initiator, "3.1",
     "Leaves REQ_RMA clear in RTW and RTR, as deployed senders do (EFA/A-09).",
     draft(rma, [](Draft& draft) { draft.packet.flags &= static_cast<std::uint16_t>(~flag::kRma); })},
    {rma_flag_needed, Role::responder, "3.1", "Passes over RTW and RTR with REQ_RMA clear (EFA/A-09)."},
    {padding_compared, Role::any, "3.1", "Passes over packets whose padding or reserved words are not zero."},
    {msg_flag_on_write, Role::initiator, "3.1", "Sets REQ_MSG in RTW.",
     draft(write, [](Draft& draft) { draft.packet.flags |= flag::kMsg; })},
    {msg_id_starts_at_one, Role::initiator, "3.2", "Gives its first message the msg_id 1 (EFA/A-20)."},
    {msg_id_skips, Role::initiator, "3.2", "Leaves out every other msg_id."},
    {msg_id_repeats, Role::initiator, "3.2", "Gives two messages each msg_id."},
    {msg_id_per_kind, Role::initiator, "3.2", "Counts the msg_id of atomics apart from that of messages (EFA/A-19)."},
    {msg_id_skips_zero, Role::initiator, "3.2", "Goes from msg_id 4294967295 to 1."},
    {medium_offset_zero, Role::initiator, "3.2", "Sends every segment of a medium message with seg_offset 0.",
     draft(medium, [](Draft& draft) { draft.packet.seg_offset = 0; })},
    {medium_length_changes, Role::initiator, "3.2", "Declares another length in every segment of a medium message.",
     draft(medium, [](Draft& draft) { draft.packet.seg_length += draft.before; })},
    {medium_beyond_length, Role::initiator, "3.2", "Sends the segments of a medium message with offsets after its end.",
     draft(medium, [](Draft& draft) { draft.packet.seg_offset += draft.packet.seg_length; })},
    {medium_segment_missing, Role::initiator, "3.2", "Leaves out the second segment of a medium message.",
     draft(medium, without_every_second)},
    {medium_segment_twice, Role::initiator, "3.2", "Sends every segment of a medium message two times.",
     draft(medium, twice)},
    {interleaving_not_tolerated, Role::responder, "3.2",
     "Abandons a medium message when a packet of another message arrives between its segments."},
    {credit_request_zero, Role::initiator, "3.2", "Asks for no credit.",
     draft(long_cts_request, [](Draft& draft) { draft.packet.credit_request = 0; })},
    {credit_request_obeyed, Role::responder, "3.2",
     "Allows as many packets in a CTS as credit_request requests, and none if it is 0."},
    {longcts_length_short, Role::initiator, "3.2", "Declares one octet less than the message has in LONGCTS requests.",
     draft(long_cts_request, [](Draft& draft) { --draft.packet.msg_length; })},
    {longcts_length_long, Role::initiator, "3.2", "Declares one octet more than the message has in LONGCTS requests.",
     draft(long_cts_request, [](Draft& draft) { ++draft.packet.msg_length; })},
    {request_data_lost, Role::responder, "3.2", "Passes over the data in LONGCTS requests."},
    {send_id_taken_once, Role::responder, "3.2", "Passes over a LONGCTS_RTM whose send_id an earlier one had."},
    {one_long_message_at_a_time, Role::responder, "3.2",
     "Allows no data of a message while another one that is allowed some is not whole."},
    {data_before_cts, Role::initiator, "3.2", "Sends CTSDATA without waiting for a CTS."},
    {data_beyond_window, Role::any, "3.2", "Sends all the data after the first CTS, whatever it allows."},
    {cts_never, Role::any, "3.2", "Sends no CTS."},
    {cts_not_again, Role::any, "3.2", "Sends the first CTS and no other."},
    {cts_early, Role::any, "3.2", "Sends a CTS after every CTSDATA."},
    {cts_twice, Role::any, "3.2", "Sends every CTS two times.", draft(only<Type::cts>, twice)},
    {cts_length_zero, Role::any, "3.2", "Allows no octets in a CTS.",
     draft(only<Type::cts>, [](Draft& draft) { draft.packet.recv_length = 0; })},
    {cts_length_beyond, Role::any, "3.2", "Allows more octets in a CTS than are left.",
     draft(only<Type::cts>, [](Draft& draft) { draft.packet.recv_length += 1u << 20; })},
    {cts_wrong_send_id, Role::any, "3.2", "Sends another send_id in a CTS than the sender chose.",
     draft(only<Type::cts>, [](Draft& draft) { draft.packet.send_id ^= 0x8000; })},
    {cts_recv_id_changes, Role::any, "3.2", "Names another receive operation in every CTS.",
     draft(only<Type::cts>, [](Draft& draft) { draft.packet.recv_id += 0x10000 * (draft.before + 1); })},
    {cts_read_flag_set, Role::responder, "3.2", "Sets CTS_EMULATED_READ in every CTS.",
     draft(only<Type::cts>, [](Draft& draft) { draft.packet.flags |= flag::kCtsEmulatedRead; })},
    {cts_read_flag_clear, Role::initiator, "3.2", "Leaves CTS_EMULATED_READ clear in the CTS of a read.",
     draft(only<Type::cts>, [](Draft& draft) { draft.clear(flag::kCtsEmulatedRead); })},
    {ctsdata_wrong_recv_id, Role::any, "3.2", "Sends another recv_id in CTSDATA than the CTS had.",
     draft(only<Type::ctsdata>, [](Draft& draft) { draft.packet.recv_id ^= 0x8000; })},
    {ctsdata_length_long, Role::any, "3.2", "Declares one octet more than there is in CTSDATA.",
     draft(only<Type::ctsdata>, [](Draft& draft) { ++draft.packet.seg_length; })},
    {ctsdata_length_short, Role::any, "3.2", "Declares one octet less than there is in CTSDATA.",
     draft(only<Type::ctsdata>, [](Draft& draft) { --draft.packet.seg_length; })},
    {ctsdata_offset_zero, Role::any, "3.2", "Sends CTSDATA with seg_offset 0 (EFA/A-22).",
     draft(only<Type::ctsdata>, [](Draft& draft) { draft.packet.seg_offset = 0; })},
    {ctsdata_offset_shifted, Role::any, "3.2", "Sends CTSDATA with seg_offset one too high.",
     draft(only<Type::ctsdata>, [](Draft& draft) { ++draft.packet.seg_offset; })},
    {ctsdata_missing, Role::any, "3.2", "Leaves out every second CTSDATA.",
     draft(only<Type::ctsdata>, without_every_second)},
    {ctsdata_twice, Role::any, "3.2", "Sends every CTSDATA two times.", draft(only<Type::ctsdata>, twice)},
    {foreign_data_taken, Role::responder, "3.2", "Takes CTSDATA for a message from whichever peer they come."},
    {offsets_ignored, Role::any, "3.2", "Places data after the data that came before, whatever its offset."},
    {counts_doubled, Role::any, "3.2", "Counts repeated data as new data."},
    {part_delivered, Role::any, "3.2", "Takes data for whole when its last octets have come, whatever is missing."},
    {rtw_data_short, Role::initiator, "3.3", "Sends one octet less in EAGER_RTW than its buffers hold.",
     draft([](const Layout& row) { return write(row) && row.transfer == Transfer::eager; }, one_octet_less)},
    {rtw_wrong_key, Role::initiator, "3.3", "Sends RTW with a key that no peer gave it.",
     draft(write,
           [](Draft& draft) {
             if (draft.rma_iov.size() >= layout::kRmaIov) draft.rma_iov[layout::kRmaIov - 1] ^= 0x80;
           })},
    {rtw_length_differs, Role::initiator, "3.3", "Sends a msg_length in RTW that is not the sum of its buffers.",
     draft(long_write, [](Draft& draft) { ++draft.packet.msg_length; })},
    {write_not_placed, Role::responder, "3.3", "Takes eager writes and writes nothing."},
    {writes_whole_words, Role::responder, "3.3",
     "Fills the last word of eight octets that an eager write touches with zeros."},
    {key_ignored, Role::responder, "3.3", "Lets peers access registered memory by its address only, with any key."},
    {bounds_ignored, Role::responder, "3.3",
     "Executes the part inside registered memory of a request that extends beyond it."},
    {lengths_ignored, Role::responder, "3.3",
     "Writes all the data of an EAGER_RTW from the beginning of its buffer on, even beyond its end."},
    {buffers_reversed, Role::responder, "3.3", "Takes the buffers of a request from the last to the first."},
    {remote_write_untold, Role::responder, "3.3, 4.6", "Reports no write with CQ data to its application."},
    {rtr_with_data, Role::initiator, "3.1", "Puts data after an RTR.", draft(read, data_behind)},
    {rtr_cq_data, Role::initiator, "3.1", "Puts CQ data into an RTR (EFA/A-47).",
     draft(read, [](Draft& draft) { draft.packet.flags |= flag::kCqData; })},
    {rtr_length_differs, Role::initiator, "3.3", "Sends a msg_length in RTR that is not the sum of its buffers.",
     draft(read, [](Draft& draft) { ++draft.packet.msg_length; })},
    {rtr_recv_length_zero, Role::initiator, "3.3", "Sends LONGCTS_RTR ready for no octets.",
     draft(only<Type::longcts_rtr>, [](Draft& draft) { draft.packet.recv_length = 0; })},
    {short_rtr_too_long, Role::initiator, "3.3", "Reads by SHORT_RTR what does not fit one READRSP."},
    {readrsp_missing, Role::responder, "3.3", "Answers a read without a READRSP.", draft(only<Type::readrsp>, never)},
    {readrsp_twice, Role::responder, "3.3", "Sends every READRSP two times.", draft(only<Type::readrsp>, twice)},
    {readrsp_wrong_recv_id, Role::responder, "3.3", "Sends another recv_id in READRSP than the RTR had.",
     draft(only<Type::readrsp>, [](Draft& draft) { draft.packet.recv_id ^= 0x8000; })},
    {readrsp_length_wrong, Role::responder, "3.3", "Declares one octet more than there is in READRSP.",
     draft(only<Type::readrsp>, [](Draft& draft) { ++draft.packet.recv_length; })},
    {reads_confused, Role::responder, "3.3",
     "Answers a read with the octets of the one before it, where that was as long."},
    {readrsp_ends_reads, Role::initiator, "3.3", "Takes a READRSP for the end of its read."},
    {answers_lost, Role::initiator, "3.3", "Passes over READRSP and ATOMRSP."},
    {atomic_type_undefined, Role::initiator, "3.3", "Sends an atomic datatype that fi_atomic does not have.",
     draft(atomic, [](Draft& draft) { draft.packet.atomic_datatype = 99; })},
    {atomic_op_undefined, Role::initiator, "3.3", "Sends an atomic operation that fi_atomic does not have.",
     draft(atomic, [](Draft& draft) { draft.packet.atomic_op = 99; })},
    {atomic_op_of_other_call, Role::initiator, "3.3",
     "Sends FI_CSWAP in WRITE_RTA and FETCH_RTA, and FI_SUM in COMPARE_RTA.",
     draft(atomic,
           [](Draft& draft) {
             const bool compares = draft.packet.is(Type::compare_rta);
             draft.packet.atomic_op = static_cast<std::uint32_t>(compares ? AtomicOp::sum : AtomicOp::cswap);
           })},
    {atomic_operand_short, Role::initiator, "3.3", "Sends one octet less of operands than the buffers hold.",
     draft(atomic, one_octet_less)},
    {atomic_undefined_done, Role::responder, "3.3",
     "Takes operations and datatypes that fi_atomic does not have for FI_ATOMIC_WRITE of octets."},
    {atomic_operands_beyond, Role::responder, "3.3", "Writes the excess operands of an atomic after its buffer."},
    {atomic_read_needs_operand, Role::responder, "3.3", "Passes over an FI_ATOMIC_READ without an operand."},
    {atomic_wrong_result, Role::responder, "3.3",
     "Answers a fetching atomic with the new value instead of the old one."},
    {atomic_done_twice, Role::responder, "3.3", "Applies every atomic two times."},
    {atomic_compare_first, Role::responder, "3.3", "Takes the operands of COMPARE_RTA for `compare` and then `buf`."},
    {atomics_repeated, Role::responder, "3.3", "Executes an atomic again when its packet is repeated."},
    {atomics_in_arrival_order, Role::responder, "3.3", "Applies atomics as they come, whatever their msg_id."},
    {atomrsp_missing, Role::responder, "3.3", "Sends no ATOMRSP.", draft(only<Type::atomrsp>, never)},
    {atomrsp_twice, Role::responder, "3.3", "Sends every ATOMRSP two times.", draft(only<Type::atomrsp>, twice)},
    {atomrsp_wrong_recv_id, Role::responder, "3.3", "Sends another recv_id in ATOMRSP than the RTA had.",
     draft(only<Type::atomrsp>, [](Draft& draft) { draft.packet.recv_id ^= 0x8000; })},
    {atomrsp_length_wrong, Role::responder, "3.3", "Declares one octet more than there is in ATOMRSP.",
     draft(only<Type::atomrsp>, [](Draft& draft) { ++draft.packet.seg_length; })},
    {atomrsp_to_write, Role::responder, "3.3", "Answers a WRITE_RTA with an ATOMRSP."},
    {extras_before_handshake, Role::initiator, "2.1", "Uses extra features before the peer has announced them."},
    {extras_not_announced, Role::initiator, "2.1", "Uses extra features that the peer has not announced."},
    {receipt_missing, Role::responder, "4.2", "Sends no RECEIPT.", draft(only<Type::receipt>, never)},
    {receipt_twice, Role::responder, "4.2", "Sends every RECEIPT two times.", draft(only<Type::receipt>, twice)},
    {receipt_wrong_send_id, Role::responder, "4.2", "Sends another send_id in RECEIPT than the request had.",
     draft(only<Type::receipt>, [](Draft& draft) { draft.packet.send_id ^= 0x8000; })},
    {receipt_wrong_msg_id, Role::responder, "4.2", "Sends another msg_id in RECEIPT than the request had.",
     draft(only<Type::receipt>, [](Draft& draft) { add(draft.packet.msg_id, 1); })},
    {receipt_compared, Role::initiator, "4.2",
     "Accepts the RECEIPT of a write or an atomic only with msg_id 0 (EFA/A-46)."},
    {receipt_early, Role::responder, "4.2", "Sends the RECEIPT of a message before a receive takes it."},
    {receipt_unasked, Role::responder, "4.2", "Sends a RECEIPT for eager messages that did not ask for one."},
    {longread_with_data, Role::initiator, "4.1", "Puts application data after the read_iov of LONGREAD requests.",
     draft(long_read, data_behind)},
    {longread_length_differs, Role::initiator, "4.1", "Sends a read_iov that is longer than msg_length.",
     draft(long_read, [](Draft& draft) { --draft.packet.msg_length; })},
    {longread_without_iov, Role::initiator, "4.1", "Sends LONGREAD requests without read_iov.",
     draft(long_read,
           [](Draft& draft) {
             draft.packet.read_iov_count = 0;
             draft.read_iov.clear();
           })},
    {eor_missing, Role::responder, "4.1", "Sends no EOR.", draft(only<Type::eor>, never)},
    {eor_early, Role::responder, "4.1", "Sends the EOR before the reads are done."},
    {eor_twice, Role::responder, "4.1", "Sends every EOR two times.", draft(only<Type::eor>, twice)},
    {eor_wrong_send_id, Role::responder, "4.1", "Sends another send_id in EOR than the request had.",
     draft(only<Type::eor>, [](Draft& draft) { draft.packet.send_id ^= 0x8000; })},
    {eor_of_twelve_octets, Role::responder, "4.1", "Sends EOR without its last word, as early releases did (EFA/A-08).",
     draft(only<Type::eor>,
           [](Draft& draft) {
             draft.clear(flag::kConnid);
             draft.packet.short_header = true;
           })},
    {runt_length_changes, Role::initiator, "4.5", "Declares another runt_length in every RUNTREAD packet.",
     draft(runting, [](Draft& draft) { draft.packet.runt_length += draft.before; })},
    {runt_offset_zero, Role::initiator, "4.5", "Sends every RUNTREAD packet with seg_offset 0.",
     draft(runting, [](Draft& draft) { draft.packet.seg_offset = 0; })},
    {runt_missing, Role::initiator, "4.5", "Leaves out the second RUNTREAD packet.",
     draft(runting, without_every_second)},
    {whole_runt_lost, Role::responder, "4.5",
     "Waits for ever for the rest of a message that RUNTREAD packets bring whole (EFA/A-49)."},
    {nack_not_announced, Role::responder, "4.7", "Sends READ_NACK to a peer that has not announced it."},
    {nack_early, Role::responder, "4.7", "Sends READ_NACK before all RUNTREAD packets have come."},
    {nack_twice, Role::responder, "4.7", "Sends every READ_NACK two times.", draft(only<Type::read_nack>, twice)},
    {nack_wrong_send_id, Role::responder, "4.7", "Sends another send_id in READ_NACK than the request had.",
     draft(only<Type::read_nack>, [](Draft& draft) { draft.packet.send_id ^= 0x8000; })},
    {nack_not_followed, Role::initiator, "4.7", "Ignores READ_NACK."},
    {nacked_with_data, Role::initiator, "4.7", "Puts data into the LONGCTS_RTM that follows a READ_NACK.",
     draft(any_request,
           [](Draft& draft) {
             if (draft.has(flag::kReadNack)) data_behind(draft);
           })},
    {nacked_new_msg_id, Role::initiator, "4.7", "Gives the LONGCTS_RTM that follows a READ_NACK another msg_id."},
    {nacked_length_differs, Role::initiator, "4.7",
     "Declares another msg_length in the LONGCTS_RTM that follows a READ_NACK.",
     draft(any_request,
           [](Draft& draft) {
             if (draft.has(flag::kReadNack)) --draft.packet.msg_length;
           })},
    {nacked_flag_missing, Role::initiator, "4.7",
     "Leaves bit 13 clear in the LONGCTS_RTM that follows a READ_NACK (EFA/A-15).",
     draft(any_request, [](Draft& draft) { draft.clear(flag::kReadNack); })},
    {delivers_in_arrival_order, Role::responder, "3.2", "Delivers messages as they come, whatever their msg_id."},
    {reorder_not_tolerated, Role::any, "3.2", "Drops messages that come before their turn."},
    {msg_ids_shared, Role::responder, "3.2", "Counts the messages of all its peers together."},
    {wrap_not_tolerated, Role::responder, "3.2", "Takes no message after msg_id 4294967295."},
    {duplicates_delivered, Role::responder, "3.2", "Delivers an eager message again when its packet is repeated."},
    {unexpected_lost, Role::any, "3.2", "Drops messages that come before their receive."},
    {tag_ignored, Role::responder, "3.1", "Lets a receive take a message with another tag."},
    {wrong_connid_accepted, Role::any, "4.4", "Takes packets with another connid than the peer's."},
    {hmem_undefined, Role::any, "2.1.1", "Has 2 for p2p_supported in the HMEM block of HANDSHAKE.",
     draft(only<Type::handshake>, [](Draft& draft) { draft.packet.p2p_supported = 2; })},
    {user_recv_qp_ignored, Role::initiator, "4.8",
     "Sends messages to the default queue pair of a peer that has a user receive QP."},
    {immediate_to_unlike_peer, Role::initiator, "4.9",
     "Sends RDMA writes with immediate to a peer that differs from it in ID 8."},
    {peer_error_ignored, Role::responder, "4.10", "Passes PEER_ERROR over."},
    {peer_error_missing, Role::responder, "4.10", "Sends no PEER_ERROR where it could not read the data of a message."},
    {peer_error_unannounced, Role::responder, "4.10", "Sends PEER_ERROR to peers that have not announced it."},
    {peer_error_undefined_kind, Role::responder, "4.10", "Sends PEER_ERROR with ref_kind 3.",
     draft(only<Type::peer_error>, [](Draft& draft) { draft.packet.ref_kind = 3; })},
    {peer_error_wrong_op_id, Role::responder, "4.10", "Has another op_id in PEER_ERROR.",
     draft(only<Type::peer_error>, [](Draft& draft) { draft.packet.op_id ^= 0x5a5a; })},
    {peer_error_and_eor, Role::responder, "4.10",
     "Sends an EOR after the PEER_ERROR that reports that the data could not be read."},
    {dies_of_short_packet, Role::any, "1.3", "Never answers again after a packet that does not decode."},
    {dies_of_trailing_octets, Role::any, "1.3",
     "Never answers again after a packet that carries no data and has extra octets."},
    {dies_of_unknown_type, Role::any, "1.3", "Never answers again after a packet of an unknown type."},
    {dies_of_other_version, Role::any, "1.3", "Never answers again after a packet with another version."},
    {dies_of_undefined_flag, Role::any, "1.3",
     "Never answers again after a packet with a flag that its type does not define."},
    {dies_of_undefined_extra_info, Role::any, "2.1",
     "Never answers again after a HANDSHAKE that announces what it does not know."},
    {dies_of_missing_extra_info, Role::any, "2.1", "Never answers again after a HANDSHAKE without extra_info."},
    {dies_of_trailing_handshake, Role::any, "2.1",
     "Never answers again after a HANDSHAKE with octets after its blocks."},
    {dies_of_second_handshake, Role::any, "2.1", "Never answers again after a second HANDSHAKE."},
    {dies_of_long_raw_address, Role::responder, "3.1",
     "Never answers again after a raw address that is not 32 octets long."},
    {dies_of_duplicate, Role::any, "3.2", "Never answers again after a packet that came before."},
    {dies_of_contradiction, Role::any, "3.2",
     "Never answers again after a packet whose fields contradict each other or what came before."},
    {dies_of_far_msg_id, Role::any, "3.2", "Never answers again after a msg_id that is far ahead of its turn."},
    {dies_of_many_waiting, Role::responder, "3.2",
     "Never answers again when a thousand messages of a peer wait for their turn."},
    {dies_of_truncation, Role::responder, "3.2",
     "Never answers again after a message that is longer than its receive."},
    {dies_of_unknown_id, Role::any, "3.2",
     "Never answers again after a packet that names an operation that is not there."},
    {dies_of_zero_window, Role::any, "3.2", "Never answers again after a CTS for no octets."},
    {dies_of_wide_window, Role::any, "3.2", "Never answers again after a CTS for more octets than are left."},
    {dies_of_empty_write, Role::responder, "3.3", "Never answers again after an EAGER_RTW of nothing (EFA/A-28)."},
    {dies_of_empty_read, Role::responder, "3.3", "Never answers again after a read of nothing."},
    {dies_of_data_before_readrsp, Role::initiator, "3.3",
     "Never answers again after CTSDATA of a read that come before its READRSP."},
    {dies_of_bad_key, Role::responder, "3.3", "Never answers again after a request for memory that is not registered."},
    {dies_of_failed_read, Role::responder, "4.1", "Never answers again after an RDMA read that its device refuses."},
    {dies_of_short_eor, Role::initiator, "4.1", "Never answers again after an EOR of twelve octets (EFA/A-08)."},
    {dies_of_unannounced_request, Role::responder, "2.1",
     "Never answers again after a request of an extra feature that it has not announced."},
    {dies_of_other_connid, Role::any, "4.4", "Never answers again after a packet with another connid than the peer's."},
}};
constexpr auto kDeviations = described(kRows);
constexpr auto kEdits = edits_of(kRows);

}  // namespace

std::span<const DeviationInfo> all_deviations() {
  return kDeviations;
}

std::span<const PacketEdit> packet_edits() {
  return kEdits;
}

}  // namespace wirelaw::efa
