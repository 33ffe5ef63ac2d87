// SPDX-License-Identifier: Apache-2.0
// The application of the reference endpoint, driven through the control channel.
#include "harness/peers/efa/application_calls.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <thread>

#include "harness/peers/efa/application_lines.h"
#include "harness/peers/efa/remote_application.h"
#include "harness/peers/efa_endpoint_peer.h"

namespace wirelaw::efa {
namespace {

using control::Line;
using testing::HasSubstr;

const RawAddress kFar{.gid = {0xfe, 0x80}, .qpn = 7, .connid = 0x11223344};
constexpr std::chrono::seconds kLong{10};

control::Socket::Deadline soon() {
  return std::chrono::steady_clock::now() + kLong;
}

TEST(ApplicationLines, HasAnErrorThatGoesToTheEnd) {
  const Line line = line_of(fabric::Completion{.context = 9, .error = "not sent: a=b\nc"});
  const auto read = completion_of(Line::parse(line.text()));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->context, 9u);
  EXPECT_EQ(read->error, "not sent: a=b c");
}

TEST(ApplicationLines, KeepsACompletionWhole) {
  const fabric::Completion whole{
      .context = 1, .flags = fabric::cq::kRecv | fabric::cq::kTagged, .len = 5, .cq_data = 6, .tag = 7, .source = 8};
  const auto read = completion_of(Line::parse(line_of(whole).text()));
  ASSERT_TRUE(read);
  EXPECT_EQ(to_text(*read), to_text(whole));
  EXPECT_EQ(read->source, 8u);
  EXPECT_EQ(completion_of(Line::parse(line_of(std::nullopt).text())), std::nullopt);
}

// An application of the reference peer. It takes calls in a separate thread until the channel is closed.
class Driven : public testing::Test {
 protected:
  Driven() : peer_((*peer_maker({}))(1)), listener_(control::Listener::open().value()) {
    ::setenv("WIRELAW_CONTROL", listener_->path().c_str(), 1);
    server_ = control::Server::from_environment(std::make_unique<ApplicationCalls>([this](const RawAddress& far) {
      taken_ = far;
      return &endpoint();
    }));
    ::unsetenv("WIRELAW_CONTROL");
    thread_ = std::thread([this] {
      while (server_->proceed(soon())) {
      }
    });
    application_.emplace(*listener_, ignored_);
  }
  ~Driven() override {
    application_.reset();
    listener_.reset();  // with a connection that was not accepted
    thread_.join();
  }

  fabric::Application& endpoint() { return static_cast<EndpointPeer&>(*peer_).application(0); }

  std::unique_ptr<wirelaw::Peer> peer_;
  std::optional<control::Listener> listener_;
  bool ignored_ = false;
  RawAddress taken_;
  std::optional<control::Server> server_;
  std::thread thread_;
  std::optional<RemoteApplication> application_;
};

TEST_F(Driven, TakesCallsAndAnswersThem) {
  const fabric::Abilities* const abilities = application_->begin(kFar);
  ASSERT_NE(abilities, nullptr);
  EXPECT_EQ(abilities->name, "reference");
  EXPECT_EQ(abilities->mtu, 8928u);
  EXPECT_TRUE(abilities->fills_queue && abilities->fails_registrations && abilities->loses_peer);
  EXPECT_TRUE(taken_.same_endpoint(kFar));

  const OctetBuffer octets{1, 2, 3};
  const auto region = application_->register_memory(octets);
  ASSERT_TRUE(region);
  EXPECT_EQ(region->len, 3u);
  EXPECT_EQ(application_->memory(region->key), octets);
  EXPECT_TRUE(application_->withdraw(region->key));
  EXPECT_EQ(application_->memory(region->key), OctetBuffer());

  EXPECT_TRUE(application_->post(fabric::Receive{.context = 4, .octets = 2, .tag = 5}));
  EXPECT_EQ(application_->buffer(4), (OctetBuffer{0, 0}));
  EXPECT_THAT(application_->buffer(77).error().message, HasSubstr("context"));
  EXPECT_TRUE(application_->post(fabric::Send{.context = 5, .data = octets, .cq_data = 1}));
  EXPECT_TRUE(application_->post(fabric::Write{.context = 6, .data = octets, .to = {1, 3, 2}}));
  EXPECT_TRUE(application_->post(fabric::Read{.context = 7, .from = {1, 3, 2}}));
  EXPECT_TRUE(application_->post(fabric::Atomic{.context = 8, .operand = 1, .on = {8, 8, 2}}));
  EXPECT_TRUE(application_->trouble({.packets = 3, .registers = false}));
  EXPECT_EQ(application_->completion({}).value(), std::nullopt);

  const auto name = application_->name(), other = application_->name_of_another();
  ASSERT_TRUE(name && other);
  EXPECT_NE(name->connid, other->connid);
  EXPECT_TRUE(application_->close(kLong));
}

TEST_F(Driven, IsDrivenOnceItHasBeenTaken) {
  EXPECT_EQ(answer(Line("dance"), endpoint()).value("error"), "there is no such call");
  EXPECT_FALSE(application_->register_memory({}));
}

TEST(RemoteApplication, DoesNotWaitTwiceForAPeerThatDoesNotConnect) {
  bool ignored = true;
  auto listener = control::Listener::open();
  ASSERT_TRUE(listener);
  EXPECT_EQ(RemoteApplication(*listener, ignored).begin(kFar), nullptr);
  EXPECT_TRUE(ignored);
}

}  // namespace
}  // namespace wirelaw::efa
