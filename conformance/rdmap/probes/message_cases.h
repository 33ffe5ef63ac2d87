// SPDX-License-Identifier: Apache-2.0
// Shared by the cases of DDP and RDMAP: a connection in Full Operation, for either role of the IUT, the buffers that
// the IUT has advertised, and the ways in which it refuses a fault.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "conformance/case_probe.h"
#include "conformance/case_rows.h"
#include "conformance/case_suite.h"
#include "conformance/rdmap/probes/initiator_probe.h"

namespace wirelaw::rdmap {

// A buffer of the IUT that a tester may use.
struct TargetBuffer {
  std::uint32_t stag = 0;
  std::uint64_t to = 0;
  std::uint64_t length = 0;
};
struct Targets {
  std::optional<TargetBuffer> read_write, read_only, write_only, empty;
  std::optional<TargetBuffer> shared;  // one STag is valid on every connection
};

// A connection of a responder or of an initiator under test, with its application ready.
class ReadyResponder : public ResponderProbe {
 public:
  explicit ReadyResponder(CaseRun& run) : ResponderProbe(run) { start(); }
  Octets advertisement() const { return reply().ulp_data(); }
  // Another connection to the same IUT.
  void connect_again() {
    reconnect();
    start();
  }
  // A message that its application accepts.
  OctetBuffer good_data() const { return sample_octets(40); }
  // Expects that the valid message is accepted in spite of the one before it.
  void expect_goes_on(const Rule& rule, std::string_view explanation) { expect_echo(rule, good_data(), explanation); }
};
class ReadyInitiator : public InitiatorProbe {
 public:
  explicit ReadyInitiator(CaseRun& run) : InitiatorProbe(run) { request_data_ = first_send({.count = 2}); }
  Octets advertisement() const { return request().ulp_data(); }
  // Another connection from the same IUT, in parallel to this one.
  void connect_again() {
    reconnect();
    request_data_ = first_send({.count = 2});
  }
  void expect_goes_on(const Rule& rule, std::string_view explanation) {
    echo(request_data_);
    expect_taken(rule, explanation);
  }
  // The echo that it waits for.
  const OctetBuffer& good_data() const { return request_data_; }

 private:
  OctetBuffer request_data_;
};

// The same stimulus for both roles; the body takes `auto& peer`, or `Probe& peer`, the common base.
template <class Responder = ReadyResponder, class Initiator = ReadyInitiator, class Body>
RoleRuns with_each(Body body) {
  return wirelaw::with_each<Responder, Initiator>(body);
}

// --- the memory of the IUT that a tester may use
// Taken from its advertisement (reference/rdmap/advertisement.h), or from the user's parameters (stag, to, length).
Targets targets_of(CaseRun& run, Octets advertisement);
// Skips the case if there is no such buffer.
std::optional<TargetBuffer> need(Probe& probe, const std::optional<TargetBuffer>& buffer, std::string_view what);

// An STag that nobody has advertised.
inline constexpr std::uint32_t kNobodysStag = 0x5eed0bad;
inline constexpr std::uint32_t kOurSinkStag = 0x51a20001;
inline constexpr std::uint64_t kOurSinkTo = 0x7000;

constexpr ReadRequest read_of(const TargetBuffer& buffer, std::uint64_t offset, std::uint32_t size) {
  return {.sink_stag = kOurSinkStag,
          .sink_to = kOurSinkTo,
          .size = size,
          .source_stag = buffer.stag,
          .source_to = buffer.to + offset};
}

// The text that need() reports.
inline constexpr std::string_view kSharedByConnections = "is of all connections by one STag";

std::optional<TargetBuffer> need_empty(Probe& probe, const std::optional<TargetBuffer>& buffer);
// The number in a user's parameter: decimal, or 0x…
std::optional<std::uint64_t> number_of(std::string_view text);

// --- answers
// The fault must be answered by one of these Terminates. The connection's end without one shows that the fault was
// seen, and is reported as a warning: a Terminate was due (RFC 5040, 7.1). Messages that were already on their way are
// skipped.
Response expect_refusal(Probe& probe, const Rule& rule, Outcomes outcomes, std::string_view explanation);
// Same, but reports another answer or silence only as a warning, because another reading allows it.
Response expect_refusal_or_note(Probe& probe, const Rule& rule, Outcomes outcomes, std::string_view explanation);
// Same, for an STag of another stream. If the IUT accepts it, both streams may share a protection domain (RDMAP/A-67).
Response expect_refusal_unless_shared(Probe& probe, const Rule& rule, Outcomes outcomes, std::string_view explanation);
// The next complete Read Response; empty if none comes.
std::optional<OctetBuffer> next_response(Probe& probe);
// Sends a Read Request and returns the data read.
std::optional<OctetBuffer> read_back(Probe& probe, const ReadRequest& request);

std::string octets_text(Octets octets);
std::string octets_text(const std::optional<OctetBuffer>& octets, const Response& last);

}  // namespace wirelaw::rdmap
