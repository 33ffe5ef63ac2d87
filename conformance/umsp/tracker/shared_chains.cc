// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "conformance/umsp/tracker/chain_account.h"
#include "conformance/umsp/tracker/chain_steps.h"
#include "conformance/umsp/tracker/late_facts.h"
#include "conformance/umsp/tracker/pair.h"

namespace wirelaw::umsp {
namespace {

// The instructions with one chain number on all connections together.
struct Carried {
  std::vector<InstructionRun> runs;
  unsigned begins = 0, ends = 0;
  std::uint32_t end = 0;  // the highest number with _END_CHAIN
  bool is_shared = false;
  bool is_unknown = false;

  void add(const SessionHalf& half, std::uint16_t number) {
    const auto found = half.carried.find(number);
    if (found == half.carried.end()) {
      is_unknown |= half.chains_forgotten || half.carried_forgotten || half.chains.contains(number);
      return;
    }
    const CarriedChain& one = found->second;
    is_unknown |= one.is_unknown;
    runs.insert(runs.end(), one.runs.begin(), one.runs.end());
    begins += one.begins;
    ends += one.ends;
    end = std::max(end, one.end);
  }
  std::uint32_t greatest() const {
    std::uint32_t number = 0;
    for (const InstructionRun& run : runs) number = std::max<std::uint32_t>(number, run.last);
    return number;
  }
  std::size_t count(std::uint32_t number) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        runs, [number](const InstructionRun& run) { return run.first <= number && number <= run.last; }));
  }
  // The first number from 0 to the end that no connection has carried.
  std::optional<std::uint32_t> missing() const {
    std::uint32_t next = 0;
    for (bool moved = true; moved && next <= end;) {
      moved = false;
      for (const InstructionRun& run : runs)
        if (run.first <= next && next <= run.last) {
          next = run.last + std::uint32_t{1};
          moved = true;
        }
    }
    return next <= end ? std::optional(next) : std::nullopt;
  }
};

Carried all_of(const Connection& here, const ObservedSession& session, Side sender, std::uint16_t number) {
  Carried all;
  all.add(session.half(sender), number);
  look_for_session_elsewhere(here, session, [&](Connection&, const ObservedSession& there, bool is_turned) {
    const SessionHalf& half = there.half(turned(sender, is_turned));
    all.is_shared |= half.carried.contains(number);
    all.add(half, number);
    return false;
  });
  return all;
}

// Later instructions do not explain the breach.
bool is_broken_by(const Carried& all, const Fact& breach) {
  const bool is_one_chain = all.begins <= 1 && all.ends == 1;
  switch (breach.claim) {
    case Claim::begins_after_end:
      return all.begins > all.ends + 1;
    case Claim::is_up_to_end:
      return is_one_chain && breach.got > all.end;
    case Claim::completes_chain:
      return is_one_chain && all.missing().has_value();
    default:
      return all.count(static_cast<std::uint32_t>(breach.got)) > std::max(all.begins, 1u);
  }
}

void add(CarriedChain& chain, std::uint16_t number) {
  if (!chain.runs.empty() && chain.runs.back().last + 1 == number) {
    chain.runs.back().last = number;
    return;
  }
  if (chain.runs.size() >= kMostRuns)
    chain.is_unknown = true;
  else
    chain.runs.push_back({number, number});
}

}  // namespace

void note_carried(const Seen& seen, SessionHalf& half, const LinkFact& link) {
  const auto [chain_number, number] = link.place;
  CarriedChain* const chain = carried_of(seen, half, chain_number);
  if (chain == nullptr) return;
  add(*chain, number);
  chain->begins += link.is_first() ? 1 : 0;
  if (link.ends) {
    ++chain->ends;
    chain->end = std::max<std::uint32_t>(chain->end, number);
  }
  if (chain->is_unknown) return;
  const Carried all = all_of(seen.connection, *seen.session, seen.message.sender, chain_number);
  if (all.is_unknown) return;
  const auto keep = [&](Claim claim, std::uint64_t got, std::uint64_t due = 0) {
    const Fact fact{claim, false, seen.field(HeaderField::instr_number), got, due};
    if (is_broken_by(all, fact)) keep_fact(seen, {.fact = fact});
  };
  keep(Claim::has_number_once, number);
  if (const auto missing = all.missing(); link.ends && missing) keep(Claim::completes_chain, 0, *missing);
  if (link.is_first()) keep(Claim::begins_after_end, chain_number);
  if (link.ends || number > all.end) keep(Claim::is_up_to_end, all.greatest());
}

bool is_still_broken(const Connection& connection, const ObservedSession& session, const KeptFact& kept) {
  const Carried all = all_of(connection, session, kept.message.sender, kept.chain_number);
  return !all.is_unknown && all.is_shared && is_broken_by(all, kept.fact);
}

}  // namespace wirelaw::umsp
