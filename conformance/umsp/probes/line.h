// SPDX-License-Identifier: Apache-2.0
// One conversation of a case of UMSP: a TCP connection between a node of ours and the IUT, or datagrams between them.
// Instructions go as a case wants them, and come one by one. A case that needs a second connection, or another node of
// ours, has a Line for each:
//   Line jcp(executor.run(), {.node = 1});
#pragma once

#include <deque>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "conformance/case_probe.h"
#include "reference/umsp/draft.h"
#include "reference/umsp/management.h"
#include "reference/umsp/node/node_address.h"

namespace wirelaw::umsp {

// An instruction that has come. Moves, and does not copy: the instruction looks into the octets.
struct Received {
  OctetBuffer octets;
  Instruction instruction;
  Membership membership;

  Received() = default;
  Received(Received&&) = default;
  Received& operator=(Received&&) = default;

  bool is(Opcode opcode) const { return instruction.opcode() == static_cast<std::uint8_t>(opcode); }
  bool is_one_of(std::initializer_list<Opcode> codes) const;
  std::uint32_t req_id() const { return instruction.header.req_id; }
  // Of an instruction that begins with codes.
  Codes codes() const { return read_codes(instruction).value_or(Codes{}); }
  // RSP or RSP_P that refuses.
  bool is_negative() const { return is_one_of({Opcode::rsp, Opcode::rsp_p}) && codes().basic != 0; }
  bool is_positive() const { return is_one_of({Opcode::rsp, Opcode::rsp_p}) && codes().basic == 0; }
};
// "RSP with basic code 3", "no instruction".
std::string to_text(const Received& received);
std::string to_text(const std::optional<Received>& received);

// By which way a conversation goes is not a case's concern: TCP, or datagrams where the IUT was given with these alone.
struct EitherWay {};

// How often a datagram goes that a network may lose, where a control beside it shows whether it came.
inline constexpr unsigned kDatagramTries = 5;

class Line : public CaseProbe {
 public:
  // A TCP connection, unless the route says datagrams; the case is skipped where the IUT was given with datagrams
  // alone.
  explicit Line(CaseRun& run, const Route& route = {});
  Line(CaseRun& run, EitherWay);
  Line(CaseRun& run, const Awaited& awaited);
  Line(CaseRun& run, std::unique_ptr<Transport> transport);
  virtual ~Line() = default;

  NodeAddress self() const;  // of ours
  NodeAddress iut() const;
  std::uint16_t iut_port() const;  // where it listens; 0 where no network is between us
  bool is_datagrams() const { return is_datagrams_; }
  // Where datagrams that the IUT sends to our port 2110 come as well.
  bool listens_at_port() const { return at_port_ != nullptr; }

  // --- what goes. Whatever a case sends of its own is the stimulus of its rule (CaseRun::stimulates_own_rule).
  void send(const Draft& draft) {
    stimulates_own_rule();
    send_good(draft);
  }
  // In one piece: one segment where the transport leaves that to us, one datagram.
  void send_together(std::initializer_list<Draft> drafts);
  void send_octets(Octets octets) {
    stimulates_own_rule();
    CaseProbe::send_octets(octets);
  }
  // What any good node sends to begin with, and in answer to what comes: nobody's stimulus.
  void send_good(const Draft& draft);
  // When the case is over: an error changes nothing any more.
  void send_afterwards(const Draft& draft);
  // Ends our direction, or resets the connection.
  void end(Ending ending);

  // --- what comes
  // Of datagrams: at the port from which ours go, and at port 2110 (UMSP/B44).
  virtual std::optional<Received> next(Instant deadline);
  std::optional<Received> next() { return next(in(run().answer_time())); }
  // The next one of these; others that come before are passed over.
  std::optional<Received> next_of(std::initializer_list<Opcode> codes);
  // Whether for the time of silence none of these comes; of no codes: nothing at all.
  bool is_silent(std::initializer_list<Opcode> codes = {});
  // One observation that judges several rules: `require` of each of them.
  bool require_each(std::initializer_list<const Rule*> rules, bool holds, std::string_view expected,
                    std::string_view actual, std::string_view explanation = {});
  // The IUT has ended its direction, and all before it was taken.
  bool has_ended() { return connected() && transport().ending() != Ending::none && ready_.empty(); }

 private:
  void avoid_address_of_iut(Route route);
  void listen_at_port();
  std::optional<Received> next_here(Instant deadline);
  bool take(Octets octets);

  Context out_, in_;
  OctetBuffer held_;
  std::deque<Received> ready_;
  bool is_datagrams_ = false;
  unsigned node_ = 0;
  std::unique_ptr<Line> at_port_;  // 2110 of ours, of datagrams alone
};

}  // namespace wirelaw::umsp
