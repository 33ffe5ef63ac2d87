// SPDX-License-Identifier: Apache-2.0
// What the cases of chains speak through (RFC 3018 7): a session whose IUT has said how long its window is, words of
// its memory that chains change, and chains as drafts, which a case sends in the pieces that it wants.
//
//   auto change = peer.change();                             // a word, as it is and as it is to be
//   auto chain = peer.transaction({}, {change.draft});
//   const auto asked = peer.ask(chain);
//   peer.send_all(chain);
//   peer.expect_done(rule("7.2.1-11"), peer.answer(asked), "…");
//   peer.expect_changed(rule("7.2.1-11"), change, "…");
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "conformance/umsp/probes/executor_probe.h"
#include "reference/umsp/chains/link.h"

namespace wirelaw::umsp {

class ChainProbe : public ExecutorProbe {
 public:
  // Opens a session and shows that it serves.
  explicit ChainProbe(CaseRun& run);
  const OpenSession& session() const { return session_; }
  // The same job again, after the end of the session.
  void reopen();

  // --- memory
  struct Change {
    std::uint64_t address = 0;
    OctetBuffer before, after;
    Draft draft;  // of no chain yet
  };
  // Of the next word of the memory that is offered; what is there before is written there now.
  Change change();
  // Of the same word, to another value.
  Change again(const Change& first);
  // A WRITE that the IUT refuses: that it does is shown at once, else the case is inconclusive.
  Draft refused_write();
  bool is_changed(const Change& change);
  bool expect_changed(const Rule& rule, const Change& change, std::string_view explanation);
  bool expect_unchanged(const Rule& rule, const Change& change, std::string_view explanation);

  // --- chains: each has a number of its own, and its first and last instruction say what they are
  using Chain = std::vector<Draft>;
  Chain sequence(std::vector<Draft> drafts);
  Chain transaction(const TransactionTerms& terms, std::vector<Draft> drafts);
  // A fragmented instruction; `parent` is its place in another chain, which it then has no REQ_ID of.
  Chain fragments(Draft whole, std::size_t pieces = 3, std::optional<ChainPlace> parent = {});
  // Gives its first instruction a REQ_ID: that.
  std::uint32_t ask(Chain& chain);
  // SND_CANCEL, EXEC_TR or CANCEL_TR of it; EXEC_TR has a REQ_ID.
  Draft control(Opcode opcode, const Chain& chain);
  void send_all(std::span<const Draft> drafts);
  // All but the last instructions, a round trip, and the rest: not in one segment.
  void send_apart(const Chain& chain, std::size_t rest = 1);
  std::optional<Received> answer(std::uint32_t req_id) { return answer_to(session_, req_id); }
  // Where it may come later than answers to requests do.
  std::optional<Received> answer_within(std::uint32_t req_id, std::chrono::nanoseconds time);
  // A buffer for it by REQ_BUF (7.4); inconclusive where it is not granted.
  bool grant(const Chain& chain);
  // The response to REQ_BUF for it.
  std::optional<Received> request_buffer(const Chain& chain, std::vector<OwnedExtension> headers = {});
  static std::uint64_t octets_of(const Chain& chain);
  // Of the IUT's window; skipped where it has announced none.
  std::optional<std::uint64_t> window();
  // NOP with zeros as operands, to fill a window.
  static Draft filler(std::size_t octets);

  // --- between
  void round_trip();
  // What comes meanwhile is passed over.
  void wait(std::chrono::nanoseconds time);
  // The session has been broken off: SESSION_ABEND, or the end of the connection.
  bool is_broken_off();

 private:
  OpenSession session_;
  OfferedMemory memory_;
  SessionOpen open_;
  std::uint64_t next_ = 0;
  std::uint16_t chain_ = 0;
};

// Extension headers that any instruction may have: who does not know one executes the instruction all the same (HOB 0).
std::vector<OwnedExtension> harmless_headers();

}  // namespace wirelaw::umsp
