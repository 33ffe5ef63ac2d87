// SPDX-License-Identifier: Apache-2.0
#include "conformance/smbd/duties.h"

#include <algorithm>

namespace wirelaw::smbd {
namespace {

enum class Done : std::uint8_t { in_time, late, never };

void judge_duty(const Duty& duty, Done done, Judge& judge) {
  Message at = duty.because;
  at.octets = {};
  at.places = {};
  at.sender = duty.debtor;
  judge.at(at);
  if (done == Done::late)
    judge.advise(*duty.rule, false, octets(0, 0), expected(duty.expected), actual("nothing in that time"),
                 "a long way, on which messages are repeated, may explain it");
  else
    judge.require(*duty.rule, done == Done::in_time, octets(0, 0), expected(duty.expected),
                  actual(std::string_view("nothing")), duty.why);
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
  judge_duty(*found, now > found->due ? Done::late : Done::in_time, judge);
  all_.erase(found);
}

void Duties::drop(const Rule& rule) {
  std::erase_if(all_, [&](const Duty& one) { return one.rule == &rule; });
}

void Duties::look(std::int64_t now, Judge& judge) {
  for (const Duty& duty : all_)
    if (now > duty.sure) judge_duty(duty, Done::never, judge);
  std::erase_if(all_, [&](const Duty& one) { return now > one.sure; });
}

void Duties::finish(std::int64_t now, Judge& judge) {
  look(now, judge);
  for (const Duty& duty : all_)
    if (now > duty.due) judge_duty(duty, Done::late, judge);
  all_.clear();
}

}  // namespace wirelaw::smbd
