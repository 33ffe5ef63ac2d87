// SPDX-License-Identifier: Apache-2.0
#include "reference/roce/cm.h"

#include <algorithm>
#include <array>

namespace wirelaw::roce {
namespace {

using Show = CmField::Show;
constexpr std::uint16_t kMadHeader = 24;

constexpr CmField number(std::string_view name, unsigned offset, std::uint8_t octets, std::uint8_t shift = 0,
                         std::uint8_t bits = 0) {
  return {name, static_cast<std::uint16_t>(kMadHeader + offset), octets, shift, bits, Show::number};
}
constexpr CmField hex(std::string_view name, unsigned offset, std::uint8_t octets) {
  return {name, static_cast<std::uint16_t>(kMadHeader + offset), octets, 0, 0, Show::hex};
}

// --- 13.4.2
constexpr CmField kBaseVersion{"infiniband.mad.baseversion", 0, 1}, kClass{"infiniband.mad.mgmtclass", 1, 1},
    kClassVersion{"infiniband.mad.classversion", 2, 1}, kMethod{"infiniband.mad.method", 3, 1},
    kTransaction{"infiniband.mad.transactionid", 8, 8, 0, 0, Show::hex},
    kAttribute{"infiniband.mad.attributeid", 16, 2, 0, 0, Show::hex};
constexpr CmField kMadFields[] = {kBaseVersion,
                                  kClass,
                                  kClassVersion,
                                  kMethod,
                                  {"infiniband.mad.status", 4, 2},
                                  {"infiniband.mad.classspecific", 6, 2},
                                  kTransaction,
                                  kAttribute,
                                  {"infiniband.mad.attributemodifier", 20, 4, 0, 0, Show::hex}};
constexpr std::uint8_t kCmClass = 7, kCmClassVersion = 2, kSend = 3;

// --- 12.6.5, A11.6
constexpr unsigned kRequestPrivate = 140;
constexpr CmField kReqId = hex("infiniband.cm.req", 0, 4), kReqService = hex("infiniband.cm.req.serviceid", 8, 8),
                  kReqQpn = hex("infiniband.cm.req.localqpn", 32, 3),
                  kReqPsn = number("infiniband.cm.req.startpsn", 44, 3),
                  kReqMtu = number("infiniband.cm.req.pppmtu", 50, 1, 4, 4),
                  kReqPartition = hex("infiniband.cm.req.pkey", 48, 2),
                  kReqIpVersion = number("infiniband.cm.req.ip_cm.ipv", kRequestPrivate + 1, 1, 4, 4);
constexpr CmField kRequestFields[] = {
    kReqId,
    kReqService,
    hex("infiniband.cm.req.localcaguid", 16, 8),
    hex("infiniband.cm.req.localqkey", 28, 4),
    kReqQpn,
    number("infiniband.cm.req.responderres", 35, 1),
    hex("infiniband.cm.req.localeecn", 36, 3),
    number("infiniband.cm.req.initdepth", 39, 1),
    hex("infiniband.cm.req.remoteeecn", 40, 3),
    number("infiniband.cm.req.remoteresptout", 43, 1, 3, 5),
    number("infiniband.cm.req.transpsvctype", 43, 1, 1, 2),
    number("infiniband.cm.req.e2eflowctrl", 43, 1, 0, 1),
    kReqPsn,
    number("infiniband.cm.req.localresptout", 47, 1, 3, 5),
    number("infiniband.cm.req.retrcount", 47, 1, 0, 3),
    kReqPartition,
    kReqMtu,
    number("infiniband.cm.req.rdcexist", 50, 1, 3, 1),
    number("infiniband.cm.req.rnrretrcount", 50, 1, 0, 3),
    number("infiniband.cm.req.maxcmretr", 51, 1, 4, 4),
    number("infiniband.cm.req.srq", 51, 1, 3, 1),
    number("infiniband.cm.req.ip_cm.majv", kRequestPrivate, 1, 4, 4),
    number("infiniband.cm.req.ip_cm.minv", kRequestPrivate, 1, 0, 4),
    kReqIpVersion,
    number("infiniband.cm.req.ip_cm.sport", kRequestPrivate + 2, 2),
};

// --- 12.6.8
constexpr unsigned kReplyPrivate = 36;
constexpr CmField kRepId = hex("infiniband.cm.rep", 0, 4), kRepRemoteId = hex("infiniband.cm.rep.remotecommid", 4, 4),
                  kRepQpn = hex("infiniband.cm.rep.localqpn", 12, 3),
                  kRepPsn = number("infiniband.cm.rep.startpsn", 20, 3);
constexpr CmField kReplyFields[] = {
    kRepId,
    kRepRemoteId,
    hex("infiniband.cm.rep.localqkey", 8, 4),
    kRepQpn,
    hex("infiniband.cm.rep.localeecn", 16, 3),
    kRepPsn,
    number("infiniband.cm.rep.respres", 24, 1),
    number("infiniband.cm.rep.initdepth", 25, 1),
    number("infiniband.cm.rep.tgtackdelay", 26, 1, 3, 5),
    number("infiniband.cm.rep.failoveracc", 26, 1, 1, 2),
    number("infiniband.cm.rep.e2eflowctrl", 26, 1, 0, 1),
    number("infiniband.cm.rep.rnrretrcount", 27, 1, 5, 3),
    number("infiniband.cm.rep.srq", 27, 1, 4, 1),
    hex("infiniband.cm.rep.localcaguid", 28, 8),
};

// --- 12.6.9, 12.6.7, 12.6.10, 12.6.11, 12.6.6
constexpr CmField kLocalId = hex("", 0, 4), kRemoteId = hex("", 4, 4);
constexpr CmField kReadyFields[] = {hex("infiniband.cm.rtu.localcommid", 0, 4),
                                    hex("infiniband.cm.rtu.remotecommid", 4, 4)};
constexpr CmField kRejectionReason = number("infiniband.cm.rej.reason", 10, 2);
constexpr CmField kRejectionFields[] = {hex("infiniband.cm.rej.localcommid", 0, 4),
                                        hex("infiniband.cm.rej.remotecommid", 4, 4),
                                        number("infiniband.cm.rej.msgrej", 8, 1, 6, 2),
                                        number("infiniband.cm.rej.rejinfolen", 9, 1, 1, 7), kRejectionReason};
constexpr CmField kDisconnectionQpn = hex("infiniband.cm.req.remoteqpneecn", 8, 3);
constexpr CmField kDisconnectionFields[] = {hex("infiniband.cm.dreq.localcommid", 0, 4),
                                            hex("infiniband.cm.dreq.remotecommid", 4, 4), kDisconnectionQpn};
constexpr CmField kDisconnectedFields[] = {hex("infiniband.cm.drsp.localcommid", 0, 4),
                                           hex("infiniband.cm.drsp.remotecommid", 4, 4)};

struct TypeRow {
  CmType type;
  std::string_view name;  // as in Wireshark
  std::span<const CmField> fields;
  std::uint16_t private_data;  // offset of the private data after the header
};
constexpr TypeRow kTypes[] = {
    {CmType::request, "ConnectRequest", kRequestFields, kRequestPrivate},
    {CmType::receipt, "MsgRcptAck", {}, 10},
    {CmType::rejection, "ConnectReject", kRejectionFields, 84},
    {CmType::reply, "ConnectReply", kReplyFields, kReplyPrivate},
    {CmType::ready, "ReadyToUse", kReadyFields, 8},
    {CmType::disconnection, "DisconnectRequest", kDisconnectionFields, 12},
    {CmType::disconnected, "DisconnectReply", kDisconnectedFields, 8},
};

const TypeRow* find_row(std::uint64_t attribute) {
  const auto* const row = std::ranges::find_if(
      kTypes, [&](const TypeRow& one) { return static_cast<std::uint16_t>(one.type) == attribute; });
  return row == std::end(kTypes) ? nullptr : row;
}

void store(Octet* mad, const CmField& field, std::uint64_t value) {
  const unsigned bits = field.bits == 0 ? field.octets * 8U : field.bits;
  const std::uint64_t mask = (bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1) << field.shift;
  for (std::size_t i = 0; i < field.octets; ++i) {
    const std::size_t down = 8 * (field.octets - 1 - i);
    Octet& octet = mad[field.offset + i];
    octet = static_cast<Octet>((octet & ~(mask >> down)) | (((value << field.shift) & mask) >> down));
  }
}

std::uint32_t load_32(Octets mad, const CmField& field) {
  return static_cast<std::uint32_t>(load(mad, field));
}

}  // namespace

std::uint64_t load(Octets mad, const CmField& field) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < field.octets; ++i) value = value << 8 | mad[field.offset + i];
  value >>= field.shift;
  return field.bits == 0 ? value : value & ((std::uint64_t{1} << field.bits) - 1);
}

