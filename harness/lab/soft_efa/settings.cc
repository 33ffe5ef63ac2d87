// SPDX-License-Identifier: Apache-2.0
#include "harness/lab/soft_efa/settings.h"

#include <array>
#include <charconv>
#include <string_view>

namespace wirelaw::soft_efa {
namespace {

template <typename T>
bool read_number(std::string_view text, T least, T most, T& out) {
  T value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < least || value > most) return false;
  out = value;
  return true;
}

// Splits "A", "A:B" or "A-B" at the sign. The second part is empty if there is no sign.
std::pair<std::string_view, std::string_view> halves(std::string_view text, char sign) {
  const std::size_t at = text.find(sign);
  if (at == std::string_view::npos) return {text, {}};
  return {text.substr(0, at), text.substr(at + 1)};
}

bool read_address(std::string_view text, Settings& to) {
  const auto gid = parse_gid(std::string(text));
  if (gid) to.gid = *gid;
  return gid.has_value();
}

bool read_any_network(std::string_view text, Settings& to) {
  to.any_network = text == "1";
  return text == "0" || text == "1";
}

bool read_port(std::string_view text, Settings& to) {
  return read_number<std::uint16_t>(text, 0, 65534, to.port);
}

bool read_mtu(std::string_view text, Settings& to) {
  return read_number<std::uint32_t>(text, 1024, 65000, to.mtu);
}

bool read_inline(std::string_view text, Settings& to) {
  return read_number<std::uint16_t>(text, 0, kMaxInline, to.inline_octets);
}

bool read_rdma(std::string_view text, Settings& to) {
  to.rdma = text == "write" ? Rdma::write : text == "read" ? Rdma::read : Rdma::off;
  return text == "write" || text == "read" || text == "off";
}

bool read_reorder(std::string_view text, Settings& to) {
  const auto [depth, seed] = halves(text, ':');
  return read_number<std::uint32_t>(depth, 0, 4096, to.reorder_depth) &&
         (seed.empty() || read_number<std::uint64_t>(seed, 0, UINT64_MAX, to.reorder_seed));
}

bool read_refusal(std::string_view text, Settings& to) {
  const auto [from, last] = halves(text, '-');
  return read_number<std::uint64_t>(from, 1, UINT64_MAX, to.refuse_from) &&
         read_number<std::uint64_t>(last.empty() ? from : last, to.refuse_from, UINT64_MAX, to.refuse_to);
}

bool read_idle(std::string_view text, Settings& to) {
  return read_number<std::uint32_t>(text, 0, 1000000, to.idle_us);
}

bool read_record(std::string_view text, Settings& to) {
  to.record = text;
  return true;
}

bool read_sysfs(std::string_view text, Settings& to) {
  to.sysfs = text;
  return text.starts_with('/') && text.size() < 128;  // must fit into ibv_device::ibdev_path
}

struct Variable {
  const char* name;
  bool (*read)(std::string_view text, Settings& to);
  const char* expected;
};

constexpr std::array<Variable, 11> kVariables{{
    {"WIRELAW_SOFT_EFA_ADDRESS", read_address, "an IPv4 or IPv6 address"},
    {"WIRELAW_SOFT_EFA_ANY_NETWORK", read_any_network, "0 or 1"},
    {"WIRELAW_SOFT_EFA_PORT", read_port, "a port from 1 to 65534, or 0 for any"},
    {"WIRELAW_SOFT_EFA_MTU", read_mtu, "a number of octets from 1024 to 65000"},
    {"WIRELAW_SOFT_EFA_INLINE", read_inline, "a number of octets up to 256"},
    {"WIRELAW_SOFT_EFA_RDMA", read_rdma, "off, read or write"},
    {"WIRELAW_SOFT_EFA_REORDER", read_reorder, "DEPTH or DEPTH:SEED, a depth of up to 4096 packets"},
    {"WIRELAW_SOFT_EFA_REFUSE_REGISTRATION", read_refusal, "OCTETS or LEAST-MOST, the lengths that are refused"},
    {"WIRELAW_SOFT_EFA_IDLE", read_idle, "microseconds, up to a million"},
    {"WIRELAW_SOFT_EFA_RECORD", read_record, "a file name; %p in it is the process ID"},
    {"WIRELAW_SOFT_EFA_SYSFS", read_sysfs, "an absolute path of less than 128 octets"},
}};

}  // namespace

tl::expected<Settings, std::string> read_settings(const Lookup& lookup) {
  Settings settings;
  read_address("127.0.0.1", settings);
  for (const Variable& variable : kVariables) {
    const char* text = lookup(variable.name);
    if (text == nullptr || *text == '\0') continue;
    if (!variable.read(text, settings))
      return tl::unexpected(std::string(variable.name) + "=" + text + ": expected " + variable.expected);
  }
  if (!settings.any_network && !is_loopback(settings.gid))
    return tl::unexpected(std::string(
        "WIRELAW_SOFT_EFA_ADDRESS is no loopback address: set WIRELAW_SOFT_EFA_ANY_NETWORK=1 if packets may "
        "leave this machine"));
  return settings;
}

}  // namespace wirelaw::soft_efa
