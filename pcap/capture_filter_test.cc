// SPDX-License-Identifier: Apache-2.0
#include "pcap/capture_filter.h"

#include <gmock/gmock.h>

#include "pcap/pcapng_format.h"

namespace wirelaw::pcap {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

template <class Int>
void put(OctetBuffer& octets, Int value, bool swapped) {
  for (std::size_t i = 0; i < sizeof value; ++i)
    octets.push_back(static_cast<Octet>(value >> 8 * (swapped ? sizeof value - 1 - i : i)));
}

// Returns a block with this body between its lengths.
OctetBuffer block(std::uint32_t type, const OctetBuffer& body, bool swapped) {
  OctetBuffer octets;
  const auto length = static_cast<std::uint32_t>(body.size() + pcapng::kLeastBlock);
  put(octets, type, swapped);
  put(octets, length, swapped);
  octets.insert(octets.end(), body.begin(), body.end());
  put(octets, length, swapped);
  return octets;
}

// Returns a section with one interface for each if_filter option; an empty one is left out.
OctetBuffer file_with(const std::vector<OctetBuffer>& filters, bool swapped) {
  OctetBuffer body;
  put(body, pcapng::kByteOrderMagic, swapped);
  put(body, std::uint32_t{1}, swapped);
  put(body, ~std::uint64_t{0}, swapped);
  OctetBuffer file = block(pcapng::kSectionHeader, body, swapped);
  for (const OctetBuffer& filter : filters) {
    OctetBuffer interface;
    put(interface, std::uint32_t{1}, swapped);
    put(interface, std::uint32_t{65535}, swapped);
    if (!filter.empty()) {
      put(interface, pcapng::kInterfaceFilter, swapped);
      put(interface, static_cast<std::uint16_t>(filter.size()), swapped);
      interface.insert(interface.end(), filter.begin(), filter.end());
      interface.resize(pcapng::padded(interface.size()));
      put(interface, std::uint32_t{pcapng::kOptionEnd}, swapped);
    }
    const OctetBuffer one = block(pcapng::kInterfaceDescription, interface, swapped);
    file.insert(file.end(), one.begin(), one.end());
  }
  return file;
}

OctetBuffer text(std::string_view filter) {
  OctetBuffer octets{0};
  octets.insert(octets.end(), filter.begin(), filter.end());
  return octets;
}

TEST(CaptureFilter, IsReadOfEachInterface) {
  for (const bool swapped : {false, true}) {
    const OctetBuffer file = file_with({text("udp dst port 21202"), {}, {1, 0, 0, 0}, text("tcp")}, swapped);
    EXPECT_THAT(capture_filters(file), ElementsAre("udp dst port 21202", "(compiled)", "tcp"));
  }
}

TEST(CaptureFilter, IsReadToItsEndOrDoubted) {
  std::string filter;
  while (filter.size() < 900) filter += "port 5000 or ";
  EXPECT_TRUE(may_hide_a_direction(capture_filters(file_with({text(filter + "src port 1")}, false)).at(0)));
  EXPECT_FALSE(may_hide_a_direction(capture_filters(file_with({text(filter + "port 1")}, false)).at(0)));
  EXPECT_TRUE(may_hide_a_direction(capture_filters(file_with({text(filter + filter)}, false)).at(0)));
}

TEST(CaptureFilter, IsReadOfNoOtherFile) {
  EXPECT_THAT(capture_filters({}), IsEmpty());
  EXPECT_THAT(capture_filters(OctetBuffer(100, 0xa1)), IsEmpty());
}

TEST(CaptureFilter, IsReadAsFarAsTheFileGoes) {
  const OctetBuffer file = file_with({text("tcp"), text("udp")}, false);
  for (std::size_t cut = 0; cut < file.size(); ++cut) {
    const auto filters = capture_filters(Octets(file).first(cut));
    EXPECT_LT(filters.size(), 2u);
    for (Octet value : {Octet{0}, Octet{0xff}}) {
      OctetBuffer spoilt = file;
      spoilt[cut] = value;
      EXPECT_LE(capture_filters(spoilt).size(), 2u);
    }
  }
}

TEST(CaptureFilter, HidesADirectionByWhatOneDirectionHas) {
  for (const char* const filter : {"dst port 21202", "udp and src host 192.0.2.1", "inbound", "tcp[13] & 2 != 0",
                                   "less 100", "len > 60", "port 1 or (src net 10)", "(compiled)"})
    EXPECT_TRUE(may_hide_a_direction(filter)) << filter;
  for (const char* const filter :
       {"", "udp port 21202", "host 192.0.2.1 and not port 22", "tcp or udp portrange 1-9", "vlan 7 and ip6",
        "host srcful.example", "net 10.0.0.0/8 and (port 4791 or port 7174)", "ether host 02:00:00:00:00:01"})
    EXPECT_FALSE(may_hide_a_direction(filter)) << filter;
}

}  // namespace
}  // namespace wirelaw::pcap
