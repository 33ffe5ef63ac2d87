// SPDX-License-Identifier: Apache-2.0
#include "conformance/smbd/duties.h"

#include <algorithm>

namespace wirelaw::smbd {
namespace {

void judge_duty(const Duty& duty, bool done, Judge& judge) {
  Message at = duty.because;
  at.octets = {};
  at.places = {};
  at.sender = duty.debtor;
  judge.at(at);
  judge.advise(*duty.rule, done, octets(0, 0), expected(duty.expected), actual("nothing in that time"), duty.why);
}

}  // namespace

void Duties::owe(const Duty& duty) {
  const bool known =
      std::ranges::any_of(all_, [&](const Duty& one) { return one.rule == duty.rule && one.debtor == duty.debtor; });
  if (!known) all_.push_back(duty);
}

void Duties::settle(const Rule& rule, Side debtor, Judge& judge, std::int64_t now) {
  const auto found =
      std::ranges::find_if(all_, [&](const Duty& one) { return one.rule == &rule && one.debtor == debtor; });
  if (found == all_.end()) return;
  judge_duty(*found, now <= found->due, judge);
  all_.erase(found);
}

void Duties::drop(const Rule& rule) {
  std::erase_if(all_, [&](const Duty& one) { return one.rule == &rule; });
}

void Duties::look(std::int64_t now, Judge& judge) {
  for (const Duty& duty : all_)
    if (now > duty.due) judge_duty(duty, false, judge);
  std::erase_if(all_, [&](const Duty& one) { return now > one.due; });
}

void Duties::finish(std::int64_t now, Judge& judge) {
  look(now, judge);
  all_.clear();
}

}  // namespace wirelaw::smbd
