// SPDX-License-Identifier: Apache-2.0
#include "conformance/efa/speech.h"

#include <algorithm>
#include <array>
#include <deque>
#include <optional>

#include "reference/efa/atomic.h"
#include "reference/efa/packet.h"
#include "reference/efa/peer_error.h"

namespace wirelaw::efa {
namespace {

using script::Wishes;

constexpr std::size_t kMostOperations = 1024;  // operations that a conversation keeps; the oldest are dropped
constexpr std::uint64_t kMostPayload = 65536;
constexpr std::uint64_t kUsualSize = 16;     // octets of a message that is sent at once
constexpr std::uint64_t kUsualFirst = 100;   // octets in the request of a longer message
constexpr std::uint64_t kUsualLength = 300;  // octets of a longer message

// The features that a deployed endpoint announces.
constexpr std::uint64_t kExtras = extra_bits(
    {Extra::rdma_read, Extra::delivery_complete, Extra::connid_header, Extra::runting_read, Extra::read_nack});

constexpr std::size_t index(Side side) {
  return side == Side::a ? 0 : 1;
}

// Both ends of an operation, and its progress.
struct Operation {
  Side requester = Side::a;
  const Layout* layout = nullptr;
  std::uint32_t msg_id = 0;
  std::uint32_t requester_id = 0;                  // send_id or recv_id of the request
  std::optional<std::uint32_t> responder_id = {};  // its recv_id in a CTS or EOR; its send_id in a READRSP
  std::uint64_t length = 0;                        // octets of the operation
  std::uint64_t sent = 0;                          // octets that packets have carried
  std::uint64_t granted = 0;                       // granted by CTS, in addition to the octets of the request
  bool is_answered = false;

  bool is_read() const { return layout->purpose == Purpose::read; }
  // The side that has the data.
  Side source() const { return is_read() ? other(requester) : requester; }
};

// Octets that live as long as the packet that is being written.
struct Draft {
  Packet packet;
  OctetBuffer rma_iov = {}, read_iov = {}, raw_address = {}, extra_info = {}, payload = {};

  OctetBuffer encoded() {
    packet.rma_iov = rma_iov;
    packet.read_iov = read_iov;
    packet.raw_address = raw_address;
    packet.extra_info = extra_info;
    packet.payload = payload;
    return encode(packet);
  }
};

class EfaSpeech : public script::Speech {
 public:
  explicit EfaSpeech(const script::Addresses& addresses)
      : addresses_(addresses),
        connids_{addresses[0].qkey.value_or(0xa0a1a2a3u), addresses[1].qkey.value_or(0xb0b1b2b3u)} {}

  tl::expected<OctetBuffer, std::string> next(Side sender, std::string_view message,
                                              const Wishes& wishes) const override {
    const Layout& layout = *find_layout(message);
    const auto octets = wishes.octets("payload");
    const auto size = octets ? std::optional<std::uint64_t>(octets->size()) : wishes.number("size");
    if (size.value_or(0) > kMostPayload) return tl::unexpected(std::string("size: too many octets for one packet"));
    Draft draft{.packet = packet_of(layout.type)};
    if (layout.is_request())
      request(sender, layout, wishes, size, draft);
    else
      answer(sender, layout, wishes, size, draft);
    add_optional_headers(layout, wishes, draft.packet);
    for (const FieldInfo& field : all_fields())
      if (field.kind == FieldKind::id || field.field == Field::connid)
        if (const auto id = wishes.number(field.name)) set(draft.packet, field.field, *id);
    if (octets) draft.payload.assign(octets->begin(), octets->end());
    return draft.encoded();
  }

