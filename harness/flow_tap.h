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

// What the IUT has sent so far, as far as it shows whether the peer speaks the protocol.
struct Speech {
  bool spoken = false;    // a message of the protocol that was not sent to it before in the same words
  bool mirrored = false;  // the IUT has returned what it was sent, octet for octet
};

// What the taps of a run share.
struct TapContext {
  const Protocol& protocol;
  Judge& judge;
  Recording* recording = nullptr;
  Framing framing;
  std::int64_t epoch_ns = 0;  // Message::time_ns at Instant{0}
  std::uint64_t flows = 0;    // so far: numbers them
  // The same for streams. Each case numbers its streams from a fixed number, so that a recording has the same headers
  // whichever process has run the case.
  std::uint64_t streams = 0;
  ObserverLimits limits;
  WireCapture* capture = nullptr;  // captures the run's connections, if there is one
  Speech speech = {};
  Associations* associations = nullptr;  // the case's; else what one conversation leaves open is resumed in the next
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
  // How the IUT has ended its direction, whether or not that was looked at.
  Ending iut_ended() const { return conversation_->ending(); }
  // What has happened at the consumer or the application, in words: for the tail, and a comment of the recording.
  void note_call(std::string_view who, const std::string& what);

  // Reads what has arrived and was not read, and lets the observer judge the flow's end.
  virtual void finish() = 0;
  // The case has released the conversation. Nothing reads it any more, so the arrival time of later octets would be
  // unknown.
  virtual void let_go() {}

  // Points the judge's next finding at the IUT and this flow: at its last message or, if `silence`, at the missing
  // answer to the last message that it was sent.
  void point_judge_at_last(bool silence);

  // Whether there was anything to judge.
  virtual bool any() const = 0;
  virtual FlowResult result() const = 0;
  virtual std::uint64_t messages() const = 0;
  // Number of messages. For a stream, at least one if the IUT has sent anything at all, even only its end.
  virtual std::uint64_t from_iut() const = 0;
  // Why not all of this conversation was judged that the case could see; empty if it was.
  virtual std::string unjudged() const { return {}; }
  // The last messages, a line each.
  std::string tail() const;

 protected:
  FlowTap(std::unique_ptr<Conversation> conversation, TapContext& context)
      : FlowTap(std::move(conversation), context, context.framing) {}
  FlowTap(std::unique_ptr<Conversation> conversation, TapContext& context, const Framing& framing);

  std::uint64_t calls_ = 0;  // by note_call()
  // Takes what has arrived other than over the conversation.
  virtual void look() {}

  bool is_from_iut(Side side) const { return (side == Side::a) == iut_is_a_; }
  Side side_of(bool from_iut) const { return from_iut == iut_is_a_ ? Side::a : Side::b; }
  // Side a is the one that begins. A listener does not know its peer earlier.
  void name_sides(bool iut_is_a);
  void take_names();
  // They have the places that the recording gives them.
  void place_sides();
  // The observer learns the addresses of the sides, if they are known, before the first message.
  void locate_sides();
  std::int64_t time_ns() const { return context_.epoch_ns + now().count(); }
  FlowResult result_of(std::uint64_t octets) const;

  // A frame for the recording from one end to the other, without its content.
  RecordedFrame frame_from(bool from_iut) const;
  // A message of the IUT: the last, until the next.
  void keep_last(const Message& message);
  // Adds to the tail: a message, or another event.
  void list(const Message& message);
  void list(bool from_iut, std::string what);
  // Lets the flow judge; findings become comments in the recording.
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
  const Framing framing_;  // this conversation's
  const bool iut_connects_;

 private:
  ObserverLimits limits() const;
  void comment_from(std::size_t first_finding);
  // Needed until the IUT has spoken (Speech); costs nothing from then on.
  void listen_to(const Message& message);

  JudgedFlow flow_;
  std::unordered_set<std::string> sent_;  // messages, until the IUT has spoken
  std::size_t sent_octets_ = 0;           // their size
  FlowPlaces places_;                     // as they are shown
  bool iut_is_a_ = false;
  // A message whose octets and places are kept with it.
  struct Kept {
    Message message;
    OctetBuffer octets = {};
    std::vector<Place> places = {};

    void take(const Message& from);
  };
  std::optional<Kept> last_;   // from the IUT
  std::optional<Kept> asked_;  // the last that was sent to it, without its octets
  // A line of the tail. Messages become text only on request.
  struct Line {
    Instant when{};
    bool from_iut = false;
    std::string what = {};
    const Protocol* protocol = nullptr;  // the message's protocol
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
