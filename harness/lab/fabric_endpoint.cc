// SPDX-License-Identifier: Apache-2.0
#include "harness/lab/fabric_endpoint.h"

#include <fmt/format.h>
#include <rdma/fi_errno.h>

#include <chrono>
#include <cstdlib>
#include <cstring>

namespace wirelaw::lab {
namespace {

constexpr std::uint32_t kVersion = FI_VERSION(1, 14);

Info hints() {
  Info hints(fi_allocinfo());
  hints->caps = FI_MSG | FI_TAGGED | FI_RMA | FI_ATOMIC | FI_SOURCE;
  hints->mode = FI_CONTEXT | FI_CONTEXT2;
  hints->ep_attr->type = FI_EP_RDM;
  hints->fabric_attr->prov_name = strdup("efa");
  hints->domain_attr->mr_mode = FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY;
  hints->domain_attr->threading = FI_THREAD_DOMAIN;
  hints->tx_attr->msg_order = FI_ORDER_SAS;
  hints->rx_attr->msg_order = FI_ORDER_SAS;
  return hints;
}

// Calls one of libfabric's constructors, which give the object by an out parameter.
template <typename Fid, typename Open>
Result<> make(Owned<Fid>& owned, const char* function, Open open) {
  Fid* made = nullptr;
  if (const int error = open(&made)) return tl::unexpected(fabric_error(function, error));
  owned.reset(made);
  return {};
}

}  // namespace

std::string fabric_error(const char* function, long error) {
  return fmt::format("{}: {}", function, fi_strerror(static_cast<int>(-error)));
}

Result<std::unique_ptr<FabricEndpoint>> FabricEndpoint::open() {
  std::unique_ptr<FabricEndpoint> self(new FabricEndpoint);
  fi_info* found = nullptr;
  if (const int error = fi_getinfo(kVersion, nullptr, nullptr, 0, hints().get(), &found))
    return tl::unexpected(fabric_error("fi_getinfo(efa)", error));
  self->info_.reset(found);

  fi_av_attr peers = {};
  peers.type = FI_AV_TABLE;
  fi_eq_attr errors = {};
  fi_cq_attr queue = {};
  queue.format = FI_CQ_FORMAT_TAGGED;
  queue.size = 1024;
  const auto bind = [&](fid* what, std::uint64_t flags) -> Result<> {
    if (const int error = fi_ep_bind(self->ep(), what, flags)) return tl::unexpected(fabric_error("fi_ep_bind", error));
    return {};
  };
  auto made = make(self->fabric_, "fi_fabric", [&](auto out) { return fi_fabric(found->fabric_attr, out, nullptr); });
  if (made)
    made =
        make(self->domain_, "fi_domain", [&](auto out) { return fi_domain(self->fabric_.get(), found, out, nullptr); });
  if (made)
    made = make(self->peers_, "fi_av_open",
                [&](auto out) { return fi_av_open(self->domain_.get(), &peers, out, nullptr); });
  if (made)
    made = make(self->queue_, "fi_cq_open",
                [&](auto out) { return fi_cq_open(self->domain_.get(), &queue, out, nullptr); });
  if (made)
    made = make(self->endpoint_, "fi_endpoint",
                [&](auto out) { return fi_endpoint(self->domain_.get(), found, out, nullptr); });
  if (made)
    made = make(self->errors_, "fi_eq_open",
                [&](auto out) { return fi_eq_open(self->fabric_.get(), &errors, out, nullptr); });
  if (made) made = bind(&self->errors_->fid, 0);
  if (made) made = bind(&self->peers_->fid, 0);
  if (made) made = bind(&self->queue_->fid, FI_TRANSMIT | FI_RECV);
  if (!made) return tl::unexpected(made.error());
  if (const int error = fi_enable(self->ep())) return tl::unexpected(fabric_error("fi_enable", error));
  return self;
}

Result<RawAddress> FabricEndpoint::address() const {
  RawAddress address(64);
  std::size_t size = address.size();
  if (const int error = fi_getname(&endpoint_->fid, address.data(), &size))
    return tl::unexpected(fabric_error("fi_getname", error));
  address.resize(size);
  return address;
}

Result<fi_addr_t> FabricEndpoint::insert(const RawAddress& peer) {
  fi_addr_t address = FI_ADDR_NOTAVAIL;
  if (const int inserted = fi_av_insert(peers_.get(), peer.data(), 1, &address, 0, nullptr); inserted != 1)
    return tl::unexpected(fabric_error("fi_av_insert", inserted < 0 ? inserted : -FI_EINVAL));
  return address;
}

Result<> FabricEndpoint::offer(std::span<std::uint8_t> memory) {
  auto registered = register_memory(memory);
  if (!registered) return tl::unexpected(registered.error());
  memory_ = std::move(*registered);
  return {};
}

Result<Owned<fid_mr>> FabricEndpoint::register_memory(std::span<std::uint8_t> memory) {
  constexpr std::uint64_t kAccess = FI_SEND | FI_RECV | FI_READ | FI_WRITE | FI_REMOTE_READ | FI_REMOTE_WRITE;
  Owned<fid_mr> registered;
  const auto made = make(registered, "fi_mr_reg", [&](auto out) {
    return fi_mr_reg(domain_.get(), memory.data(), memory.size(), kAccess, 0, 0, 0, out, nullptr);
  });
  if (!made) return tl::unexpected(made.error());
  return registered;
}

Result<> FabricEndpoint::close() {
  if (const int error = fi_close(&endpoint_.release()->fid)) return tl::unexpected(fabric_error("fi_close", error));
  return {};
}

std::string FabricEndpoint::version() const {
  const std::uint32_t library = fi_version();
  return fmt::format("libfabric-{}.{}", FI_MAJOR(library), FI_MINOR(library));
}

Result<std::optional<Event>> FabricEndpoint::poll() {
  fi_cq_tagged_entry entry = {};
  fi_addr_t from = FI_ADDR_NOTAVAIL;
  const long got = fi_cq_readfrom(queue_.get(), &entry, 1, &from);
  if (got == 1) return Event{entry.op_context, entry.flags, entry.len, entry.tag, entry.data, from, {}};
  if (got == 0 || got == -FI_EAGAIN) return provider_error();
  fi_cq_err_entry failed = {};
  if (got != -FI_EAVAIL || fi_cq_readerr(queue_.get(), &failed, 0) != 1)
    return tl::unexpected(fabric_error("fi_cq_readfrom", got));
  const char* text = fi_cq_strerror(queue_.get(), failed.prov_errno, failed.err_data, nullptr, 0);
  return Event{.context = failed.op_context,
               .flags = failed.flags,
               .octets = failed.len,
               .tag = failed.tag,
               .error = fmt::format("{} ({})", fi_strerror(failed.err), text == nullptr ? "?" : text)};
}

std::optional<Event> FabricEndpoint::provider_error() {
  std::uint32_t kind = 0;
  fi_eq_entry entry = {};
  fi_eq_err_entry error = {};
  if (fi_eq_read(errors_.get(), &kind, &entry, sizeof entry, 0) != -FI_EAVAIL ||
      fi_eq_readerr(errors_.get(), &error, 0) < 0)
    return std::nullopt;
  const char* text = fi_eq_strerror(errors_.get(), error.prov_errno, error.err_data, nullptr, 0);
  return Event{.error = fmt::format("{} ({})", fi_strerror(error.err), text == nullptr ? "?" : text)};
}

Result<Event> finish(FabricEndpoint& endpoint, void* context, const std::function<long()>& post,
                     const std::function<void(const Event&)>& other, std::chrono::seconds patience) {
  const auto until = std::chrono::steady_clock::now() + patience;
  bool posted = false;
  while (std::chrono::steady_clock::now() < until) {
    if (!posted) {
      const long error = post();
      if (error != 0 && error != -FI_EAGAIN) return tl::unexpected(fabric_error("posting", error));
      posted = error == 0;
    }
    auto event = endpoint.poll();
    if (!event) return tl::unexpected(event.error());
    if (!*event) continue;
    if ((*event)->context != context)
      other(**event);
    else if (!(*event)->error.empty())
      return tl::unexpected((*event)->error);
    else
      return **event;
  }
  return tl::unexpected(fmt::format("{} after {} s", posted ? "not completed" : "not even taken", patience.count()));
}

}  // namespace wirelaw::lab
