// SPDX-License-Identifier: Apache-2.0
// A statement as a page for people (HTML, and PDF through the browser's print). It shows what statement.json contains,
// in the order in which a reader who has to decide would ask. The page has no authority by itself; it names the SHA-256
// of the statement that it was made from.
#pragma once

#include <string>
#include <string_view>

#include "harness/certify/statement.h"

namespace wirelaw {

// `file` is the statement's file, beside the evidence; `text` is its content.
std::string page_of(const StatementJson& statement, std::string_view file, std::string_view text);

}  // namespace wirelaw
