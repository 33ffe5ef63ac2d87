// SPDX-License-Identifier: Apache-2.0
// A receiver that reassembles a message wrongly.
#pragma once

#include "reference/ramcloud/message_receiver.h"

namespace wirelaw::ramcloud {

struct ReassemblyFaults {
  bool keep_beyond_total = false;  // keeps fragments with fragNumber >= totalFrags
  bool follow_total = false;       // uses the latest totalFrags
  bool append_duplicates = false;  // appends a duplicate fragment to the message
  bool in_arrival_order = false;   // concatenates fragments in order of arrival
};

class FaultyReceiver final : public MessageReceiver {
 public:
  FaultyReceiver(OctetBudget& budget, std::size_t limit, ReassemblyFaults faults)
      : MessageReceiver(budget, limit), faults_(faults) {}

 private:
  bool exists(std::uint16_t number, std::uint16_t total) const override {
    return faults_.keep_beyond_total || MessageReceiver::exists(number, total);
  }
  std::uint16_t settle_total(std::uint16_t total) override {
    return faults_.follow_total ? total : MessageReceiver::settle_total(total);
  }
  void on_duplicate(std::uint16_t number, Octets payload) override {
    if (faults_.append_duplicates && is_before_first_missing(number)) append(payload);
  }
  bool stage(std::uint16_t number, Octets payload) override {
    if (!faults_.in_arrival_order) return MessageReceiver::stage(number, payload);
    return append(payload) && MessageReceiver::stage(number, {});
  }

  ReassemblyFaults faults_;
};

}  // namespace wirelaw::ramcloud
