// SPDX-License-Identifier: Apache-2.0
// Facts that the tracker states about the packets of an exchange. The checks of the sections decide rules from them.
//
// A fact is stated whenever its rules apply, whether or not they were obeyed; an empty one says that it is unknown. A
// fact does not repeat fields of the packet.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "conformance/efa/tracker/document.h"
#include "conformance/efa/tracker/seen.h"
#include "reference/efa/atomic.h"
#include "reference/efa/coverage.h"
#include "reference/efa/packet.h"
#include "reference/efa/raw_address.h"
#include "reference/network/address.h"

namespace wirelaw::efa {

// If the document and deployed endpoints differ, both readings are accepted, but an endpoint must keep to one of them.
enum class Reading : std::uint8_t { open, deployed, document };

// An operation that a packet of the flow began.
struct BegunOperation {
  const Layout* request = nullptr;
  std::uint64_t begun = 0;  // Message::index of that packet
};

// What is known of a packet's sender before it.
struct SenderFact {
  Revisions document = {};                        // the document that it follows
  std::optional<std::uint32_t> connid = {};       // its connid
  std::optional<std::array<Octet, 16>> gid = {};  // the GID of its address
};

// The base header of any packet.
struct BaseHeaderFact {
  std::size_t octets = 0;                       // the length of the whole packet
  std::optional<bool> is_low_octet_first = {};  // how its integers are written; empty: the packet cannot show it
  bool is_readable = false;                     // the packet can be decoded
};

// The first HANDSHAKE of a side.
struct HandshakeFact {
  // The peer's first packet, if the flow was seen from its start.
  std::optional<Mark> first = {};
  bool is_asked_for = false;  // the peer has sent a REQ packet
  std::uint64_t packets = 0;  // packets that the side has sent since
  bool is_late = false;       // they have taken long
};

// A HANDSHAKE after the first one of a side.
struct HandshakeAgainFact {
  Side side = Side::a;
  Mark mark = {};
  std::uint64_t first = 0;   // Message::index of the first one
  bool is_the_same = false;  // it has the same octets
};

// At the end of the flow: a side has sent no HANDSHAKE, though its peer has sent packets.
struct MissingHandshakeFact {
  Mark since = {};            // the packet that it answers
  bool is_asked_for = false;  // that is a REQ packet
  bool is_over = false;       // the flow has continued for long
  bool is_due = false;        // the capture covers the time of handshakes, and the side receives packets
  bool is_silent = false;     // it has sent nothing at all
};

// A packet of an extra feature after the peer's HANDSHAKE.
struct ExtraFact {
  Revisions document = {};       // the document that its sender follows
  std::uint64_t extra_info = 0;  // as the HANDSHAKE says
};

// The use of an extra feature before the peer's HANDSHAKE has come. Stated once for a side.
struct EarlyExtraFact {
  // What decides whether the side may use it.
  enum class Case : std::uint8_t {
    unused,                // it has used none
    lacking,               // the peer does not have it
    declared_homogeneous,  // the user declares that all peers are alike
    no_handshake,          // none of the peer has come at all
    maybe_homogeneous,     // its application may have declared that all peers are alike
    forbidden,             // its document does not know such a declaration
    baseline,              // it has only used what is baseline in later documents
  };
  Case of = Case::unused;
  Revisions document = {};         // the document that it follows
  Mark mark = {};                  // its first packet that uses one; unused: its first packet
  const Layout* layout = nullptr;  // the layout of that packet; unused: nullptr
};

// The raw address header of a REQ, after a HANDSHAKE of the peer that does not ask for a constant header length.
struct AddressHeaderFact {
  // Two message IDs. The packet without the header was sent before the one that has it.
  struct Order {
    std::uint32_t without = 0, with = 0;
  };
  Side sender = Side::a;
  Mark mark = {};
  bool is_there = false;
  std::optional<Order> order = {};  // shows that the sender had received the HANDSHAKE
  std::uint64_t handshake = 0;      // Message::index of the HANDSHAKE, which shows it if there is no `order`
  bool may_be_copy = false;         // UDP may have doubled a packet that was sent before
  bool continues_ids = false;       // its message ID continues the earlier ones
};

// The REQ packets of a side before the peer's HANDSHAKE.
struct FirstRequestsFact {
  Mark mark = {};                // the first without a raw address; the first of all if every one has it
  const Layout* bare = nullptr;  // layout of the first without a raw address
  bool has_handshake = false;    // the HANDSHAKE has come
};

// A REQ at the default queue pair, though the peer has a user receive QP.
struct QueuePairFact {
  std::uint64_t handshake = 0;  // Message::index of the HANDSHAKE that announces it
};

// A raw address or a HANDSHAKE with another connid. It has been taken for that of another endpoint, which has replaced
// the one before (4.4), but nothing has shown that.
struct ReplacementFact {
  Side side = Side::a;
  std::uint32_t former = 0, connid = 0;
  Mark mark = {};
  OctetRange where = {};                          // its connid
  std::optional<RawAddress> former_address = {};  // for a raw address, if the one before is known
  std::optional<RawAddress> address = {};
  bool had_greeted = false;          // the side had sent a HANDSHAKE before
  bool has_former_returned = false;  // the former connid was seen again long after the packet
  bool is_due = false;               // another endpoint would have shown itself by now
};

// A packet of an endpoint that another one has replaced.
struct ReplacedFact {
  std::optional<ReplacementFact> unproven = {};  // the replacement, if the packet rules it out
  // Whether the endpoint was there long before a replacement that nothing has shown. Empty: there is no such one.
  std::optional<bool> was_long_known = {};
};

// The raw address in a REQ.
struct RawAddressFact {
  std::optional<ReplacementFact> unproven = {};     // an earlier replacement that this packet rules out
  std::optional<RawAddress> address = {};           // empty: it is incomplete
  std::optional<wirelaw::Endpoint> network = {};    // where the packet came from
  bool is_udp = false;                              // it came by UDP
  std::optional<RawAddress> before = {};            // in the packets before
  std::optional<std::uint32_t> connid_before = {};  // in their headers, if none had a raw address
};

// The connid of a packet, or its absence.
struct ConnidFact {
  // The sender's connid in a packet whose flags do not announce it.
  struct Unannounced {
    bool in_padding = false;  // it would be in a word that is padding
    bool is_there = false;
    OctetRange where = {};  // if it is not in padding
  };
  std::optional<ReplacementFact> unproven = {};  // an earlier replacement that this packet rules out
  std::optional<bool> is_own = {};               // for a HANDSHAKE: it is not that of its receiver
  std::optional<std::uint32_t> before = {};      // in the packets before
  bool by_address = false;                       // a raw address has shown that
  std::optional<Unannounced> unannounced = {};
  std::optional<std::uint64_t> asked_by = {};  // Message::index of the HANDSHAKE that asks for a connid

