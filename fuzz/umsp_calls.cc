// SPDX-License-Identifier: Apache-2.0
#include "fuzz/umsp_calls.h"

#include <algorithm>

#include "corpora/formats/umsp_steps.h"
#include "reference/umsp/exchange.h"

namespace wirelaw::fuzz {
namespace {

using namespace corpora::umsp_steps;

constexpr std::uint64_t kMemory = 0x1000;
constexpr std::size_t kLong = 4000;

}  // namespace

void UmspCalls::on(const umsp::NodeEvent& event) {
  if (const auto* const started = std::get_if<umsp::JobStarted>(&event)) job_ = started->gjid;
  if (const auto* const of_session = std::get_if<umsp::SessionEvent>(&event))
    if (const auto* const opened = std::get_if<umsp::SessionOpened>(of_session)) session_ = opened->id;
}

void UmspCalls::act(Octets octets, Instant now) {
  if (octets.empty()) return;
  const auto what = static_cast<Act>(octets[0] % kActs);
  const Octets data = octets.subspan(1, std::min<std::size_t>(octets.size() - 1, 64) / 4 * 4);
  switch (what) {
    case Act::begin_job:
    case Act::register_job:
      static_cast<void>(node_.begin_job(what == Act::begin_job ? self_ : control_, 0, {}, now));
      break;
    case Act::open_session:
      if (job_) session_ = node_.open_session(executor_, *job_, {}, now).value_or(session_);
      break;
    case Act::close_session:
      node_.close_session(session_, now);
      break;
    case Act::go_on:
      node_.go_on(session_, now);
      break;
    case Act::complete_job:
      if (job_) node_.complete_job(*job_, {}, now);
      break;
    case Act::terminate_task:
      if (job_) node_.terminate_task(*job_, {1, 0}, now);
      break;
    default:
      write(static_cast<Octet>(what), data, now);
  }
}

void UmspCalls::write(Octet how, Octets data, Instant now) {
  umsp::ChainSender* const sender = node_.chains(session_);
  if (sender == nullptr) return;
  const umsp::Session* const session = find_session();
  if (session != nullptr && session->phase == umsp::SessionPhase::agreed) return;  // not to be used (RFC 3018 5.4)
  if (session == nullptr || session->peer_profile != umsp::kWholeProfile) return plain_write(data, now);
  umsp::Draft plain = umsp::write_data(umsp::MemoryAddress{kMemory, 4}, data), asked = plain;
  asked.req_id = ++requests_;
  const auto act = static_cast<Act>(how);
  if (act == Act::write_sequence) {
    const auto sequence = sender->begin_sequence(now);
    if (sequence && sender->add(*sequence, asked, now) && sender->add(*sequence, plain, now))
      static_cast<void>(sender->end(*sequence, now));
  } else if (act == Act::write_transaction) {
    static_cast<void>(sender->send_transaction({}, {asked, plain}, now));
  } else if (act == Act::write_later) {
    const auto later = sender->send_transaction({.after_sending = false}, {plain, plain}, now);
    if (later) static_cast<void>(sender->execute(*later, requests_, now));
  } else {
    if (act == Act::write_long) asked.operands.resize(asked.operands.size() + kLong);
    static_cast<void>(sender->send(asked, now));
  }
  node_.moved(now);
}

const umsp::Session* UmspCalls::find_session() const {
  const auto found = node_.sessions().all().find(session_);
  return found == node_.sessions().all().end() ? nullptr : &found->second;
}

// A write outside of chains; the node knows which forms the other side accepts.
void UmspCalls::plain_write(Octets data, Instant now) {
  umsp::Draft draft = umsp::write_data(umsp::MemoryAddress{kMemory, 4}, data);
  draft.req_id = ++requests_;
  node_.request(session_, std::move(draft), now);
}

}  // namespace wirelaw::fuzz
