// SPDX-License-Identifier: Apache-2.0
// Which revision of the document an endpoint follows, as far as that is known. No packet says it: the user may have;
// else what later documents add shows them, and where nothing does, an endpoint may follow any of them (EFA/A-90).
#pragma once

#include <concepts>
#include <string>

#include "reference/efa/revision.h"

namespace wirelaw::efa {

struct Document {
  Revision least = Revision::v2023_10;
  Revision most = Revision::main;
  bool said = false;      // by the user
  std::string sign = {};  // what showed `least`: "peer_error in its HANDSHAKE"

  // The document has what `revision` added; it may have it.
  bool has(Revision revision) const { return least >= revision; }
  bool may_have(Revision revision) const { return most >= revision; }

  // The endpoint has shown that its document is this one or a later one.
  // `by` says by what, where that is news.
  template <std::invocable By>
  void show(Revision revision, const By& by) {
    if (said || revision <= least) return;
    least = revision;
    if (most < least) most = Revision::main;
    sign = by();
  }
  // It lacks what endpoints of this document and all later ones have.
  void lack(Revision revision) {
    if (said || least >= revision || revision == Revision::v2023_10) return;
    const auto before = static_cast<Revision>(static_cast<int>(revision) - 1);
    if (before < most) most = before;
  }
};

}  // namespace wirelaw::efa
