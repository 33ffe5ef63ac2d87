// SPDX-License-Identifier: Apache-2.0
// The Startup Phase of MPA (RFC 5044, 7.1; RFC 6581): the frames of both sides, and the settings that they negotiate.
#pragma once

#include <string>

#include "reference/rdmap/negotiation.h"
#include "reference/role.h"

namespace wirelaw::rdmap {

// The settings that the start frames negotiate.
struct Agreement {
  std::uint8_t revision = 0;
  bool enhanced = false;
  bool send_markers = false;    // the peer requests markers in our FPDUs
  bool expect_markers = false;  // we request markers in the peer's FPDUs
  bool crc = true;              // one of the sides requests CRCs
  Depths depths;
  bool peer_to_peer = false;
  Rtr rtr = Rtr::none;             // sent by an initiator
  bool rtr_send_offered = false;   // a responder offered it: an empty first Send does not belong to the upper layer
  std::optional<ErrorCode> error;  // reason for an initiator to terminate (RFC 6581, 9.1 and 9.2)
};

class Startup {
 public:
  Startup(Role role, const Options& options) : role_(role), options_(options) {}
  virtual ~Startup() = default;
  Startup(const Startup&) = delete;
  Startup& operator=(const Startup&) = delete;

  enum class Step : std::uint8_t {
    more,      // the frame is incomplete
    request,   // responder: a valid request
    accepted,  // initiator: a valid reply, which begins Full Operation
    rejected,  // initiator: a valid reply with R set
    failed,    // the frame is improperly formatted: close the connection
  };
  // Removes octets of the peer's frame from the beginning of `octets`.
  Step take(Octets& octets);
  std::size_t taken() const { return frame_.size(); }  // octets of the peer's frame received so far

  // Return the frames to send. Private data that does not fit is cut off.
  OctetBuffer request(Octets private_data);
  OctetBuffer accept(Octets private_data);
  OctetBuffer reject(Octets private_data);
  std::size_t private_data_room() const;  // for the next frame to send
  // Returns false if the initiator's IRD is too small (RFC 6581, 9.1): then only reject() is allowed.
  bool acceptable() const { return !answer_ || answer_->enough; }

  const Agreement& agreement() const { return agreement_; }
  void set_depths(const Depths& depths) { agreement_.depths = depths; }
  // Replaces the limits of Options.
  void limit_depths(const Depths& limits);
  std::optional<mpa::EnhancedData> peer_enhanced() const { return peer_enhanced_; }
  OctetBuffer peer_private_data() const;  // the upper layer's part
  std::uint8_t peer_revision() const { return peer_revision_; }
  const std::string& error() const { return error_; }  // reason of the failure

 protected:
  // A reply before it is encoded.
  struct Reply {
    mpa::StartFrame frame;
    std::optional<mpa::EnhancedData> enhanced;
  };

  // --- steps: checks of the peer's frame (RFC 5044, 7.1.1)
  virtual bool accepts_key(Octets octets) const;  // checks the received octets of the key
  virtual bool accepts_revision(std::uint8_t revision) const;
  virtual bool accepts_flags(std::uint8_t flags) const;
  virtual bool accepts_private_data(std::size_t octets) const;
  virtual Conclusion conclude(const mpa::EnhancedData& reply) const;  // initiator only (RFC 6581, 9)

  // --- steps: frames to send
  virtual Reply reply(bool rejected);
  virtual OctetBuffer encode(const mpa::StartFrame& frame, const std::optional<mpa::EnhancedData>& enhanced,
                             Octets private_data) const;
  // Encodes the frame with the enhanced data, if any, and the private data after it.
  virtual OctetBuffer encode(mpa::StartFrame frame, OctetBuffer private_data) const;

  Role role_;
  Options options_;
  std::optional<mpa::EnhancedData> peer_enhanced_;
  std::optional<Answer> answer_;
  Agreement agreement_;

 private:
  Step fail(std::string text);
  Step judge_head();  // checks the received octets of the head
  Step judge_request(const mpa::StartFrame& frame);
  Step judge_reply(const mpa::StartFrame& frame);

  OctetBuffer frame_;  // the peer's start frame
  std::uint8_t peer_revision_ = 0;
  std::size_t ulp_data_at_ = 0;  // offset in frame_
  std::string error_;
};

}  // namespace wirelaw::rdmap
