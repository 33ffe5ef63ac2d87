// SPDX-License-Identifier: Apache-2.0
#include "harness/lab/soft_efa/one_sided.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "harness/lab/soft_efa/queue_pair.h"

namespace wirelaw::soft_efa {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kWindow = 8;    // segments outstanding: they fit into the smallest socket buffers
constexpr auto kResendAfter = 200ms;  // loopback loses frames only if several requesters send at the same time
constexpr int kTries = 50;
constexpr std::size_t kDelivered = 256;
constexpr int kFramesInARow = 64;

struct Serving {
  FrameKind asked;
  FrameKind answer;
  unsigned access;
  bool to_memory;
};

constexpr std::array<Serving, 2> kServing{{
    {FrameKind::read, FrameKind::read_data, IBV_ACCESS_REMOTE_READ, false},
    {FrameKind::write_data, FrameKind::written, IBV_ACCESS_REMOTE_WRITE, true},
}};

}  // namespace

OneSided::OneSided(QueuePair& owner, Socket socket)
    : owner_(owner), socket_(std::move(socket)), room_({owner.owner().settings.gid, socket_.port()}) {}

void OneSided::start(const WorkRequest& request) {
  operations_.push_back({.token = next_token_++,
                         .request = request,
                         .peer = {request.gid, static_cast<std::uint16_t>(request.qpn + 1)},
                         .length = request.length()});
  const Place last = std::prev(operations_.end());
  const bool abroad = !owner_.owner().settings.any_network && !is_loopback(request.gid);
  if (abroad) return finish(last, kUnresponsive);
  if (request.qpn == 0 || request.qpn >= UINT16_MAX) return finish(last, kBadDestinationQpn);
  const unsigned access = request.opcode == IBV_WR_RDMA_READ ? IBV_ACCESS_LOCAL_WRITE : 0;
  Parts whole;
  if (!locate(request, owner_.owner().memory, 0, request.length(), access, whole)) return finish(last, kInvalidLkey);
  pump(std::chrono::steady_clock::now());
}

// ------------------------------------------------------------------------------------------------ both
void OneSided::receive() {
  std::array<std::uint8_t, kFrameHeader + kSegment + 1> octets;
  for (int i = 0; i < kFramesInARow; ++i) {
    const iovec room{octets.data(), octets.size()};
    const auto got = socket_.receive({&room, 1});
    if (!got) return;
    if (got->octets > octets.size()) continue;
    const auto frame = decode(std::span(octets).first(got->octets));
    // A device drops what has another qkey.
    if (frame && frame->qkey == owner_.qkey()) answer(*frame, got->from);
  }
}

void OneSided::send(const Frame& frame, const Peer& to, Parts data) {
  std::array<std::uint8_t, kFrameHeader> header;
  encode(frame, header);
  std::array<iovec, kMaxSendSge + 2> parts{iovec{header.data(), header.size()}};
  std::ranges::copy(data.all(), parts.begin() + 1);
  socket_.send(to, std::span(parts).first(1 + data.count));  // frames that cannot be sent now are requested again
}

void OneSided::answer(const Frame& frame, const Peer& from) {
  if (frame.kind != FrameKind::read && frame.kind != FrameKind::write_data) return answered(frame, from);
  bool silent = false;
  Frame reply = serve(frame, from, silent);
  if (silent) return;
  Parts data;
  if (!reply.data.empty()) data.add(const_cast<std::uint8_t*>(reply.data.data()), reply.data.size());
  send(reply, from, data);
}

// ------------------------------------------------------------------------------------------------ responder
Frame OneSided::serve(const Frame& frame, const Peer& from, bool& silent) {
  Frame reply{.kind = FrameKind::refused,
              .qkey = frame.reply_qkey,
              .token = frame.token,
              .offset = frame.offset,
              .length = frame.length,
              .total = frame.total};
  const auto serving = std::ranges::find(kServing, frame.kind, &Serving::asked);
  if (serving->to_memory && owner_.owner().settings.rdma != Rdma::write) {
    reply.reason = Reach::no_access;
    return reply;
  }
  const Memory::Place place = owner_.owner().memory.find(frame.key, frame.address, frame.length, serving->access);
  if (frame.length > 0 && place.reach != Reach::there) {
    reply.reason = place.reach;
    return reply;
  }
  reply.kind = serving->answer;
  if (!serving->to_memory) {
    if (frame.length > 0) reply.data = {place.bytes, frame.length};
    return reply;
  }
  if (frame.length > 0) std::memcpy(place.bytes, frame.data.data(), frame.length);
  constexpr std::uint8_t kBoth = kHasImmediate | kLastSegment;
  silent = (frame.flags & kBoth) == kBoth && !deliver_immediate(frame, from);
  return reply;
}

