/* SPDX-License-Identifier: Apache-2.0
 * Gives a campaign the coverage of an IUT that is compiled with -fsanitize-coverage=trace-pc-guard: compile this file
 * without that option, and link it in.
 *
 *   clang -c coverage_runtime.c
 *   clang -fsanitize-coverage=trace-pc-guard … coverage_runtime.o
 *
 * A counter for each edge is in the shared memory that __AFL_SHM_ID names; without it nothing is counted. Processes that
 * the IUT forks count there too. An IUT that AFL++'s compilers have built needs nothing of this. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/shm.h>

enum { kNowhere = 1 << 16 };

static uint8_t nowhere[kNowhere];
static uint8_t *counters = nowhere;
static size_t size = kNowhere;
static uint32_t edges;

void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop);
void __sanitizer_cov_trace_pc_guard(uint32_t *guard);

static void attach(void) {
  const char *const id = getenv("__AFL_SHM_ID");
  struct shmid_ds about;
  if (id == NULL || counters != nowhere) return;
  const int number = (int)strtol(id, NULL, 10);
  if (shmctl(number, IPC_STAT, &about) != 0 || about.shm_segsz == 0) return;
  void *const memory = shmat(number, NULL, 0);
  if (memory == (void *)-1) return;
  counters = memory;
  size = about.shm_segsz;
}

void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop) {
  if (start == stop || *start != 0) return; /* of a library that is loaded twice */
  attach();
  for (uint32_t *guard = start; guard < stop; ++guard) *guard = ++edges;
}

/* A counter that is full stays full: it never looks like one that was not passed. */
void __sanitizer_cov_trace_pc_guard(uint32_t *guard) {
  uint8_t *const counter = &counters[*guard % size];
  if (*counter != UINT8_MAX) ++*counter;
}
