// SPDX-License-Identifier: Apache-2.0
// What the cases speak through whose IUT serves: a node that takes sessions and executes (and may be a control point of
// jobs, for which conformance/umsp/probes/control_probe.h is). The node of ours that opens a session is the JCP of its
// job, so that nobody has to be asked (RFC 3018 5.2), unless a case makes a GJID of another node.
//
// What the IUT's virtual machine offers is declared (Protocol::parameters); a case that needs what is not declared is
// skipped and says so.
#pragma once

#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "conformance/umsp/probes/line.h"
#include "reference/umsp/exchange.h"
#include "reference/umsp/profile.h"

namespace wirelaw::umsp {

// A session as our side sees it. Both identifiers 0: the zero-session.
struct OpenSession {
  std::uint32_t ours = 0;
  std::uint32_t theirs = 0;  // that the IUT has given
  Identifier gjid = {};
  std::uint32_t profile = 0;  // of the IUT
  std::uint16_t window = 0;   // of the IUT, blocks of 256 octets
  VmKind vm = {};             // of the IUT
};

// Memory of the IUT that cases may read and write.
struct OfferedMemory {
  std::uint64_t address = 0;
  std::size_t octets = 0;
};

class ExecutorProbe : public Line {
 public:
  static constexpr wirelaw::Role kIut = wirelaw::Role::responder;
  using Line::Line;

  // --- jobs and sessions of ours
  NodeFormat format() const { return {}; }  // of our nodes: N 4-0-2
  // A GJID of a job whose JCP is `jcp`; each time another one.
  Identifier new_job(NodeAddress jcp);
  Identifier new_job() { return new_job(self()); }
  std::uint32_t new_session() { return ++last_session_; }
  std::uint32_t new_request() { return ++last_request_; }
  // Asks for the VM and for all that a node can provide, in the way in which it is most likely to be accepted.
  SessionOpen good_open(const Identifier& gjid) const;
  SessionOpen good_open() { return good_open(new_job()); }
  // The first SESSION_OPEN of a session that we call `ours`.
  Draft first_open(const SessionOpen& open, std::uint32_t ours) const;
  // The handshake to its end; where the IUT names less than was asked for, or its VM, that is accepted. Nothing, and
  // inconclusive, where it refuses.
  std::optional<OpenSession> open_session(const SessionOpen& open);
  std::optional<OpenSession> open_session() { return open_session(good_open()); }
  // The rest of it, behind a SESSION_OPEN that was sent.
  std::optional<OpenSession> finish_opening(const SessionOpen& open, std::uint32_t ours);
  // The rest, of which the answer to it has come. `accept` changes the SESSION_ACCEPT of ours.
  std::optional<OpenSession> finish_opening(const SessionOpen& open, std::uint32_t ours, std::optional<Received> answer,
                                            void (*accept)(Draft&) = nullptr);
  // What both agree on by an answer that is SESSION_OPEN or SESSION_ACCEPT.
  OpenSession agreed(const SessionOpen& open, std::uint32_t ours, const Received& answer);
  // On this connection or another one of ours.
  void abend(const OpenSession& session);

  // --- instructions of a session
  using Line::in;  // and of time
  // Without REQ_ID; with a new one.
  static Draft in(const OpenSession& session, Draft draft);
  Draft asking(const OpenSession& session, Draft draft);
  // Sends it with ASK 1, and gives the response with its REQ_ID; others are passed over. Nothing where none comes.
  std::optional<Received> request(const OpenSession& session, Draft draft);
  // The same of what is no stimulus: what prepares a case, or looks at what has become of it.
  std::optional<Received> request_good(const OpenSession& session, Draft draft);
  std::optional<Received> answer_to(const OpenSession& session, std::uint32_t req_id);
  // The same over another line.
  static std::optional<Received> answer_on(Line& line, const OpenSession& session, std::uint32_t req_id);
  // RSP or RSP_P with basic code 0, or another response that says that it was executed.
  static bool says_done(const std::optional<Received>& response);
  static bool says_refused(const std::optional<Received>& response);

  // --- what the IUT offers. Each is a skip where it is not declared.
  std::optional<OfferedMemory> memory();
  std::optional<std::uint64_t> number(std::string_view parameter);  // a number that the URI has
  std::uint8_t address_octets() const;  // of the IUT's local addresses, as instructions have them: 2, 4 or 8
  std::size_t memory_octets() const;    // 2, 3, 4 or 8
  VmKind vm() const;                    // of the IUT; zeros: it chooses

  // --- reading and writing, in the form of addresses of the IUT
  MemoryAddress at(std::uint64_t address) const { return {address, address_octets()}; }
  Draft read_draft(std::uint64_t address, std::uint32_t octets) const { return req_data(at(address), octets); }
  // A multiple of four octets, or two where addresses have two.
  Draft write_draft(std::uint64_t address, Octets octets) const { return write_data(at(address), octets); }
  Draft compare_draft(std::uint64_t address, Octets octets) const { return compare_data(at(address), octets); }
  std::optional<OctetBuffer> read(const OpenSession& session, std::uint64_t address, std::uint32_t octets);
  bool write(const OpenSession& session, std::uint64_t address, Octets octets);
  // Octets that no case has written before: what is in memory then was written now.
  OctetBuffer fresh(std::size_t octets);

  // --- outcomes
  // The session serves: something is written, and read again. Otherwise the case is inconclusive, as this has nothing
  // to do with it yet.
  void show_served(const OpenSession& session);
  // It does, after what the case has done.
  bool expect_served(const Rule& rule, const OpenSession& session, std::string_view explanation);
  // The request is executed: a write of fresh octets as it is sent by `draft` is found in memory.
  bool expect_written(const Rule& rule, const OpenSession& session, std::uint64_t address, Octets octets,
                      std::string_view explanation);
  // What is at the address has stayed.
  bool expect_unwritten(const Rule& rule, const OpenSession& session, std::uint64_t address, Octets octets_before,
                        std::string_view explanation);
  bool expect_done(const Rule& rule, const std::optional<Received>& response, std::string_view explanation);
  bool expect_refused(const Rule& rule, const std::optional<Received>& response, std::string_view explanation);
  // None of these comes for the time of silence; of no codes: nothing.
  bool expect_silence(const Rule& rule, std::initializer_list<Opcode> codes, std::string_view explanation);

 private:
  std::uint32_t last_session_ = 0x5000;
  std::uint32_t last_request_ = 0x100;
  std::uint64_t last_task_ = 0;
  std::uint32_t written_ = 0;
};

// A session that is open, and was shown to serve; what most cases begin with. Skipped where no memory is declared.
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