std::span<const CmField> mad_fields() {
  return kMadFields;
}
std::span<const CmField> fields_of(CmType type) {
  const TypeRow* const row = find_row(static_cast<std::uint16_t>(type));
  return row ? row->fields : std::span<const CmField>();
}
std::string_view name_of(CmType type) {
  const TypeRow* const row = find_row(static_cast<std::uint16_t>(type));
  return row ? row->name : "MAD";
}

std::optional<std::uint16_t> CmMessage::service_port() const {
  const auto port = static_cast<std::uint16_t>(service_id);
  return service_id == service_of(port) ? std::optional(port) : std::nullopt;
}

std::optional<CmMessage> decode_cm(Octets mad) {
  if (mad.size() < kMadOctets || load(mad, kClass) != kCmClass) return std::nullopt;
  const TypeRow* const row = find_row(load(mad, kAttribute));
  if (row == nullptr) return std::nullopt;
  CmMessage message{.type = row->type, .transaction = load(mad, kTransaction), .local_id = load_32(mad, kLocalId)};
  message.private_data = mad.first(kMadOctets).subspan(kMadHeader + row->private_data);
  if (row->type == CmType::request) {
    message.qpn = load_32(mad, kReqQpn);
    message.starting_psn = load_32(mad, kReqPsn);
    message.service_id = load(mad, kReqService);
    message.path_mtu = static_cast<std::uint8_t>(load(mad, kReqMtu));
    if (message.service_port()) message.private_data = message.private_data.subspan(kIpCmOctets);
    return message;
  }
  message.remote_id = load_32(mad, kRemoteId);
  if (row->type == CmType::reply) {
    message.qpn = load_32(mad, kRepQpn);
    message.starting_psn = load_32(mad, kRepPsn);
  }
  if (row->type == CmType::disconnection) message.qpn = load_32(mad, kDisconnectionQpn);
  if (row->type == CmType::rejection) message.reason = static_cast<std::uint16_t>(load(mad, kRejectionReason));
  return message;
}

