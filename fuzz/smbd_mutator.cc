// SPDX-License-Identifier: Apache-2.0
#include "fuzz/smbd_mutator.h"

#include <algorithm>
#include <array>
#include <vector>

#include "corpora/formats/records.h"
#include "fuzz/iwarp_mutator.h"
#include "fuzz/record_mutator.h"
#include "fuzz/smbd_turns.h"
#include "reference/ddp/segment.h"
#include "reference/rdmap/message.h"
#include "reference/smbd/message.h"

// Defined by libFuzzer and by engines with its interface; null elsewhere.
extern "C" [[gnu::weak]] std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace wirelaw::fuzz {
namespace {

constexpr std::size_t kHonestPercent = 60;
constexpr std::size_t kNegotiationPercent = 10;

bool chance(Random& random, std::size_t percent) {
  return random() % 100 < percent;
}

// Returns the new size; the old one if there is no room.
std::size_t put(Octets octets, std::span<Octet> buffer, std::size_t unchanged) {
  if (octets.size() > buffer.size()) return unchanged;
  std::ranges::copy(octets, buffer.begin());
  return octets.size();
}

void mutate_turns(Turns& turns, Random& random, const CreditRules& rules) {
  change_turns(turns, random, rules);
  make_consistent(turns, rules);
  if (!chance(random, kHonestPercent)) break_one_turn(turns, random);
}

// --- messages

Turn turn_of(const smbd::DataTransfer& message) {
  Turn turn;
  turn.data.assign(message.buffer.begin(), message.buffer.end());
  const std::uint32_t offset = turn.data.empty() ? 0 : smbd::kUsualDataOffset;
  turn.what = {.remaining = message.remaining_data_length,
               .credits_requested = message.credits_requested,
               .credits_granted = message.credits_granted,
               .flags = message.flags,
               .data_offset = message.data_offset - offset,
               .data_length = message.data_length - static_cast<std::uint32_t>(turn.data.size()),
               .trailing = static_cast<Octet>(std::min<std::size_t>(message.trailing.size(), 0xff))};
  return turn;
}

OctetBuffer octets_of(const Turn& turn) {
  const bool has_data = !turn.data.empty();
  const OctetBuffer padding(has_data ? smbd::kUsualDataOffset - smbd::describe(smbd::MessageType::data_transfer).octets
                                     : 0);
  const OctetBuffer trailing(turn.what.trailing);
  return smbd::encode(
      smbd::DataTransfer{.credits_requested = turn.what.credits_requested,
                         .credits_granted = turn.what.credits_granted,
                         .flags = turn.what.flags,
                         .remaining_data_length = turn.what.remaining,
                         .data_offset = (has_data ? smbd::kUsualDataOffset : 0) + turn.what.data_offset,
                         .data_length = static_cast<std::uint32_t>(turn.data.size()) + turn.what.data_length,
                         .padding = padding,
                         .buffer = turn.data,
                         .trailing = trailing});
}

// Sets one field of a negotiate message to a valid value, or near a limit.
void change_negotiation(std::span<Octet> octets, bool requests, Random& random) {
  static constexpr std::uint32_t kValues[] = {0, 1, 2, 0x0100, 0x0200, 24, 127, 128, 152, 1364, 8192, 131'071, 131'072};
  const auto fields =
      smbd::describe(requests ? smbd::MessageType::negotiate_request : smbd::MessageType::negotiate_response).fields;
  const smbd::FieldRow& row = fields[random() % fields.size()];
  if (octets.size() < std::size_t{row.offset} + row.width) return;
  const std::uint32_t value =
      chance(random, 80) ? kValues[random() % std::size(kValues)] : static_cast<std::uint32_t>(random());
  for (std::size_t i = 0; i < row.width; ++i) octets[row.offset + i] = static_cast<Octet>(value >> (8 * i));
}

// --- steps and streams: turns among records that stay unchanged

struct Entry {
  Octet control = 0;
  OctetBuffer octets;
  bool is_turn = false;
};
using Entries = std::vector<Entry>;

Entries read_entries(Octets octets) {
  Entries entries;
  for (const corpora::Record& record : corpora::read_records(octets))
    entries.push_back({record.control, {record.octets.begin(), record.octets.end()}});
  return entries;
}

// The turns in their new order, and the other records near their old places; the first `beginning` of them come first.
// `write` makes an entry from a turn.
template <class Write>
Entries with_turns(const Entries& entries, const Turns& turns, std::size_t beginning, Write write) {
  Entries out;
  std::size_t next = 0;
  const auto others_up_to = [&](std::size_t end) {
    for (; next < end && next < entries.size(); ++next)
      if (!entries[next].is_turn) out.push_back(entries[next]);
  };
  others_up_to(beginning);
  for (const Turn& turn : turns) {
    others_up_to(turn.carrier);
    out.push_back(write(turn));
  }
  others_up_to(entries.size());
  return out;
}

OctetBuffer joined(Octets prologue, const Entries& entries) {
  OctetBuffer out(prologue.begin(), prologue.end());
  for (const Entry& one : entries) corpora::append_record(out, one.control, one.octets);
  return out;
}

// --- streams

bool is_send(const ddp::Header& header) {
  const auto* const row = rdmap::find_opcode(rdmap::decode_control(header.rsvd_ulp).opcode);
  return !header.tagged && row != nullptr && row->queue == 0 && header.last && header.mo == 0;
}

struct Conversation {
  Entries entries;
  Turns turns;
  std::size_t beginning = 0;  // entries up to the end of the negotiation
  CreditRules rules;
};

// Reads whole Sends; the first of each side is its negotiate message.
Conversation read_conversation(Octets pieces, Random& random) {
  namespace control = corpora::stream_control;
  Conversation conversation{.entries = read_entries(pieces)};
  std::array<bool, 2> negotiated{};
  std::array<std::uint32_t, 2> credits{};
  for (std::size_t i = 0; i < conversation.entries.size(); ++i) {
    Entry& entry = conversation.entries[i];
    if ((entry.control & control::kKind) != control::kUlpdu) continue;
    const auto segment = ddp::decode(entry.octets);
    if (!segment || !is_send(segment->header)) continue;
    const bool b = (entry.control & control::kSideB) != 0;
    if (!negotiated[b ? 1 : 0]) {
      const bool requests = !negotiated[b ? 0 : 1];
      negotiated[b ? 1 : 0] = true;
      conversation.beginning = i + 1;
      const std::size_t header = entry.octets.size() - segment->payload.size();
      if (chance(random, kNegotiationPercent))
        change_negotiation(std::span(entry.octets).subspan(header), requests, random);
      if (const auto response = smbd::decode_negotiate_response(Octets(entry.octets).subspan(header));
          !requests && response)
        credits[b ? 0 : 1] = response->credits_granted;
      continue;
    }
    const auto message = smbd::decode_data_transfer(segment->payload);
    if (!message) continue;
    Turn turn = turn_of(*message);
    turn.b = b;
    turn.carrier = i;
    entry.is_turn = true;
    conversation.turns.push_back(std::move(turn));
  }
  conversation.rules.begin = credits;
  return conversation;
}

// Corrects MSNs and the other dependent fields of DDP segments.
void make_streams_consistent(Entries& entries) {
  namespace control = corpora::stream_control;
  for (const Octet side : {Octet{0}, control::kSideB}) {
    const auto is_of_side = [&](const Entry& one) {
      return (one.control & (control::kKind | control::kSideB)) == (control::kUlpdu | side);
    };
    Ulpdus ulpdus;
    for (const Entry& one : entries)
      if (is_of_side(one)) ulpdus.push_back(one.octets);
    make_consistent(ulpdus);
    std::size_t next = 0;
    for (Entry& one : entries)
      if (is_of_side(one)) one.octets = std::move(ulpdus[next++]);
  }
}

}  // namespace

std::size_t mutate_smbd_message(std::span<Octet> buffer, std::size_t size, std::uint32_t seed) {
  Random random(seed);
  if (LLVMFuzzerMutate != nullptr && chance(random, 50)) return LLVMFuzzerMutate(buffer.data(), size, buffer.size());
  const OctetBuffer octets(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(size));
  if (chance(random, 20)) {
    change_negotiation(buffer.first(size), chance(random, 50), random);
    return size;
  }
  const auto message = smbd::decode_data_transfer(octets);
  Turns turns{message ? turn_of(*message) : Turn{}};
  mutate_turns(turns, random, {});
  return turns.empty() ? size : put(octets_of(turns[random() % turns.size()]), buffer, size);
}

std::size_t mutate_smbd_script(std::span<Octet> buffer, std::size_t size, std::uint32_t seed) {
  namespace step = corpora::smbd_step;
  Random random(seed);
  if (size < corpora::kSmbdSettings || chance(random, 50)) return mutate(kSmbdStepsShape, buffer, size, seed);
  const OctetBuffer input(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(size));
  Entries entries = read_entries(Octets(input).subspan(corpora::kSmbdSettings));
  Turns turns;
  std::size_t beginning = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto kind = static_cast<Octet>(entries[i].control & step::kKind);
    if (kind == step::kNegotiate && beginning == 0) beginning = i + 1;
    if (kind != step::kTransfer) continue;
    entries[i].is_turn = true;
    Turn turn{.carrier = i, .what = corpora::read_smbd_transfer(entries[i].octets)};
    turn.data.resize(turn.what.data % 2048);
    turns.push_back(std::move(turn));
  }
  // In steps only the peer sends, and its credits are relative to the honest state.
  mutate_turns(turns, random, {.least_requested = 0});
  const Entries out = with_turns(entries, turns, beginning, [&](const Turn& turn) {
    corpora::SmbdTransfer what = turn.what;
    what.data = static_cast<std::uint16_t>(turn.data.size());
    const Octet control = !turn.is_new && turn.carrier < entries.size()
                              ? entries[turn.carrier].control
                              : static_cast<Octet>(step::kTransfer | (chance(random, 10) ? step::kInvalidate : 0));
    return Entry{control, corpora::write_smbd_transfer(what)};
  });
  return put(joined(Octets(input).first(corpora::kSmbdSettings), out), buffer, size);
}

