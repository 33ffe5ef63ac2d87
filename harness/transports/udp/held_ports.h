// SPDX-License-Identifier: Apache-2.0
// Holds the local ports of ended conversations, so that the next ones do not get them. The system may reuse a port at
// once. What a slow peer then answers to the previous conversation would reach the new one, and be judged there.
#pragma once

#include "pcap/address.h"

namespace wirelaw {

// Holds the port of a socket that will be closed. The process holds the latest 32 ports; datagrams that arrive at them
// are lost.
void hold_port(int descriptor);

// Records that a conversation has this local address towards this peer. False if an earlier conversation had it: the
// peer may still mistake this one for that. Forgets the oldest when it knows very many.
bool is_fresh_place(const pcap::Endpoint& local, const pcap::Endpoint& peer);

// Releases all held ports when descriptors run short. False if there were none.
bool release_held_ports();

}  // namespace wirelaw
