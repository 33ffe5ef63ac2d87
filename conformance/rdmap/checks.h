// SPDX-License-Identifier: Apache-2.0
// The checks that judge a trace, layer by layer. A rule's id gives the layer and the section, which are the folder of
// its sheet and its check: RDMAP-4.8-3 is in rdmap/4.8-…, DDP-4.1-2 in ddp/4.1-control-field, MPA-4.3-1 in
// mpa/4.3-markers, ECE-9.1-2 (RFC 6581) in ece/9.1-ird-and-ord.
//
// Each check judges the sender of the message.
#pragma once

#include "conformance/rdmap/fields.h"
#include "conformance/rdmap/tracker/facts.h"
#include "conformance/rdmap/tracker/fpdu_facts.h"
#include "conformance/rdmap/tracker/terminate_facts.h"

namespace wirelaw::rdmap {

// Makes another message the judged one, and restores the previous one in its destructor.
class Elsewhere {
 public:
  Elsewhere(Judge& judge, const Message& message) : judge_(judge), before_(judge.message()) { judge.at(message); }
  ~Elsewhere() { judge_.at(before_); }
  Elsewhere(const Elsewhere&) = delete;
  Elsewhere& operator=(const Elsewhere&) = delete;

 private:
  Judge& judge_;
  Message before_;
};

// --- MPA: mpa/
// Checks a start frame, the current message.
void check_start_frame(Judge& judge, const StartFrameFact& fact);
// Checks the first octets of a side, the current message, which are no start frame.
void check_wrong_key(Judge& judge, const NoStartFrameFact& fact);
// Checks a Reply, or an FPDU, which is the current message: the other side's start frame had a wrong key.
void check_wrong_key_accepted(Judge& judge, const WrongKeyFact& fact);
// Checks the agreement once both start frames are known.
void check_agreement(Judge& judge, const AgreementFact& fact);
// Checks the first octets of Full Operation in a direction, the current message.
void check_first_octets(Judge& judge, const FirstOctetsFact& fact);
// Checks length, CRC, markers and pad of an FPDU, and the requirements for the first FPDU.
void check_fpdu(Judge& judge, const FpduFact& fact);
void check_responder_order(Judge& judge, const ResponderOrderFact& fact);
// Checks that a side sends no FPDU after the connection has been rejected.
void check_after_rejection(Judge& judge, const AfterRejectionFact& fact);
// Checks octets that follow a side's FIN.
void check_octets_after_end(Judge& judge, std::size_t count);
// Called when a side has ended its direction, or when the trace is over.
void check_mpa_end(Judge& judge, const EndFacts& facts);
void check_lone_reply(Judge& judge, const LoneReplyFact& fact);
void check_waiting_initiator(Judge& judge, const HeldFact& fact);
void check_whole_fpdus(Judge& judge, const WholeFpdusFact& fact);
void check_unfinished_fpdu(Judge& judge, const UnfinishedFpduFact& fact);

// --- DDP: ddp/
// Checks that the ULPDU, the current message, holds a whole DDP header.
void check_ddp_header(Judge& judge, const HeaderFact& fact);
// Checks a segment whose header is whole, and how it continues its message.
void check_ddp_segment(Judge& judge, const SegmentFacts& segment);
constexpr std::string_view name_of_response(const SegmentFacts& segment) {
  return segment.is(Opcode::atomic_response) ? "an Atomic Response" : "an RDMA Read Response";
}
// Checks a response, the current message: its request came after a segment with this fault.
void check_discarded(Judge& judge, const SegmentFacts& segment, const PlainFault& fault);
// Checks a message that has ended, or that will not be completed.
void check_message_order(Judge& judge, const MessageOrderFact& fact);

// --- RDMAP
// Checks a segment as a part of its message, of RFC 5040 or of RFC 7306.
void check_message(Judge& judge, const SegmentFacts& segment);

void check_terminate(Judge& judge, const TerminateSegmentFact& fact);  // 4.8, 5.4, 7.1

// Checks messages that a side never sent. Each check is in the file of its rule.
void check_silence(Judge& judge, const SilenceFact& fact);
void check_missing_reply(Judge& judge, const SilenceFact& fact);            // mpa_startup.cc
void check_missing_indication(Judge& judge, const SilenceFact& fact);       // ready_to_receive.cc
void check_missing_read_response(Judge& judge, const SilenceFact& fact);    // read.cc
void check_missing_atomic_response(Judge& judge, const SilenceFact& fact);  // atomic_messages.cc
void check_open_after_terminate(Judge& judge, const SilenceFact& fact);     // teardown.cc

// Checks the end of a side; `sender` of judge.message() is the side that has ended.
void check_end(Judge& judge, const EndFacts& facts);
void check_last_message(Judge& judge, const LastMessageFact& fact);  // terminate.cc
void check_teardown(Judge& judge, const TeardownFact& fact);         // teardown.cc

}  // namespace wirelaw::rdmap
