// SPDX-License-Identifier: Apache-2.0
// One end of an RDMAP stream over DDP over MPA over an octet stream, in either role (RFC 5040, 5041, 5044, 6581, 7306).
// It does no I/O and reads no clock:
//
//   the transport     calls connected(), receive(), peer_ended() and advance(); it uses next_octets(), ending() and
//                     deadline()
//   the upper layer   registers buffers, posts work, and fetches events
//
// Octets are framed when the transport fetches them, and not before: a transport that fetches slowly makes the endpoint
// wait, and a message of any size needs no extra memory. The memory for data from the peer is limited to the posted
// receives, the reads that the limits allow, and one FPDU.
//
// The steps that reference/rdmap/faults/ overrides are virtual; make_endpoint() chooses.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <tl/expected.hpp>
#include <vector>

#include "reference/endpoint.h"
#include "reference/mpa/deframer.h"
#include "reference/mpa/framer.h"
#include "reference/rdmap/buffers.h"
#include "reference/rdmap/checks.h"
#include "reference/rdmap/events.h"
#include "reference/rdmap/inbound_reads.h"
#include "reference/rdmap/options.h"
#include "reference/rdmap/segmenter.h"
#include "reference/rdmap/startup.h"
#include "reference/rdmap/untagged_queue.h"
#include "reference/rdmap/work_queue.h"

namespace wirelaw::rdmap {

enum class SendForm : std::uint8_t { plain, invalidate, solicited, solicited_invalidate };

enum class Phase : std::uint8_t {
  idle,       // not connected
  starting,   // start frames are being exchanged
  requested,  // a responder has a valid request, which the upper layer has to answer
  operating,  // Full Operation
  exited,     // rejected: MPA has ended, the upper layer owns the transport
  closed,
};

// MPA's settings on a stream, as negotiated by the start frames (RFC 5044, 7.1.1).
struct Framing {
  bool send_markers = false;
  bool send_crc = true;
  bool expect_markers = false;
  bool check_crc = true;
};

class Endpoint {
 public:
  // `buffers` outlives the endpoint, whose destructor removes its own buffers from it.
  Endpoint(Role role, const Options& options, Buffers& buffers);
  virtual ~Endpoint();
  Endpoint(const Endpoint&) = delete;
  Endpoint& operator=(const Endpoint&) = delete;

  // --- the transport
  // The stream is open, and MPA has not sent anything on it yet. An initiator sends its request with this private data:
  // at most 512 octets, or 508 with enhanced setup; the rest is dropped.
  void connected(Instant now, Octets private_data = {});
  virtual void receive(Octets octets, Instant now);
  // The peer has ended its direction in this way. Call it after the last receive().
  virtual void peer_ended(Ending ending, Instant now);
  virtual void advance(Instant now);
  virtual std::optional<Instant> deadline() const;
  // Replaces `out` with the next octets to send. If there are none now, returns false and clears `out`.
  virtual bool next_octets(OctetBuffer& out);
  // The end of our direction, once next_octets() has returned its last octets. It can still become a reset.
  Ending ending() const { return ending_; }

  // --- start-up: a responder answers a ConnectionRequest
  tl::expected<void, PostError> accept(Octets private_data = {});
  // The transport stays open (RFC 5044, 7.1.2); close() ends it.
  tl::expected<void, PostError> reject(Octets private_data = {});
  // Sets the number of outstanding reads that the upper layers have agreed on in their private data. Used if the
  // start-up negotiates none (unenhanced, or 0x3fff).
  void set_depths(const Depths& depths) { startup_->set_depths(depths); }

  // Sets the maximum number of outstanding reads for this end, instead of Options'. Call it before connected() or
  // accept().
  void limit_depths(const Depths& limits) { startup_->limit_depths(limits); }

