// SPDX-License-Identifier: Apache-2.0
// The control channel: its lines, and an application of the reference that is driven through it.
#include <gmock/gmock.h>

#include <filesystem>
#include <thread>

#include "harness/control/channel.h"
#include "harness/control/server.h"
#include "harness/peers/reference_peers.h"

namespace wirelaw::control {
namespace {

using testing::HasSubstr;

const efa::RawAddress kFar{.gid = {0xfe, 0x80}, .qpn = 7, .connid = 0x11223344};
constexpr std::chrono::seconds kLong{10};

Socket::Deadline soon() {
  return std::chrono::steady_clock::now() + kLong;
}

TEST(ControlLine, SaysWhatItWasGiven) {
  Line line("send");
  line.put("context", std::uint64_t{3}).put_octets("data", OctetBuffer{0x00, 0xff}).put("tag", std::nullopt);
  EXPECT_EQ(line.text(), "send context=3 data=00ff");
  const Line read = Line::parse(line.text());
  EXPECT_EQ(read.word(), "send");
  EXPECT_EQ(read.number("context"), 3u);
  EXPECT_EQ(read.octets("data"), (OctetBuffer{0x00, 0xff}));
  EXPECT_EQ(read.number("tag"), std::nullopt);
}

TEST(ControlLine, HasAnErrorThatGoesToTheEnd) {
  const Line line = line_of(fabric::Completion{.context = 9, .error = "not sent: a=b\nc"});
  const auto read = completion_of(Line::parse(line.text()));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->context, 9u);
  EXPECT_EQ(read->error, "not sent: a=b c");
}

TEST(ControlLine, KeepsACompletionWhole) {
  const fabric::Completion told{
      .context = 1, .flags = fabric::cq::kRecv | fabric::cq::kTagged, .len = 5, .cq_data = 6, .tag = 7, .source = 8};
  const auto read = completion_of(Line::parse(line_of(told).text()));
  ASSERT_TRUE(read);
  EXPECT_EQ(to_text(*read), to_text(told));
  EXPECT_EQ(read->source, 8u);
  EXPECT_EQ(completion_of(Line::parse(line_of(std::nullopt).text())), std::nullopt);
}

TEST(ControlLine, IsTakenWhateverItHolds) {
  for (const char* text :
       {"", " ", "=", "a=", "=b", "x=0x", "x=0xfffffffffffffffff", "x=12z", "send data=0", "error="}) {
    const Line line = Line::parse(text);
    EXPECT_EQ(line.number("x"), std::nullopt) << text;
    EXPECT_EQ(line.octets("data"), std::nullopt) << text;
  }
}

TEST(ControlSocket, TakesALineOfAMegabyte) {
  auto listener = Listener::open();
  ASSERT_TRUE(listener);
  std::thread writer([path = listener->path()] {
    auto socket = Socket::connect(path);
    ASSERT_TRUE(socket);
    const std::string piece(std::size_t{1} << 20, 'x');
    while (socket->send(piece.substr(1), soon())) {
    }
  });
  auto socket = listener->accept(soon());
  ASSERT_TRUE(socket);
  EXPECT_EQ(socket->receive(soon()).value().value().size(), (std::size_t{1} << 20) - 1);
  socket.reset();
  writer.join();
}

TEST(ControlListener, LeavesNothingBehind) {
  std::string path;
  {
    const auto listener = Listener::open();
    ASSERT_TRUE(listener);
    path = listener->path();
    EXPECT_TRUE(std::filesystem::exists(path));
  }
  EXPECT_FALSE(std::filesystem::exists(std::filesystem::path(path).parent_path()));
}

// An application of the reference peer, which takes calls in a thread of its own until the channel is closed.
class Driven : public testing::Test {
 protected:
  Driven() : peer_((*find_reference_peer("efa")->maker({}))(1)), listener_(Listener::open().value()) {
    ::setenv("WIRELAW_CONTROL", listener_->path().c_str(), 1);
    server_ = Server::from_environment([this](const efa::RawAddress& far) {
      taken_ = far;
      return peer_->application(0);
    });
    ::unsetenv("WIRELAW_CONTROL");
    thread_ = std::thread([this] {
      while (server_->proceed(soon())) {
      }
    });
    application_.emplace(*listener_, ignored_);
  }
  ~Driven() override {
    application_.reset();
    listener_.reset();  // with a connection that nobody has accepted
    thread_.join();
  }

  std::unique_ptr<Peer> peer_;
  std::optional<Listener> listener_;
  bool ignored_ = false;
  efa::RawAddress taken_;
  std::optional<Server> server_;
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
  EXPECT_EQ(answer(Line("dance"), *peer_->application(0)).value("error"), "there is no such call");
  EXPECT_FALSE(application_->register_memory({}));
}

TEST(Channel, DoesNotWaitTwiceForAPeerThatDoesNotConnect) {
  bool ignored = true;
  auto listener = Listener::open();
  ASSERT_TRUE(listener);
  EXPECT_EQ(RemoteApplication(*listener, ignored).begin(kFar), nullptr);
  EXPECT_TRUE(ignored);
}

}  // namespace
}  // namespace wirelaw::control
