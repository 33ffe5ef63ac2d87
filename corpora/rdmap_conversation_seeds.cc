// SPDX-License-Identifier: Apache-2.0
// Conversations with the RDMAP endpoint, as steps (formats/rdmap_steps.h): an honest one for each operation, and one
// for each deviation that a peer can choose.
#include "corpora/formats/rdmap_steps.h"
#include "corpora/formats/records.h"
#include "corpora/seed.h"
#include "reference/mpa/start_frame.h"
#include "reference/rdmap/message.h"
#include "reference/rdmap/terminate.h"

namespace wirelaw::corpora {
namespace {

namespace settings = rdmap_settings;
namespace step = rdmap_step;

class StepsBuilder {
 public:
  explicit StepsBuilder(Octet start = settings::kCrc, Octet depths = 0x44, Octet mulpdu = 20)
      : out_{start, depths, mulpdu} {}

  StepsBuilder& start(Octet flags = 0x40, Octet revision = 1, OctetBuffer private_data = {}) {
    OctetBuffer octets{flags, revision};
    Writer(octets).octets(private_data);
    return add(step::kStartFrame, octets);
  }
  StepsBuilder& act(RdmapAction action, std::uint16_t octets = 0, std::uint32_t stag = 0, std::uint64_t to = 0x1000) {
    OctetBuffer what{static_cast<Octet>(action)};
    Writer(what).little_endian(octets).little_endian(stag).little_endian(to);
    return add(step::kApplication, what);
  }
  // Same as act(), by the initiator of a pair.
  StepsBuilder& initiator_act(RdmapAction action, std::uint16_t octets = 0, std::uint32_t stag = 0,
                              std::uint64_t to = 0x1000) {
    OctetBuffer what{static_cast<Octet>(action)};
    Writer(what).little_endian(octets).little_endian(stag).little_endian(to);
    return add(0, what);
  }
  StepsBuilder& untagged(rdmap::Opcode opcode, OctetBuffer payload = {}, bool last = true, std::uint32_t mo = 0,
                         Octet control = 0) {
    const rdmap::OpcodeRow* const row = rdmap::find_opcode(static_cast<std::uint8_t>(opcode));
    return segment({.last = last,
                    .rsvd_ulp = rdmap::encode_control(rdmap::control_of(opcode)),
                    .qn = row ? row->queue : 0,
                    .mo = mo},
                   payload, control);
  }
  StepsBuilder& tagged(rdmap::Opcode opcode, OctetBuffer payload = {}, std::uint64_t to = 0x1000, bool last = true,
                       Octet control = 0) {
    return segment({.tagged = true,
                    .last = last,
                    .rsvd_ulp = rdmap::encode_control(rdmap::control_of(opcode)),
                    .stag = 1,
                    .to = to},
                   payload, control);
  }
  StepsBuilder& read_request(std::uint32_t size = 64, std::uint64_t to = 0x1000, Octet control = 0) {
    OctetBuffer payload;
    rdmap::encode({.sink_stag = 7, .sink_to = 9, .size = size, .source_stag = 1, .source_to = to}, payload);
    return untagged(rdmap::Opcode::read_request, payload, true, 0, control);
  }
  StepsBuilder& terminate(const rdmap::ErrorCode& error) {
    OctetBuffer payload;
    rdmap::encode(rdmap::Terminate{.error = error}, payload);
    return untagged(rdmap::Opcode::terminate, payload);
  }
  StepsBuilder& answer(std::uint16_t octets = 0) { return add(step::kAnswer, number(octets)); }
  StepsBuilder& wait(std::uint16_t milliseconds) { return add(step::kTime, number(milliseconds)); }
  StepsBuilder& end(bool reset = false) { return add(step::kEnding, OctetBuffer{static_cast<Octet>(reset)}); }
  StepsBuilder& raw(OctetBuffer octets) { return add(step::kRaw, octets); }
  StepsBuilder& add(Octet control, const OctetBuffer& octets) {
    append_record(out_, control, octets);
    return *this;
  }

