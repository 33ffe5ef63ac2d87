// SPDX-License-Identifier: Apache-2.0
#include "reference/network/address.h"

#include <gtest/gtest.h>

#include <unordered_set>

namespace wirelaw {
namespace {

TEST(Address, IsWrittenAndReadAsPeopleDo) {
  for (const char* text : {"192.0.2.1", "0.0.0.0", "2001:db8::1", "::", "::1", "fe80::ff:fe00:1"}) {
    const auto address = parse_address(text);
    ASSERT_TRUE(address) << text;
    EXPECT_EQ(to_string(*address), text);
  }
}

TEST(Address, KeepsFourOrSixteenOctetsInNetworkOrder) {
  const Octet v4[] = {192, 0, 2, 1};
  EXPECT_EQ(Address::ipv4(v4), parse_address("192.0.2.1"));
  const Octet v6[] = {0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  EXPECT_EQ(Address::ipv6(v6), parse_address("2001:db8::1"));
}

TEST(Address, IsNoOtherText) {
  for (const char* text : {"", "localhost", "192.0.2", "192.0.2.256", "1:2", "2001:db8::g", "[::1]", " 1.2.3.4"})
    EXPECT_FALSE(parse_address(text)) << text;
  EXPECT_FALSE(parse_address(std::string_view("1.2.3.4\0", 8)));
}

TEST(Endpoint, IsWrittenAndReadAsPeopleDo) {
  for (const char* text : {"192.0.2.1:5000", "[2001:db8::1]:5000", "0.0.0.0:0", "[::]:65535"}) {
    const auto endpoint = parse_endpoint(text);
    ASSERT_TRUE(endpoint) << text;
    EXPECT_EQ(to_string(*endpoint), text);
  }
}

TEST(Endpoint, IsNoOtherText) {
  for (const char* text : {"", "192.0.2.1", "192.0.2.1:", "192.0.2.1:4294967296", "192.0.2.1:-1", "192.0.2.1:5x", ":5",
                           "2001:db8::1:5000", "[192.0.2.1]:5000", "[]:1", "[::1]5"})
    EXPECT_FALSE(parse_endpoint(text)) << text;
}

TEST(Endpoint, HashesTellAddressFamilyAndPortApart) {
  std::unordered_set<Endpoint> endpoints;
  for (const char* text : {"1.2.3.4:1", "1.2.3.4:2", "1.2.3.5:1", "[102:304::]:1", "[::]:1", "0.0.0.0:1"})
    endpoints.insert(*parse_endpoint(text));
  EXPECT_EQ(endpoints.size(), 6U);
  std::unordered_set<std::size_t> hashes;
  for (const Endpoint& endpoint : endpoints) hashes.insert(std::hash<Endpoint>{}(endpoint));
  EXPECT_EQ(hashes.size(), 6U);
}

}  // namespace
}  // namespace wirelaw