  // A connid that is not announced may be where the payload should be.
  bool is_payload_found() const { return !unannounced || unannounced->in_padding || !unannounced->is_there; }
};

// A packet with another connid than its sender's, which nothing has shown to come from another endpoint.
struct StrayConnidFact {
  Mark mark = {};
  OctetRange where = {};
  std::uint32_t connid = 0;
  std::uint32_t before = 0;     // its sender's
  bool by_address = false;      // a raw address has shown that
  bool is_proven = false;       // there is no other endpoint
  bool was_long_known = false;  // its sender was there long before
};

// Which endpoints have shown themselves by their connids. A breach in a packet may have the explanation that one of
// them has been replaced (4.4), and that the packets which show it are missing. Later packets may rule that out.
struct PresenceFact {
  // Connids that rule it out if their sides show them long after the packet: those of side a and of side b.
  using Awaited = std::array<std::optional<std::uint32_t>, 2>;
  Side sender = Side::a;
  std::int64_t time_ns = 0;
  std::optional<std::uint32_t> connid = {};  // in the packet
  bool is_kept = false;                      // its sender has shown the same one before
  std::uint64_t beginnings = 0;              // TraceState::beginnings()
  // For a packet with a message ID that contradicts an earlier one: its sender is the same. If the other side shows the
  // same connid next as before, no endpoint has been replaced.
  bool is_of_one_sender = false;
  bool may_be_doubled = false;  // UDP may have doubled the packet long before
  // By the endpoint whose replacement would explain the breach. Empty: nothing can rule it out.
  std::optional<Awaited> for_sender = {}, for_peer = {}, for_either = {};
};

// A message ID that was used again as if the two endpoints had met again (EFA/A-87), and nothing has shown that.
struct MeetingAgainFact {
  Side side = Side::a;          // the side whose message ID it is
  std::uint32_t msg_id = 0;     // a message ID that it has used before
  Mark repeated = {};           // the packet that uses it again
  bool may_be_doubled = false;  // the packet has the octets of an earlier one
  bool is_known = true;         // the flow is known from the side's first packet on
  bool counts_on = false;       // the other side has not restarted its IDs since
  std::vector<HandshakeAgainFact> handshakes = {};
};

// The ID that a packet gives to its operation.
struct IdFact {
  std::optional<BegunOperation> holder = {};  // an operation that has the ID and waits for its peer
  bool is_for_receipt = false;                // that operation waits for nothing but its RECEIPT
};

// An answer of a kind that comes once to a request.
struct AnswerFact {
  std::optional<BegunOperation> answered = {};  // the request, if such an answer has come before
};

// The request that the send_id of an EOR or a READ_NACK names.
struct ReadFact {
  bool is_read = false;             // its data is to be read
  const Layout* request = nullptr;  // nullptr: none was seen
};

// The RUNTREAD packets of a message that come before its READ_NACK.
struct RuntsFact {
  std::uint64_t due = 0;  // octets in all of them
  std::uint64_t sent = 0;
};

// An ATOMRSP.
struct AtomrspFact {
  // The request that its recv_id names.
  enum class Of : std::uint8_t {
    unknown,
    none,
    silent,    // no request that waits for an answer, but it may answer a WRITE_RTA, which has none
    fetching,  // a FETCH_RTA or COMPARE_RTA
  };
  Of of = Of::unknown;
  AnswerFact answer = {};
  std::optional<std::uint64_t> octets = {};  // in the buffers of the request
};

// An EOR or a READ_NACK: either ends the reading of a request's data.
struct ReadEndFact {
  std::optional<ReadFact> read = {};
  std::optional<bool> is_only_end = {};  // the other of the two has not come
  std::optional<AnswerFact> answer = {};
  std::optional<RuntsFact> runts = {};
};

// A LONGCTS_RTM.
struct ResumptionFact {
  // The first difference from the refused message.
  enum class Difference : std::uint8_t { none, msg_id, msg_length, kind, data };
  // A message that was refused, as it was before.
  struct Refused {
    std::uint32_t msg_id = 0;
    std::uint64_t length = 0;
    std::uint64_t tag = 0;
    bool is_tagged = false;
    Difference difference = Difference::none;
  };

