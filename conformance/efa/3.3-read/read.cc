// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.3: the requests of emulated reads. The requester receives the data and sends the CTS packets.
#include "conformance/efa/3.3-read/read.h"

#include "conformance/efa/3.3-one-sided/one_sided.h"
#include "conformance/efa/3.3-read/rules.h"
#include "conformance/efa/packet_checks.h"

namespace wirelaw::efa {

namespace {

constexpr std::uint64_t kLongestDatagram = 65507;  // payload of the longest UDP datagram over IPv4
constexpr std::uint64_t kLargestMtu = 8928;        // the largest MTU of any known device

void check_short_read(Judge& judge, const SeenPacket& seen) {
  const std::uint64_t header = describe(PacketType::readrsp).header_octets;
  const std::uint64_t length = seen.packet.msg_length;
  if (length > kLongestDatagram - header)
    require(judge, rule<"EFA-3.3-52">, false, seen, Field::msg_length,
            expected(fmt::format("at most {}", kLongestDatagram - header)), actual(length),
            "no packet can be that long");
  else
    advise(judge, rule<"EFA-3.3-52">, length <= kLargestMtu - header, seen, Field::msg_length,
           expected([&] { return fmt::format("at most {}", kLargestMtu - header); }), actual(length),
           "longer than a packet of the devices known");
}

void check_window(Judge& judge, const SeenPacket& seen) {
  const Packet& packet = seen.packet;
  if (!require(judge, rule<"EFA-3.3-53">, packet.recv_length != 0, seen, Field::recv_length, expected("at least 1"),
               actual(packet.recv_length), "the responder may send nothing"))
    return;
  advise(judge, rule<"EFA-3.3-54">, packet.recv_length <= packet.msg_length, seen, Field::recv_length,
         expected([&] { return fmt::format("at most {}", packet.msg_length); }), actual(packet.recv_length),
         "more than is read");
}

}  // namespace

const ClaimRow kReadClaims[] = {{Claim::allows_rest_of_read, &rule<"EFA-3.3-57">, "a CTS", "none",
                                 "{got} of {due} octets have come, and all that was allowed"}};

void check_read_request(Judge& judge, const SeenPacket& seen, const RequestFact& fact) {
  const Packet& packet = seen.packet;
  const bool is_short = seen.layout.transfer == Transfer::eager;
  const Rule& free = is_short ? rule<"EFA-3.3-55"> : rule<"EFA-3.3-56">;
  if (fact.is_repetition) {
    advise(judge, free, false, seen, Field::recv_id, expected("an ID that no operation under way has"),
           actual(packet.recv_id), "the same request again: two reads with one ID, or UDP has doubled it");
    return;
  }
  if (fact.id) check_free_id(judge, seen, free, Field::recv_id, *fact.id, "data");
  judge_buffers(judge, seen, Array::rma_iov);
  if (!require(judge, is_short ? rule<"EFA-3.3-50"> : rule<"EFA-3.3-51">, fact.target == packet.msg_length, seen,
               Field::msg_length, expected([&] { return sum_of(fact.target, "rma_iov"); }), actual(packet.msg_length),
               "the buffers hold another number of octets"))
    return;
  if (is_short)
    check_short_read(judge, seen);
  else
    check_window(judge, seen);
}

}  // namespace wirelaw::efa
