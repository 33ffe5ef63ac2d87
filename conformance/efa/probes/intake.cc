// SPDX-License-Identifier: Apache-2.0
#include "conformance/efa/probes/intake.h"

#include <algorithm>
#include <utility>

#include "reference/efa/atomic.h"

namespace wirelaw::efa {
namespace {

// No implementation under test needs more from a probe. Requests for more are ignored.
constexpr std::uint64_t kMostOctets = std::uint64_t{64} << 20;
constexpr std::size_t kMostGaps = 4096;
constexpr std::size_t kCtsdataHeader = 32;  // including connid
constexpr std::size_t kReadrspHeader = 24;
constexpr std::size_t kMostHeader = 96;  // largest header of a message, with optional headers
constexpr std::size_t kLongestMedium = 65'536;

std::uint64_t total_of(Octets rma_iov) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < rma_iov_count(rma_iov); ++i) {
    const std::uint64_t len = rma_iov_at(rma_iov, i).len;
    if (len > kMostOctets || (sum += len) > kMostOctets) return kMostOctets + 1;
  }
  return sum;
}

}  // namespace

// ----------------------------------------------------------------------------------------------------------- memory

// The content of memory that nobody has written. Every page is the same, which is enough for the cases.
const OctetBuffer& LentMemory::untouched() {
  static const OctetBuffer kPageOfIt = sample_octets(kPage, 0x1e47);
  return kPageOfIt;
}

OctetBuffer LentMemory::read(std::uint64_t addr, std::uint64_t octets) const {
  OctetBuffer out;
  out.reserve(static_cast<std::size_t>(octets));
  while (octets > 0) {
    const auto found = pages_.find(addr / kPage);
    const Octets page = found == pages_.end() ? untouched() : found->second;
    const Octets part = page.subspan(addr % kPage);
    const std::size_t some = static_cast<std::size_t>(std::min<std::uint64_t>(part.size(), octets));
    out.insert(out.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(some));
    addr += some;
    octets -= some;
  }
  return out;
}

void LentMemory::write(std::uint64_t addr, Octets octets) {
  while (!octets.empty()) {
    OctetBuffer& page = pages_.try_emplace(addr / kPage, untouched()).first->second;
    const std::size_t at = static_cast<std::size_t>(addr % kPage);
    const std::size_t some = std::min(page.size() - at, octets.size());
    std::ranges::copy(octets.first(some), page.begin() + static_cast<std::ptrdiff_t>(at));
    addr += some;
    octets = octets.subspan(some);
  }
}

// -------------------------------------------------------------------------------------------------------- packets in

bool Intake::take(const Received& received) {
  const Packet& packet = received.packet;
  if (packet.is(PacketType::ctsdata)) return take_ctsdata(packet);
  if (packet.is(PacketType::cts)) return take_cts(packet);
  const Layout* const layout = packet.layout();
  if (layout == nullptr || !layout->is_request()) return false;
  switch (layout->purpose) {
    case Purpose::message:
      return take_message(packet);
    case Purpose::write:
      return take_write(packet);
    case Purpose::read:
      return take_read(packet);
    case Purpose::atomic:
      return take_atomic(packet);
    case Purpose::none:
      break;
  }
  return false;
}

Intake::Incoming* Intake::begin(const Packet& packet, std::uint64_t total) {
  if (total > kMostOctets) return nullptr;
  Incoming& one = incoming_[++next_recv_id_];
  one.request = packet.layout();
  one.msg_id = packet.msg_id;
  one.send_id = packet.send_id;
  if (one.request->tagged) one.tag = packet.tag;
  if (packet.has(flag::kCqData)) one.cq_data = packet.cq_data;
  one.rma_iov.assign(packet.rma_iov.begin(), packet.rma_iov.end());
  one.total = total;
  one.octets.resize(static_cast<std::size_t>(total));
  return &one;
}

bool Intake::take_message(const Packet& packet) {
  const Layout& layout = *packet.layout();
  if (layout.behind != Array::none) return take_by_read(packet);
  if (layout.transfer == Transfer::long_cts && continue_refused(packet)) return true;
  if (layout.transfer == Transfer::medium) {
    if (const auto known = mediums_.find(packet.msg_id); known != mediums_.end()) {
      add(known->second, packet.seg_offset, packet.payload);
      return true;
    }
  }
  if (!msg_ids_.insert(packet.msg_id).second) return true;
  std::uint64_t total = packet.payload.size();
  if (layout.transfer == Transfer::long_cts) total = packet.msg_length;
  const bool per_segment = layout.transfer == Transfer::medium && packet.seg_length == packet.payload.size();
  if (layout.transfer == Transfer::medium)
    total = per_segment && expected_octets ? *expected_octets : std::max<std::uint64_t>(total, packet.seg_length);
  Incoming* const one = begin(packet, total);
  if (one == nullptr) return true;
  one->per_segment = per_segment;
  if (layout.transfer == Transfer::medium) mediums_[packet.msg_id] = next_recv_id_;
  add(next_recv_id_, packet.seg_offset, packet.payload);
  return true;
}

