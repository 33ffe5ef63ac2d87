// SPDX-License-Identifier: Apache-2.0
// Sessions that commit deviations: they override each step that a deviation changes.
#pragma once

#include <optional>

#include "reference/umsp/node/faults/session_deviations.h"
#include "reference/umsp/node/sessions.h"

namespace wirelaw::umsp {

class FaultySessions final : public Sessions {
 public:
  FaultySessions(const SessionOptions& options, Outbox& out, const SessionDeviations& deviations)
      : Sessions(options, out), deviations_(deviations) {}

  void close(std::uint32_t id, Codes codes) override;
  bool works_without_session() const override;

 private:
  // --- the handshake
  void on_open(const Origin& origin, const Instruction& instruction, const Membership& membership) override;
  void on_first_open(const Origin& origin, std::uint32_t peer_id, const SessionOpen& open) override;
  bool gives_way(const Session& existing, const Session& asked) const override;
  void replace(Session& existing, Session& asked) override;
  std::optional<SessionError> check_open(const SessionOpen& open) const override;
  void admit(Session& session) override;
  Opening opening_of(const Session& session) override;
  SessionOpen open_for(const Session& session, const SessionWish& wish) const override;
  void accept(Session& session) override;
  void counter(Session& session) override;
  void on_accept(Session& session, const Instruction& instruction) override;
  void on_reject(Session& session, const Instruction& instruction) override;
  void establish(Session& session) override;
  // --- the zero-session
  void on_zero_open(const Origin& origin, const Instruction& instruction) override;
  // --- the closing
  void on_activity(Session& session) override;
  bool ends_closing(const Instruction& instruction) const override;
  void on_close(Session& session, const Instruction& instruction) override;
  void on_closing_answer(Session& session, const Instruction& instruction) override;
  void on_abend(Session& session, const Instruction& instruction) override;
  void on_open_timeout(Session& session) override;
  // --- common steps
  bool is_usable(const Session& session, const Origin& from) const override;
  Session* addressed(std::uint32_t id, const Origin& origin, const Instruction& instruction) override;

  void register_again(const Session& session);
  void counter_zero_open(const Origin& origin, const SessionOpen& open);
  void take_for_session(const Origin& origin, const SessionOpen& open);
  bool deviates(SessionDeviation deviation) const { return deviations_.has(deviation); }
  bool deviates(SessionDeviation deviation, const Instruction& instruction) const {
    return deviates(deviation) && !instruction.extensions.empty();
  }

  SessionDeviations deviations_;
  std::optional<Identifier> first_job_;
  bool zero_session_opened_ = false;
};

}  // namespace wirelaw::umsp
