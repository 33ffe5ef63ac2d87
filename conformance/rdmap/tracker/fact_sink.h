// SPDX-License-Identifier: Apache-2.0
// Receives the facts of a tracker.
#pragma once

#include "conformance/delivery.h"
#include "conformance/rdmap/tracker/facts.h"
#include "conformance/rdmap/tracker/fpdu_facts.h"
#include "conformance/rdmap/tracker/terminate_facts.h"

namespace wirelaw::rdmap {

// An FPDU in all its layers.
struct FpduFacts {
  const FpduFact& frame;
  const SegmentFacts& segment;
  std::optional<LastMessageFact> after_terminate = {};
  std::optional<ResponderOrderFact> order = {};
  std::optional<TerminateSegmentFact> terminate = {};
};

// Called in the order of the trace. What a fact refers to is valid during the call.
class FactSink {
 public:
  virtual ~FactSink() = default;
  // The next facts are about this message of the flow.
  virtual void found(const Message& message) = 0;
  // The next facts are about this place.
  virtual void at(const Message& message) = 0;

  virtual void state(const StartFrameFact& fact) = 0;
  virtual void state(const NoStartFrameFact& fact) = 0;
  virtual void state(const WrongKeyFact& fact) = 0;
  virtual void state(const LoneReplyFact& fact) = 0;
  virtual void state(const HeldFact& fact) = 0;
  virtual void state(const AgreementFact& fact) = 0;
  virtual void state(const AfterRejectionFact& fact) = 0;
  virtual void state(const ResponderOrderFact& fact) = 0;
  virtual void state(const FirstOctetsFact& fact) = 0;
  virtual void state(const FpduFacts& facts) = 0;
  virtual void state(const AfterEndFact& fact) = 0;
  virtual void state(const EndFacts& facts) = 0;
  virtual void state(const WholeFpdusFact& fact) = 0;
  virtual void state(const UnfinishedFpduFact& fact) = 0;
  virtual void state(const SilenceFact& fact) = 0;
  virtual void state(const Delivery& delivery) = 0;
  // Both streams are whole so far, and the sender of the latest delivery had received all earlier ones of the other
  // side.
  virtual void nothing_is_missing() = 0;
};

}  // namespace wirelaw::rdmap