void encode(const CmMessage& message, OctetBuffer& out) {
  std::array<Octet, kMadOctets> octets{};
  Octet* const mad = octets.data();
  const TypeRow* const row = find_row(static_cast<std::uint16_t>(message.type));
  store(mad, kBaseVersion, 1);
  store(mad, kClass, kCmClass);
  store(mad, kClassVersion, kCmClassVersion);
  store(mad, kMethod, kSend);
  store(mad, kTransaction, message.transaction);
  store(mad, kAttribute, static_cast<std::uint16_t>(message.type));
  store(mad, kLocalId, message.local_id);
  std::size_t private_data = kMadHeader + (row ? row->private_data : 0U);
  if (message.type == CmType::request) {
    store(mad, kReqService, message.service_id);
    store(mad, kReqQpn, message.qpn);
    store(mad, kReqPsn, message.starting_psn);
    store(mad, kReqMtu, message.path_mtu);
    store(mad, kReqPartition, 0xffff);
    if (message.service_port()) {
      store(mad, kReqIpVersion, 4);
      private_data += kIpCmOctets;
    }
  } else {
    store(mad, kRemoteId, message.remote_id);
  }
  if (message.type == CmType::reply) {
    store(mad, kRepQpn, message.qpn);
    store(mad, kRepPsn, message.starting_psn);
  }
  if (message.type == CmType::disconnection) store(mad, kDisconnectionQpn, message.qpn);
  if (message.type == CmType::rejection) store(mad, kRejectionReason, message.reason);
  const Octets data = message.private_data.first(std::min(message.private_data.size(), kMadOctets - private_data));
  std::ranges::copy(data, mad + private_data);
  Writer(out).octets(octets);
}

}  // namespace wirelaw::roce
