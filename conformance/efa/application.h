// SPDX-License-Identifier: Apache-2.0
// The application above an EFA endpoint under test, as a case sees and drives it: one reliable-datagram endpoint of
// libfabric with its completion queue, its address vector and its memory, in libfabric's words and with its values, but
// without it. A case that has one judges
//
//   stimulus on the wire, or by RDMA, judgement at the application   or   a call of the application, judgement on the
//   wire
//
// Calls go to the peer at the other end of this very conversation, unless they name another. Buffers belong to the
// application; a case looks into them by the context of their call.
//
// Errors are values. A call that waits does so until `deadline`, by the clock of the transport, and then returns empty.
// Completions stay in the queue until they are read. The application drives progress throughout.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "conformance/offers.h"
#include "reference/efa/atomic.h"
#include "reference/efa/raw_address.h"
#include "reference/endpoint.h"
#include "reference/octets/octets.h"

namespace wirelaw::fabric {

// ------------------------------------------------------------------------------------------------- libfabric's values

namespace cq {  // flags of completions
inline constexpr std::uint64_t kMsg = 1u << 1;
inline constexpr std::uint64_t kRma = 1u << 2;
inline constexpr std::uint64_t kTagged = 1u << 3;
inline constexpr std::uint64_t kAtomic = 1u << 4;
inline constexpr std::uint64_t kRead = 1u << 8;
inline constexpr std::uint64_t kWrite = 1u << 9;
inline constexpr std::uint64_t kRecv = 1u << 10;
inline constexpr std::uint64_t kSend = 1u << 11;
inline constexpr std::uint64_t kRemoteWrite = 1u << 13;
inline constexpr std::uint64_t kRemoteCqData = 1u << 17;
}  // namespace cq

using Context = std::uint64_t;  // op_context: number that the caller assigns to the call
using Address = std::uint64_t;  // fi_addr_t: index into the address vector

// ---------------------------------------------------------------------------------------------------------- the calls

struct Receive {  // fi_recv, fi_trecv
  Context context = 0;
  std::size_t octets = 0;                 // size of the buffer, which is initially zero-filled
  std::optional<std::uint64_t> tag = {};  // set for fi_trecv, which accepts only this tag
};

struct Send {  // fi_send, fi_senddata, fi_tsend, fi_tsenddata
  Context context = 0;
  OctetBuffer data = {};
  std::optional<std::uint64_t> tag = {};
  std::optional<std::uint64_t> cq_data = {};
  bool delivery_complete = false;  // FI_DELIVERY_COMPLETE
  std::optional<Address> to = {};  // the peer of the conversation
};

struct Write {  // fi_write, fi_writedata
  Context context = 0;
  OctetBuffer data = {};
  efa::RmaIov to = {};
  std::optional<std::uint64_t> cq_data = {};
  bool delivery_complete = false;
};

struct Read {  // fi_read
  Context context = 0;
  efa::RmaIov from = {};
};

struct Atomic {  // fi_atomic, fi_fetch_atomic, fi_compare_atomic of FI_UINT64
  Context context = 0;
  efa::AtomicCall call = efa::AtomicCall::fetch;
  efa::AtomicOp op = efa::AtomicOp::sum;
  std::uint64_t operand = 0;
  std::uint64_t compare = 0;
  efa::RmaIov on = {};
};

// The reason why a call failed: its return value in words, with the name of the error.
struct CallError {
  std::string message;
};

struct Completion {                     // fi_cq_tagged_entry, fi_cq_err_entry
  std::optional<Context> context = {};  // the call that has completed; none if no call asked for it
  std::uint64_t flags = 0;
  std::uint64_t len = 0;                      // octets received, or written by the peer
  std::optional<std::uint64_t> cq_data = {};  // set if the flags contain kRemoteCqData
  std::optional<std::uint64_t> tag = {};      // set for a receive if the flags contain kTagged
  std::optional<Address> source = {};         // sender of a received message; none for FI_ADDR_NOTAVAIL
  std::string error = {};                     // "FI_ETRUNC"; empty: success

  bool ok() const { return error.empty(); }
  bool has(std::uint64_t wanted) const { return (flags & wanted) == wanted; }
};
std::string to_text(const Completion& completion);  // "context 3, FI_RECV | FI_MSG, 64 octets"

// ---------------------------------------------------------------------------------------------------------- the device

// The facilities of the device that its application reports. A case that needs one that is missing is skipped.
struct Abilities {
  std::string name;               // "libfabric 1.17, efa"
  std::size_t mtu = 0;            // octets of the largest packet that its device takes
  bool delivery_complete = true;  // supported for sends and writes
  bool atomics = true;
  bool names_others = true;  // name_of_another()
  // The kinds of trouble that trouble() can cause.
  bool fills_queue = false;
  bool fails_registrations = false;
  bool loses_peer = false;
};

// The operations that the device refuses from now on.
struct Trouble {
  std::optional<std::size_t> packets = {};  // accepts this many more, then its queue is full; empty: no limit
  bool registers = true;                    // registers memory for RDMA
  bool reaches = true;  // reaches the peer; if false, a packet to it is not sent and is reported as failed
};

// --------------------------------------------------------------------------------------------------------- application

class Application {
 public:
  template <class Result>
  using Outcome = tl::expected<Result, CallError>;
  // Result of a wait: empty if nothing came; an error only if the connection to the application failed.
  template <class Result>
  using Awaited = tl::expected<std::optional<Result>, TransportError>;

  virtual ~Application() = default;

  // Must be called first: from now on calls go to the peer with this address, and the previous application above the
  // endpoint is gone. Returns nullptr if no application takes calls.
  virtual const Abilities* begin(const efa::RawAddress& far) = 0;
  virtual Instant now() const = 0;

  // --- the endpoint
  virtual Outcome<efa::RawAddress> name() = 0;             // fi_getname
  virtual Outcome<efa::RawAddress> name_of_another() = 0;  // name of a second endpoint, which is opened and closed
  // Closes the endpoint. Returns an error if that fails or is not done by `deadline`.
  virtual Outcome<void> close(Instant deadline) = 0;
  virtual Outcome<void> trouble(const Trouble& trouble) = 0;

  // --- memory that peers may read and write (FI_MR_VIRT_ADDR | FI_MR_PROV_KEY)
  virtual Outcome<efa::RmaIov> register_memory(Octets initial) = 0;
  virtual Outcome<void> withdraw(std::uint64_t key) = 0;
  virtual Outcome<OctetBuffer> memory(std::uint64_t key) = 0;  // current content

  // --- work
  virtual Outcome<void> post(const Receive& call) = 0;
  virtual Outcome<void> post(const Send& call) = 0;
  virtual Outcome<void> post(const Write& call) = 0;
  virtual Outcome<void> post(const Read& call) = 0;
  virtual Outcome<void> post(const Atomic& call) = 0;
  // A copy of the current content of the buffer of a receive, a read or a fetching atomic.
  virtual Outcome<OctetBuffer> buffer(Context context) = 0;

  // --- what is reported, in its order
  virtual Awaited<Completion> completion(Instant deadline) = 0;
};

extern const OfferKind<Application> kApplication;

// Returns nullptr if the application cannot be reached. Valid as long as the transport.
inline Application* application_of(const Transport& transport) {
  return transport.offers().find(kApplication);
}

}  // namespace wirelaw::fabric
