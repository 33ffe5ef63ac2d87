// SPDX-License-Identifier: Apache-2.0
// Same, for the units of tests.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "cmake/precompiled.h"