  void heard(Side sender, Octets octets) override {
    const auto decoded = decode(octets);
    if (!decoded) return;
    const Packet& packet = *decoded;
    const Layout* const layout = packet.layout();
    if (layout == nullptr || !layout->has_format()) return;
    if (const auto address = decode_raw_address(packet.raw_address))
      connids_[index(sender)] = address->connid;
    else if (const auto connid = connid_of(packet))
      connids_[index(sender)] = *connid;
    if (layout->is_request()) return take_request(sender, *layout, packet);
    switch (layout->type) {
      case PacketType::handshake:
        announced_[index(sender)] =
            packet.extra_info.size() < 8 ? 0 : load_little_endian<std::uint64_t>(packet.extra_info.data());
        return;
      case PacketType::cts:
        return take_cts(sender, packet);
      case PacketType::ctsdata:
        if (Operation* const one = find([&](const Operation& it) {
              return it.source() == sender && taker_id(it) == std::optional(packet.recv_id);
            }))
          one->sent = std::max(one->sent, packet.seg_offset + packet.payload.size());
        return;
      case PacketType::readrsp:
        if (Operation* const one = find([&](const Operation& it) {
              return it.requester != sender && it.is_read() && it.requester_id == packet.recv_id;
            })) {
          one->responder_id = packet.send_id;
          one->sent = packet.payload.size();
          use_id(sender, packet.send_id);
        }
        return;
      case PacketType::eor:
      case PacketType::read_nack:
        use_id(sender, packet.recv_id);
        [[fallthrough]];
      case PacketType::receipt:
        return answered(sender, packet.send_id);
      case PacketType::atomrsp:
        return answered(sender, packet.recv_id);
      default:
        return;
    }
  }

 private:
  static constexpr RmaIov kTarget{.addr = 0x1000, .len = 0, .key = 0x77};  // `len` is the operation's
  static constexpr std::uint64_t kTag = 0x7a60;
  static constexpr std::uint32_t kFirstId = 1;

  RawAddress address_of(Side side) const {
    const OwnAddress& own = addresses_[index(side)];
    return {.gid = own.endpoint.address.as_ipv6(),
            .qpn = static_cast<std::uint16_t>(own.endpoint.port),
            .connid = connids_[index(side)]};
  }
  static OctetBuffer iov(std::uint64_t octets, std::size_t count) {
    OctetBuffer all;
    RmaIov one = kTarget;
    for (std::size_t i = 0; i < count; ++i) {
      one.len = i + 1 == count ? octets : octets / count;
      octets -= one.len;
      encode(one, all);
      one.addr += one.len;
    }
    return all;
  }
  // The number of elements of `array` that the line names, up to kMost; 1 if it names none, and 0 if the line also sets
  // their count to 0.
  static std::size_t elements(const Wishes& wishes, std::string_view array) {
    constexpr std::size_t kMost = 64;
    const std::string name(array);
    if (wishes.number(name + "_count") == 0 && !wishes.names(name + "[")) return 0;
    std::size_t count = 1;
    while (count < kMost && wishes.names(name + "[" + std::to_string(count) + "]")) ++count;
    return count;
  }

  // --- what is known

  template <class Test>
  Operation* find(Test test) {
    const auto found = std::find_if(operations_.rbegin(), operations_.rend(), test);
    return found == operations_.rend() ? nullptr : &*found;
  }
  template <class Test>
  const Operation* find(Test test) const {
    return const_cast<EfaSpeech*>(this)->find(test);
  }
  // The ID with which CTSDATA names an operation: the ID of the side that receives the data.
  static std::optional<std::uint32_t> taker_id(const Operation& one) {
    return one.is_read() ? std::optional(one.requester_id) : one.responder_id;
  }
  // Each side has its own IDs, and uses the next unused one.
  void use_id(Side side, std::uint32_t id) {
    if (id >= ids_[index(side)]) ids_[index(side)] = id + 1;
  }

