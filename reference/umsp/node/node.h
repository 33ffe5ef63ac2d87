// SPDX-License-Identifier: Apache-2.0
// A node of UMSP in all its roles (RFC 3018): it opens and accepts sessions, executes instructions in its virtual
// machine with and without a session, initiates jobs and controls those of others. It does no I/O and reads no clock.
// Its interface:
//
//   the transport    calls linked(), receive(), ended() and not_reached(), and gives instants; it uses next_output(),
//                    next_dial() and deadline()
//   the application  begins jobs, opens sessions, sends instructions of exchange, and fetches events
//
// Fetch outputs, dials and events after every call. Its parts are in this folder: links (octets and instructions),
// sessions, tasks, the control point, the search for VMs; chains and the virtual machine have their own folders. The
// steps that reference/umsp/node/faults/ overrides are virtual.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <variant>

#include "reference/endpoint.h"
#include "reference/umsp/chains/receiver.h"
#include "reference/umsp/chains/sender.h"
#include "reference/umsp/execution.h"
#include "reference/umsp/node/control_point.h"
#include "reference/umsp/node/links.h"
#include "reference/umsp/node/outbox.h"
#include "reference/umsp/node/part_maker.h"
#include "reference/umsp/node/search.h"
#include "reference/umsp/node/sessions.h"
#include "reference/umsp/node/tasks.h"

namespace wirelaw::umsp {

// --- events for the application, in addition to those of sessions
struct JobStarted {
  Identifier gjid;
  std::uint64_t ltid;
};
struct JobRefused {
  std::uint64_t ltid;
  Codes codes;
};
struct TaskEnded {
  Identifier gjid;
  TaskEnd end;
};
// The response to request(), or to a chain.
struct Responded {
  std::uint32_t session;
  Draft response;
};
using NodeEvent = std::variant<SessionEvent, JobStarted, JobRefused, TaskEnded, Responded>;

class Node : private Outbox {
 public:
  // `maker` outlives the node.
  explicit Node(NodeOptions options, const PartMaker& maker = honest_parts());
  ~Node() override = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  // --- calls of the transport
  void linked(LinkId link, NodeAddress remote, bool datagrams, Instant now);
  void receive(LinkId link, Octets octets, Instant now);
  virtual void ended(LinkId link, Instant now);
  void not_reached(NodeAddress to, Instant now);
  void advance(Instant now);
  std::optional<Instant> deadline() const;
  bool next_output(Outgoing& out) { return links_->next_output(out); }
  std::optional<NodeAddress> next_dial() { return links_->next_dial(); }

  // --- calls of the application
  // Begins a job of this node; its JCP is this node or another one. JobStarted or JobRefused follows.
  std::optional<std::uint64_t> begin_job(NodeAddress jcp, std::uint16_t life_time, std::string_view name, Instant now);
  void complete_job(const Identifier& gjid, Codes codes, Instant now);
  void terminate_task(const Identifier& gjid, Codes codes, Instant now);
  std::optional<std::uint32_t> open_session(NodeAddress to, const Identifier& gjid, const SessionWish& wish,
                                            Instant now);
  void close_session(std::uint32_t session, Instant now);
  void go_on(std::uint32_t session, Instant now);  // cancels the closing of the session
  void abend_session(std::uint32_t session, Codes codes, Instant now);
  // Sends an instruction of exchange outside of chains. One that the other side does not provide is not sent, and gets
  // a negative Responded.
  void request(std::uint32_t session, Draft draft, Instant now);
  void request_without_session(NodeAddress to, Draft draft, bool by_datagram, Instant now);
  // Returns the sender of a session's chains; nullptr if the session is not open. Call moved() after each use.
  ChainSender* chains(std::uint32_t session);
  void moved(Instant now);
  bool next_event(NodeEvent& out);

  // --- state
  const Sessions& sessions() const { return *sessions_; }
  const Tasks& tasks() const { return *tasks_; }
  const ControlPoint& control_point() const { return *control_; }
  const Search& search() const { return *search_; }
  Executor& vm() { return *vm_; }
  const NodeOptions& options() const { return options_; }

