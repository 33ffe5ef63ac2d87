// SPDX-License-Identifier: Apache-2.0
// One conversation of a case of UMSP: a TCP connection between a node of ours and the IUT, or datagrams between them. A
// case sends any instructions, and receives them one by one. A case that needs a second connection, or another node of
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

// A received instruction. It can be moved but not copied, since the instruction refers to the octets.
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
  // The codes at the beginning of the operands.
  Codes codes() const { return read_codes(instruction).value_or(Codes{}); }
  // True for a negative RSP or RSP_P.
  bool is_negative() const { return is_one_of({Opcode::rsp, Opcode::rsp_p}) && codes().basic != 0; }
  bool is_positive() const { return is_one_of({Opcode::rsp, Opcode::rsp_p}) && codes().basic == 0; }
};
// "RSP with basic code 3", "no instruction".
std::string to_text(const Received& received);
std::string to_text(const std::optional<Received>& received);

// For a case that works over either transport: TCP, or datagrams if the IUT is given only by these.
struct EitherWay {};

// The number of times a datagram is sent, because a network may lose it. A control shows if it arrived.
inline constexpr unsigned kDatagramTries = 5;

class Line : public CaseProbe {
 public:
  // A TCP connection, unless the route requires datagrams. The case is skipped if the IUT is given only by datagrams.
  explicit Line(CaseRun& run, const Route& route = {});
  Line(CaseRun& run, EitherWay);
  Line(CaseRun& run, const Awaited& awaited);
  Line(CaseRun& run, std::unique_ptr<Transport> transport);
  virtual ~Line() = default;

  NodeAddress self() const;  // our node's address
  NodeAddress iut() const;
  std::uint16_t iut_port() const;  // port on which the IUT listens; 0 if there is no network
  bool is_datagrams() const { return is_datagrams_; }
  // True if datagrams from the IUT to our port 2110 are received as well.
  bool listens_at_port() const { return at_port_ != nullptr; }

  // --- sending. Everything that a case sends itself is the stimulus of its rule (CaseRun::stimulates_own_rule).
  void send(const Draft& draft) {
    stimulates_own_rule();
    send_good(draft);
  }
  // Sends the drafts in one piece: one segment if we control that, or one datagram.
  void send_together(std::initializer_list<Draft> drafts);
  void send_octets(Octets octets) {
    stimulates_own_rule();
    CaseProbe::send_octets(octets);
  }
  // Sends what any correct node sends, such as a greeting or an answer. It is no stimulus.
  void send_good(const Draft& draft);
  // Sends after the case is over, when an error no longer has an effect.
  void send_afterwards(const Draft& draft);
  // Ends our direction, or resets the connection.
  void end(Ending ending);

  // --- receiving
  // The next instruction. Datagrams are received at the port that ours use, and at port 2110 (UMSP/B44).
  virtual std::optional<Received> next(Instant deadline);
  std::optional<Received> next() { return next(in(run().answer_time())); }
  // The next instruction with one of these codes; earlier ones are skipped.
  std::optional<Received> next_of(std::initializer_list<Opcode> codes);
  // True if none of these codes arrives during the time of silence; without codes, if nothing arrives.
  bool is_silent(std::initializer_list<Opcode> codes = {});
  // One observation that judges several rules: calls `require` for each of them.
  bool require_each(std::initializer_list<const Rule*> rules, bool holds, std::string_view expected,
                    std::string_view actual, std::string_view explanation = {});
  // True if the IUT has ended its direction, and everything before that was read.
  bool has_ended() { return connected() && transport().ending() != Ending::none && ready_.empty(); }

 private:
  void listen_at_port();
  std::optional<Received> next_here(Instant deadline);
  bool take(Octets octets);

  Context out_, in_;
  OctetBuffer held_;
  std::deque<Received> ready_;
  bool is_datagrams_ = false;
  unsigned node_ = 0;
  std::unique_ptr<Line> at_port_;  // our port 2110, only for datagrams
};

}  // namespace wirelaw::umsp
