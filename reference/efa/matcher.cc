// SPDX-License-Identifier: Apache-2.0
#include "reference/efa/matcher.h"

#include <algorithm>

namespace wirelaw::efa {
namespace {

bool takes(const ReceiveCall& receive, const UnexpectedMessage& message, bool any_tag = false) {
  if (receive.from && *receive.from != message.peer) return false;
  if (receive.tag.has_value() != message.tagged) return false;
  return !message.tagged || any_tag || ((receive.tag->tag ^ message.tag) & ~receive.tag->ignore) == 0;
}

}  // namespace

std::optional<std::uint32_t> Matcher::post(const PostedReceive& receive) {
  const auto found =
      std::ranges::find_if(unexpected_, [&](const auto& message) { return takes(receive.call, message); });
  if (found == unexpected_.end()) {
    posted_.push_back(receive);
    return std::nullopt;
  }
  const std::uint32_t reception = found->reception;
  unexpected_.erase(found);
  return reception;
}

std::optional<PostedReceive> Matcher::arrive(const UnexpectedMessage& message, bool any_tag) {
  const auto found =
      std::ranges::find_if(posted_, [&](const auto& receive) { return takes(receive.call, message, any_tag); });
  if (found == posted_.end()) {
    unexpected_.push_back(message);
    return std::nullopt;
  }
  const PostedReceive receive = *found;
  posted_.erase(found);
  return receive;
}

void Matcher::forget(std::uint32_t reception) {
  std::erase_if(unexpected_, [&](const auto& message) { return message.reception == reception; });
}

}  // namespace wirelaw::efa
