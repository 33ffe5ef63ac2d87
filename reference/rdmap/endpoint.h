// SPDX-License-Identifier: Apache-2.0
// One end of an RDMAP stream over DDP over MPA over an octet stream, in either role (RFC 5040, 5041, 5044, 6581, 7306).
// It does no I/O and reads no clock:
//
//   the transport   connected(), receive(), peer_ended(), advance() go in; next_octets(), ending(), deadline() come out
//   the upper layer registers buffers, posts work, and fetches events
//
// Octets are framed when the transport fetches them, and not before: whoever fetches slowly makes the endpoint wait,
// and a message of any size needs no memory of its own. Nothing that a peer sends makes it hold more than the receives
// that were posted, the reads that the limits allow, and one FPDU.
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <tl/expected.hpp>

#include "reference/endpoint.h"
#include "reference/mpa/deframer.h"
#include "reference/mpa/framer.h"
#include "reference/rdmap/buffers.h"
#include "reference/rdmap/deviations.h"
#include "reference/rdmap/events.h"
#include "reference/rdmap/inbound_reads.h"
#include "reference/rdmap/options.h"
#include "reference/rdmap/segment_faults.h"
#include "reference/rdmap/segmenter.h"
#include "reference/rdmap/startup.h"
#include "reference/rdmap/untagged_queue.h"
#include "reference/rdmap/work_queue.h"

namespace wirelaw::rdmap {

enum class SendForm : std::uint8_t { plain, invalidate, solicited, solicited_invalidate };

enum class Phase : std::uint8_t {
  idle,       // not connected
  starting,   // start frames are under way
  requested,  // a responder has a valid request, which the upper layer has to answer
  operating,  // Full Operation
  exited,     // rejected: MPA is over, the transport is the upper layer's
  closed,
};

class Endpoint {
 public:
  // `buffers` outlives the endpoint, which removes its own from it in the end.
  Endpoint(Role role, const Options& options, Buffers& buffers, const Deviations& deviations = {});
  ~Endpoint();
  Endpoint(const Endpoint&) = delete;
  Endpoint& operator=(const Endpoint&) = delete;

  // --- the transport
  // There is a stream, and nothing has been sent on it for MPA yet. An initiator sends its request with this private
  // data: at most 512 octets, or 508 with enhanced set-up; more is cut.
  void connected(Instant now, Octets private_data = {});
  void receive(Octets octets, Instant now);
  // How the peer has ended its direction, after all that receive() was given.
  void peer_ended(Ending ending, Instant now);
  void advance(Instant now);
  std::optional<Instant> deadline() const;
  // The next octets to send take the place of what `out` held; false, and `out` is empty, where there is nothing now.
  bool next_octets(OctetBuffer& out);
  // How our direction ends, once next_octets() has nothing more to give. It can still become a reset.
  Ending ending() const { return ending_; }

  // --- start-up: a responder answers a ConnectionRequest
  tl::expected<void, PostError> accept(Octets private_data = {});
  // The transport stays open (RFC 5044, 7.1.2); close() ends it.
  tl::expected<void, PostError> reject(Octets private_data = {});
  // What the upper layers have agreed on by themselves, in their private data: reads that may be outstanding. For
  // start-ups that settle nothing (unenhanced, or 0x3fff).
  void set_depths(const Depths& depths) { startup_.set_depths(depths); }

  // The reads that this end wants outstanding at most, instead of Options' (before connected(), or before accept()).
  void limit_depths(const Depths& limits) { startup_.limit_depths(limits); }

  // --- buffers of this stream
  tl::expected<Stag, RegisterError> register_buffer(std::span<Octet> memory, std::uint64_t base, Access access) {
    return buffers_.add(stream_, memory, base, access);
  }
  // A read of the peer that is under way fails by these, and the stream with it.
  bool invalidate(Stag stag) { return buffers_.invalidate(stag); }
  bool deregister(Stag stag) { return buffers_.remove(stag); }
  StreamId stream() const { return stream_; }

  // --- work, from Established on; receives at any time. Octets that are given as a view stay until Completed.
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
  // No more work is taken; what was posted is finished, the requests of the peer are answered, and the direction ends.
  // Where nothing moves for Options::teardown_timeout before that, the stream is terminated.
  void close();
  // Ends the stream with a Terminate that names no message (RFC 5040, 7.1, case 1).
  void terminate(const ErrorCode& error = error::kLocalCatastrophic);

  bool next_event(Event& out);

  // --- looks
  Phase phase() const { return phase_; }
  const Agreement& agreement() const { return startup_.agreement(); }  // of use from Established on
  std::size_t mulpdu() const { return mulpdu_; }
  std::size_t work_left() const { return work_.size(); }          // not completed
  std::size_t receives_left() const { return receives_.size(); }  // posted, not consumed
  std::size_t memory() const;                                     // octets held of what the peer has sent

 private:
  struct Receive {
    ReceiveId id;
    std::size_t capacity;
  };
  // A segment that has come, as its FPDU holds it.
  struct Incoming {
    ddp::Header header;
    Control control;
    Octets payload;
    Octets ulpdu;
  };
  struct Handler;

