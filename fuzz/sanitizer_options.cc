// SPDX-License-Identifier: Apache-2.0
// What AddressSanitizer does in a libFuzzer target, unless ASAN_OPTIONS sets otherwise: what an input has freed is kept
// until some hundred inputs later, not for tens of thousands of them, which would make each of its pages a new one.

extern "C" const char* __asan_default_options();

extern "C" const char* __asan_default_options() {
  return "quarantine_size_mb=16";
}