  void take_request(Side sender, const Layout& layout, const Packet& packet) {
    if (layout.ordered() && packet.msg_id >= msg_ids_[index(sender)]) msg_ids_[index(sender)] = packet.msg_id + 1;
    const bool is_segment = layout.transfer == Transfer::medium || layout.transfer == Transfer::runting_read;
    if (is_segment) {
      Operation* const one = find([&](const Operation& it) {
        return it.requester == sender && it.msg_id == packet.msg_id && it.layout == &layout;
      });
      if (one != nullptr && packet.seg_offset != 0) {
        one->sent = std::max(one->sent, packet.seg_offset + packet.payload.size());
        return;
      }
    }
    Operation one{.requester = sender, .layout = &layout, .msg_id = packet.msg_id, .sent = packet.payload.size()};
    const bool has_recv_id = layout.find(Field::recv_id) != nullptr;
    one.requester_id = has_recv_id ? packet.recv_id : packet.send_id;
    if (has_recv_id || layout.find(Field::send_id) != nullptr) use_id(sender, one.requester_id);
    one.length = layout.transfer == Transfer::medium         ? packet.seg_length
                 : layout.find(Field::msg_length) != nullptr ? packet.msg_length
                                                             : packet.payload.size();
    if (layout.type == PacketType::compare_rta) one.length /= 2;  // `buf` and `compare`
    if (layout.transfer == Transfer::runting_read) one.granted = packet.runt_length;
    if (one.is_read()) one.sent = 0;
    if (operations_.size() == kMostOperations) operations_.pop_front();
    operations_.push_back(one);
  }
  void take_cts(Side sender, const Packet& packet) {
    Operation* const one = find([&](const Operation& it) {
      return it.source() != sender &&
             (it.is_read() ? it.responder_id == packet.send_id : it.requester_id == packet.send_id);
    });
    if (one == nullptr) return;
    if (!one->is_read()) {
      one->responder_id = packet.recv_id;
      use_id(sender, packet.recv_id);
    }
    one->granted += packet.recv_length;
  }
  void answered(Side sender, std::uint32_t id) {
    if (Operation* const one =
            find([&](const Operation& it) { return it.requester != sender && it.requester_id == id; }))
      one->is_answered = true;
  }

  // True if the line clears the flag of an optional header. The header is then left out, unless the line names it.
  static bool clears(const Wishes& wishes, std::string_view flag) { return wishes.number(flag) == 0; }

  // --- requests

