// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/scheme.h"

#include <gmock/gmock.h>

#include "harness/transports/memory/memory_uri.h"
#include "harness/transports/srd/address.h"

namespace wirelaw {
namespace {

using std::chrono::milliseconds;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

tl::expected<MemoryUri, std::string> memory_uri(std::string_view text) {
  const auto uri = parse_reference_uri(text);
  if (!uri) return tl::unexpected(uri.error());
  return parse_memory_uri(*uri);
}

TEST(Uri, NamesHostAndPort) {
  const auto name = parse_peer_uri("udp://host.example:7000", "udp");
  ASSERT_TRUE(name);
  EXPECT_EQ(socket_place(*name).host, "host.example");
  EXPECT_EQ(socket_place(*name).port, 7000);
  EXPECT_EQ(socket_place(*parse_peer_uri("udp://[::1]:7000", "udp")).host, "::1");
}

TEST(Uri, SaysTheRightForm) {
  for (const char* text : {"", "udp", "udp:", "udp:/127.0.0.1:1", "udp://", "udp://host", "udp://:7000", "udp://host:0",
                           "udp://host:70000", "udp://host:x", "udp://::1:7000", "udp://[::1:7000", "udp://[::1]7000",
                           "tcp://host:1", "udp://host:1?x=y", "memory:"}) {
    const auto uri = parse_peer_uri(text, "udp");
    ASSERT_FALSE(uri) << text;
    EXPECT_THAT(uri.error(), HasSubstr("udp://HOST:PORT")) << text;
  }
}

TEST(Uri, TakesTheParametersOfItsProtocolAndNoOthers) {
  constexpr Feature kParameters[] = {{"stag", "an STag"}, {"to", "a TO"}};
  const auto uri = parse_peer_uri("tcp://host:1?stag=0x12&to=7", "tcp", kParameters);
  ASSERT_TRUE(uri);
  EXPECT_EQ(uri->query, (std::vector<std::pair<std::string, std::string>>{{"stag", "0x12"}, {"to", "7"}}));
  const auto wrong = parse_listen_uri("tcp://host:1?stagg=0x12", "tcp", kParameters);
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error(), HasSubstr("'stagg' is no parameter"));
}

TEST(Uri, OfVerbsMayNameADevice) {
  const auto uri = parse_peer_uri("verbs://192.0.2.1:7175?device=siw0", "tcp verbs");
  ASSERT_TRUE(uri);
  EXPECT_EQ(uri->option("device"), "siw0");
  EXPECT_TRUE(uri->query.empty()) << "our device is no parameter of the peer";
  EXPECT_TRUE(parse_listen_uri("verbs://?device=siw0", "tcp verbs"));
  const auto wrong = parse_peer_uri("verbs://192.0.2.1:7175?divice=siw0", "tcp verbs");
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error(), HasSubstr("the form is verbs://HOST:PORT"));
  EXPECT_THAT(wrong.error(), HasSubstr("?device=…"));
  EXPECT_FALSE(parse_peer_uri("tcp://192.0.2.1:7175?device=siw0", "tcp verbs"));
}

TEST(Uri, ListensAtLoopbackUnlessItNamesAnother) {
  EXPECT_EQ(socket_place(*parse_listen_uri("udp://", "udp")).host, "127.0.0.1");
  EXPECT_EQ(socket_place(*parse_listen_uri("udp://", "udp")).port, 0);
  EXPECT_EQ(socket_place(*parse_listen_uri("udp://:7000", "udp")).host, "127.0.0.1");
  EXPECT_EQ(socket_place(*parse_listen_uri("udp://:7000", "udp")).port, 7000);
  EXPECT_EQ(socket_place(*parse_listen_uri("udp://0.0.0.0:7000", "udp")).host, "0.0.0.0");
}

TEST(Uri, IsOfATransportOfTheProtocol) {
  EXPECT_EQ(parse_peer_uri("tcp://host:1", "tcp")->scheme, "tcp");
  EXPECT_EQ(parse_peer_uri("udp://host:1", "tcp udp")->scheme, "udp");
  EXPECT_EQ(socket_place(*parse_listen_uri("tcp://", "tcp")).host, "127.0.0.1");
  const auto wrong = parse_peer_uri("udp://host:1", "tcp");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error(),
            "'udp://host:1': this protocol travels over tcp; the form is tcp://HOST:PORT or tcp://[IPV6]:PORT");
  EXPECT_EQ(first_transport("tcp udp"), "tcp");
  EXPECT_EQ(first_transport("udp"), "udp");
}

