// SPDX-License-Identifier: Apache-2.0
// A connection of librdmacm as verbs_peer uses it: a queue pair with receives posted, and memory that the other side
// may use. Whoever makes it looks after the communication events; this looks after the completions.
#pragma once

#include <rdma/rdma_cma.h>

#include <functional>
#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "harness/peers/rdmap_peer.h"
#include "reference/rdmap/advertisement.h"

namespace wirelaw::lab {

template <class T = void>
using Result = tl::expected<T, std::string>;

struct ChannelRelease {
  void operator()(rdma_event_channel* channel) const { rdma_destroy_event_channel(channel); }
};
using Channel = std::unique_ptr<rdma_event_channel, ChannelRelease>;

// What errno says of the call that has just failed.
std::string failure(const std::string& call);

// Octets of this process that the device knows.
class RegisteredMemory {
 public:
  RegisteredMemory(ibv_pd* domain, std::size_t octets, int access);
  ~RegisteredMemory();
  RegisteredMemory(const RegisteredMemory&) = delete;
  RegisteredMemory& operator=(const RegisteredMemory&) = delete;

  bool registered() const { return region_ != nullptr; }
  OctetBuffer& octets() { return octets_; }
  Octet* at(std::size_t offset) { return octets_.data() + offset; }
  std::uint32_t local_key() const { return region_->lkey; }
  rdmap::AdvertisedBuffer advertised() const;  // an iWARP device's rkey is the STag, and its TO the address

 private:
  OctetBuffer octets_;
  ibv_mr* region_ = nullptr;
};

class VerbsConnection {
 public:
  // Takes the id, which knows its device. Receives are posted: kReceives, of kReceiveOctets each.
  static Result<std::unique_ptr<VerbsConnection>> on(rdma_cm_id* id);
  ~VerbsConnection();
  VerbsConnection(const VerbsConnection&) = delete;
  VerbsConnection& operator=(const VerbsConnection&) = delete;

  rdma_cm_id* id() const { return id_; }
  ibv_pd* domain() const { return domain_; }
  int completions_descriptor() const { return channel_->fd; }

  // A receive is a place in a buffer; it is posted again when its octets are no longer needed.
  Octets received(std::size_t place, std::size_t octets);
  bool post_receive(std::size_t place);
  // From the place of a receive; `id` comes back with the completion.
  bool send_received(std::uint64_t id, std::size_t place, std::size_t octets);
  bool post(ibv_send_wr& request);

  // Completions that are there; call it when the descriptor is readable.
  void for_each_completion(const std::function<void(const ibv_wc&)>& act);

  static rdma_conn_param parameters(Octets private_data);

 private:
  explicit VerbsConnection(rdma_cm_id* id) : id_(id) {}
  Result<> prepare();

  rdma_cm_id* id_;
  ibv_pd* domain_ = nullptr;
  ibv_comp_channel* channel_ = nullptr;
  ibv_cq* completions_ = nullptr;
  std::unique_ptr<RegisteredMemory> receives_;
};

}  // namespace wirelaw::lab
