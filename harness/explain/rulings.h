// SPDX-License-Identifier: Apache-2.0
// The rulings of a page of interpretations: the rows of its tables.
#pragma once

#include <string_view>
#include <vector>

#include "reports/explanation.h"

namespace wirelaw {

// A table is one whose first column is called "no."; what its columns are is read in its head. A row that has no number
// is passed over.
std::vector<Ruling> rulings_of_page(std::string_view protocol, std::string_view page);

// The rulings of every page that the program contains, in their order.
const std::vector<Ruling>& all_rulings();

}  // namespace wirelaw
