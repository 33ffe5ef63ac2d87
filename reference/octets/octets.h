// SPDX-License-Identifier: Apache-2.0
// Octets on the wire: views, owned buffers, and readers and writers that keep to their bounds.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace wirelaw {

using Octet = std::uint8_t;
using Octets = std::span<const Octet>;   // a view of octets that someone else owns
using OctetBuffer = std::vector<Octet>;  // owned octets

// Reverses the octets of an integer.
template <class Int>
constexpr Int reversed(Int value) {
  static_assert(sizeof(Int) == 1 || sizeof(Int) == 2 || sizeof(Int) == 4 || sizeof(Int) == 8);
  if constexpr (sizeof(Int) == 1) return value;
  if constexpr (sizeof(Int) == 2) return __builtin_bswap16(value);
  if constexpr (sizeof(Int) == 4) return __builtin_bswap32(value);
  if constexpr (sizeof(Int) == 8) return __builtin_bswap64(value);
}

// Returns the integer at `at`, in this machine's byte order: one load, whatever the alignment.
template <class Int>
constexpr Int load_native(const Octet* at) {
  static_assert(std::is_unsigned_v<Int>);
  if (std::is_constant_evaluated()) {
    std::array<Octet, sizeof(Int)> octets{};
    for (std::size_t i = 0; i < sizeof(Int); ++i) octets[i] = at[i];
    return std::bit_cast<Int>(octets);
  }
  Int value;
  std::memcpy(&value, at, sizeof(Int));
  return value;
}

template <class Int>
constexpr void store_native(Octet* at, Int value) {
  static_assert(std::is_unsigned_v<Int>);
  if (std::is_constant_evaluated()) {
    const auto octets = std::bit_cast<std::array<Octet, sizeof(Int)>>(value);
    for (std::size_t i = 0; i < sizeof(Int); ++i) at[i] = octets[i];
    return;
  }
  std::memcpy(at, &value, sizeof(Int));
}

// Returns the integer at `at`. Requires sizeof(Int) octets there.
template <class Int>
constexpr Int load_little_endian(const Octet* at) {
  const Int value = load_native<Int>(at);
  return std::endian::native == std::endian::little ? value : reversed(value);
}

template <class Int>
constexpr Int load_big_endian(const Octet* at) {
  const Int value = load_native<Int>(at);
  return std::endian::native == std::endian::big ? value : reversed(value);
}

template <class Int>
constexpr void store_little_endian(Octet* at, Int value) {
  store_native(at, std::endian::native == std::endian::little ? value : reversed(value));
}

template <class Int>
constexpr void store_big_endian(Octet* at, Int value) {
  store_native(at, std::endian::native == std::endian::big ? value : reversed(value));
}

// Reads integers in order. After a read past the end it fails for good and returns zeros: check ok() once, after the
// last read.
class Reader {
 public:
  explicit constexpr Reader(Octets octets) : octets_(octets) {}

  template <class Int>
  constexpr Int little_endian() {
    return take(sizeof(Int)) ? load_little_endian<Int>(octets_.data() + at_ - sizeof(Int)) : Int{0};
  }
  template <class Int>
  constexpr Int big_endian() {
    return take(sizeof(Int)) ? load_big_endian<Int>(octets_.data() + at_ - sizeof(Int)) : Int{0};
  }
  constexpr Octet octet() { return little_endian<Octet>(); }
  constexpr Octets octets(std::size_t count) { return take(count) ? octets_.subspan(at_ - count, count) : Octets{}; }
  constexpr bool skip(std::size_t count) { return take(count); }
  constexpr Octets rest() const { return ok_ ? octets_.subspan(at_) : Octets{}; }

  constexpr std::size_t offset() const { return at_; }
  constexpr std::size_t remaining() const { return ok_ ? octets_.size() - at_ : 0; }
  constexpr bool ok() const { return ok_; }

 private:
  constexpr bool take(std::size_t count) {
    if (!ok_ || octets_.size() - at_ < count) return ok_ = false;
    at_ += count;
    return true;
  }

  Octets octets_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

// Appends integers to a buffer that it does not own.
class Writer {
 public:
  explicit Writer(OctetBuffer& out) : out_(out) {}

  template <class Int>
  Writer& little_endian(Int value) {
    store_little_endian(grow(sizeof(Int)), value);
    return *this;
  }
  template <class Int>
  Writer& big_endian(Int value) {
    store_big_endian(grow(sizeof(Int)), value);
    return *this;
  }
  Writer& octet(Octet value) { return little_endian<Octet>(value); }
  Writer& octets(Octets values) {
    out_.insert(out_.end(), values.begin(), values.end());
    return *this;
  }

 private:
  Octet* grow(std::size_t count) {
    out_.resize(out_.size() + count);
    return out_.data() + out_.size() - count;
  }

  OctetBuffer& out_;
};

}  // namespace wirelaw
