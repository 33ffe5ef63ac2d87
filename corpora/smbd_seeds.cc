// SPDX-License-Identifier: Apache-2.0
// Seeds for SMB Direct and SMB2: one message of each kind, and conversations (formats/smbd_steps.h) with an honest peer
// and with each deviation of a peer. Also the dictionary, generated from the table of layouts.
#include <fmt/format.h>

#include <cctype>
#include <set>
#include <utility>

#include "corpora/formats/records.h"
#include "corpora/formats/smbd_steps.h"
#include "corpora/seed.h"
#include "reference/smb2/client.h"
#include "reference/smb2/server.h"
#include "reference/smb2/visit.h"
#include "reference/smbd/message.h"

namespace wirelaw::corpora {
namespace {

namespace step = smbd_step;

class StepsBuilder {
 public:
  explicit StepsBuilder(Octet credits = 8, Octet size = 48)
      : out_{credits, credits, size, size, credits, credits, size, size} {}

  StepsBuilder& add(Octet control, Octets octets) {
    append_record(out_, control, octets);
    return *this;
  }
  StepsBuilder& negotiate(Octet field = 0, std::uint32_t value = 0) {
    OctetBuffer octets{field};
    Writer(octets).little_endian(value);
    return add(step::kNegotiate, octets);
  }
  StepsBuilder& transfer(const SmbdTransfer& one, Octet control = 0) {
    return add(static_cast<Octet>(step::kTransfer | control), write_smbd_transfer(one));
  }
  StepsBuilder& number(Octet kind, std::uint32_t value, Octet control = 0) {
    OctetBuffer octets;
    Writer(octets).little_endian(value);
    return add(static_cast<Octet>(kind | control), octets);
  }
  StepsBuilder& move(std::uint16_t offset, std::uint16_t octets, bool reads, Octet control = 0) {
    OctetBuffer what;
    Writer(what).little_endian(offset).little_endian(octets).octet(reads ? 1 : 0);
    return add(static_cast<Octet>(step::kMove | control), what);
  }
  // Delivers both negotiate messages.
  StepsBuilder& settle() {
    for (const Octet side : {Octet{0}, step::kSideB, Octet{0}, step::kSideB}) number(step::kDeliver, 255, side);
    return *this;
  }
  OctetBuffer octets() const { return out_; }