  bool begins_message = false;         // it resumes no message that was refused, or may have been
  bool is_known_to_follow_no = false;  // no message with its msg_id was refused
  std::optional<Refused> refused = {};
};

// A request of a one-sided operation, or one whose data is read.
struct RequestFact {
  bool is_repetition = false;  // the request has come before and goes on; no ID is stated
  std::optional<IdFact> id = {};
  std::optional<std::uint64_t> source = {};  // octets in the buffers of read_iov; empty: they cannot be added up
  std::optional<std::uint64_t> target = {};  // the same for rma_iov
  bool resumes_write = false;                // it sends a write again that was refused
  bool is_misled = false;                    // its sender was sent a READ_NACK for no request
};

// A RUNTREAD packet.
struct RuntreadFact {
  // The first part that is wrong. Each can be judged only if those before it are right.
  enum class Fault : std::uint8_t {
    source,  // read_iov, in the first packet of a message
    // The first difference from the packets before, in a later one.
    msg_length,
    send_id,
    kind,
    read_iov,
    // In any packet.
    no_data,              // the packet is empty
    beyond_message,       // its data ends beyond the message
    longer_than_message,  // runt_length exceeds the message
    not_of_packet,        // runt_length is not that of the packet, as in the packets before
    another_length,       // runt_length is not that of the packets before
    beyond_length,        // its data ends beyond runt_length
    another_meaning,      // runt_length has another meaning than in the messages before
    sent_before,          // its data has been sent before, or the message has too many gaps
    none
  };
  // What its message began with.
  struct Begun {
    const Layout* request = nullptr;
    std::uint64_t length = 0;
    std::uint32_t send_id = 0;
    std::uint64_t tag = 0;
    std::uint64_t runt_length = 0;
  };
  bool is_followed = false;                 // nothing else is judged if not
  std::optional<RequestFact> request = {};  // for the first packet of a message
  std::optional<Begun> begun = {};          // for a later one
  Fault fault = Fault::none;
  std::optional<Reading> meaning = {};      // what runt_length means, if the packets of the message leave only one
  Reading meaning_before = Reading::open;   // in the messages before
  std::optional<std::uint64_t> fresh = {};  // how many of its octets had not been sent
  bool is_last = false;                     // all octets that go by RUNTREAD have been sent
};

// The request of an atomic.
struct AtomicFact {
  // The first part that is wrong. Each can be judged only if those before it are right.
  enum class Fault : std::uint8_t {
    datatype,     // no such datatype
    operation,    // no such operation
    call,         // the operation belongs to another call
    combination,  // the operation is not defined for the datatype
    buffer,       // a buffer has room for a part of a value
    operands,     // operands and buffers differ in length
    none
  };
  AtomicCall call = AtomicCall::write;
  Fault fault = Fault::none;
  // The buffers before the first that has room for a part of a value. Empty: the size of a value is not known.
  std::optional<std::size_t> fitting_buffers = {};
  RequestFact request = {};
};

// The length of the headers of an EAGER_MSGRTM whose receiver asks for a constant one.
struct HeaderFact {
  std::size_t length = 0;
  std::size_t before = 0;  // that of the packet before
  bool was_kept = false;   // the sender has kept the length long after it was asked to
};

// An EAGER_RTM or LONGCTS_RTM that begins a message.
struct MessageFact {
  std::optional<HeaderFact> header = {};
  bool is_followed = false;  // it is not the repetition of an earlier packet
  std::optional<IdFact> send_id = {};
};

// The possible meanings of the length in a medium packet, as bits (EFA/A-03).
inline constexpr std::uint8_t kSegmentRead = 1;  // length of the packet's data, as in the document
inline constexpr std::uint8_t kTotalRead = 2;    // length of the message, as deployed

// The part of a medium message that a packet carries.
struct Segment {
  explicit Segment(const SeenPacket& seen)
      : length(seen.packet.seg_length), offset(seen.packet.seg_offset), octets(seen.payload_octets()) {}

