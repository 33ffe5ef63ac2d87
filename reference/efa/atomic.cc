// SPDX-License-Identifier: Apache-2.0
#include "reference/efa/atomic.h"

#include <algorithm>
#include <array>
#include <complex>
#include <limits>
#include <type_traits>

namespace wirelaw::efa {
namespace {

constexpr std::uint8_t kWriteOrFetch =
    static_cast<std::uint8_t>(AtomicCall::write) | static_cast<std::uint8_t>(AtomicCall::fetch);
constexpr std::uint8_t kFetch = static_cast<std::uint8_t>(AtomicCall::fetch);
constexpr std::uint8_t kCompare = static_cast<std::uint8_t>(AtomicCall::compare);

constexpr std::array<DatatypeInfo, 14> kDatatypes{{
    {Datatype::int8, "FI_INT8", 1},
    {Datatype::uint8, "FI_UINT8", 1},
    {Datatype::int16, "FI_INT16", 2},
    {Datatype::uint16, "FI_UINT16", 2},
    {Datatype::int32, "FI_INT32", 4},
    {Datatype::uint32, "FI_UINT32", 4},
    {Datatype::int64, "FI_INT64", 8},
    {Datatype::uint64, "FI_UINT64", 8},
    {Datatype::single, "FI_FLOAT", 4},
    {Datatype::real, "FI_DOUBLE", 8},
    {Datatype::single_complex, "FI_FLOAT_COMPLEX", 8},
    {Datatype::real_complex, "FI_DOUBLE_COMPLEX", 16},
    {Datatype::long_real, "FI_LONG_DOUBLE", sizeof(long double)},
    {Datatype::long_complex, "FI_LONG_DOUBLE_COMPLEX", 2 * sizeof(long double)},
}};

constexpr std::array<AtomicOpInfo, 19> kOps{{
    {AtomicOp::min, "FI_MIN", kWriteOrFetch},          {AtomicOp::max, "FI_MAX", kWriteOrFetch},
    {AtomicOp::sum, "FI_SUM", kWriteOrFetch},          {AtomicOp::prod, "FI_PROD", kWriteOrFetch},
    {AtomicOp::lor, "FI_LOR", kWriteOrFetch},          {AtomicOp::land, "FI_LAND", kWriteOrFetch},
    {AtomicOp::bor, "FI_BOR", kWriteOrFetch},          {AtomicOp::band, "FI_BAND", kWriteOrFetch},
    {AtomicOp::lxor, "FI_LXOR", kWriteOrFetch},        {AtomicOp::bxor, "FI_BXOR", kWriteOrFetch},
    {AtomicOp::atomic_read, "FI_ATOMIC_READ", kFetch}, {AtomicOp::atomic_write, "FI_ATOMIC_WRITE", kWriteOrFetch},
    {AtomicOp::cswap, "FI_CSWAP", kCompare},           {AtomicOp::cswap_ne, "FI_CSWAP_NE", kCompare},
    {AtomicOp::cswap_le, "FI_CSWAP_LE", kCompare},     {AtomicOp::cswap_lt, "FI_CSWAP_LT", kCompare},
    {AtomicOp::cswap_ge, "FI_CSWAP_GE", kCompare},     {AtomicOp::cswap_gt, "FI_CSWAP_GT", kCompare},
    {AtomicOp::mswap, "FI_MSWAP", kCompare},
}};

// ------------------------------------------------------------------------------------------- one value in memory

template <class T>
constexpr bool kComplex = false;
template <class T>
constexpr bool kComplex<std::complex<T>> = true;

// An 80-bit extended number fills ten octets out of sixteen; the other six stay unchanged in memory.
template <class T>
constexpr std::size_t kUsed = sizeof(T);
template <>
constexpr std::size_t kUsed<long double> = std::numeric_limits<long double>::digits == 64 ? 10 : sizeof(long double);

template <class T>
T load_value(const Octet* at) {
  if constexpr (kComplex<T>) {
    using Part = typename T::value_type;
    return {load_value<Part>(at), load_value<Part>(at + sizeof(Part))};
  } else {
    std::array<Octet, sizeof(T)> octets{};
    std::copy_n(at, kUsed<T>, octets.begin());
    if constexpr (std::endian::native == std::endian::big) std::ranges::reverse(octets);
    T value;
    std::memcpy(&value, octets.data(), sizeof(T));
    return value;
  }
}

template <class T>
void store_value(Octet* at, const T& value) {
  if constexpr (kComplex<T>) {
    store_value(at, value.real());
    store_value(at + sizeof(typename T::value_type), value.imag());
  } else {
    std::array<Octet, sizeof(T)> octets{};
    std::memcpy(octets.data(), &value, kUsed<T>);
    if constexpr (std::endian::native == std::endian::big) std::ranges::reverse(octets);
    std::copy_n(octets.begin(), kUsed<T>, at);
  }
}

// --------------------------------------------------------------------------------------------- the operations by type

template <class T>
using Operation = T (*)(T target, T operand, T compare);

// Integers wrap.
template <class T, class Op>
T wrapping(T a, T b, Op op) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(op(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b)));
  } else {
    return op(a, b);
  }
}

template <class T>
bool truth(const T& value) {
  return value != T{};
}

template <class T>
T logical(bool value) {
  return value ? T{1} : T{};
}

