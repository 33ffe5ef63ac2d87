// SPDX-License-Identifier: Apache-2.0
// Follows one connection of SMB Direct, and states facts about each of its events. It judges nothing.
#pragma once

#include <cstdint>
#include <string_view>

#include "conformance/smbd/tracker/connection.h"
#include "conformance/smbd/tracker/facts.h"

namespace wirelaw::smbd {

class Tracker {
 public:
  // Processes the next delivery. The facts refer to it.
  Facts follow(const Delivery& delivery);
  // Reports messages overdue at this time, the end of the source.
  Obligations<Owed>::Facts finish(std::int64_t now_ns);

  std::uint64_t messages() const { return messages_; }
  std::string_view partial() const { return partial_; }
  std::size_t memory() const;

 private:
  void follow_established(const Delivery& delivery);
  void follow_move(Facts& facts);
  void follow_end(Facts& facts);
  void lose(std::string_view why);
  // The negotiation does not determine the rest of the connection.
  void give_up_negotiation();

  void follow_message(Facts& facts);
  // If the trace lacks the beginning, a message that can only be a negotiate message counts as one.
  void find_beginning(const Message& message);
  void follow_first(Facts& facts);
  void follow_request(Facts& facts);
  void follow_response(Facts& facts);
  void establish(Facts& facts, const NegotiateResponse& response);
  void refuse(Facts& facts);

  void follow_transfer(Facts& facts);
  // Returns true if the message after the negotiation may be a Data Transfer that the tracker can follow.
  bool is_followed(Facts& facts);
  void take_short_transfer(Facts& facts, Way& from, Way& to);
  void find_accepted(Facts& facts, Way& from);
  void find_accepted_by_name(Facts& facts, Way& from, bool is_named_later, Receipt shown_by);
  void find_answered(Facts& facts, Way& from, const Way& to);
  void invalidate(TransferFact& fact, std::uint32_t token, const Way& from, Way& to);
  void take_payload(TransferFact& fact, const Delivery& delivery, Way& from, Way& to);
  void keep_account(Facts& facts, Way& from, Way& to);
  void settle_answer(Facts& facts);
  void keep_alive(const Message& message, const DataTransfer& data, const Way& to);

  Connection connection_;
  Obligations<Owed> owed_;
  std::uint64_t messages_ = 0;
  std::string_view partial_ = "it begins after the negotiation";
};

}  // namespace wirelaw::smbd