bool Intake::take_write(const Packet& packet) {
  if (packet.layout()->behind != Array::none) return take_by_read(packet);
  if (begin(packet, total_of(packet.rma_iov)) != nullptr) add(next_recv_id_, 0, packet.payload);
  return true;
}

void Intake::add(std::uint32_t recv_id, std::uint64_t offset, Octets octets) {
  const auto found = incoming_.find(recv_id);
  if (found == incoming_.end()) return;
  Incoming& one = found->second;
  if (offset > one.total || octets.size() > one.total - offset) return;
  if (!one.here.add(offset, offset + octets.size(), kMostGaps)) return;
  std::ranges::copy(octets, one.octets.begin() + static_cast<std::ptrdiff_t>(offset));
  if (!one.read_iov.empty() && !one.refused) return;  // fetch() continues it
  if (one.here.octets() == one.total) return finish(recv_id);
  if (one.request->transfer == Transfer::long_cts && one.here.octets() >= one.granted) grant(recv_id, one);
}

// ---------------------------------------------------------------------------------------------- by RDMA
// (4.1, 4.5, 4.7)

// A peer that does not know READ_NACK gets none (2.1).
bool Intake::refuses() const {
  return refuses_reads && probe_.peer_announces(Extra::read_nack);
}

bool Intake::take_by_read(const Packet& packet) {
  const Layout& layout = *packet.layout();
  if (probe_.rdma() == nullptr && !refuses()) return false;
  const bool runting = layout.transfer == Transfer::runting_read;
  const auto known = runting ? mediums_.find(packet.msg_id) : mediums_.end();
  std::uint32_t recv_id = 0;
  if (known != mediums_.end()) {
    recv_id = known->second;
  } else {
    if (layout.purpose == Purpose::message && !msg_ids_.insert(packet.msg_id).second) return true;
    Incoming* const one = begin(packet, packet.msg_length);
    if (one == nullptr) return true;
    recv_id = next_recv_id_;
    one->read_iov.assign(packet.read_iov.begin(), packet.read_iov.end());
    one->runt = std::min(packet.runt_length, packet.msg_length);
    if (layout.purpose == Purpose::message) mediums_[packet.msg_id] = recv_id;
  }
  if (runting) add(recv_id, packet.seg_offset, packet.payload);
  fetch(recv_id);
  return true;
}

std::size_t Intake::incomplete_runts() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(incoming_, [](const auto& one) { return one.second.here.octets() < one.second.runt; }));
}

// Fetches the data that RUNTREAD packets do not carry, after all of them have arrived. Then sends the EOR, or the
// READ_NACK if reads are refused.
void Intake::fetch(std::uint32_t recv_id) {
  const auto found = incoming_.find(recv_id);
  if (found == incoming_.end() || found->second.refused) return;
  Incoming& one = found->second;
  if (one.here.octets() < one.runt) return;
  const bool all_here = one.runt == one.total;
  Packet answer = probe_.answer(refuses() ? PacketType::read_nack : PacketType::eor);
  answer.send_id = one.send_id;
  answer.recv_id = recv_id;
  if (all_here) return finish(recv_id);  // nothing to be read (EFA/A-49)
  if (refuses()) {
    one.refused = true;
    if (one.request->purpose == Purpose::write) incoming_.erase(found);  // comes back as another request (EFA/A-17)
    return probe_.send_good(answer);
  }
  OctetBuffer all;
  for (std::size_t i = 0; i < rma_iov_count(one.read_iov); ++i) {
    const RmaIov iov = rma_iov_at(one.read_iov, i);
    if (iov.len > kMostOctets) return;
    const auto part = probe_.rdma()->read({iov.addr, iov.len, iov.key}, probe_.in(probe_.run().answer_time()));
    if (!part || !*part) return;
    all.insert(all.end(), (*part)->begin(), (*part)->end());
  }
  if (all.size() != one.total) return;
  std::ranges::copy(Octets(all).subspan(static_cast<std::size_t>(one.runt)),
                    one.octets.begin() + static_cast<std::ptrdiff_t>(one.runt));
  probe_.send_good(answer);
  finish(recv_id);
}

