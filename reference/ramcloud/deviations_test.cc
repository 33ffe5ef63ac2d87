// SPDX-License-Identifier: Apache-2.0
// Each deviation changes the packets sent, or the upper layer's results, compared with an honest endpoint in the same
// script.
#include "reference/ramcloud/deviations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <string>

#include "reference/octets/hex.h"
#include "reference/ramcloud/faults/faulty_client.h"
#include "reference/ramcloud/faults/faulty_server.h"
#include "reference/ramcloud/test_packets.h"

namespace wirelaw::ramcloud {
namespace {

using namespace std::chrono_literals;

constexpr PeerId kPeer = 5;
constexpr Flags kAsk{.request_ack = true};

// The behaviour of an endpoint, line by line.
using Transcript = std::vector<std::string>;

// ------------------------------------------------------------------------------------- a server and a script for it

class ServerScene {
 public:
  explicit ServerScene(const Deviations& deviations) : server_(make_server(Options{}, 1, deviations)) {}

  Header open(std::uint32_t hint, Flags flags = {}) {
    const auto answers = send(open_request(hint, flags));
    return answers.empty() ? Header{} : answers.front().header;
  }
  std::vector<SentPacket> send(const OctetBuffer& octets) {
    server_->receive(kPeer, octets, now);
    return drain();
  }
  void answer_all(std::size_t octets) {
    Request request;
    while (server_->next_request(request)) {
      log.push_back("executes " + to_hex(request.payload));
      OctetBuffer response(octets);
      for (std::size_t i = 0; i < octets; ++i) response[i] = static_cast<Octet>(i / 1374 + 1);
      server_->respond(request.handle, response, now);
      drain();
    }
  }
  void request(const Header& session, std::uint8_t channel, std::uint32_t rpc, std::uint16_t number = 0,
               std::uint16_t total = 1, Flags flags = {}, std::size_t answer = 2) {
    send(data(session, channel, rpc, number, total, OctetBuffer{Octet(0xa0 + number)}, flags));
    answer_all(answer);
  }

  Instant now{};
  Transcript log;

