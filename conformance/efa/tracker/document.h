// SPDX-License-Identifier: Apache-2.0
// The revision of the document that an endpoint follows, as far as it is known. No packet declares it, but the user
// may. Otherwise the additions of later documents show it. If nothing shows it, an endpoint may follow any revision
// (EFA/A-90).
#pragma once

#include <concepts>
#include <string>

#include "reference/efa/revision.h"

namespace wirelaw::efa {

struct Revisions {
  Revision least = Revision::v2023_10;
  Revision most = Revision::main;
  bool said = false;  // declared by the user

  // has(): the document certainly has the additions of `revision`. The next function: it may have them.
  bool has(Revision revision) const { return least >= revision; }
  bool may_have(Revision revision) const { return most >= revision; }
};

struct Document : Revisions {
  std::string sign = {};  // what showed `least`: "peer_error in its HANDSHAKE"

  // The endpoint has shown that its document is this one or a later one. If that is new, `by` returns what has shown
  // it.
  template <std::invocable By>
  void show(Revision revision, const By& by) {
    if (said || revision <= least) return;
    least = revision;
    if (most < least) most = Revision::main;
    sign = by();
  }
  // The endpoint lacks a feature that this document and all later ones require.
  void lack(Revision revision) {
    if (said || least >= revision || revision == Revision::v2023_10) return;
    const auto before = static_cast<Revision>(static_cast<int>(revision) - 1);
    if (before < most) most = before;
  }
};

}  // namespace wirelaw::efa
