// SPDX-License-Identifier: Apache-2.0
// The cost of framing and deframing, compared with the CRC alone, which is the limit. All use the same FPDUs.
#include <benchmark/benchmark.h>

#include <cstdlib>

#include "reference/mpa/deframer.h"
#include "reference/mpa/framer.h"
#include "reference/octets/crc32c.h"

namespace wirelaw::mpa {
namespace {

constexpr std::size_t kStreamOctets = std::size_t{1} << 20;

std::size_t ulpdu_of(const benchmark::State& state) {
  return static_cast<std::size_t>(state.range(0)) - kLengthOctets - kCrcOctets;
}

OctetBuffer stream_of(std::size_t ulpdu, bool markers) {
  OctetBuffer stream;
  Framer framer(markers, true);
  const OctetBuffer payload(ulpdu, 0x5a);
  while (stream.size() < kStreamOctets) framer.frame(payload, stream);
  return stream;
}

void count(benchmark::State& state, std::size_t octets, std::size_t fpdus) {
  const auto rounds = static_cast<std::size_t>(state.iterations());
  state.SetBytesProcessed(static_cast<std::int64_t>(rounds * octets));
  state.SetItemsProcessed(static_cast<std::int64_t>(rounds * fpdus));
}

// Only computes the CRC of each FPDU.
void crc_alone(benchmark::State& state) {
  const std::size_t fpdu = fpdu_octets(ulpdu_of(state));
  const OctetBuffer stream = stream_of(ulpdu_of(state), false);
  for (auto _ : state) {
    for (std::size_t at = 0; at < stream.size(); at += fpdu)
      benchmark::DoNotOptimize(crc32c(Octets(stream).subspan(at, fpdu - kCrcOctets)));
  }
  count(state, stream.size(), stream.size() / fpdu);
}

// The lower limit of a framer that copies: the copy, and the CRC over it while it is in the cache.
void copy_and_crc(benchmark::State& state) {
  const OctetBuffer payload(ulpdu_of(state), 0x5a);
  const std::size_t fpdu = fpdu_octets(payload.size());
  OctetBuffer out;
  out.reserve(kStreamOctets + fpdu);
  for (auto _ : state) {
    out.clear();
    while (out.size() < kStreamOctets) {
      const std::size_t begin = out.size();
      out.insert(out.end(), payload.begin(), payload.end());
      benchmark::DoNotOptimize(crc32c(Octets(out).subspan(begin)));
    }
  }
  count(state, out.size(), out.size() / payload.size());
}

void framer(benchmark::State& state, bool markers) {
  const OctetBuffer payload(ulpdu_of(state), 0x5a);
  OctetBuffer out;
  out.reserve(stream_of(payload.size(), markers).size());
  for (auto _ : state) {
    out.clear();
    Framer framer(markers, true);
    while (out.size() < kStreamOctets) framer.frame(payload, out);
    benchmark::DoNotOptimize(out.data());
  }
  count(state, out.size(), out.size() / fpdu_octets(payload.size()));
}

// `fed`: octets fed at once, like TCP segments; 0: all octets.
void deframer(benchmark::State& state, bool markers, std::size_t fed) {
  const OctetBuffer stream = stream_of(ulpdu_of(state), markers);
  std::size_t fpdus = 0;
  for (auto _ : state) {
    Deframer deframer(markers, true);
    fpdus = 0;
    for (Octets rest = stream; !rest.empty();) {
      const Octets part = rest.first(fed == 0 ? rest.size() : std::min(fed, rest.size()));
      deframer.feed(part);
      while (const auto fpdu = deframer.next()) {
        if (!fpdu->crc_holds()) std::abort();
        benchmark::DoNotOptimize(fpdu->octets.data());
        ++fpdus;
      }
      rest = rest.subspan(part.size());
    }
  }
  count(state, stream.size(), fpdus);
}

// A stream in which no FPDU is found again: the maximum cost of a gap.
void resync_in_noise(benchmark::State& state, bool markers, bool crc) {
  OctetBuffer noise(kStreamOctets);
  std::uint32_t random = 1;
  for (Octet& octet : noise) octet = static_cast<Octet>((random = random * 1664525 + 1013904223) >> 24);
  for (auto _ : state) {
    Deframer deframer(markers, crc);
    deframer.skip_to(0);
    deframer.feed(noise);
    benchmark::DoNotOptimize(deframer.next());
  }
  count(state, noise.size(), 0);
}

#define WIRELAW_FPDUS ->Arg(64)->Arg(1460)->Arg(8960)->Arg(65536)
BENCHMARK(crc_alone) WIRELAW_FPDUS;
BENCHMARK(copy_and_crc) WIRELAW_FPDUS;
BENCHMARK_CAPTURE(framer, plain, false) WIRELAW_FPDUS;
BENCHMARK_CAPTURE(framer, markers, true) WIRELAW_FPDUS;
BENCHMARK_CAPTURE(deframer, plain, false, 0) WIRELAW_FPDUS;
BENCHMARK_CAPTURE(deframer, markers, true, 0) WIRELAW_FPDUS;
BENCHMARK_CAPTURE(deframer, plain_in_segments, false, 1448) WIRELAW_FPDUS;
BENCHMARK_CAPTURE(deframer, markers_in_segments, true, 1448) WIRELAW_FPDUS;
BENCHMARK_CAPTURE(resync_in_noise, by_crc, false, true);
BENCHMARK_CAPTURE(resync_in_noise, by_marker, true, false);

}  // namespace
}  // namespace wirelaw::mpa

BENCHMARK_MAIN();
