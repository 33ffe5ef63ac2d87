// SPDX-License-Identifier: Apache-2.0
// The addresses of the tester's nodes (Route::node), as far as this machine has them without configuration.
#pragma once

#include <optional>
#include <tl/expected.hpp>

#include "conformance/transport.h"
#include "pcap/address.h"

namespace wirelaw {

bool is_loopback(const pcap::Address& address);
bool is_unspecified(const pcap::Address& address);

// True if a peer served at `own` may dial `to`. A peer on loopback must not reach another machine by accident.
bool may_dial(const pcap::Address& own, const pcap::Address& to);

// Sets the number of this process if several test one peer at once. Each number has its own nodes. They begin at their
// first addresses.
void number_nodes(unsigned process);

// Over IPv4 loopback, the first conversations come from 127.0.0.1. A peer may remember an address and a port that it
// has spoken with, so no case gets a place again that an earlier case had: before the local ports of an address run
// out, all nodes move to addresses that the run has not used. note_conversation() counts the ports;
// move_nodes_if_worn() moves, between two cases, because within a case a node keeps its address. Where few ports are
// left to choose from, runs begin at a random address, so that two runs against one peer rarely have the same.
void note_conversation();
void move_nodes_if_worn();

// The first node's address, unless the system chooses it. Over loopback, a process with a number has its own.
std::optional<pcap::Address> address_of_first_node(const pcap::Address& iut);

// The address of a node beyond the first, if the first node reaches its IUT over loopback. It is in 127.0.0.0/8, no
// other node has it, and it is not `iut` (the IUT's address, or the address at which the IUT reaches us). Elsewhere
// TransportError::no_way.
tl::expected<pcap::Address, TransportError> address_of_node(unsigned node, const pcap::Address& iut);

}  // namespace wirelaw
