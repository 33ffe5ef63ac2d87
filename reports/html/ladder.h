// SPDX-License-Identifier: Apache-2.0
// A conversation as a ladder of messages between two sides, and octets as a hex dump with errors marked.
#pragma once

#include <span>
#include <string>

#include "conformance/verdict.h"
#include "reports/html/conversation.h"

namespace wirelaw::html {

// The message that a finding is about. nullptr if it is not shown. If its frame has several messages, the one with the
// finding's number is preferred.
const ShownMessage* message_of(const Finding& finding, const ShownFlow& flow);
const ShownFlow* flow_of(const Finding& finding, const ShownInput& input);

// `wrong`, the message of a finding, is marked. A gap shows how many messages were left out.
void put_ladder(std::string& page, const ShownFlow& flow, std::span<const ShownMessage> messages,
                const ShownMessage* wrong = nullptr);
// Returns the messages of the flow around `wrong`.
std::span<const ShownMessage> around(const ShownFlow& flow, const ShownMessage& wrong);

// Prints sixteen octets per line. Marks the range `from`, `length` as wrong, and the rest of its fields as related.
// `first` is the offset of the first octet.
void put_octets(std::string& page, Octets octets, std::size_t first, std::size_t from, std::size_t length,
                std::span<const ShownField> fields);

}  // namespace wirelaw::html
