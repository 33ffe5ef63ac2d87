// SPDX-License-Identifier: Apache-2.0
// The settings in the environment variables WIRELAW_SOFT_EFA_…. README.md lists them for users.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "harness/lab/soft_efa/gid.h"

namespace wirelaw::soft_efa {

enum class Rdma { off, read, write };  // write: reads as well

struct Settings {
  Gid gid = {};              // address at which the queue pairs' sockets are bound
  bool any_network = false;  // else packets go to loopback addresses alone
  std::uint16_t port = 0;    // for the first queue pair; 0: any
  std::uint32_t mtu = 8928;  // octets of the largest packet
  std::uint16_t inline_octets = 32;
  Rdma rdma = Rdma::read;
  std::uint32_t reorder_depth = 0;  // packets that may overtake one another; 0: none do
  std::uint64_t reorder_seed = 1;
  // Registrations of a number of octets in this range fail with ENOMEM; none fails if the first is larger than the
  // last.
  std::uint64_t refuse_from = 1;
  std::uint64_t refuse_to = 0;
  std::uint32_t idle_us = 1000;  // microseconds that a poll waits for packets after many that found nothing; 0: none
  std::string record;            // file for the packets; empty: none
  std::string sysfs;             // folder for the device's files; empty: one in the folder for temporary files

  bool refuses(std::uint64_t octets) const { return refuse_from <= octets && octets <= refuse_to; }
};

inline constexpr std::uint16_t kMaxInline = 256;  // octets that inline_octets may be

using Lookup = std::function<const char*(const char* name)>;  // getenv, or a test's

// The error names the variable, its value, and what would be right.
tl::expected<Settings, std::string> read_settings(const Lookup& lookup);

}  // namespace wirelaw::soft_efa
