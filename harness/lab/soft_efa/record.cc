// SPDX-License-Identifier: Apache-2.0
#include "harness/lab/soft_efa/record.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

namespace wirelaw::soft_efa {
namespace {

constexpr std::uint32_t kLinkType = 252;  // LINKTYPE_WIRESHARK_UPPER_PDU
constexpr std::uint16_t kDissector = 12, kSource6 = 22, kDestination6 = 23, kSourcePort = 25, kDestinationPort = 26;

class Header {
 public:
  template <typename T>
  void host(T value) {  // the file header's magic shows the octet order
    octets(&value, sizeof value);
  }
  template <typename T>
  void network(T value) {
    for (std::size_t i = sizeof value; i-- > 0;) {
      const auto octet = static_cast<std::uint8_t>(value >> (8 * i));
      octets(&octet, 1);
    }
  }
  void octets(const void* from, std::size_t size) {
    std::memcpy(buffer_.data() + size_, from, size);
    size_ += size;
  }
  void tag(std::uint16_t type, const void* value, std::uint16_t size) {
    network(type);
    network(size);
    octets(value, size);
  }
  void port(std::uint16_t type, std::uint16_t port) {
    network(type);
    network(std::uint16_t{4});
    network(std::uint32_t{port});
  }
  std::size_t size() const { return size_; }
  iovec part() { return {buffer_.data(), size_}; }

 private:
  std::array<std::uint8_t, 128> buffer_;
  std::size_t size_ = 0;
};

std::string with_process_id(std::string name) {
  if (const std::size_t at = name.find("%p"); at != std::string::npos) name.replace(at, 2, std::to_string(getpid()));
  return name;
}

}  // namespace

Record::Record(const std::string& name) {
  if (name.empty()) return;
  fd_ = ::open(with_process_id(name).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
  Header file;
  file.host(std::uint32_t{0xa1b2c3d4});  // microseconds
  file.host(std::uint16_t{2});
  file.host(std::uint16_t{4});
  file.host(std::uint64_t{0});
  file.host(std::uint32_t{262144});
  file.host(kLinkType);
  const iovec part = file.part();
  failed_ = fd_ < 0 || ::writev(fd_, &part, 1) != static_cast<ssize_t>(part.iov_len);
}

Record::~Record() {
  if (fd_ >= 0) ::close(fd_);
}

void Record::packet(const Peer& from, const Peer& to, std::span<const iovec> parts, std::size_t octets) {
  if (fd_ < 0 || failed_) return;
  Header tags;
  tags.tag(kDissector, "efa_rdm", 8);
  tags.tag(kSource6, from.gid.data(), 16);
  tags.tag(kDestination6, to.gid.data(), 16);
  tags.port(kSourcePort, from.port);
  tags.port(kDestinationPort, to.port);
  tags.network(std::uint32_t{0});

  timespec now = {};
  clock_gettime(CLOCK_REALTIME, &now);
  const auto length = static_cast<std::uint32_t>(tags.size() + octets);
  Header record;
  record.host(static_cast<std::uint32_t>(now.tv_sec));
  record.host(static_cast<std::uint32_t>(now.tv_nsec / 1000));
  record.host(length);
  record.host(length);

  std::vector<iovec> out{record.part(), tags.part()};
  for (const iovec& part : parts) {
    const std::size_t taken = std::min(octets, part.iov_len);
    if (taken > 0) out.push_back({part.iov_base, taken});
    octets -= taken;
  }
  if (::writev(fd_, out.data(), static_cast<int>(out.size())) < 0) failed_ = true;
}

}  // namespace wirelaw::soft_efa