  void request(Side sender, const Layout& layout, const Wishes& wishes, std::optional<std::uint64_t> size,
               Draft& draft) const {
    Packet& packet = draft.packet;
    packet.flags |= layout.marks;
    introduce(sender, wishes, draft);
    if (layout.ordered()) packet.msg_id = msg_ids_[index(sender)];
    if (layout.tagged) packet.tag = kTag;
    packet.send_id = packet.recv_id = ids_[index(sender)];
    packet.credit_request = 8;
    const bool is_long = layout.transfer == Transfer::long_cts || layout.transfer == Transfer::long_read ||
                         layout.transfer == Transfer::runting_read;
    const bool has_data = layout.data != Data::none;
    std::uint64_t now = has_data ? size.value_or(is_long ? kUsualFirst : kUsualSize) : 0;
    std::uint64_t length = is_long ? kUsualLength : has_data ? now : size.value_or(kUsualSize);
    if (const auto wished = wishes.number(layout.transfer == Transfer::medium ? "seg_length" : "msg_length"))
      length = *wished;
    else
      length = std::max(length, now);
    if (!size && is_long) now = std::min(now, length);
    if (layout.transfer == Transfer::runting_read) packet.runt_length = wishes.number("runt_length").value_or(now);
    if (const Operation* const open = unfinished(sender, layout)) {  // its next segment
      packet.msg_id = open->msg_id;
      packet.send_id = open->requester_id;
      packet.seg_offset = open->sent;
      length = open->length;
      if (layout.transfer == Transfer::runting_read) packet.runt_length = open->granted;
      const std::uint64_t whole = layout.transfer == Transfer::runting_read ? open->granted : open->length;
      if (!size) now = whole - open->sent;
    }
    if (layout.transfer == Transfer::medium) packet.seg_length = length;
    if (layout.type == PacketType::compare_rta) {  // has two operands, each as long as the memory
      packet.atomic_op = static_cast<std::uint32_t>(AtomicOp::cswap);
      if (size)
        length = now / 2;
      else
        now = 2 * length;
    }
    packet.msg_length = length;
    packet.recv_length = std::min<std::uint64_t>(length, UINT32_MAX);   // in a LONGCTS_RTR: the first window
    if (layout.purpose == Purpose::atomic) packet.atomic_datatype = 7;  // FI_UINT64
    if (layout.array == Array::rma_iov) {
      const std::size_t count = elements(wishes, "rma_iov");
      packet.rma_iov_count = static_cast<std::uint32_t>(count);
      draft.rma_iov = iov(length, count);
    }
    if (layout.behind == Array::read_iov) {
      const std::size_t count = elements(wishes, "read_iov");
      packet.read_iov_count = static_cast<std::uint32_t>(count);
      draft.read_iov = iov(length, count);
    }
    if (has_data) draft.payload = script::pattern(static_cast<std::size_t>(std::min(now, kMostPayload)));
  }
  // The message of several segments that its sender has not finished.
  const Operation* unfinished(Side sender, const Layout& layout) const {
    if (layout.transfer != Transfer::medium && layout.transfer != Transfer::runting_read) return nullptr;
    return find([&](const Operation& one) {
      const std::uint64_t whole = layout.transfer == Transfer::runting_read ? one.granted : one.length;
      return one.requester == sender && one.layout == &layout && one.sent < whole;
    });
  }
  // The raw address until the peer's HANDSHAKE has come, and always if the peer asks for a constant header; the connid
  // after that, if the peer asks for it.
  void introduce(Side sender, const Wishes& wishes, Draft& draft) const {
    const auto& peer = announced_[index(other(sender))];
    RawAddress self = address_of(sender);
    if (const auto connid = wishes.number("raw_addr.connid")) self.connid = static_cast<std::uint32_t>(*connid);
    const bool names_address = wishes.names("raw_addr");
    const bool has_address = !peer || *peer & extra_bits({Extra::constant_header_length});
    if (names_address || (has_address && !clears(wishes, "flags.raw_addr_hdr"))) {
      encode(self, draft.raw_address);
      // A raw address may be longer than the document describes (EFA/A-07).
      constexpr std::uint64_t kMostAddress = 1024;
      const std::uint64_t size = wishes.number("raw_addr_size").value_or(0);
      if (size > draft.raw_address.size() && size <= kMostAddress)
        draft.raw_address.resize(static_cast<std::size_t>(size));
      draft.packet.flags |= flag::kRawAddress;
      draft.packet.raw_address_size = static_cast<std::uint32_t>(draft.raw_address.size());
    } else if (peer && *peer & extra_bits({Extra::connid_header}) && !clears(wishes, "flags.connid_hdr")) {
      draft.packet.flags |= flag::kConnid;
      draft.packet.connid = self.connid;
    }
  }

  // --- answers

  void answer(Side sender, const Layout& layout, const Wishes& wishes, std::optional<std::uint64_t> size,
              Draft& draft) const {
    Packet& packet = draft.packet;
    const bool is_optional = std::ranges::count(layout.optional, flag::kConnid, &OptionalHeader::flag) > 0;
    if (!is_optional || !clears(wishes, "flags.connid_hdr")) {
      packet.flags |= flag::kConnid;
      packet.connid = address_of(sender).connid;
    }
    if (layout.type == PacketType::handshake) {
      packet.nextra_p3 = 4;
      Writer(draft.extra_info).little_endian(wishes.number("extra_info").value_or(kExtras));
      return;
    }
    const Operation* const one = meant(sender, layout, wishes);
    std::uint64_t now = size.value_or(0);
    if (one != nullptr) {
      const std::uint64_t rest = one->length - std::min(one->sent, one->length);
      packet.msg_id = one->msg_id;
      packet.send_id = one->requester_id;
      packet.recv_id = one->responder_id.value_or(ids_[index(sender)]);
      switch (layout.type) {
        case PacketType::cts:
          packet.recv_length = rest;
          if (one->is_read()) {
            packet.flags |= flag::kCtsEmulatedRead;
            packet.send_id = one->responder_id.value_or(0);
            packet.recv_id = one->requester_id;
          }
          break;
        case PacketType::ctsdata:
          packet.recv_id = taker_id(*one).value_or(0);
          packet.seg_offset = one->sent;
          if (!size) now = rest;
          break;
        case PacketType::readrsp:
          packet.recv_id = one->requester_id;
          packet.send_id = one->responder_id.value_or(ids_[index(sender)]);
          if (!size) now = one->length;
          packet.recv_length = now;
          break;
        case PacketType::atomrsp:
          packet.recv_id = one->requester_id;
          if (!size) now = one->length;
          break;
        case PacketType::peer_error:
          packet.op_id = sender == one->source() ? taker_id(*one).value_or(0) : one->requester_id;
          packet.prov_errno = cause::kGivenUp;
          break;
        default:
          break;
      }
    }
    if (layout.data == Data::none) return;
    packet.seg_length = now;
    draft.payload = script::pattern(static_cast<std::size_t>(std::min(now, kMostPayload)));
  }

