// SPDX-License-Identifier: Apache-2.0
// The control channel: its lines and its sockets. For an application's calls through it see
// harness/peers/efa/application_calls_test.cc.
#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "harness/control/line.h"
#include "harness/control/socket.h"

namespace wirelaw::control {
namespace {

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

}  // namespace
}  // namespace wirelaw::control