  // --- buffers of this stream
  tl::expected<Stag, RegisterError> register_buffer(std::span<Octet> memory, std::uint64_t base, Access access) {
    return buffers_.add(stream_, memory, base, access);
  }
  // Registers a buffer for the peer, and returns its place: at `base`, unless there is a device, which chooses. The
  // peer can access it until deregister() or withdraw_all().
  tl::expected<BufferAt, RegisterError> lend(std::span<Octet> memory, std::uint64_t base, Access access);
  // Sets the device that carries the stream. Call it before lend(). The device must outlive the endpoint.
  void lend_by(MemoryDevice& device) { device_ = &device; }
  // Call it if the lent memory is freed before the endpoint.
  void withdraw_all();
  // These make a read of the peer fail that is in progress, and with it the stream.
  bool invalidate(Stag stag) { return buffers_.invalidate(stag); }
  bool deregister(Stag stag);
  StreamId stream() const { return stream_; }

  // --- work: after Established; receives at any time. Octets that are passed as a view must live until Completed.
  tl::expected<ReceiveId, PostError> post_receive(std::size_t capacity);
  tl::expected<WorkId, PostError> post_send(Octets data, SendForm form = SendForm::plain, Stag invalidate = 0);
  tl::expected<WorkId, PostError> post_send(OctetBuffer&& data, SendForm form = SendForm::plain, Stag invalidate = 0);
  tl::expected<WorkId, PostError> post_write(Octets data, BufferAt remote);
  tl::expected<WorkId, PostError> post_write(OctetBuffer&& data, BufferAt remote);
  tl::expected<WorkId, PostError> post_read(BufferAt local, BufferAt remote, std::uint32_t size);
  // RFC 7306.
  tl::expected<WorkId, PostError> post_fetch_add(BufferAt remote, std::uint64_t add, std::uint64_t mask = 0);
  tl::expected<WorkId, PostError> post_compare_swap(BufferAt remote, std::uint64_t swap, std::uint64_t swap_mask,
                                                    std::uint64_t compare, std::uint64_t compare_mask);
  tl::expected<WorkId, PostError> post_immediate(std::uint64_t value, bool solicited = false);

  // --- teardown
  // Accepts no more work, finishes what was posted, answers the requests of the peer, and ends our direction. If there
  // is no progress for Options::teardown_timeout before that, the stream is terminated.
  virtual void close();
  // Ends the stream with a Terminate that names no message (RFC 5040, 7.1, case 1).
  void terminate() { terminate(error::kLocalCatastrophic); }
  virtual void terminate(const ErrorCode& error);

  bool next_event(Event& out);

  // --- state
  Phase phase() const { return phase_; }
  const Agreement& agreement() const { return startup_->agreement(); }  // valid from Established on
  std::size_t mulpdu() const { return mulpdu_; }
  std::size_t work_left() const { return work_.size(); }          // count of operations that are not complete
  std::size_t receives_left() const { return receives_.size(); }  // count of receives that are posted and not consumed
  std::size_t memory() const;                                     // octets held for data from the peer

 protected:
  struct Receive {
    ReceiveId id;
    std::size_t capacity;
  };
  // A received segment; refers to its FPDU.
  struct Incoming {
    ddp::Header header;
    Control control;
    Octets payload;
    Octets ulpdu;
  };
  enum class Sending : std::uint8_t { nothing, work, response };

  Endpoint(Role role, const Options& options, Buffers& buffers, std::unique_ptr<Startup> startup);

  // --- steps of the start-up (endpoint.cc; RFC 5044, 7.1; RFC 6581, 9)
  // The stream is open: an initiator sends its request, a responder waits for it.
  virtual void open(Octets private_data);
  // Limits the wait for the peer's next frame, or its first FPDU.
  virtual void limit_startup();
  // Sends a responder's reply, which begins Full Operation; or the reply with R set, which ends MPA.
  virtual void grant(Octets private_data);
  virtual void refuse_connection(Octets private_data);
  virtual void leave_mpa();
  // Handles octets between the request and our reply.
  virtual void take_early(Octets octets);
  virtual void begin_operation();
  virtual Framing framing() const;
  // Returns the message that an initiator must send after the reply (RFC 6581, 9.2).
  virtual std::optional<Work> ready_to_receive() const;
  virtual void abort_start(std::string text);

