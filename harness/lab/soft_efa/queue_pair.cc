// SPDX-License-Identifier: Apache-2.0
#include "harness/lab/soft_efa/queue_pair.h"

#include <dlfcn.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "harness/lab/soft_efa/engine.h"
#include "harness/lab/soft_efa/posting.h"
#include "harness/lab/soft_efa/trouble.h"

namespace wirelaw::soft_efa {
namespace {

constexpr std::size_t kGrh = 40;  // octets in front of a received UD datagram
// Until it had RDMA writes (rdma-core 46), libefa reported all work of the send queue as sends, and libfabric before
// 1.18 expects that. Only the process knows its version of libfabric.
bool reports_all_as_sends() {
  using Version = std::uint32_t (*)();
  static const bool kOld = [] {
    const auto version = reinterpret_cast<Version>(dlsym(RTLD_DEFAULT, "fi_version"));
    return version != nullptr && version() < ((1u << 16) | 18);
  }();
  return kOld;
}

ibv_wc_opcode completed_as(const WorkRequest& request) {
  if (!request.one_sided() || reports_all_as_sends()) return IBV_WC_SEND;
  return request.opcode == IBV_WR_RDMA_READ ? IBV_WC_RDMA_READ : IBV_WC_RDMA_WRITE;
}

constexpr int kDropsInARow = 1024;  // datagrams that a poll may pass over

}  // namespace

QueuePair::QueuePair(Context& context, const ibv_qp_init_attr_ex& attributes, SocketPair sockets)
    : ibv_qp_ex{},
      owner_(context),
      socket_(std::move(sockets.packets)),
      room_({context.settings.gid, socket_.port()}),
      max_sends_(attributes.cap.max_send_wr),
      max_receives_(attributes.cap.max_recv_wr) {
  qp_base.context = &context.context;
  qp_base.qp_context = attributes.qp_context;
  qp_base.pd = attributes.pd;
  qp_base.send_cq = attributes.send_cq;
  qp_base.recv_cq = attributes.recv_cq;
  qp_base.qp_num = socket_.port();
  qp_base.state = IBV_QPS_RESET;
  qp_base.qp_type = attributes.qp_type;
  pthread_mutex_init(&qp_base.mutex, nullptr);
  pthread_cond_init(&qp_base.cond, nullptr);
  set_posting_functions(*this);
  if (context.settings.rdma != Rdma::off && attributes.qp_type == IBV_QPT_DRIVER) {
    one_sided_.emplace(*this, std::move(sockets.frames));
    if (!context.engine) context.engine = std::make_unique<Engine>(context);
  }
  queue_of(qp_base.send_cq).attach(this);
  queue_of(qp_base.recv_cq).attach(this);
  owner_.queue_pairs.push_back(this);
  if (one_sided_) owner_.engine->wake();
}

QueuePair::~QueuePair() {
  send_all();
  queue_of(qp_base.send_cq).detach(this);
  queue_of(qp_base.recv_cq).detach(this);
  std::erase(owner_.queue_pairs, this);
}

int QueuePair::modify(const ibv_qp_attr& attributes, int mask) {
  if ((mask & IBV_QP_QKEY) != 0) qkey_ = attributes.qkey;
  if ((mask & IBV_QP_STATE) != 0) qp_base.state = attributes.qp_state;
  return 0;
}

int QueuePair::post(WorkRequest request) {
  if (qp_base.state != IBV_QPS_RTS || request.address == nullptr) return EINVAL;
  if (request.one_sided() ? one_sided() == nullptr || request.length() > kMaxRdma
                          : request.length() > owner_.settings.mtu)
    return EINVAL;
  const bool writes = request.one_sided() && request.opcode != IBV_WR_RDMA_READ;
  if (writes && owner_.settings.rdma != Rdma::write) return EOPNOTSUPP;
  if (in_use_ >= max_sends_) return ENOMEM;
  ++in_use_;
  request.gid = request.address->gid;
  request.address = nullptr;
  if (request.one_sided()) {
    one_sided_->start(request);
    owner_.engine->wake();
  } else {
    sends_.push_back(std::move(request));
    send(owner_.settings.reorder_depth);
  }
  return 0;
}

// Leaves `kept` packets to be overtaken by others. A packet whose receiver is full lets those to others pass.
void QueuePair::send(std::size_t kept) {
  std::vector<Peer> full;
  while (sends_.size() > kept) {
    const std::size_t most = std::min<std::size_t>(owner_.settings.reorder_depth, sends_.size() - 1);
    const std::size_t first = most == 0 ? 0 : owner_.chance() % (most + 1);
    std::size_t tried = 0;
    while (tried < sends_.size() && !send_one(sends_[(first + tried) % sends_.size()], full)) ++tried;
    if (tried == sends_.size()) return;
    const std::size_t at = (first + tried) % sends_.size();
    sends_.erase(sends_.begin() + static_cast<std::ptrdiff_t>(at));
  }
}

// Returns false if the request has to wait. Otherwise it is completed, with or without success.
bool QueuePair::send_one(const WorkRequest& request, std::vector<Peer>& full) {
  const Peer to{request.gid, static_cast<std::uint16_t>(request.qpn)};
  if (std::ranges::find(full, to) != full.end()) return false;
  Outcome outcome = kDone;
  Parts parts;
  if (!trouble().reaches) {
    outcome = kBadDestinationQpn;
  } else if (request.opcode != IBV_WR_SEND) {
    outcome = kUnsupported;  // a datagram has no place for immediate data
  } else if (!owner_.settings.any_network && !is_loopback(request.gid)) {
    outcome = kUnresponsive;
  } else if (!locate(request, owner_.memory, 0, request.length(), 0, parts)) {
    outcome = kInvalidLkey;
  } else if (request.qpn == 0 || request.qpn > UINT16_MAX) {
    outcome = kBadDestinationQpn;
  } else {
    const Room room = room_.ask(to, request.length());
    const int error = room == Room::full ? EAGAIN : room == Room::nobody ? 0 : socket_.send(to, parts.all());
    if (error == EAGAIN) {
      full.push_back(to);
      return false;
    }
    if (room == Room::nobody)
      outcome = kBadDestinationQpn;
    else if (error != 0)
      outcome = kInvalidAh;
    else
      owner_.record.packet(self(), to, parts.all(), request.length());
  }
  complete(request, outcome);
  return true;
}

// The device reports every request, asked to or not.
void QueuePair::complete(const WorkRequest& request, Outcome outcome) {
  queue_of(qp_base.send_cq)
      .add({.wr_id = request.wr_id,
            .outcome = outcome,
            .opcode = completed_as(request),
            .byte_len = static_cast<std::uint32_t>(request.length()),
            .qp_num = qp_num(),
            .sender = this});
}

int QueuePair::post_receive(const ibv_recv_wr& request) {
  if (qp_base.state == IBV_QPS_RESET || request.num_sge < 0 || request.num_sge > kMaxRecvSge) return EINVAL;
  if (receives_.size() >= max_receives_) return ENOMEM;
  receives_.push_back({request.wr_id, request.num_sge == 0 ? ibv_sge{} : request.sg_list[0]});
  return 0;
}

void QueuePair::receive() {
  if (one_sided_) one_sided_->receive();  // the engine does it too, but has to be woken
  if (receives_.empty()) return;          // the datagram stays in the socket: receiver not ready
  const PostedReceive into = receives_.front();
  for (int i = 0; i < kDropsInARow && take(into); ++i) {
  }
}

// True if a datagram was ignored, so that another may be taken. A device delivers no more than an MTU.
bool QueuePair::take(const PostedReceive& into) {
  const bool ud = qp_base.qp_type == IBV_QPT_UD;
  const std::uint32_t front = ud ? kGrh : 0;
  const Memory::Place place = owner_.memory.find(into.sge.lkey, into.sge.addr, into.sge.length, IBV_ACCESS_LOCAL_WRITE);
  const bool usable = place.reach == Reach::there && into.sge.length >= front;
  const iovec room = usable ? iovec{place.bytes + front, into.sge.length - front} : iovec{};
  const auto got = socket_.receive({&room, 1});
  if (!got) return false;
  if (got->octets > owner_.settings.mtu) return true;

  Completion completion{.opcode = IBV_WC_RECV, .byte_len = static_cast<std::uint32_t>(got->octets + front)};
  if (!usable) {
    completion.outcome = kInvalidLkey;
  } else if (got->octets > room.iov_len) {
    completion.outcome = kBadLength;
  } else {
    owner_.record.packet(got->from, self(), {&room, 1}, got->octets);
    if (ud) {
      std::memset(place.bytes, 0, kGrh);
      std::ranges::copy(got->from.gid, place.bytes + 8);
      std::ranges::copy(owner_.settings.gid, place.bytes + 24);
      completion.wc_flags = IBV_WC_GRH;
    }
  }
  receives_.pop_front();
  completed_receive(into, completion, got->from);
  return false;
}

void QueuePair::completed_receive(const PostedReceive& posted, Completion completion, const Peer& from) {
  completion.wr_id = posted.wr_id;
  completion.qp_num = qp_num();
  completion.src_qp = from.port;
  completion.slid = owner_.handles.ahn(from.gid);
  completion.sgid = from.gid;
  receive_queue().add(completion);
}

bool QueuePair::receive_immediate(const Peer& from, std::uint32_t immediate, std::uint32_t length) {
  if (receives_.empty()) return false;
  const PostedReceive posted = receives_.front();
  receives_.pop_front();
  completed_receive(
      posted,
      {.opcode = IBV_WC_RECV_RDMA_WITH_IMM, .byte_len = length, .immediate = immediate, .wc_flags = IBV_WC_WITH_IMM},
      from);
  return true;
}

}  // namespace wirelaw::soft_efa