 private:
  std::vector<SentPacket> drain() {
    std::vector<SentPacket> all = fetch(*server_);
    for (const SentPacket& packet : all) log.push_back(to_hex(encode(packet.header, packet.payload)));
    log.push_back("-");
    return all;
  }
  std::unique_ptr<Server> server_;
};

void open_sessions(ServerScene& script) {
  script.open(0x00112233, {.please_drop = true});
  const Header session = script.open(0x00112233);
  script.open(0x44556677);
  script.request(session, 0, 0);
}

void ask_for_acks(ServerScene& script) {
  const Header session = script.open(0x00112233);
  script.request(session, 0, 0, 0, 6);
  script.request(session, 0, 0, 3, 6);
  script.request(session, 0, 0, 2, 6, kAsk);
  script.request(session, 0, 0, 1, 6, {.request_ack = true, .please_drop = true});
  script.request(session, 0, 0, 1, 6, kAsk);
}

void send_what_is_wrong(ServerScene& script) {
  const Header session = script.open(0x00112233);
  script.request(session, 0, 5);
  script.request(session, 9, 0);
  script.request(session, 7, 0);
  script.request(session, 1, 0, 0, 0);
  script.request(session, 1, 0, 0, 0, kAsk);
  script.request(session, 2, 0, 0, 2);
  script.request(session, 2, 0, 2, 2, kAsk);
  script.request(session, 3, 0, 0, 3);
  script.request(session, 3, 0, 1, 2);
  script.request(session, 3, 0, 2, 3, {.reserved1 = true});
  script.request(session, 4, 0, 0, 1, {.direction = true});
  script.request(session, 5, 0);
  script.request(session, 5, 1);
  script.request(session, 5, 0);
  script.request(session, 6, 0, 1, 2);
  script.request(session, 6, 0, 1, 2);
  script.request(session, 6, 0, 0, 2);
}

void send_of_other_sessions(ServerScene& script) {
  Header session = script.open(0x00112233);
  session.session_token += 1;
  script.request(session, 0, 0);
  session.server_session_hint = 77;
  script.request(session, 0, 0);
}

void repeat_requests(ServerScene& script) {
  const Header session = script.open(0x00112233);
  script.request(session, 0, 0, 0, 2);
  script.request(session, 0, 0, 0, 2);
  script.request(session, 0, 0, 1, 2);
  script.request(session, 0, 0, 1, 2);
  script.request(session, 1, 0);
  script.request(session, 0, 0, 1, 2);
  script.request(script.open(0x44556677), 0, 0);
}

void acknowledge_responses(ServerScene& script) {
  const Header session = script.open(0x00112233);
  script.request(session, 0, 0, 0, 1, {}, std::size_t{6} * 1374);
  script.send(ack(session, 0, 0, {2, 0b10}));
  script.now += 1s;
  script.send(ack(session, 0, 0, {2, 0b10}));
}

void send_octets(ServerScene& script, const std::function<OctetBuffer(Header)>& make) {
  const Header session = script.open(0x00112233);
  script.request(session, 0, 0);
  script.send(make(session));
  script.request(session, 1, 0);
}

// Packets that a server may drop, each sent after an answered request.
OctetBuffer of_type(Header header, PayloadType type, Octets payload = {}) {
  header.flags = {};
  header.payload_type = type;
  return encode(header, payload);
}
OctetBuffer ack_of(const Header& header, std::size_t octets, const Ack& what = {}) {
  OctetBuffer packet = ack(header, 0, 0, what);
  packet.resize(layout::kHeader + octets);
  return packet;
}
const std::function<OctetBuffer(Header)> kStrangePackets[] = {
    [](const Header&) { return OctetBuffer(25); },
    [](const Header& header) { return of_type(header, PayloadType{5}); },
    [](const Header& header) { return ack_of(header, 5); },
    [](const Header& header) { return ack_of(header, 6, {.first_missing_frag = 2}); },
    [](const Header& header) { return ack_of(header, 7); },
    [](const Header& header) { return of_type(header, PayloadType::bad_session); },
    [](const Header& header) { return of_type(header, PayloadType::session_open, OctetBuffer{1}); },
};

void ask_with_every_fragment(ServerScene& script) {
  const Header session = script.open(0x00112233);
  script.request(session, 0, 0, 0, 2, kAsk);
  script.request(session, 0, 0, 1, 2, kAsk);
}

void send_reserved1(ServerScene& script) {
  const Header session = script.open(0x00112233);
  script.request(session, 0, 0, 0, 1, {.reserved1 = true});
  script.request(session, 1, 0);
}

Transcript run_server(const Deviations& deviations) {
  std::vector<std::function<void(ServerScene&)>> scripts{
      open_sessions,   ask_for_acks,          send_what_is_wrong,      send_of_other_sessions,
      repeat_requests, acknowledge_responses, ask_with_every_fragment, send_reserved1};
  for (const auto& packet : kStrangePackets)
    scripts.emplace_back([&](ServerScene& script) { send_octets(script, packet); });
  Transcript all;
  for (const auto& run : scripts) {
    ServerScene script(deviations);
    run(script);
    all.insert(all.end(), script.log.begin(), script.log.end());
  }
  return all;
}

// ------------------------------------------------------------------------------------- a client and a script for it

class ClientScene {
 public:
  explicit ClientScene(const Deviations& deviations) : client_(make_client(Options{}, 1, deviations)) {}

  void call(OctetBuffer request) {
    client_->call(std::move(request), now);
    drain();
  }
  // Answers the latest session open request.
  void open(std::uint64_t token, const OctetBuffer& payload = {7}) {
    session = opening_;
    session.session_token = token;
    session.server_session_hint = 0x99;
    session.payload_type = PayloadType::session_open;
    session.flags = {.direction = true};
    receive(encode(session, payload));
  }
  void receive(const OctetBuffer& octets) {
    client_->receive(octets, now);
    drain();
  }
  void respond(std::uint8_t channel, std::uint32_t rpc, std::uint16_t number, std::uint16_t total,
               Flags flags = {.direction = true}) {
    receive(data(session, channel, rpc, number, total, OctetBuffer{Octet(number)}, flags));
  }
  void wait(unsigned intervals) {
    for (; intervals > 0; --intervals) {
      now += 100ms;
      client_->advance(now);
      drain();
    }
  }

  Instant now{};
  Header session;
  Transcript log;