// 4.7: the LONGCTS_RTM that follows a READ_NACK (EFA/A-15). Its data continues after the data of the RUNTREAD packets.
bool Intake::continue_refused(const Packet& packet) {
  const auto known = mediums_.find(packet.msg_id);
  const auto found = known == mediums_.end() ? incoming_.end() : incoming_.find(known->second);
  if (found == incoming_.end() || !found->second.refused) return false;
  Incoming& one = found->second;
  one.request = packet.layout();
  one.send_id = packet.send_id;
  grant(found->first, one);
  return true;
}

void Intake::grant(std::uint32_t recv_id, Incoming& one) {
  Packet cts = probe_.answer(PacketType::cts);
  cts.send_id = one.send_id;
  cts.recv_id = recv_id;
  cts.recv_length = std::min(window, one.total - one.here.octets());
  one.granted = one.here.octets() + cts.recv_length;
  probe_.send_good(cts);
}

void Intake::finish(std::uint32_t recv_id) {
  Incoming one = std::move(incoming_.extract(recv_id).mapped());
  const bool message = one.request->purpose == Purpose::message;
  std::size_t at = 0;
  for (std::size_t i = 0; i < rma_iov_count(one.rma_iov); ++i) {
    const RmaIov iov = rma_iov_at(one.rma_iov, i);
    memory_.write(iov.addr, Octets(one.octets).subspan(at, static_cast<std::size_t>(iov.len)));
    at += static_cast<std::size_t>(iov.len);
  }
  if (one.request->delivery_complete) {
    Packet receipt = probe_.answer(PacketType::receipt);
    receipt.send_id = one.send_id;
    receipt.msg_id = message ? one.msg_id : one_sided_receipt_msg_id;
    probe_.send_good(receipt);
  }
  if (message) messages_.push_back({one.request, one.msg_id, one.tag, one.cq_data, std::move(one.octets)});
  if (!message && one.cq_data) remote_cq_data_.push_back(*one.cq_data);
}

bool Intake::has_next() const {
  if (!turn_) return !messages_.empty();
  return std::ranges::any_of(messages_, [this](const WholeMessage& one) { return one.msg_id == *turn_; });
}

WholeMessage Intake::take_earliest() {
  const std::uint32_t turn = turn_.value_or(messages_.front().msg_id);
  const auto earliest = std::ranges::min_element(
      messages_, {}, [turn](const WholeMessage& one) { return static_cast<std::int32_t>(one.msg_id - turn); });
  WholeMessage message = std::move(*earliest);
  messages_.erase(earliest);
  turn_ = message.msg_id + 1;
  return message;
}

bool Intake::take_ctsdata(const Packet& packet) {
  if (!incoming_.contains(packet.recv_id)) return false;
  add(packet.recv_id, packet.seg_offset, packet.payload);
  return true;
}

// -------------------------------------------------------------------------------------------------- reads and atomics

std::size_t Intake::room(std::size_t header) const {
  const std::size_t fits = probe_.packet_octets() - header;
  return segment == 0 ? fits : std::min(segment, fits);
}

bool Intake::take_read(const Packet& packet) {
  if (total_of(packet.rma_iov) > kMostOctets) return true;
  Outgoing one{.recv_id = packet.recv_id};
  for (std::size_t i = 0; i < rma_iov_count(packet.rma_iov); ++i) {
    const RmaIov iov = rma_iov_at(packet.rma_iov, i);
    const OctetBuffer part = memory_.read(iov.addr, iov.len);
    one.octets.insert(one.octets.end(), part.begin(), part.end());
  }
  const bool whole = packet.layout()->transfer == Transfer::eager;
  one.allowed = whole ? one.octets.size() : std::min<std::uint64_t>(packet.recv_length, one.octets.size());
  const std::uint32_t send_id = ++next_send_id_;
  outgoing_[send_id] = std::move(one);
  send_data(send_id);
  return true;
}

void Intake::send_data(std::uint32_t send_id) {
  Outgoing& one = outgoing_.at(send_id);
  while (probe_.ok() && (!one.begun || one.sent < one.allowed)) {
    Packet packet = one.begun ? packet_of(PacketType::ctsdata) : probe_.answer(PacketType::readrsp);
    if (one.begun && probe_.peer_announces(Extra::connid_header)) packet = probe_.answer(PacketType::ctsdata);
    const std::uint64_t octets =
        std::min<std::uint64_t>(room(one.begun ? kCtsdataHeader : kReadrspHeader), one.allowed - one.sent);
    packet.recv_id = one.recv_id.value_or(0);
    packet.send_id = send_id;
    packet.seg_length = packet.recv_length = octets;
    packet.seg_offset = one.sent;
    packet.payload = Octets(one.octets).subspan(static_cast<std::size_t>(one.sent), static_cast<std::size_t>(octets));
    one.begun = true;
    one.sent += octets;
    probe_.send_good(packet);
  }
  if (one.sent == one.octets.size()) outgoing_.erase(send_id);
}

