// SPDX-License-Identifier: Apache-2.0
#include "fuzz/efa_delayed.h"

#include <algorithm>
#include <array>
#include <utility>

#include "conformance/efa/efa.h"
#include "fuzz/efa_calls.h"
#include "reference/efa/endpoint.h"

namespace wirelaw::fuzz {
namespace {

using namespace std::chrono_literals;

class Conversation {
 public:
  explicit Conversation(const EfaDelayed& said)
      : said_(said),
        random_(said.path.seed + 1),
        capture_(efa::kProtocol, efa::kProtocol, said.skipped, {.may_double = true}),
        packets_(
            queue_, without_loss(said.path),
            [this](Side from, Octets packet) { capture_.see(from, packet, queue_.now()); },
            [this](Side to, Octets packet) { arrive(to, packet); }),
        a_(options(false), 1),
        b_(options(true), 2),
        calls_{EfaCalls(a_, 1, b_.memory().add(EfaCalls::message(kMemory), efa::Access::read_write)),
               EfaCalls(b_, 0, a_.memory().add(EfaCalls::message(kMemory), efa::Access::read_write))} {}

  DelayedOutcome run() {
    for (EfaCalls& calls : calls_) post_receives(calls);
    for (const Octet step : said_.steps) {
      pass(std::int64_t{step & 0x0f} * 400'000'000);
      call(step);
      settle();
    }
    pass(120'000'000'000);
    DelayedOutcome outcome = capture_.finish(queue_.now());
    outcome.messages = packets_arrived_;
    return outcome;
  }

 private:
  static constexpr std::size_t kMemory = 4096;
  static constexpr std::size_t kReceives = 20;  // the rest of kMostCalls are calls
  static constexpr unsigned kMostEvents = 100'000;

  // The device loses nothing (1.1).
  static Path without_loss(Path path) {
    path.loss = 0;
    return path;
  }
  efa::Options options(bool second) const {
    efa::Options options = corpora::efa_options_of(said_.settings, second);
    options.patience = 1h;  // no operation is given up
    return options;
  }
  Instant now() const { return Instant(queue_.now()); }
  efa::Endpoint& endpoint(std::size_t which) { return which == 0 ? a_ : b_; }
  Octet random() { return static_cast<Octet>(random_() >> 8); }

  void post_receives(EfaCalls& calls) {
    for (std::size_t i = 0; i < kReceives; ++i) {
      corpora::EfaStep receive{.amount = 4095, .relative = static_cast<Octet>(i % 2 * 2)};
      receive.spare = 3;  // any tag
      calls.post_receive(receive, now());
    }
  }
  void call(Octet step) {
    calls_[step >> 7].call({.type = static_cast<Octet>(1 + (step >> 4 & 3)),
                            .which = random(),
                            .headers = static_cast<Octet>(random() & 0x1b),
                            .length = static_cast<std::uint16_t>((std::size_t{random()} << 4) % kMemory),
                            .offset = random(),
                            .own = random(),
                            .spare = random()},
                           now());
  }

  void arrive(Side to, Octets packet) {
    ++packets_arrived_;
    const std::size_t which = to == Side::a ? 0 : 1;
    endpoint(which).receive(1 - which, packet, now());
    settle();
  }
  void settle() {
    for (const std::size_t which : {0u, 1u}) {
      for (Outgoing out; endpoint(which).next_datagram(out);)
        packets_.send(which == 0 ? Side::a : Side::b, std::move(out.octets));
      for (efa::RdmaWork work; endpoint(which).next_rdma(work);) start_rdma(which, std::move(work));
      calls_[which].settle();
    }
  }
  // RDMA passes no tap. It takes effect when it arrives, and its completion takes as long again.
  void start_rdma(std::size_t which, efa::RdmaWork work) {
    const std::int64_t way = said_.path.most_ns;
    queue_.after(way, [this, which, way, work = std::move(work)] {
      efa::Endpoint& there = endpoint(1 - which);
      OctetBuffer read;
      bool is_done = false;
      if (work.kind == efa::RdmaWork::Kind::read) {
        const auto octets = there.rdma_read(work.remote);
        is_done = octets.has_value();
        if (is_done) read.assign(octets->begin(), octets->end());
      } else {
        is_done = there.rdma_written(which, work.remote, work.octets, work.cq_data);
      }
      settle();
      queue_.after(way, [this, which, is_done, id = work.id, read = std::move(read)] {
        endpoint(which).rdma_done(id, is_done, read, now());
        settle();
      });
    });
  }

  void pass(std::int64_t ns) {
    const std::int64_t until = queue_.now() + ns;
    for (unsigned i = 0; i < kMostEvents && queue_.next() && *queue_.next() <= until; ++i) queue_.run_next();
    queue_.pass_to(until);
  }

  EfaDelayed said_;
  std::minstd_rand random_;
  EventQueue queue_;
  DelayedCapture capture_;
  DelayedDatagrams packets_;
  efa::Endpoint a_, b_;
  std::array<EfaCalls, 2> calls_;
  std::uint64_t packets_arrived_ = 0;
};

}  // namespace

DelayedOutcome run_efa_delayed(const EfaDelayed& conversation) {
  return Conversation(conversation).run();
}

}  // namespace wirelaw::fuzz
