// SPDX-License-Identifier: Apache-2.0
#include "conformance/verbs.h"

#include <fmt/format.h>

#include <iterator>

namespace wirelaw::verbs {
namespace {

template <std::size_t Count>
std::string_view name_at(const std::string_view (&names)[Count], std::size_t index) {
  return index < Count ? names[index] : "a value that libibverbs does not have";
}

}  // namespace

std::string_view to_string(WcStatus status) {
  static constexpr std::string_view kNames[] = {
      "IBV_WC_SUCCESS",          "IBV_WC_LOC_LEN_ERR",       "IBV_WC_LOC_QP_OP_ERR",     "IBV_WC_LOC_EEC_OP_ERR",
      "IBV_WC_LOC_PROT_ERR",     "IBV_WC_WR_FLUSH_ERR",      "IBV_WC_MW_BIND_ERR",       "IBV_WC_BAD_RESP_ERR",
      "IBV_WC_LOC_ACCESS_ERR",   "IBV_WC_REM_INV_REQ_ERR",   "IBV_WC_REM_ACCESS_ERR",    "IBV_WC_REM_OP_ERR",
      "IBV_WC_RETRY_EXC_ERR",    "IBV_WC_RNR_RETRY_EXC_ERR", "IBV_WC_LOC_RDD_VIOL_ERR",  "IBV_WC_REM_INV_RD_REQ_ERR",
      "IBV_WC_REM_ABORT_ERR",    "IBV_WC_INV_EECN_ERR",      "IBV_WC_INV_EEC_STATE_ERR", "IBV_WC_FATAL_ERR",
      "IBV_WC_RESP_TIMEOUT_ERR", "IBV_WC_GENERAL_ERR"};
  return name_at(kNames, static_cast<std::size_t>(status));
}

std::string_view to_string(WcOpcode opcode) {
  static constexpr std::string_view kSent[] = {"IBV_WC_SEND",      "IBV_WC_RDMA_WRITE", "IBV_WC_RDMA_READ",
                                               "IBV_WC_COMP_SWAP", "IBV_WC_FETCH_ADD",  "IBV_WC_BIND_MW",
                                               "IBV_WC_LOCAL_INV"};
  static constexpr std::string_view kReceived[] = {"IBV_WC_RECV", "IBV_WC_RECV_RDMA_WITH_IMM"};
  const auto value = static_cast<std::size_t>(opcode);
  constexpr auto kFirstReceived = static_cast<std::size_t>(WcOpcode::recv);
  return value < kFirstReceived ? name_at(kSent, value) : name_at(kReceived, value - kFirstReceived);
}

std::string_view to_string(WrOpcode opcode) {
  static constexpr std::string_view kNames[] = {
      "IBV_WR_RDMA_WRITE",           "IBV_WR_RDMA_WRITE_WITH_IMM", "IBV_WR_SEND",
      "IBV_WR_SEND_WITH_IMM",        "IBV_WR_RDMA_READ",           "IBV_WR_ATOMIC_CMP_AND_SWP",
      "IBV_WR_ATOMIC_FETCH_AND_ADD", "IBV_WR_LOCAL_INV",           "IBV_WR_BIND_MW",
      "IBV_WR_SEND_WITH_INV"};
  return name_at(kNames, static_cast<std::size_t>(opcode));
}

std::string_view to_string(QpState state) {
  static constexpr std::string_view kNames[] = {"IBV_QPS_RESET", "IBV_QPS_INIT", "IBV_QPS_RTR", "IBV_QPS_RTS",
                                                "IBV_QPS_SQD",   "IBV_QPS_SQE",  "IBV_QPS_ERR", "IBV_QPS_UNKNOWN"};
  return name_at(kNames, static_cast<std::size_t>(state));
}

std::string_view to_string(AsyncEvent event) {
  static constexpr std::string_view kNames[] = {"IBV_EVENT_CQ_ERR",
                                                "IBV_EVENT_QP_FATAL",
                                                "IBV_EVENT_QP_REQ_ERR",
                                                "IBV_EVENT_QP_ACCESS_ERR",
                                                "IBV_EVENT_COMM_EST",
                                                "IBV_EVENT_SQ_DRAINED",
                                                "IBV_EVENT_PATH_MIG",
                                                "IBV_EVENT_PATH_MIG_ERR",
                                                "IBV_EVENT_DEVICE_FATAL",
                                                "IBV_EVENT_PORT_ACTIVE",
                                                "IBV_EVENT_PORT_ERR",
                                                "IBV_EVENT_LID_CHANGE",
                                                "IBV_EVENT_PKEY_CHANGE",
                                                "IBV_EVENT_SM_CHANGE",
                                                "IBV_EVENT_SRQ_ERR",
                                                "IBV_EVENT_SRQ_LIMIT_REACHED",
                                                "IBV_EVENT_QP_LAST_WQE_REACHED",
                                                "IBV_EVENT_CLIENT_REREGISTER",
                                                "IBV_EVENT_GID_CHANGE",
                                                "IBV_EVENT_WQ_FATAL"};
  return name_at(kNames, static_cast<std::size_t>(event));
}

std::string_view to_string(CmEventType event) {
  static constexpr std::string_view kNames[] = {
      "RDMA_CM_EVENT_ADDR_RESOLVED",  "RDMA_CM_EVENT_ADDR_ERROR",      "RDMA_CM_EVENT_ROUTE_RESOLVED",
      "RDMA_CM_EVENT_ROUTE_ERROR",    "RDMA_CM_EVENT_CONNECT_REQUEST", "RDMA_CM_EVENT_CONNECT_RESPONSE",
      "RDMA_CM_EVENT_CONNECT_ERROR",  "RDMA_CM_EVENT_UNREACHABLE",     "RDMA_CM_EVENT_REJECTED",
      "RDMA_CM_EVENT_ESTABLISHED",    "RDMA_CM_EVENT_DISCONNECTED",    "RDMA_CM_EVENT_DEVICE_REMOVAL",
      "RDMA_CM_EVENT_MULTICAST_JOIN", "RDMA_CM_EVENT_MULTICAST_ERROR", "RDMA_CM_EVENT_ADDR_CHANGE",
      "RDMA_CM_EVENT_TIMEWAIT_EXIT"};
  return name_at(kNames, static_cast<std::size_t>(event));
}

std::string to_text(const Wc& wc) {
  std::string text = fmt::format("wr_id {}, {}", wc.wr_id, to_string(wc.status));
  if (wc.status != WcStatus::success) return text;
  text += fmt::format(", {}", to_string(wc.opcode));
  if (wc.opcode >= WcOpcode::recv || wc.opcode == WcOpcode::rdma_read) text += fmt::format(", {} octets", wc.byte_len);
  if (wc.imm_data) text += fmt::format(", immediate 0x{:08x}", *wc.imm_data);
  if (wc.invalidated_rkey) text += fmt::format(", invalidated rkey 0x{:08x}", *wc.invalidated_rkey);
  return text;
}

}  // namespace wirelaw::verbs
