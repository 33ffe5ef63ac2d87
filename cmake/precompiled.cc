// SPDX-License-Identifier: Apache-2.0
// CMake wants a unit for a precompiled header to be built with.
