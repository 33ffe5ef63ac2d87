// SPDX-License-Identifier: Apache-2.0
#include "conformance/efa/conversation.h"

namespace wirelaw::efa {

void Conversation::note_partial(std::string_view reason) {
  if (partial_.empty()) partial_ = reason;
}

}  // namespace wirelaw::efa
