// SPDX-License-Identifier: Apache-2.0
// The probe through which a case sends octets, start frames, FPDUs and messages, and receives the answers. A case is
// written as a straight line: after a failure a probe stays stopped, and every further call does nothing.
//
// ResponderProbe is for a responder under test, and plays the initiator; InitiatorProbe plays the responder.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "conformance/case_probe.h"
#include "conformance/rdmap/probes/response.h"
#include "conformance/sample_octets.h"
#include "reference/mpa/deframer.h"
#include "reference/mpa/framer.h"

namespace wirelaw::rdmap {

class Probe : public CaseProbe {
 public:
  using Faults = mpa::FramingFaults;
  using HeaderEdit = std::function<void(ddp::Header&)>;  // changes the correct header

  using CaseProbe::CaseProbe;

  // Opens another connection for the probe. The previous one stays open.
  void reconnect();

  // --- outcomes
  // Expects that the next answer is one of these, and returns it.
  Response expect_one_of(const Rule& rule, Outcomes outcomes, std::string_view explanation = {});
  // Same, for an answer that has already arrived.
  bool judge(const Rule& rule, const Response& answer, Outcomes outcomes, std::string_view explanation = {});

  // Same, for several rules at once. Each is reported.
  bool judge(std::initializer_list<const Rule*> rules, const Response& answer, Outcomes outcomes,
             std::string_view explanation = {});

  // --- octets. Whatever a case sends of its own is the stimulus of its rule (CaseRun::stimulates_own_rule); what the
  // probes send to begin with, good Sends and answers are not.
  void send_octets(Octets octets) {
    stimulates_own_rule();
    CaseProbe::send_octets(octets);
  }
  // Sends each piece separately, as far as the transport allows.
  void send_in_pieces(Octets octets, std::size_t piece);
  void end(Ending ending);

  // --- start frames. PD_Length is set to the length of the private data, unless the case has set it.
  void send_start(mpa::StartFrame frame, Octets private_data = {});
  static OctetBuffer start_frame(mpa::StartFrame frame, Octets private_data = {});
  // Begins Full Operation with the settings of both frames.
  void operate(const mpa::StartFrame& ours, const mpa::StartFrame& theirs);
  bool operating() const { return deframer_.has_value(); }
  // If the setup has failed, CRCs were not agreed, so FPDUs that come anyway may lack them.
  void pass_over_crcs() { check_crc_ = false; }

  // --- FPDUs
  void send_fpdu(Octets ulpdu, const Faults& faults = {});
  // The FPDU as it would be sent next; it counts as sent. It is complete even before Full Operation, so that a case can
  // truncate it.
  OctetBuffer fpdu(Octets ulpdu, const Faults& faults = {});
  OctetBuffer fpdu_of(const ddp::Header& header, Octets payload, const Faults& faults = {});
  static OctetBuffer ulpdu_of(const ddp::Header& header, Octets payload);

  // --- segments and messages of one segment.
  ddp::Header untagged(Opcode opcode) const;  // header for the next message
  static ddp::Header tagged(Opcode opcode, std::uint32_t stag, std::uint64_t to);
  void send_segment(const ddp::Header& header, Octets payload, const Faults& faults = {});
  void send(Octets payload, Opcode opcode = Opcode::send, const HeaderEdit& edit = {}, const Faults& faults = {});
  void write(Octets payload, std::uint32_t stag, std::uint64_t to, const HeaderEdit& edit = {});
  void read_request(const ReadRequest& request, const HeaderEdit& edit = {});
  void message_sent(std::uint32_t queue) { ++next_msn_[queue & 3]; }

  // --- what comes
  // The next start frame, segment or end. Kind::nothing if `deadline` has passed or the probe has stopped. FPDUs follow
  // a start frame after operate() has set their framing.
  Response next(Instant deadline);
  Response next() { return next(in(run().answer_time())); }
  // The number of received octets that are not yet a complete start frame or FPDU.
  std::size_t pending() const;
  // The first answer that `wanted` accepts; ignores others. Nothing, or the end, if none comes.
  template <class Wanted>
  Response await(Instant deadline, Wanted wanted) {
    for (;;) {
      Response answer = next(deadline);
      if (answer.is(Response::Kind::nothing) || answer.ended() || wanted(answer)) return answer;
    }
  }
  // The next complete Send, of any type and any number of segments. Ignores other messages, but answers Read Requests
  // with zero octets, and Atomic Requests with 0. Empty if none comes.
  std::optional<OctetBuffer> next_send(Instant deadline);
  std::optional<OctetBuffer> next_send() { return next_send(in(run().answer_time())); }
  // The last thing received, if next_send() returned nothing.
  const Response& last() const { return last_; }

 protected:
  // Sends a start frame as a conforming peer does.
  void send_good_start(mpa::StartFrame frame, Octets private_data = {});
  void serve_read(const ddp::Segment& segment);
  void serve_atomic(const ddp::Segment& segment);  // answers for a word that is always zero

 private:
  void send_good_segment(const ddp::Header& header, Octets payload);
  // Some peers answer the start frame before they are ready for further messages or for a close. Waits for the time
  // that they are known to need.
  void settle();
  std::optional<Response> read();  // reads from the received octets
  std::optional<Response> read_start();
  std::optional<Response> read_fpdu();

  OctetBuffer inbox_;  // octets not processed yet
  OctetBuffer fed_;    // octets that the deframer refers to
  bool started_ = false;
  mpa::Framer framer_{/*markers=*/false, /*crc=*/true};
  std::optional<mpa::Deframer> deframer_;
  bool check_crc_ = false;
  bool enhanced_ = false;
  std::array<std::uint32_t, 4> next_msn_{1, 1, 1, 1};
  Response last_;
};

}  // namespace wirelaw::rdmap