  bool deviates(Deviation deviation) const { return deviations_.has(deviation); }

  // life (endpoint.cc)
  void begin_operation();
  void abort_start(std::string text);
  void fail(const ErrorCode& error, const Offender* offender, std::string text);
  void stop();  // nothing more is taken or sent: whatever was under way is over
  void settle();
  void end(Ending ending);
  void report_completions();
  bool awaits_answer_from_peer() const;
  tl::expected<WorkId, PostError> post(Work&& work);
  tl::expected<WorkId, PostError> post_send(Work&& work, SendForm form, Stag invalidate);

  // what comes (endpoint_receive.cc)
  Octets take_start(Octets octets);
  void take_fpdus(Octets octets);
  void take_fpdu(const mpa::Fpdu& fpdu);
  void take_segment(Incoming& segment);
  bool admit(Incoming& segment, std::optional<std::size_t> capacity);
  std::optional<Octets> assemble(const Incoming& segment);
  // True: the stream has failed by this. False: a deviation makes the endpoint go on.
  bool fails(const ErrorCode& error, Deviation tolerance, const Incoming& segment, std::string text);

  // each message (endpoint_messages.cc)
  void on_write(Incoming& segment);
  void on_read_response(Incoming& segment);
  void on_send(Incoming& segment);
  void on_read_request(Incoming& segment);
  void on_terminate(Incoming& segment);
  void on_atomic_response(Incoming& segment);
  void answer_later(Incoming& segment, Octets message);
  bool check_source(InboundRead& read, Stag stag, std::uint64_t to, std::uint64_t size, Use use);
  void deliver(const Incoming& segment, OctetBuffer&& message);
  void place(Octets payload, std::span<Octet> memory);
  void place_after_error(Octets octets);  // a deviation
  Buffers::Range look(Stag stag, std::uint64_t to, std::uint64_t size, Use use) const;

  // what goes (endpoint_send.cc)
  bool produce(OctetBuffer& out);
  bool begin_message();
  bool begin_work(Work& work);
  bool begin_response();
  void finish_message(OctetBuffer& out);
  bool read_source(std::uint32_t octets, Octets& payload);
  void send_terminate(OctetBuffer& out);
  void send_segment(const Segmenter::Piece& piece, Opcode opcode, Octets payload, OctetBuffer& out);
  void frame(ddp::Header header, Octets payload, OctetBuffer& out);
  ddp::Header header_of(Opcode opcode, BufferAt at = {});
  std::uint32_t take_msn(std::uint32_t queue);
  OctetBuffer stray_fpdu() const;  // of deviations: a Send outside the order of things

  Role role_;
  Options options_;
  Deviations deviations_;
  Buffers& buffers_;
  StreamId stream_;
  Startup startup_;

  Phase phase_ = Phase::idle;
  Instant now_{};
  std::optional<Instant> due_;  // of the start-up, or of the teardown
  bool failed_ = false;         // the stream is erroneous: at most a Terminate goes out
  bool closing_ = false;        // the upper layer wants the end
  bool progress_ = false;       // octets have come or gone since the deadline was set
  bool dead_ = false;           // of deviations: does nothing any more
  Ending ending_ = Ending::none;
  Ending peer_ending_ = Ending::none;
  std::deque<Event> events_;

  // what goes
  OctetBuffer start_output_;  // start frames
  std::optional<mpa::Framer> framer_;
  mpa::FramingFaults framing_faults_;
  std::size_t mulpdu_ = 0;
  bool may_send_ = false;  // a responder waits for a valid FPDU (RFC 5044, 7.1.2, rule 4)
  std::array<std::uint32_t, 4> next_msn_;
  WorkQueue work_;
  InboundReads inbound_;
  enum class Sending : std::uint8_t { nothing, work, response } sending_ = Sending::nothing;
  bool response_was_last_ = false;  // messages of both kinds take turns
  Segmenter segmenter_;             // of the message that is being sent
  Opcode opcode_ = Opcode::send;
  std::uint32_t segment_index_ = 0;
  Octets payload_;                        // of work
  OctetBuffer scratch_;                   // where the payload is a header of RDMAP
  OctetBuffer head_;                      // a DDP header
  OctetBuffer zeros_;                     // of deviations
  std::optional<OctetBuffer> terminate_;  // that is to be sent
  bool terminate_sent_ = false;
  bool held_ = false;  // of deviations: a segment that waits for the next message
  ddp::Header held_header_;
  OctetBuffer held_payload_;

  // what comes
  std::optional<mpa::Deframer> deframer_;
  OctetBuffer early_;  // of deviations: octets behind a request
  bool first_segment_ = true;
  bool tagged_open_ = false;  // the last segment of a tagged message is still to come
  std::array<UntaggedQueue, 4> queues_;
  std::array<OctetBuffer, 4> assembly_;  // of messages in several segments, by queue
  Opcode send_opcode_ = Opcode::send;    // of the first segment on queue 0
  std::deque<Receive> receives_;
  ReceiveId next_receive_ = 1;
  std::deque<std::pair<std::span<Octet>, OctetBuffer>> delayed_;  // of deviations: writes that are not yet placed
};

}  // namespace wirelaw::rdmap
