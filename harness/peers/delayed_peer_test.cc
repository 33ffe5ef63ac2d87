// SPDX-License-Identifier: Apache-2.0
// Honest peers at both ends of a slow network, in virtual time. One-way delays are up to three seconds, and are the
// same for all packets or differ for each. At every place of the capture, and with any packet as the first, neither
// peer fails a MUST.
#include <gmock/gmock.h>

#include <map>
#include <random>
#include <set>

#include "conformance/stack.h"
#include "harness/peers/reference_peers.h"

namespace wirelaw {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

struct Slow {
  const char* protocol;
  std::vector<std::string> settings;  // for the initiator
  std::vector<TriggerRequest> requests;
  Instant least, most;  // one way
  double loss = 0;
};
void PrintTo(const Slow& slow, std::ostream* out) {
  *out << slow.protocol << ' ' << slow.least.count() / 1'000'000 << " to " << slow.most.count() / 1'000'000 << " ms";
}

struct Seen {
  Instant time;
  std::uint64_t order;
  Side sender;
  OctetBuffer octets;
};

// The place of the capture, as the fraction of the way from side a to side b.
constexpr double kTaps[] = {0, 0.5, 1};

class Ends {
 public:
  Ends(const Slow& slow, std::uint64_t seed) : slow_(slow), random_(seed) {
    const ReferencePeer& reference = *find_reference_peer(slow.protocol);
    a_ = reference.maker({.role = Role::initiator, .settings = slow.settings}).value()(seed);
    b_ = reference.maker({.role = Role::responder, .application = Service::echo}).value()(seed + 1);
    a_->located({.endpoint = *pcap::parse_endpoint("192.0.2.1:31201")});
    b_->located({.endpoint = *pcap::parse_endpoint("192.0.2.2:21201")});
  }

