// SPDX-License-Identifier: Apache-2.0
// The cases of UMSP over datagrams: against a node that has only these, one that answers to port 2110, and one whose
// datagrams a network loses. No peer is blamed for faults of the network.
#include <gmock/gmock.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "conformance/umsp/umsp.h"
#include "harness/cases/breach_walk.h"
#include "harness/peers/reference_peers.h"
#include "harness/runner.h"
#include "harness/transports/memory/memory_iut.h"
#include "reference/umsp/address.h"

namespace wirelaw::umsp {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const PeerOptions kHonest{.role = Role::responder, .application = Service::count};

const ReferencePeer& reference() {
  return *find_reference_peer("umsp");
}

// A peer that passes all calls on to another peer.
class Passing : public Peer {
 public:
  explicit Passing(std::unique_ptr<Peer> inner) : inner_(std::move(inner)) {}
  void located(const Location& location) override { inner_->located(location); }
  void linked(PeerId who, const Link& link) override { inner_->linked(who, link); }
  void receive(PeerId from, Octets octets, Instant now) override { inner_->receive(from, octets, now); }
  void opened(PeerId who, Instant now) override { inner_->opened(who, now); }
  void ended(PeerId who, Ending how, Instant now) override { inner_->ended(who, how, now); }
  std::optional<Dial> next_dial() override { return inner_->next_dial(); }
  void not_reached(const Dial& dial, Instant now) override { inner_->not_reached(dial, now); }
  void advance(Instant now) override { inner_->advance(now); }
  std::optional<Instant> deadline() const override { return inner_->deadline(); }
  bool next_datagram(Outgoing& out) override { return inner_->next_datagram(out); }
  bool trigger(PeerId to, const TriggerRequest& request, Instant now) override {
    return inner_->trigger(to, request, now);
  }
  bool idle() const override { return inner_->idle(); }
  std::uint64_t failed() const override { return inner_->failed(); }
  std::string state() const override { return inner_->state(); }

 protected:
  std::unique_ptr<Peer> inner_;
};

// Sends UDP datagrams to port 2110 of the node. The first is lost, because the port has to be dialled first.
class ToThePort final : public Passing {
 public:
  using Passing::Passing;
  void linked(PeerId who, const Link& link) override {
    links_[who] = link;
    if (link.datagrams && link.remote.port == kPort)
      at_port_[pcap::to_string(link.remote.address)] = who;
    else
      Passing::linked(who, link);
  }
  std::optional<Dial> next_dial() override {
    if (wanted_.empty()) return Passing::next_dial();
    const Dial dial = wanted_.front();
    wanted_.pop_front();
    return dial;
  }
  bool next_datagram(Outgoing& out) override {
    while (Passing::next_datagram(out)) {
      const Link& link = links_[out.to];
      if (!link.datagrams) return true;
      const auto there = at_port_.find(pcap::to_string(link.remote.address));
      if (there != at_port_.end()) {
        out.to = there->second;
        return true;
      }
      wanted_.push_back({{link.remote.address, kPort}, true});
    }
    return false;
  }

 private:
  std::map<PeerId, Link> links_;
  std::map<std::string, PeerId> at_port_;  // by address
  std::deque<Dial> wanted_;
};

// From a given datagram on, the network delivers only one in so many.
class MostlyLost final : public Passing {
 public:
  MostlyLost(std::unique_ptr<Peer> inner, std::uint64_t many, std::uint64_t first)
      : Passing(std::move(inner)), many_(many), sent_(many - first) {}
  bool next_datagram(Outgoing& out) override {
    while (Passing::next_datagram(out))
      if (sent_++ % many_ == 0) return true;
    return false;
  }

 private:
  std::uint64_t many_, sent_;
};

// No datagram reaches it.
class NotReachedByUdp final : public Passing {
 public:
  using Passing::Passing;
  void linked(PeerId who, const Link& link) override {
    datagrams_[who] = link.datagrams;
    Passing::linked(who, link);
  }
  void receive(PeerId from, Octets octets, Instant now) override {
    if (!datagrams_[from]) Passing::receive(from, octets, now);
  }

