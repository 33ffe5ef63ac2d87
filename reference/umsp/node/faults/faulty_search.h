// SPDX-License-Identifier: Apache-2.0
// A search for VMs that commits deviations.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "reference/umsp/node/faults/session_deviations.h"
#include "reference/umsp/node/search.h"

namespace wirelaw::umsp {

class FaultySearch final : public Search {
 public:
  FaultySearch(SearchOptions options, Outbox& out, const SessionDeviations& deviations)
      : Search(std::move(options), out), deviations_(deviations) {}

 private:
  void on_request(const Origin& origin, const Instruction& instruction) override;
  void on_notification(const Origin& origin, const Instruction& instruction) override;
  void answer_name(const Origin& origin, const Instruction& instruction, std::string_view name) override;
  void answer_all(const Origin& origin, const Instruction& instruction) override;
  void answer_one(const Origin& origin, const Instruction& instruction, VmKind wanted) override;
  void answer_group(const Origin& origin, const Instruction& instruction, const std::vector<VmKind>& wanted) override;
  void send(const Origin& origin, Draft draft) override;

  void respond(const Origin& origin, const Instruction& instruction, Codes codes);
  bool deviates(SessionDeviation deviation) const { return deviations_.has(deviation); }

  SessionDeviations deviations_;
};

}  // namespace wirelaw::umsp
