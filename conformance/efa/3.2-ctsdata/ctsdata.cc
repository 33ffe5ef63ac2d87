// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.2, table 3.7: CTSDATA, of messages, writes and reads alike.
#include "conformance/efa/3.2-ctsdata/ctsdata.h"

#include "conformance/efa/3.2-cts/cts.h"
#include "conformance/efa/3.2-ctsdata/rules.h"
#include "conformance/efa/packet_checks.h"

namespace wirelaw::efa {

namespace {

// Checks that an operation has this recv_id, and that it waits for data.
void check_operation(Judge& judge, const SeenPacket& seen, const CtsdataFact& fact) {
  using enum CtsdataFact::Of;
  if (fact.of == unknown) return;
  if (fact.of == waiting) {
    require(judge, rule<"EFA-3.2-141">, false, seen, Field::recv_id, expected("a CTS before it"), actual("none"),
            "the operation waits for leave to send, or the CTS that gave it was not captured");
    return;
  }
  require(judge, rule<"EFA-3.2-140">, fact.of == awaited, seen, Field::recv_id, expected("the recv_id of a CTS"),
          actual(seen.packet.recv_id), [&] {
            return fact.of == none ? "no CTS has given it, or the one that did was not captured"
                                   : fmt::format("that receive operation is of a {}", fact.request->name);
          });
  if (fact.of == awaited) keeps(judge, rule<"EFA-3.2-141">);
}

// Checks that the exchange may carry these octets of the message now.
void check_place(Judge& judge, const SeenPacket& seen, const CtsdataFact::Place& place) {
  using enum CtsdataFact::Beyond;
  const std::uint64_t offset = seen.packet.seg_offset, octets = seen.payload_octets();
  const bool wraps = octets > ~offset;
  const auto said = [&] { return fmt::format("{} octets at {}", octets, offset); };
  const auto end = [&] { return fmt::format("an end at {} or before", place.limit); };
  require(judge, rule<"EFA-3.2-147">, place.beyond != request, seen, Field::seg_offset,
          expected([&] { return fmt::format("at least {}", place.limit); }), actual(offset),
          "the REQ packet has carried what is there") &&
      require(judge, rule<"EFA-3.2-144">, place.beyond != message, seen, Field::seg_offset, expected(end), actual(said),
              "the message is not so long", wraps ? Evidence::octets : Evidence::absence) &&
      require(judge, rule<"EFA-3.2-145">, place.beyond != grant, seen, Field::seg_offset, expected(end), actual(said),
              "no CTS has allowed more, or the one that did was not captured");
}

}  // namespace

void check_ctsdata(Judge& judge, const SeenPacket& seen, const CtsdataFact& fact) {
  const std::uint64_t octets = seen.payload_octets();
  if (!require(judge, rule<"EFA-3.2-142">, seen.packet.seg_length == octets, seen, Field::seg_length, expected(octets),
               actual(seen.packet.seg_length), "the packet holds another number of octets"))
    return;
  advise(judge, rule<"EFA-3.2-143">, octets > 0, seen, Field::seg_length, expected("at least 1"), actual(0),
         "it carries nothing");
  check_operation(judge, seen, fact);
  if (fact.is_copy)
    advise(judge, rule<"EFA-3.2-146">, false, seen, Field::seg_offset, expected("each CTSDATA once"),
           actual("the same CTSDATA again"), "it has been sent twice, or UDP has doubled it");
  if (fact.place) check_place(judge, seen, *fact.place);
  if (fact.fresh) check_unsent(judge, seen, rule<"EFA-3.2-146">, *fact.fresh);
  if (fact.shown) check_fresh_data(judge, seen, *fact.shown);
}

}  // namespace wirelaw::efa