  // Makes every request in turn, and records what each tap sees.
  void run() {
    for (const TriggerRequest& request : slow_.requests) {
      ASSERT_TRUE(a_->trigger(kPeer, request, now_));
      fetch();
      for (unsigned turns = 0; !a_->idle() || !in_flight_.empty(); ++turns) {
        ASSERT_LT(turns, 200'000u) << a_->state();
        turn();
      }
    }
  }
  std::vector<Seen> seen_at(std::size_t tap) const {
    std::vector<Seen> all = seen_[tap];
    std::ranges::sort(all, {}, [](const Seen& one) { return std::pair(one.time, one.order); });
    return all;
  }

 private:
  static constexpr PeerId kPeer = 0;
  struct Packet {
    Side sender;
    OctetBuffer octets;
  };

  void turn() {
    std::optional<Instant> next = in_flight_.empty() ? std::nullopt : std::optional(in_flight_.begin()->first);
    for (Peer* const peer : {a_.get(), b_.get()})
      if (const auto due = peer->deadline(); due && (!next || *due < *next)) next = due;
    ASSERT_TRUE(next) << a_->state();
    now_ = std::max(now_, *next);
    if (!in_flight_.empty() && in_flight_.begin()->first <= now_) {
      const Packet packet = std::move(in_flight_.extract(in_flight_.begin()).mapped());
      (packet.sender == Side::a ? b_ : a_)->receive(kPeer, packet.octets, now_);
    }
    a_->advance(now_);
    b_->advance(now_);
    fetch();
  }
  void fetch() {
    for (Outgoing out; a_->next_datagram(out);) carry(Side::a, out.octets);
    for (Outgoing out; b_->next_datagram(out);) carry(Side::b, out.octets);
  }
  void carry(Side sender, const OctetBuffer& octets) {
    std::uniform_int_distribution<Instant::rep> delay(slow_.least.count(), slow_.most.count());
    const double lost_at =
        std::bernoulli_distribution(slow_.loss)(random_) ? std::uniform_real_distribution()(random_) : 2;
    const Instant way(delay(random_));
    for (std::size_t tap = 0; tap < std::size(kTaps); ++tap) {
      const double part = sender == Side::a ? kTaps[tap] : 1 - kTaps[tap];
      if (part > lost_at) continue;
      const Instant passed(static_cast<Instant::rep>(static_cast<double>(way.count()) * part));
      seen_[tap].push_back({now_ + passed, order_, sender, octets});
    }
    ++order_;
    if (lost_at > 1) in_flight_.emplace(now_ + way, Packet{sender, octets});
  }

  const Slow& slow_;
  std::mt19937_64 random_;
  std::unique_ptr<Peer> a_, b_;
  std::multimap<Instant, Packet> in_flight_;
  std::vector<Seen> seen_[std::size(kTaps)];
  Instant now_{0};
  std::uint64_t order_ = 0;
};

// The rules of level MUST that fail in what was seen from `first` on.
std::set<std::string> failed(const Protocol& protocol, std::span<const Seen> seen) {
  static std::map<std::string_view, Catalogue> catalogues;
  const auto [known, is_new] = catalogues.try_emplace(protocol.name, catalogue_of_stack(protocol, protocols()));
  Judge judge(known->second);
  judge.enter_flow("peers", "a", "b");
  const auto observer = protocol.observer({.may_double = true});
  std::uint64_t index = 0;
  for (const Seen& one : seen) observer->observe(message_of(one.octets, one.sender, index++, one.time.count()), judge);
  observer->finish(judge);
  std::set<std::string> rules;
  for (const Finding& one : judge.findings())
    if (one.severity == Severity::violation && is_mandatory(one.rule->level))
      rules.insert(fmt::format("{} at packet {}: {}", one.rule->id, one.message, one.explanation));
  return rules;
}

class DelayedPeers : public testing::TestWithParam<Slow> {};

TEST_P(DelayedPeers, FailNoMustWhereverAndFromWheneverTheyAreCaptured) {
  constexpr std::uint64_t kSeeds = 3;
  constexpr std::size_t kEach = 150, kFew = 40;  // captures from each of the first packets on, and from later ones
  const Slow& slow = GetParam();
  const Protocol& protocol = *find_protocol(slow.protocol);
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Ends ends(slow, seed);
    ends.run();
    for (std::size_t tap = 0; tap < std::size(kTaps); ++tap) {
      const std::vector<Seen> seen = ends.seen_at(tap);
      ASSERT_GT(seen.size(), 20u);
      for (std::size_t first = 0; first < seen.size(); first += first < kEach ? 1 : seen.size() / kFew)
        ASSERT_THAT(failed(protocol, std::span(seen).subspan(first)), testing::IsEmpty())
            << "seed " << seed << ", tap at " << kTaps[tap] << ", from packet " << first << " of " << seen.size();
    }
  }
}

const std::vector<TriggerRequest> kMessages{{.octets = 16, .count = 12, .parallel = true},
                                            {.octets = 20'000, .count = 2, .parallel = true},
                                            {.octets = 16, .count = 3},
                                            {.octets = 100'000, .count = 1},
                                            {.octets = 64, .count = 12, .parallel = true}};
// A client repeats its requests every tenth of a second.
const std::vector<TriggerRequest> kCalls{
    {.octets = 16, .count = 8, .parallel = true}, {.octets = 5000, .count = 1}, {.octets = 16, .count = 2}};

std::vector<Slow> slow_peers() {
  std::vector<Slow> all;
  const std::pair<Instant, Instant> delays[] = {{seconds(3), seconds(3)},
                                                {milliseconds(1300), milliseconds(2600)},
                                                {milliseconds(1), seconds(3)},
                                                {milliseconds(1), milliseconds(200)}};
  for (const auto& [least, most] : delays) {
    all.push_back({"efa", {}, kMessages, least, most});
    all.push_back({"ramcloud", {"patient"}, kCalls, least, most});
    all.push_back({"ramcloud", {"patient"}, kCalls, least, most, 0.02});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Delays, DelayedPeers, testing::ValuesIn(slow_peers()),
                         [](const auto& slow) { return fmt::format("{}_{}", slow.param.protocol, slow.index); });

}  // namespace
}  // namespace wirelaw
