// SPDX-License-Identifier: Apache-2.0
#include "conformance/smbd/tracker/tracker.h"

#include <algorithm>
#include <utility>

#include "reference/smb2/message.h"

namespace wirelaw::smbd {

using Stage = Connection::Stage;

std::size_t Tracker::memory() const {
  std::size_t octets = sizeof *this;
  for (const Way& way : connection_.ways)
    octets += way.lent.memory() + (way.negotiated ? way.negotiated->octets.capacity() : 0);
  return octets;
}

Facts Tracker::follow(const Delivery& delivery) {
  Facts facts(delivery);
  owed_.look(delivery.message.time_ns, facts.owed);
  switch (delivery.event) {
    case Delivery::Event::established:
      follow_established(delivery);
      break;
    case Delivery::Event::message:
      follow_message(facts);
      break;
    case Delivery::Event::written:
    case Delivery::Event::read_requested:
      follow_move(facts);
      break;
    case Delivery::Event::read_completed:
      break;
    case Delivery::Event::lost:
      lose("messages are missing");
      break;
    case Delivery::Event::ended:
      follow_end(facts);
      break;
  }
  return facts;
}

Obligations<Owed>::Facts Tracker::finish(std::int64_t now_ns) {
  Obligations<Owed>::Facts facts;
  owed_.finish(now_ns, facts);
  return facts;
}

// --- events without a message

void Tracker::follow_established(const Delivery& delivery) {
  if (messages_ > 0 || delivery.message.index > 0) return;
  connection_.begin(delivery.initiator, true);
  partial_ = {};
  owed_.owe(Owed::end_without_request, other(delivery.initiator), delivery.message.time_ns + kListenerWaits + kInFlight,
            delivery.message);
}

void Tracker::lose(std::string_view why) {
  partial_ = why;
  owed_.drop_all();
  if (connection_.stage() == Stage::established)
    connection_.forget_credits();
  else
    connection_.forget_negotiation();
}

void Tracker::give_up_negotiation() {
  partial_ = "the negotiation cannot be read";
  owed_.drop_all();
  connection_.forget_negotiation();
}

void Tracker::follow_end(Facts& facts) {
  Way& from = connection_.of(facts.delivery.sender);
  from.ended = true;
  for (const Side side : {Side::a, Side::b}) {
    owed_.fulfil(Owed::end_without_request, side, facts.owed);
    owed_.fulfil(Owed::end_after_failure, side, facts.owed);
  }
  owed_.finish(facts.message().time_ns, facts.owed);
  facts.sender = from.role;
  if (connection_.stage() == Stage::refused) facts.kind = Kind::after_failure;
}

// RDMA operations. MPA begins with one without octets (RFC 6581), which is none of SMB Direct's.
void Tracker::follow_move(Facts& facts) {
  const Delivery& delivery = facts.delivery;
  if (delivery.remote.length == 0) return;
  Way& from = connection_.of(delivery.sender);
  MoveFact& move = facts.move.emplace();
  move = {.is_write = delivery.event == Delivery::Event::written, .remote = delivery.remote};
  if (from.role == Role::responder && from.negotiated) move.max_read_write_size = from.negotiated->max_read_write_size;
  if (!connection_.from_start) return;
  Way& lender = connection_.of(other(delivery.sender));
  move.is_lent = lender.has_sent_payload;
  if (!lender.has_sent_payload) return;
  find_accepted_by_name(facts, from, lender.lent.lends_after_mark(delivery.remote.stag), Receipt::token);
  const LentUse found = lender.lent.use(delivery.remote, move.is_write);
  move.use = found.use;
  move.moved_before = found.moved_before;
}

// --- messages

void Tracker::follow_message(Facts& facts) {
  const Message& message = facts.message();
  const bool is_whole = facts.delivery.whole && !message.is_cut();
  if (!is_whole) lose("messages are not whole");
  find_beginning(message);
  ++messages_;
  const Way& from = connection_.of(message.sender);
  facts.sender = from.role;
  const bool negotiates = connection_.stage() == Stage::connected || connection_.stage() == Stage::requested;
  if (negotiates && !from.negotiated) return follow_first(facts);
  if (connection_.stage() == Stage::refused)
    facts.kind = Kind::after_failure;
  else if (is_whole)
    follow_transfer(facts);
}

void Tracker::find_beginning(const Message& message) {
  if (messages_ > 0) return;
  if (message.index > 0) connection_.forget_negotiation();
  if (connection_.stage() != Stage::unknown) return;
  if (is_request(message.octets)) {
    connection_.begin(message.sender, true);
    partial_ = {};
  } else if (is_response(message.octets)) {
    connection_.begin(other(message.sender), true);
    connection_.happen(Connection::Event::response_first);
    partial_ = "it begins with the Negotiate Response";
  }
}

void Tracker::follow_first(Facts& facts) {
  const Octets octets = facts.message().octets;
  facts.begins_with_data = is_transfer(octets) && !has_negotiated_versions(octets);
  if (!*facts.begins_with_data) return facts.sender == Role::initiator ? follow_request(facts) : follow_response(facts);
  give_up_negotiation();
  follow_transfer(facts);
}

namespace {

// If there are several faults, returns the one that a listener finds first (SMBD/A26).
std::optional<Refusal> refusal_of(const NegotiateRequest& request) {
  if (request.min_version > kVersion1 || request.max_version < kVersion1) return Refusal::request_version;
  if (request.credits_requested == 0) return Refusal::request_credits;
  if (request.max_receive_size < kLeastMaxReceiveSize) return Refusal::request_receive_size;
  if (request.max_fragmented_size < kLeastMaxFragmentedSize) return Refusal::request_fragmented_size;
  return std::nullopt;
}

std::optional<Refusal> refusal_of(const NegotiateResponse& response, const std::optional<Negotiated>& request) {
  if (response.negotiated_version != kVersion1) return Refusal::response_version;
  if (response.max_receive_size < kLeastMaxReceiveSize) return Refusal::response_receive_size;
  if (response.max_fragmented_size < kLeastMaxFragmentedSize) return Refusal::response_fragmented_size;
  if (response.credits_granted == 0) return Refusal::response_granted;
  if (response.credits_requested == 0) return Refusal::response_requested;
  if (request && response.preferred_send_size > request->max_receive_size) return Refusal::response_send_size;
  return std::nullopt;
}

OctetBuffer fields_of(const Message& message, MessageType type) {
  const Octets fields = message.octets.first(describe(type).octets);
  return {fields.begin(), fields.end()};
}

// Returns true if a listener must accept the request: it passes all checks.
bool is_acceptable(const NegotiateRequest& request) {
  return request.max_version >= request.min_version && request.credits_requested > 0 &&
         request.max_receive_size >= kLeastMaxReceiveSize && request.max_fragmented_size >= kLeastMaxFragmentedSize;
}

}  // namespace

void Tracker::follow_request(Facts& facts) {
  const Message& message = facts.message();
  const Side listener = other(message.sender);
  facts.kind = Kind::request;
  owed_.fulfil(Owed::end_without_request, listener, facts.owed);
  const auto request = decode_negotiate_request(message.octets);
  if (!request || has_swapped_versions(request->min_version, request->max_version)) {
    give_up_negotiation();
    if (!request && !message.is_cut()) connection_.of(listener).must_end = Refusal::request_short;
    return;
  }
  Way& from = connection_.of(message.sender);
  from.negotiated = {.min_version = request->min_version,
                     .max_version = request->max_version,
                     .preferred_send_size = request->preferred_send_size,
                     .max_receive_size = request->max_receive_size,
                     .max_fragmented_size = request->max_fragmented_size,
                     .octets = fields_of(message, MessageType::negotiate_request)};
  connection_.of(listener).receipts.begin(0, request->credits_requested);
  connection_.of(listener).must_end = refusal_of(*request);
  connection_.happen(Connection::Event::requested);
  if (is_acceptable(*request) && connection_.from_start)
    owed_.owe(Owed::negotiate_response, listener, message.time_ns + kPromptly, message);
}

void Tracker::follow_response(Facts& facts) {
  const Message& message = facts.message();
  facts.kind = Kind::response;
  facts.response = {.is_asked_for = connection_.stage() == Stage::requested};
  owed_.settle(Owed::negotiate_response, message.sender, message.time_ns, facts.owed);
  const auto response = decode_negotiate_response(message.octets);
  const bool is_read =
      facts.response->is_asked_for && response && !has_swapped_versions(response->min_version, response->max_version);
  if (!is_read) {
    give_up_negotiation();
    // An initiator that has asked for nothing yet may send its Request without having received this.
    Way& initiator = connection_.of(other(message.sender));
    if (!response && !message.is_cut() && initiator.negotiated) initiator.must_end = Refusal::response_short;
    return;
  }
  if (response->status == status::kSuccess)
    establish(facts, *response);
  else
    refuse(facts);
}

void Tracker::refuse(Facts& facts) {
  const Message& message = facts.message();
  facts.response->owed_refusal = std::exchange(connection_.of(message.sender).must_end, std::nullopt);
  connection_.happen(Connection::Event::refused);
  connection_.of(message.sender).negotiated.emplace();
  owed_.owe(Owed::end_after_failure, message.sender, message.time_ns + kPromptly, message);
}

void Tracker::establish(Facts& facts, const NegotiateResponse& response) {
  const Message& message = facts.message();
  Way& from = connection_.of(message.sender);
  Way& to = connection_.of(other(message.sender));
  ResponseFact& fact = *facts.response;
  if (to.negotiated) fact.request = {to.negotiated->preferred_send_size, to.negotiated->max_receive_size};
  fact.owed_refusal = std::exchange(from.must_end, std::nullopt);
  fact.grant = {.is_account_known = to.account_known, .credits = to.credits, .target = from.receipts.target()};
  from.negotiated = {.min_version = response.min_version,
                     .max_version = response.max_version,
                     .preferred_send_size = response.preferred_send_size,
                     .max_receive_size = response.max_receive_size,
                     .max_fragmented_size = response.max_fragmented_size,
                     .max_read_write_size = response.max_read_write_size,
                     .octets = fields_of(message, MessageType::negotiate_response)};
  to.receipts.begin(response.credits_granted, response.credits_requested);
  to.must_end = refusal_of(response, to.negotiated);
  to.credits = response.credits_granted;
  to.was_granted = true;
  connection_.happen(Connection::Event::accepted);
}

// --- Data Transfers

bool Tracker::is_followed(Facts& facts) {
  const Octets octets = facts.message().octets;
  Way& from = connection_.of(facts.message().sender);
  const bool is_initiator = from.role == Role::initiator;
  if (is_initiator) facts.ignored_refusal = std::exchange(from.must_end, std::nullopt);
  if (from.negotiated || from.transfers > 0) {
    // An unmistakable negotiate message is a repetition even after a Data Transfer.
    const OctetBuffer* const before =
        from.negotiated && !from.negotiated->octets.empty() ? &from.negotiated->octets : nullptr;
    const bool is_same = before != nullptr && octets.size() >= before->size() &&
                         std::equal(before->begin(), before->end(), octets.begin());
    facts.is_another_negotiation = is_same || is_request(octets) || is_response(octets) || is_failure(octets);
    if (*facts.is_another_negotiation) {
      connection_.forget_credits();
      return false;
    }
  }
  if (is_initiator && from.transfers == 0 && connection_.stage() != Stage::unknown)
    facts.is_established = connection_.stage() == Stage::established;
  const bool answers = from.role == Role::responder && from.must_end == Refusal::request_short;
  if (answers && (is_response(octets) || is_failure(octets)))
    facts.missing_refusal = std::exchange(from.must_end, std::nullopt);
  // It may be a negotiate message with a fault, or a Negotiate Request that the trace has after its Response.
  const bool may_negotiate = connection_.stage() == Stage::unknown || (is_initiator && !from.negotiated);
  if (may_negotiate && from.transfers == 0 && !is_transfer(octets)) return false;
  if (connection_.stage() != Stage::requested) return true;
  connection_.forget_credits();  // its credits are not those of this account
  ++from.transfers;
  return false;
}

// Finds a message for which a side had to end the connection, and which it has accepted instead: the side sends
// although it has certainly received the message. That is proven if it spends a credit that this or a later message
// granted, or by acknowledgments of the layer below.
void Tracker::find_accepted(Facts& facts, Way& from) {
  if (!from.refused.why || !from.account_known || !from.receipts.has(from.refused.proof)) return;
  facts.accepted = {.why = *std::exchange(from.refused, {}).why, .shown_by = Receipt::credit};
}

// It is proven, too, if the side names what only this or a later message has told it.
void Tracker::find_accepted_by_name(Facts& facts, Way& from, bool is_named_later, Receipt shown_by) {
  if (!is_named_later || !from.refused.why || !connection_.from_start) return;
  facts.accepted = {.why = *std::exchange(from.refused, {}).why, .shown_by = shown_by};
}

// Looks at the first SMB2 message of a payload that begins an upper-layer message.
void Tracker::find_answered(Facts& facts, Way& from, const Way& to) {
  const DataTransfer& data = facts.transfer->data;
  if (!from.refused.why || from.fragments.open || !is_payload_placed(data, facts.length())) return;
  const auto header = smb2::decode_header(data.buffer);
  if (!header || !header->is_response()) return;
  find_accepted_by_name(facts, from, to.lent.requests_after_mark(header->message_id), Receipt::request);
}

namespace {

// The checks of 3.1.5.8 before anything of the message is processed.
std::optional<TransferRefusal> refusal_of(const DataTransfer& data, std::size_t length, const Way& receiver) {
  if (data.credits_requested == 0) return TransferRefusal::credits;
  if (data.data_length == 0 && data.remaining_data_length > 0) return std::nullopt;  // SMBD/A14
  if (data.data_offset % kDataAlignment != 0) return TransferRefusal::alignment;
  if (data.data_end() > length) return TransferRefusal::bounds;
  if (receiver.negotiated && data.announced() > receiver.negotiated->max_fragmented_size)
    return TransferRefusal::fragmented_size;
  return std::nullopt;
}

// Returns true if the sequence ends although octets remain. After the first wrong value, it is unknown how the receiver
// counts (SMBD/A14, SMBD/A15, SMBD/A16).
bool ends_early(const DataTransfer& data, ReassemblyRemaining& at) {
  if (data.data_length == 0 && data.remaining_data_length > 0) at.known = false;
  if (at.remaining == 0)
    at.remaining = data.remaining_data_length;
  else if (data.data_length <= at.remaining)
    at.remaining -= data.data_length;
  else
    at.known = false;
  if (data.remaining_data_length > 0) return false;
  const ReassemblyRemaining was = std::exchange(at, {});
  return was.known && was.remaining > 0;
}

// `proof`: the number of the message whose receipt shows that the receiver has accepted this one.
void refuse_by(Way& receiver, TransferRefusal why, std::uint64_t proof, Way& sender) {
  if (receiver.refused.why) return;
  receiver.refused = {.why = why, .proof = proof};
  sender.lent.mark();
}

}  // namespace

void Tracker::take_short_transfer(Facts& facts, Way& from, Way& to) {
  if (from.credits > 0) --from.credits;
  from.receipts.spend();
  find_accepted(facts, from);
  to.receipts.pass(0, to.receipts.target());
  refuse_by(to, TransferRefusal::too_short, to.receipts.passed(), from);
  to.asking = {};
}

void Tracker::follow_transfer(Facts& facts) {
  const Message& message = facts.message();
  if (!is_followed(facts)) return;
  facts.kind = Kind::transfer;
  settle_answer(facts);
  if (is_swapped_transfer(message.octets)) return connection_.forget_credits();
  Way& from = connection_.of(message.sender);
  Way& to = connection_.of(other(message.sender));
  const auto data = decode_data_transfer(message.octets);
  if (!data) return take_short_transfer(facts, from, to);
  TransferFact& fact = facts.transfer.emplace();
  fact.data = *data;
  if (const auto token = facts.delivery.invalidated_stag) {
    find_accepted_by_name(facts, from, to.lent.lends_after_mark(*token), Receipt::token);
    invalidate(fact, *token, from, to);
  }
  find_answered(facts, from, to);
  if (const auto why = refusal_of(*data, facts.length(), to)) refuse_by(to, *why, to.receipts.passed() + 1, from);
  take_payload(fact, facts.delivery, from, to);
  keep_account(facts, from, to);
  keep_alive(message, *data, to);
  ++from.transfers;
  from.has_sent_payload |= data->data_length > 0;
}

namespace {

// Records the segment's part in the upper-layer message that has begun, or that begins with it, and counts its octets.
void count_segment(SegmentFact& fact, const DataTransfer& data, bool invalidates, Fragments& fragments) {
  if (fragments.open) {
    fact.left = fragments.left;
    fact.is_invalidated_again = fragments.invalidated && invalidates;
    if (data.announced() != fragments.left) {  // the next segment continues it, or begins another message
      fragments = {};
      return;
    }
    invalidates |= fragments.invalidated;
  }
  fragments = {.open = data.remaining_data_length > 0, .left = data.remaining_data_length, .invalidated = invalidates};
}

}  // namespace

void Tracker::take_payload(TransferFact& fact, const Delivery& delivery, Way& from, Way& to) {
  const DataTransfer& data = fact.data;
  const std::size_t length = delivery.message.wire_length;
  if (to.negotiated) fact.max_receive_size = to.negotiated->max_receive_size;
  if (data.is_empty()) {
    if (from.fragments.open) fact.left = from.fragments.left;
    return;
  }
  if (length <= describe(MessageType::data_transfer).octets || !is_payload_placed(data, length)) {
    from.fragments = {};
    connection_.forget_lent();
    return;
  }
  SegmentFact& segment = fact.segment.emplace();
  segment.max_send_size = connection_.max_send_size(from);
  if (to.negotiated) segment.max_fragmented_size = to.negotiated->max_fragmented_size;
  count_segment(segment, data, delivery.invalidated_stag.has_value(), from.fragments);
  from.lent.take(data.buffer, data.remaining_data_length > 0, to.lent);
}

// Two segments of one message that do so are a matter of SMBD-3.1.5.4-21.
void Tracker::invalidate(TransferFact& fact, std::uint32_t token, const Way& from, Way& to) {
  const bool is_same_message = from.fragments.open && from.fragments.invalidated;
  const bool is_again = !to.lent.invalidate(token);
  if (is_again && !is_same_message && connection_.from_start) fact.token_invalidated_twice = token;
}

void Tracker::keep_account(Facts& facts, Way& from, Way& to) {
  TransferFact& fact = *facts.transfer;
  const DataTransfer& data = fact.data;
  from.receipts.spend();
  if (facts.delivery.may_miss == 0) from.receipts.prove_all();
  find_accepted(facts, from);
  if (from.account_known) {
    if (from.role == Role::responder && from.transfers == 0) fact.is_listener_granted = from.was_granted;
    fact.credit = {.was_granted = from.was_granted, .credits = from.credits};
    if (data.requests_response()) fact.asking = from.asking;
  }
  fact.grant = {.is_account_known = to.account_known,
                .credits = to.credits,
                .target = from.receipts.target(),
                .is_own_account_known = from.account_known,
                .own_credits = from.credits,
                .own_at_least = from.receipts.credits_at_least(),
                .has_received_all = from.receipts.has_all()};
  if (from.credits == 0)
    from.account_known = false;  // more were granted than the trace shows
  else
    --from.credits;
  to.receipts.pass(data.credits_granted, data.credits_requested);
  // An early end is found only after the credits have been taken, and messages that waited for credits may have been
  // sent.
  if (ends_early(data, from.reassembly)) refuse_by(to, TransferRefusal::early_end, to.receipts.passed() + 1, from);
  to.asking = {};
  if (data.requests_response() && from.asking.asked_before++ == 0) from.asking.may_come = from.receipts.not_processed();
  if (data.credits_granted == 0) return;
  to.credits += data.credits_granted;
  to.was_granted = true;
}

// Any message is an answer, also a faulty one.
void Tracker::settle_answer(Facts& facts) {
  Obligations<Owed>::Facts settled;
  owed_.settle(Owed::answer, facts.message().sender, facts.message().time_ns, settled);
  if (!settled.empty()) facts.answer = settled.front();
}

// A side without credits cannot answer. An answer may ask again (SMBD/A4).
void Tracker::keep_alive(const Message& message, const DataTransfer& data, const Way& to) {
  if (data.requests_response() && to.account_known && to.credits > 0 && !to.ended)
    owed_.owe(Owed::answer, to.side, message.time_ns + kPromptly, message);
}

}  // namespace wirelaw::smbd
