// SPDX-License-Identifier: Apache-2.0
#include "conformance/roce/decode.h"

#include <fmt/format.h>

#include "conformance/field_list.h"
#include "reference/roce/cm.h"
#include "reference/roce/packet.h"

namespace wirelaw::roce {
namespace {

void add_bth(FieldList& list, const Packet& packet) {
  const Bth& bth = packet.bth;
  list.number("infiniband.bth.opcode", bth.opcode, 0, 1, packet.row ? packet.row->name : std::string_view());
  list.flag("infiniband.bth.se", bth.solicited, 1);
  list.flag("infiniband.bth.m", bth.migrated, 1);
  list.number("infiniband.bth.padcnt", bth.pad, 1, 1);
  list.number("infiniband.bth.tver", bth.version, 1, 1);
  list.number("infiniband.bth.p_key", bth.partition_key, 2, 2);
  list.hex("infiniband.bth.destqp", bth.destination_qp, 5, 3);
  list.flag("infiniband.bth.a", bth.ack_request, 8);
  list.number("infiniband.bth.reserved7", bth.reserved, 8, 1);
  list.number("infiniband.bth.psn", bth.psn, 9, 3);
}

std::string_view word_of(std::uint8_t syndrome) {
  static constexpr std::string_view kWords[] = {"ACK", "RNR NAK", "reserved", "NAK"};
  return kWords[syndrome_kind(syndrome) & 3];
}

// The extension headers, in order.
void add_headers(FieldList& list, const Packet& packet) {
  std::size_t at = kBthOctets;
  if (packet.deth) {
    list.hex("infiniband.deth.q_key", packet.deth->queue_key, at, 4);
    list.hex("infiniband.deth.srcqp", packet.deth->source_qp, at + 5, 3);
    at += 8;
  }
  if (packet.reth) {
    list.hex("infiniband.reth.va", packet.reth->address, at, 8);
    list.hex("infiniband.reth.r_key", packet.reth->key, at + 8, 4);
    list.number("infiniband.reth.dmalen", packet.reth->length, at + 12, 4);
    at += 16;
  }
  const bool is_answer = packet.aeth.has_value();
  if (!packet.atomic.empty() && !is_answer) {
    list.hex("infiniband.reth.va", load_big_endian<std::uint64_t>(packet.atomic.data()), at, 8);
    list.hex("infiniband.reth.r_key", load_big_endian<std::uint32_t>(packet.atomic.data() + 8), at + 8, 4);
    list.number("infiniband.atomiceth.swapdt", load_big_endian<std::uint64_t>(packet.atomic.data() + 12), at + 12, 8);
    list.number("infiniband.atomiceth.cmpdt", load_big_endian<std::uint64_t>(packet.atomic.data() + 20), at + 20, 8);
    at += packet.atomic.size();
  }
  if (packet.aeth) {
    list.number("infiniband.aeth.syndrome", packet.aeth->syndrome, at, 1, word_of(packet.aeth->syndrome));
    list.number("infiniband.aeth.msn", packet.aeth->msn, at + 1, 3);
    at += 4;
  }
  if (!packet.atomic.empty() && is_answer) {
    list.number("infiniband.atomicacketh.origremdt", load_big_endian<std::uint64_t>(packet.atomic.data()), at, 8);
    at += packet.atomic.size();
  }
  if (packet.immediate) list.bytes("infiniband.immdt", at, 4);
  if (packet.invalidated_key) list.bytes("infiniband.ieth", at, 4);
}

void add(FieldList& list, const CmField& field, std::size_t begin, Octets mad) {
  const std::size_t at = begin + field.offset;
  if (field.show == CmField::Show::hex)
    list.hex(field.name, load(mad, field), at, field.octets);
  else
    list.number(field.name, load(mad, field), at, field.octets);
}

void add_management(FieldList& list, const Packet& packet, const CmMessage& cm) {
  for (const CmField& field : mad_fields()) add(list, field, packet.payload_offset, packet.payload);
  for (const CmField& field : fields_of(cm.type)) add(list, field, packet.payload_offset, packet.payload);
}

std::string summary_of(const Packet& packet, const std::optional<CmMessage>& cm) {
  if (cm) {
    std::string text = fmt::format("CM: {}", name_of(cm->type));
    if (cm->type == CmType::request || cm->type == CmType::reply)
      text += fmt::format(" QP=0x{:06x} PSN={}", cm->qpn, cm->starting_psn);
    if (cm->type == CmType::request) {
      if (const auto port = cm->service_port()) text += fmt::format(" port {}", *port);
    }
    return text;
  }
  if (packet.row == nullptr) return fmt::format("opcode 0x{:02x}", packet.bth.opcode);
  std::string text = fmt::format("{} QP=0x{:06x} PSN={}", packet.row->name, packet.bth.destination_qp, packet.bth.psn);
  if (packet.aeth && packet.is(Kind::acknowledge)) text += fmt::format(" {}", word_of(packet.aeth->syndrome));
  if (packet.reth) text += fmt::format(" key 0x{:08x} length {}", packet.reth->key, packet.reth->length);
  if (packet.invalidated_key) text += fmt::format(" invalidates 0x{:08x}", *packet.invalidated_key);
  return text;
}

}  // namespace

// The datagram is assumed to be complete: the last octets of a truncated one are shown as the CRC.
Decoded decode_for_people(Octets octets) {
  const auto packet = decode(octets);
  if (!packet)
    return {.summary = "RoCEv2",
            .fields = {},
            .error = fmt::format("{} (offset {})", packet.error().text, packet.error().offset)};
  FieldList list(octets);
  add_bth(list, *packet);
  add_headers(list, *packet);
  const bool is_management = packet->is(Kind::datagram) && packet->bth.destination_qp == kManagementQpn;
  const auto cm = is_management ? decode_cm(packet->payload) : std::nullopt;
  if (cm)
    add_management(list, *packet, *cm);
  else if (!packet->payload.empty())
    list.bytes("infiniband.payload", packet->payload_offset, packet->payload.size());
  list.hex("infiniband.invariant.crc", load_big_endian<std::uint32_t>(octets.last(kIcrcOctets).data()),
           octets.size() - kIcrcOctets, kIcrcOctets);
  return {.summary = summary_of(*packet, cm), .fields = list.take(), .error = {}};
}

}  // namespace wirelaw::roce