 private:
  void drain() {
    for (const SentPacket& packet : fetch(*client_)) {
      log.push_back(to_hex(encode(packet.header, packet.payload)));
      if (packet.header.client_session_hint != 0 && packet.header.session_token == 0xcccccccccccccccc)
        opening_ = packet.header;
    }
    CallResult result;
    while (client_->next_result(result))
      log.push_back(result.response ? "response " + to_hex(*result.response) : result.response.error().text);
    log.push_back("-");
  }
  std::unique_ptr<Client> client_;
  Header opening_;
};

void call_in_turn(ClientScene& script) {
  script.call({1});
  script.open(1000);
  script.respond(0, 0, 0, 1);
  script.call({2});
  script.respond(0, 1, 0, 1);
}

void call_at_once(ClientScene& script) {
  script.call({1});
  script.open(1000);
  script.open(2000);
  script.call({2});
  script.call(OctetBuffer(std::size_t{4} * 1374));
}

void answer_in_disorder(ClientScene& script) {
  constexpr Flags kAsked{.direction = true, .request_ack = true};
  script.call({1});
  script.open(1000);
  script.respond(0, 0, 2, 6);
  script.respond(0, 0, 0, 6);
  script.respond(0, 0, 0, 6, kAsked);
  script.respond(0, 0, 3, 6, {.direction = true, .please_drop = true});
  script.wait(3);
  for (const std::uint16_t number : std::initializer_list<std::uint16_t>{5, 1, 4, 3})
    script.respond(0, 0, number, 6, kAsked);
}

void answer_wrongly(ClientScene& script, const std::function<void(ClientScene&)>& answer) {
  script.call({1});
  script.open(1000);
  answer(script);
}

void stay_silent(ClientScene& script) {
  script.call({1});
  script.wait(3);
  script.open(1000);
  script.call(OctetBuffer(std::size_t{6} * 1374));
  script.receive(ack(script.session, 1, 0, {2, 0b10}, {.direction = true}));
  script.wait(8);
}

void acknowledge_and_stay_silent(ClientScene& script) {
  script.call({1});
  script.open(1000);
  script.receive(ack(script.session, 0, 0, {.first_missing_frag = 1}, {.direction = true}));
  script.wait(8);
}

void forget_the_session(ClientScene& script) {
  call_in_turn(script);
  script.call({3});
  Header bad = script.session;
  bad.payload_type = PayloadType::bad_session;
  script.receive(encode(bad));
  script.open(2000);
}

void open_emptily(ClientScene& script) {
  script.call({1});
  script.open(1000, {});
  script.open(1000);
}

void call_every_session_bad(ClientScene& script) {
  script.call({1});
  for (std::uint64_t token = 1000; token < 1010; ++token) {
    script.open(token);
    Header bad = script.session;
    bad.payload_type = PayloadType::bad_session;
    script.receive(encode(bad));
  }
}

Transcript run_client(const Deviations& deviations) {
  Transcript all;
  std::vector<std::function<void(ClientScene&)>> scripts{
      call_in_turn,       call_at_once, answer_in_disorder,     stay_silent,
      forget_the_session, open_emptily, call_every_session_bad, acknowledge_and_stay_silent};
  const std::function<void(ClientScene&)> wrong_answers[] = {
      [](ClientScene& script) { script.respond(0, 7, 0, 1); },
      [](ClientScene& script) { script.respond(3, 0, 0, 1); },
      [](ClientScene& script) { script.respond(0, 0, 1, 1); },
      [](ClientScene& script) { script.respond(0, 0, 0, 1, {}); },
      [](ClientScene& script) {
        script.session.session_token += 1;
        script.respond(0, 0, 0, 1);
      },
      [](ClientScene& script) {
        script.receive(OctetBuffer(25));
        script.wait(1);
      },
      [](ClientScene& script) {
        Header header = script.session;
        header.payload_type = PayloadType{5};
        script.receive(encode(header));
        script.wait(1);
      },
      [](ClientScene& script) {
        Header header = script.session;
        header.payload_type = PayloadType::ack;
        script.receive(encode(header, OctetBuffer(5)));
        script.wait(1);
      },
      [](ClientScene& script) {
        script.receive(ack(script.session, 0, 0, {.first_missing_frag = 2}, {.direction = true}));
        script.wait(1);
      },
      [](ClientScene& script) {
        script.respond(0, 0, 0, 1, {.direction = true, .reserved1 = true});
        script.wait(1);
      },
  };
  for (const auto& answer : wrong_answers)
    scripts.emplace_back([&](ClientScene& script) { answer_wrongly(script, answer); });
  for (const auto& run : scripts) {
    ClientScene script(deviations);
    run(script);
    all.insert(all.end(), script.log.begin(), script.log.end());
  }
  return all;
}

// ------------------------------------------------------------------------------------------------------ the tests

bool is_for(const DeviationInfo& info, Role role) {
  return includes(info.role, role);
}

TEST(Deviations, AreFoundByTheirNames) {
  std::set<std::string_view> names;
  ASSERT_EQ(all_deviations().size(), kDeviationCount);
  for (const DeviationInfo& info : all_deviations()) {
    EXPECT_EQ(deviation_from_name(info.name), info.deviation);
    EXPECT_EQ(describe(info.deviation).name, info.name);
    EXPECT_TRUE(names.insert(info.name).second);
    EXPECT_TRUE(info.text.ends_with('.'));
    EXPECT_FALSE(info.rule.empty());
  }
  EXPECT_EQ(deviation_from_name("no-such-fault"), std::nullopt);
  EXPECT_EQ(deviation_from_name(""), std::nullopt);
}

TEST(Deviations, OfTheOtherRoleChangeNothing) {
  const Transcript server = run_server({}), client = run_client({});
  for (const DeviationInfo& info : all_deviations()) {
    if (!is_for(info, Role::responder)) {
      EXPECT_EQ(run_server({info.deviation}), server) << info.name;
    }
    if (!is_for(info, Role::initiator)) {
      EXPECT_EQ(run_client({info.deviation}), client) << info.name;
    }
  }
}

class EachDeviation : public testing::TestWithParam<DeviationInfo> {};

TEST_P(EachDeviation, ShowsInEveryRoleThatCommitsIt) {
  const DeviationInfo& info = GetParam();
  if (is_for(info, Role::responder)) {
    EXPECT_NE(run_server({info.deviation}), run_server({})) << info.text;
  }
  if (is_for(info, Role::initiator)) {
    EXPECT_NE(run_client({info.deviation}), run_client({})) << info.text;
  }
}

std::string test_name(const testing::TestParamInfo<DeviationInfo>& info) {
  std::string name(info.param.name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, EachDeviation, testing::ValuesIn(all_deviations().begin(), all_deviations().end()),
                         test_name);

TEST(Deviations, ThatDieNeverAnswerAgain) {
  for (const Deviation deviation : {Deviation::short_packet_dies, Deviation::reserved_type_dies}) {
    const auto server = make_server({}, 1, {deviation});
    server->receive(kPeer,
                    deviation == Deviation::short_packet_dies ? OctetBuffer(3)
                                                              : encode({.payload_type = PayloadType{7}, .flags = {}}),
                    0s);
    server->receive(kPeer, open_request(1), 0s);
    EXPECT_TRUE(fetch(*server).empty());
  }
}

TEST(Deviations, OfAcksAreTheOctetsThatTheirNamesSay) {
  // Fragments 0 and 2 of six have arrived.
  const auto ack_with = [](Deviation deviation) {
    ServerScene script({deviation});
    const Header session = script.open(1);
    script.request(session, 0, 0, 0, 6);
    const auto answers = script.send(data(session, 0, 0, 2, 6, {}, kAsk));
    return to_hex(answers.at(0).payload);
  };
  EXPECT_EQ(ack_with(Deviation::payload_altered), "010001000000") << "the truth";
  EXPECT_EQ(ack_with(Deviation::ack_five_octets), "0100010000");
  EXPECT_EQ(ack_with(Deviation::ack_seven_octets), "01000100000000");
  EXPECT_EQ(ack_with(Deviation::ack_eight_octets_padded), "0100000001000000");
  EXPECT_EQ(ack_with(Deviation::ack_first_missing_beyond_total), "070001000000");
  EXPECT_EQ(ack_with(Deviation::ack_claims_unreceived), "010003000000");
  EXPECT_EQ(ack_with(Deviation::ack_staging_off_by_one), "010002000000");
  EXPECT_EQ(ack_with(Deviation::ack_staging_bits_reversed), "010000000080");
  EXPECT_EQ(ack_with(Deviation::ack_bits_beyond_total), "0100f1ffffff");
  EXPECT_EQ(ack_with(Deviation::ack_first_missing_not_lowest), "030000000000");
}

}  // namespace
}  // namespace wirelaw::ramcloud
