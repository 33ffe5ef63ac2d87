// SPDX-License-Identifier: Apache-2.0
// The probe for an IUT that serves: a node that accepts sessions and executes instructions. (For an IUT that is the
// control point of jobs, use conformance/umsp/probes/control_probe.h.) Our node, which opens a session, is the JCP of
// its job, so that the IUT need not ask anyone (RFC 3018 5.2), unless a case makes a GJID of another node.
//
// Parameters declare what the IUT's virtual machine offers (Protocol::parameters). A case that needs an undeclared one
// is skipped with that reason.
#pragma once

#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "conformance/umsp/probes/line.h"
#include "reference/umsp/exchange.h"
#include "reference/umsp/profile.h"

namespace wirelaw::umsp {

// A session from our side. If both identifiers are 0, it is the zero-session.
struct OpenSession {
  std::uint32_t ours = 0;
  std::uint32_t theirs = 0;  // assigned by the IUT
  Identifier gjid = {};
  std::uint32_t profile = 0;  // offered by the IUT
  std::uint16_t window = 0;   // window of the IUT, in blocks of 256 octets
  VmKind vm = {};             // the IUT's VM
};

// Memory of the IUT that cases may read and write.
struct OfferedMemory {
  std::uint64_t address = 0;
  std::size_t octets = 0;
};

class ExecutorProbe : public Line {
 public:
  static constexpr Role kIut = Role::responder;
  using Line::Line;

  // --- our jobs and sessions
  NodeFormat format() const { return {}; }  // our nodes have N 4-0-2
  // A new GJID of a job whose JCP is `jcp`.
  Identifier new_job(NodeAddress jcp);
  Identifier new_job() { return new_job(self()); }
  std::uint32_t new_session() { return ++last_session_; }
  std::uint32_t new_request() { return ++last_request_; }
  // Requires the VM and everything that a node can provide, in the form that is most likely to be accepted.
  SessionOpen good_open(const Identifier& gjid) const;
  SessionOpen good_open() { return good_open(new_job()); }
  // The first SESSION_OPEN of a session to which we assign the identifier `ours`.
  Draft first_open(const SessionOpen& open, std::uint32_t ours) const;
  // Performs the whole handshake, and accepts it if the IUT offers less than was required, or names its VM. None, and
  // inconclusive, if the IUT refuses.
  std::optional<OpenSession> open_session(const SessionOpen& open);
  std::optional<OpenSession> open_session() { return open_session(good_open()); }
  // Completes the handshake after a SESSION_OPEN that was sent.
  std::optional<OpenSession> finish_opening(const SessionOpen& open, std::uint32_t ours);
  // Completes it after the answer to that SESSION_OPEN. `accept` changes our SESSION_ACCEPT.
  std::optional<OpenSession> finish_opening(const SessionOpen& open, std::uint32_t ours, std::optional<Received> answer,
                                            void (*accept)(Draft&) = nullptr);
  // The session on which both sides agree if the answer is SESSION_OPEN or SESSION_ACCEPT.
  OpenSession agreed(const SessionOpen& open, std::uint32_t ours, const Received& answer);
  // Sends SESSION_ABEND, also for a session of another connection of ours.
  void abend(const OpenSession& session);

  // --- instructions of a session
  using Line::in;  // the other overload is for times
  // Puts the draft into the session: in() without REQ_ID, asking() with a new one.
  static Draft in(const OpenSession& session, Draft draft);
  Draft asking(const OpenSession& session, Draft draft);
  // Sends the draft with ASK 1, and returns the response with its REQ_ID. Others are skipped. None if no response
  // arrives.
  std::optional<Received> request(const OpenSession& session, Draft draft);
  // Same for a request that is no stimulus, which prepares a case or reads its result.
  std::optional<Received> request_good(const OpenSession& session, Draft draft);
  std::optional<Received> answer_to(const OpenSession& session, std::uint32_t req_id);
  // Same over another line.
  static std::optional<Received> answer_on(Line& line, const OpenSession& session, std::uint32_t req_id);
  // True for RSP or RSP_P with basic code 0, and for any other response of an executed instruction.
  static bool says_done(const std::optional<Received>& response);
  static bool says_refused(const std::optional<Received>& response);

  // --- what the IUT offers. Each call skips the case if it is not declared.
  std::optional<OfferedMemory> memory();
  std::optional<std::uint64_t> number(std::string_view parameter);  // a number in the URI
  std::uint8_t address_octets() const;  // length of the IUT's local addresses in instructions: 2, 4 or 8
  std::size_t memory_octets() const;    // length of the IUT's local addresses: 2, 3, 4 or 8
  VmKind vm() const;                    // the IUT's VM; zeros if the IUT chooses

  // --- reading and writing, with addresses of the IUT's length
  MemoryAddress at(std::uint64_t address) const { return {address, address_octets()}; }
  Draft read_draft(std::uint64_t address, std::uint32_t octets) const { return req_data(at(address), octets); }
  // The data are a multiple of four octets, or two octets if addresses have two.
  Draft write_draft(std::uint64_t address, Octets octets) const { return write_data(at(address), octets); }
  Draft compare_draft(std::uint64_t address, Octets octets) const { return compare_data(at(address), octets); }
  std::optional<OctetBuffer> read(const OpenSession& session, std::uint64_t address, std::uint32_t octets);
  bool write(const OpenSession& session, std::uint64_t address, Octets octets);
  // Octets that no case has written before. If they are in memory, they were written now.
  OctetBuffer fresh(std::size_t octets);

  // --- results
  // Shows that the session works: octets are written and read again. Otherwise the case is inconclusive, since its own
  // steps come later.
  void show_served(const OpenSession& session);
  // Requires that the session still works after the steps of the case.
  bool expect_served(const Rule& rule, const OpenSession& session, std::string_view explanation);
  // Requires that the request was executed: the octets are in memory.
  bool expect_written(const Rule& rule, const OpenSession& session, std::uint64_t address, Octets octets,
                      std::string_view explanation);
  // Requires that the octets at the address have not changed.
  bool expect_unwritten(const Rule& rule, const OpenSession& session, std::uint64_t address, Octets octets_before,
                        std::string_view explanation);
  bool expect_done(const Rule& rule, const std::optional<Received>& response, std::string_view explanation);
  bool expect_refused(const Rule& rule, const std::optional<Received>& response, std::string_view explanation);
  // Requires that none of these codes arrives during the time of silence; without codes, that nothing arrives.
  bool expect_silence(const Rule& rule, std::initializer_list<Opcode> codes, std::string_view explanation);

 private:
  std::uint32_t last_session_ = 0x5000;
  std::uint32_t last_request_ = 0x100;
  std::uint64_t last_task_ = 0;
  std::uint32_t written_ = 0;
};

// An open session that was shown to work, with which most cases begin. Skipped if no memory is declared.
class ServedSession : public ExecutorProbe {
 public:
  explicit ServedSession(CaseRun& run) : ExecutorProbe(run) {
    memory_ = memory().value_or(OfferedMemory{});
    if (auto opened = open_session()) session_ = *opened;
    show_served(session_);
  }

  const OpenSession& session() const { return session_; }
  std::uint64_t address() const { return memory_.address; }
  std::size_t octets() const { return memory_.octets; }

 private:
  OfferedMemory memory_;
  OpenSession session_;
};

}  // namespace wirelaw::umsp
