// SPDX-License-Identifier: Apache-2.0
#include "harness/peers/umsp_application.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace wirelaw::umsp {
namespace {

constexpr std::size_t kWord = 4;
constexpr std::size_t kLong = 3000;  // longer than a segment, so it is sent in fragments

bool is_done(const Instruction& response) {
  const bool codes = response.opcode() == static_cast<std::uint8_t>(Opcode::rsp) ||
                     response.opcode() == static_cast<std::uint8_t>(Opcode::rsp_p);
  return codes && read_codes(response).value_or(Codes{1, 0}).basic == 0;
}

bool has_data(const Instruction& response, Octets wanted) {
  return response.opcode() == static_cast<std::uint8_t>(Opcode::data) && response.operands.size() >= wanted.size() &&
         std::ranges::equal(response.operands.first(wanted.size()), wanted);
}

}  // namespace

// One request, and the response that it must get.
struct Work::Step {
  Draft (*make)(Work& work);
  bool (*holds)(Work& work, const Instruction& response);
};

// Chains that begin together. Returns false if they cannot begin.
struct Work::ChainStep {
  ProfileFlag kind;
  bool (Work::*send)(ChainSender& sender, Instant now);
};

const Work::Step Work::kSteps[] = {
    {[](Work& work) { return mem_alloc(static_cast<std::uint32_t>(std::max(work.octets_.size(), kLong))); },
     [](Work& work, const Instruction& response) {
       const auto at =
           response.opcode() == static_cast<std::uint8_t>(Opcode::address) ? address_in(response) : std::nullopt;
       if (at) work.memory_ = *at;
       return at.has_value();
     }},
    {[](Work& work) { return write_data(work.memory_, work.octets_); },
     [](Work&, const Instruction& response) { return is_done(response); }},
    {[](Work& work) { return req_data(work.memory_, static_cast<std::uint32_t>(work.octets_.size())); },
     [](Work& work, const Instruction& response) { return has_data(response, work.octets_); }},
    {[](Work& work) { return compare_data(work.memory_, work.octets_); },
     [](Work&, const Instruction& response) { return is_done(response) && read_codes(response)->additional == 0; }},
    {[](Work& work) { return write_ext(work.memory_, Octets(work.octets_).first(1)); },
     [](Work&, const Instruction& response) { return is_done(response); }},
    {[](Work& work) { return free_memory(work.memory_); },
     [](Work&, const Instruction& response) { return is_done(response); }},
};

void Work::begin(NodeAddress to, NodeAddress jcp, Instant now) {
  to_ = to;
  stage_ = Stage::registering;
  const auto task = node_.begin_job(jcp, 0, {}, now);
  if (!task) return fail("no job can be begun");
  task_ = *task;
}

void Work::fail(std::string why) {
  error_ = std::move(why);
  stage_ = Stage::failed;
}

void Work::on(const NodeEvent& event, Instant now) {
  if (const auto* const started = std::get_if<JobStarted>(&event);
      started && stage_ == Stage::registering && started->ltid == task_) {
    gjid_ = started->gjid;
    stage_ = Stage::opening;
    const auto session = node_.open_session(to_, gjid_, {}, now);
    if (!session) return fail("no session can be opened");
    session_ = *session;
  }
  if (const auto* const refused = std::get_if<JobRefused>(&event);
      refused && stage_ == Stage::registering && refused->ltid == task_)
    fail("the control point refuses");
  if (const auto* const responded = std::get_if<Responded>(&event))
    if (responded->session == session_) on_response(responded->response, now);
  const auto* const of_session = std::get_if<SessionEvent>(&event);
  if (of_session == nullptr) return;
  if (const auto* const refused = std::get_if<SessionRefused>(of_session);
      refused && stage_ == Stage::opening && refused->id == session_)
    return fail("the session is refused");
  if (const auto* const refused = std::get_if<ClosingRefused>(of_session); refused && refused->id == session_) {
    stage_ = Stage::refused;  // the session stays in use (5.4): it is, once more
    return send(draft_of(Opcode::nop), now);
  }
  if (const auto* const opened = std::get_if<SessionOpened>(of_session); opened && opened->id == session_) {
    stage_ = Stage::working;
    next_step(now);
  }
  if (const auto* const ended = std::get_if<SessionEnded>(of_session); ended && ended->id == session_) {
    if (stage_ != Stage::closing) return fail("the session was ended");
    stage_ = Stage::done;
    node_.complete_job(gjid_, {}, now);
  }
}

void Work::next_step(Instant now) {
  if (step_ == std::size(kSteps)) {
    step_ = 0;
    ++round_;
  }
  if (round_ >= request_.count) return close(now);
  if (step_ == 0) {
    octets_.resize(std::max(kWord, (request_.octets + kWord - 1) / kWord * kWord));
    for (std::size_t i = 0; i < octets_.size(); ++i) octets_[i] = static_cast<Octet>(i * 7 + round_ * 31 + 1);
  }
  const bool frees_all = step_ + 1 == std::size(kSteps) && round_ + 1 == request_.count;
  if (!frees_all || !next_chains(now)) plain_step(now);
}

void Work::plain_step(Instant now) {
  send(kSteps[step_].make(*this), now);
}

