// SPDX-License-Identifier: Apache-2.0
// The input of a statement: the folder of a certification. Its files:
//
//   ics.toml, waivers.toml      copies of the given files
//   *.wirelaw                   copies of the vendor's scripts, whose cases are run too
//   run-1.json, run-2.json, …   the result of each run (wirelaw-2.schema.json)
//   run-1.pcapng, …             its capture, if it can be recorded
//   statement.json              the statement, which names all the others with their SHA-256
#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/certify/declaration.h"
#include "harness/certify/digest.h"
#include "harness/certify/profile.h"
#include "reports/result_file.h"
#include "reports/waivers.h"

namespace wirelaw {

inline constexpr const char* kStatementFile = "statement.json";
inline constexpr const char* kPageFile = "statement.html";  // the statement as a page
inline constexpr const char* kDeclarationFile = "ics.toml";
inline constexpr const char* kWaiversFile = "waivers.toml";

struct CertifiedRun {
  unsigned number = 1;
  std::optional<std::uint64_t> seed;  // for a peer in memory
  std::string result_file;
  std::string capture_file;    // empty if there is none,
  std::string why_no_capture;  // the reason why there is no capture
  ResultFile result = {};
  std::set<std::string> features = {};  // features that the capture shows
};

struct EvidenceFile {
  std::string name;  // name in the folder
  FileDigest digest;
};

// The parts of a statement that the evidence cannot show again.
struct Provenance {
  std::string id = {};                       // RunIdentity::certification
  std::string issued = {};                   // "2026-01-31T12:00:00Z"
  std::string laboratory = {}, issuer = {};  // the tester, and the responsible issuer; empty: not stated
  std::string machine = {};                  // system, release and processor
  std::string peer = {};                     // the URI
};

struct EvidenceSet {
  Declaration declaration;
  Role role = Role::responder;  // role that was tested
  const Profile* profile = nullptr;
  std::vector<std::string> cases = {};  // globs; not empty: not all cases were run
  std::optional<Waivers> waivers = {};
  std::vector<CertifiedRun> runs = {};
  std::vector<EvidenceFile> files = {};
  Provenance provenance = {};
};

// The program that produced it.
struct ProgramIdentity {
  std::string version, commit;
  JudgedBy judged_by;
};

// Returns the time `issued`, and its date. Empty if it is no valid time.
std::optional<std::chrono::sys_seconds> time_of(const std::string& issued);
std::optional<std::chrono::sys_days> day_of(const std::string& issued);
// Returns true for a name that a file of the folder may have; a path is none.
bool is_file_name(const std::string& name);
// The hash of the names and hashes of the scripts among the files; empty if there are none.
std::string scripts_sha256(const std::vector<EvidenceFile>& files);

}  // namespace wirelaw