  operator OctetBuffer() const { return out_; }

 private:
  static OctetBuffer number(std::uint16_t value) {
    OctetBuffer octets;
    Writer(octets).little_endian(value);
    return octets;
  }
  StepsBuilder& segment(const ddp::Header& header, const OctetBuffer& payload, Octet control) {
    OctetBuffer ulpdu;
    ddp::encode(header, ulpdu);
    Writer(ulpdu).octets(payload);
    return add(step::kUlpdu | control, ulpdu);
  }

  OctetBuffer out_;
};

using Action = RdmapAction;
using rdmap::Opcode;

// A responder that has accepted and received the first Send.
StepsBuilder responder(Octet start = settings::kCrc) {
  return StepsBuilder(start).start().act(Action::accept, 8).untagged(Opcode::send, OctetBuffer(12, 1));
}
// An initiator whose request has been accepted.
StepsBuilder initiator(Octet start = settings::kCrc) {
  return StepsBuilder(start).start();
}

OctetBuffer enhanced(bool peer_to_peer, Octet rtr) {
  OctetBuffer octets;
  Writer(octets).big_endian(mpa::encode_enhanced({.peer_to_peer = peer_to_peer,
                                                  .rtr_send = (rtr & 1) != 0,
                                                  .ird = 2,
                                                  .rtr_write = (rtr & 2) != 0,
                                                  .rtr_read = (rtr & 4) != 0,
                                                  .ord = 2}));
  return octets;
}

void add_operations(std::vector<Seed>& seeds, const char* target, const StepsBuilder& begun, const char* prefix = "") {
  const auto seed = [&](const char* name, const StepsBuilder& conversation) {
    seeds.push_back({target, std::string(prefix) + name, conversation});
  };
  seed("sends", StepsBuilder(begun).act(Action::send, 600).untagged(Opcode::send_se, OctetBuffer(40, 2)));
  seed("send-in-parts", StepsBuilder(begun)
                            .untagged(Opcode::send, OctetBuffer(50, 3), false)
                            .untagged(Opcode::send, OctetBuffer(50, 4), true, 50));
  seed("send-too-long", StepsBuilder(begun).untagged(Opcode::send, OctetBuffer(300, 3)));
  seed("send-invalidate", StepsBuilder(begun).act(Action::send_invalidate, 3, 77));
  seed("writes", StepsBuilder(begun).tagged(Opcode::write, OctetBuffer(64, 5)).act(Action::write, 512, 99));
  seed("write-beyond", StepsBuilder(begun).tagged(Opcode::write, OctetBuffer(64, 5), 0x11f0));
  seed("write-wraps", StepsBuilder(begun).tagged(Opcode::write, OctetBuffer(64, 5), ~std::uint64_t{7}));
  seed("write-foreign-stag",
       StepsBuilder(begun).tagged(Opcode::write, OctetBuffer(64, 5), 0x1000, true, step::kOwnStag));
  seed("reads", StepsBuilder(begun).act(Action::read, 100, 88).answer().read_request().read_request(0));
  seed("read-beyond", StepsBuilder(begun).read_request(600));
  seed("too-many-reads",
       StepsBuilder(begun).read_request(1).read_request(2).read_request(3).read_request(4).read_request(5));
  seed("read-answered-long", StepsBuilder(begun).act(Action::read, 100, 88).answer(101));
  seed("response-to-nothing", StepsBuilder(begun).tagged(Opcode::read_response, OctetBuffer(8, 6)));
  seed("bad-opcode", StepsBuilder(begun).untagged(static_cast<Opcode>(14)));
  seed("bad-crc", StepsBuilder(begun).untagged(Opcode::send, {}, true, 0, step::kBadCrc));
  seed("terminated", StepsBuilder(begun).act(Action::send, 10).terminate(rdmap::error::kUnexpectedOpcode).wait(10000));
  seed("terminates", StepsBuilder(begun).act(Action::terminate).untagged(Opcode::send).end());
  seed("closes", StepsBuilder(begun).act(Action::close).end());
  seed("is-reset", StepsBuilder(begun).act(Action::send, 100).end(true));
  seed("atomics", StepsBuilder(begun).act(Action::fetch_add, 3, 66).act(Action::immediate, 2));
}

}  // namespace

std::vector<Seed> rdmap_conversation_seeds() {
  std::vector<Seed> seeds;
  add_operations(seeds, "fuzz_rdmap_responder", responder());
  add_operations(seeds, "fuzz_rdmap_initiator", initiator());
  add_operations(seeds, "fuzz_rdmap_responder", responder(settings::kCrc | settings::kExtensions), "extended-");
  constexpr Octet kEnhanced = settings::kCrc | settings::kRevision2 | settings::kEnhanced | settings::kPeerToPeer;
  const auto add = [&](const char* target, const char* name, const StepsBuilder& conversation) {
    seeds.push_back({target, name, conversation});
  };
  add("fuzz_rdmap_responder", "enhanced",
      StepsBuilder(kEnhanced).start(0x50, 2, enhanced(true, 7)).act(Action::accept).tagged(Opcode::write, {}));
  add("fuzz_rdmap_responder", "rejects", StepsBuilder().start().act(Action::reject, 5).raw(OctetBuffer(30, 0)));
  add("fuzz_rdmap_responder", "times-out", StepsBuilder().wait(10000));
  add("fuzz_rdmap_responder", "wrong-key", StepsBuilder().raw(OctetBuffer(40, 0x4d)));
  add("fuzz_rdmap_responder", "markers",
      StepsBuilder(settings::kCrc | settings::kMarkers)
          .start(0xc0)
          .act(Action::accept)
          .untagged(Opcode::send, OctetBuffer(200, 1))
          .act(Action::send, 1500));
  add("fuzz_rdmap_initiator", "enhanced",
      StepsBuilder(kEnhanced).start(0x50, 2, enhanced(true, 7)).act(Action::send, 4));
  add("fuzz_rdmap_initiator", "no-common-rtr",
      StepsBuilder(kEnhanced | settings::kNoRtrWrite).start(0x50, 2, enhanced(true, 2)));
  add("fuzz_rdmap_initiator", "rejected", StepsBuilder().start(0x60));
  add("fuzz_rdmap_initiator", "times-out", StepsBuilder().wait(10000));
  add("fuzz_rdmap_pair", "everything",
      StepsBuilder(settings::kCrc | settings::kExtensions)
          .initiator_act(Action::send, 500)
          .initiator_act(Action::write, 512)
          .initiator_act(Action::read, 400)
          .act(Action::fetch_add, 3)
          .act(Action::immediate, 4)
          .act(Action::send_invalidate, 5)
          .act(Action::close));
  add("fuzz_rdmap_pair", "out-of-bounds",
      StepsBuilder().initiator_act(Action::read, 400, 0, 0x1100).act(Action::send, 4));
  add("fuzz_rdmap_pair", "enhanced-markers",
      StepsBuilder(kEnhanced | settings::kMarkers, 0x11, 3).initiator_act(Action::write, 512).act(Action::read, 511));
  // The path (fuzz/delayed_capture.h), the settings, and the steps.
  for (const auto& [name, path] :
       {std::pair{"3s", OctetBuffer{255, 1, 0x1f, 0, 0}}, std::pair{"loss", OctetBuffer{110, 2, 0x28, 192, 0}},
        std::pair{"late", OctetBuffer{110, 3, 0x05, 0, 7}}}) {
    OctetBuffer input = path;
    for (const Octet one : {settings::kCrc, Octet{0x44}, Octet{9}}) input.push_back(one);
    for (int i = 0; i < 24; ++i) input.push_back(static_cast<Octet>(i * 37));
    seeds.push_back({"fuzz_rdmap_delayed", name, std::move(input)});
  }
  return seeds;
}

}  // namespace wirelaw::corpora
