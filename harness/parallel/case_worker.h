// SPDX-License-Identifier: Apache-2.0
// A process of CaseJobs: it runs the cases that it is given, and reports its results at the end.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "harness/parallel/case_jobs.h"
#include "harness/parallel/case_process.h"
#include "harness/parallel/spooled_frames.h"
#include "harness/recorded_places.h"

namespace wirelaw {

// Frames of a process by their numbers, from `first` up to and without `end`.
struct FrameRange {
  std::uint64_t first = 0, end = 0;
};

// The results of a process in a run.
struct Part {
  Share share;
  std::vector<PlacelessFlow> flows;
  std::vector<FrameRange> dropped;  // frames that do not belong to the run
  std::optional<TransportError> lost;
  std::string in_doubt_since = {};  // PartOfRun::in_doubt_since()
  std::size_t deaths = 0;
  std::string place;  // the IUT as its recording would have it: place_in()
  bool has_room = true;
};

// The end of the flow that is the IUT, or the tester, by which a recording knows it: "127.0.0.1:7000".
std::string place_in(const std::string& note);

// Reads text in which the addresses of the process's IUT are those that all other processes use.
std::optional<Part> part_of(const std::string& text, const Catalogue& catalogue, const std::string& place);

class Worker {
 public:
  Worker(Line& line, const Protocol& protocol, unsigned number, std::uint64_t workers, Spool& spool)
      : line_(line), protocol_(protocol), number_(number), workers_(workers), spool_(spool) {}

  void work(const CaseJobs::Make& make);

 private:
  bool run(CaseJob& job, bool records, bool shared);
  void wait_for_turn();

  Line& line_;
  const Protocol& protocol_;
  unsigned number_;
  std::uint64_t workers_;
  Spool& spool_;
};

}  // namespace wirelaw