template <class T>
constexpr std::array<Operation<T>, kOps.size()> operations() {
  std::array<Operation<T>, kOps.size()> all{};
  const auto put = [&](AtomicOp op, Operation<T> operation) { all[static_cast<std::size_t>(op)] = operation; };
  put(AtomicOp::sum, [](T a, T b, T) { return wrapping(a, b, [](auto x, auto y) { return x + y; }); });
  put(AtomicOp::prod, [](T a, T b, T) { return wrapping(a, b, [](auto x, auto y) { return x * y; }); });
  put(AtomicOp::lor, [](T a, T b, T) { return logical<T>(truth(a) || truth(b)); });
  put(AtomicOp::land, [](T a, T b, T) { return logical<T>(truth(a) && truth(b)); });
  put(AtomicOp::lxor, [](T a, T b, T) { return logical<T>(truth(a) != truth(b)); });
  put(AtomicOp::atomic_read, [](T a, T, T) { return a; });
  put(AtomicOp::atomic_write, [](T, T b, T) { return b; });
  put(AtomicOp::cswap, [](T a, T b, T c) { return c == a ? b : a; });
  put(AtomicOp::cswap_ne, [](T a, T b, T c) { return c != a ? b : a; });
  if constexpr (!kComplex<T>) {
    put(AtomicOp::min, [](T a, T b, T) { return b < a ? b : a; });
    put(AtomicOp::max, [](T a, T b, T) { return b > a ? b : a; });
    put(AtomicOp::cswap_le, [](T a, T b, T c) { return c <= a ? b : a; });
    put(AtomicOp::cswap_lt, [](T a, T b, T c) { return c < a ? b : a; });
    put(AtomicOp::cswap_ge, [](T a, T b, T c) { return c >= a ? b : a; });
    put(AtomicOp::cswap_gt, [](T a, T b, T c) { return c > a ? b : a; });
  }
  if constexpr (std::is_integral_v<T>) {
    put(AtomicOp::bor, [](T a, T b, T) { return static_cast<T>(a | b); });
    put(AtomicOp::band, [](T a, T b, T) { return static_cast<T>(a & b); });
    put(AtomicOp::bxor, [](T a, T b, T) { return static_cast<T>(a ^ b); });
    put(AtomicOp::mswap, [](T a, T b, T c) { return static_cast<T>((b & c) | (a & ~c)); });
  }
  return all;
}

template <class T>
constexpr std::array<Operation<T>, kOps.size()> kOperations = operations<T>();

template <class T>
bool defined(std::uint32_t op) {
  return kOperations<T>[op] != nullptr;
}

template <class T>
void apply(std::uint32_t op, std::span<Octet> target, Octets operand, Octets compare) {
  const Operation<T> operation = kOperations<T>[op];
  for (std::size_t at = 0; at + sizeof(T) <= target.size(); at += sizeof(T)) {
    const auto value_of = [&](Octets octets) { return octets.empty() ? T{} : load_value<T>(octets.data() + at); };
    store_value(target.data() + at, operation(load_value<T>(target.data() + at), value_of(operand), value_of(compare)));
  }
}

struct Implementation {
  bool (*defined)(std::uint32_t op);
  void (*apply)(std::uint32_t op, std::span<Octet> target, Octets operand, Octets compare);
};

template <class T>
constexpr Implementation kOf{defined<T>, apply<T>};

// In the order of Datatype.
constexpr std::array<Implementation, kDatatypes.size()> kImplementations{kOf<std::int8_t>,
                                                                         kOf<std::uint8_t>,
                                                                         kOf<std::int16_t>,
                                                                         kOf<std::uint16_t>,
                                                                         kOf<std::int32_t>,
                                                                         kOf<std::uint32_t>,
                                                                         kOf<std::int64_t>,
                                                                         kOf<std::uint64_t>,
                                                                         kOf<float>,
                                                                         kOf<double>,
                                                                         kOf<std::complex<float>>,
                                                                         kOf<std::complex<double>>,
                                                                         kOf<long double>,
                                                                         kOf<std::complex<long double>>};

}  // namespace

std::span<const DatatypeInfo> all_datatypes() {
  return kDatatypes;
}

std::span<const AtomicOpInfo> all_atomic_ops() {
  return kOps;
}

const DatatypeInfo* find_datatype(std::uint32_t datatype) {
  return datatype < kDatatypes.size() ? &kDatatypes[datatype] : nullptr;
}

const AtomicOpInfo* find_atomic_op(std::uint32_t op) {
  return op < kOps.size() ? &kOps[op] : nullptr;
}

bool atomic_defined(std::uint32_t op, std::uint32_t datatype) {
  return op < kOps.size() && datatype < kDatatypes.size() && kImplementations[datatype].defined(op);
}

bool apply_atomic(std::uint32_t op, std::uint32_t datatype, std::span<Octet> target, Octets operand, Octets compare) {
  if (!atomic_defined(op, datatype)) return false;
  const bool reads_only = static_cast<AtomicOp>(op) == AtomicOp::atomic_read;
  const bool compares = kOps[op].allowed_in(AtomicCall::compare);
  if (!reads_only && operand.size() < target.size()) return false;
  if (compares && compare.size() < target.size()) return false;
  kImplementations[datatype].apply(op, target, reads_only ? Octets{} : operand, compares ? compare : Octets{});
  return true;
}

}  // namespace wirelaw::efa
