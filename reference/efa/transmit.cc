// SPDX-License-Identifier: Apache-2.0
// Outgoing packets: each is made when the transport fetches it, from the state of the peer at that moment (EFA/A-45).
#include <algorithm>
#include <utility>

#include "reference/efa/endpoint.h"

namespace wirelaw::efa {
namespace {

constexpr std::size_t kCtsdata = 32;  // header length with connid, in octets

}  // namespace

bool Endpoint::next_datagram(Outgoing& out) {
  while (outbox_.empty() && !ready_.empty()) {
    const std::uint32_t id = ready_.front();
    ready_.pop_front();
    Transmission* const op = transmissions_.find(id);
    if (op == nullptr || !op->ready) continue;
    op->ready = false;
    // Transmissions with more packets take turns.
    if (produce(*op)) make_ready(*op);
  }
  if (outbox_.empty()) return false;
  out = std::move(outbox_.front());
  outbox_.pop_front();
  return true;
}

void Endpoint::emit(Peer& peer, const Packet& packet) {
  const Layout* const layout = packet.layout();
  peer.asked = peer.asked || (layout != nullptr && layout->is_request());
  send_packet(peer, packet);
}

void Endpoint::send_packet(const Peer& peer, const Packet& packet) {
  put_out(peer, encode(packet));
}

// CTS, READRSP, EOR, ATOMRSP, RECEIPT and READ_NACK always have room for a connid (3.2, EFA/A-39).
void Endpoint::put_answer_connid(Packet& packet) const {
  if (!options_.connid_in_answers) return;
  packet.flags |= flag::kConnid;
  packet.connid = options_.address.connid;
}

void Endpoint::make_ready(Transmission& op) {
  if (op.ready) return;
  op.ready = true;
  ready_.push_back(op.id);
}

// A request with all its headers, but without data. Refers to octets of the transmission and of iov_scratch_.
Packet Endpoint::draft(const Peer& peer, const Transmission& op, const Layout& layout) {
  Packet packet = packet_of(layout.type);
  packet.msg_id = op.msg_id;
  packet.send_id = op.id;
  packet.recv_id = op.recv_id;
  packet.msg_length = op.total;
  packet.recv_length = op.window_end;
  packet.credit_request = options_.credit_request;
  packet.tag = op.tag.value_or(0);
  packet.atomic_datatype = op.atomic_datatype;
  packet.atomic_op = op.atomic_op;
  packet.rma_iov = op.rma_iov;
  packet.rma_iov_count = static_cast<std::uint32_t>(rma_iov_count(op.rma_iov));
  packet.seg_offset = op.sent;
  packet.runt_length = op.runt;
  if (layout.behind == Array::read_iov) {
    iov_scratch_.clear();
    encode(op.registered, iov_scratch_);
    packet.read_iov = iov_scratch_;
    packet.read_iov_count = 1;
  }
  if (op.cq_data) {
    packet.flags |= flag::kCqData;
    packet.cq_data = *op.cq_data;
  }
  if (op.nacked && layout.purpose == Purpose::message) packet.flags |= flag::kReadNack;
  put_sender(peer, packet);
  return packet;
}

// Adds the raw address or the connid, never both: the raw address contains the connid (EFA/A-11).
void Endpoint::put_sender(const Peer& peer, Packet& packet) const {
  if (sends_raw_address(peer)) {
    packet.flags |= flag::kRawAddress;
    packet.raw_address = raw_address_;
    packet.raw_address_size = static_cast<std::uint32_t>(raw_address_.size());
  } else if (sends_connid(peer)) {
    packet.flags |= flag::kConnid;
    packet.connid = options_.address.connid;
  }
}

// 2.2: true until the HANDSHAKE arrives; after it, if the peer requests a constant header length (4.3).
bool Endpoint::sends_raw_address(const Peer& peer) const {
  return !peer.handshake_received || (options_.constant_header_length && peer.announces(Extra::constant_header_length));
}

// 4.4: true if the peer requests it, or if it is sent to every peer.
bool Endpoint::sends_connid(const Peer& peer) const {
  return options_.connid_header && may_expect(peer, Extra::connid_header);
}

// Puts one packet of the transmission into the outbox. Returns false if it has none for now, or has ended.
bool Endpoint::produce(Transmission& op) {
  Peer& peer = *find_peer(op.peer);
  op.last_progress = now_;
  if (op.stage == Stage::request) return op.response ? produce_readrsp(peer, op) : produce_request(peer, op);
  if (op.stage == Stage::data) return produce_data(peer, op);
  return false;
}

// ---------------------------------------------------------------------------------------------------- REQ packets

bool Endpoint::produce_request(Peer& peer, Transmission& op) {
  number(peer, op);
  Packet packet = draft(peer, op, *op.request);
  const std::uint64_t room = options_.mtu - header_octets(packet);
  const std::uint64_t octets = data_in_request(op, room);
  packet.payload = Octets(op.data).subspan(static_cast<std::size_t>(op.sent), static_cast<std::size_t>(octets));
  packet.seg_length = options_.medium_length == LengthReading::of_message ? op.total : octets;
  if (op.request->transfer == Transfer::runting_read && options_.runt_length == LengthReading::of_segment)
    packet.runt_length = octets;
  emit(peer, packet);
  op.sent += octets;
  return requests_sent(op);
}

// The number of data octets in the next REQ packet.
std::uint64_t Endpoint::data_in_request(const Transmission& op, std::uint64_t room) const {
  switch (op.request->transfer) {
    case Transfer::eager:
      return op.data.size();
    case Transfer::medium:
      return std::min(room, op.total - op.sent);
    case Transfer::long_cts:
      // Leaves data for CTSDATA (EFA/A-23); after a READ_NACK all of it (4.7).
      if (op.nacked && op.purpose == Purpose::message) return 0;
      return op.purpose == Purpose::read || op.total == 0 ? 0 : std::min(room, op.total - 1);
    case Transfer::runting_read:
      return std::min(room, op.runt - op.sent);
    case Transfer::long_read:
    case Transfer::none:
      break;
  }
  return 0;
}

// Called after a REQ packet. Returns true if another one follows at once.
bool Endpoint::requests_sent(Transmission& op) {
  switch (op.request->transfer) {
    case Transfer::medium:
      if (op.sent < op.total) return true;
      break;
    case Transfer::runting_read:
      if (op.sent < op.runt) return true;
      // If nothing is left to be read, or all has been read already, no EOR is awaited (EFA/A-49).
      if (op.runt < op.total && !op.ended) return wait(op, Stage::wait_eor);
      break;
    case Transfer::long_read:
      return wait(op, Stage::wait_eor);
    case Transfer::long_cts:
      if (op.purpose == Purpose::read) break;
      return await_first_cts(op);
    case Transfer::eager:
    case Transfer::none:
      break;
  }
  data_sent(op);
  return false;
}

// 3.2: the receiver must allow the rest by a CTS. Returns true if the transmission continues without one.
bool Endpoint::await_first_cts(Transmission& op) {
  return wait(op, Stage::wait_cts);
}

bool Endpoint::wait(Transmission& op, Stage stage) {
  op.stage = stage;
  watch(op);
  return false;
}

// ------------------------------------------------------------------------------------------------ READRSP, CTSDATA

bool Endpoint::produce_readrsp(Peer& peer, Transmission& op) {
  Packet packet = packet_of(PacketType::readrsp);
  put_answer_connid(packet);
  packet.recv_id = op.recv_id;
  packet.send_id = op.id;
  if (options_.readrsp == ReadrspReading::document) std::swap(packet.recv_id, packet.send_id);
  return produce_piece(peer, op, packet);
}

bool Endpoint::produce_data(Peer& peer, Transmission& op) {
  Packet packet = packet_of(PacketType::ctsdata);
  packet.recv_id = op.recv_id;
  packet.seg_offset = op.sent;
  if (sends_connid(peer)) {
    packet.flags |= flag::kConnid;
    packet.connid = options_.address.connid;
  }
  return produce_piece(peer, op, packet);
}

// Sends the next octets that the window allows, after this header.
bool Endpoint::produce_piece(Peer& peer, Transmission& op, Packet& packet) {
  const std::uint64_t room = options_.mtu - header_octets(packet);
  const std::uint64_t octets = std::min(room, op.window_end - op.sent);
  const std::optional<Octets> data = piece(op, op.sent, octets);
  if (!data) {
    end(op, Status::failed);  // the memory to be read is no longer registered
    return false;
  }
  packet.payload = *data;
  packet.seg_length = packet.recv_length = octets;
  emit(peer, packet);
  op.sent += octets;
  op.stage = Stage::data;
  if (op.sent == op.total) {
    data_sent(op);
    return false;
  }
  return op.sent < op.window_end || wait(op, Stage::wait_cts);
}

// Octets of the data: from the caller, or, for an emulated read, from registered memory.
std::optional<Octets> Endpoint::piece(const Transmission& op, std::uint64_t offset, std::uint64_t octets) {
  if (!op.response) return Octets(op.data).subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(octets));
  const auto spans = find_memory(op.rma_iov, op.total, Access::read);
  if (!spans) return std::nullopt;
  scratch_.clear();
  for (const std::span<Octet> span : *spans) {
    const std::uint64_t skip = std::min<std::uint64_t>(offset, span.size());
    const std::uint64_t count = std::min<std::uint64_t>(octets - scratch_.size(), span.size() - skip);
    const Octets part = Octets(span).subspan(static_cast<std::size_t>(skip), static_cast<std::size_t>(count));
    scratch_.insert(scratch_.end(), part.begin(), part.end());
    offset -= skip;
  }
  return scratch_;
}

