// SPDX-License-Identifier: Apache-2.0
// The initiator for a responder under test. It behaves correctly unless the case sends something else in between.
#pragma once

#include "conformance/rdmap/probes/probe.h"

namespace wirelaw::rdmap {

struct StartOptions {
  bool markers = false;  // M
  bool crc = true;       // C
  std::uint8_t revision = mpa::kRevision1;
  std::optional<mpa::EnhancedData> enhanced = {};  // if set, the frame has revision 2 and S
  OctetBuffer private_data = {};                   // the ULP's

  bool operator==(const StartOptions&) const = default;
};

// Builds a start frame with its private data from these options.
mpa::StartFrame frame_of(mpa::FrameKind kind, const StartOptions& options);
OctetBuffer private_data_of(const StartOptions& options);

class ResponderProbe : public Probe {
 public:
  static constexpr Role kIut = Role::responder;

  explicit ResponderProbe(CaseRun& run) : Probe(run) {}

  // --- start-up
  // Sends the Request; next() returns the answer.
  void request(const StartOptions& options = {});
  // Sends the Request and receives the Reply; an accepting Reply begins Full Operation. Returns the answer in any case.
  Response try_start(const StartOptions& options = {});
  // If the connection is not accepted, the case is inconclusive: the cases of the start report the fault.
  mpa::StartFrame start(const StartOptions& options = {});
  // Begins Full Operation after the Reply to the last request().
  void take_reply(const Response& answer);
  // The reply of the last start.
  const mpa::StartFrame& reply() const { return reply_; }
  OctetBuffer reply_data() const;  // the ULP's private data

  // --- an echo application returns the octets sent to it
  bool expect_echo(const Rule& rule, Octets data, std::string_view explanation = {});
  // Expects the echo of data that has already been sent.
  bool await_echo(const Rule& rule, Octets data, std::string_view explanation = {});
  // Requires that `echo`, a result of next_send(), has these octets.
  bool require_echo(const Rule& rule, const std::optional<OctetBuffer>& echo, Octets data,
                    std::string_view explanation = {});
  // Expects that the responder was not disturbed by the case and serves a new connection.
  bool expect_alive(const Rule& rule, std::string_view explanation);

 private:
  mpa::StartFrame request_;
  mpa::StartFrame reply_;
  OctetBuffer reply_octets_;
};

}  // namespace wirelaw::rdmap
