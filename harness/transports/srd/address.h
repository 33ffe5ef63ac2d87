// SPDX-License-Identifier: Apache-2.0
// The address of an SRD queue pair: its device's GID, its number, and its qkey, which EFA RDM calls the connid (1.4).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "pcap/address.h"
#include "reference/octets/octets.h"

namespace wirelaw {

using Gid = std::array<Octet, 16>;  // in network order

struct SrdAddress {
  Gid gid = {};
  std::uint32_t qpn = 0;
  std::uint32_t connid = 0;
};

// "::ffff:127.0.0.1/40000/0x1234abcd"
std::string to_string(const SrdAddress& address);

struct SrdPlace;
std::string to_string(const SrdPlace& place);  // the same, as far as it goes

// The name in captures and flows: the GID is an IPv6 address, and the queue pair's number is the port.
pcap::Endpoint endpoint_of(const SrdAddress& address);

// The contents of a URI, srd://[GID[/QPN[/CONNID]]][?device=NAME]: for a peer all three, for our own device the parts
// that identify it. An IPv4 address means its GID, mapped into IPv6; brackets around a GID are ignored.
struct SrdPlace {
  std::optional<Gid> gid;
  std::optional<std::uint32_t> qpn;
  std::optional<std::uint32_t> connid;
  std::string device;  // our own, by name; empty: the first EFA device

  // The address, if all three parts are given.
  std::optional<SrdAddress> whole() const;
};

inline constexpr std::string_view kSrdForm = "srd://GID/QPN/CONNID[?device=NAME]";

// `path` is the text between "srd://" and '?'. The error names what is wrong, without the form.
tl::expected<SrdPlace, std::string_view> parse_srd(std::string_view path);

}  // namespace wirelaw
