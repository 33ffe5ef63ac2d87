// SPDX-License-Identifier: Apache-2.0
// The pages about peers: Markdown from the JSON results of runs against third-party implementations, and from written
// explanations, with one entry for each root cause. A list (JSON) names the runs of each peer:
//
//   {"schema": "wirelaw-peers/2", "setup": ["What holds for all runs."],
//    "peers": [{"about": "siw.json",
//               "runs": [{"version": "6.1.0-56", "protocol": "rdmap", "role": "responder", "how": "…",
//                         "command": "harness/lab/lab run siw-responder", "result": "siw-responder/result.json",
//                         "capture": "siw-responder/wire.pcapng.gz", "stability": "siw-responder/stability.json"}]}]}
//
// The file in `about` contains what is known of the peer, independent of the runs:
//
//   {"schema": "wirelaw-peer/1", "id": "siw", "name": "…", "setup": ["…"],
//    "causes": [{"id": "…", "title": "…", "severity": "critical", "symptom": "…", "specification": "…",
//                "shown_by": [{"rule": "RDMAP-4.8-2", "case": "mpa/*", "actual": "*"}]}],
//    "warnings": [{"sentence": "…", "shown_by": […]}]}
//
// File names are relative to the file that contains them; texts are Markdown. A sign in `shown_by` selects findings: of
// one rule, and in the cases that match a glob, or with an `actual` that matches a glob, or both. A rule alone is not
// enough, because a rule can be broken in two ways. Without a rule, a sign selects cases that failed without a finding,
// and cases in which the peer died. `seldom` marks a cause or warning that not every run shows.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "reports/output.h"
#include "reports/result_file.h"

namespace wirelaw {

struct PeerSign {
  std::string rule;     // empty: a case that failed without a finding, or in which the peer died
  std::string in_case;  // glob; empty: any
  std::string actual;   // glob for the findings' text; empty: any
};

struct PeerCause {
  std::string id, title, severity, symptom, specification;
  std::vector<PeerSign> shown_by;
  bool seldom = false;
};

struct PeerWarning {
  std::string sentence;
  std::vector<PeerSign> shown_by;
  bool seldom = false;
};

struct PeerRun {
  struct Repeated {  // a failed case that was run alone, several times
    std::string id;
    std::uint64_t failed = 0, of = 0;
  };
  std::string version, protocol, role, how, command, result_file;
  std::string capture;         // file name relative to the list; empty: none
  std::string stability_file;  // likewise
  ResultFile result;
  std::vector<Repeated> repeated;

  std::string name() const;  // name of the folder with its result
};

struct PeerPage {
  std::string id, name;
  std::vector<std::string> setup;  // what ran where, and what cannot be seen there
  std::vector<PeerCause> causes;   // by severity, the worst first
  std::vector<PeerWarning> warnings;
  std::vector<PeerRun> runs;
};

struct PeerList {
  std::vector<std::string> setup;
  std::vector<PeerPage> peers;
};

// Each error is one line, which names the file and what to do.
tl::expected<PeerList, std::string> read_peers(const std::string& path);
tl::expected<PeerPage, std::string> parse_peer(const std::string& name, const std::string& json);

// The reasons why the pages cannot be written: findings, failed cases and deaths that no cause explains, or that two
// explain; causes and warnings that no run shows; references to what does not exist. `partial`: the list contains only
// some of the runs, so that a cause which none of them shows is allowed.
std::vector<std::string> faults_of(const PeerList& list, bool partial);

// A frame that a result names in its capture.
struct NamedFrame {
  std::uint64_t frame = 0;  // from 1
  std::string octets;       // hexadecimal, the first of the message; may be empty
};
std::vector<NamedFrame> named_frames(const PeerRun& run);

// Removes the causes and warnings that no run shows.
void leave_out_what_nothing_shows(PeerList& list);

// `pages`: the folder of the pages of each peer, relative to this page, with a trailing "/"; may be empty.
void write_peers(const PeerList& list, std::string_view pages, Output& out);
void write_peer(const PeerPage& peer, Output& out);

}  // namespace wirelaw
