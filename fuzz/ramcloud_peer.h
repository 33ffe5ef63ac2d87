// SPDX-License-Identifier: Apache-2.0
// The scripted peer of an endpoint. It follows the conversation just far enough to send packets that belong to it, and
// makes them wrong if the steps say so. It may do anything, and is not judged.
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <vector>

#include "corpora/formats/ramcloud_steps.h"
#include "fuzz/datagram_tap.h"
#include "reference/ramcloud/packet.h"

namespace wirelaw::fuzz {

class RamcloudPeer {
 public:
  explicit RamcloudPeer(End end) : end_(end) {}

  // Returns the packet that a step describes (Action::packet, raw, replay); nothing for other steps.
  std::optional<OctetBuffer> act(const corpora::Step& step);
  // Records a packet that has arrived from the endpoint.
  void learn(Octets octets);

 private:
  struct Channel {
    std::uint32_t rpc_id = 0;    // latest rpcId of the client
    std::uint16_t sent_end = 0;  // 1 + number of the last fragment that the endpoint has sent of its message
  };
  struct Session {
    std::uint64_t token = 0;
    std::uint32_t client_hint = 0;
    std::uint32_t server_hint = 0;
    std::array<Channel, 256> channels{};
  };

  OctetBuffer packet(const corpora::Step& step);
  ramcloud::Header open(const corpora::Step& step);
  ramcloud::Header in_session(const corpora::Step& step);
  OctetBuffer payload(const corpora::Step& step, const ramcloud::Header& header);
  OctetBuffer raw(const corpora::Step& step) const;
  std::optional<OctetBuffer> replay(const corpora::Step& step) const;
  Session& session(std::size_t back);
  Channel* channel_of(const ramcloud::Header& header);
  void begin_session(const ramcloud::Header& header);

  End end_;
  std::deque<Session> sessions_;   // latest first
  std::uint32_t latest_hint_ = 0;  // latest hint in the client's open requests
  std::deque<OctetBuffer> sent_;   // latest first
};

}  // namespace wirelaw::fuzz
