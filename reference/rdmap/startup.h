// SPDX-License-Identifier: Apache-2.0
// The Startup Phase of MPA (RFC 5044, 7.1; RFC 6581): frames in and out, and what they agree on.
#pragma once

#include <string>

#include "reference/rdmap/negotiation.h"
#include "reference/rdmap/role.h"

namespace wirelaw::rdmap {

// The settings that both start frames agree on.
struct Agreement {
  std::uint8_t revision = 0;
  bool enhanced = false;
  bool send_markers = false;    // the peer wants them in what we send
  bool expect_markers = false;  // we want them in what we receive
  bool crc = true;              // one of both wants them
  Depths depths;
  bool peer_to_peer = false;
  Rtr rtr = Rtr::none;             // that an initiator sends
  bool rtr_send_offered = false;   // a responder offered it: an empty first Send is no message of the upper layer
  std::optional<ErrorCode> error;  // why an initiator terminates instead (RFC 6581, 9.1 and 9.2)
};

class Startup {
 public:
  Startup(Role role, const Options& options) : role_(role), options_(options) {}
  virtual ~Startup() = default;
  Startup(const Startup&) = delete;
  Startup& operator=(const Startup&) = delete;

  enum class Step : std::uint8_t {
    more,      // the frame is not whole
    request,   // responder: a valid request
    accepted,  // initiator: a valid reply, Full Operation begins
    rejected,  // initiator: a valid reply with R set
    failed,    // the frame is improperly formatted: close
  };
  // Takes what belongs to the peer's frame off the head of `octets`.
  Step take(Octets& octets);
  std::size_t taken() const { return frame_.size(); }  // octets of the peer's frame so far

  // The frames to send. Private data beyond what fits is cut.
  OctetBuffer request(Octets private_data);
  OctetBuffer accept(Octets private_data);
  OctetBuffer reject(Octets private_data);
  std::size_t private_data_room() const;  // in the next frame to send
  // False if the initiator's IRD cannot be lived with (RFC 6581, 9.1): then reject() is all that is left.
  bool acceptable() const { return !answer_ || answer_->enough; }

  const Agreement& agreement() const { return agreement_; }
  void set_depths(const Depths& depths) { agreement_.depths = depths; }
  // Instead of Options'.
  void limit_depths(const Depths& limits);
  std::optional<mpa::EnhancedData> peer_enhanced() const { return peer_enhanced_; }
  OctetBuffer peer_private_data() const;  // the upper layer's part
  std::uint8_t peer_revision() const { return peer_revision_; }
  const std::string& error() const { return error_; }  // why it failed

 protected:
  // A reply before it is encoded.
  struct Reply {
    mpa::StartFrame frame;
    std::optional<mpa::EnhancedData> enhanced;
  };

  // --- steps: what is accepted of the peer's frame (RFC 5044, 7.1.1)
  virtual bool accepts_key(Octets octets) const;  // checks the octets of the key that have come
  virtual bool accepts_revision(std::uint8_t revision) const;
  virtual bool accepts_flags(std::uint8_t flags) const;
  virtual bool accepts_private_data(std::size_t octets) const;
  virtual Conclusion conclude(const mpa::EnhancedData& reply) const;  // initiator only (RFC 6581, 9)

  // --- steps: what is sent
  virtual Reply reply(bool rejected);
  virtual OctetBuffer encode(const mpa::StartFrame& frame, const std::optional<mpa::EnhancedData>& enhanced,
                             Octets private_data) const;
  // The frame with this private data, the enhanced data in front of it.
  virtual OctetBuffer encode(mpa::StartFrame frame, OctetBuffer private_data) const;

  Role role_;
  Options options_;
  std::optional<mpa::EnhancedData> peer_enhanced_;
  std::optional<Answer> answer_;
  Agreement agreement_;

 private:
  Step fail(std::string text);
  Step judge_head();  // checks the octets of the head that have come
  Step judge_request(const mpa::StartFrame& frame);
  Step judge_reply(const mpa::StartFrame& frame);

  OctetBuffer frame_;  // the peer's start frame
  std::uint8_t peer_revision_ = 0;
  std::size_t ulp_data_at_ = 0;  // in frame_
  std::string error_;
};

}  // namespace wirelaw::rdmap
