// SPDX-License-Identifier: Apache-2.0
// An exchange: a REQ packet (or the several of a medium or runting message) and everything that answers it, until both
// sides are done with it. Only exchanges of more than one packet are followed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <list>
#include <optional>
#include <unordered_map>

#include "conformance/efa/tracker/exchange_states.h"
#include "conformance/efa/tracker/facts.h"
#include "reference/efa/coverage.h"
#include "reference/efa/raw_address.h"

namespace wirelaw::efa {

// The readings of runt_length (EFA/A-04) that the packets of one message allow: bits of Exchange::reading.
inline constexpr std::uint64_t kOfMessage = 1, kOfPacket = 2;

struct Exchange {
  const Layout* request = nullptr;  // layout of the REQ packet that began or resumed it (4.7)
  Side requester = Side::a;
  Mark begun;
  std::optional<std::uint32_t> msg_id = {};
  // IDs of the two operations of the exchange. Each side chooses the ID of its own operation (3.2).
  std::optional<std::uint32_t> send_id = {};  // chosen by source(), which holds the data
  std::optional<std::uint32_t> recv_id = {};  // chosen by sink(), which receives it
  // recv_id in a CTS of a read, if the request had another one. The data may name either.
  std::optional<std::uint32_t> recv_id_of_cts = {};

  std::uint64_t length = 0;  // octets of the whole message; 0 if the packets do not declare it (EFA/A-03)
  Coverage data = {};        // octets that have been sent
  // The offset in the message up to which the sink has allowed data. It begins with the data in the REQ, or with
  // recv_length of a LONGCTS_RTR, and each CTS adds to it. It saturates.
  std::uint64_t granted = 0;
  std::uint64_t in_request = 0;  // octets of the message that the REQ carries
  std::uint64_t data_end = 0;    // for a medium message: end offset of the data sent
  std::uint64_t rma_octets = 0;  // sum of the lengths in rma_iov
  std::optional<RmaIov> target;  // target buffer, if rma_iov has one element
  std::uint64_t runt_length = 0;
  std::uint64_t tag = 0;
  std::optional<std::uint64_t> cq_data = {};
  std::uint64_t request_hash = 0;  // hash of the headers of the first REQ packet
  std::uint64_t iov_hash = 0;      // hash of read_iov, the same for the whole message
  std::uint64_t peer_packets = 0;  // packets that the other side had sent when it began
  std::uint32_t answers = 0;       // READRSP, ATOMRSP
  std::uint32_t repeated = 0;      // number of repetitions of the REQ packet
  std::uint32_t receipts = 0;
  std::uint32_t eors = 0;
  Standing standing = {};
  Course course = {};
  bool doubtful = false;  // the same REQ packet has come before: may_be_none()
  std::uint64_t reading =
      0;  // readings that its packets still allow: bits that the section defines (EFA/A-03, EFA/A-04)

  Mark latest = {};                                           // its latest packet
  std::optional<Mark> last_data = {};                         // the latest data packet of the source
  std::optional<Mark> last_grant = {};                        // the latest CTS
  std::optional<Mark> receipt = {};                           // the first RECEIPT
  Mark refused = {};                                          // the first READ_NACK, unless the exchange is unsettled
  std::optional<FreshDataFact::EarlyGrant> early_grant = {};  // the first
  bool grant_beyond = false;  // a CTS allowed more than the rest, so the source may have ignored it (EFA/A-24)

  BegunOperation operation() const { return {request, begun.index}; }
  Side source() const { return request->purpose == Purpose::read ? other(requester) : requester; }
  Side sink() const { return other(source()); }
  bool is_done() const { return standing.is_done(); }
  bool is_unsettled() const { return standing.is_unsettled(); }
  // The side that has given it up by PEER_ERROR (4.10 of later documents).
  std::optional<Side> given_up() const {
    if (standing.state() == Standing::State::given_up_by_requester) return requester;
    if (standing.state() == Standing::State::given_up_by_responder) return other(requester);
    return std::nullopt;
  }
  void contradict() { standing.happen(Standing::Event::contradicted); }
  void finish() { standing.happen(Standing::Event::finished); }
  void give_up(Side side) {
    standing.happen(side == requester ? Standing::Event::given_up_by_requester
                                      : Standing::Event::given_up_by_responder);
  }

