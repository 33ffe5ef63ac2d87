// SPDX-License-Identifier: Apache-2.0
// What a relay has done so far.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace wirelaw {

struct RelayCounts {
  std::uint64_t connections = 0;  // that initiators have made; for datagrams, the flows
  std::uint64_t reached = 0;      // of these, those on which the responder could be reached
  std::uint64_t answered = 0;     // of these, those on which the responder has sent something
  std::uint64_t cut = 0;          // that the relay itself has ended, by a fault or because it ended
  std::uint64_t faulted = 0;      // of these, by a fault
  std::string unreachable = {};   // why the responder could not be reached, last; one line
  std::uint64_t lost = 0, doubled = 0, held_back = 0;    // datagrams, by the faults of the network
  std::map<std::uint32_t, std::uint64_t> played = {};    // how often each line of the faults file was
  std::map<std::uint32_t, std::string> not_played = {};  // why a line could not be, last

  // What the relay has done to what passed it, as "lost 3 datagrams; line 2 of the faults: 1 time". Empty: nothing.
  std::string deeds() const;
  // Initiators have come, and the responder has served none of them, though the relay has changed nothing that they
  // sent.
  bool is_responder_lost() const {
    return answered == 0 && (!unreachable.empty() || (connections > faulted && played.empty()));
  }
};

}  // namespace wirelaw
