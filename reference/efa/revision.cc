// SPDX-License-Identifier: Apache-2.0
#include "reference/efa/revision.h"

#include <algorithm>
#include <array>

namespace wirelaw::efa {
namespace {

constexpr std::array<RevisionInfo, 3> kRevisions{{
    {Revision::v2023_10, "2023-10", "extra features 0 to 6"},
    {Revision::v2_6, "2.6", "features 7 and 8; delivery complete, connid, runting read and READ_NACK are baseline"},
    {Revision::main, "main", "feature 9 with PEER_ERROR, and the HMEM block of HANDSHAKE"},
}};

}  // namespace

std::span<const RevisionInfo> all_revisions() {
  return kRevisions;
}

std::optional<Revision> revision_named(std::string_view name) {
  const auto* const found = std::ranges::find(kRevisions, name, &RevisionInfo::name);
  if (found == kRevisions.end()) return std::nullopt;
  return found->revision;
}

const RevisionInfo& describe(Revision revision) {
  return kRevisions[static_cast<std::size_t>(revision)];
}

}  // namespace wirelaw::efa
