// SPDX-License-Identifier: Apache-2.0
// Where the ends of datagram flows are, as a recording has them. Datagrams have no SYN: of two conversations between
// the same two addresses, one after the other, a capture would make a single flow.
#pragma once

#include <set>
#include <string>
#include <utility>

namespace wirelaw {

struct FlowPlaces {
  std::string tester;  // "192.0.2.1:31201"
  std::string iut;
};

class RecordedPlaces {
 public:
  // The places as they are, unless an earlier flow had the same: then the side that chose its own port has another,
  // that no flow has had. `ports` is how many there are: 65,536, or more where the flow is of queue pairs.
  FlowPlaces place(FlowPlaces real, bool iut_chose, std::uint64_t ports);

 private:
  bool take(const FlowPlaces& places) { return taken_.emplace(places.tester, places.iut).second; }

  std::set<std::pair<std::string, std::string>> taken_;
};

}  // namespace wirelaw
