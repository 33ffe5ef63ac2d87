// SPDX-License-Identifier: Apache-2.0
#include "reference/rdmap/work_queue.h"

namespace wirelaw::rdmap {

WorkId WorkQueue::push(Work&& work) {
  work.id = next_id_++;
  works_.push_back(std::move(work));
  return works_.back().id;
}

Work* WorkQueue::next(std::size_t ord) {
  if (unsent() == 0) return nullptr;
  Work& work = works_[sent_];
  // A read that must wait delays everything after it: the order of posting is the order on the wire.
  if (work.awaits_response() && !work.internal && outstanding_.size() >= ord) return nullptr;
  return &work;
}

void WorkQueue::handed_over() {
  Work& work = works_[sent_++];
  if (work.awaits_response()) {
    work.state = Work::State::outstanding;
    outstanding_.push_back(work.id);
  } else {
    work.state = Work::State::done;
  }
}

Work* WorkQueue::oldest_outstanding() {
  return outstanding_.empty() ? nullptr : &by_id(outstanding_.front());
}

void WorkQueue::answered() {
  by_id(outstanding_.front()).state = Work::State::done;
  outstanding_.pop_front();
}

void WorkQueue::fail() {
  for (Work& work : works_) {
    if (work.state == Work::State::done) continue;
    work.state = Work::State::done;
    work.ok = false;
  }
  sent_ = works_.size();
  outstanding_.clear();
}

bool WorkQueue::next_completion(Completed& out) {
  while (!works_.empty() && works_.front().state == Work::State::done) {
    const Work& work = works_.front();
    const bool reported = !work.internal;
    out = {.id = work.id, .opcode = work.opcode, .ok = work.ok, .original = work.original};
    works_.pop_front();
    --sent_;
    if (reported) return true;
  }
  return false;
}

}  // namespace wirelaw::rdmap
