// SPDX-License-Identifier: Apache-2.0
// Headers that nearly every source includes, precompiled. Each source still includes what it uses: -DWIRELAW_PCH=OFF
// builds without this.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reference/octets/octets.h"