bool Intake::take_cts(const Packet& packet) {
  const auto found = outgoing_.find(packet.send_id);
  if (found == outgoing_.end()) return false;
  Outgoing& one = found->second;
  if (!one.recv_id) one.recv_id = packet.recv_id;
  one.allowed = one.sent + std::min(packet.recv_length, one.octets.size() - one.sent);
  send_data(packet.send_id);
  return true;
}

// ------------------------------------------------------------------------------------------------------ messages out

std::vector<OctetBuffer> Intake::packets_of(const MessageOut& message, std::uint32_t send_id) const {
  const std::size_t most = probe_.packet_octets() - kMostHeader;
  const Transfer fitting = message.octets.size() <= most             ? Transfer::eager
                           : message.octets.size() <= kLongestMedium ? Transfer::medium
                                                                     : Transfer::long_cts;
  const Transfer transfer = message.transfer.value_or(fitting);
  const Layout& layout = *find_request(Purpose::message, transfer, message.tag.has_value());
  std::vector<OctetBuffer> packets;
  std::size_t at = 0;
  do {
    Packet packet = probe_.request(layout.type);
    if (message.cq_data) packet.flags |= flag::kCqData;
    packet.cq_data = message.cq_data.value_or(0);
    packet.tag = message.tag.value_or(0);
    packet.msg_id = message.msg_id;
    packet.send_id = send_id;
    packet.msg_length = packet.seg_length = message.octets.size();  // like deployed senders (EFA/A-03)
    packet.seg_offset = at;
    packet.credit_request = 64;
    if (transfer != Transfer::long_cts) {
      const std::size_t some = transfer == Transfer::medium && segment > 0 ? std::min(segment, most) : most;
      packet.payload = Octets(message.octets).subspan(at, std::min(some, message.octets.size() - at));
    }
    at += packet.payload.size();
    packets.push_back(probe_.octets_of(packet));
  } while (transfer == Transfer::medium && at < message.octets.size());
  return packets;
}

void Intake::send_message(const MessageOut& message) {
  const std::uint32_t send_id = ++next_send_id_;
  const auto packets = packets_of(message, send_id);
  const Layout* const layout = find_layout(packets.front()[0]);
  if (layout->transfer == Transfer::long_cts) outgoing_[send_id] = {.octets = message.octets, .begun = true};
  for (const OctetBuffer& packet : packets) probe_.send_good(packet);
}

bool Intake::take_atomic(const Packet& packet) {
  if (!msg_ids_.insert(packet.msg_id).second || total_of(packet.rma_iov) > probe_.packet_octets()) return true;
  const bool compares = packet.is(PacketType::compare_rta);
  const std::size_t half = compares ? packet.payload.size() / 2 : packet.payload.size();
  OctetBuffer before;
  for (std::size_t i = 0; i < rma_iov_count(packet.rma_iov); ++i) {
    const RmaIov iov = rma_iov_at(packet.rma_iov, i);
    OctetBuffer target = memory_.read(iov.addr, iov.len);
    const auto part = [&](Octets operands) {
      return operands.size() < before.size() + target.size() ? Octets{}
                                                             : operands.subspan(before.size(), target.size());
    };
    const Octets operand = part(packet.payload.first(half)), compare = part(packet.payload.subspan(half));
    const OctetBuffer old = target;
    apply_atomic(packet.atomic_op, packet.atomic_datatype, target, operand, compare);
    memory_.write(iov.addr, target);
    before.insert(before.end(), old.begin(), old.end());
  }
  if (packet.is(PacketType::fetch_rta) || compares) {
    Packet response = probe_.answer(PacketType::atomrsp);
    response.recv_id = packet.recv_id;
    response.seg_length = before.size();
    response.payload = before;
    probe_.send_good(response);
  }
  if (packet.layout()->delivery_complete) {
    Packet receipt = probe_.answer(PacketType::receipt);
    receipt.send_id = packet.send_id;
    receipt.msg_id = one_sided_receipt_msg_id;
    probe_.send_good(receipt);
  }
  return true;
}

}  // namespace wirelaw::efa