// Returns false if no receive is posted. The peer then sends the segment again.
bool OneSided::deliver_immediate(const Frame& frame, const Peer& from) {
  const auto same = [&](const Delivered& one) { return one.from == from && one.token == frame.token; };
  if (std::ranges::any_of(delivered_, same)) return true;
  const Peer queue_pair{from.gid, static_cast<std::uint16_t>(from.port - 1)};
  if (!owner_.receive_immediate(queue_pair, frame.immediate, frame.total)) return false;
  if (delivered_.size() >= kDelivered) delivered_.pop_front();
  delivered_.push_back({from, frame.token});
  return true;
}

// ------------------------------------------------------------------------------------------------ requester
void OneSided::pump(Time now) {
  for (Place next = operations_.begin(); next != operations_.end();) {
    const Place operation = next++;
    if (!resend(*operation, now)) {
      finish(operation, kUnresponsive);
      continue;
    }
    while (outstanding_ < kWindow && advance(*operation, now)) {
    }
  }
}

// Sends one more segment, if one may be sent.
bool OneSided::advance(Operation& operation, Time now) {
  if (operation.all_sent) return false;
  const std::uint64_t left = operation.length - operation.next;
  const bool last = left <= kSegment;
  const bool immediate = operation.request.opcode == IBV_WR_RDMA_WRITE_WITH_IMM;
  if (last && immediate && !operation.outstanding.empty()) return false;
  operation.all_sent = last;
  operation.outstanding.push_back(
      {operation.next, static_cast<std::uint32_t>(std::min<std::uint64_t>(left, kSegment)), now, 0});
  operation.next += operation.outstanding.back().length;
  ++outstanding_;
  send_segment(operation, operation.outstanding.back());
  return true;
}

// False if the peer has been silent for too long.
bool OneSided::resend(Operation& operation, Time now) {
  for (Segment& segment : operation.outstanding) {
    if (now - segment.sent < kResendAfter) continue;
    if (++segment.tries >= kTries || room_.ask(operation.peer, 0) == Room::nobody) return false;
    segment.sent = now;
    send_segment(operation, segment);
  }
  return true;
}

void OneSided::send_segment(const Operation& operation, const Segment& segment) {
  const WorkRequest& request = operation.request;
  const bool write = request.opcode != IBV_WR_RDMA_READ;
  Frame frame{.kind = write ? FrameKind::write_data : FrameKind::read,
              .qkey = request.qkey,
              .reply_qkey = owner_.qkey(),
              .token = operation.token,
              .address = request.remote_address + segment.offset,
              .offset = segment.offset,
              .key = request.remote_key,
              .length = segment.length,
              .total = static_cast<std::uint32_t>(operation.length),
              .immediate = request.immediate};
  if (segment.offset + segment.length == operation.length) frame.flags |= kLastSegment;
  if (request.opcode == IBV_WR_RDMA_WRITE_WITH_IMM) frame.flags |= kHasImmediate;
  Parts data;
  // Memory that has been deregistered since is not sent; the operation ends as unresponsive.
  if (write && !locate(request, owner_.owner().memory, segment.offset, segment.length, 0, data)) return;
  send(frame, operation.peer, data);
}

void OneSided::answered(const Frame& frame, const Peer& from) {
  const Place operation = std::ranges::find_if(
      operations_, [&](const Operation& one) { return one.token == frame.token && one.peer == from; });
  if (operation == operations_.end()) return;
  const auto segment = std::ranges::find(operation->outstanding, frame.offset, &Segment::offset);
  if (segment == operation->outstanding.end() || segment->length != frame.length) return;
  if (frame.kind == FrameKind::refused) return finish(operation, kRemoteBadAddress);
  const bool read = operation->request.opcode == IBV_WR_RDMA_READ;
  if (read != (frame.kind == FrameKind::read_data)) return;
  if (read && !place(*operation, frame)) return finish(operation, kInvalidLkey);
  operation->outstanding.erase(segment);
  --outstanding_;
  if (operation->all_sent && operation->outstanding.empty()) return finish(operation, kDone);
  pump(std::chrono::steady_clock::now());
}

bool OneSided::place(const Operation& operation, const Frame& frame) {
  Parts parts;
  if (!locate(operation.request, owner_.owner().memory, frame.offset, frame.length, IBV_ACCESS_LOCAL_WRITE, parts))
    return false;
  const std::uint8_t* from = frame.data.data();
  for (const iovec& part : parts.all()) {
    std::memcpy(part.iov_base, from, part.iov_len);
    from += part.iov_len;
  }
  return true;
}

void OneSided::finish(Place operation, Outcome outcome) {
  outstanding_ -= operation->outstanding.size();
  owner_.complete(operation->request, outcome);
  operations_.erase(operation);
}

}  // namespace wirelaw::soft_efa
