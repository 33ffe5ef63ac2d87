// SPDX-License-Identifier: Apache-2.0
// A reliable-datagram endpoint of libfabric's efa provider, with its address vector, completion queue and memory.
// Errors are lines of text.
#pragma once

#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_eq.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace wirelaw::lab {

template <typename T = void>
using Result = tl::expected<T, std::string>;

std::string fabric_error(const char* function, long error);

struct Close {
  template <typename Fid>
  void operator()(Fid* fid) const {
    fi_close(&fid->fid);
  }
};
template <typename Fid>
using Owned = std::unique_ptr<Fid, Close>;

struct FreeInfo {
  void operator()(fi_info* info) const { fi_freeinfo(info); }
};
using Info = std::unique_ptr<fi_info, FreeInfo>;

// The provider's address of a peer: 32 octets (document, 1.4).
using RawAddress = std::vector<std::uint8_t>;

struct Event {
  void* context = nullptr;  // context of the operation that has ended; null: a provider's error without an operation
  std::uint64_t flags = 0;
  std::size_t octets = 0;
  std::uint64_t tag = 0;
  std::uint64_t data = 0;  // CQ data, if `flags` has FI_REMOTE_CQ_DATA
  fi_addr_t from = FI_ADDR_NOTAVAIL;
  std::string error;  // empty: it has ended well
};

class FabricEndpoint {
 public:
  static Result<std::unique_ptr<FabricEndpoint>> open();

  Result<RawAddress> address() const;
  Result<fi_addr_t> insert(const RawAddress& peer);
  // Registers memory for every use, local and remote.
  Result<> offer(std::span<std::uint8_t> memory);
  // Same, for memory that the caller registers.
  Result<Owned<fid_mr>> register_memory(std::span<std::uint8_t> memory);
  // No other call is allowed afterwards.
  Result<> close();
  std::uint64_t key() const { return fi_mr_key(memory_.get()); }

  fid_ep* ep() const { return endpoint_.get(); }
  std::string version() const;  // The version of libfabric and of the provider.

  // Returns the next operation that has ended, if any. An error if the queue itself has failed.
  Result<std::optional<Event>> poll();

 private:
  FabricEndpoint() = default;
  std::optional<Event> provider_error();

  Info info_;
  Owned<fid_fabric> fabric_;
  Owned<fid_domain> domain_;
  Owned<fid_av> peers_;
  Owned<fid_cq> queue_;
  Owned<fid_eq> errors_;  // without it the provider aborts the process if an error concerns no operation
  Owned<fid_mr> memory_;
  Owned<fid_ep> endpoint_;  // closed first
};

// Calls `post` until it is taken, polling meanwhile, and then polls until the operation with this context has ended.
// `other` sees the events of other operations. `patience` bounds the whole.
Result<Event> finish(FabricEndpoint& endpoint, void* context, const std::function<long()>& post,
                     const std::function<void(const Event&)>& other, std::chrono::seconds patience);

}  // namespace wirelaw::lab
