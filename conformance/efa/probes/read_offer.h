// SPDX-License-Identifier: Apache-2.0
// Octets of the tester that a responder under test may fetch by RDMA reads (4.1, 4.5), and the requests that offer
// them.
#pragma once

#include <optional>
#include <vector>

#include "conformance/efa/probes/responder_probe.h"

namespace wirelaw::efa {

// Meets a responder as a peer that announces RDMA read, runting read and read nack. Skips the case if the transport has
// no RDMA, or the responder does not announce it.
void meet_with_reads(ResponderProbe& responder);
// Same, for runting read. Returns false if the case cannot continue.
bool meet_with_runting_reads(ResponderProbe& responder);

class ReadOffer {
 public:
  // Offers `data` in `buffers` parts of about the same length. The case is inconclusive if they cannot be registered.
  ReadOffer(ResponderProbe& responder, OctetBuffer data, std::size_t buffers);
  ~ReadOffer() { withdraw(); }
  ReadOffer(const ReadOffer&) = delete;
  ReadOffer& operator=(const ReadOffer&) = delete;

  const OctetBuffer& data() const { return data_; }
  const std::vector<RmaIov>& buffers() const { return buffers_; }

  void send_message(std::uint32_t msg_id, std::uint32_t send_id, bool tagged);
  void send_write(std::uint32_t send_id, const std::vector<RmaIov>& to, std::optional<std::uint64_t> cq_data = {});
  // RUNTREAD packets that carry the first `runt` octets, `segment` of them each.
  std::vector<OctetBuffer> runting_packets(std::uint32_t msg_id, std::uint32_t send_id, std::uint64_t runt,
                                           std::size_t segment, bool tagged) const;
  // Returns true if the EOR comes. Skips the case if the responder refuses to read (4.7).
  bool await_eor(std::uint32_t send_id);
  // Ends the permission to read, and overwrites the octets.
  void withdraw();

  // A request without read_iov.
  static Packet message(ResponderProbe& responder, PacketType type, std::uint64_t msg_length);

 private:
  void put_source(Packet& packet) const;

  ResponderProbe& responder_;
  OctetBuffer data_;
  OctetBuffer exposed_;
  std::vector<RmaIov> buffers_;
  OctetBuffer iovs_;
};

}  // namespace wirelaw::efa
