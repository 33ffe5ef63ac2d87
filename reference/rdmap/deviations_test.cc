// SPDX-License-Identifier: Apache-2.0
// Each deviation changes the octets sent, or the upper layer's events, compared with an honest endpoint in the same
// script.
#include "reference/rdmap/deviations.h"

#include <gtest/gtest.h>

#include <set>

#include "reference/rdmap/test_stream.h"

namespace wirelaw::rdmap {
namespace {

using std::chrono::seconds;

constexpr Access kAll{.read = true, .write = true, .atomic = true};
constexpr std::uint64_t kBase = 0x1000;

// The behaviour of an endpoint: the octets that it sent, its reports to the upper layer, and its end.
using Transcript = std::string;

std::string line(const Event& event) {
  std::string text = "\nevent " + std::to_string(event.index());
  if (const auto* one = std::get_if<Received>(&event)) text += " " + to_hex(one->data);
  if (const auto* one = std::get_if<Completed>(&event))
    text += " " + std::to_string(one->id) + (one->ok ? " ok " : " failed ") + std::to_string(one->original);
  if (const auto* one = std::get_if<LocalError>(&event)) text += " " + to_string(one->error);
  if (const auto* one = std::get_if<RemoteTerminate>(&event)) text += " " + to_hex(one->message);
  return text;
}
Transcript transcript(const End& end) {
  Transcript text;
  for (const Event& event : end.events) text += line(event);
  for (const auto& memory : end.memory) text += "\nmemory " + to_hex(*memory);
  return text + "\nending " + std::to_string(static_cast<int>(end.endpoint.ending())) + " " +
         std::to_string(static_cast<int>(end.endpoint.phase())) + (end.endpoint.deadline() ? " waits" : "");
}

// ----------------------------------------------------------------------------- exchanges between two endpoints

struct Variant {
  const char* name;
  Options initiator;
  Options responder;
};

Options small(Options options) {
  options.ird = options.ord = 2;
  options.emss = 600;
  return options;
}

std::vector<Variant> variants() {
  const Options plain = small({});
  const Options enhanced = small({.enhanced = true});
  const Options peers = small({.enhanced = true, .peer_to_peer = true, .rtr_send = false});
  const Options markers = small({.markers = true});
  const Options bare = small({.crc = false});
  const Options extended = small({.extensions = true});
  const Options open = small({.enhanced = true, .leave_depths_to_ulp = true});
  Options no_reads = small({.rtr_read = false});
  return {{"plain", plain, plain},
          {"enhanced", enhanced, plain},
          {"peers", peers, plain},
          {"peers, no read", peers, no_reads},
          {"markers", markers, markers},
          {"no CRC", bare, bare},
          {"extensions", extended, extended},
          {"open", open, plain}};
}

void talk(End& from, End& to) {
  Endpoint& endpoint = from.endpoint;
  const Stag remote = to.offer(4000, kAll, kBase);
  to.fill(pattern(4000, 3));
  const Stag gone = to.offer(10, kAll, kBase);
  const Stag local = from.offer(4000, {}, kBase);
  const std::initializer_list<tl::expected<WorkId, PostError>> posted{
      endpoint.post_send(pattern(1500, 4)),
      endpoint.post_send(pattern(10)),
      endpoint.post_write(pattern(1500, 5), {remote, kBase}),
      endpoint.post_read({local, kBase}, {remote, kBase}, 1501),
      endpoint.post_read({local, kBase + 2000}, {remote, kBase + 100}, 30),
      endpoint.post_read({local, kBase + 3000}, {remote, kBase + 200}, 30),
      endpoint.post_read({local, 0}, {0, 0}, 0),
      endpoint.post_send(pattern(5), SendForm::invalidate, gone),
      endpoint.post_send(OctetBuffer{}, SendForm::solicited),
      endpoint.post_fetch_add({remote, kBase + 8}, 3),
      endpoint.post_compare_swap({remote, kBase + 8}, 1, 1, 0, 0),
      endpoint.post_immediate(77),
  };
  static_cast<void>(posted);
}

Transcript conversation(Role deviant, const Deviations& deviations, const Variant& variant) {
  PairOptions options{.initiator = variant.initiator, .responder = variant.responder, .longest_piece = 100'000};
  (deviant == Role::initiator ? options.initiator_deviations : options.responder_deviations) = deviations;
  Pair pair(options);
  const auto run = [&] {
    for (int i = 0; i < 300 && pair.step(); ++i) {
    }
  };
  for (int i = 0; i < 12; ++i) {
    static_cast<void>(pair.initiator.endpoint.post_receive(2000));
    static_cast<void>(pair.responder.endpoint.post_receive(2000));
  }
  run();
  talk(pair.initiator, pair.responder);
  run();
  talk(pair.responder, pair.initiator);
  run();
  pair.initiator.endpoint.close();
  run();
  pair.responder.endpoint.close();
  run();
  pair.now += seconds(60);
  pair.initiator.endpoint.advance(pair.now);
  pair.responder.endpoint.advance(pair.now);
  run();
  return to_hex(pair.from_initiator) + "\n" + to_hex(pair.from_responder) + transcript(pair.initiator) +
         transcript(pair.responder);
}

// ------------------------------------------------------------------------------------------------- bad start frames

OctetBuffer frame_of(bool from_initiator, std::uint8_t revision, Octet flags, const OctetBuffer& data = {}) {
  OctetBuffer octets;
  const auto key = mpa::key_of(from_initiator ? mpa::FrameKind::request : mpa::FrameKind::reply);
  octets.assign(key.begin(), key.end());
  Writer(octets).octet(flags).octet(revision).big_endian(static_cast<std::uint16_t>(data.size())).octets(data);
  return octets;
}
OctetBuffer word_of(const mpa::EnhancedData& data) {
  OctetBuffer octets;
  Writer(octets).big_endian(mpa::encode_enhanced(data));
  return octets;
}

Transcript start_frames(Role role, const Deviations& deviations) {
  const bool ask = role == Role::responder;
  OctetBuffer bad_key = frame_of(ask, 1, 0x40);
  bad_key[3] ^= 1;
  OctetBuffer trailed = frame_of(ask, 1, 0x40);
  OctetBuffer ulpdu = encoded(tagged(Opcode::write, 0, 0));
  mpa::Framer(false, true).frame(Octets(ulpdu), trailed);
  const OctetBuffer frames[] = {bad_key,
                                frame_of(ask, 0, 0x40),
                                frame_of(ask, 3, 0x40),
                                frame_of(ask, 1, 0x40, OctetBuffer(600)),
                                frame_of(ask, 1, 0x4f),
                                frame_of(ask, 1, 0x60),
                                trailed,
                                frame_of(ask, 2, 0x50, word_of({.ird = 1, .ord = 99})),
                                frame_of(ask, 2, 0x50, word_of({.ird = 5, .ord = 0x3fff})),
                                frame_of(ask, 2, 0x50, word_of({.peer_to_peer = true, .ird = 1, .ord = 1}))};
  Transcript text;
  for (const OctetBuffer& frame : frames)
    for (const bool enhanced : {false, true}) {
      Rig rig(role, {.enhanced = enhanced, .peer_to_peer = enhanced}, deviations);
      rig.feed(frame);
      static_cast<void>(rig.end.endpoint.accept());
      static_cast<void>(rig.end.endpoint.post_send(pattern(3)));
      rig.drain();
      rig.pass(seconds(60));
      text += "\n" + to_hex(rig.output()) + transcript(rig.end);
    }
  return text;
}

// ----------------------------------------------------------------------------------------------------- bad segments

struct Stage {
  Rig& rig;
  Stag both, read_only, foreign, top, shared;
};
ddp::Header send_of(std::uint32_t msn, std::uint32_t mo = 0, bool last = true) {
  return untagged(Opcode::send, 0, msn, mo, last);
}
ddp::Header with_control(std::uint8_t rsvd_ulp, std::uint32_t mo = 0) {
  ddp::Header header = send_of(1, mo);
  header.rsvd_ulp = rsvd_ulp;
  return header;
}
OctetBuffer read_of(Stag stag, std::uint64_t to, std::uint32_t size) {
  return encoded(ReadRequest{.sink_stag = 7, .sink_to = 8, .size = size, .source_stag = stag, .source_to = to});
}
ddp::Header request(std::uint32_t msn = 1) {
  return untagged(Opcode::read_request, 1, msn);
}

// Sends several FPDUs in one piece, so that nothing is answered between them.
void together(Rig& rig, const std::vector<std::pair<ddp::Header, OctetBuffer>>& segments) {
  mpa::Framer framer(false, true);
  OctetBuffer octets;
  for (const auto& [header, payload] : segments) {
    OctetBuffer ulpdu = encoded(header);
    ulpdu.insert(ulpdu.end(), payload.begin(), payload.end());
    framer.frame(Octets(ulpdu), octets);
  }
  rig.feed(octets);
}

using Poke = void (*)(const Stage& stage);
const OctetBuffer kFour{1, 2, 3, 4};
// clang-format off
const Poke kPokes[] = {
    [](const Stage& s) { ddp::Header h = send_of(1); h.version = 0; s.rig.send(h, kFour); },
    [](const Stage& s) { s.rig.send(with_control(0x03), kFour); },
    [](const Stage& s) { s.rig.send(with_control(0x4c), kFour); },
    [](const Stage& s) { s.rig.send(send_of(1, 0, false), kFour); s.rig.send(with_control(0x4c, 4), kFour); },
    [](const Stage& s) { s.rig.send(untagged(Opcode::send, 9, 1), kFour); },
    [](const Stage& s) { s.rig.send(untagged(Opcode::send, 1, 1), kFour); },
    [](const Stage& s) { s.rig.send(send_of(3), kFour); },
    [](const Stage& s) { s.rig.send(send_of(1, 4), kFour); },
    [](const Stage& s) { s.rig.send(send_of(1), OctetBuffer(101)); },
    [](const Stage& s) { s.rig.send(send_of(1), OctetBuffer(100)); },
    [](const Stage& s) { for (unsigned i = 1; i < 4; ++i) s.rig.send(send_of(i), kFour); },
    [](const Stage& s) { for (unsigned i = 1; i < 3; ++i) s.rig.send(send_of(i)); },
    [](const Stage& s) { s.rig.send(tagged(Opcode::write, s.both ^ 1, kBase), kFour); },
    [](const Stage& s) { s.rig.send(tagged(Opcode::write, s.foreign, kBase), kFour); },
    [](const Stage& s) { s.rig.send(tagged(Opcode::write, s.read_only, kBase), kFour); },
    [](const Stage& s) { s.rig.send(tagged(Opcode::write, s.both, kBase + 98), kFour); },
    [](const Stage& s) { s.rig.send(tagged(Opcode::write, s.top, ~0ull - 1), kFour); },
    [](const Stage& s) { s.rig.send(tagged(Opcode::write, 99, ~0ull)); },
    [](const Stage& s) { s.rig.send(request(), read_of(s.both ^ 1, kBase, 4)); },
    [](const Stage& s) { s.rig.send(request(), read_of(s.foreign, kBase, 4)); },
    [](const Stage& s) { s.rig.send(request(), read_of(s.both, kBase + 98, 4)); },
    [](const Stage& s) { s.rig.send(request(), read_of(s.top, ~0ull - 1, 4)); },
    [](const Stage& s) { s.rig.send(request(), read_of(9, 9, 0)); },
    [](const Stage& s) { s.rig.send(request(), OctetBuffer(20)); },
    [](const Stage& s) { std::vector<std::pair<ddp::Header, OctetBuffer>> all; for (unsigned i = 1; i < 4; ++i) all.emplace_back(request(i), read_of(s.both, kBase + i, 4)); together(s.rig, all); },
    [](const Stage& s) { together(s.rig, {{request(1), read_of(s.both, kBase, 4)}, {request(2), read_of(s.both, kBase + 9, 4)}}); },
    [](const Stage& s) { together(s.rig, {{tagged(Opcode::write, s.both, kBase), kFour}, {request(1), read_of(s.both, kBase, 4)}}); },
    [](const Stage& s) { s.rig.send(tagged(Opcode::read_response, s.both, kBase), kFour); },
    [](const Stage& s) { s.rig.send(untagged(Opcode::send_invalidate, 0, 1, 0, true, s.foreign), kFour); },
    [](const Stage& s) { s.rig.send(untagged(Opcode::send_invalidate, 0, 1, 0, true, s.both), kFour); s.rig.send(tagged(Opcode::write, s.both, kBase), kFour); },
    [](const Stage& s) { s.rig.send(send_of(1), kFour, {.crc_xor = 1}); },
    [](const Stage& s) { s.rig.send(send_of(1), OctetBuffer(1), {.pad_fill = 1}); },
    [](const Stage& s) { ddp::Header h = send_of(1); h.reserved = 1; s.rig.send(h, kFour); },
    [](const Stage& s) { ddp::Header h = send_of(1); h.rsvd_ulp_rest = 1; s.rig.send(h, kFour); },
    [](const Stage& s) { s.rig.send_ulpdu(OctetBuffer(9)); },
    [](const Stage& s) { s.rig.send(untagged(Opcode::terminate, 2, 1), OctetBuffer(4)); },
    [](const Stage& s) { s.rig.end.endpoint.terminate(); s.rig.drain(); },
    [](const Stage& s) { s.rig.send(untagged(Opcode::read_request, 1, 1, 4), read_of(s.both, kBase, 4)); },
    [](const Stage& s) { s.rig.send(untagged(Opcode::read_request, 9, 1), read_of(s.both, kBase, 4)); },
    [](const Stage& s) { s.rig.send(untagged(Opcode::send_invalidate, 0, 1, 0, true, s.shared), kFour); s.rig.send(tagged(Opcode::write, s.shared, kBase), kFour); },
    // with the extensions
    [](const Stage& s) { OctetBuffer o; encode(AtomicRequest{.stag = s.both, .to = kBase, .data = 1}, o); s.rig.send(untagged(Opcode::atomic_request, 1, 1), o); s.rig.send(tagged(Opcode::write, s.both, kBase), pattern(8, 9)); s.rig.send(untagged(Opcode::atomic_request, 1, 2), o); },
    [](const Stage& s) { OctetBuffer o; encode(AtomicRequest{.stag = s.both, .to = kBase + 4, .data = 1}, o); s.rig.send(untagged(Opcode::atomic_request, 1, 1), o); },
    [](const Stage& s) { s.rig.send(untagged(Opcode::immediate_data, 0, 1), OctetBuffer(9)); },
    [](const Stage& s) { s.rig.send(untagged(Opcode::immediate_data, 0, 1, 4), OctetBuffer(8)); },
    // responses
    [](const Stage& s) { static_cast<void>(s.rig.end.endpoint.post_read({s.both, kBase}, {1, 0}, 4)); s.rig.drain(); s.rig.send(tagged(Opcode::read_response, s.both, ~0ull - 1), kFour); },
    [](const Stage& s) { static_cast<void>(s.rig.end.endpoint.post_fetch_add({1, 0}, 1)); s.rig.drain(); OctetBuffer o; encode(AtomicResponse{.request_identifier = 0x5a5a5a5a}, o); s.rig.send(untagged(Opcode::atomic_response, 3, 1), o); },
    [](const Stage& s) { static_cast<void>(s.rig.end.endpoint.post_read({s.both, kBase}, {1, 0}, 4)); s.rig.drain(); s.rig.send(tagged(Opcode::read_response, s.both, kBase), OctetBuffer(3)); },
    [](const Stage& s) { static_cast<void>(s.rig.end.endpoint.post_read({s.both, kBase}, {1, 0}, 4)); s.rig.drain(); s.rig.send(tagged(Opcode::read_response, s.both, kBase), OctetBuffer(9)); },
};
// clang-format on

Transcript pokes(Role role, const Deviations& deviations) {
  Transcript text;
  for (const bool extensions : {false, true})
    for (const Poke poke : kPokes) {
      Rig rig(role, {.ird = 2, .extensions = extensions}, deviations);
      const Stage stage{rig,
                        rig.end.offer(100, kAll, kBase),
                        rig.end.offer(100, {.read = true}, kBase),
                        rig.end.offer(100, kAll, kBase, 77),
                        rig.end.offer(100, kAll, ~0ull - 100),
                        rig.end.offer_to_all(100, kAll, kBase)};
      for (int i = 0; i < 2; ++i) EXPECT_TRUE(rig.end.endpoint.post_receive(100));
      rig.start();
      rig.send(tagged(Opcode::write, 0, 0));
      poke(stage);
      rig.send(request(2), read_of(stage.both, kBase + 1, 2));  // does it continue?
      static_cast<void>(rig.end.endpoint.post_send(pattern(3)));
      rig.drain();
      rig.end.endpoint.peer_ended(Ending::closed, rig.now);
      rig.drain();
      text += "\n" + to_hex(rig.output()) + transcript(rig.end);
    }
  return text;
}

// Deviations that only special situations make visible.
Transcript corners(Role role, const Deviations& deviations) {
  Transcript text;
  {  // without a peer
    Rig rig(role, {}, deviations);
    rig.pass(seconds(60));
    text += "\n" + to_hex(rig.output()) + transcript(rig.end);
  }
  if (role == Role::responder) {  // the upper layer rejects
    Rig rig(role, {}, deviations);
    rig.feed(frame_of(true, 1, 0x40));
    static_cast<void>(rig.end.endpoint.reject());
    rig.drain();
    text += "\n" + to_hex(rig.output()) + transcript(rig.end);
  }
  {  // markers with wrong pointers
    Rig rig(role, {.markers = true}, deviations);
    rig.expect_markers = true;
    rig.start();
    for (int i = 0; i < 10; ++i) rig.send(tagged(Opcode::write, 0, 0), {}, {.marker_pointer_xor = 4});
    for (int i = 0; i < 30; ++i) rig.send(tagged(Opcode::write, 0, 0, true), {}, {.marker_pointer_xor = 4});
    text += "\n" + to_hex(rig.output()) + transcript(rig.end);
  }
  {  // a wrong CRC if neither side wants one
    Rig rig(role, {.crc = false}, deviations);
    const auto kind = role == Role::initiator ? mpa::FrameKind::reply : mpa::FrameKind::request;
    rig.feed(mpa::encode_start_frame({.key = mpa::key_of(kind)}));
    static_cast<void>(rig.end.endpoint.accept());
    rig.drain();
    rig.begin_full_operation();
    rig.send(tagged(Opcode::write, 0, 0), {}, {.crc_xor = 1});
    text += "\n" + to_hex(rig.output()) + transcript(rig.end);
  }
  {  // the buffer of a read is removed
    Rig rig(role, {.mulpdu = 128, .output_octets = 1}, deviations);
    const Stag source = rig.end.offer(1000, kAll, kBase);
    rig.start();
    rig.send(tagged(Opcode::write, 0, 0));
    mpa::Framer framer(false, true);
    OctetBuffer ulpdu = encoded(request());
    encode(ReadRequest{.size = 900, .source_stag = source, .source_to = kBase}, ulpdu);
    OctetBuffer octets;
    framer.frame(Octets(ulpdu), octets);
    rig.end.endpoint.receive(octets, rig.now);
    OctetBuffer next;
    for (int i = 0; i < 3; ++i) static_cast<void>(rig.end.endpoint.next_octets(next));
    rig.end.endpoint.deregister(source);
    rig.drain();
    text += "\n" + to_hex(rig.output()) + transcript(rig.end);
  }
  return text;
}

// The number of scripts. Scripts that make most deviations visible come first.
constexpr std::size_t kScripts = 11;
Transcript play(std::size_t script, Role role, const Deviations& deviations) {
  static const std::vector<Variant> all = variants();
  constexpr Transcript (*kOthers[])(Role, const Deviations&) = {start_frames, pokes, corners};
  if (script == 0) return conversation(role, deviations, all[0]);
  if (script <= 3) return kOthers[script - 1](role, deviations);
  return conversation(role, deviations, all[script - 3]);
}

TEST(Deviations, EachShowsInWhatTheEndpointDoes) {
  ASSERT_EQ(variants().size() + 3, kScripts);
  for (const Role role : {Role::initiator, Role::responder}) {
    std::vector<Transcript> honest;
    for (std::size_t i = 0; i < kScripts; ++i) honest.push_back(play(i, role, {}));
    for (std::size_t i = 0; i < kScripts; ++i) EXPECT_EQ(honest[i], play(i, role, {})) << "the scripts repeat";
    for (const DeviationInfo& info : all_deviations()) {
      if (info.deviation >= kFirstAtVerbs) continue;  // tested in harness/cases/verbs_cases_test.cc
      const bool commits = includes(info.role, role);
      EXPECT_EQ(Deviations{info.deviation}.of(role).empty(), !commits);
      bool shows = false;
      for (std::size_t i = 0; commits && !shows && i < kScripts; ++i)
        shows = play(i, role, {info.deviation}) != honest[i];
      EXPECT_EQ(shows, commits) << info.name;
    }
  }
}

TEST(Deviations, AnEndpointThatCommitsNoneOfItsLayersConforms) {
  constexpr Deviation kOfNoLayer = Deviation::receive_length_wrong;  // visible only through verbs
  for (const Role role : {Role::initiator, Role::responder})
    for (std::size_t i = 0; i < kScripts; ++i) EXPECT_EQ(play(i, role, {kOfNoLayer}), play(i, role, {})) << i;
}

TEST(Deviations, AreNamedWithoutRepetition) {
  std::set<std::string_view> names;
  std::set<std::string_view> texts;
  for (const DeviationInfo& info : all_deviations()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_TRUE(texts.insert(info.text).second) << info.text;
    EXPECT_TRUE(info.text.ends_with('.')) << info.name;
    EXPECT_TRUE(info.rule.starts_with("RFC ")) << info.name;
    EXPECT_EQ(deviation_from_name(info.name), info.deviation);
    EXPECT_EQ(describe(info.deviation).deviation, info.deviation) << "in the order of the enumeration";
  }
  EXPECT_EQ(names.size(), kDeviationCount);
  EXPECT_FALSE(deviation_from_name("nothing"));
}

}  // namespace
}  // namespace wirelaw::rdmap
