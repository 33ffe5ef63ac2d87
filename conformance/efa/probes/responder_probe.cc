// SPDX-License-Identifier: Apache-2.0
#include "conformance/efa/probes/responder_probe.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/own_part.h"

namespace wirelaw::efa {
namespace {

constexpr std::size_t kReadrspHeader = 24;
constexpr std::size_t kCtsdataHeader = 32;

}  // namespace

// -------------------------------------------------------------------------------------------------------- beginning

void ResponderProbe::meet() {
  const OctetBuffer hello = text("a plain eager message");
  send_message(hello);
  if (!await_handshake()) return inconclusive("no HANDSHAKE answered a plain message, so the case could not begin");
  if (!echoes_) return;
  const auto echo = await_message(hello);
  if (!echo || echo->octets != hello) inconclusive("a plain eager message was not echoed, so the case could not begin");
}

void ResponderProbe::announce_rdma_writes() {
  if (peer_announces(Extra::unsolicited_write_recv))
    announce({Extra::rdma_read, Extra::rdma_write, Extra::unsolicited_write_recv});
  else
    announce({Extra::rdma_read, Extra::rdma_write});
  if (ok()) send_handshake();
}

// --------------------------------------------------------------------------------------------------------- messages

std::vector<OctetBuffer> ResponderProbe::message_packets(std::uint32_t msg_id, Octets message,
                                                         const SendOptions& options, std::uint32_t send_id) {
  const Layout& layout =
      *find_request(Purpose::message, options.transfer, options.tag.has_value(), options.delivery_complete);
  std::vector<OctetBuffer> packets;
  std::size_t at = 0;
  do {
    Packet packet = request(layout.type);
    if (options.cq_data) {
      packet.flags |= flag::kCqData;
      packet.cq_data = *options.cq_data;
    }
    packet.msg_id = msg_id;
    packet.send_id = send_id;
    packet.tag = options.tag.value_or(0);
    packet.msg_length = message.size();
    packet.seg_length = message.size();  // like deployed senders (EFA/A-03)
    packet.seg_offset = at;
    packet.credit_request = options.credit_request;
    const std::size_t room = packet_octets() - octets_of(packet).size();
    std::size_t octets = message.size() - at;
    if (options.transfer == Transfer::long_cts) octets = std::min(options.in_request, octets);
    if (options.transfer == Transfer::medium && options.segment > 0) octets = std::min(options.segment, octets);
    packet.payload = message.subspan(at, std::min(octets, room));
    at += packet.payload.size();
    packets.push_back(octets_of(packet));
  } while (options.transfer == Transfer::medium && at < message.size());
  return packets;
}

// No device duplicates packets, so no peer must expect it.
void ResponderProbe::send_doubled(const OctetBuffer& octets, bool doubled) {
  if (doubled) stimulates_nothing();
  send_good(octets);
  if (doubled) send_good(octets);
}

bool ResponderProbe::send_message(Octets message, const SendOptions& options) {
  return send_message(next_msg_id(), message, options);
}

bool ResponderProbe::send_message(std::uint32_t msg_id, Octets message, const SendOptions& options) {
  const std::uint32_t send_id = fresh_id();
  std::vector<OctetBuffer> packets = message_packets(msg_id, message, options, send_id);
  if (options.backwards) std::ranges::reverse(packets);
  for (const OctetBuffer& packet : packets) send_doubled(packet, options.doubled);
  if (options.transfer == Transfer::long_cts && !send_windows(send_id, message, options)) return false;
  return ok() && (!options.delivery_complete || await_receipt(send_id));
}

const Received* ResponderProbe::await_cts(std::uint32_t send_id) {
  return await([send_id](const Received& one) { return one.is(PacketType::cts) && one.packet.send_id == send_id; });
}

// Sends CTSDATA for the grant of each CTS, until everything is sent (3.2).
bool ResponderProbe::send_windows(std::uint32_t send_id, Octets message, const SendOptions& options) {
  std::uint64_t sent = std::min(options.in_request, message.size());
  while (sent < message.size()) {
    const Received* const cts = await_cts(send_id);
    if (cts == nullptr || cts->packet.recv_length == 0) return false;
    const std::uint64_t end = sent + std::min<std::uint64_t>(cts->packet.recv_length, message.size() - sent);
    const std::size_t room = packet_octets() - kCtsdataHeader;
    const std::size_t segment = options.segment == 0 ? room : std::min(options.segment, room);
    std::vector<OctetBuffer> packets;
    while (sent < end) {
      Packet packet =
          peer_announces(Extra::connid_header) ? answer(PacketType::ctsdata) : packet_of(PacketType::ctsdata);
      packet.recv_id = cts->packet.recv_id;
      packet.seg_offset = sent;
      packet.seg_length = std::min<std::uint64_t>(segment, end - sent);
      packet.payload = message.subspan(static_cast<std::size_t>(sent), static_cast<std::size_t>(packet.seg_length));
      sent += packet.seg_length;
      packets.push_back(encode(packet));
    }
    if (options.backwards) std::ranges::reverse(packets);
    for (const OctetBuffer& packet : packets) send_doubled(packet, options.doubled);
  }
  return ok();
}

bool ResponderProbe::await_receipt(std::uint32_t send_id) {
  return await([send_id](const Received& one) {
           return one.is(PacketType::receipt) && one.packet.send_id == send_id;
         }) != nullptr;
}

std::optional<WholeMessage> ResponderProbe::await_message() {
  if (!await_until(in(run().answer_time()), [this] { return !intake_.messages().empty(); })) return std::nullopt;
  static_cast<void>(await_until(in(run().silence_time()), [this] { return intake_.has_next(); }));
  if (intake_.messages().empty()) return std::nullopt;
  return intake_.take_earliest();
}

std::optional<WholeMessage> ResponderProbe::await_message(Octets like) {
  intake_.expected_octets = like.size();
  return await_message();
}

bool ResponderProbe::expect_echoed(const Rule& rule, Octets message, std::string_view explanation) {
  const auto echo = await_message(message);
  if (!ok()) return false;
  return require(rule, echo && std::ranges::equal(echo->octets, message), size_of(message),
                 echo ? difference(message, echo->octets) : "no echo", explanation);
}

bool ResponderProbe::prefer_echoed(const Rule& rule, Octets message, std::string_view explanation) {
  if (!ok()) return false;
  const auto echo = await_message(message);
  return ok() && advise(rule, echo && std::ranges::equal(echo->octets, message), size_of(message),
                        echo ? difference(message, echo->octets) : "no echo", explanation);
}

bool ResponderProbe::expect_echo(const Rule& rule, Octets message, const SendOptions& options,
                                 std::string_view explanation) {
  if (!ok()) return false;
  stimulates_own_rule();
  const bool sent = send_message(message, options);
  if (!ok()) return false;
  if (!sent)
    return require(rule, false, options.transfer == Transfer::long_cts ? "a CTS that allows data" : "a RECEIPT", "none",
                   explanation);
  return expect_echoed(rule, message, explanation);
}

bool ResponderProbe::expect_no_message(const Rule& rule, std::string_view expected, std::string_view explanation) {
  if (!ok()) return false;
  listen();
  const auto& messages = intake_.messages();
  return require(rule, messages.empty(), expected,
                 messages.empty() ? "" : fmt::format("a message of {}", size_of(messages.front().octets)), explanation);
}

// ----------------------------------------------------------------------------------------------- one-sided operations

// If several testers run at once, each owns a part of the memory. Asking for "addr" waits until the whole memory is
// free.
void ResponderProbe::need_memory(std::uint64_t octets, bool whole) {
  if (!ok()) return;
  const auto key = number_of(run().parameter("key"));
  const auto own = number_of(run().parameter(kOwnPart)), own_length = number_of(run().parameter(kOwnPartLength));
  if (!whole && key && own && own_length && octets <= *own_length) {
    region_ = {*own, *own_length, *key};
    return;
  }
  const auto addr = number_of(run().parameter("addr")), length = number_of(run().parameter("length"));
  if (!addr || !key || !length)
    return skip("no registered memory of the peer is known: use ?addr=…&key=…&length=… in its URI");
  if (*length < octets)
    return skip(fmt::format("needs {} octets of registered memory, and the peer has {}", octets, *length));
  region_ = {*addr, *length, *key};
}

Packet ResponderProbe::one_sided(PacketType type, const std::vector<RmaIov>& iovs) {
  iov_octets_.clear();
  std::uint64_t total = 0;
  for (const RmaIov& iov : iovs) {
    encode(iov, iov_octets_);
    total += iov.len;
  }
  Packet packet = request(type);
  packet.rma_iov = iov_octets_;
  packet.rma_iov_count = static_cast<std::uint32_t>(iovs.size());
  packet.msg_length = total;
  packet.credit_request = 64;
  return packet;
}

bool ResponderProbe::write(const std::vector<RmaIov>& to, Octets data, const SendOptions& options) {
  if (!ok()) return false;
  const Layout& layout = *find_request(Purpose::write, options.transfer, false, options.delivery_complete);
  Packet packet = one_sided(layout.type, to);
  packet.send_id = fresh_id();
  packet.credit_request = options.credit_request;
  if (options.cq_data) {
    packet.flags |= flag::kCqData;
    packet.cq_data = *options.cq_data;
  }
  const bool long_cts = options.transfer == Transfer::long_cts;
  packet.payload = long_cts ? data.first(std::min(options.in_request, data.size())) : data;
  send_doubled(octets_of(packet), options.doubled);
  if (long_cts && !send_windows(packet.send_id, data, options)) return false;
  return ok() && (!options.delivery_complete || await_receipt(packet.send_id));
}

// Deployed responders put recv_id first, the document puts it second (EFA/A-02).
std::optional<OctetBuffer> ResponderProbe::read(const RmaIov& from) {
  const std::size_t most = packet_octets() - kReadrspHeader - 1;
  OctetBuffer all;
  for (std::uint64_t at = 0; at < from.len && ok();) {
    const std::uint64_t octets = std::min<std::uint64_t>(most, from.len - at);
    Packet packet = one_sided(PacketType::short_rtr, {{from.addr + at, octets, from.key}});
    packet.recv_id = fresh_id();
    const std::uint32_t id = packet.recv_id;
    send_good(packet);
    const Received* const response = await([id](const Received& one) {
      return one.is(PacketType::readrsp) && (one.packet.recv_id == id || one.packet.send_id == id);
    });
    if (response == nullptr || response->packet.payload.size() != octets) return std::nullopt;
    all.insert(all.end(), response->packet.payload.begin(), response->packet.payload.end());
    at += octets;
  }
  if (!ok()) return std::nullopt;
  return all;
}

// Receives READRSP, then CTSDATA up to the window, then sends the next CTS (EFA/A-26).
std::optional<OctetBuffer> ResponderProbe::read_long(const std::vector<RmaIov>& from, const LongRead& how) {
  Packet packet = one_sided(PacketType::longcts_rtr, from);
  const std::uint64_t total = packet.msg_length;
  const std::uint32_t id = packet.recv_id = fresh_id();
  packet.recv_length = std::min(how.first_window, total);
  OctetBuffer all(static_cast<std::size_t>(total));
  Coverage here;
  std::uint64_t allowed = packet.recv_length;
  std::optional<std::uint32_t> send_id;
  send_good(packet);
  const auto take = [&](std::uint64_t offset, Octets octets) {
    if (offset > total || octets.size() > total - offset) return;
    std::ranges::copy(octets, all.begin() + static_cast<std::ptrdiff_t>(offset));
    static_cast<void>(here.add(offset, offset + octets.size(), 4096));
  };
  while (here.octets() < total) {
    const Received* const one = await([id](const Received& any) {
      return (any.is(PacketType::readrsp) && (any.packet.recv_id == id || any.packet.send_id == id)) ||
             (any.is(PacketType::ctsdata) && any.packet.recv_id == id);
    });
    if (one == nullptr) return std::nullopt;
    const bool first = one->is(PacketType::readrsp);
    if (first) send_id = one->packet.recv_id == id ? one->packet.send_id : one->packet.recv_id;
    take(first ? 0 : one->packet.seg_offset, one->packet.payload);
    if (!send_id || here.octets() < allowed || here.octets() == total) continue;
    Packet cts = answer(PacketType::cts);
    cts.flags |= flag::kCtsEmulatedRead;
    cts.send_id = *send_id;
    cts.recv_id = id;
    cts.recv_length = std::min(how.window, total - here.octets());
    allowed += cts.recv_length;
    send_good(cts);
  }
  return all;
}

void ResponderProbe::prepare(std::uint64_t offset, Octets octets) {
  if (!ok()) return;
  const std::size_t most = packet_octets() / 2;
  for (std::size_t at = 0; at < octets.size(); at += most) {
    const Octets some = octets.subspan(at, std::min(most, octets.size() - at));
    write({part(offset + at, some.size())}, some);
  }
  for (unsigned attempt = 0; attempt < kTries && ok(); ++attempt) {
    const auto there = read(part(offset, octets.size()));
    if (!there) break;
    if (std::ranges::equal(*there, octets)) return;
    settle();
  }
  inconclusive("the written octets could not be read back, so the case could not begin");
}

bool ResponderProbe::expect_memory(const Rule& rule, std::uint64_t offset, Octets octets,
                                   std::string_view explanation) {
  std::optional<OctetBuffer> there;
  for (unsigned attempt = 0; attempt < kTries && ok(); ++attempt) {
    there = read(part(offset, octets.size()));
    if (!there || std::ranges::equal(*there, octets)) break;
    settle();
  }
  if (!ok()) return false;
  if (!there) {
    inconclusive("memory could not be read back");
    return false;
  }
  return require(rule, std::ranges::equal(*there, octets), size_of(octets), difference(octets, *there), explanation);
}

Packet ResponderProbe::atomic_request(const AtomicStep& step, const std::vector<RmaIov>& on, std::uint32_t recv_id) {
  const PacketType type = step.call == AtomicCall::compare ? PacketType::compare_rta
                          : step.call == AtomicCall::fetch ? PacketType::fetch_rta
                                                           : PacketType::write_rta;
  Packet packet = one_sided(type, on);
  packet.msg_id = next_msg_id();
  packet.atomic_op = static_cast<std::uint32_t>(step.op);
  packet.atomic_datatype = static_cast<std::uint32_t>(step.datatype);
  packet.recv_id = recv_id;
  operands_ = step.operand;
  operands_.insert(operands_.end(), step.compare.begin(), step.compare.end());
  packet.payload = operands_;
  return packet;
}

std::optional<OctetBuffer> ResponderProbe::atomic(const AtomicStep& step, const std::vector<RmaIov>& on) {
  if (!ok()) return std::nullopt;
  const std::uint32_t id = fresh_id();
  send(atomic_request(step, on, id));
  if (step.call == AtomicCall::write) return std::nullopt;
  const Received* const response =
      await([id](const Received& one) { return one.is(PacketType::atomrsp) && one.packet.recv_id == id; });
  if (response == nullptr) return std::nullopt;
  return OctetBuffer(response->packet.payload.begin(), response->packet.payload.end());
}

// ------------------------------------------------------------------------------------------------------------ alive

bool ResponderProbe::is_alive(const Rule& rule, std::string_view explanation, Severity severity) {
  if (!ok()) return false;
  settle();
  ResponderProbe other(run(), 99);
  const OctetBuffer hello = text("another requester");
  other.send_message(hello);
  std::string_view actual;
  if (!other.await_handshake())
    actual = "no HANDSHAKE answers its first message";
  else if (const auto echo = echoes_ ? other.await_message(hello) : std::nullopt;
           echoes_ && (!echo || echo->octets != hello))
    actual = "its message is not echoed";
  if (!other.ok()) {
    stop();
    return false;
  }
  constexpr std::string_view kExpected = "the responder serves another requester";
  return severity == Severity::violation ? require(rule, actual.empty(), kExpected, actual, explanation)
                                         : advise(rule, actual.empty(), kExpected, actual, explanation);
}

bool ResponderProbe::expect_alive(const Rule& rule, std::string_view explanation) {
  return is_alive(rule, explanation, Severity::violation);
}

bool ResponderProbe::prefer_alive(const Rule& rule, std::string_view explanation) {
  return is_alive(rule, explanation, Severity::warning);
}

bool ResponderProbe::expect_untouched(const Rule& rule, std::uint64_t offset, Octets octets,
                                      std::string_view explanation) {
  if (!expect_alive(rule, explanation)) return false;
  ResponderProbe other(run(), 98);
  other.region_ = region_;
  const auto there = other.read(other.part(offset, octets.size()));
  if (!other.ok()) {
    stop();
    return false;
  }
  return require(rule, there && std::ranges::equal(*there, octets), "unchanged memory: " + size_of(octets),
                 there ? difference(octets, *there) : "the memory cannot be read", explanation);
}

}  // namespace wirelaw::efa
