// SPDX-License-Identifier: Apache-2.0
// An EFA device that has been opened, and the SRD queue pairs made on it. Without libibverbs, libefa, or such a device,
// open() is an error in one line; nothing of verbs shows here.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tl/expected.hpp>

#include "conformance/transport.h"
#include "harness/rdma.h"
#include "harness/transports/srd/address.h"
#include "harness/transports/verbs/devices.h"

namespace wirelaw {

// A completion reported by a queue pair.
struct SrdEvent {
  enum class Kind : std::uint8_t {
    packet,
    undelivered,  // a packet that we sent has reached no receiver
    rdma,         // one that was started has ended
    written,      // a peer has written by RDMA, with immediate data
  };
  Kind kind = Kind::packet;
  pcap::Endpoint peer = {};  // not set for rdma
  OctetBuffer octets = {};   // the packet's octets; what RDMA has read
  std::uint64_t id = 0;      // for rdma
  bool ok = false;           // for rdma
  std::string reason = {};   // why it failed, in libibverbs' words
  std::uint64_t length = 0;  // octets written
  std::uint32_t immediate = 0;
};

// A queue pair with its receives and its completion queue, used like a socket. One thread.
//
// Its buffers are as many as kReceives; while those hold packets that wait() has not given out, the device makes
// senders wait.
class SrdSocket : public RdmaRegistrar {
 public:
  static constexpr std::size_t kReceives = 256;
  static constexpr std::size_t kSends = 64;  // packets in flight
  static constexpr std::size_t kRdmas = 64;  // at once; others wait

  // The address has everything.
  virtual const SrdAddress& local() const = 0;
  // Waits until another packet may be in flight. Fails if none may be for long, or if the packet is longer than the
  // device's limit. Its delivery is reported later.
  virtual tl::expected<void, TransportError> send(const SrdAddress& to, Octets packet) = 0;
  // Empty if the deadline has passed or a signal has arrived.
  virtual std::optional<SrdEvent> wait(std::chrono::steady_clock::time_point deadline) = 0;

  // Starts RDMA with a peer's memory, and returns its id. Each has one event, also if our own device refuses it.
  virtual std::uint64_t read(const SrdAddress& from, const RdmaRange& what) = 0;
  virtual std::uint64_t write(const SrdAddress& to, const RdmaRange& where, Octets octets,
                              std::optional<std::uint64_t> immediate) = 0;
};

class SrdDevice {
 public:
  // Finds the device by its name or GID. If neither is given, the first EFA device.
  static tl::expected<std::unique_ptr<SrdDevice>, TransportError> open(const std::string& name, std::optional<Gid> gid);
  virtual ~SrdDevice() = default;

  virtual const std::string& name() const = 0;
  virtual const Gid& gid() const = 0;
  virtual std::size_t packet_octets() const = 0;  // octets of the largest packet
  virtual const EfaAbilities& abilities() const = 0;
  // `connid` is random if it is not given. The device must outlive the socket.
  virtual tl::expected<std::unique_ptr<SrdSocket>, TransportError> make_socket(std::optional<std::uint32_t> connid) = 0;
};

// From now on SIGINT and SIGTERM end a wait of any socket instead of the process.
void stop_srd_on_signals();
bool srd_stopped();

}  // namespace wirelaw
