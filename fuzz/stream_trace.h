// SPDX-License-Identifier: Apache-2.0
// The trace targets of protocols on iWARP streams: an observer gets any two-way stream; see trace_target.h. Further
// oracle: the findings do not depend on the cuts of the stream.
#pragma once

#include <cstdio>
#include <memory>
#include <tuple>

#include "conformance/rdmap/observer.h"
#include "conformance/rdmap/rdmap.h"
#include "corpora/formats/trace_input.h"
#include "fuzz/trace_target.h"
#include "reference/mpa/framer.h"

namespace wirelaw::fuzz {

namespace control = corpora::stream_control;

// The observer of the stream, or a stack of observers.
struct StreamSubject {
  const Catalogue& (*catalogue)();
  std::unique_ptr<Observer> (*observer)(const ObserverLimits& limits);
  std::size_t most_memory;
};

constexpr std::size_t kMostPieces = 512;
constexpr std::size_t kMostOctets = 0xffff;  // maximum length of a piece
struct Piece {
  StreamPiece piece;
  OctetBuffer octets;
};

// A conversation of both sides, and its observer.
struct StreamTrace {
  const StreamSubject* subject = nullptr;
  Octet framing = 0;
  std::vector<Piece> pieces;

  bool has(Octet bit) const { return (framing & bit) != 0; }

  // --- required by trace_target.h
  const Catalogue& catalogue() const { return subject->catalogue(); }
  std::unique_ptr<Observer> observer() const { return subject->observer(limits()); }
  ObserverLimits limits() const {
    static const std::vector<std::string> kFeatures{std::string(rdmap::kExtensions)};
    ObserverLimits limits;
    if (has(control::kExtensions)) limits.features = kFeatures;
    return limits;
  }
  std::size_t most_memory() const { return subject->most_memory; }
  std::optional<std::size_t> octets_of(std::uint64_t) const { return std::nullopt; }
  template <class Observing>
  void give_to(Observing& observing) const {
    for (const Piece& one : pieces) {
      StreamPiece piece = one.piece;
      piece.octets = one.octets;
      observing(piece);
    }
  }
};

// Pieces as TCP reassembly delivers them: offsets in order, nothing from a side after its end.
inline StreamTrace read_stream_trace(const StreamSubject& subject, Octets octets) {
  StreamTrace input{.subject = &subject};
  if (octets.empty()) return input;
  input.framing = octets[0];
  std::array<mpa::Framer, 2> framers{mpa::Framer(input.has(control::kMarkersOfA), input.has(control::kCrc)),
                                     mpa::Framer(input.has(control::kMarkersOfB), input.has(control::kCrc))};
  std::array<std::uint64_t, 2> at{};
  std::array<bool, 2> ended{};
  for (const corpora::Record& record : corpora::read_records(octets.subspan(1))) {
    if (input.pieces.size() == kMostPieces) break;
    const bool b = (record.control & control::kSideB) != 0;
    const std::size_t side = b ? 1 : 0;
    if (ended[side]) continue;
    const auto kind = static_cast<Octet>(record.control & control::kKind);
    Piece made{.piece = {.event = corpora::event_of(kind),
                         .sender = b ? Side::b : Side::a,
                         .offset = at[side],
                         .frame = input.pieces.size() + 1,
                         .time_ns = static_cast<std::int64_t>(input.pieces.size()) * 1000,
                         .from_start = !input.has(control::kMidStream)},
               .octets = {}};
    switch (made.piece.event) {
      case StreamEvent::octets:
        if (kind == control::kUlpdu) {
          framers[side].frame(record.octets, made.octets,
                              {.crc_xor = (record.control & control::kBadCrc) != 0 ? 1u : 0u});
        } else {
          made.octets.assign(record.octets.begin(), record.octets.end());
        }
        if (made.octets.empty()) continue;
        at[side] += made.octets.size();
        break;
      case StreamEvent::gap:
        if (record.octets.empty()) continue;
        made.piece.missing = record.octets.size();
        at[side] += made.piece.missing;
        break;
      case StreamEvent::opened:
        if (at[side] != 0) continue;
        made.piece.mss = static_cast<std::uint16_t>(record.octets.size());
        break;
      case StreamEvent::closed:
        ended[side] = true;
        break;
      case StreamEvent::reset:
        ended = {true, true};
        break;
    }
    input.pieces.push_back(std::move(made));
  }
  return input;
}

// Prints the differences for the reader of a reproducer.
inline void same(const Catalogue& rules, const TraceOutcome& one, const TraceOutcome& other, std::string_view what) {
  if (one == other) [[likely]]
    return;
  for (const auto& [name, here, there] : {std::tuple{"only whole", &one, &other}, {"only cut", &other, &one}})
    for (const TraceOutcome::Entry& entry : here->findings)
      if (std::ranges::find(there->findings, entry) == there->findings.end())
        std::fprintf(stderr, "%s: message %llu, octets %zu+%zu: %s\n", name,
                     static_cast<unsigned long long>(std::get<0>(entry)), std::get<2>(entry), std::get<3>(entry),
                     std::get<5>(entry).c_str());
  for (std::size_t rule = 0; rule < one.tallies.size(); ++rule)
    if (one.tallies[rule] != other.tallies[rule])
      std::fprintf(stderr, "%s: exercised %llu, or %llu when it is cut\n", std::string(rules.rules()[rule]->id).c_str(),
                   static_cast<unsigned long long>(one.tallies[rule][0]),
                   static_cast<unsigned long long>(other.tallies[rule][0]));
  if (one.partial != other.partial)
    std::fprintf(stderr, "partial: '%s', or '%s' when it is cut\n", one.partial.c_str(), other.partial.c_str());
  require(false, what);
}

// Cuts each piece into parts of at most `most` octets. Cuts would have a meaning if the segment size were known (RFC
// 5044, 5.1), so it is not given here. Cuts do not show where segments begin either, so the pieces belong to no frame.
inline TraceOutcome judge_cut(const StreamTrace& input, std::size_t most) {
  TraceJudging<StreamTrace> judging(input, {});
  for (const Piece& one : input.pieces) {
    StreamPiece piece = one.piece;
    piece.mss = 0;
    piece.frame = 0;
    Octets rest = one.octets;
    do {
      const Octets part = rest.first(std::min(rest.size(), most));
      piece.octets = part;
      judging(piece);
      piece.offset += part.size();
      rest = rest.subspan(part.size());
    } while (!rest.empty());
  }
  return judging.finish();
}

inline void expect_what_holds_of_every_stream(const StreamSubject& subject, Octets octets) {
  const StreamTrace input = read_stream_trace(subject, octets);
  expect_what_holds_of_every_trace(input);
  const TraceOutcome whole = judge_cut(input, kMostOctets);
  same(input.catalogue(), whole, judge_cut(input, 1), "a stream cut into octets gives the same");
  same(input.catalogue(), whole, judge_cut(input, 1 + octets.size() % 61), "a stream cut anywhere gives the same");
}

}  // namespace wirelaw::fuzz
