// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/export.h"