  // The operation that an answer is about: the one that the line names, or the oldest that is due such an answer, or
  // the latest of its kind.
  const Operation* meant(Side sender, const Layout& layout, const Wishes& wishes) const {
    const auto can_be = [&](const Operation& one) { return takes(layout.type, sender, one); };
    const auto is_named = [&](const Operation& one) {
      const bool by_taker = layout.type == PacketType::ctsdata;
      const auto send_id = wishes.number("send_id"), recv_id = wishes.number("recv_id");
      if (by_taker) return recv_id && taker_id(one) == static_cast<std::uint32_t>(*recv_id);
      if (layout.type == PacketType::readrsp || layout.type == PacketType::atomrsp)
        return recv_id && one.requester_id == *recv_id;
      if (layout.type == PacketType::cts && one.is_read()) return send_id && one.responder_id == *send_id;
      return send_id && one.requester_id == *send_id;
    };
    if (const Operation* const named = find([&](const Operation& one) { return can_be(one) && is_named(one); }))
      return named;
    const auto due = std::ranges::find_if(
        operations_, [&](const Operation& one) { return can_be(one) && is_due(layout.type, one); });
    return due != operations_.end() ? &*due : find(can_be);
  }
  static bool takes(PacketType answer, Side sender, const Operation& one) {
    const Layout& layout = *one.layout;
    switch (answer) {
      case PacketType::cts:
        return sender != one.source() && layout.transfer == Transfer::long_cts;
      case PacketType::ctsdata:
        return sender == one.source() && layout.transfer == Transfer::long_cts;
      case PacketType::readrsp:
        return sender != one.requester && one.is_read();
      case PacketType::atomrsp:
        return sender != one.requester && layout.purpose == Purpose::atomic && layout.find(Field::recv_id) != nullptr;
      case PacketType::receipt:
        return sender != one.requester && layout.delivery_complete;
      case PacketType::eor:
      case PacketType::read_nack:
        return sender != one.requester &&
               (layout.transfer == Transfer::long_read || layout.transfer == Transfer::runting_read);
      default:
        return true;
    }
  }
  static bool is_due(PacketType answer, const Operation& one) {
    if (answer == PacketType::cts) return one.granted == 0 && one.sent < one.length;
    if (answer == PacketType::ctsdata) return one.granted > 0 && one.sent < one.length;
    if (answer == PacketType::readrsp) return !one.responder_id;
    return !one.is_answered;
  }

  // Headers that a line names although a conforming sender does not need them here.
  static void add_optional_headers(const Layout& layout, const Wishes& wishes, Packet& packet) {
    for (const OptionalHeader& header : layout.optional)
      for (const FieldRow& row : header.fields)
        if (row.field != Field::raw_address_size && wishes.names(describe(row.field).name)) packet.flags |= header.flag;
  }

  const script::Addresses addresses_;
  std::array<std::uint32_t, 2> connids_;
  std::array<std::optional<std::uint64_t>, 2> announced_;  // features announced in each side's HANDSHAKE
  std::array<std::uint32_t, 2> msg_ids_{};
  std::array<std::uint32_t, 2> ids_{kFirstId, kFirstId};
  std::deque<Operation> operations_;
};

}  // namespace

std::unique_ptr<script::Speech> make_speech(const script::Addresses& addresses) {
  return std::make_unique<EfaSpeech>(addresses);
}

}  // namespace wirelaw::efa
