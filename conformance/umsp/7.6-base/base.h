// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"

namespace wirelaw::umsp {

SectionTables base_tables();

}  // namespace wirelaw::umsp
