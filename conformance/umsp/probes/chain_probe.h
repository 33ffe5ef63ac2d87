// SPDX-License-Identifier: Apache-2.0
// The probe for cases of chains (RFC 3018 7). It has a session whose IUT has announced its window, words of the IUT's
// memory that chains change, and chains as drafts, which a case sends in any pieces.
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
  // Opens a session and shows that it works.
  explicit ChainProbe(CaseRun& run);
  const OpenSession& session() const { return session_; }
  // Opens the same job again after the end of the session.
  void reopen();

  // --- memory
  struct Change {
    std::uint64_t address = 0;
    OctetBuffer before, after;
    Draft draft;  // a WRITE of `after`, in no chain yet
  };
  // A change of the next word of the offered memory. Writes `before` there at once.
  Change change();
  // A change of the same word to another value.
  Change again(const Change& first);
  // A WRITE that the IUT refuses. It is sent once to show that; otherwise the case is inconclusive.
  Draft refused_write();
  bool is_changed(const Change& change);
  bool expect_changed(const Rule& rule, const Change& change, std::string_view explanation);
  bool expect_unchanged(const Rule& rule, const Change& change, std::string_view explanation);

  // --- chains: each has its own number, and the headers of its kind in the first and last instruction
  using Chain = std::vector<Draft>;
  Chain sequence(std::vector<Draft> drafts);
  Chain transaction(const TransactionTerms& terms, std::vector<Draft> drafts);
  // A fragmented instruction. `parent` is its place in another chain; it then has no REQ_ID.
  Chain fragments(Draft whole, std::size_t pieces = 3, std::optional<ChainPlace> parent = {});
  // Assigns a new REQ_ID to the first instruction of the chain, and returns it.
  std::uint32_t ask(Chain& chain);
  // SND_CANCEL, EXEC_TR or CANCEL_TR for the chain; EXEC_TR has a REQ_ID.
  Draft control(Opcode opcode, const Chain& chain);
  void send_all(std::span<const Draft> drafts);
  // Sends all but the last `rest` instructions, makes a round trip, and sends the others, so that they use another
  // segment.
  void send_apart(const Chain& chain, std::size_t rest = 1);
  std::optional<Received> answer(std::uint32_t req_id) { return answer_to(session_, req_id); }
  // Waits for an answer that may take longer than answers to requests.
  std::optional<Received> answer_within(std::uint32_t req_id, std::chrono::nanoseconds time);
  // Requests a buffer for the chain by REQ_BUF (7.4). Inconclusive if it is not granted.
  bool grant(const Chain& chain);
  // Sends REQ_BUF for the chain, and returns the response.
  std::optional<Received> request_buffer(const Chain& chain, std::vector<OwnedExtension> headers = {});
  static std::uint64_t octets_of(const Chain& chain);
  // The IUT's window in octets. The case is skipped if the IUT has announced none.
  std::optional<std::uint64_t> window();
  // A NOP with zeros as operands, to fill a window.
  static Draft filler(std::size_t octets);

  // --- waiting
  void round_trip();
  // Skips everything that arrives meanwhile.
  void wait(std::chrono::nanoseconds time);
  // True if the session was broken off, by SESSION_ABEND or the end of the connection.
  bool is_broken_off();

 private:
  OpenSession session_;
  OfferedMemory memory_;
  SessionOpen open_;
  std::uint64_t next_ = 0;
  std::uint16_t chain_ = 0;
};

// Extension headers that any instruction may have. A receiver that does not know one still executes the instruction
// (HOB 0).
std::vector<OwnedExtension> harmless_headers();

}  // namespace wirelaw::umsp