bool mutate_smbd_pieces(std::span<Octet> buffer, std::size_t& size, std::uint32_t seed) {
  namespace control = corpora::stream_control;
  if (size == 0) return false;
  Random random(seed);
  const OctetBuffer input(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(size));
  Conversation conversation = read_conversation(Octets(input).subspan(1), random);
  if (conversation.beginning == 0) return false;
  mutate_turns(conversation.turns, random, conversation.rules);
  const Entries& entries = conversation.entries;
  Entries out = with_turns(entries, conversation.turns, conversation.beginning, [&](const Turn& turn) {
    ddp::Header header{.last = true, .rsvd_ulp = rdmap::encode_control(rdmap::control_of(rdmap::Opcode::send))};
    if (!turn.is_new)
      if (const auto segment = ddp::decode(entries[turn.carrier].octets)) header = segment->header;
    OctetBuffer ulpdu;
    ddp::encode(header, ulpdu);
    const OctetBuffer message = octets_of(turn);
    ulpdu.insert(ulpdu.end(), message.begin(), message.end());
    return Entry{static_cast<Octet>(control::kUlpdu | (turn.b ? control::kSideB : Octet{0})), std::move(ulpdu)};
  });
  make_streams_consistent(out);
  size = put(joined(Octets(input).first(1), out), buffer, size);
  return true;
}

}  // namespace wirelaw::fuzz