void Work::send(Draft draft, Instant now) {
  draft.req_id = ++req_id_;
  node_.request(session_, std::move(draft), now);
}

void Work::on_response(const Draft& response, Instant now) {
  if (stage_ == Stage::refused && response.req_id == req_id_) {
    fail("the closing is refused");
    return node_.complete_job(gjid_, {1, 0}, now);  // which ends the session too
  }
  if (stage_ != Stage::working) return;
  if (!awaited_.empty()) return on_chain_response(response, now);
  if (response.req_id != req_id_) return;
  Draft alone = response;
  alone.session_id.reset();
  alone.chain.reset();
  const OctetBuffer octets = write(alone);
  const auto instruction = decode(octets);
  if (!instruction || !kSteps[step_].holds(*this, *instruction))
    return fail(fmt::format("step {} of the work has a wrong response", step_));
  ++step_;
  next_step(now);
}

// --------------------------------------------------------------------------------------------------------- in chains

// Chains after the plain work. Each begins once the previous one is answered.
const Work::ChainStep Work::kChainSteps[] = {{ProfileFlag::transactions, &Work::send_transaction},
                                             {ProfileFlag::transactions, &Work::send_later},
                                             {ProfileFlag::fragments, &Work::send_fragments},
                                             {ProfileFlag::sequences, &Work::send_sequence}};

// The other side takes such chains (RFC 3018 5.3.4), and a WRITE of the longest that they have.
bool Work::is_provided(const ChainStep& step) const {
  const auto& sessions = node_.sessions().all();
  const auto session = sessions.find(session_);
  if (session == sessions.end()) return false;
  const std::uint32_t profile = session->second.peer_profile;
  const auto most = most_data(profile);
  return takes_chains(profile, step.kind) && (step.kind != ProfileFlag::fragments || !most || *most >= kLong);
}

bool Work::next_chains(Instant now) {
  ChainSender* const sender = node_.chains(session_);
  while (chain_step_ < std::size(kChainSteps) && !is_provided(kChainSteps[chain_step_])) ++chain_step_;
  if (sender == nullptr || chain_step_ == std::size(kChainSteps)) return false;
  const ChainStep& step = kChainSteps[chain_step_++];
  const bool sent = (this->*step.send)(*sender, now);
  if (!sent) fail(fmt::format("chains of step {} cannot be sent", chain_step_ - 1));
  node_.moved(now);
  return true;
}

Draft Work::chained_write(std::size_t octets) {
  octets_.resize(std::max(octets, octets_.size()));
  return write_data(memory_, Octets(octets_).first(octets));
}

Draft Work::asking(Draft draft) {
  draft.req_id = ++req_id_;
  awaited_.insert(req_id_);
  return draft;
}

// The rest of the sequence is sent once a request that was sent after its first instruction is answered.
bool Work::send_sequence(ChainSender& sender, Instant now) {
  const auto sequence = sender.begin_sequence(now);
  if (!sequence || !sender.add(*sequence, asking(chained_write(kWord)), now)) return false;
  if (!sender.send(asking(req_data(memory_, kWord)), now)) return false;
  rest_of_ = *sequence;
  rest_after_ = req_id_;
  return true;
}

bool Work::send_rest(ChainSender& sender, Instant now) {
  const ChainSender::ChainId sequence = std::exchange(rest_of_, ChainSender::kNoChain);
  for (int i = 0; i < 3; ++i)
    if (!sender.add(sequence, chained_write(kWord), now)) return true;  // the chain has failed and is not continued
  return sender.end(sequence, now).has_value();
}

bool Work::send_transaction(ChainSender& sender, Instant now) {
  return sender.send_transaction({}, {asking(chained_write(kWord)), chained_write(kWord)}, now).has_value();
}

bool Work::send_later(ChainSender& sender, Instant now) {
  const auto sent =
      sender.send_transaction({.after_sending = false, .time = 60}, {chained_write(kWord), chained_write(kWord)}, now);
  if (!sent) return false;
  const std::uint32_t req_id = ++req_id_;
  awaited_.insert(req_id);
  return sender.execute(*sent, req_id, now).has_value();
}

// Two; a window of 4 KiB holds one at a time.
bool Work::send_fragments(ChainSender& sender, Instant now) {
  return sender.send(asking(chained_write(kLong)), now) && sender.send(asking(chained_write(kLong)), now);
}

void Work::on_chain_response(const Draft& response, Instant now) {
  if (!response.req_id || awaited_.erase(*response.req_id) == 0) return;
  if (rest_of_ != ChainSender::kNoChain && response.req_id == rest_after_) {
    ChainSender* const sender = node_.chains(session_);
    if (sender == nullptr || !send_rest(*sender, now)) return fail("a sequence cannot be ended");
    node_.moved(now);
  }
  if (awaited_.empty() && !next_chains(now)) plain_step(now);
}

void Work::close(Instant now) {
  stage_ = Stage::closing;
  node_.close_session(session_, now);
}

std::string Work::state() const {
  static constexpr std::string_view kStages[] = {
      "not begun", "asks for control", "opens a session", "works", "closes the session", "goes on", "done", "failed"};
  std::string text(kStages[static_cast<std::size_t>(stage_)]);
  return error_.empty() ? text : text + ": " + error_;
}

}  // namespace wirelaw::umsp
