// SPDX-License-Identifier: Apache-2.0
// What a side owes within a time: an answer, or the end of the connection. Time is that of the source. It proves no
// breach: a message may take long to come to the capture, or be lost ahead of it and sent again. So a duty that is not
// done in time is a warning.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "conformance/judge.h"
#include "conformance/rule.h"

namespace wirelaw::smbd {

struct Duty {
  const Rule* rule;
  Side debtor;
  std::int64_t due;
  Message because;  // what made it one, without its octets
  std::string_view expected;
  std::string_view why;
};

class Duties {
 public:
  // At most one of a rule and a debtor: the oldest.
  void owe(const Duty& duty);
  // It was done, in time unless it is later than that.
  void settle(const Rule& rule, Side debtor, Judge& judge, std::int64_t now = 0);
  // It is not asked for any more, or cannot be known.
  void drop(const Rule& rule);
  void drop_all() { all_.clear(); }
  // Judges what should have been done before `now`; the message that the judge is at changes.
  void look(std::int64_t now, Judge& judge);
  // The same at the end of the source.
  void finish(std::int64_t now, Judge& judge);

 private:
  std::vector<Duty> all_;  // few: one of a rule and a side
};

}  // namespace wirelaw::smbd
