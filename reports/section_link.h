// SPDX-License-Identifier: Apache-2.0
// Links to the section of a specification.
#pragma once

#include <string>
#include <string_view>

#include "conformance/rule.h"

namespace wirelaw {

// "https://www.rfc-editor.org/rfc/rfc5040#section-4.8" for "RFC 5040 4.8, table 3". Empty if the document has no
// address.
std::string section_link(std::string_view section);

// The document and the number of the chapter: "RFC 5040 4.8" for "RFC 5040 4.8, table 3". A section without a number
// stays as it is. Coverage is counted by this name.
std::string section_head(std::string_view section);

// The position of the chapter number: 9 in "RFC 5040 4.8"; npos if there is none.
std::size_t chapter_at(std::string_view section);

}  // namespace wirelaw