  // --- steps of the end (endpoint.cc; RFC 5040, 6.2 and 7.1)
  // Handles a violation: the stream fails with its error. If it returns true, the rest of the input is ignored.
  virtual bool refuse(const Violation& violation, const Offender* offender);
  // Fails the stream: sends a Terminate if that is allowed, then ends our direction.
  virtual void fail(const ErrorCode& error, const Offender* offender, std::string text);
  virtual bool may_terminate() const;
  virtual OctetBuffer terminate_message(const ErrorCode& error, const Offender* offender) const;
  // Stops receiving and sending, and abandons everything in progress.
  virtual void stop();
  // Returns true if everything that was posted, or requested by the peer, is finished.
  virtual bool drained() const;
  // Ends our direction if everything is finished, and the stream if the peer's direction has ended, too.
  virtual void settle();
  virtual void end();

  // --- steps of receiving: octets and segments (endpoint_receive.cc; RFC 5044, 8; RFC 5041, 7.1; RFC 5040, 7.2)
  virtual void take_fpdu(const mpa::Fpdu& fpdu);
  virtual void take_ulpdu(const mpa::Fpdu& fpdu);
  virtual void take_segment(Incoming& segment);
  virtual bool understands_extensions() const;  // RFC 7306
  // Passes a segment with correct fields to its message.
  virtual void take_message(const OpcodeRow& row, Incoming& segment);
  // Checks that an untagged segment is the next one of its queue, and fits the buffer, if any.
  virtual bool admit(Incoming& segment, std::optional<std::size_t> capacity);

  // --- steps of receiving: messages (endpoint_messages.cc; RFC 5040, 5; RFC 7306, 5 and 6)
  virtual Buffers::Range look(Stag stag, std::uint64_t to, std::uint64_t size, Use use) const;
  virtual void on_write(Incoming& segment);
  virtual void place_write(Octets payload, std::span<Octet> memory);
  virtual void on_read_response(Incoming& segment);
  // Returns true if an empty Send belongs to the provider, and consumes no receive (RFC 6581, 9.2).
  virtual bool is_ready_to_receive(const Incoming& segment) const;
  virtual std::optional<std::size_t> receive_capacity() const;  // capacity of the next receive
  virtual bool invalidate_for_peer(Stag stag);
  virtual void complete_receive(Received&& received);
  // The maximum number of outstanding requests of the peer; then the checks of their buffers.
  virtual std::size_t ird() const;
  virtual bool check_source(InboundRead& read, Stag stag, std::uint64_t to, std::uint64_t size, Use use);
  virtual void on_atomic_request(const Incoming& segment, Octets message);
  virtual void on_atomic_response(Incoming& segment);
  virtual void answer_later(InboundRead&& read);
  virtual std::optional<std::size_t> atomic_response_capacity() const;
  // Handles a Terminate from the peer.
  virtual void obey(const Incoming& segment, RemoteTerminate&& terminate);

