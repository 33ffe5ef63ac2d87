// SPDX-License-Identifier: Apache-2.0
// The probe through which the cases of SMB Direct send: any message that a case wants, over the reference's RDMAP, and
// around it the behaviour of a conforming peer, which manages credits, answers keep-alives, and reassembles messages.
//
// A turn shows, for either role of the IUT, that it accepted a message:
//   of a listener    the case sends a message of its own, and its application answers it (conformance/smbd/dialogue.h)
//   of an initiator  its application sends a message, the case sends it back, and the application continues; if that
//                    is an SMB2 client (--application smb2), the case sends a server's response to it, after the
//                    RDMA Reads and Writes that belong to it, and invalidates what the client wants invalidated
// So one body serves both:
//   const OctetBuffer message = peer.begin_turn(100);
//   peer.send(peer.segment(message));          // or in any other way
//   peer.expect_taken(kRule, "…");
#pragma once

#include <deque>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/catalogue.h"
#include "conformance/rdmap/probes/upper_probe.h"
#include "conformance/smbd/dialogue.h"
#include "reference/smb2/server.h"
#include "reference/smbd/message.h"
#include "reference/smbd/work.h"

namespace wirelaw::smbd {

// The next event from an IUT.
struct Response {
  enum class Kind : std::uint8_t { nothing, message, ended };  // nothing: no event before the deadline
  Kind kind = Kind::nothing;
  OctetBuffer octets = {};
  std::optional<Token> invalidated = {};

  bool is_message() const { return kind == Kind::message; }
  bool ended() const { return kind == Kind::ended; }
  // Decodes it; the views refer to `octets`.
  std::optional<DataTransfer> transfer() const;
};
std::string to_text(const Response& response);  // "a message of 20 octets"

class Probe : public rdmap::UpperProbe {
 public:
  static constexpr std::uint16_t kTarget = 64;  // credits that the tester requests and grants
  static constexpr std::uint32_t kReceiveSize = 8192;
  // The PreferredSendSize of every deployed initiator, so every listener posts receives for it (appendix B, notes <2>
  // and <5>).
  static constexpr std::uint32_t kPreferredSize = 1364;
  static constexpr std::uint32_t kFragmentedSize = 1'048'576;

  Role iut() const { return iut_; }
  bool foresees_answers() const { return run().application() != Service::none; }

  // One observation that shows if several rules are obeyed. The objects that it refers to must outlive it.
  class Rules {
   public:
    Rules(const Rule& rule) : first_(&rule), rules_(&first_, 1) {}
    Rules(std::initializer_list<const Rule*> rules) : rules_(rules.begin(), rules.size()) {}
    Rules(RuleList rules) : rules_(rules) {}
    template <std::size_t N>
    Rules(const Rule* const (&rules)[N]) : rules_(rules) {}
    Rules(const Rules&) = delete;
    auto begin() const { return rules_.begin(); }
    auto end() const { return rules_.end(); }

   private:
    const Rule* first_ = nullptr;
    RuleList rules_;
  };
  bool require_each(const Rules& rules, bool holds, std::string_view expected, std::string_view actual,
                    std::string_view explanation = {});

  // --- messages as they are. No credit is waited for, but they are counted.
  void send(Octets octets, std::optional<Token> invalidate = {});
  void send(const DataTransfer& message, std::optional<Token> invalidate = {});
  // Returns the next message.
  Response next(Instant deadline);
  Response next() { return next(in(run().answer_time())); }

  // --- what a peer as it should be puts into its messages
  // A message with data, or an empty one. It grants the credits that the IUT lacks.
  DataTransfer segment(Octets data, std::uint32_t remaining = 0);
  DataTransfer empty(std::uint16_t flags = 0);
  // Sends it in segments of at most `most` octets of data; 0: as large as the IUT accepts. Waits for credits; the case
  // is inconclusive if none come.
  void send_message(Octets message, std::uint32_t most = 0);
  // Same, with as many SMB Direct segments in one TCP segment as fit and credits allow, which keeps captures small.
  void send_message_packed(Octets message, std::uint32_t most);
  // The next message of the IUT's upper layer, reassembled; empty if none comes, or if the connection ends. An IUT that
  // waits at its last credit (SMBD/A10) is granted one to continue.
  std::optional<OctetBuffer> receive_message(Instant deadline);
  std::optional<OctetBuffer> receive_message() { return receive_message(in(run().answer_time())); }
  // Waits until there are `count` credits. Keeps messages with data that come meanwhile for next().
  bool await_credits(std::uint32_t count);
  // From here on, a lack of credits breaks this rule.
  void credits_are_due(const Rule& rule) { due_ = &rule; }
  // Lets time pass, and processes messages as they come. False if the connection ends before that.
  bool pass(std::chrono::nanoseconds time);
  // Waits for a credit, if there is none; keeps messages with data likewise. If the connection ends before that, the
  // next expectation judges it.
  bool may_send();
  // From here on, the case handles these itself.
  void leave_keepalives_alone() { answers_keepalives_ = false; }
  void grant_nothing() { grants_ = false; }
  // Sets the credits that the tester requests from the IUT, and those that it grants, instead of kTarget.
  void keep_to(std::uint16_t wanted, std::uint16_t given) {
    wanted_ = wanted;
    given_ = given;
  }

