// SPDX-License-Identifier: Apache-2.0
// The revisions of the document. All have version 4 of the protocol: a later one adds to the earlier, and makes some
// extra features part of the baseline. Layout::since, OptionalHeader::since, FlagInfo::since and ExtraInfo::since show
// what each adds.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace wirelaw::efa {

enum class Revision : std::uint8_t {
  v2023_10,  // libfabric 1.20 and later
  v2_6,      // libfabric 2.6: user receive QP, unsolicited write recv; four features are baseline
  main,      // merged after 2.6: PEER_ERROR, the HMEM block
};

struct RevisionInfo {
  Revision revision;
  std::string_view name;  // "2023-10"
  std::string_view text;  // additions, in one line
};

std::span<const RevisionInfo> all_revisions();  // the oldest first
std::optional<Revision> revision_named(std::string_view name);
const RevisionInfo& describe(Revision revision);

}  // namespace wirelaw::efa
