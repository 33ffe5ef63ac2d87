// SPDX-License-Identifier: Apache-2.0
#include "harness/lab/soft_efa/attributes.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "harness/lab/soft_efa/context.h"

namespace wirelaw::soft_efa {
namespace {

constexpr std::uint32_t kAmazon = 0x1d0f;
constexpr std::uint32_t kEfa1 = 0xefa1;
constexpr std::uint32_t kCapsRdmaWrite = 1 << 3;  // EFADV_DEVICE_ATTR_CAPS_RDMA_WRITE, which older headers do not have

}  // namespace

ibv_device_attr device_attributes() {
  ibv_device_attr attributes = {};
  std::strncpy(attributes.fw_ver, "wirelaw soft-efa", sizeof attributes.fw_ver - 1);
  attributes.max_mr_size = UINT64_MAX >> 1;
  attributes.page_size_cap = ~std::uint64_t{4095};
  attributes.vendor_id = kAmazon;
  attributes.vendor_part_id = kEfa1;
  attributes.max_qp = 1 << 16;  // providers index tables by the number, which is a port
  attributes.max_qp_wr = kMaxRecvWr;
  attributes.max_sge = kMaxSendSge;
  attributes.max_sge_rd = kMaxSendSge;
  attributes.max_cq = 1 << 16;
  attributes.max_cqe = 1 << 20;
  attributes.max_mr = 1 << 20;
  attributes.max_pd = 1 << 16;
  attributes.max_ah = kNoAhn;
  attributes.max_pkeys = 1;
  attributes.phys_port_cnt = 1;
  return attributes;
}

efadv_device_attr efa_attributes(ibv_context* context) {
  const Settings& settings = context_of(context).settings;
  efadv_device_attr attributes = {};
  attributes.max_sq_wr = kMaxSendWr;
  attributes.max_rq_wr = kMaxRecvWr;
  attributes.max_sq_sge = kMaxSendSge;
  attributes.max_rq_sge = kMaxRecvSge;
  attributes.inline_buf_size = settings.inline_octets;
  attributes.device_caps = EFADV_DEVICE_ATTR_CAPS_CQ_WITH_SGID | EFADV_DEVICE_ATTR_CAPS_RNR_RETRY;
  if (settings.rdma != Rdma::off) {
    attributes.device_caps |= EFADV_DEVICE_ATTR_CAPS_RDMA_READ;
    attributes.max_rdma_size = kMaxRdma;
  }
  if (settings.rdma == Rdma::write) attributes.device_caps |= kCapsRdmaWrite;
  return attributes;
}

int query_device_ex(ibv_context*, const ibv_query_device_ex_input*, ibv_device_attr_ex* out, std::size_t size) {
  if (size < sizeof out->orig_attr) return EINVAL;
  std::memset(out, 0, size);
  out->orig_attr = device_attributes();
  if (size >= sizeof *out) out->phys_port_cnt_ex = 1;
  return 0;
}

int query_port(ibv_context* context, std::uint8_t port, ibv_port_attr* out, std::size_t size) {
  if (port != 1) return EINVAL;
  ibv_port_attr attributes = {};
  attributes.state = IBV_PORT_ACTIVE;
  attributes.max_mtu = IBV_MTU_4096;
  attributes.active_mtu = IBV_MTU_4096;
  attributes.gid_tbl_len = 1;
  attributes.max_msg_sz = context_of(context).settings.mtu;
  attributes.pkey_tbl_len = 1;
  attributes.max_vl_num = 1;
  attributes.active_width = 2;   // four lanes
  attributes.active_speed = 32;  // 25 Gb/s
  attributes.phys_state = 5;     // link up
  attributes.link_layer = IBV_LINK_LAYER_UNSPECIFIED;
  std::memcpy(out, &attributes, std::min(size, sizeof attributes));
  return 0;
}

}  // namespace wirelaw::soft_efa
