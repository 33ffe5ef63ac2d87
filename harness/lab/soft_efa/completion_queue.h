// SPDX-License-Identifier: Apache-2.0
// A completion queue, read with ibv_start_poll and related calls, or with ibv_poll_cq. Polling moves packets: it
// sends what waits, and takes a datagram from a socket once there is no other completion.
#pragma once

#include <infiniband/efadv.h>
#include <infiniband/verbs.h>

#include <cstdint>
#include <deque>
#include <vector>

#include "harness/lab/soft_efa/gid.h"

namespace wirelaw::soft_efa {

class QueuePair;

// The result of a work request: the verbs status, and the device's own (vendor_err).
struct Outcome {
  ibv_wc_status status;
  std::uint32_t vendor_err;
};

inline constexpr Outcome kDone{IBV_WC_SUCCESS, 0};
inline constexpr Outcome kUnsupported{IBV_WC_LOC_QP_OP_ERR, 3};
inline constexpr Outcome kInvalidAh{IBV_WC_LOC_QP_OP_ERR, 4};
inline constexpr Outcome kInvalidLkey{IBV_WC_LOC_PROT_ERR, 5};
inline constexpr Outcome kBadLength{IBV_WC_LOC_LEN_ERR, 6};
inline constexpr Outcome kRemoteBadAddress{IBV_WC_REM_ACCESS_ERR, 7};
inline constexpr Outcome kBadDestinationQpn{IBV_WC_REM_INV_RD_REQ_ERR, 9};
inline constexpr Outcome kUnresponsive{IBV_WC_RESP_TIMEOUT_ERR, 13};

struct Completion {
  std::uint64_t wr_id = 0;
  Outcome outcome = kDone;
  ibv_wc_opcode opcode = IBV_WC_SEND;
  std::uint32_t byte_len = 0;
  std::uint32_t immediate = 0;
  unsigned wc_flags = 0;
  std::uint32_t qp_num = 0;
  std::uint32_t src_qp = 0;
  std::uint16_t slid = 0;
  Gid sgid = {};
  QueuePair* sender = nullptr;  // the queue pair whose send queue gets its entry back
};

class CompletionQueue : public ibv_cq_ex {
 public:
  CompletionQueue(ibv_context* context, const ibv_cq_init_attr_ex& attributes);

  void add(const Completion& completion) { waiting_.push_back(completion); }
  void attach(QueuePair* queue_pair);
  void detach(QueuePair* queue_pair);  // and forgets its completions

  bool next();  // makes the next completion the current one
  // Called without the lock after a poll that found nothing, so that a program which polls in a loop lets its peers
  // run, perhaps on the same core.
  void rest();
  const Completion& current() const { return current_; }

  struct EfaPart : efadv_cq {
    CompletionQueue* owner;
  };
  EfaPart& efa() { return efa_; }

 private:
  EfaPart efa_ = {};
  std::vector<QueuePair*> queue_pairs_;
  std::size_t turn_ = 0;  // index of the queue pair whose socket is polled first
  std::deque<Completion> waiting_;
  Completion current_;
  unsigned found_nothing_ = 0;  // polls in a row
};

inline CompletionQueue& queue_of(ibv_cq_ex* queue) {
  return *static_cast<CompletionQueue*>(queue);
}
inline CompletionQueue& queue_of(ibv_cq* queue) {
  return queue_of(reinterpret_cast<ibv_cq_ex*>(queue));  // the same object (ibv_cq_ex_to_cq)
}

int poll_cq(ibv_cq* queue, int count, ibv_wc* out);

}  // namespace wirelaw::soft_efa