  bool ends_by(std::uint64_t end) const { return offset <= end && octets <= end - offset; }
  bool is_in(const Coverage& data) const { return octets <= ~offset && data.has(offset, offset + octets); }
  // Returns true if the length has one of its meanings, in any message.
  bool has_meaning() const { return length == octets || ends_by(length); }

  std::uint64_t length;  // length field of the packet
  std::uint64_t offset;
  std::uint64_t octets;  // octets of data
};

// A packet of a medium message.
struct MediumFact {
  // What its message began with.
  struct Begun {
    const Layout* request = nullptr;
    std::uint64_t tag = 0;
    std::optional<std::uint64_t> cq_data = {};
    std::optional<std::uint32_t> send_id = {};
  };
  // The meanings of the length in the packet.
  struct Length {
    std::uint8_t possible = 0;                // meanings that its message and its sender have left
    std::uint8_t alone = 0;                   // meanings that fit the packet and its message
    bool is_first = false;                    // it is the first packet of the message
    std::optional<std::uint64_t> total = {};  // in the second meaning, the message has this length; in later packets

    std::uint8_t left() const { return possible & alone; }
  };
  bool is_copy = false;  // the same segment has come before
  std::optional<Begun> begun = {};
  std::optional<Length> length = {};
  std::optional<IdFact> send_id = {};
  bool is_followed = false;
  std::optional<std::uint64_t> fresh = {};  // how many of its octets had not been sent
  std::optional<Mark> receipt = {};         // a RECEIPT that came before its data
};

// What data that has not been sent before shows about earlier packets of the other side.
struct FreshDataFact {
  // A CTS that came while octets before `end` had not been sent.
  struct EarlyGrant {
    Mark mark;
    std::uint64_t end = 0;
  };
  std::optional<Mark> receipt = {};      // a RECEIPT of the operation
  std::optional<EarlyGrant> grant = {};  // such a CTS, if the data is before its end
};

// A CTS.
struct CtsFact {
  enum class Moment : std::uint8_t {
    unjudged,
    copy,       // the same CTS has come before
    after_all,  // all octets of the message have been sent
    early,      // octets that were allowed have not come yet; later data shows if that breaks a rule
    in_time,
  };
  // The receive operation that it names.
  struct Receive {
    std::optional<std::uint32_t> id = {};  // the ID that the operation has
    // Another operation that already has this ID and waits for data. Stated for the first CTS of an operation.
    std::optional<BegunOperation> holder = {};

