// SPDX-License-Identifier: Apache-2.0
// What a case speaks through: octets, start frames, FPDUs and messages out; what comes of them in. Written as a
// straight line: once something has failed, is missing or is broken, a probe stays stopped, and every further call does
// nothing.
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
#include "reference/mpa/deframer.h"
#include "reference/mpa/framer.h"

namespace wirelaw::rdmap {

// Octets that differ from seed to seed and do not repeat themselves.
OctetBuffer data_of(std::size_t octets, unsigned seed = 0);

class Probe : public CaseProbe {
 public:
  using Faults = mpa::FramingFaults;
  using HeaderEdit = std::function<void(ddp::Header&)>;  // what differs from the honest header

  using CaseProbe::CaseProbe;

  // A connection in place of the one so far, which stays as it is.
  void reconnect();

  // --- outcomes
  // The next answer is one of these. Gives it.
  Response expect_one_of(const Rule& rule, Outcomes outcomes, std::string_view explanation = {});
  // The same of an answer that is there already.
  bool judge(const Rule& rule, const Response& answer, Outcomes outcomes, std::string_view explanation = {});

  // For several rules at once: each is reported.
  bool judge(std::initializer_list<const Rule*> rules, const Response& answer, Outcomes outcomes,
             std::string_view explanation = {});

  // --- octets. Whatever a case sends of its own is the stimulus of its rule (CaseRun::stimulates_own_rule); what the
  // probes send to begin with, good Sends and answers are not.
  void send_octets(Octets octets) {
    stimulates_own_rule();
    CaseProbe::send_octets(octets);
  }
  // Each piece on its way by itself, as far as the transport allows.
  void send_in_pieces(Octets octets, std::size_t piece);
  void end(Ending ending);

  // --- start frames. PD_Length says how much private data there is, unless it says something else already.
  void send_start(mpa::StartFrame frame, Octets private_data = {});
  static OctetBuffer start_frame(mpa::StartFrame frame, Octets private_data = {});
  // Full Operation begins, with what both frames say.
  void operate(const mpa::StartFrame& ours, const mpa::StartFrame& theirs);
  bool operating() const { return deframer_.has_value(); }
  // Where the set-up has failed, nothing was agreed: what is sent all the same may go without.
  void pass_over_crcs() { check_crc_ = false; }

  // --- FPDUs
  void send_fpdu(Octets ulpdu, const Faults& faults = {});
  // As it would go out next; it counts as sent. Whole also where Full Operation has not been reached, so that a case
  // may cut it up unasked.
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
  // The next start frame, segment or end. Nothing where `deadline` has passed or the probe has stopped. After a start
  // frame, what follows is FPDUs as soon as operate() has said how they are framed.
  Response next(Instant deadline);
  Response next() { return next(in(run().answer_time())); }
  // Received octets that are not yet a whole start frame or FPDU.
  std::size_t pending() const;
  // The first answer that is wanted; others are passed over. Nothing, or the end where that is not wanted.
  template <class Wanted>
  Response await(Instant deadline, Wanted wanted) {
    for (;;) {
      Response answer = next(deadline);
      if (answer.is(Response::Kind::nothing) || answer.ended() || wanted(answer)) return answer;
    }
  }
  // A whole Send, of any form and of any number of segments; other messages are passed over, save that Read Requests
  // are answered by octets of zero, and Atomic Requests by zero. Nothing where none comes.
  std::optional<OctetBuffer> next_send(Instant deadline);
  std::optional<OctetBuffer> next_send() { return next_send(in(run().answer_time())); }
  // The last thing received, if next_send() returned nothing.
  const Response& last() const { return last_; }

 protected:
  // A start frame that a good peer sends.
  void send_good_start(mpa::StartFrame frame, Octets private_data = {});
  void serve_read(const ddp::Segment& segment);
  void serve_atomic(const ddp::Segment& segment);  // answers for a word that is always zero

 private:
  void send_good_segment(const ddp::Header& header, Octets payload);
  // Some answer the start frame before they are ready for what follows, or for a close: `settle` is the time that they
  // are known to need.
  void settle();
  std::optional<Response> read();  // reads from the received octets
  std::optional<Response> read_start();
  std::optional<Response> read_fpdu();

  OctetBuffer inbox_;  // not read yet
  OctetBuffer fed_;    // what the deframer looks into
  bool started_ = false;
  mpa::Framer framer_{/*markers=*/false, /*crc=*/true};
  std::optional<mpa::Deframer> deframer_;
  bool check_crc_ = false;
  bool enhanced_ = false;
  std::array<std::uint32_t, 4> next_msn_{1, 1, 1, 1};
  Response last_;
};

}  // namespace wirelaw::rdmap
