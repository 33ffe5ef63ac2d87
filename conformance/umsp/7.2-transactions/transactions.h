// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"

namespace wirelaw::umsp {

SectionTables transaction_tables();

}  // namespace wirelaw::umsp
