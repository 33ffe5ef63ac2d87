// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/verbs/devices.h"

#if __has_include(<infiniband/efadv.h>)
#include <algorithm>
#include <memory>

#include "harness/transports/verbs/library.h"

namespace wirelaw {
namespace {

// A value from headers newer than Debian 12's.
constexpr std::uint32_t kCapsRdmaWrite = 1u << 3;
// A device may have more, but those after this are seldom needed.
constexpr int kGids = 256;

std::string_view transport_of(int type) {
  switch (type) {
    case IBV_TRANSPORT_IB:
      return "InfiniBand";
    case IBV_TRANSPORT_IWARP:
      return "iWARP";
    case IBV_TRANSPORT_USNIC:
    case IBV_TRANSPORT_USNIC_UDP:
      return "usNIC";
    default:
      return "unspecified";
  }
}

std::string_view link_of(std::uint8_t layer) {
  return layer == IBV_LINK_LAYER_INFINIBAND ? "InfiniBand"
         : layer == IBV_LINK_LAYER_ETHERNET ? "Ethernet"
                                            : "unspecified";
}

RdmaPort port_of(const VerbsLibrary& verbs, ibv_context& context, std::uint8_t number) {
  RdmaPort port{.number = number};
  ibv_port_attr attributes = {};
  if (verbs.query_port(&context, number, reinterpret_cast<_compat_ibv_port_attr*>(&attributes)) != 0) return port;
  port.active = attributes.state == IBV_PORT_ACTIVE;
  port.link = link_of(attributes.link_layer);
  port.max_message = attributes.max_msg_sz;
  for (int i = 0; i < std::min(attributes.gid_tbl_len, kGids); ++i) {
    ibv_gid gid = {};
    if (verbs.query_gid(&context, number, i, &gid) != 0) continue;
    if (std::ranges::any_of(gid.raw, [](std::uint8_t octet) { return octet != 0; }))
      port.gids.push_back(pcap::Address::ipv6(gid.raw));
  }
  return port;
}

RdmaDevice look_at(const VerbsLibrary& verbs, ibv_device& device) {
  RdmaDevice found{.name = verbs.get_device_name(&device), .transport = transport_of(device.transport_type)};
  const std::unique_ptr<ibv_context, decltype(verbs.close_device)> context(verbs.open_device(&device),
                                                                           verbs.close_device);
  if (!context) return found;
  efadv_device_attr efa = {};
  found.efa = verbs.has_efa() && verbs.efa_query_device(context.get(), &efa, sizeof efa) == 0;
  if (found.efa)
    found.efa_abilities = {.rdma_read = (efa.device_caps & EFADV_DEVICE_ATTR_CAPS_RDMA_READ) != 0,
                           .rdma_write = (efa.device_caps & kCapsRdmaWrite) != 0,
                           .max_rdma = efa.max_rdma_size};
  ibv_device_attr attributes = {};
  if (verbs.query_device(context.get(), &attributes) != 0) return found;
  for (unsigned number = 1; number <= attributes.phys_port_cnt; ++number)
    found.ports.push_back(port_of(verbs, *context, static_cast<std::uint8_t>(number)));
  return found;
}

}  // namespace

tl::expected<std::vector<RdmaDevice>, TransportError> rdma_devices() {
  const auto library = verbs_library();
  if (!library) return tl::unexpected(library.error());
  const VerbsLibrary& verbs = **library;
  std::vector<RdmaDevice> found;
  int count = 0;
  // A kernel without RDMA is a machine without devices.
  ibv_device** const list = verbs.get_device_list(&count);
  if (list == nullptr) return found;
  for (int i = 0; i < count; ++i) found.push_back(look_at(verbs, *list[i]));
  verbs.free_device_list(list);
  return found;
}

}  // namespace wirelaw

#else

namespace wirelaw {

tl::expected<std::vector<RdmaDevice>, TransportError> rdma_devices() {
  return tl::unexpected(TransportError{"wirelaw was built without libibverbs",
                                       "build it where its headers are (Debian: libibverbs-dev)"});
}

}  // namespace wirelaw
#endif
