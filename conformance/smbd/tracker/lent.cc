// SPDX-License-Identifier: Apache-2.0
#include "conformance/smbd/tracker/lent.h"

#include <algorithm>
#include <array>
#include <utility>

#include "reference/smb2/bodies.h"

namespace wirelaw::smbd {
namespace {

constexpr Octet kPlain = 0xfe, kEncrypted = 0xfd, kCompressed = 0xfc;  // [MS-SMB2] 2.2.1, 2.2.41, 2.2.42
constexpr Octet kSmb1 = 0xff;                                          // [MS-CIFS] 2.2.3.1
constexpr std::uint32_t kPending = 0x00000103;                         // an interim response (2.2.1.1)
constexpr unsigned kMostUnnamed = 16;  // operations: the payloads are not searched for ever

bool is_smb(Octets message, Octet first) {
  return message.size() >= 4 && message[0] == first && message[1] == 'S' && message[2] == 'M' && message[3] == 'B';
}

bool holds(Octets octets, const std::array<Octet, 4>& wanted) {
  return std::search(octets.begin(), octets.end(), wanted.begin(), wanted.end()) != octets.end();
}

}  // namespace

void Lent::forget() {
  if (!mark_) payloads_ = {};
  has_all_payloads_ = false;
  invalidated_ = {};
  forget_buffers();
}

void Lent::forget_buffers() {
  buffers_ = {};
  returned_ = {};
  has_all_buffers_ = false;
}

std::size_t Lent::memory() const {
  return payloads_.capacity() + described_.memory() + buffers_.capacity() * sizeof(Buffer) +
         (returned_.capacity() + invalidated_.capacity()) * sizeof(std::uint32_t);
}

// ------------------------------------------------------------------------------------------------------- payloads

void Lent::take(Octets payload, bool more, Lent& response_to) {
  const bool is_first = !std::exchange(is_inside_, more);
  const bool is_hidden = is_first && (is_smb(payload, kEncrypted) || is_smb(payload, kCompressed));
  if (is_first) tail_octets_ = 0;
  lend_again(payload, !is_hidden);
  only_smb2_ &= !is_first || is_smb(payload, kPlain);
  if (mark_ && !has_all_payloads_) keep(payload);
  if (!has_all_payloads_ && !has_all_buffers_ && !response_to.has_all_buffers_) return;
  if (is_hidden) {
    forget();
    response_to.forget_buffers();
    return;
  }
  if (has_all_payloads_) keep(payload);
  if (is_first && is_smb(payload, kPlain)) take_smb2(payload, response_to);
}

void Lent::keep(Octets payload) {
  if (payload.size() > kMostOctets - payloads_.size()) return forget_payloads();
  payloads_.insert(payloads_.end(), payload.begin(), payload.end());
}

void Lent::forget_payloads() {
  payloads_ = {};
  has_all_payloads_ = false;
  mark_.reset();
}

// The token is in little-endian order (2.2). A provider may give it to its upper layer in network order. It may begin
// in the previous segment.
bool Lent::is_named_now(Octets payload, std::uint32_t token) const {
  std::array<Octet, 4> wanted;
  std::array<Octet, 6> seam{};
  std::copy_n(tail_.begin(), tail_octets_, seam.begin());
  const std::size_t begins = std::min<std::size_t>(payload.size(), 3);
  std::copy_n(payload.begin(), begins, seam.begin() + static_cast<std::ptrdiff_t>(tail_octets_));
  const Octets across = Octets(seam).first(tail_octets_ + begins);
  store_little_endian(wanted.data(), token);
  if (holds(payload, wanted) || holds(across, wanted)) return true;
  std::ranges::reverse(wanted);
  return holds(payload, wanted) || holds(across, wanted);
}

// Tokens that were invalidated may be lent again: by a payload that names them, or by one that cannot be read.
void Lent::lend_again(Octets payload, bool is_readable) {
  if (!is_readable) invalidated_.clear();
  std::erase_if(invalidated_, [&](std::uint32_t token) { return is_named_now(payload, token); });
  if (payload.size() < tail_.size()) {
    invalidated_.clear();  // a token may be in more than two segments
    tail_octets_ = 0;
    return;
  }
  std::copy_n(payload.end() - static_cast<std::ptrdiff_t>(tail_.size()), tail_.size(), tail_.begin());
  tail_octets_ = tail_.size();
}

// ----------------------------------------------------------------------------------------------------------- SMB2

// Takes the first segment of a message; the rest of the message is not available.
void Lent::take_smb2(Octets message, Lent& response_to) {
  for (std::size_t at = 0;;) {
    const Octets rest = message.subspan(at);
    const auto header = smb2::decode_header(rest);
    if (!header) return forget_buffers();
    const std::size_t next = header->next_command;
    if (next != 0 && (next < smb2::kHeaderOctets || next > rest.size())) return forget_buffers();
    const Octets element = next == 0 ? rest : rest.first(next);
    if (header->is_response())
      response_to.take_response(*header);
    else if (!take_request(*header, element))
      return forget_buffers();
    if (next == 0) return;
    at += next;
  }
}

namespace {

struct Channel {
  std::uint32_t kind = 0;
  std::uint16_t offset = 0, length = 0;
};

// [MS-SMB2] 2.2.19, 2.2.21
std::optional<Channel> channel_of(const smb2::Header& header, Octets body) {
  if (header.command == smb2::command::kRead) {
    const auto request = smb2::body_of<smb2::ReadRequest>(body);
    if (!request) return std::nullopt;
    return Channel{request->channel, request->channel_info_offset, request->channel_info_length};
  }
  if (header.command != smb2::command::kWrite) return Channel{};
  const auto request = smb2::decode_write_request(body);
  if (!request) return std::nullopt;
  return Channel{request->channel, request->channel_info_offset, request->channel_info_length};
}

}  // namespace

// Returns false if its descriptors cannot be decoded.
bool Lent::take_request(const smb2::Header& header, Octets element) {
  if (!has_all_buffers_) return true;
  const auto channel = channel_of(header, element.subspan(smb2::kHeaderOctets));
  if (!channel) return false;
  if (channel->kind != smb2::channel::kRdmaV1 && channel->kind != smb2::channel::kRdmaV1Invalidate) {
    if (channel->kind != 0) {  // it may lend any of them
      returned_.clear();
      only_smb2_ = false;
    }
    return true;
  }
  const auto info = smb2::part_of(element, channel->offset, channel->length);
  constexpr std::size_t kOctets = smb2::ChannelBuffer::kOctets;
  if (!info || info->size() % kOctets != 0 || info->size() / kOctets > kMostBuffers - buffers_.size()) return false;
  if (buffers_.capacity() == 0) buffers_.reserve(kMostBuffers);
  for (Reader reader(*info); reader.remaining() > 0;) {
    Buffer one{.message_id = header.message_id, .is_written = header.command == smb2::command::kRead};
    one.offset = reader.little_endian<std::uint64_t>();
    one.token = reader.little_endian<std::uint32_t>();
    one.length = reader.little_endian<std::uint32_t>();
    buffers_.push_back(one);
    std::erase(returned_, one.token);
  }
  return true;
}

// The other side completes its operations for a request before it responds.
void Lent::take_response(const smb2::Header& header) {
  if (header.status == kPending) return;
  for (const Buffer& one : buffers_)
    if (one.message_id == header.message_id) give_back(one.token);
  std::erase_if(buffers_, [&](const Buffer& one) { return one.message_id == header.message_id; });
}

// Another request may lend it all the same.
void Lent::give_back(std::uint32_t token) {
  if (std::ranges::find(returned_, token) != returned_.end()) return;
  if (returned_.size() == kMostReturned) returned_.erase(returned_.begin());
  returned_.push_back(token);
}

bool Lent::invalidate(std::uint32_t token) {
  if (std::ranges::find(invalidated_, token) != invalidated_.end()) return false;
  if (invalidated_.size() == kMostInvalidated) invalidated_.erase(invalidated_.begin());
  invalidated_.push_back(token);
  if (!has_token(token)) return true;
  give_back(token);
  std::erase_if(buffers_, [&](const Buffer& one) { return one.token == token; });
  return true;
}

// ------------------------------------------------------------------------------------------------------- the mark

// A payload that looks encrypted or compressed, or like a request of SMB1, which an SMB2 response answers, may name
// anything.
void Lent::mark() {
  const auto may_hide = [&](Octet first) { return holds(payloads_, {first, 'S', 'M', 'B'}); };
  mark_.reset();
  if (!has_all_payloads_)
    payloads_ = {};
  else if (!may_hide(kEncrypted) && !may_hide(kCompressed) && !may_hide(kSmb1))
    mark_ = payloads_.size();
}

bool Lent::lends_after_mark(std::uint32_t token) const {
  if (!mark_ || !has_token(token)) return false;
  const Octets before = Octets(payloads_).first(*mark_);
  std::array<Octet, 4> wanted;
  store_little_endian(wanted.data(), token);
  if (holds(before, wanted)) return false;
  std::ranges::reverse(wanted);
  return !holds(before, wanted);
}

namespace {

constexpr std::uint64_t kNoRequest = static_cast<std::uint64_t>(-1);  // MessageId of a notification (2.2.23.1)

// Returns true if an SMB2 message with this MessageId is anywhere in these octets. `if_cut` is the answer if one may
// begin at the end of the octets and continue after it.
bool has_message(Octets octets, std::uint64_t message_id, bool if_cut) {
  for (std::size_t at = 0; at < octets.size(); ++at) {
    const Octets rest = octets.subspan(at);
    if (rest.front() != kPlain || (rest.size() >= 4 && !is_smb(rest, kPlain))) continue;
    const auto header = smb2::decode_header(rest);
    if (!header) return if_cut;
    if (header->message_id == message_id) return true;
  }
  return false;
}

}  // namespace

bool Lent::requests_after_mark(std::uint64_t message_id) const {
  if (!mark_ || message_id == kNoRequest) return false;
  return !has_message(Octets(payloads_).first(*mark_), message_id, true) &&
         has_message(Octets(payloads_).subspan(*mark_), message_id, false);
}

// ----------------------------------------------------------------------------------------------------- operations

bool Lent::has_token(std::uint32_t token) const {
  return std::ranges::any_of(buffers_, [&](const Buffer& one) { return one.token == token; });
}

// One operation may go over several buffers that are neighbours.
bool Lent::covers(const RemoteRange& range, std::optional<bool> writes) const {
  const std::uint64_t end = range.offset + range.length;
  if (end < range.offset) return false;
  for (std::uint64_t at = range.offset; at < end;) {
    const auto here = std::ranges::find_if(buffers_, [&](const Buffer& one) {
      return one.token == range.stag && (!writes || one.is_written == *writes) && at >= one.offset &&
             at - one.offset < one.length;
    });
    if (here == buffers_.end()) return false;
    const std::uint64_t left = here->length - (at - here->offset);
    if (end - at <= left) return true;
    at += left;
  }
  return true;
}

// If several requests have the token, it is not known which of them the operation serves.
LentUse Lent::count(const RemoteRange& range) {
  const auto with_token = [&](const Buffer& one) { return one.token == range.stag; };
  const auto found = std::ranges::find_if(buffers_, with_token);
  const std::uint64_t id = found->message_id;
  if (std::ranges::any_of(buffers_, [&](const Buffer& one) { return with_token(one) && one.message_id != id; }))
    return {Use::fits};
  const auto of_request = [&](const Buffer& one) { return one.message_id == id; };
  std::uint64_t room = 0;
  for (const Buffer& one : buffers_) room += of_request(one) ? one.length : 0;
  Buffer& first = *std::ranges::find_if(buffers_, of_request);
  const std::uint64_t before = first.moved;
  first.moved += range.length;
  if (first.moved <= room) return {Use::fits, before};
  return {before <= room ? Use::too_much : Use::fits};
}

LentUse Lent::use(const RemoteRange& range, bool writes) {
  if (std::ranges::find(invalidated_, range.stag) != invalidated_.end()) return {Use::ended};
  if (!has_all_buffers_ || !has_token(range.stag)) return {use_of_unlisted(range)};
  if (!covers(range, {})) return {Use::outside};
  if (!covers(range, writes)) return {Use::backwards};
  return count(range);
}

// No waiting SMB2 request is known to lend its token.
Use Lent::use_of_unlisted(const RemoteRange& range) {
  if (has_all_buffers_ && std::ranges::find(returned_, range.stag) != returned_.end()) return Use::over;
  if (!has_all_payloads_) return has_all_buffers_ && only_smb2_ ? Use::over : Use::unknown;
  if (described_.find(payloads_, range.stag)) return described_.contradicts(range) ? Use::undescribed : Use::fits;
  if (++unnamed_ < kMostUnnamed) return Use::unnamed;
  forget_payloads();
  return Use::unnamed;
}

}  // namespace wirelaw::smbd
