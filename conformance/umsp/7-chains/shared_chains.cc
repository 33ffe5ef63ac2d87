// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/7-chains/shared_chains.h"

#include <algorithm>
#include <utility>

#include "conformance/umsp/7-chains/rules.h"

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

// True if later instructions do not explain the kept violation.
bool is_broken_by(const Carried& all, const OrphanInstruction& breach) {
  const bool is_one_chain = all.begins <= 1 && all.ends == 1;
  if (breach.rule == &rule<"UMSP-7-8">) return all.begins > all.ends + 1;
  if (breach.rule == &rule<"UMSP-7-16">) return is_one_chain && breach.due > all.end;
  if (breach.missing > 0) return is_one_chain && all.missing().has_value();
  return all.count(breach.number) > std::max(all.begins, 1u);
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

void note_carried(Judge& judge, const Seen& seen, SessionHalf& half, bool begins, bool ends) {
  const std::uint16_t chain_number = seen.membership.chain->chain_number;
  const std::uint16_t number = seen.membership.chain->instr_number;
  CarriedChain* const chain = carried_of(seen, half, chain_number);
  if (chain == nullptr) return;
  add(*chain, number);
  chain->begins += begins ? 1 : 0;
  if (ends) {
    ++chain->ends;
    chain->end = std::max<std::uint32_t>(chain->end, number);
  }
  if (chain->is_unknown) return;
  const Carried all = all_of(seen.connection, *seen.session, seen.message.sender, chain_number);
  if (all.is_unknown) return;
  const OctetRange where = seen.field(HeaderField::instr_number);
  const auto keep = [&](const Rule& rule, std::uint32_t missing, std::string want, std::string got) {
    OrphanInstruction breach{
        .rule = &rule, .due = all.greatest(), .number = number, .missing = missing, .of_all = true};
    breach.expected = std::move(want);
    breach.actual = std::move(got);
    if (is_broken_by(all, breach)) keep_breach_of_chain(judge, seen, std::move(breach), where);
  };
  keep(rule<"UMSP-7-6">, 0, "each number once", say(number));
  if (ends && all.missing())
    keep(rule<"UMSP-7-6">, 1, fmt::format("number {} on one of the connections", *all.missing()), "none has it");
  if (begins) keep(rule<"UMSP-7-8">, 0, "a number of no chain, or of one that has ended", say(chain_number));
  if (ends || number > all.end)
    keep(rule<"UMSP-7-16">, 0, "_END_CHAIN in the instruction with the greatest number", say(all.greatest()));
}

void judge_carried(Judge& judge, const Connection& connection, const ObservedSession& session,
                   const OrphanInstruction& breach) {
  constexpr std::int64_t kPatience = 30'000'000'000;  // ns; a part may still be on its way when a capture ends
  const bool has_ended = connection.of(Side::a).ended && connection.of(Side::b).ended &&
                         (connection.pair == nullptr || !connection.pair->has_another_open(connection));
  if (!has_ended && judge.now_ns() - breach.message.time_ns < kPatience) return;
  if (!is_all_seen(connection, session)) return;
  const Carried all = all_of(connection, session, breach.message.sender, breach.chain_number);
  if (all.is_unknown || !all.is_shared || !is_broken_by(all, breach)) return;
  Message message = breach.message;
  message.octets = breach.octets;
  judge.at(message);
  judge.require(*breach.rule, false, octets(breach.offset, breach.length), expected(std::string_view(breach.expected)),
                actual(std::string_view(breach.actual)), "the connections of the two nodes together",
                Evidence::absence);
}

}  // namespace wirelaw::umsp
