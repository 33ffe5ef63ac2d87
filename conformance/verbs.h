// SPDX-License-Identifier: Apache-2.0
// The implementation under test as its application sees it: one queue pair of an RDMA device with its two completion
// queues, its protection domain and its connection. Names and values are those of libibverbs and librdmacm, but neither
// library is used. A case that has a consumer drives the IUT through it, and judges what is reported there:
//
//   stimulus on the wire, judgement at the consumer   or   work posted at the consumer, judgement on the wire
//
// The consumer is at the IUT's end of this connection, so that the observer judges the wire of the same run. If nobody
// can speak the wire protocol, the far end may be a consumer as well (a pair). Each consumer has its own protection
// domain.
//
// Errors are values. A call that waits does so until `deadline`, by the clock of the transport, and returns empty if
// the deadline passes. Nothing is consumed in the background: reports wait in their queue until the caller takes them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "conformance/offers.h"
#include "reference/endpoint.h"
#include "reference/octets/octets.h"

namespace wirelaw::verbs {

// ----------------------------------------------------------------------------------- libibverbs' words and values

enum class WcStatus : std::uint8_t {  // ibv_wc_status
  success,
  loc_len_err,
  loc_qp_op_err,
  loc_eec_op_err,
  loc_prot_err,
  wr_flush_err,
  mw_bind_err,
  bad_resp_err,
  loc_access_err,
  rem_inv_req_err,
  rem_access_err,
  rem_op_err,
  retry_exc_err,
  rnr_retry_exc_err,
  loc_rdd_viol_err,
  rem_inv_rd_req_err,
  rem_abort_err,
  inv_eecn_err,
  inv_eec_state_err,
  fatal_err,
  resp_timeout_err,
  general_err,
};

enum class WcOpcode : std::uint8_t {  // ibv_wc_opcode
  send,
  rdma_write,
  rdma_read,
  comp_swap,
  fetch_add,
  bind_mw,
  local_inv,
  recv = 128,
  recv_rdma_with_imm,
};

enum class WrOpcode : std::uint8_t {  // ibv_wr_opcode
  rdma_write,
  rdma_write_with_imm,
  send,
  send_with_imm,
  rdma_read,
  atomic_cmp_and_swp,
  atomic_fetch_and_add,
  local_inv,
  bind_mw,
  send_with_inv,
};

enum class QpState : std::uint8_t { reset, init, rtr, rts, sqd, sqe, err, unknown };  // ibv_qp_state

enum class AsyncEvent : std::uint8_t {  // ibv_event_type
  cq_err,
  qp_fatal,
  qp_req_err,
  qp_access_err,
  comm_est,
  sq_drained,
  path_mig,
  path_mig_err,
  device_fatal,
  port_active,
  port_err,
  lid_change,
  pkey_change,
  sm_change,
  srq_err,
  srq_limit_reached,
  qp_last_wqe_reached,
  client_reregister,
  gid_change,
  wq_fatal,
};

enum class CmEventType : std::uint8_t {  // rdma_cm_event_type
  addr_resolved,
  addr_error,
  route_resolved,
  route_error,
  connect_request,
  connect_response,
  connect_error,
  unreachable,
  rejected,
  established,
  disconnected,
  device_removal,
  multicast_join,
  multicast_error,
  addr_change,
  timewait_exit,
};

std::string_view to_string(WcStatus status);    // "IBV_WC_SUCCESS"
std::string_view to_string(WcOpcode opcode);    // "IBV_WC_SEND"
std::string_view to_string(WrOpcode opcode);    // "IBV_WR_SEND"
std::string_view to_string(QpState state);      // "IBV_QPS_RTS"
std::string_view to_string(AsyncEvent event);   // "IBV_EVENT_QP_FATAL"
std::string_view to_string(CmEventType event);  // "RDMA_CM_EVENT_ESTABLISHED"

// -------------------------------------------------------------------------------------------------------------- memory

struct Access {  // ibv_access_flags
  bool local_write = false;
  bool remote_write = false;
  bool remote_read = false;
  bool remote_atomic = false;
};

// A memory region. The consumer owns `memory`, which stays until the consumer is destroyed, deregistered or not.
struct Region {
  std::span<Octet> memory;
  std::uint64_t addr = 0;  // address of the first octet in work requests; tagged offset for the peer
  std::uint32_t lkey = 0;
  std::uint32_t rkey = 0;  // the STag
};

// ---------------------------------------------------------------------------------------------------------------- work

struct Sge {
  std::uint64_t addr = 0;
  std::uint32_t length = 0;  // 0: the request has no element
  std::uint32_t lkey = 0;
};

struct RecvWr {
  std::uint64_t wr_id = 0;
  Sge sge = {};
};

struct SendWr {
  std::uint64_t wr_id = 0;
  WrOpcode opcode = WrOpcode::send;
  Sge sge = {};
  // send_flags
  bool signaled = true;
  bool fence = false;
  bool solicited = false;
  // for Write, Read and atomics
  std::uint64_t remote_addr = 0;
  std::uint32_t rkey = 0;
  std::uint32_t invalidate_rkey = 0;  // rkey for send_with_inv and local_inv
  std::uint32_t imm_data = 0;         // a number; sent big-endian
  std::uint64_t compare_add = 0;
  std::uint64_t swap = 0;
};

enum class Cq : std::uint8_t { send, receive };

struct Wc {
  std::uint64_t wr_id = 0;
  WcStatus status = WcStatus::success;
  // Valid only if status is success:
  WcOpcode opcode = WcOpcode::send;
  std::uint32_t byte_len = 0;  // octets transferred by a receive, a Read or an atomic
  std::optional<std::uint32_t> imm_data = {};
  std::optional<std::uint32_t> invalidated_rkey = {};
};
std::string to_text(const Wc& wc);  // "wr_id 3, IBV_WC_SUCCESS, IBV_WC_RECV, 64 octets"

// Why a verb failed: what it returned, as text, with the name of errno if it is set.
struct VerbsError {
  std::string message;
};

// ---------------------------------------------------------------------------------------------------------- connection

struct ConnParam {  // rdma_conn_param
  OctetBuffer private_data = {};
  std::uint8_t responder_resources = 16;  // IRD: Reads and atomics of the peer that may be outstanding here
  std::uint8_t initiator_depth = 16;      // ORD: Reads and atomics of our own that may be outstanding
};

struct CmEvent {
  CmEventType type = CmEventType::established;
  int status = 0;
  // Valid for connect_request, connect_response, rejected and established, as the device reported it. In a request, it
  // is what the peer offers, seen from here.
  OctetBuffer private_data = {};
  std::uint8_t responder_resources = 0;
  std::uint8_t initiator_depth = 0;
};

struct QpInfo {
  QpState state = QpState::reset;
  std::uint32_t responder_resources = 0;  // max_dest_rd_atomic: IRD in force
  std::uint32_t initiator_depth = 0;      // max_rd_atomic: ORD in force
};

// The capabilities of the device. A case that needs more is skipped with this reason.
struct DeviceInfo {
  std::string name;  // "siw0"
  bool iwarp = true;
  bool send_with_inv = true;              // IBV_DEVICE_MEM_MGT_EXTENSIONS, or known to work
  bool write_with_imm = false;            // RFC 7306's immediate data, for iWARP
  bool atomics = false;                   // RFC 7306
  std::uint8_t max_qp_rd_atom = 16;       // greatest IRD
  std::uint8_t max_qp_init_rd_atom = 16;  // greatest ORD
};

// ------------------------------------------------------------------------------------------------------------ consumer

class Consumer {
 public:
  template <class Result>
  using Outcome = tl::expected<Result, VerbsError>;
  // Result of a call that waits. Empty if nothing has come. An error if the device, or the connection to it, has
  // failed.
  template <class Result>
  using Awaited = tl::expected<std::optional<Result>, TransportError>;

