// SPDX-License-Identifier: Apache-2.0
// Identifies the run and the certification of a result. `wirelaw certify` puts it into each result, and a mark into
// each recording, so that results and recordings from other runs are noticed.
#pragma once

#include <cstdint>
#include <string>

namespace wirelaw {

struct RunIdentity {
  std::string certification, run;      // random, 32 hexadecimal digits; all runs of a certification share the first
  std::uint64_t number = 0, runs = 0;  // "2 of 3"
  std::string product, version, profile, machine;
  std::string declaration_sha256, waivers_sha256;  // hashes of the two files; the second is empty without waivers
  std::string scripts_sha256 = {};                 // hash of the vendor's scripts; empty without scripts
};

// One JSON object (wirelaw-2.schema.json, "certification").
std::string json_of_identity(const RunIdentity& identity);

}  // namespace wirelaw