 private:
  std::map<PeerId, bool> datagrams_;
};

template <class Wrapped>
MakePeer made_as() {
  return [maker = reference().maker(kHonest).value()](std::uint64_t seed) {
    return std::make_unique<Wrapped>(maker(seed));
  };
}

RunOutcome run(MakePeer maker, const MemoryOptions& memory, std::vector<std::string> cases = {"*"}) {
  const auto iut = make_memory_iut(std::move(maker), memory);
  return run_cases(kProtocol, *iut,
                   {.iut = Role::responder,
                    .selection = {.cases = std::move(cases)},
                    .application = Service::count,
                    .parameters = offers_of(reference(), kHonest),
                    .limits = {.deadline = std::chrono::minutes{20}}});
}

std::set<std::string> passed(const RunOutcome& outcome) {
  std::set<std::string> ids;
  for (const CaseResult& one : outcome.results.cases)
    if (one.verdict == Verdict::pass) ids.emplace(one.id);
  return ids;
}

TEST(DatagramsAlone, AreEnoughForTheSearchAndNothingElseIsTried) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const NetworkFaults network_faults{.loss = 0.1, .duplication = 0.1, .reordering = 0.1};
    const RunOutcome outcome = run(reference().maker(kHonest).value(),
                                   {.framing = kDatagrams, .network_faults = network_faults, .seed = seed});
    EXPECT_FALSE(outcome.lost);
    EXPECT_THAT(findings(outcome), IsEmpty());
    EXPECT_THAT(passed(outcome), Not(IsEmpty()));
    EXPECT_THAT(passed(outcome), Each(HasSubstr("search/")));
    EXPECT_THAT(passed(outcome), Contains("search/vm-is-found"));
    for (const CaseResult& one : outcome.results.cases)
      if (one.verdict != Verdict::pass) {
        EXPECT_EQ(one.verdict, Verdict::skipped) << one.id << ": " << one.reason;
        EXPECT_THAT(one.reason, HasSubstr("needs TCP")) << one.id;
      }
  }
}

// A VM has four VM_NOTIF here, one for each transport: an answer that names two things may get lost as a whole. The
// loss periods do not divide the number of answers, so that each try loses other datagrams.
TEST(DatagramsAlone, OfWhichMostAreLostBlameNobody) {
  const MakePeer honest = reference().maker(kHonest).value();
  for (const std::uint64_t many : {5u, 7u})
    for (std::uint64_t first = 0; first < many; ++first) {
      const auto lossy = [&](std::uint64_t seed) { return std::make_unique<MostlyLost>(honest(seed), many, first); };
      const RunOutcome outcome = run(lossy, {.framing = kDatagrams});
      EXPECT_THAT(findings(outcome), IsEmpty()) << "one in " << many << " from " << first;
      EXPECT_THAT(passed(outcome), Contains("search/name-is-answered-apart")) << "one in " << many << " from " << first;
    }
}

TEST(DatagramsAlone, OfANodeThatDoesNotAnswerAreMetInVain) {
  PeerOptions silent = kHonest;
  silent.deviations = {"vm-req-unanswered"};
  const RunOutcome outcome = run(reference().maker(silent).value(), {.framing = kDatagrams});
  EXPECT_TRUE(outcome.lost);
  EXPECT_THAT(passed(outcome), IsEmpty());
}

// UMSP/B44.
TEST(AnswersByUdp, MayGoToThePort) {
  const RunOutcome outcome = run(made_as<ToThePort>(), {.framing = kStreams}, {"search/*", "datagram/*", "name/*"});
  EXPECT_THAT(findings(outcome), IsEmpty());
  EXPECT_THAT(passed(outcome), AllOf(Contains("search/goes-over-udp"), Contains("name/is-found-by-datagram")));
}

TEST(DatagramsThatNeverCome, AreNoFaultOfTheNode) {
  const RunOutcome outcome = run(made_as<NotReachedByUdp>(), {.framing = kStreams});
  EXPECT_THAT(findings(outcome), IsEmpty());
  EXPECT_THAT(passed(outcome), Not(Contains("search/goes-over-udp")));
  EXPECT_THAT(passed(outcome), Not(Contains(HasSubstr("datagram/"))));
}

}  // namespace
}  // namespace wirelaw::umsp
