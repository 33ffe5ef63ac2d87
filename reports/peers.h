// SPDX-License-Identifier: Apache-2.0
// The page of peers: what the JSON results of runs against implementations of others say, in Markdown, with a sentence
// of a person on each failure. The sentences stand in a list of peers (JSON):
//
//   {"schema": "wirelaw-peers/1",
//    "peers": [{"name": "siw, Linux kernel", "version": "6.1.0-49", "protocol": "rdmap", "role": "responder",
//               "how": "…", "result": "siw-responder.json", "capture": "siw-responder.pcapng",
//               "explained": {"RDMAP-4.8-3": "…"}}]}
//
// Files are named as seen from the list. `how` and the sentences are Markdown. `explained` has a sentence for each rule
// that has failed or has been warned of, and for each case that has failed though none of its rules has. A sentence
// that is missing, or that nothing needs any more, is an error: no failure is on the page that nobody has
// confirmed.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "reports/output.h"
#include "reports/result_file.h"

namespace wirelaw {

struct PeerStatement {
  std::string name, version, protocol, role;
  std::string how;                                             // one or two sentences: what ran where
  std::string result;                                          // file, as seen from the list
  std::string capture;                                         // file; empty where there is none
  std::vector<std::pair<std::string, std::string>> explained;  // rule or case, sentence; sorted
};

struct PeerResult {
  PeerStatement peer;
  ResultFile result;
};

// The errors are one line each that names the file and says what to do.
tl::expected<std::vector<PeerStatement>, std::string> parse_peers(const std::string& name, const std::string& json);
tl::expected<std::vector<PeerResult>, std::string> read_peers(const std::string& path);

// What keeps the page from being written: sentences that are missing, or that nothing needs.
std::vector<std::string> unexplained(const std::vector<PeerResult>& peers);

void write_peers(const std::vector<PeerResult>& peers, Output& out);

}  // namespace wirelaw