  // --- steps of sending (endpoint_send.cc; RFC 5040, 5.5; RFC 5041, 5.2 and 5.3)
  virtual tl::expected<WorkId, PostError> post(Work&& work);
  // Produces one more FPDU, or does a step towards it. Returns false if there is nothing to send now.
  virtual bool produce(OctetBuffer& out);
  // The maximum number of our outstanding requests.
  virtual std::size_t ord() const;
  virtual bool begin_work(Work& work);
  virtual Octets payload_of(Work& work);
  virtual bool begin_response();
  virtual void begin_read_response(BufferAt sink, std::uint32_t size);
  virtual void begin_atomic_response(const AtomicResponse& response);
  // Performs an atomic operation on its buffer and returns the old value. Returns nothing if the buffer is gone; then
  // the stream fails.
  virtual std::optional<std::uint64_t> perform(const InboundRead& read);
  // Returns the next octets of a buffer that the peer reads; false if it is gone, and the stream fails.
  virtual bool read_source(std::uint32_t octets, Octets& payload);
  virtual void finish_message(OctetBuffer& out);
  virtual std::uint32_t take_msn(std::uint32_t queue);
  virtual void send_segment(const Segmenter::Piece& piece, Opcode opcode, Octets payload, OctetBuffer& out);
  virtual void send_fpdu(std::span<const Octets> ulpdu, OctetBuffer& out);
  virtual void send_terminate(OctetBuffer& out);

  // --- helpers of the steps
  void place(Octets payload, std::span<Octet> memory);
  bool refuse_segment(const Violation& violation, const Incoming& segment);
  ddp::Header header_of(Opcode opcode, BufferAt at = {});
  void frame(const ddp::Header& header, Octets payload, OctetBuffer& out);

  Role role_;
  Options options_;
  Buffers& buffers_;
  StreamId stream_;
  MemoryDevice* device_ = nullptr;
  std::vector<Stag> exposed_;  // registered with the device
  std::unique_ptr<Startup> startup_;

  Phase phase_ = Phase::idle;
  Instant now_{};
  std::optional<Instant> due_;  // deadline for the start-up, or for the teardown
  bool failed_ = false;         // the stream is erroneous: at most a Terminate goes out
  bool closing_ = false;        // the upper layer has called close()
  bool progress_ = false;       // octets have been received or sent since the deadline was set
  Ending ending_ = Ending::none;
  Ending peer_ending_ = Ending::none;
  std::deque<Event> events_;

  // sending
  OctetBuffer start_output_;  // start frames
  Framing framing_;
  std::optional<mpa::Framer> framer_;
  std::size_t mulpdu_ = 0;
  bool may_send_ = false;  // a responder waits for a valid FPDU (RFC 5044, 7.1.2, rule 4)
  std::array<std::uint32_t, 4> next_msn_;
  WorkQueue work_;
  InboundReads inbound_;
  Sending sending_ = Sending::nothing;
  bool response_was_last_ = false;  // messages of both kinds take turns
  Segmenter segmenter_;             // segments the current message
  Opcode opcode_ = Opcode::send;
  Octets payload_;                        // the current work's payload
  OctetBuffer scratch_;                   // used if the payload is an RDMAP header
  OctetBuffer head_;                      // a DDP header
  std::optional<OctetBuffer> terminate_;  // to be sent

  // receiving
  std::optional<mpa::Deframer> deframer_;
  bool first_segment_ = true;
  bool tagged_open_ = false;  // the last segment of a tagged message is missing
  std::array<UntaggedQueue, 4> queues_;
  std::array<OctetBuffer, 4> assembly_;  // messages in several segments, by queue
  Opcode send_opcode_ = Opcode::send;    // opcode of the first segment on queue 0
  std::deque<Receive> receives_;

 private:
  struct Handler;

  // endpoint.cc
  void report_completions();
  bool awaits_answer_from_peer() const;
  tl::expected<WorkId, PostError> post_send(Work&& work, SendForm form, Stag invalidate);
  // endpoint_receive.cc
  Octets take_start(Octets octets);
  void take_fpdus(Octets octets);
  std::optional<Octets> assemble(const Incoming& segment);
  // endpoint_messages.cc
  void on_send(Incoming& segment);
  void deliver(const Incoming& segment, OctetBuffer&& message);
  void on_request(Incoming& segment);
  void on_read_request(const Incoming& segment, Octets message);
  void on_terminate(Incoming& segment);
  // endpoint_send.cc
  bool begin_message();

  ReceiveId next_receive_ = 1;
};

}  // namespace wirelaw::rdmap
