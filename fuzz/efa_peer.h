// SPDX-License-Identifier: Apache-2.0
// The scripted peer of an EFA RDM endpoint. It follows the conversation just far enough to send packets that belong to
// it, and makes them wrong if the steps say so. It may do anything, and is not judged.
#pragma once

#include <deque>
#include <optional>

#include "corpora/formats/efa_steps.h"
#include "reference/efa/packet.h"

namespace wirelaw::fuzz {

class EfaPeer {
 public:
  // `target`: memory of the endpoint that requests access.
  EfaPeer(std::uint64_t extras, const efa::RmaIov& target) : extras_(extras), target_(target) {}

  // Returns the packet that a step describes (EfaAction::packet, raw, replay); nothing for other steps.
  std::optional<OctetBuffer> act(const corpora::EfaStep& step);
  // Records a packet that has arrived from the endpoint.
  void learn(Octets octets);

 private:
  // The fields of a received packet that the answer needs.
  struct Reception {
    std::uint32_t msg_id = 0;
    std::uint32_t send_id = 0;
    std::uint32_t recv_id = 0;
    std::uint64_t length = 0;
  };

  OctetBuffer packet(const corpora::EfaStep& step);
  OctetBuffer raw(const corpora::EfaStep& step) const;
  std::optional<OctetBuffer> replay(const corpora::EfaStep& step) const;
  void fill_request(efa::Packet& packet, const efa::Layout& layout, const corpora::EfaStep& step);
  void fill_answer(efa::Packet& packet, const corpora::EfaStep& step) const;
  void fill_handshake(efa::Packet& packet);
  Octets iov(std::uint64_t octets, std::size_t count, OctetBuffer& out) const;

  std::uint64_t extras_;
  efa::RmaIov target_;
  std::uint32_t msg_id_ = 0;          // the next msg_id
  std::deque<Reception> receptions_;  // latest first
  std::deque<OctetBuffer> sent_;      // latest first
  // The state used to build the next packet.
  OctetBuffer rma_iov_, read_iov_, extra_info_, raw_address_, payload_;
};

}  // namespace wirelaw::fuzz