  // --- the end, from our side: in order, with a Terminate of RDMAP, or with the reset of the stream, after which
  // nothing of the IUT can be seen
  enum class Leaving : std::uint8_t { closes, terminates, resets };
  void leave(Leaving how);

  // --- turns
  static constexpr std::size_t kUsualTurn = 100;  // octets
  // The message to send; the case is inconclusive if an initiator sends none. For an initiator it has the size of its
  // trigger; if it speaks SMB2, and more than kUsualTurn is wanted, it is the first response of this many octets. For a
  // listener it has about this many octets (Dialogue::request). If its application needs other requests first, they are
  // sent now; a case that grants nothing grants one credit at a time for them.
  OctetBuffer begin_turn(std::size_t octets = kUsualTurn, AnswerLength length = AnswerLength::any);
  // The longest message that the application accepts, in octets.
  std::size_t longest_turn() const { return dialogue_.most(); }
  // Returns true if this is an answer of a listener's application to the message, now or earlier.
  bool answers(Octets message, Octets answer) { return dialogue_.answers(message, answer); }
  bool is_answer(Octets message, Octets answer) const { return dialogue_.is_answer(message, answer); }
  // Returns true if an answer to it may have this many octets.
  bool may_answer_by(Octets message, std::size_t octets) const { return dialogue_.may_have(message, octets); }
  // Takes both turns of an ordinary message.
  void take_turn(std::size_t octets = kUsualTurn, std::uint32_t most = 0, AnswerLength length = AnswerLength::any);
  bool expect_taken(const Rules& rules, std::string_view explanation = {});
  // The IUT accepts the message or ends the connection; the text leaves open which. To ignore it, or to deliver
  // another message, is wrong.
  bool expect_taken_or_refused(const Rules& rules, std::string_view explanation);
  // The IUT does not accept the message, but ends the connection; answers to earlier messages may be in transit.
  bool expect_refused(const Rule& rule, std::string_view explanation);
  // Same, but another reading permits the IUT to stay silent without ending: that is a warning.
  bool expect_refused_or_note(const Rule& rule, std::string_view explanation);

  // --- controls
  // Expects that the connection serves: a turn is accepted or, if the application is unknown, a keep-alive is answered.
  // Otherwise the case is inconclusive, because it has not sent its stimulus yet.
  void show_alive();
  // Expects that the connection still serves after the stimulus of the case.
  bool expect_alive(const Rules& rules, std::string_view explanation = {});

  // --- looks
  const NegotiateRequest& request() const { return request_; }
  const NegotiateResponse& response() const { return response_; }
  std::uint32_t most_to_send() const { return peer_receive_size_; }        // the IUT's MaxReceiveSize
  std::uint32_t most_fragmented() const { return peer_fragmented_size_; }  // and MaxFragmentedSize
  std::uint32_t credits() const { return credits_; }                       // credits that the tester may spend
  std::uint32_t iut_credits() const { return iut_credits_; }               // credits that the IUT may spend
  const std::vector<DataTransfer>& seen() const { return seen_; }  // received messages in order, without their octets
  std::size_t longest_seen() const { return longest_seen_; }       // octets of the longest of them
  bool ended() const { return ended_; }
  // Returns true if work that was posted to the RDMA layer is complete.
  bool is_done(rdmap::WorkId work) const { return done_.contains(work); }
  // For an initiator whose application is an SMB2 client: the data that RDMA has moved for it.
  bool serves_smb2() const { return server_.has_value(); }
  // Returns true for a message of such a client that does not show what it has accepted: an ECHO, a CANCEL.
  bool shows_nothing(Octets message) const;
  // Returns true if its application sends the messages that the trigger requests, in length and number. An SMB2 client
  // chooses its own messages, so the case is skipped.
  bool sends_as_asked();
  struct Moved {
    std::size_t reads = 0;          // completed RDMA Reads of its memory
    std::size_t writes = 0;         // RDMA Writes to it
    std::size_t invalidations = 0;  // Sends with Invalidate
  };
  const Moved& moved() const { return moved_; }
  // From here on, an IUT that may wait at its last credit (SMBD/A10) is granted one, as long as it sends something.
  void release_last_credit(bool released) { releases_last_credit_ = released; }
  // From here on, a failed RDMA Read breaks these rules.
  void reads_are_due(RuleList rules) { due_reads_ = rules; }

