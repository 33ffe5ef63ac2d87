// SPDX-License-Identifier: Apache-2.0
// Jobs of three nodes, for fuzz_umsp_job. The control point is a separate node, or the initiating node. The node sends
// chains of each kind; then the session, a task and the job end.
#include "corpora/formats/records.h"
#include "corpora/formats/umsp_steps.h"
#include "corpora/seed.h"
#include "reference/network/stream_piece.h"
#include "reference/octets/octets.h"

namespace wirelaw::corpora {
namespace {

using namespace umsp_steps;

constexpr unsigned kInitiator = 0;

class StepsBuilder {
 public:
  explicit StepsBuilder(Octet captured) : octets_{captured} {}

  StepsBuilder& act(Act what, unsigned node = kInitiator) {
    OctetBuffer step(9, Octet{0x5a});
    step[0] = static_cast<Octet>(what);
    append_record(octets_, static_cast<Octet>(kApplication | node), step);
    return *this;
  }
  StepsBuilder& wait(std::uint16_t milliseconds) {
    const Octet octets[] = {static_cast<Octet>(milliseconds), static_cast<Octet>(milliseconds >> 8)};
    append_record(octets_, kTime, octets);
    return *this;
  }
  // Delivers `pieces` pieces of one side of a connection, each of this length at most.
  StepsBuilder& deliver(unsigned connection, Side sender, Octet pieces, Octet length) {
    const auto which = static_cast<Octet>(connection << 1 | (sender == Side::a ? 0 : 1));
    const Octet step[] = {which, pieces, static_cast<Octet>(length - 1)};
    append_record(octets_, 0, step);
    return *this;
  }
  StepsBuilder& work() {
    for (const Act one : {Act::write, Act::write_sequence, Act::write_transaction, Act::write_later, Act::write_long})
      act(one).wait(10);
    return *this;
  }
  OctetBuffer take() { return std::move(octets_); }

 private:
  OctetBuffer octets_;
};

OctetBuffer whole(Octet captured, Act job) {
  StepsBuilder conversation(captured);
  conversation.act(job).wait(10).act(Act::open_session).wait(10).work();
  return conversation.act(Act::close_session).wait(40'000).act(Act::complete_job).wait(1000).take();
}

// Delivers the traffic of both directions in pieces of seven octets.
OctetBuffer in_pieces(Octet captured) {
  StepsBuilder conversation(captured);
  conversation.act(Act::register_job);
  for (int i = 0; i < 8; ++i) conversation.deliver(0, Side::a, 3, 7).deliver(0, Side::b, 3, 7);
  conversation.wait(10).act(Act::open_session);
  for (int i = 0; i < 8; ++i)
    conversation.deliver(1, Side::a, 5, 7).deliver(2, Side::a, 5, 7).deliver(2, Side::b, 5, 7);
  conversation.wait(10).act(Act::write).act(Act::write_sequence);
  for (int i = 0; i < 8; ++i) conversation.deliver(1, Side::a, 3, 7).deliver(1, Side::b, 3, 7);
  return conversation.wait(1000).act(Act::close_session).act(Act::go_on).wait(1000).act(Act::complete_job).take();
}

OctetBuffer ended_by(unsigned node) {
  StepsBuilder conversation(1);
  conversation.act(Act::register_job).wait(10).act(Act::open_session).wait(10).act(Act::write).wait(10);
  return conversation.act(Act::terminate_task, node).wait(1000).act(Act::complete_job).wait(1000).take();
}

}  // namespace

std::vector<Seed> umsp_job_seeds() {
  constexpr const char* kTarget = "fuzz_umsp_job";
  constexpr const char* kDelayed = "fuzz_umsp_delayed";
  return {// The path (longest way, seed, shortest way with the tap and whose the control is, loss with the
          // connections), where a second capture begins, and the steps.
          {kDelayed, "one-connection", {255, 1, 0x15, 0x00, 40, 1, 9, 17, 25, 33, 41, 49, 57, 65, 73}},
          {kDelayed, "three-connections", {110, 2, 0xa8, 0x82, 90, 1, 17, 33, 49, 131, 147, 163, 179, 65, 89}},
          {kTarget, "registered", whole(0, Act::register_job)},
          {kTarget, "registered-session", whole(1, Act::register_job)},
          {kTarget, "registered-task", whole(2, Act::register_job)},
          {kTarget, "own", whole(0, Act::begin_job)},
          {kTarget, "in-pieces", in_pieces(1)},
          {kTarget, "ended-by-initiator", ended_by(kInitiator)},
          {kTarget, "ended-by-executor", ended_by(kJobExecutor)}};
}

}  // namespace wirelaw::corpora
