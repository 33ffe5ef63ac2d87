// SPDX-License-Identifier: Apache-2.0
// A peer: a sans-I/O endpoint together with its application, in the shape in which the in-memory network and the
// `serve` command drive it. It has no socket, no clock and no thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "conformance/case.h"
#include "conformance/offers.h"
#include "harness/control/server.h"
#include "harness/peers/far_end.h"
#include "harness/rdma.h"
#include "harness/virtual_time.h"
#include "pcap/address.h"
#include "reference/endpoint.h"

namespace wirelaw {

namespace rdmap {
class MemoryDevice;
}

// The address at which others reach a peer.
struct Location {
  pcap::Endpoint endpoint;
  // The value that others must send to reach it, if the transport needs it (conformance/own_address.h).
  std::optional<std::uint32_t> qkey = {};
  std::optional<std::size_t> packet_octets = {};  // the longest packet of the transport, if it declares a limit
};

// The two ends of a connection, or of what two addresses send each other in datagrams.
struct Link {
  pcap::Endpoint local, remote;  // local: of the peer
  bool datagrams = false;
  std::optional<std::size_t> mss = {};  // octets that a TCP segment to the other side has room for, if it is known
};

// The address that a peer wants to connect to, or to send datagrams to.
struct Dial {
  pcap::Endpoint to;
  bool datagrams = false;
};

class Peer {
 public:
  virtual ~Peer() = default;

  // Called before anything else by a transport that knows its location.
  virtual void located(const Location&) {}

  // The link that belongs to a peer number. Called before anything else for that number.
  virtual void linked(PeerId, const Link&) {}

  // For a stream over a device: the device that registers the memory which the peer exposes on it. Called before
  // anything else for that stream. The device outlives the connection.
  virtual void carried_by(PeerId, rdmap::MemoryDevice&) {}

  // Receives a datagram, or the next octets of a stream.
  virtual void receive(PeerId from, Octets octets, Instant now) = 0;
  // For streams: a connection has been made (by the other side, unless trigger() requested it), or the other side has
  // ended its direction.
  virtual void opened(PeerId, Instant) {}
  virtual void ended(PeerId, Ending, Instant) {}
  // For streams, in the initiator's role: true if it wants another connection to the peer of its last trigger, for
  // example to fall back to another revision. Called whenever its state may have changed. opened() gives the number of
  // the connection.
  virtual bool next_connection() { return false; }
  // Returns the next connection that the peer wants to open by itself. Called whenever the peer's state may have
  // changed. linked() and opened() follow in the order in which the peers answer, or not_reached() if nobody listens
  // there. For datagrams only linked() follows, immediately.
  virtual std::optional<Dial> next_dial() { return std::nullopt; }
  virtual void not_reached(const Dial&, Instant) {}
  // Time has passed: what was due by `now` happens.
  virtual void advance(Instant now) = 0;
  // The next time at which to call advance(). Empty if only a datagram can make the peer act.
  virtual std::optional<Instant> deadline() const = 0;
  // True if a TCP segment should begin with each piece of the stream that next_datagram() gives (RFC 5044, 5.1).
  virtual bool aligns_segments() const { return false; }
  // Returns the next datagram to send, or the next octets of a stream and its end. False if there is nothing to send.
  virtual bool next_datagram(Outgoing& out) = 0;

  // For a transport with RDMA: the RDMA part of the peer; nullptr if it has none.
  virtual RdmaPeer* rdma() { return nullptr; }
  // The parts of it that a case may drive itself, on this connection or towards this peer; for an initiator without
  // one, on the next that it requests. The case takes the place of the application that was above it. A call that waits
  // lets `time` pass.
  virtual void offer(Offers&, std::optional<PeerId>, VirtualTime&) {}
  // For a peer that offers a consumer: makes a consumer for the other end of such a connection.
  virtual std::unique_ptr<FarEnd> far_end() { return nullptr; }
  // Returns the peer's application, which takes the calls of a tester in another process. nullptr if a case cannot
  // drive it. The transport numbers the peers of a tester.
  using NumberOf = std::function<PeerId(const pcap::Endpoint&)>;
  virtual std::unique_ptr<control::Calls> calls(NumberOf) { return nullptr; }

  // A peer in the initiator's role starts what is requested, towards `to`. False if it plays the responder. For
  // streams, `to` is a connection that is being made for it: opened() follows.
  virtual bool trigger(PeerId to, const TriggerRequest& request, Instant now) = 0;
  // True if no triggered request is in progress.
  virtual bool idle() const = 0;
  // The number of triggered requests that failed.
  virtual std::uint64_t failed() const = 0;

  // A few lines of text on what it is doing.
  virtual std::string state() const = 0;
};

// Makes a peer whose every choice depends on the seed.
using MakePeer = std::function<std::unique_ptr<Peer>(std::uint64_t seed)>;

}  // namespace wirelaw
