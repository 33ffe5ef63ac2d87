// SPDX-License-Identifier: Apache-2.0
// A consumer's memory and its registrations, in one protection domain.
#pragma once

#include <cstdlib>
#include <map>
#include <memory>
#include <vector>

#include "conformance/verbs.h"
#include "harness/transports/verbs/manager.h"

namespace wirelaw::verbs {

class Memory {
 public:
  explicit Memory(const VerbsLibrary& verbs) : verbs_(verbs), domain_(nullptr, verbs.dealloc_pd) {}
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  tl::expected<void, TransportError> open(ibv_context* device);
  ibv_pd* domain() const { return domain_.get(); }

  tl::expected<std::span<Octet>, VerbsError> allocate(std::size_t octets);
  tl::expected<Region, VerbsError> reg_mr(std::span<Octet> memory, const Access& access);
  tl::expected<void, VerbsError> dereg_mr(const Region& region);

 private:
  struct Free {
    void operator()(Octet* at) const { std::free(at); }
  };

  const VerbsLibrary& verbs_;
  std::unique_ptr<ibv_pd, decltype(VerbsLibrary::dealloc_pd)> domain_;
  std::vector<std::unique_ptr<Octet[], Free>> pages_;
  std::map<std::uint32_t, ibv_mr*> regions_;  // by lkey
};

}  // namespace wirelaw::verbs
