// SPDX-License-Identifier: Apache-2.0
// The local ports of conversations that are over stay taken for the next ones: the system may give a port again at
// once, and what a slow peer then answers to the former conversation would come to the new one, and be judged there.
#pragma once

#include "pcap/address.h"

namespace wirelaw {

// Of a socket that is about to be closed. The latest 32 of the process are held; what comes to them is lost.
void hold_port(int descriptor);

// Notes that a conversation has this place of ours towards this peer. False if an earlier one had it: the peer may
// still take it for that one. Forgets the oldest when it knows very many.
bool is_fresh_place(const pcap::Endpoint& local, const pcap::Endpoint& peer);

// All of them, where descriptors are short. False where there were none.
bool release_held_ports();

}  // namespace wirelaw