    bool has(std::uint32_t recv_id) const { return !holder && (!id || id == recv_id); }
  };
  std::optional<bool> has_operation = {};  // its send_id is that of an operation
  const Layout* request = nullptr;         // what began that operation; nullptr: nothing more is stated
  bool is_awaited = false;                 // the operation goes by CTS
  std::optional<Receive> receive = {};
  std::optional<Mark> receipt = {};  // a RECEIPT that came before it, although data is missing
  Moment moment = Moment::unjudged;
  std::uint64_t length = 0;                // octets of the message
  std::optional<std::uint64_t> rest = {};  // octets of the message that had not been allowed
};

// A CTSDATA.
struct CtsdataFact {
  // The operation that its recv_id names.
  enum class Of : std::uint8_t {
    unknown,
    none,     // no operation has the ID
    waiting,  // likewise, and some operation waits for a CTS
    other,    // an operation whose data does not go by CTSDATA
    awaited,  // an operation whose data does
  };
  // The first limit of the message that its octets exceed.
  enum class Beyond : std::uint8_t { nothing, request, message, grant };
  struct Place {
    Beyond beyond = Beyond::nothing;
    std::uint64_t limit = 0;
  };
  Of of = Of::unknown;
  const Layout* request = nullptr;  // what began that operation
  bool is_copy = false;             // the same CTSDATA has come before
  std::optional<Place> place = {};
  std::optional<std::uint64_t> fresh = {};  // how many of its octets had not been sent
  std::optional<FreshDataFact> shown = {};
};

// A RECEIPT.
struct ReceiptFact {
  // The operation that its send_id names.
  enum class Of : std::uint8_t {
    unknown,
    none,      // no operation, and none waits for a RECEIPT
    no_such,   // no operation, but some operation waits for a RECEIPT
    doubtful,  // one that asks for no RECEIPT, unless another one was not captured
    unasked,   // one that asks for no RECEIPT
    first,     // one that waits for its RECEIPT
    another,   // one that has had it
  };
  Of of = Of::unknown;
  const Layout* request = nullptr;           // what began that operation
  std::optional<std::uint32_t> msg_id = {};  // the message has this ID
  std::uint64_t before = 0;                  // Message::index of the RECEIPT that has come before
  bool has_all_data = false;                 // all data of the operation has come
};

// A READRSP.
struct ReadrspFact {
  // For a sender whose order of the two IDs is known.
  struct Order {
    Reading usual = Reading::open;
    bool is_turned = false;  // only the other order makes sense in this packet
  };
  // The data for which the read waits.
  struct Wanted {
    bool is_short = false;  // all of it, in one packet
    std::uint64_t length = 0;
    std::uint64_t granted = 0;  // octets that the requester is ready to receive
  };
  std::optional<Order> order = {};
  bool answers_none = false;  // no read has either of its IDs
  std::optional<AnswerFact> answer = {};
  // For the only answer to a read:
  bool is_by_document = false;  // its two IDs are in the order of table 3.11
  std::optional<IdFact> send_id = {};
  std::optional<Wanted> wanted = {};
};

// A PEER_ERROR (4.10 of later documents).
struct PeerErrorFact {
  // Whether the peer's HANDSHAKE announces that it takes one.
  enum class Announced : std::uint8_t { unknown, no_handshake, no, yes };
  // What the PEER_ERROR does to the operation that it names.
  enum class End : std::uint8_t {
    unjudged,
    first,     // it ends it
    again,     // its sender has ended it before
    answered,  // its sender has answered it before, by EOR or READ_NACK
  };
  Announced announced = Announced::unknown;
  std::uint64_t extra_info = 0;  // as the peer's HANDSHAKE says
  // OPE_INDEX: it names an operation of the peer.
  std::optional<bool> has_operation = {};
  std::optional<BegunOperation> operation = {};  // that operation, unless it is not judged
  bool is_of_kind = false;                       // it can be given up in this way
  // MSG_ID: it names a message of its sender that has begun.
  bool has_message = false;
  // MSG_ID_SKIP: its sender has not given that message up before. The message may be given up in this way.
  std::optional<bool> is_in_use = {};
  bool is_unsent = false;
  End end = End::unjudged;
};

// A packet of an operation that a side has given up by PEER_ERROR.
struct GivenUpFact {
  std::optional<Mark> by_sender = {};  // the PEER_ERROR of the packet's sender; empty: it may have been sent before
  bool is_of_message_id = false;       // it has given up the message ID
};

}  // namespace wirelaw::efa
