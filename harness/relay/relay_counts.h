// SPDX-License-Identifier: Apache-2.0
// Counts of what a relay has done so far.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace wirelaw {

struct RelayCounts {
  std::uint64_t connections = 0;  // made by initiators; for datagrams: flows
  std::uint64_t reached = 0;      // connections whose responder could be reached
  std::uint64_t answered = 0;     // connections on which the responder has sent something
  std::uint64_t cut = 0;          // connections that the relay ended, by a fault or at its own end
  std::uint64_t faulted = 0;      // those that it ended by a fault
  std::string unreachable = {};   // the latest reason why the responder could not be reached; one line
  std::uint64_t lost = 0, doubled = 0, held_back = 0;    // packets, by the faults of the network
  std::string_view packet = "datagram";                  // what they are called
  std::map<std::uint32_t, std::uint64_t> played = {};    // number of times, by line of the faults file
  std::map<std::uint32_t, std::string> not_played = {};  // the latest reason why a line could not be played

  // Lists the faults played so far, for example "lost 3 datagrams; line 2 of the faults: 1 time". Empty if there were
  // none.
  std::string deeds() const;
  // Initiators have connected, and the responder has served none of them, though the relay has changed nothing that
  // they sent.
  bool is_responder_lost() const {
    return answered == 0 && (!unreachable.empty() || (connections > faulted && played.empty()));
  }
};

}  // namespace wirelaw
