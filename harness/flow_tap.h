// SPDX-License-Identifier: Apache-2.0
// A conversation that is observed: everything goes to the protocol's observer, which judges the IUT's side, and to the
// recording. The same observer judges a live run and a capture.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "conformance/judge.h"
#include "conformance/protocol.h"
#include "harness/environment.h"
#include "harness/flow/judged_flow.h"
#include "harness/recording.h"

namespace wirelaw {

class WireCapture;

// Evidence, from the IUT's messages so far, that the peer speaks the protocol.
struct Speech {
  bool spoken = false;    // it sent a message of the protocol that is not a copy of one it was sent
  bool mirrored = false;  // it returned what it was sent, octet for octet
};

// State that the taps of a run share.
struct TapContext {
  const Protocol& protocol;
  Judge& judge;
  Recording* recording = nullptr;
  Framing framing;
  std::int64_t epoch_ns = 0;  // Message::time_ns at Instant{0}
  std::uint64_t flows = 0;    // number of flows so far, which numbers them
  // The same for streams. Each case numbers its streams from a fixed number, so that a recording has the same headers
  // whichever process has run the case.
  std::uint64_t streams = 0;
  ObserverLimits limits;
  WireCapture* capture = nullptr;  // captures the run's connections, if there is one
  Speech speech = {};
  // The associations of the case; nullptr: open requests of one conversation continue in the next.
  Associations* associations = nullptr;
};

class FlowTap {
 public:
  virtual ~FlowTap() = default;

  virtual tl::expected<void, TransportError> send(Octets octets) = 0;
  virtual tl::expected<std::optional<OctetBuffer>, TransportError> receive(Instant deadline) = 0;
  virtual void end(Ending) {}
  virtual Ending ending() { return Ending::none; }
  Instant now() const { return conversation_->now(); }
  bool is_stream() const { return framing_.is_stream; }
  // The addresses of both ends, once they are known and are addresses.
  std::optional<Ends> ends() const;
  // Returns how the IUT ended its direction, even if the case has not read the end.
  Ending iut_ended() const { return conversation_->ending(); }
  // Notes a call at the consumer or the application, as text, for the tail and for a comment in the recording.
  void note_call(std::string_view who, const std::string& what);

  // Reads what has arrived and was not read, and lets the observer judge the flow's end.
  virtual void finish() = 0;
  // The case has released the conversation. Nothing reads it any more, so the arrival time of later octets would be
  // unknown.
  virtual void let_go() {}

  // Points the judge's next finding at the IUT and this flow: at its last message or, if `silence`, at the missing
  // answer to the last message that it was sent.
  void point_judge_at_last(bool silence);

  // True if there was anything to judge.
  virtual bool any() const = 0;
  virtual FlowResult result() const = 0;
  virtual std::uint64_t messages() const = 0;
  // Number of messages. For a stream, at least one if the IUT has sent anything at all, even only its end.
  virtual std::uint64_t from_iut() const = 0;
  // The reason why part of this conversation was not judged, although the case could see it. Empty if all was judged.
  virtual std::string unjudged() const { return {}; }
  // The last messages, one per line.
  std::string tail() const;

 protected:
  FlowTap(std::unique_ptr<Conversation> conversation, TapContext& context)
      : FlowTap(std::move(conversation), context, context.framing) {}
  FlowTap(std::unique_ptr<Conversation> conversation, TapContext& context, const Framing& framing);

  std::uint64_t calls_ = 0;  // number of note_call() calls
  // Takes what has arrived other than over the conversation.
  virtual void look() {}

  bool is_from_iut(Side side) const { return (side == Side::a) == iut_is_a_; }
  Side side_of(bool from_iut) const { return from_iut == iut_is_a_ ? Side::a : Side::b; }
  // Side a is the one that begins. A listener learns its peer only then.
  void name_sides(bool iut_is_a);
  void take_names();
  // Gives the sides the addresses that the recording shows.
  void place_sides();
  // Tells the observer the addresses of the sides, if they are known, before the first message.
  void locate_sides();
  std::int64_t time_ns() const { return context_.epoch_ns + now().count(); }
  FlowResult result_of(std::uint64_t octets) const;

  // A frame from one end to the other for the recording, still without content.
  RecordedFrame frame_from(bool from_iut) const;
  // Keeps the latest message of the IUT.
  void keep_last(const Message& message);
  // Adds a message, or another event, to the tail.
  void list(const Message& message);
  void list(bool from_iut, std::string what);
  // Calls `observe` with the flow's observer. New findings become comments in the recording.
  template <class Observing>
  void judge(const Observing& observe) {
    const std::size_t findings = context_.judge.findings().size();
    context_.judge.enter_flow(flow_.names());
    context_.judge.set_now(time_ns());
    observe(flow_, context_.judge);
    if (context_.recording) comment_from(findings);
  }

  std::unique_ptr<Conversation> conversation_;
  TapContext& context_;
  const Framing framing_;  // the framing of this conversation
  const bool iut_connects_;

 private:
  ObserverLimits limits() const;
  void comment_from(std::size_t first_finding);
  // Needed until the IUT has spoken (Speech); costs nothing from then on.
  void listen_to(const Message& message);

  JudgedFlow flow_;
  std::unordered_set<std::string> sent_;  // messages, until the IUT has spoken
  std::size_t sent_octets_ = 0;           // size of these messages
  FlowPlaces places_;                     // addresses as the recording shows them
  bool iut_is_a_ = false;
  // A message that owns its octets and places.
  struct Kept {
    Message message;
    OctetBuffer octets = {};
    std::vector<Place> places = {};

    void take(const Message& from);
  };
  std::optional<Kept> last_;   // the latest from the IUT
  std::optional<Kept> asked_;  // the latest sent to the IUT, without its octets
  // A line of the tail. Messages become text only on request.
  struct Line {
    Instant when{};
    bool from_iut = false;
    std::string what = {};
    const Protocol* protocol = nullptr;  // the protocol of the message
    OctetBuffer message = {};
  };
  Line& next_line(bool from_iut);

  std::deque<Line> tail_;
};

// Makes a tap for datagrams or for a stream, as the context's framing sets, unless they are `datagrams` beside a
// stream. The context outlives the tap.
std::unique_ptr<FlowTap> make_tap(std::unique_ptr<Conversation> conversation, TapContext& context,
                                  bool datagrams = false);

}  // namespace wirelaw
