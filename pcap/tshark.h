// SPDX-License-Identifier: Apache-2.0
// What Wireshark makes of a capture, for tests that compare our decoders with it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wirelaw::pcap::testing {

bool has_tshark();

// From Wireshark 4.4 on, root's tshark runs no Lua scripts. Empty if scripts can be tested, or else why not.
std::string reason_without_lua();

// The output of tshark, with its errors if it runs scripts.
std::string tshark(const std::string& capture, std::string_view options, const std::vector<std::string>& scripts = {});

// An attribute of one element of `tshark -T pdml`, which prints one element per line. A boolean that is shown as True
// (from Wireshark 4.4 on) is 1.
std::string attribute(const std::string& element, std::string_view name);

}  // namespace wirelaw::pcap::testing
