// SPDX-License-Identifier: Apache-2.0
#include "conformance/efa/application.h"

#include <fmt/format.h>

namespace wirelaw::fabric {
namespace {

struct Name {
  std::uint64_t flag;
  std::string_view name;
};
constexpr Name kNames[] = {
    {cq::kMsg, "FI_MSG"},
    {cq::kRma, "FI_RMA"},
    {cq::kTagged, "FI_TAGGED"},
    {cq::kAtomic, "FI_ATOMIC"},
    {cq::kRead, "FI_READ"},
    {cq::kWrite, "FI_WRITE"},
    {cq::kRecv, "FI_RECV"},
    {cq::kSend, "FI_SEND"},
    {cq::kRemoteWrite, "FI_REMOTE_WRITE"},
    {cq::kRemoteCqData, "FI_REMOTE_CQ_DATA"},
};

}  // namespace

std::string to_text(const Completion& completion) {
  std::string text = completion.context ? fmt::format("context {}", *completion.context) : "no context";
  if (!completion.ok()) return text + ", " + completion.error;
  std::string_view between = ", ";
  for (const auto& [bit, name] : kNames) {
    if (!completion.has(bit)) continue;
    text += between;
    text += name;
    between = " | ";
  }
  text += fmt::format(", {} octets", completion.len);
  if (completion.cq_data) text += fmt::format(", CQ data {:#x}", *completion.cq_data);
  if (completion.tag) text += fmt::format(", tag {:#x}", *completion.tag);
  return text;
}

}  // namespace wirelaw::fabric
