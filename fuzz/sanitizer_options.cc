// SPDX-License-Identifier: Apache-2.0
// Defaults of AddressSanitizer in a libFuzzer target, unless ASAN_OPTIONS overrides them. Memory that an input frees
// stays in quarantine for some hundred inputs, not for tens of thousands, for which each of its pages would be a new
// one.

extern "C" const char* __asan_default_options();

extern "C" const char* __asan_default_options() {
  return "quarantine_size_mb=16";
}
