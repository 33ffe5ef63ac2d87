// SPDX-License-Identifier: Apache-2.0
#include "fuzz/rdmap_delayed.h"

#include "conformance/rdmap/rdmap.h"
#include "fuzz/rdmap_side.h"

namespace wirelaw::fuzz {
namespace {

using corpora::RdmapAction;
using namespace std::chrono_literals;

class Conversation {
 public:
  explicit Conversation(const RdmapDelayed& said)
      : said_(said),
        capture_(rdmap::kProtocol, rdmap::kProtocol, said.skipped),
        stream_(
            queue_, said.path, [this](const pcap::Segment& segment, bool from_a) { capture_.see(segment, from_a); },
            [this](Side to, Octets octets) { arrive(to, octets); }),
        a_(Role::initiator, said.settings, 1, kPatience),
        b_(Role::responder, said.settings, 2, kPatience) {}

  DelayedOutcome run() {
    stream_.open();
    a_.endpoint().connected(now(), OctetBuffer{'a'});
    b_.endpoint().connected(now());
    settle();
    for (const Octet step : said_.steps) {
      pass(std::int64_t{step & 0x0f} * 400'000'000);
      act(step);
      settle();
    }
    pass(120'000'000'000);
    DelayedOutcome outcome = capture_.finish(queue_.now());
    outcome.messages = a_.received() + a_.completed() + b_.received() + b_.completed();
    return outcome;
  }

 private:
  static constexpr Instant kPatience = 10min;
  static constexpr unsigned kMostEvents = 50'000;

  Instant now() const { return Instant(queue_.now()); }

  void arrive(Side to, Octets octets) {
    RdmapSide& here = to == Side::a ? a_ : b_;
    here.endpoint().receive(octets, now());
    if (to == Side::b) static_cast<void>(b_.endpoint().accept(OctetBuffer{'b'}));  // fails if there is no request
    settle();
  }
  void settle() {
    for (const Side side : {Side::a, Side::b}) {
      RdmapSide& one = side == Side::a ? a_ : b_;
      for (OctetBuffer out; one.endpoint().next_octets(out);) stream_.write(side, out);
      one.settle();
    }
  }

  void act(Octet step) {
    constexpr std::array kActions{RdmapAction::send, RdmapAction::write, RdmapAction::read, RdmapAction::fetch_add,
                                  RdmapAction::send, RdmapAction::write, RdmapAction::read, RdmapAction::immediate};
    const bool of_b = (step & 0x80) != 0;
    RdmapSide& here = of_b ? b_ : a_;
    RdmapSide& there = of_b ? a_ : b_;
    const RdmapAction action = kActions[step >> 4 & 7];
    // The peer posts a receive for each message that it will get.
    if (action == RdmapAction::send || action == RdmapAction::immediate)
      there.act(described(RdmapAction::receive, kRdmapReceive, 0, 0));
    // A multiple of 3 selects the buffer that both may read and write (RdmapSide::act).
    here.act(described(action, static_cast<std::uint16_t>((step & 0x0f) * 15), there.stag(0), kRdmapBase));
  }
  static OctetBuffer described(RdmapAction action, std::uint16_t octets, rdmap::Stag stag, std::uint64_t to) {
    OctetBuffer step;
    Writer(step).octet(static_cast<Octet>(action)).little_endian(octets).little_endian(stag).little_endian(to);
    return step;
  }

  void pass(std::int64_t ns) {
    const std::int64_t until = queue_.now() + ns;
    for (unsigned i = 0; i < kMostEvents && queue_.next() && *queue_.next() <= until; ++i) queue_.run_next();
    queue_.pass_to(until);
  }

  RdmapDelayed said_;
  EventQueue queue_;
  DelayedCapture capture_;
  DelayedStream stream_;
  RdmapSide a_, b_;
};

}  // namespace

DelayedOutcome run_rdmap_delayed(const RdmapDelayed& conversation) {
  return Conversation(conversation).run();
}

}  // namespace wirelaw::fuzz