  virtual ~Consumer() = default;

  virtual const DeviceInfo& device() const = 0;
  virtual Instant now() const = 0;

  // --- connection. A responder's queue pair exists from the connect_request that cm_event() returns, an initiator's
  // from the beginning.
  // For an initiator: asks for the connection. `established` or another event follows.
  virtual Outcome<void> connect(const ConnParam& param) = 0;
  // For a responder: valid after connect_request.
  virtual Outcome<void> accept(const ConnParam& param) = 0;
  virtual Outcome<void> reject(Octets private_data) = 0;
  virtual Outcome<void> disconnect() = 0;
  virtual Awaited<CmEvent> cm_event(Instant deadline) = 0;

  // --- memory, available from the beginning
  // Allocates memory to register, filled with zeros. It stays until the consumer is destroyed. Page-aligned if the
  // memory of the device is.
  virtual Outcome<std::span<Octet>> allocate(std::size_t octets) = 0;
  // `memory` is all or part of a result of allocate(), or belongs to the caller, who keeps it until it is deregistered.
  // It may be registered several times.
  virtual Outcome<Region> reg_mr(std::span<Octet> memory, const Access& access) = 0;
  virtual Outcome<void> dereg_mr(const Region& region) = 0;

  // --- work
  virtual Outcome<void> post_recv(const RecvWr& wr) = 0;
  virtual Outcome<void> post_send(const SendWr& wr) = 0;

  // --- reports
  // Returns the next completion of this queue, in the order of the device.
  virtual Awaited<Wc> poll_cq(Cq cq, Instant deadline) = 0;
  // Asks for the next completion event of this queue. cq_event() returns true if it has come since.
  virtual Outcome<void> req_notify_cq(Cq cq, bool solicited_only) = 0;
  virtual tl::expected<bool, TransportError> cq_event(Cq cq, Instant deadline) = 0;
  virtual Awaited<AsyncEvent> async_event(Instant deadline) = 0;

  // --- queue pair
  virtual Outcome<QpInfo> query_qp() = 0;
  virtual Outcome<void> modify_qp_to_err() = 0;
};

extern const OfferKind<Consumer> kConsumer;     // at the IUT's end
extern const OfferKind<Consumer> kFarConsumer;  // at the tester's end, if the tester does not speak the wire protocol

// nullptr if there is none. Destroyed with the transport.
inline Consumer* consumer_of(const Transport& transport) {
  return transport.offers().find(kConsumer);
}
inline Consumer* far_consumer_of(const Transport& transport) {
  return transport.offers().find(kFarConsumer);
}

}  // namespace wirelaw::verbs
