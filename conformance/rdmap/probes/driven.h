// SPDX-License-Identifier: Apache-2.0
// An IUT that is driven through verbs (conformance/verbs.h), from both ends of one connection: the probe speaks the
// wire protocol, and the consumer is the application above the IUT. A case posts at one end and judges at the other.
//
// DrivenResponder and DrivenInitiator have the same functions, so a case is written once for both roles. If the IUT is
// not driven through verbs, the case is skipped. As with every probe, calls after a failure do nothing.
#pragma once

#include <concepts>
#include <deque>
#include <memory>
#include <vector>

#include "conformance/rdmap/probes/message_cases.h"
#include "conformance/verbs.h"
#include "reference/rdmap/buffers.h"

namespace wirelaw::rdmap {

inline constexpr verbs::Access kEverything{
    .local_write = true, .remote_write = true, .remote_read = true, .remote_atomic = false};
// The peer writes the sink of a Read, so iWARP devices require remote write access.
inline constexpr verbs::Access kSink{.local_write = true, .remote_write = true};

// Operations of a consumer's end, independent of the other end.
class Driver {
 public:
  Driver(CaseProbe& probe, verbs::Consumer* consumer) : probe_(probe), consumer_(consumer) {}

  verbs::Consumer& device() const { return *consumer_; }  // only of a case that has not been skipped
  bool there() const { return consumer_ != nullptr; }

  // --- outcomes
  // Judges each of the rules; stops the case if they do not hold.
  bool require(std::initializer_list<const Rule*> rules, bool holds, std::string_view expected, std::string_view actual,
               std::string_view explanation = {});
  bool advise(const Rule& rule, bool holds, std::string_view expected, std::string_view actual,
              std::string_view explanation = {});

  // --- connection
  // The next event of one of these types; skips others. Empty if none comes.
  std::optional<verbs::CmEvent> await_cm(std::initializer_list<verbs::CmEventType> types);

  // --- memory; inconclusive if the device registers none
  verbs::Region region(std::size_t octets, const verbs::Access& access = kEverything);
  verbs::Region region_of(Octets octets, const verbs::Access& access = kEverything);  // with these initial contents

  // --- work; inconclusive if the device accepts none
  void post_recv(std::uint64_t wr_id, const verbs::Region& into);
  void post(verbs::SendWr wr);
  static verbs::Sge all_of(const verbs::Region& region) {
    return {region.addr, static_cast<std::uint32_t>(region.memory.size()), region.lkey};
  }
  // Work requests for a whole region, by type.
  static verbs::SendWr send_of(std::uint64_t wr_id, const verbs::Region& data) {
    return {.wr_id = wr_id, .opcode = verbs::WrOpcode::send, .sge = all_of(data)};
  }
  static verbs::SendWr write_of(std::uint64_t wr_id, const verbs::Region& data, BufferAt to) {
    return {.wr_id = wr_id,
            .opcode = verbs::WrOpcode::rdma_write,
            .sge = all_of(data),
            .remote_addr = to.to,
            .rkey = to.stag};
  }
  static verbs::SendWr read_of(std::uint64_t wr_id, const verbs::Region& sink, BufferAt from) {
    return {.wr_id = wr_id,
            .opcode = verbs::WrOpcode::rdma_read,
            .sge = all_of(sink),
            .remote_addr = from.to,
            .rkey = from.stag};
  }

  // --- completions
  std::optional<verbs::Wc> completion(verbs::Cq cq) { return completion(cq, probe_.run().answer_time()); }
  std::optional<verbs::Wc> completion(verbs::Cq cq, std::chrono::nanoseconds time);
  std::optional<verbs::Wc> completion_in_silence(verbs::Cq cq) { return completion(cq, probe_.run().silence_time()); }
  // Waits for `count` completions, and returns those that come.
  std::vector<verbs::Wc> completions(verbs::Cq cq, std::size_t count);
  // Expects that these requests complete with success, in this order.
  bool expect_completions(std::initializer_list<const Rule*> rules, verbs::Cq cq,
                          std::initializer_list<std::uint64_t> wr_ids, std::string_view explanation);

