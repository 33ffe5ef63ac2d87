// SPDX-License-Identifier: Apache-2.0
// The implementation under test as its application sees it: one queue pair of an RDMA device with its two completion
// queues, its protection domain and its connection, in the words of libibverbs and librdmacm, and with their values,
// but without either. A case that has one drives the IUT through it, and judges what is reported there:
//
//   stimulus on the wire, judgement at the consumer   or   work posted at the consumer, judgement on the wire
//
// Which consumer it is: that at the IUT's end of this very connection, so that the observer judges the wire of the same
// run. Where nobody can speak the wire, the far end may be a consumer as well (a pair). Each consumer has a protection
// domain of its own.
//
// Errors are values. Whatever waits does so until `deadline`, by the clock of the transport, and gives nothing where it
// has passed. Nothing happens behind the caller's back: what is reported waits in its queue until it is asked for.
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

// A memory region. `memory` belongs to the consumer and stays until the consumer goes, deregistered or not.
struct Region {
  std::span<Octet> memory;
  std::uint64_t addr = 0;  // that of the first octet in work requests, and the tagged offset of the peer
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
  // of Write, Read and atomics
  std::uint64_t remote_addr = 0;
  std::uint32_t rkey = 0;
  std::uint32_t invalidate_rkey = 0;  // of send_with_inv and local_inv
  std::uint32_t imm_data = 0;         // as a number; its octets go big-endian
  std::uint64_t compare_add = 0;
  std::uint64_t swap = 0;
};

enum class Cq : std::uint8_t { send, receive };

struct Wc {
  std::uint64_t wr_id = 0;
  WcStatus status = WcStatus::success;
  // Only of a success:
  WcOpcode opcode = WcOpcode::send;
  std::uint32_t byte_len = 0;  // of a receive, a Read or an atomic
  std::optional<std::uint32_t> imm_data = {};
  std::optional<std::uint32_t> invalidated_rkey = {};
};
std::string to_text(const Wc& wc);  // "wr_id 3, IBV_WC_SUCCESS, IBV_WC_RECV, 64 octets"

// Why a verb has failed: what it returned, in words, with errno's name where there is one.
struct VerbsError {
  std::string message;
};

// ---------------------------------------------------------------------------------------------------------- connection

struct ConnParam {  // rdma_conn_param
  OctetBuffer private_data = {};
  std::uint8_t responder_resources = 16;  // IRD: Reads and atomics of the peer that may be outstanding here
  std::uint8_t initiator_depth = 16;      // ORD: our own
};

struct CmEvent {
  CmEventType type = CmEventType::established;
  int status = 0;
  // Of connect_request, connect_response, rejected and established, as the device has reported it: of a request, what
  // the peer offers, seen from here.
  OctetBuffer private_data = {};
  std::uint8_t responder_resources = 0;
  std::uint8_t initiator_depth = 0;
};

struct QpInfo {
  QpState state = QpState::reset;
  std::uint32_t responder_resources = 0;  // max_dest_rd_atomic: IRD in force
  std::uint32_t initiator_depth = 0;      // max_rd_atomic: ORD in force
};

// What the device can do: a case that needs what is not there is skipped with this reason.
struct DeviceInfo {
  std::string name;  // "siw0"
  bool iwarp = true;
  bool send_with_inv = true;              // IBV_DEVICE_MEM_MGT_EXTENSIONS, or known to work
  bool write_with_imm = false;            // RFC 7306's immediate data, where it is iWARP
  bool atomics = false;                   // RFC 7306
  std::uint8_t max_qp_rd_atom = 16;       // greatest IRD
  std::uint8_t max_qp_init_rd_atom = 16;  // greatest ORD
};

// ------------------------------------------------------------------------------------------------------------ consumer

class Consumer {
 public:
  template <class Result>
  using Outcome = tl::expected<Result, VerbsError>;
  // Of what waits: an error where the device or the way to it has failed, never where nothing has come.
  template <class Result>
  using Awaited = tl::expected<std::optional<Result>, TransportError>;

  virtual ~Consumer() = default;

  virtual const DeviceInfo& device() const = 0;
  virtual Instant now() const = 0;

  // --- connection. A responder's queue pair is there from connect_request on, which cm_event() gives; an initiator's
  // from the beginning.
  // Of an initiator: the connection is asked for; `established` or something else follows.
  virtual Outcome<void> connect(const ConnParam& param) = 0;
  // Of a responder, once connect_request has been given.
  virtual Outcome<void> accept(const ConnParam& param) = 0;
  virtual Outcome<void> reject(Octets private_data) = 0;
  virtual Outcome<void> disconnect() = 0;
  virtual Awaited<CmEvent> cm_event(Instant deadline) = 0;

  // --- memory, from the beginning
  // Memory to register, zeros at first; it stays until the consumer goes. Aligned as a page where the device's is.
  virtual Outcome<std::span<Octet>> allocate(std::size_t octets) = 0;
  // `memory` is of allocate(), whole or in part, or the caller's, who keeps it until it is deregistered. It may be
  // registered several times.
  virtual Outcome<Region> reg_mr(std::span<Octet> memory, const Access& access) = 0;
  virtual Outcome<void> dereg_mr(const Region& region) = 0;

  // --- work
  virtual Outcome<void> post_recv(const RecvWr& wr) = 0;
  virtual Outcome<void> post_send(const SendWr& wr) = 0;

  // --- what is reported
  // The next completion of this queue, in the order in which the device gave them.
  virtual Awaited<Wc> poll_cq(Cq cq, Instant deadline) = 0;
  // The next completion event of this queue is wanted; cq_event() says whether one has come since.
  virtual Outcome<void> req_notify_cq(Cq cq, bool solicited_only) = 0;
  virtual tl::expected<bool, TransportError> cq_event(Cq cq, Instant deadline) = 0;
  virtual Awaited<AsyncEvent> async_event(Instant deadline) = 0;

  // --- queue pair
  virtual Outcome<QpInfo> query_qp() = 0;
  virtual Outcome<void> modify_qp_to_err() = 0;
};

extern const OfferKind<Consumer> kConsumer;     // at the IUT's end
extern const OfferKind<Consumer> kFarConsumer;  // at our end, where nobody speaks the wire

// nullptr where there is none. Goes with the transport.
inline Consumer* consumer_of(const Transport& transport) {
  return transport.offers().find(kConsumer);
}
inline Consumer* far_consumer_of(const Transport& transport) {
  return transport.offers().find(kFarConsumer);
}

}  // namespace wirelaw::verbs
