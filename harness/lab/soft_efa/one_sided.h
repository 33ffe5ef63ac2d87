// SPDX-License-Identifier: Apache-2.0
// RDMA reads and writes of one queue pair, as requester and as responder, in the frames of frame.h.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <list>
#include <optional>
#include <vector>

#include "harness/lab/soft_efa/completion_queue.h"
#include "harness/lab/soft_efa/frame.h"
#include "harness/lab/soft_efa/peer_room.h"
#include "harness/lab/soft_efa/socket.h"
#include "harness/lab/soft_efa/work_request.h"

namespace wirelaw::soft_efa {

class QueuePair;

class OneSided {
 public:
  using Time = std::chrono::steady_clock::time_point;

  OneSided(QueuePair& owner, Socket socket);

  void start(const WorkRequest& request);
  void receive();       // answers and completes what the frames that wait ask and report
  void pump(Time now);  // sends what may go, and again what was not answered
  bool busy() const { return !operations_.empty(); }
  int fd() const { return socket_.fd(); }

 private:
  struct Segment {
    std::uint64_t offset;
    std::uint32_t length;
    Time sent;
    int tries;
  };
  struct Operation {
    std::uint32_t token;
    WorkRequest request;
    Peer peer;
    std::uint64_t length;
    std::uint64_t next = 0;  // offset of the first octet that was not requested
    bool all_sent = false;   // also if the length is zero
    std::vector<Segment> outstanding;
  };
  using Place = std::list<Operation>::iterator;

  void answer(const Frame& frame, const Peer& from);
  Frame serve(const Frame& frame, const Peer& from, bool& silent);
  bool deliver_immediate(const Frame& frame, const Peer& from);
  void answered(const Frame& frame, const Peer& from);
  bool advance(Operation& operation, Time now);
  bool resend(Operation& operation, Time now);
  void send_segment(const Operation& operation, const Segment& segment);
  bool place(const Operation& operation, const Frame& frame);
  void send(const Frame& frame, const Peer& to, Parts data);
  void finish(Place operation, Outcome outcome);

  QueuePair& owner_;
  Socket socket_;
  PeerRoom room_;
  std::list<Operation> operations_;
  std::uint32_t next_token_ = 1;
  std::size_t outstanding_ = 0;  // segments of all operations

  struct Delivered {
    Peer from;
    std::uint32_t token;
  };
  std::deque<Delivered> delivered_;  // recent immediate data: repeated frames are answered, not delivered
};

}  // namespace wirelaw::soft_efa
