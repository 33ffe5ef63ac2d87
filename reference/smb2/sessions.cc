// SPDX-License-Identifier: Apache-2.0
#include "reference/smb2/sessions.h"

#include <algorithm>

#include "reference/smb2/authentication.h"

namespace wirelaw::smb2 {

// 3.3.5.5
Result Sessions::set_up(const Element& element, Chain& chain) {
  const auto request = body_of<SessionSetupRequest>(element.body());
  if (!request || request->structure_size != SessionSetupRequest{}.structure_size) return {status::kInvalidParameter};
  const auto token = part_of(element.octets, request->buffer_offset, request->buffer_length);
  if (!token) return {status::kInvalidParameter};
  if (chain.session != 0 && !sessions_.contains(chain.session)) return {status::kUserSessionDeleted};
  const auto authentication = authenticate(*token);
  if (!authentication) return {status::kLogonFailure};
  if (chain.session == 0) {
    if (sessions_.size() >= kMost) return {status::kInsufficientResources};
    chain.session = next_++;
  }
  Session& session = sessions_[chain.session];
  session.is_complete = authentication->is_complete;
  SessionSetupResponse response{.buffer_offset = kHeaderOctets + 8,
                                .buffer_length = static_cast<std::uint16_t>(authentication->token.size()),
                                .rest = authentication->token};
  if (authentication->is_complete)
    response.session_flags = authentication->is_anonymous ? SessionSetupResponse::kNull : SessionSetupResponse::kGuest;
  return {authentication->is_complete ? status::kSuccess : status::kMoreProcessingRequired, octets_of(response)};
}

Result Sessions::log_off(const Chain& chain) {
  sessions_.erase(chain.session);
  return {.body = octets_of(Echo{})};
}

// 3.3.5.7
Result Sessions::connect(const Element& element, Chain& chain) {
  const auto request = body_of<TreeConnectRequest>(element.body());
  if (!request || request->structure_size != TreeConnectRequest{}.structure_size) return {status::kInvalidParameter};
  const auto path = part_of(element.octets, request->path_offset, request->path_length);
  if (!path) return {status::kInvalidParameter};
  const std::u16string text = text_of(*path);
  const auto cut = text.rfind(u'\\');
  if (cut == std::u16string::npos || cut + 1 == text.size()) return {status::kBadNetworkName};
  Session& session = sessions_.at(chain.session);
  if (session.trees.size() >= kMostTrees) return {status::kInsufficientResources};
  std::u16string share = text.substr(cut + 1);
  for (char16_t& unit : share)
    if (unit >= u'a' && unit <= u'z') unit = static_cast<char16_t>(unit - u'a' + u'A');
  const bool is_pipe = share == u"IPC$";
  chain.tree = next_tree_++;
  session.trees[chain.tree] = is_pipe;
  return {.body = octets_of(
              TreeConnectResponse{.share_type = is_pipe ? TreeConnectResponse::kPipe : TreeConnectResponse::kDisk})};
}

Result Sessions::disconnect(const Chain& chain) {
  sessions_.at(chain.session).trees.erase(chain.tree);
  return {.body = octets_of(Echo{})};
}

bool Sessions::has(std::uint64_t session) const {
  const auto found = sessions_.find(session);
  return found != sessions_.end() && found->second.is_complete;
}

bool Sessions::has(std::uint64_t session, std::uint32_t tree) const {
  return has(session) && sessions_.at(session).trees.contains(tree);
}

bool Sessions::is_pipe(std::uint64_t session, std::uint32_t tree) const {
  return has(session, tree) && sessions_.at(session).trees.at(tree);
}

}  // namespace wirelaw::smb2