TEST(Uri, NamesTheReferenceOnlyWhereItMayBeTested) {
  for (const char* const text : {"host:1", "memory:", "tcp://host:1", "udp://host"}) {
    for (const UriUse use : {UriUse::peer, UriUse::started}) {
      const auto uri = parse_peer_uri(text, "udp", {}, use);
      ASSERT_FALSE(uri) << text;
      EXPECT_THAT(uri.error(),
                  AllOf(HasSubstr("the form is udp://HOST:PORT or udp://[IPV6]:PORT"), Not(HasSubstr("or memory"))));
    }
    const auto tested = parse_peer_uri(text, "udp", {}, UriUse::tested);
    ASSERT_FALSE(tested) << text;
    EXPECT_THAT(tested.error(), HasSubstr("the form is udp://HOST:PORT, udp://[IPV6]:PORT or memory:"));
  }
  EXPECT_THAT(parse_listen_uri("memory:", "udp").error(), Not(HasSubstr("or memory")));
}

TEST(SrdUri, NamesGidQpnAndConnid) {
  const auto uri = parse_peer_uri("srd://fe80::7/70000/0x1234?device=rdmap0", "udp srd");
  ASSERT_TRUE(uri);
  EXPECT_EQ(to_string(*parse_srd(uri->place)), "fe80::7/70000/0x1234");
  EXPECT_EQ(uri->option("device"), "rdmap0");
  EXPECT_TRUE(uri->query.empty()) << "our device is no parameter of the peer";
  EXPECT_EQ(to_string(*parse_srd(parse_peer_uri("srd://[::1]/5/6", "srd")->place)), "::1/5/0x6");
  EXPECT_EQ(to_string(*parse_srd(parse_peer_uri("srd://127.0.0.1/5/6", "srd")->place)), "::ffff:127.0.0.1/5/0x6");
}

TEST(SrdUri, OfOnesOwnMayLeaveOutWhatTheDeviceChooses) {
  for (const char* text : {"srd://", "srd://::1", "srd://::1/5", "srd://::1/5/6", "srd://?device=rdmap0"})
    EXPECT_TRUE(parse_listen_uri(text, "udp srd")) << text;
}

TEST(SrdUri, SaysTheRightForm) {
  constexpr Feature kParameters[] = {{"addr", "an address"}};
  for (const char* text :
       {"srd://", "srd://::1", "srd://::1/5", "srd://::1/x/6", "srd://::1/16777216/6", "srd://::1/5/x",
        "srd://::1/5/4294967296", "srd://::1/5/6/7", "srd://host/5/6", "srd://::1/5/6?key=7"}) {
    const auto uri = parse_peer_uri(text, "udp srd", kParameters);
    ASSERT_FALSE(uri) << text;
    EXPECT_THAT(uri.error(), HasSubstr("srd://GID/QPN/CONNID")) << text;
  }
}

TEST(Uri, IsFoundInALineWithOtherWords) {
  const auto uri = uri_in("efa responder at srd://::1/5/0x6?addr=0x10&key=7 and no more", "srd");
  ASSERT_TRUE(uri);
  EXPECT_EQ(to_string(*parse_srd(uri->place)), "::1/5/0x6");
  EXPECT_EQ(uri->query, (std::vector<std::pair<std::string, std::string>>{{"addr", "0x10"}, {"key", "7"}}));
  EXPECT_EQ(socket_place(*uri_in("peer=udp://127.0.0.1:7000?addr=1 x", "udp")).port, 7000);
  EXPECT_FALSE(uri_in("efa responder at udp://127.0.0.1:7000", "srd"));
  EXPECT_FALSE(parse_srd(uri_in("srd://nobody/5/6", "srd")->place));
}

TEST(MemoryUri, ReadsTheNetworkFaults) {
  const auto memory = memory_uri("memory:?loss=0.2&duplication=0.1&reordering=1&delay=5-20&seed=7&cut=9");
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->network_faults.loss, 0.2);
  EXPECT_EQ(memory->network_faults.duplication, 0.1);
  EXPECT_EQ(memory->network_faults.reordering, 1);
  EXPECT_EQ(memory->network_faults.delay_min, milliseconds{5});
  EXPECT_EQ(memory->network_faults.delay_max, milliseconds{20});
  EXPECT_EQ(memory->seed, 7u);
  EXPECT_EQ(memory->network_faults.cut, 9u);
  EXPECT_TRUE(memory_uri("memory:"));
}

TEST(MemoryUri, RefusesWhatItDoesNotUnderstand) {
  for (const char* text :
       {"memory:?loss=2", "memory:?loss=nan", "memory:?loss=", "memory:?lost=1", "memory:?delay=9-3",
        "memory:?delay=-1", "memory:?seed=x", "memory:?cut=0", "memory:?cut=x", "memory://host", "udp://h:1"}) {
    const auto memory = memory_uri(text);
    ASSERT_FALSE(memory) << text;
    EXPECT_THAT(memory.error(), HasSubstr("memory:?loss=P")) << text;
  }
}

}  // namespace
}  // namespace wirelaw