 protected:
  // --- steps of receiving
  virtual void take(const Origin& origin, const Instruction& instruction, const Membership& membership);
  // More than thirty extension headers (3.2): the session is broken off.
  virtual bool has_too_many_headers(const Instruction& instruction) const;
  virtual void on_too_many_headers(const Origin& origin, const Instruction& instruction, const Membership& membership);
  // Returns true if all extension headers with HOB are known and in order (3.2, UMSP/B25).
  bool processes_headers(const Instruction& instruction) const;
  bool processes(const ExtensionHeader& header) const;
  virtual void refuse(const Origin& origin, const Instruction& instruction, const Membership& membership, Codes codes);
  virtual bool takes_by_datagram(const Instruction& instruction) const;  // 3.4, 5, 6
  virtual bool says_by_datagram(const Draft& response) const;
  void on_management(const Origin& origin, const Instruction& instruction, const Membership& membership);
  void on_exchange(const Origin& origin, const Instruction& instruction, const Membership& membership);
  virtual void on_unknown(const Origin& origin, const Instruction& instruction, const Membership& membership);
  virtual Session* session_of(const Origin& origin, const Membership& membership);
  // Instructions outside this side's profile are not executed (5.3.4).
  virtual std::optional<ProfileFlag> missing(const Instruction& instruction, const Session& session) const;
  void execute(const Origin& origin, const Instruction& instruction, const Membership& membership, Session& session);
  void execute_without_session(const Origin& origin, const Instruction& instruction, const Membership& membership);
  // The task whose memory the instructions of a session use (2.2).
  virtual std::uint64_t task_of(const Session& session) { return session.task; }
  virtual void respond(std::uint32_t session, Draft response);
  // Adapts a response to the other side's profile (5.3.4): data too long for operands are sent in _DATA, or not at all.
  Draft fitted(const Session& session, Draft response) const;
  void on_break_off(std::uint32_t session, BreakOff reason);

  // --- Outbox
  void send(NodeAddress to, Draft draft, std::optional<LinkId> on) override;
  void send_datagram(NodeAddress to, Draft draft, std::optional<LinkId> on) override;
  std::uint32_t new_request() override { return ++requests_; }

  Links& links() { return *links_; }
  Instant now() const { return now_; }

 private:
  // The chains of a session, or the instructions on one link without a session.
  struct Exchange {
    std::unique_ptr<ChainReceiver> receiver;
    std::unique_ptr<ChainSender> sender;  // sends a session's chains
    NodeAddress peer = {};                // without a session
    LinkId link = 0;
    bool datagrams = false;
  };
  static constexpr std::uint32_t kFirstZeroSession = 0xf000'0000;  // stands for the zero-session in the VM

  static bool is_taken(const Session& session, const Draft& draft);
  static Draft not_provided(std::optional<std::uint32_t> req_id);
  bool submit(const Session& session, ChainSender& sender, Draft request) const;
  bool has_to_send(const Session& session);
  void settle();
  bool settle_tasks();
  bool settle_sessions();
  bool settle_vm();
  void send_for_vm(FromVm from);
  bool settle_exchanges();
  void on_task_event(const TaskEvent& event);
  void on_session_event(const SessionEvent& event);
  void begin_exchange(const Session& session);
  void end_exchange(std::uint32_t session, bool abnormally);
  Exchange& zero_exchange(const Origin& origin, std::uint32_t& number);
  bool pump(std::uint32_t number, Exchange& exchange);
  void note(const Origin& origin);
  void forget_zero_exchange(LinkId link);

  NodeOptions options_;
  const PartMaker& maker_;
  std::unique_ptr<Links> links_;
  std::unique_ptr<Executor> vm_;
  std::unique_ptr<ControlPoint> control_;
  std::unique_ptr<Tasks> tasks_;
  std::unique_ptr<Sessions> sessions_;
  std::unique_ptr<Search> search_;
  std::map<std::uint32_t, Exchange> exchanges_;  // by session number, or from kFirstZeroSession on
  std::map<LinkId, std::uint32_t> zero_exchanges_;
  std::uint32_t next_zero_ = kFirstZeroSession;
  std::uint32_t requests_ = 0;
  Instant now_{};
  std::deque<NodeEvent> events_;
};

}  // namespace wirelaw::umsp
