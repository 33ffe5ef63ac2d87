// SPDX-License-Identifier: Apache-2.0
// The SMB2 server against a third-party client: Samba's smbclient, over TCP, where each message has its length before
// it ([MS-SMB2] 2.1). SMB Direct is not involved.
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "reference/smb2/server.h"

namespace wirelaw::smb2 {
namespace {

using testing::HasSubstr;
using testing::Not;

// Serves one connection at a time, on a port of this machine.
class TcpServer {
 public:
  TcpServer() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof at;
    if (::bind(socket_, reinterpret_cast<sockaddr*>(&at), sizeof at) != 0 || ::listen(socket_, 5) != 0 ||
        ::getsockname(socket_, reinterpret_cast<sockaddr*>(&at), &size) != 0)
      return;
    port_ = ntohs(at.sin_port);
    thread_ = std::thread([this] { serve_all(); });
  }
  ~TcpServer() {
    ::shutdown(socket_, SHUT_RDWR);
    if (thread_.joinable()) thread_.join();
    ::close(socket_);
  }
  TcpServer(const TcpServer&) = delete;
  TcpServer& operator=(const TcpServer&) = delete;

  std::uint16_t port() const { return port_; }

 private:
  static bool receive(int from, std::span<Octet> into) {
    while (!into.empty()) {
      const ssize_t count = ::read(from, into.data(), into.size());
      if (count <= 0) return false;
      into = into.subspan(static_cast<std::size_t>(count));
    }
    return true;
  }
  static bool send(int to, Octets octets) {
    while (!octets.empty()) {
      const ssize_t count = ::send(to, octets.data(), octets.size(), MSG_NOSIGNAL);
      if (count <= 0) return false;
      octets = octets.subspan(static_cast<std::size_t>(count));
    }
    return true;
  }
  static void serve(int client) {
    Server server;
    for (std::array<Octet, 4> length; receive(client, length);) {
      OctetBuffer message(load_big_endian<std::uint32_t>(length.data()) & 0x1fffff);
      if (!receive(client, message)) return;
      const auto answer = server.answer(message);
      if (!answer) return;
      OctetBuffer framed;
      Writer(framed).big_endian(static_cast<std::uint32_t>(answer->message.size())).octets(answer->message);
      if (!answer->message.empty() && !send(client, framed)) return;
    }
  }
  void serve_all() const {
    for (int client; (client = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC)) >= 0; ::close(client)) serve(client);
  }

  int socket_;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

struct Ran {
  int status = -1;
  std::string out;
};
Ran run(const std::string& command) {
  Ran ran;
  FILE* const pipe = ::popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return ran;
  std::array<char, 4096> part;
  for (std::size_t count; (count = ::fread(part.data(), 1, part.size(), pipe)) > 0;) ran.out.append(part.data(), count);
  ran.status = ::pclose(pipe);
  return ran;
}

class Smbclient : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (run("command -v smbclient").status != 0) GTEST_SKIP() << "smbclient is not there (package smbclient)";
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "up") << std::string(300'000, 'u');
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Ran smbclient(const std::string& options, const std::string& commands) const {
    return run("cd '" + folder_.string() + "' && smbclient -p " + std::to_string(server_.port()) +
               " //127.0.0.1/share -s /dev/null " + options + " -c '" + commands + "'");
  }

  TcpServer server_;
  std::filesystem::path folder_ = testing::TempDir() + "wirelaw_smbclient_" + std::to_string(::getpid());
};
INSTANTIATE_TEST_SUITE_P(Dialects, Smbclient, testing::Values("SMB2_02", "SMB2_10", "SMB3_00", "SMB3_02", "SMB3_11"));

TEST_P(Smbclient, UsesTheShareAsNobody) {
  const std::string options = std::string("-N -m ") + GetParam();
  const Ran ran = smbclient(options,
                            "ls; put up x; get x down; get octets octets; mkdir d; rename x d\\y; ls d\\*; rm d\\y; "
                            "rmdir d; ls many\\*149; du; volume");
  EXPECT_EQ(ran.status, 0) << ran.out;
  EXPECT_THAT(ran.out, Not(HasSubstr("NT_STATUS")));
  EXPECT_THAT(ran.out, HasSubstr("16384 blocks of size 4096"));
  EXPECT_THAT(ran.out, HasSubstr("long enough to fill listings 149"));
  EXPECT_THAT(run("cmp '" + (folder_ / "up").string() + "' '" + (folder_ / "down").string() + "'").status, 0);
  EXPECT_EQ(std::filesystem::file_size(folder_ / "octets"), std::size_t{1} << 20);
}

TEST_P(Smbclient, UsesTheShareAsAGuest) {
  const Ran ran = smbclient(std::string("-U somebody%something -m ") + GetParam(), "ls; put up x; allinfo x");
  EXPECT_THAT(ran.out, HasSubstr("octets"));
  EXPECT_THAT(ran.out, HasSubstr("putting file up as \\x"));
}

TEST_P(Smbclient, IsToldWhatIsNotThere) {
  const Ran ran = smbclient(std::string("-N -m ") + GetParam(), "get nothing; cd octets; rmdir many; mkdir a\\b\\c");
  for (const char* const status : {"NT_STATUS_OBJECT_NAME_NOT_FOUND", "NT_STATUS_NOT_A_DIRECTORY",
                                   "NT_STATUS_DIRECTORY_NOT_EMPTY", "NT_STATUS_OBJECT_PATH_NOT_FOUND"})
    EXPECT_THAT(ran.out, HasSubstr(status));
}

}  // namespace
}  // namespace wirelaw::smb2
