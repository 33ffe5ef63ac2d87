// SPDX-License-Identifier: Apache-2.0
// A conversation as a ladder of messages between two sides, and octets as a hex dump with the wrong ones marked.
#pragma once

#include <span>
#include <string>

#include "conformance/verdict.h"
#include "reports/html/conversation.h"

namespace wirelaw::html {

// The message that a finding is about; nullptr where it is not shown. Of several in its frame the one of its number
// goes first.
const ShownMessage* message_of(const Finding& finding, const ShownFlow& flow);
const ShownFlow* flow_of(const Finding& finding, const ShownInput& input);

// `wrong` is marked: a finding is about it. What lies between two messages that are not neighbours is counted.
void put_ladder(std::string& page, const ShownFlow& flow, std::span<const ShownMessage> messages,
                const ShownMessage* wrong = nullptr);
// Those of the flow around `wrong`.
std::span<const ShownMessage> around(const ShownFlow& flow, const ShownMessage& wrong);

// Sixteen octets a line. The octets `from`, `length` are marked as wrong, the rest of the fields that they belong to as
// such. `first` is the offset of the first of them.
void put_octets(std::string& page, Octets octets, std::size_t first, std::size_t from, std::size_t length,
                std::span<const ShownField> fields);

}  // namespace wirelaw::html
