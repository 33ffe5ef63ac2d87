// SPDX-License-Identifier: Apache-2.0
#include "fuzz/iwarp_mutator.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "corpora/formats/mpa_stream.h"
#include "corpora/formats/records.h"
#include "reference/ddp/segment.h"
#include "reference/mpa/deframer.h"
#include "reference/mpa/start_frame.h"
#include "reference/rdmap/message.h"

// Defined by libFuzzer and by engines with its interface; null elsewhere.
extern "C" [[gnu::weak]] std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace wirelaw::fuzz {
namespace {

constexpr std::size_t kHonestPercent = 60;
constexpr std::size_t kMostSegments = 128;
constexpr std::size_t kMostNewPayload = 600;

std::size_t below(Random& random, std::size_t bound) {
  return random() % bound;
}
bool chance(Random& random, std::size_t percent) {
  return below(random, 100) < percent;
}

template <class Container>
auto at(Container& items, std::size_t index) {
  return items.begin() + static_cast<std::ptrdiff_t>(index);
}
template <class Container>
auto& any(Container& items, Random& random) {
  return items[below(random, items.size())];
}

OctetBuffer random_octets(Random& random, std::size_t count) {
  OctetBuffer octets(count);
  for (Octet& octet : octets) octet = static_cast<Octet>(random());
  return octets;
}

template <class Int>
Int interesting(Int value, Random& random) {
  static constexpr std::uint64_t kValues[] = {
      0,    1,     2,      3,      4,      7,          8,          13,
      14,   17,    18,     28,     45,     46,         512,        1024,
      64,   70,    22,     24,     128,    255,        256,        1454,
      4096, 65535, 0x7fff, 0x8000, 0x3fff, 0x7fffffff, 0x80000000, ~std::uint64_t{0}};
  switch (below(random, 5)) {
    case 0:
      return static_cast<Int>(value + 1);
    case 1:
      return static_cast<Int>(value - 1);
    case 2:
      return static_cast<Int>(value ^ (std::uint64_t{1} << below(random, 8 * sizeof(Int))));
    case 3:
      return static_cast<Int>(0 - static_cast<std::uint64_t>(below(random, 512)));  // near the wrap
    default:
      return static_cast<Int>(kValues[below(random, std::size(kValues))]);
  }
}

// --- segments -----------------------------------------------------------------------------------------------------

struct Segment {
  ddp::Header header;
  OctetBuffer payload;
};

std::optional<Segment> read(const OctetBuffer& ulpdu) {
  const auto segment = ddp::decode(ulpdu);
  if (!segment) return std::nullopt;
  return Segment{segment->header, {segment->payload.begin(), segment->payload.end()}};
}

OctetBuffer write(const Segment& segment) {
  OctetBuffer out;
  out.reserve(segment.header.octets() + segment.payload.size());
  ddp::encode(segment.header, out);
  out.insert(out.end(), segment.payload.begin(), segment.payload.end());
  if (out.size() > mpa::kMaxUlpdu) out.resize(mpa::kMaxUlpdu);
  return out;
}

// Changes a random segment; returns false if its header cannot be decoded.
template <class Change>
bool edit(Ulpdus& ulpdus, Random& random, Change change) {
  if (ulpdus.empty()) return false;
  OctetBuffer& ulpdu = any(ulpdus, random);
  auto segment = read(ulpdu);
  if (!segment) return false;
  change(*segment);
  ulpdu = write(*segment);
  return true;
}

OctetBuffer new_segment(Random& random) {
  const rdmap::OpcodeRow& row = rdmap::opcodes()[below(random, rdmap::opcodes().size())];
  const rdmap::Control control = rdmap::control_of(row.opcode);
  Segment segment{.header = {.tagged = row.tagged, .last = chance(random, 80), .rsvd_ulp = encode_control(control)},
                  .payload = {}};
  if (row.tagged) {
    segment.header.stag = static_cast<std::uint32_t>(random() % 4);
    segment.header.to = random() % 4096;
  } else {
    segment.header.qn = row.queue;
    segment.header.msn = ddp::kFirstMsn;
    if (row.invalidate_stag) segment.header.rsvd_ulp_rest = static_cast<std::uint32_t>(random() % 4);
  }
  const std::size_t octets = row.ulp_payload && chance(random, 80) ? below(random, kMostNewPayload) : 0;
  segment.payload = random_octets(random, row.header_octets + octets);
  return write(segment);
}

void insert(Ulpdus& ulpdus, Random& random) {
  if (ulpdus.size() >= kMostSegments) return;
  ulpdus.insert(at(ulpdus, below(random, ulpdus.size() + 1)), new_segment(random));
}
void remove(Ulpdus& ulpdus, Random& random) {
  const std::size_t from = below(random, ulpdus.size());
  const std::size_t count = chance(random, 60) ? 1 : 1 + below(random, ulpdus.size() - from);
  ulpdus.erase(at(ulpdus, from), at(ulpdus, from + count));
}
void duplicate(Ulpdus& ulpdus, Random& random) {
  if (ulpdus.size() >= kMostSegments) return;
  const OctetBuffer ulpdu = any(ulpdus, random);
  const std::size_t times = chance(random, 80) ? 1 : 1 + below(random, 4);
  ulpdus.insert(at(ulpdus, below(random, ulpdus.size() + 1)), times, ulpdu);
}
void move(Ulpdus& ulpdus, Random& random) {
  const std::size_t one = below(random, ulpdus.size());
  const std::size_t other = chance(random, 50) ? (one + 1) % ulpdus.size() : below(random, ulpdus.size());
  std::swap(ulpdus[one], ulpdus[other]);
}
void split(Ulpdus& ulpdus, Random& random) {
  const std::size_t which = below(random, ulpdus.size());
  auto first = read(ulpdus[which]);
  if (!first || first->payload.empty() || ulpdus.size() >= kMostSegments) return;
  Segment second = *first;
  const std::size_t octets = below(random, first->payload.size());
  second.payload.erase(second.payload.begin(), at(second.payload, octets));
  first->payload.resize(octets);
  first->header.last = false;
  second.header.mo += static_cast<std::uint32_t>(octets);
  second.header.to += octets;
  ulpdus[which] = write(*first);
  if (second.header.tagged) {
    second.header.mo = 0;
  } else {
    second.header.to = 0;
  }
  ulpdus.insert(at(ulpdus, which + 1), write(second));
}
void join(Ulpdus& ulpdus, Random& random) {
  const std::size_t which = below(random, ulpdus.size());
  if (which + 1 == ulpdus.size()) return;
  auto first = read(ulpdus[which]);
  const auto second = read(ulpdus[which + 1]);
  if (!first || !second) return;
  first->payload.insert(first->payload.end(), second->payload.begin(), second->payload.end());
  first->header.last = second->header.last;
  ulpdus[which] = write(*first);
  ulpdus.erase(at(ulpdus, which + 1));
}
void change_opcode(Ulpdus& ulpdus, Random& random) {
  edit(ulpdus, random, [&](Segment& segment) {
    segment.header.rsvd_ulp = static_cast<std::uint8_t>((segment.header.rsvd_ulp & 0xf0) | (random() & 15));
  });
}
void change_address(Ulpdus& ulpdus, Random& random) {
  edit(ulpdus, random, [&](Segment& segment) {
    ddp::Header& header = segment.header;
    if (!header.tagged) {
      header.rsvd_ulp_rest = interesting(header.rsvd_ulp_rest, random);
    } else if (chance(random, 30)) {
      header.stag = interesting(header.stag, random);
    } else {
      header.to = interesting(header.to, random);
    }
  });
}
// Changes a word of the RDMAP header, if any: Read Requests, Terminates and Atomics consist of words of four octets.
void change_word(Ulpdus& ulpdus, Random& random) {
  edit(ulpdus, random, [&](Segment& segment) {
    const std::size_t words = std::min<std::size_t>(segment.payload.size() / 4, 18);
    if (words == 0) return;
    Octet* const word = segment.payload.data() + 4 * below(random, words);
    store_big_endian(word, interesting(load_big_endian<std::uint32_t>(word), random));
  });
}
void change_length(Ulpdus& ulpdus, Random& random) {
  edit(ulpdus, random, [&](Segment& segment) {
    const std::size_t octets = segment.payload.size();
    segment.payload.resize(chance(random, 50) ? below(random, octets + 1) : octets + below(random, kMostNewPayload));
  });
}
// Copies a value that another segment may use: an STag or an offset.
void copy_address(Ulpdus& ulpdus, Random& random) {
  const auto from = read(any(ulpdus, random));
  if (!from || !from->header.tagged) return;
  edit(ulpdus, random, [&](Segment& segment) {
    if (!segment.header.tagged) return;
    segment.header.stag = from->header.stag;
    segment.header.to = from->header.to;
  });
}

using Change = void (*)(Ulpdus&, Random&);
constexpr Change kChanges[] = {insert,      insert,      duplicate,      remove,        move,
                               split,       split,       join,           change_opcode, change_word,
                               change_word, change_word, change_address, change_length, copy_address};

// --- faults -------------------------------------------------------------------------------------------------------

using Break = void (*)(Segment&, Random&);
constexpr Break kBreaks[] = {
    [](Segment& s, Random&) { s.header.last = !s.header.last; },
    [](Segment& s, Random& r) { s.header.reserved = static_cast<std::uint8_t>(1 + below(r, 15)); },
    [](Segment& s, Random& r) {
      s.header.version = static_cast<std::uint8_t>((s.header.version + 1 + below(r, 3)) & 3);
    },
    [](Segment& s, Random& r) { s.header.rsvd_ulp ^= static_cast<std::uint8_t>(0x10 << below(r, 2)); },
    [](Segment& s, Random& r) { s.header.rsvd_ulp ^= static_cast<std::uint8_t>(0x40 << below(r, 2)); },
    [](Segment& s, Random& r) { s.header.rsvd_ulp ^= static_cast<std::uint8_t>(1 + below(r, 15)); },
    [](Segment& s, Random& r) { (s.header.tagged ? s.header.stag : s.header.qn) = interesting(s.header.qn, r); },
    [](Segment& s, Random& r) { s.header.msn = interesting(s.header.msn, r); },
    [](Segment& s, Random& r) { s.header.mo = interesting(s.header.mo, r); },
    [](Segment& s, Random& r) { s.header.to = interesting(s.header.to, r); },
    [](Segment& s, Random& r) { s.header.rsvd_ulp_rest = interesting(s.header.rsvd_ulp_rest, r); },
    [](Segment& s, Random&) { s.header.tagged = !s.header.tagged; },
    [](Segment& s, Random& r) { s.payload.resize(below(r, s.payload.size() + 1)); },
    [](Segment& s, Random& r) { s.payload.resize(s.payload.size() + 1 + below(r, 8)); },
};

// --- for engines --------------------------------------------------------------------------------------------------

bool leave_to_engine(std::uint32_t seed) {
  return LLVMFuzzerMutate != nullptr && seed % 2 == 0;
}

std::size_t put(Octets octets, std::span<Octet> buffer, std::size_t from) {
  octets = octets.first(std::min(octets.size(), buffer.size() - from));
  std::ranges::copy(octets, at(buffer, from));
  return from + octets.size();
}

void mutate_segments(Ulpdus& ulpdus, Random& random) {
  change_segments(ulpdus, random);
  make_consistent(ulpdus);
}

}  // namespace

IwarpStream take_apart(Octets stream, bool start_frame, Framing framing) {
  IwarpStream parts;
  if (start_frame) {
    const auto frame = mpa::decode_start_frame(stream);
    const std::size_t octets = frame ? mpa::layout::kStartFrame + frame->private_data.size()
                                     : std::min(stream.size(), mpa::layout::kStartFrame);
    parts.start_frame.assign(stream.begin(), at(stream, octets));
    stream = stream.subspan(octets);
  }
  mpa::Deframer deframer(framing.markers, framing.crc);
  deframer.feed(stream);
  std::uint64_t end = 0;
  while (const auto fpdu = deframer.next()) {
    parts.ulpdus.emplace_back(fpdu->ulpdu().begin(), fpdu->ulpdu().end());
    end = fpdu->end;
  }
  parts.rest.assign(at(stream, static_cast<std::size_t>(end)), stream.end());
  return parts;
}

OctetBuffer put_together(const IwarpStream& stream, Framing framing, const FaultAt& fault) {
  OctetBuffer out = stream.start_frame;
  mpa::Framer framer(framing.markers, framing.crc);
  for (std::size_t i = 0; i < stream.ulpdus.size(); ++i)
    framer.frame(stream.ulpdus[i], out, i == fault.faulty ? fault.faults : mpa::FramingFaults{});
  out.insert(out.end(), stream.rest.begin(), stream.rest.end());
  return out;
}

void change_segments(Ulpdus& ulpdus, Random& random) {
  for (std::size_t times = 1 + below(random, 3); times > 0; --times) {
    const Change change = ulpdus.empty() ? insert : kChanges[below(random, std::size(kChanges))];
    change(ulpdus, random);
  }
}

namespace {

// Corrects segments one after the other. Keeps the current message of each queue, and of the tagged segments.
class Consistency {
 public:
  void apply(Segment& segment) {
    ddp::Header& header = segment.header;
    header.version = ddp::kVersion;
    header.reserved = 0;
    rdmap::Control control = rdmap::decode_control(header.rsvd_ulp);
    const rdmap::OpcodeRow* const row = rdmap::find_opcode(control.opcode);
    if (row == nullptr || row->tagged != header.tagged)
      control = rdmap::control_of(header.tagged ? rdmap::Opcode::write : rdmap::Opcode::send);
    header.rsvd_ulp = rdmap::encode_control({.opcode = control.opcode});
    if (header.tagged) {
      apply_tagged(segment);
    } else {
      apply_untagged(segment, *rdmap::find_opcode(control.opcode));
    }
  }

 private:
  void apply_tagged(Segment& segment) {
    ddp::Header& header = segment.header;
    if (tagged_)
      header = {
          .tagged = true, .last = header.last, .rsvd_ulp = tagged_->rsvd_ulp, .stag = tagged_->stag, .to = tagged_->to};
    tagged_.reset();
    if (header.last) return;
    tagged_ = header;
    tagged_->to += segment.payload.size();
  }

  void apply_untagged(Segment& segment, const rdmap::OpcodeRow& row) {
    ddp::Header& header = segment.header;
    header.qn = row.queue;
    if (const auto begun = untagged_.find(header.qn); begun != untagged_.end()) {
      const bool last = header.last;
      header = begun->second;
      header.last = last;
      untagged_.erase(begun);
    } else {
      header.msn = next_msn_.try_emplace(header.qn, ddp::kFirstMsn).first->second++;
      header.mo = 0;
      if (!row.invalidate_stag) header.rsvd_ulp_rest = 0;
      // The first segment of a message contains its whole RDMAP header.
      segment.payload.resize(std::max(segment.payload.size(), row.header_octets));
    }
    if (header.last) return;
    ddp::Header& rest = untagged_[header.qn] = header;
    rest.mo += static_cast<std::uint32_t>(segment.payload.size());
  }

  std::optional<ddp::Header> tagged_;              // header of the next tagged segment
  std::map<std::uint32_t, ddp::Header> untagged_;  // next header by queue
  std::map<std::uint32_t, std::uint32_t> next_msn_;
};

}  // namespace

void make_consistent(Ulpdus& ulpdus) {
  Consistency consistency;
  for (OctetBuffer& ulpdu : ulpdus) {
    auto segment = read(ulpdu);
    if (!segment) continue;
    consistency.apply(*segment);
    ulpdu = write(*segment);
  }
}

void break_one_segment(Ulpdus& ulpdus, Random& random) {
  if (!ulpdus.empty() && chance(random, 10)) {
    OctetBuffer& ulpdu = any(ulpdus, random);  // shorter than its header
    ulpdu.resize(std::min(ulpdu.size(), below(random, ddp::layout::kUntagged)));
    return;
  }
  edit(ulpdus, random, [&](Segment& segment) { kBreaks[below(random, std::size(kBreaks))](segment, random); });
}

mpa::FramingFaults any_framing_fault(Random& random) {
  using Faults = mpa::FramingFaults;
  const auto any16 = [&] { return interesting(std::uint16_t{0}, random); };
  const Faults faults[] = {
      {.crc_xor = interesting(std::uint32_t{0}, random) | 1},
      {.length_add = static_cast<std::int32_t>(below(random, 9)) - 4},
      {.length_add = static_cast<std::int16_t>(any16())},
      {.pad_fill = static_cast<std::uint8_t>(1 + below(random, 255))},
      {.marker_pointer_xor = any16()},
      {.marker_reserved = any16()},
  };
  return faults[below(random, std::size(faults))];
}

void change_start_frame(OctetBuffer& octets, Random& random) {
  auto frame = mpa::decode_start_frame(octets).value_or(
      mpa::StartFrame{.key = mpa::key_of(mpa::FrameKind::request), .crc = true});
  OctetBuffer data(frame.private_data.begin(), frame.private_data.end());
  switch (below(random, 6)) {
    case 0:
      frame.key = mpa::key_of(chance(random, 50) ? mpa::FrameKind::request : mpa::FrameKind::reply);
      break;
    case 1:
      frame.key[below(random, frame.key.size())] ^= static_cast<Octet>(1 << below(random, 8));
      break;
    case 2: {
      bool* const bits[] = {&frame.markers, &frame.crc, &frame.rejected, &frame.enhanced};
      bool& bit = *bits[below(random, std::size(bits))];
      bit = !bit;
      break;
    }
    case 3:
      frame.revision = static_cast<std::uint8_t>(below(random, 4));
      break;
    case 4:
      data.resize(interesting(static_cast<std::uint16_t>(data.size()), random) % (mpa::kMaxPrivateData + 8));
      break;
    default:
      if (data.size() < mpa::layout::kEnhanced) data.resize(mpa::layout::kEnhanced);
      store_big_endian(data.data(), interesting(load_big_endian<std::uint32_t>(data.data()), random));
      break;
  }
  frame.private_data = data;
  frame.private_data_length = static_cast<std::uint16_t>(data.size());
  if (chance(random, 10)) frame.private_data_length = interesting(frame.private_data_length, random);
  octets = mpa::encode_start_frame(frame);
}

std::size_t mutate_mpa_stream(std::span<Octet> buffer, std::size_t size, std::uint32_t seed) {
  namespace control = corpora::mpa_control;
  constexpr std::size_t kHeader = corpora::kMpaStreamHeader;
  if (leave_to_engine(seed) || size < kHeader || buffer.size() < kHeader)
    return LLVMFuzzerMutate == nullptr ? size : LLVMFuzzerMutate(buffer.data(), size, buffer.size());
  Random random(seed);
  const bool starts = (buffer[0] & control::kStartFrame) != 0;
  const auto framing_of = [&] {
    return Framing{.markers = (buffer[0] & control::kMarkers) != 0, .crc = (buffer[0] & control::kCrc) != 0};
  };
  IwarpStream stream = take_apart(Octets(buffer).subspan(kHeader, size - kHeader), starts, framing_of());
  // The same segments with other framing or other cuts.
  if (chance(random, 10)) buffer[0] ^= static_cast<Octet>(1 << below(random, 2));
  if (chance(random, 10)) buffer[0] ^= control::kGap;
  if (chance(random, 20)) buffer[1] = static_cast<Octet>(random());
  if (starts && chance(random, 30)) {
    change_start_frame(stream.start_frame, random);
  } else {
    mutate_segments(stream.ulpdus, random);
  }
  if (chance(random, 80)) stream.rest.clear();
  FaultAt fault;
  const bool honest = chance(random, kHonestPercent);
  const std::size_t kind = below(random, 4);
  if (!honest && kind < 2 && !stream.ulpdus.empty())
    fault = {below(random, stream.ulpdus.size()), any_framing_fault(random)};
  if (!honest && kind == 2) break_one_segment(stream.ulpdus, random);
  OctetBuffer out = put_together(stream, framing_of(), fault);
  if (!honest && kind == 3 && !out.empty()) {
    // Removes or adds octets of the stream itself.
    const std::size_t where = below(random, out.size());
    if (chance(random, 50)) {
      out.erase(at(out, where), at(out, where + 1 + below(random, std::min<std::size_t>(out.size() - where, 8))));
    } else {
      out.insert(at(out, where), 1 + below(random, 8), static_cast<Octet>(random()));
    }
  }
  return put(out, buffer, kHeader);
}

std::size_t mutate_ulpdu(std::span<Octet> buffer, std::size_t size, std::uint32_t seed) {
  if (leave_to_engine(seed)) return LLVMFuzzerMutate(buffer.data(), size, buffer.size());
  Random random(seed);
  Ulpdus ulpdus{OctetBuffer(buffer.begin(), at(buffer, size))};
  mutate_segments(ulpdus, random);
  if (!chance(random, kHonestPercent)) break_one_segment(ulpdus, random);
  return ulpdus.empty() ? 0 : put(any(ulpdus, random), buffer, 0);
}

std::size_t mutate_pieces(std::span<Octet> buffer, std::size_t prologue, std::size_t size, std::uint32_t seed) {
  namespace control = corpora::stream_control;
  if (leave_to_engine(seed)) return LLVMFuzzerMutate(buffer.data(), size, buffer.size());
  if (size < prologue) return size;
  Random random(seed);
  const OctetBuffer side_of{0, control::kSideB};
  const Octet side = any(side_of, random);
  const auto is_ulpdu_of_side = [&](const corpora::Record& record) {
    return (record.control & (control::kKind | control::kSideB)) == (control::kUlpdu | side);
  };
  const OctetBuffer input(buffer.begin(), at(buffer, size));
  const auto records = corpora::read_records(Octets(input).subspan(prologue));
  Ulpdus ulpdus;
  for (const corpora::Record& record : records)
    if (is_ulpdu_of_side(record)) ulpdus.emplace_back(record.octets.begin(), record.octets.end());
  mutate_segments(ulpdus, random);
  const bool honest = chance(random, kHonestPercent);
  const std::size_t bad_crc =
      !honest && chance(random, 20) && !ulpdus.empty() ? below(random, ulpdus.size()) : ~std::size_t{0};
  if (!honest && bad_crc == ~std::size_t{0}) break_one_segment(ulpdus, random);

  // Changed ULPDUs replace the old ones; additional ULPDUs follow the last of them.
  OctetBuffer out(input.begin(), at(input, prologue));
  std::size_t next = 0;
  const auto append_next = [&] {
    const Octet crc = next == bad_crc ? control::kBadCrc : Octet{0};
    corpora::append_record(out, static_cast<Octet>(control::kUlpdu | side | crc), ulpdus[next]);
    ++next;
  };
  const auto old_ulpdus = static_cast<std::size_t>(std::ranges::count_if(records, is_ulpdu_of_side));
  std::size_t seen = 0;
  for (const corpora::Record& record : records) {
    if (!is_ulpdu_of_side(record)) {
      corpora::append_record(out, record.control, record.octets);
      continue;
    }
    if (next < ulpdus.size()) append_next();
    if (++seen == old_ulpdus)
      while (next < ulpdus.size()) append_next();
  }
  while (next < ulpdus.size()) append_next();
  return put(out, buffer, 0);
}

}  // namespace wirelaw::fuzz