std::uint64_t Endpoint::window_for(std::uint64_t rest) const {
  return std::min(rest, std::uint64_t{options_.credits} * (options_.mtu - kCtsdata));
}

// --------------------------------------------------------------------------------------------------------- the end

// All data has been sent. With delivery complete, waits for the RECEIPT (4.2).
void Endpoint::data_sent(Transmission& op) {
  if (op.request != nullptr && op.request->delivery_complete && !op.response)
    wait(op, Stage::wait_receipt);
  else
    end(op, Status::ok);
}

void Endpoint::end(Transmission& op, Status status) {
  if (op.call) complete({.kind = op.kind, .id = *op.call, .peer = op.peer, .status = status, .length = op.total});
  Peer& peer = *find_peer(op.peer);
  --peer.operations;
  if (op.response) peer.reads.erase(op.recv_id);
  release_buffer(op);
  timers_.cancel(op.timer);
  transmissions_.erase(op.id);
}

bool Endpoint::register_buffer(Transmission& op) {
  if (registrations_ >= options_.registrations) return false;
  const auto registered = memory_.add_view(op.data, Access::read);
  if (!registered) return false;
  ++registrations_;
  op.registered = *registered;
  return true;
}

void Endpoint::release_buffer(Transmission& op) {
  if (op.registered.key == 0) return;
  --registrations_;
  memory_.remove(op.registered.key);
  op.registered = {};
}

}  // namespace wirelaw::efa