  bool is_granted() const { return last_grant.has_value(); }
  bool is_refused() const { return course.is_refused(); }
  bool is_resumed() const { return course.is_resumed(); }
  // Returns true if CTS packets grant its data and CTSDATA carries it.
  bool goes_by_cts() const { return request->transfer == Transfer::long_cts || is_resumed(); }
  // Returns true if nothing more is expected. A medium message of unknown length may have been answered too early, or
  // by an answer to another message.
  bool is_over() const {
    return is_done() || (!is_unsettled() && receipts > 0 && request->transfer == Transfer::medium);
  }
  bool has_all_data() const { return data.octets() >= length; }
  // Returns true if its length may be that of the data in its packets (EFA/A-03), so that only further packets show
  // the length of the message.
  bool may_have_more() const { return request->transfer == Transfer::medium && (reading & kSegmentRead) != 0; }
  // Octets of a runting message that its RUNTREAD packets must bring; 0 if unknown.
  std::uint64_t runt_octets() const { return (reading & kOfMessage) != 0 ? runt_length : 0; }
  // Octets that have been allowed and not yet been sent.
  std::uint64_t window() const { return granted - std::min(granted, data.octets()); }
  bool is_answered() const { return answers > 0 || is_granted() || receipts > 0 || eors > 0; }
  // Returns true if packets of it may still come. A medium message of unknown length has no end.
  bool expects_more() const { return !is_done() && (length != 0 || request->transfer != Transfer::medium); }
  void grant(std::uint64_t octets) { granted += std::min(octets, ~granted); }
  // Returns true if the side cannot have finished: it waits for a packet that has not been sent yet. That packet passes
  // any capture point before the next packet of this side. So its ID cannot be in use again (3.2).
  bool source_waits() const { return !is_unsettled() && source_may_wait(); }
  bool sink_waits() const { return !is_unsettled() && sink_may_wait(); }
  // Same, for an unsettled exchange, of which the known facts may be wrong.
  bool source_may_wait() const;
  bool sink_may_wait() const;
  // Returns true if its REQ packet may be a copy from a finished exchange: the requester has sent nothing more for it,
  // whatever the other side has answered.
  bool may_be_none() const {
    return doubtful && !is_resumed() &&
           (request->purpose == Purpose::read ? !is_granted() : data.octets() <= in_request);
  }
  // True if this REQ packet, which has an ID of this unfinished exchange, is a repetition. It may then be answered once
  // more. If it belongs to an older exchange with the same ID, it is unknown which one an answer means.
  bool comes_again(const SeenPacket& seen) {
    if (!seen.doubled || is_done()) return false;
    ++repeated;
    if (request_hash != hash_of_request(seen)) contradict();
    return true;
  }
  static std::uint64_t hash_of_request(const SeenPacket& seen) {
    return hash_of(seen.message.octets.first(seen.headers));
  }
};

// The exchanges of a flow, found by the IDs that packets name. A new exchange takes over the ID of an older one.
// Bounded: the oldest exchange is dropped first.
class Exchanges {
 public:
  static constexpr std::size_t kMost = 4096;
  static constexpr std::size_t kLookedAt = 64;

  // If an ID belongs to an exchange of which packets may still come, neither exchange is judged further: a packet with
  // the ID may mean either.
  Exchange& begin(const Exchange& exchange);
  void set_send_id(Exchange& exchange, std::uint32_t id);
  void set_recv_id(Exchange& exchange, std::uint32_t id);
  // Sets the recv_id that a CTS gives. The ID from a read's request remains valid, because its answers name it.
  void set_recv_id_of_cts(Exchange& exchange, std::uint32_t id);