  // --- errors
  // How the consumer was notified that its stream is over. Waits as long as for an answer; empty if there was no
  // notice.
  std::string reported_end();
  // Expects that all work posted to this queue completes with an error.
  bool expect_flushed(std::initializer_list<const Rule*> rules, verbs::Cq cq,
                      std::initializer_list<std::uint64_t> wr_ids, std::string_view explanation);
  // Same, for completions that have already been taken.
  bool expect_all_flushed(std::initializer_list<const Rule*> rules, const std::vector<verbs::Wc>& list,
                          std::initializer_list<std::uint64_t> wr_ids, std::string_view explanation);

 private:
  CaseProbe& probe_;
  verbs::Consumer* consumer_;
  std::deque<OctetBuffer> nowhere_;  // memory for a case that stopped before it had any
};

std::string to_text(const std::optional<verbs::Wc>& wc);
std::string to_text(const std::vector<verbs::Wc>& list);

// Shared by the peers of both roles, above the probe that speaks the wire protocol.
template <class Wire>
class Driven : public Wire {
 public:
  explicit Driven(CaseRun& run) : Wire(run), app(*this, this->ok() ? verbs::consumer_of(this->transport()) : nullptr) {
    if (!app.there())
      this->skip("needs an IUT that is driven through verbs: verbs://…");
    else if (!app.device().device().iwarp)
      this->skip("needs a device whose wire protocol the tester speaks: iWARP");
  }

  // Reaches Full Operation with correct start frames and the first FPDU, after which both sides may send.
  // The case is inconclusive if this fails.
  bool open(const verbs::ConnParam& param = {}, const StartOptions& options = {});

  // Returns true if the device has the feature `want`; otherwise skips the case. It first completes the start, since an
  // initiator that leaves silently may disturb more of a responder than this connection.
  bool has(bool what, std::string_view want) {
    if (what || !this->ok()) return this->ok();
    if constexpr (std::same_as<Wire, ResponderProbe>) open();
    this->skip(want);
    return false;
  }

  // --- the wire, as a conforming peer of the consumer
  // The next message of this kind; ignores others.
  Response await_message(Opcode opcode) {
    return this->await(this->in(this->run().answer_time()), [opcode](const Response& one) { return one.is(opcode); });
  }
  // Waits for the silence time, and returns anything but the end that has come.
  Response await_silence() {
    return this->await(this->in(this->run().silence_time()), [](const Response&) { return true; });
  }
  // The next complete message with this opcode, reassembled.
  std::optional<OctetBuffer> message(Opcode opcode);
  std::optional<ReadRequest> await_read();
  void answer_read(const ReadRequest& read, Octets data, bool last = true);
  std::optional<AtomicRequest> await_atomic();
  void answer_atomic(const AtomicRequest& request, std::uint64_t original);

  Driver app;

 private:
  void begin(const verbs::ConnParam& param, const StartOptions& options);
};

class DrivenResponder : public Driven<ResponderProbe> {
 public:
  static constexpr bool kInitiates = false;
  using Driven::Driven;
};
class DrivenInitiator : public Driven<InitiatorProbe> {
 public:
  static constexpr bool kInitiates = true;
  using Driven::Driven;
};

// The address of the peer's memory that the consumer reads and writes: the probe answers for all of it.
inline constexpr BufferAt kFar{0x00fa5700, 0x40000};
inline constexpr std::uint64_t kOpeningWr = 0x0be9;

// --- cases: "verbs/{}/NAME" is one for both roles
template <class Body>
RoleRuns with_driven(Body body) {
  return with_each<DrivenResponder, DrivenInitiator>(body);
}

// One function for each topic.
void add_verbs_start_cases(std::vector<Case>& cases);
void add_verbs_work_cases(std::vector<Case>& cases);
void add_verbs_extension_cases(std::vector<Case>& cases);
void add_verbs_memory_cases(std::vector<Case>& cases);
void add_verbs_error_cases(std::vector<Case>& cases);
void add_pair_work_cases(std::vector<Case>& cases);
void add_pair_memory_cases(std::vector<Case>& cases);
void add_pair_error_cases(std::vector<Case>& cases);
void add_pair_extension_cases(std::vector<Case>& cases);
std::vector<Case> verbs_cases();

}  // namespace wirelaw::rdmap
