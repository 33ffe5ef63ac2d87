// SPDX-License-Identifier: Apache-2.0
#include "harness/lab/soft_efa/completion_queue.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "harness/lab/soft_efa/context.h"
#include "harness/lab/soft_efa/queue_pair.h"

namespace wirelaw::soft_efa {
namespace {

int advance(ibv_cq_ex* queue) {
  CompletionQueue& self = queue_of(queue);
  if (!self.next()) return ENOENT;
  self.status = self.current().outcome.status;
  self.wr_id = self.current().wr_id;
  return 0;
}

// After ENOENT there is no end_poll.
int start_poll(ibv_cq_ex* queue, ibv_poll_cq_attr*) {
  Context& context = context_of(queue->context);
  context.lock.lock();
  const int result = advance(queue);
  if (result == 0) return 0;
  context.lock.unlock();
  queue_of(queue).rest();
  return result;
}

void end_poll(ibv_cq_ex* queue) {
  context_of(queue->context).lock.unlock();
}

// Returns the GID of a sender that has no address handle; for other senders the handle's number (slid) is enough.
int read_sgid(efadv_cq* queue, ibv_gid* sgid) {
  const Completion& current = static_cast<CompletionQueue::EfaPart*>(queue)->owner->current();
  if (current.slid != kNoAhn) return -ENOENT;
  std::memcpy(sgid->raw, current.sgid.data(), current.sgid.size());
  return 0;
}

}  // namespace

CompletionQueue::CompletionQueue(ibv_context* of, const ibv_cq_init_attr_ex& attributes) : ibv_cq_ex{} {
  context = of;
  channel = attributes.channel;
  cq_context = attributes.cq_context;
  cqe = static_cast<int>(attributes.cqe);
  pthread_mutex_init(&mutex, nullptr);
  pthread_cond_init(&cond, nullptr);
  ibv_cq_ex::start_poll = soft_efa::start_poll;
  next_poll = advance;
  ibv_cq_ex::end_poll = soft_efa::end_poll;
  read_opcode = [](ibv_cq_ex* queue) { return queue_of(queue).current_.opcode; };
  read_vendor_err = [](ibv_cq_ex* queue) { return queue_of(queue).current_.outcome.vendor_err; };
  read_byte_len = [](ibv_cq_ex* queue) { return queue_of(queue).current_.byte_len; };
  read_imm_data = [](ibv_cq_ex* queue) { return queue_of(queue).current_.immediate; };
  read_qp_num = [](ibv_cq_ex* queue) { return queue_of(queue).current_.qp_num; };
  read_src_qp = [](ibv_cq_ex* queue) { return queue_of(queue).current_.src_qp; };
  read_wc_flags = [](ibv_cq_ex* queue) { return queue_of(queue).current_.wc_flags; };
  read_slid = [](ibv_cq_ex* queue) -> std::uint32_t { return queue_of(queue).current_.slid; };
  read_sl = [](ibv_cq_ex*) -> std::uint8_t { return 0; };
  read_dlid_path_bits = [](ibv_cq_ex*) -> std::uint8_t { return 0; };
  efa_.wc_read_sgid = read_sgid;
  efa_.owner = this;
}

void CompletionQueue::attach(QueuePair* queue_pair) {
  if (std::ranges::find(queue_pairs_, queue_pair) == queue_pairs_.end()) queue_pairs_.push_back(queue_pair);
}

void CompletionQueue::detach(QueuePair* queue_pair) {
  std::erase(queue_pairs_, queue_pair);
  std::erase_if(waiting_, [&](const Completion& one) { return one.qp_num == queue_pair->qp_num(); });
}

bool CompletionQueue::next() {
  for (QueuePair* queue_pair : queue_pairs_) queue_pair->send_all();
  for (std::size_t i = 0; waiting_.empty() && i < queue_pairs_.size(); ++i) {
    QueuePair& queue_pair = *queue_pairs_[turn_++ % queue_pairs_.size()];
    if (&queue_pair.receive_queue() == this) queue_pair.receive();
  }
  if (waiting_.empty()) return false;
  found_nothing_ = 0;
  current_ = waiting_.front();
  waiting_.pop_front();
  if (current_.sender != nullptr) current_.sender->release();
  return true;
}

void CompletionQueue::rest() {
  constexpr unsigned kSpins = 64;
  constexpr std::size_t kWatched = 16;
  std::array<pollfd, kWatched> watched;
  nfds_t count = 0;
  timespec idle = {};
  {
    Context& owner = context_of(context);
    const Locked locked(owner.lock);
    if (++found_nothing_ < kSpins || owner.settings.idle_us == 0) return;
    idle = {owner.settings.idle_us / 1000000, owner.settings.idle_us % 1000000 * 1000};
    for (const QueuePair* queue_pair : queue_pairs_)
      for (const int fd : queue_pair->fds())
        if (fd >= 0 && count < watched.size()) watched[count++] = {fd, POLLIN, 0};
  }
  ::ppoll(watched.data(), count, &idle, nullptr);
}

int poll_cq(ibv_cq* queue, int count, ibv_wc* out) {
  CompletionQueue& self = queue_of(queue);
  const Locked locked(context_of(self.context).lock);
  int filled = 0;
  while (filled < count && self.next()) {
    const Completion& from = self.current();
    ibv_wc& to = out[filled++];
    to = {};
    to.wr_id = from.wr_id;
    to.status = from.outcome.status;
    to.opcode = from.opcode;
    to.vendor_err = from.outcome.vendor_err;
    to.byte_len = from.byte_len;
    to.imm_data = from.immediate;
    to.qp_num = from.qp_num;
    to.src_qp = from.src_qp;
    to.wc_flags = from.wc_flags;
    to.slid = from.slid;
  }
  return filled;
}

}  // namespace wirelaw::soft_efa