  // Finds an exchange by an operation's ID and the side that chose it, nullptr if there is none. Finished exchanges are
  // found until their ID is reused.
  Exchange* by_send_id(Side source, std::uint32_t id) { return find(Kind::send, source, id); }
  Exchange* by_recv_id(Side sink, std::uint32_t id) { return find(Kind::receive, sink, id); }
  // Fetching atomics: an endpoint may count their IDs separately, since only ATOMRSP names them.
  Exchange* by_atomic_id(Side requester, std::uint32_t id) { return find(Kind::atomic, requester, id); }
  Exchange* by_msg_id(Side requester, std::uint32_t id) { return find(Kind::message, requester, id); }

  // Same, for the ID in an answer, which the receiver of the answer has chosen. If no exchange has the ID, its request
  // may still be in transit, overtaken by the answer. An exchange that soon begins with that ID is not judged.
  Exchange* sender_answered(const SeenPacket& answer, std::uint32_t id) { return answered(Kind::send, answer, id); }
  Exchange* receiver_answered(const SeenPacket& answer, std::uint32_t id) {
    return answered(Kind::receive, answer, id);
  }
  Exchange* atomic_answered(const SeenPacket& answer, std::uint32_t id) { return answered(Kind::atomic, answer, id); }

  // Visits the newest kLookedAt exchanges, newest first. A packet with a wrong ID may have meant one of them.
  template <class Visit>
  void each_recent(Visit visit) {
    std::size_t left = kLookedAt;
    for (auto one = exchanges_.rbegin(); one != exchanges_.rend() && left > 0; ++one, --left) visit(*one);
  }
  std::list<Exchange>& all() { return exchanges_; }  // in the order in which they began
  const std::list<Exchange>& all() const { return exchanges_; }
  // The two endpoints start again. Message IDs start again too, but an operation in progress may still be answered by
  // its ID.
  void end_all();
  // Sets how long a packet may be in transit.
  void set_transit(std::int64_t nanoseconds) { transit_ns_ = nanoseconds; }
  // True if an unfinished exchange was dropped to make room.
  bool has_forgotten() const { return forgotten_; }
  // Drops exchanges, oldest first, until they use at most `octets` of memory.
  void keep_within(std::size_t octets);
  std::size_t memory() const;

 private:
  enum class Kind : std::uint8_t { send, receive, message, atomic };
  static std::uint64_t key(Kind kind, Side side, std::uint32_t id) {
    return static_cast<std::uint64_t>(kind) << 33 | static_cast<std::uint64_t>(side) << 32 | id;
  }
  Exchange* find(Kind kind, Side side, std::uint32_t id) {
    const auto found = index_.find(key(kind, side, id));
    return found == index_.end() ? nullptr : found->second;
  }
  Exchange* answered(Kind kind, const SeenPacket& answer, std::uint32_t id);
  void drop_oldest();
  bool may_be_named(const Exchange& older, const Exchange& newer, bool is_receive) const;
  void take(std::uint64_t key, Exchange& exchange, bool is_receive);
  void take_send_id(Exchange& exchange);
  void take_recv_id(Exchange& exchange);
  // The key under which a receive operation is listed.
  static std::uint64_t receive_key(const Exchange& exchange, std::uint32_t id) {
    return exchange.request->purpose == Purpose::atomic ? key(Kind::atomic, exchange.requester, id)
                                                        : key(Kind::receive, exchange.sink(), id);
  }
  void unlist(std::uint64_t key, const Exchange& exchange);

  struct EarlyAnswer {
    Side side;
    std::uint32_t id;
    std::uint64_t index;  // index of the answer packet
  };
  bool is_answered_early(Side side, std::optional<std::uint32_t> id, std::uint64_t index) const;

  std::list<Exchange> exchanges_;
  std::deque<EarlyAnswer> early_;  // the latest
  std::unordered_map<std::uint64_t, Exchange*> index_;
  std::int64_t transit_ns_ = 0;
  bool forgotten_ = false;
};

}  // namespace wirelaw::efa
