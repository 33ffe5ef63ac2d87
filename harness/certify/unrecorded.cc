// SPDX-License-Identifier: Apache-2.0
#include "harness/certify/unrecorded.h"

#include <algorithm>

namespace wirelaw {
namespace {

// Returns true if the URI has the option: memory:?loss=0.1&pair has "pair", verbs://10.0.0.1?far=10.0.0.2 has "far".
bool has_option(std::string_view peer, std::string_view name) {
  const std::size_t begin = peer.find('?');
  std::string_view rest = begin == std::string_view::npos ? std::string_view() : peer.substr(begin + 1);
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find('&'));
    if (one.substr(0, one.find('=')) == name) return true;
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
  }
  return false;
}

// True if it has the form srd://GID/QPN/CONNID.
bool names_queue_pair(std::string_view peer) {
  const std::string_view place = peer.substr(0, peer.find('?')).substr(std::string_view("srd://").size());
  const std::size_t gid_end = place.find('/');
  return gid_end != std::string_view::npos && gid_end + 1 < place.size();
}

}  // namespace

bool is_unrecorded(std::string_view why, std::string_view peer) {
  if (why == kUnspoken)
    return (peer.starts_with("memory:") && has_option(peer, "pair")) ||
           (peer.starts_with("verbs://") && has_option(peer, "far"));
  return why == kUnnamed && peer.starts_with("srd://") && !names_queue_pair(peer);
}

}  // namespace wirelaw