 protected:
  Probe(CaseRun& run, Role iut);

  // Stores the results of a successful negotiation.
  void establish(std::uint32_t credits, std::uint32_t iut_credits, std::uint32_t receive_size,
                 std::uint32_t fragmented_size);
  void post_receives();
  // Replaces a connection that ended before anything was negotiated.
  bool begin_another(Instant deadline);

  enum class Answer : std::uint8_t { taken, refused, silent, wrong };
  // Takes the turn that shows if the connection serves, without judging it.
  Answer serve_a_turn(std::string& actual);
  bool require_taken(const Rules& rules, Answer answer, std::string_view actual, std::string_view explanation);

  NegotiateRequest request_;
  NegotiateResponse response_;

 private:
  std::uint16_t top_up() const;
  void account(const DataTransfer& message);
  void look_after(const DataTransfer& message);
  bool owes_grant() const;
  bool owes_release() const;
  Response wait_for_credit(Instant deadline);
  Answer await_answer(std::string& actual);
  bool keeps_alive();
  bool introduce(std::size_t octets, AnswerLength length);
  Response arrival(Instant deadline);
  OctetBuffer serve(OctetBuffer request, std::size_t octets);
  bool move(const smb2::Movement& movement);
  bool fetch(Token token, std::uint64_t offset, std::span<Octet> into);
  bool asks_no_more();

  Role iut_;
  Dialogue dialogue_;
  std::uint32_t peer_receive_size_ = 0;
  std::uint32_t peer_fragmented_size_ = 0;
  std::uint32_t credits_ = 0;
  std::uint32_t iut_credits_ = 0;
  bool established_ = false;
  bool ended_ = false;
  bool answers_keepalives_ = true;
  bool grants_ = true;
  bool releases_last_credit_ = false;
  bool released_ = false;    // a credit was released and no message has come since
  bool in_message_ = false;  // a segment was sent and more must follow; no other message may come between
  const Rule* due_ = nullptr;
  std::uint16_t wanted_ = kTarget;
  std::uint16_t given_ = kTarget;
  OctetBuffer turn_;
  std::optional<OctetBuffer> next_turn_;  // next message of an initiator, which shows that it accepted the last turn
  std::vector<DataTransfer> seen_;
  std::set<rdmap::WorkId> done_;
  std::optional<rdmap::WorkId> awaited_;  // work whose end is enough
  std::deque<Response> kept_;             // messages that came while it was awaited
  std::optional<smb2::Server> server_;
  std::optional<Token> to_invalidate_;  // sent with the turn
  Moved moved_;
  RuleList due_reads_;
  bool leaves_ = false;  // its application has announced the end
  std::size_t longest_seen_ = 0;
};

// A listener under test; MPA is started.
class ListenerProbe : public Probe {
 public:
  static constexpr Role kIut = Role::responder;

  explicit ListenerProbe(CaseRun& run);

  static NegotiateRequest good_request();
  void send_request(const NegotiateRequest& request);
  // Returns the outcome of a request. A successful response establishes the connection.
  Response await_response();
  // Sends a request; the case is inconclusive if it is not accepted.
  void negotiate(const NegotiateRequest& request = good_request());
  // Expects that a second connection is served next to this one.
  bool expect_served_anew(const Rule& rule, std::string_view explanation);
};

// An initiator under test; it has been triggered, MPA is started, and its request has come.
class InitiatorProbe : public Probe {
 public:
  static constexpr Role kIut = Role::initiator;
  static constexpr TriggerRequest kTrigger{.octets = 100, .count = 4};

  explicit InitiatorProbe(CaseRun& run, const TriggerRequest& trigger = kTrigger);
  // Leaves its first message to the case: await_request().
  struct Unread {};
  InitiatorProbe(CaseRun& run, const TriggerRequest& trigger, Unread);
  Response await_request();

  static NegotiateResponse good_response();
  void send_response(const NegotiateResponse& response);
  // Sends the response, and behaves as a conforming peer from then on.
  void negotiate(const NegotiateResponse& response = good_response());
  // Expects that the initiator, when triggered, opens another connection next to this one and is served there.
  bool expect_served_anew(const Rule& rule, std::string_view explanation);

 private:
  std::optional<Response> first_;  // a message that has arrived and was not requested yet
};

// Connections that are established.
class ReadyListener : public ListenerProbe {
 public:
  explicit ReadyListener(CaseRun& run) : ListenerProbe(run) { negotiate(); }
};
class ReadyInitiator : public InitiatorProbe {
 public:
  explicit ReadyInitiator(CaseRun& run) : InitiatorProbe(run) { negotiate(); }
};

}  // namespace wirelaw::smbd
