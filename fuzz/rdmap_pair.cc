// SPDX-License-Identifier: Apache-2.0
#include "fuzz/rdmap_pair.h"

#include <algorithm>

#include "fuzz/rdmap_side.h"
#include "fuzz/rdmap_tap.h"
#include "fuzz/target.h"

namespace wirelaw::fuzz {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMostSteps = 128;
constexpr unsigned kMostRounds = 4096;

class Pair {
 public:
  Pair(Octets settings, DamagedCapture* capture)
      : a_(Role::initiator, settings, 1),
        b_(Role::responder, settings, 2),
        tap_({.a = true, .b = true}, a_.has_extensions()) {
    if (capture) tap_.show_to(capture);
    a_.endpoint().connected(now_, OctetBuffer{'a'});
    b_.endpoint().connected(now_);
    carry(1460);
    static_cast<void>(b_.endpoint().accept(OctetBuffer{'b'}));
    carry(1460);
  }

  void take(const corpora::Record& record) {
    const bool of_b = (record.control & corpora::trace_control::kSideB) != 0;
    RdmapSide& one = of_b ? b_ : a_;
    const RdmapSide& peer = of_b ? a_ : b_;
    // Inserts the STag that the upper layers would have exchanged.
    OctetBuffer step(record.octets.begin(), record.octets.end());
    constexpr std::size_t kStagAt = 3;
    if ((record.control & corpora::rdmap_step::kOwnStag) == 0 && step.size() >= kStagAt + 4)
      store_little_endian(step.data() + kStagAt, peer.stag(step[kStagAt]));
    one.act(step);
    carry(1 + record.control / 2 * 13u);
  }

  void finish() {
    a_.endpoint().close();
    b_.endpoint().close();
    carry(1460);
    for (int i = 0; i < 64 && !(a_.over() && b_.over()); ++i) {
      now_ += 5s;
      a_.endpoint().advance(now_);
      b_.endpoint().advance(now_);
      carry(1460);
    }
    require(a_.over() && b_.over(), "both ends come to an end");
    tap_.finish();
  }

 private:
  struct Way {
    OctetBuffer octets;
    bool ended = false;
  };

  // Carries all octets, in pieces of at most `most` octets.
  void carry(std::size_t most) {
    unsigned rounds = 0;
    for (bool moved = true; moved;) {
      const bool forth = carry_from(a_, b_, Side::a, to_b_, most), back = carry_from(b_, a_, Side::b, to_a_, most);
      moved = forth || back;
      require(++rounds < kMostRounds, "two endpoints come to rest");
    }
  }
  bool carry_from(RdmapSide& from, RdmapSide& to, Side side, Way& way, std::size_t most) {
    bool moved = false;
    OctetBuffer out;
    if (from.endpoint().next_octets(out)) {
      moved = true;
      Octets rest = out;
      while (!rest.empty()) {
        const Octets part = rest.first(std::min(most, rest.size()));
        tap_.see(side, part, now_);
        to.endpoint().receive(part, now_);
        to.settle();
        rest = rest.subspan(part.size());
      }
    } else if (from.endpoint().ending() != Ending::none && !way.ended) {
      moved = way.ended = true;
      tap_.see_end(side, from.endpoint().ending(), now_);
      to.endpoint().peer_ended(from.endpoint().ending(), now_);
    }
    from.settle();
    to.settle();
    return moved;
  }

  RdmapSide a_, b_;
  RdmapTap tap_;
  Instant now_{};
  Way to_a_, to_b_;
};

}  // namespace

void run_rdmap_pair(Octets conversation, DamagedCapture* capture) {
  if (conversation.size() < corpora::kRdmapSettings) return;
  Pair pair(conversation.first(corpora::kRdmapSettings), capture);
  std::size_t steps = 0;
  for (const corpora::Record& record : corpora::read_records(conversation.subspan(corpora::kRdmapSettings))) {
    if (steps++ == kMostSteps) break;
    pair.take(record);
  }
  pair.finish();
}

}  // namespace wirelaw::fuzz
