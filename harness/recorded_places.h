// SPDX-License-Identifier: Apache-2.0
// The addresses of the ends of datagram flows in a recording. Datagrams have no SYN: a capture would merge two
// conversations between the same two addresses, one after the other, into one flow.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace wirelaw {

struct FlowPlaces {
  std::string tester;  // "192.0.2.1:31201"
  std::string iut;
};

// A flow of a part of a recording, which gets its places when the parts are put together: until then it has names that
// nothing else has, in texts too.
struct PlacelessFlow {
  std::uint64_t step = 0;  // from RecordedPlaces::begin_step()
  FlowPlaces real;
  bool iut_chose = false;
  std::uint64_t ports = 0;
  FlowPlaces names;
};

class RecordedPlaces {
 public:
  // This is one of several parts, each of which is numbered.
  void defer_to_whole(unsigned part) { part_ = part; }
  void begin_step(std::uint64_t step) { step_ = step; }
  std::vector<PlacelessFlow> take_placeless() { return std::exchange(placeless_, {}); }

  // Describes a flow that is shown at other addresses than its own; empty if it is shown at its own. For a part, its
  // name.
  std::string remark(const FlowPlaces& real, const FlowPlaces& shown) const;

  // The flow's own addresses, unless an earlier flow had the same: then the side that chose its own port gets another,
  // which no flow has had. `ports` is how many there are: 65,536, or more if the flow is between queue pairs.
  FlowPlaces place(FlowPlaces real, bool iut_chose, std::uint64_t ports);

 private:
  bool take(const FlowPlaces& places) { return taken_.emplace(places.tester, places.iut).second; }

  FlowPlaces name(FlowPlaces real, bool iut_chose, std::uint64_t ports);

  std::set<std::pair<std::string, std::string>> taken_;
  std::optional<unsigned> part_;
  std::uint64_t step_ = 0, named_ = 0;
  std::vector<PlacelessFlow> placeless_;
};

}  // namespace wirelaw