 private:
  OctetBuffer out_;
};

constexpr std::uint16_t kResponseRequested = smbd::flag::kResponseRequested;

struct Named {
  std::string name;
  StepsBuilder steps;
};

std::vector<Named> scripted() {
  return {
      {"negotiates", StepsBuilder().negotiate()},
      {"no-negotiation", StepsBuilder().number(step::kTime, 130'000)},
      {"negotiates-other-versions", StepsBuilder().negotiate(1, 0x0200)},
      {"negotiates-no-credits", StepsBuilder().negotiate(3, 0)},
      {"empty-messages", StepsBuilder().negotiate().transfer({}).transfer({}).transfer({.flags = kResponseRequested})},
      {"message", StepsBuilder().negotiate().transfer({.data = 100}).number(step::kSend, 50)},
      {"fragments", StepsBuilder()
                        .negotiate()
                        .transfer({.data = 100, .remaining = 150})
                        .transfer({.data = 100, .remaining = 50})
                        .transfer({.data = 50})},
      {"fragments-end-early",
       StepsBuilder().negotiate().transfer({.data = 100, .remaining = 150}).transfer({.data = 100})},
      {"offset-beyond", StepsBuilder().negotiate().transfer({.data = 64, .data_offset = 0xfffffff0})},
      {"length-beyond", StepsBuilder().negotiate().transfer({.data = 64, .data_length = 8})},
      {"announces-too-much", StepsBuilder().negotiate().transfer({.data = 64, .remaining = 0xfffffff0})},
      {"grants-everything", StepsBuilder().negotiate().transfer({.credits_granted = 0xfffe}).number(step::kSend, 2000)},
      {"asks-for-nothing", StepsBuilder().negotiate().transfer({.credits_requested = 0xfff8})},
      {"trailing", StepsBuilder().negotiate().transfer({.data = 64, .trailing = 40})},
      {"invalidates", StepsBuilder().negotiate().transfer({.data = 64}, step::kInvalidate)},
      {"idle", StepsBuilder().negotiate().transfer({}).number(step::kTime, 121'000).number(step::kTime, 6'000)},
      {"lost", StepsBuilder().negotiate().transfer({.data = 8, .remaining = 8}).number(step::kEnd, 2)},
      {"closes", StepsBuilder().negotiate().transfer({}).number(step::kSend, 900).number(step::kEnd, 0)},
  };
}

std::vector<Named> pairs() {
  constexpr Octet kB = step::kSideB;
  return {
      {"messages", StepsBuilder().settle().number(step::kSend, 100).number(step::kSend, 200, kB).settle()},
      {"long-messages", StepsBuilder(3, 10).settle().number(step::kSend, 9000).number(step::kSend, 9000, kB).settle()},
      {"one-credit", StepsBuilder(0, 10).settle().number(step::kSend, 900).number(step::kSend, 900, kB).settle()},
      {"rdma", StepsBuilder().settle().move(50, 100, true, kB).move(90, 500, false, kB).settle()},
      {"idle", StepsBuilder().settle().number(step::kTime, 130'000).settle()},
      {"close-with-work", StepsBuilder().settle().number(step::kSend, 5000).number(step::kEnd, 0).settle()},
      {"abort", StepsBuilder().settle().number(step::kSend, 5000).number(step::kEnd, 1, kB).settle()},
  };
}

std::string quoted(Octets octets) {
  std::string text;
  for (const Octet octet : octets) text += fmt::format("\\x{:02x}", octet);
  return text;
}

OctetBuffer request() {
  return encode(smbd::NegotiateRequest{.credits_requested = 255,
                                       .preferred_send_size = 1364,
                                       .max_receive_size = 8192,
                                       .max_fragmented_size = 1'048'576});
}
OctetBuffer response() {
  return encode(smbd::NegotiateResponse{.negotiated_version = smbd::kVersion1,
                                        .credits_requested = 255,
                                        .credits_granted = 255,
                                        .max_read_write_size = 8'388'608,
                                        .preferred_send_size = 1364,
                                        .max_receive_size = 8192,
                                        .max_fragmented_size = 1'048'576});
}
OctetBuffer transfer() {
  static constexpr Octet kPadding[4] = {};
  static constexpr Octet kData[] = {0xfe, 'S', 'M', 'B', 64, 0, 0, 0};
  return encode(smbd::DataTransfer{.credits_requested = 255,
                                   .credits_granted = 1,
                                   .data_offset = smbd::kUsualDataOffset,
                                   .data_length = sizeof kData,
                                   .padding = kPadding,
                                   .buffer = kData});
}

// A visit to a share, with each request and its response once.
std::vector<Seed> smb2_visit_seeds() {
  constexpr const char* kTarget = "fuzz_smb2_message";
  std::vector<Seed> seeds;
  smb2::Visit visit({.octets = 300}, nullptr);
  smb2::Server server;
  OctetBuffer message = visit.begin();
  for (int i = 0; !message.empty(); ++i) {
    const OctetBuffer answer = server.answer(message).value_or(smb2::Answer{}).message;
    seeds.push_back({kTarget, fmt::format("visit-{:02}", i), message});
    seeds.push_back({kTarget, fmt::format("visit-{:02}-response", i), answer});
    message = visit.take(answer).value_or(OctetBuffer{});
  }
  return seeds;
}

// Messages of an SMB2 client and server, and one error response.
std::vector<Seed> smb2_seeds() {
  constexpr const char* kTarget = "fuzz_smb2_message";
  std::vector<Seed> seeds;
  smb2::Client client;
  smb2::Server server;
  const auto exchange = [&](const std::string& name, const OctetBuffer& message) {
    const OctetBuffer answer = server.answer(message).value_or(smb2::Answer{}).message;
    static_cast<void>(client.take(answer));
    seeds.push_back({kTarget, name, message});
    seeds.push_back({kTarget, name + "-response", answer});
  };
  exchange("negotiate", client.negotiate());
  exchange("echo", client.echo(1));
  exchange("compound", client.echo(3));
  seeds.push_back({kTarget, "negotiate-3.0.2", smb2::Client().negotiate(smb2::dialect::k302)});
  smb2::Compound refused;
  refused.add({.command = 1, .credits = 1, .message_id = 5}, smb2::Echo{});
  exchange("session-setup", refused.finish());
  for (Seed& one : smb2_visit_seeds()) seeds.push_back(std::move(one));
  return seeds;
}

}  // namespace

std::vector<Seed> smbd_seeds() {
  std::vector<Seed> seeds{
      {"fuzz_smbd_message", "negotiate-request", request()},
      {"fuzz_smbd_message", "negotiate-response", response()},
      {"fuzz_smbd_message", "data-transfer", transfer()},
      {"fuzz_smbd_message", "empty", encode(smbd::DataTransfer{.credits_requested = 255, .credits_granted = 10})},
      {"fuzz_smbd_message", "buffer-descriptor",
       encode(smbd::BufferDescriptorV1{.offset = 1, .token = 2, .length = 3})}};
  for (const Named& one : scripted())
    for (const char* target : {"fuzz_smbd_initiator", "fuzz_smbd_listener"})
      seeds.push_back({target, one.name, one.steps.octets()});
  for (const Named& one : pairs()) seeds.push_back({"fuzz_smbd_pair", one.name, one.steps.octets()});
  // The path and its layer below (fuzz/delayed_capture.h), the settings, and the steps.
  for (const auto& [name, octets] : {std::pair{"iwarp-3s", OctetBuffer{255, 1, 0x15, 0, 0}},
                                     std::pair{"iwarp-loss", OctetBuffer{110, 2, 0x28, 128, 0}},
                                     std::pair{"roce-3s", OctetBuffer{255, 3, 0x95, 0, 0}},
                                     std::pair{"roce-loss", OctetBuffer{110, 4, 0x80, 128, 0}}}) {
    OctetBuffer input = octets;
    for (const int one : {3, 9, 100, 100, 5, 3, 100, 100}) input.push_back(static_cast<Octet>(one));
    for (int i = 0; i < 24; ++i) input.push_back(static_cast<Octet>(i * 37));
    seeds.push_back({"fuzz_smbd_delayed", name, std::move(input)});
  }
  for (Seed& one : smb2_seeds()) seeds.push_back(std::move(one));
  return seeds;
}

std::string smbd_dictionary() {
  std::string text =
      "# SPDX-License-Identifier: Apache-2.0\n"
      "# SMB Direct, from the table of layouts: messages, versions, and the sizes that have a meaning.\n";
  std::set<std::string> words;
  const auto add = [&](std::string_view name, Octets octets) {
    std::string word = quoted(octets);
    if (words.insert(word).second) text += fmt::format("{}=\"{}\"\n", name, word);
  };
  add("negotiate_request", request());
  add("negotiate_response", response());
  add("data_transfer", transfer());
  add("smb2_echo", smb2::Client().echo(1));
  add("smb2_negotiate", smb2::Client().negotiate());
  for (const smbd::Layout& layout : smbd::all_layouts())
    for (const smbd::FieldRow& row : layout.fields) {
      OctetBuffer octets(row.width, Octet{0xff});
      add(fmt::format("ones_{}", row.width), octets);
    }
  for (const std::uint16_t version : {smbd::kVersion1, std::uint16_t{0x0200}}) {
    OctetBuffer octets;
    Writer(octets).little_endian(version).little_endian(version);
    add(fmt::format("version_{:04x}", version), octets);
  }
  for (const std::uint32_t number : {8u, 20u, 24u, smbd::kLeastMaxReceiveSize - 1, smbd::kLeastMaxReceiveSize, 512u,
                                     smbd::kLeastMaxFragmentedSize - 1, smbd::kLeastMaxFragmentedSize, 0xfffffff0u,
                                     smbd::status::kNotSupported, smbd::status::kInsufficientResources}) {
    OctetBuffer octets;
    Writer(octets).little_endian(number);
    add(fmt::format("number_{}", number), octets);
  }
  return text;
}

}  // namespace wirelaw::corpora
