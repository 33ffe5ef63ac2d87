// SPDX-License-Identifier: Apache-2.0
// A queue pair: SRD, or UD for datagram endpoints. Its number is the port of its socket; one packet is one datagram.
#pragma once

#include <infiniband/verbs.h>

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "harness/lab/soft_efa/completion_queue.h"
#include "harness/lab/soft_efa/context.h"
#include "harness/lab/soft_efa/one_sided.h"
#include "harness/lab/soft_efa/peer_room.h"
#include "harness/lab/soft_efa/socket.h"
#include "harness/lab/soft_efa/work_request.h"

namespace wirelaw::soft_efa {

class QueuePair : public ibv_qp_ex {
 public:
  QueuePair(Context& context, const ibv_qp_init_attr_ex& attributes, SocketPair sockets);
  ~QueuePair();
  QueuePair(const QueuePair&) = delete;
  QueuePair& operator=(const QueuePair&) = delete;

  int modify(const ibv_qp_attr& attributes, int mask);
  // Returns 0 or an errno: ENOMEM if the queue is full.
  int post(WorkRequest request);
  int post_receive(const ibv_recv_wr& request);

  void send_all() { send(0); }   // sends what waits, as far as its receivers have room
  void receive();                // takes at most one packet
  void release() { --in_use_; }  // a completion was polled: its place in the send queue is free

  void complete(const WorkRequest& request, Outcome outcome);
  // Completes a receive for the immediate data of a write; false if none is posted.
  bool receive_immediate(const Peer& from, std::uint32_t immediate, std::uint32_t length);

  Context& owner() { return owner_; }
  std::uint32_t qp_num() const { return qp_base.qp_num; }
  std::uint32_t qkey() const { return qkey_; }
  CompletionQueue& receive_queue() { return queue_of(qp_base.recv_cq); }
  std::array<int, 2> fds() const { return {socket_.fd(), one_sided_ ? one_sided_->fd() : -1}; }
  OneSided* one_sided() { return one_sided_ ? &*one_sided_ : nullptr; }

  // The batch that ibv_wr_start begins, and ibv_wr_complete posts.
  struct Batch {
    std::vector<WorkRequest> requests;
    int error = 0;
  };
  Batch batch;

 private:
  struct PostedReceive {
    std::uint64_t wr_id;
    ibv_sge sge;
  };

  void send(std::size_t kept);
  bool send_one(const WorkRequest& request, std::vector<Peer>& full);
  bool take(const PostedReceive& into);
  void completed_receive(const PostedReceive& posted, Completion completion, const Peer& from);
  Peer self() const { return {owner_.settings.gid, socket_.port()}; }

  Context& owner_;
  Socket socket_;
  PeerRoom room_;
  std::optional<OneSided> one_sided_;
  std::uint32_t max_sends_;
  std::uint32_t max_receives_;
  std::uint32_t qkey_ = 0;
  std::uint32_t in_use_ = 0;  // places of the send queue, until their completions are polled
  std::deque<WorkRequest> sends_;
  std::deque<PostedReceive> receives_;
};

inline QueuePair& pair_of(ibv_qp* queue_pair) {
  return *static_cast<QueuePair*>(reinterpret_cast<ibv_qp_ex*>(queue_pair));  // qp_base is the first member
}

}  // namespace wirelaw::soft_efa
