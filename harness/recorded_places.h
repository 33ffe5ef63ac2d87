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

// A flow in one part of a recording. It gets its addresses when the parts are joined. Until then it has unique names,
// which also appear in texts.
struct PlacelessFlow {
  std::uint64_t step = 0;  // from RecordedPlaces::begin_step()
  FlowPlaces real;
  bool iut_chose = false;
  std::uint64_t ports = 0;
  FlowPlaces names;
};

class RecordedPlaces {
 public:
  // Declares that this is one of several numbered parts.
  void defer_to_whole(unsigned part) { part_ = part; }
  void begin_step(std::uint64_t step) { step_ = step; }
  std::vector<PlacelessFlow> take_placeless() { return std::exchange(placeless_, {}); }

  // Returns a remark for a flow that is shown at addresses other than its own. Empty if it is shown at its own. In a
  // part, it contains the flow's temporary name.
  std::string remark(const FlowPlaces& real, const FlowPlaces& shown) const;

  // Returns the flow's own addresses, unless an earlier flow had the same. Then the side that chose its own port gets
  // another one, which no flow has had. `ports` is the number of ports: 65,536, or more if the flow is between queue
  // pairs.
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
