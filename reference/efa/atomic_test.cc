// SPDX-License-Identifier: Apache-2.0
#include "reference/efa/atomic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <complex>
#include <cstring>

namespace wirelaw::efa {
namespace {

// Converts a value of this machine to a little-endian value in memory, and back.
template <class T>
T in_wire_order(T value) {
  if constexpr (std::endian::native == std::endian::big) {
    std::array<Octet, sizeof(T)> octets;
    std::memcpy(octets.data(), &value, sizeof(T));
    std::ranges::reverse(octets);
    std::memcpy(&value, octets.data(), sizeof(T));
  }
  return value;
}
template <class T>
std::complex<T> in_wire_order(std::complex<T> value) {
  return {in_wire_order(value.real()), in_wire_order(value.imag())};
}

template <class T>
OctetBuffer octets_of(std::initializer_list<T> values) {
  OctetBuffer octets(values.size() * sizeof(T));
  std::size_t at = 0;
  for (const T& value : values) {
    const T wire = in_wire_order(value);
    std::memcpy(octets.data() + sizeof(T) * at++, &wire, sizeof(T));
  }
  return octets;
}

// Returns the result of the operation for one value.
template <class T>
T result_of(AtomicOp op, Datatype type, T target, T operand, T compare = T{}) {
  OctetBuffer memory = octets_of({target});
  const auto number = [](auto value) { return static_cast<std::uint32_t>(value); };
  EXPECT_TRUE(apply_atomic(number(op), number(type), memory, octets_of({operand}), octets_of({compare})));
  T value;
  std::memcpy(&value, memory.data(), sizeof(T));
  return in_wire_order(value);
}

TEST(Atomic, NumbersAreThoseOfLibfabric) {
  ASSERT_EQ(all_datatypes().size(), 14u);
  for (std::uint32_t i = 0; i < 14; ++i) EXPECT_EQ(static_cast<std::uint32_t>(find_datatype(i)->datatype), i);
  ASSERT_EQ(all_atomic_ops().size(), 19u);
  for (std::uint32_t i = 0; i < 19; ++i) EXPECT_EQ(static_cast<std::uint32_t>(find_atomic_op(i)->op), i);
  EXPECT_EQ(find_datatype(7)->name, "FI_UINT64");
  EXPECT_EQ(find_atomic_op(12)->name, "FI_CSWAP");
  EXPECT_EQ(find_datatype(14), nullptr);
  EXPECT_EQ(find_atomic_op(19), nullptr);
}

TEST(Atomic, OperationsBelongToTheirCalls) {
  EXPECT_TRUE(find_atomic_op(2)->allowed_in(AtomicCall::write));
  EXPECT_TRUE(find_atomic_op(2)->allowed_in(AtomicCall::fetch));
  EXPECT_FALSE(find_atomic_op(2)->allowed_in(AtomicCall::compare));
  EXPECT_FALSE(find_atomic_op(10)->allowed_in(AtomicCall::write)) << "FI_ATOMIC_READ fetches";
  EXPECT_TRUE(find_atomic_op(18)->allowed_in(AtomicCall::compare));
  EXPECT_FALSE(find_atomic_op(12)->allowed_in(AtomicCall::fetch));
}

TEST(Atomic, ComputesWithIntegers) {
  using std::int8_t, std::uint8_t, std::uint16_t, std::int64_t;
  EXPECT_EQ(result_of<int8_t>(AtomicOp::min, Datatype::int8, 3, -4), -4);
  EXPECT_EQ(result_of<uint8_t>(AtomicOp::min, Datatype::uint8, 3, 252), 3);
  EXPECT_EQ(result_of<int8_t>(AtomicOp::max, Datatype::int8, 3, -4), 3);
  EXPECT_EQ(result_of<int8_t>(AtomicOp::sum, Datatype::int8, 127, 1), -128) << "integers wrap";
  EXPECT_EQ(result_of<uint16_t>(AtomicOp::prod, Datatype::uint16, 0xffff, 0xffff), 1);
  EXPECT_EQ(result_of<int64_t>(AtomicOp::prod, Datatype::int64, -3, 5), -15);
  EXPECT_EQ(result_of<uint8_t>(AtomicOp::lor, Datatype::uint8, 0, 8), 1);
  EXPECT_EQ(result_of<uint8_t>(AtomicOp::land, Datatype::uint8, 2, 8), 1);
  EXPECT_EQ(result_of<uint8_t>(AtomicOp::lxor, Datatype::uint8, 2, 8), 0);
  EXPECT_EQ(result_of<uint8_t>(AtomicOp::bor, Datatype::uint8, 6, 3), 7);
  EXPECT_EQ(result_of<uint8_t>(AtomicOp::band, Datatype::uint8, 6, 3), 2);
  EXPECT_EQ(result_of<uint8_t>(AtomicOp::bxor, Datatype::uint8, 6, 3), 5);
  EXPECT_EQ(result_of<uint8_t>(AtomicOp::atomic_read, Datatype::uint8, 6, 3), 6);
  EXPECT_EQ(result_of<uint8_t>(AtomicOp::atomic_write, Datatype::uint8, 6, 3), 3);
}

TEST(Atomic, SwapsWhereTheComparisonHolds) {
  // The operand of the comparison is on the left: compare OP target.
  const auto swapped = [](AtomicOp op, std::int32_t compare) {
    return result_of<std::int32_t>(op, Datatype::int32, 5, 9, compare) == 9;
  };
  struct Row {
    AtomicOp op;
    bool below, equal, above;  // compare is 4, 5, 6 if the target is 5
  };
  for (const Row& row : {Row{AtomicOp::cswap, false, true, false}, Row{AtomicOp::cswap_ne, true, false, true},
                         Row{AtomicOp::cswap_le, true, true, false}, Row{AtomicOp::cswap_lt, true, false, false},
                         Row{AtomicOp::cswap_ge, false, true, true}, Row{AtomicOp::cswap_gt, false, false, true}}) {
    EXPECT_EQ(swapped(row.op, 4), row.below) << find_atomic_op(static_cast<std::uint32_t>(row.op))->name;
    EXPECT_EQ(swapped(row.op, 5), row.equal) << find_atomic_op(static_cast<std::uint32_t>(row.op))->name;
    EXPECT_EQ(swapped(row.op, 6), row.above) << find_atomic_op(static_cast<std::uint32_t>(row.op))->name;
  }
  EXPECT_EQ(result_of<std::uint8_t>(AtomicOp::mswap, Datatype::uint8, 0xf0, 0x3c, 0x0f), 0xfc);
}

TEST(Atomic, ComputesWithRealAndComplexNumbers) {
  EXPECT_EQ(result_of(AtomicOp::sum, Datatype::single, 1.5f, 2.25f), 3.75f);
  EXPECT_EQ(result_of(AtomicOp::min, Datatype::real, 1.5, -2.0), -2.0);
  EXPECT_EQ(result_of(AtomicOp::prod, Datatype::long_real, 1.5L, 2.0L), 3.0L);
  EXPECT_EQ(result_of(AtomicOp::cswap_lt, Datatype::real, 2.0, 7.0, 1.0), 7.0);
  using Complex = std::complex<double>;
  EXPECT_EQ(result_of(AtomicOp::prod, Datatype::real_complex, Complex{0, 1}, Complex{0, 1}), (Complex{-1, 0}));
  EXPECT_EQ(result_of(AtomicOp::lor, Datatype::real_complex, Complex{0, 1}, Complex{}), (Complex{1, 0}));
  EXPECT_EQ(result_of(AtomicOp::cswap, Datatype::real_complex, Complex{1, 2}, Complex{3, 4}, Complex{1, 2}),
            (Complex{3, 4}));
}

TEST(Atomic, IsNotDefinedForBitsOfFloatsOrTheOrderOfComplexNumbers) {
  const auto defined = [](AtomicOp op, Datatype type) {
    return atomic_defined(static_cast<std::uint32_t>(op), static_cast<std::uint32_t>(type));
  };
  EXPECT_FALSE(defined(AtomicOp::bor, Datatype::single));
  EXPECT_FALSE(defined(AtomicOp::mswap, Datatype::long_real));
  EXPECT_FALSE(defined(AtomicOp::min, Datatype::real_complex));
  EXPECT_FALSE(defined(AtomicOp::cswap_ge, Datatype::single_complex));
  EXPECT_TRUE(defined(AtomicOp::cswap_ne, Datatype::long_complex));
  EXPECT_FALSE(atomic_defined(19, 0));
  EXPECT_FALSE(atomic_defined(0, 14));
  EXPECT_FALSE(atomic_defined(0xffffffff, 0xffffffff));
}

TEST(Atomic, TouchesEveryWholeValueAndNothingElse) {
  OctetBuffer memory{1, 0, 2, 0, 3};
  EXPECT_TRUE(apply_atomic(2, 3, memory, OctetBuffer{1, 0, 1, 0, 1}, {}));
  EXPECT_EQ(memory, (OctetBuffer{2, 0, 3, 0, 3}));
}

TEST(Atomic, RefusesOperandsThatAreTooShort) {
  OctetBuffer memory{1, 2};
  EXPECT_FALSE(apply_atomic(2, 1, memory, OctetBuffer{1}, {}));
  EXPECT_FALSE(apply_atomic(12, 1, memory, OctetBuffer{1, 1}, OctetBuffer{1}));
  EXPECT_TRUE(apply_atomic(10, 1, memory, {}, {})) << "FI_ATOMIC_READ needs none";
  EXPECT_EQ(memory, (OctetBuffer{1, 2}));
}

TEST(Atomic, IsTotalOverEveryOperationAndDatatype) {
  unsigned done = 0;
  for (const AtomicOpInfo& op : all_atomic_ops())
    for (const DatatypeInfo& type : all_datatypes()) {
      OctetBuffer memory(64, 0xff);
      const OctetBuffer ones(64, 0xff);
      const auto number = [](auto value) { return static_cast<std::uint32_t>(value); };
      EXPECT_EQ(apply_atomic(number(op.op), number(type.datatype), memory, ones, ones),
                atomic_defined(number(op.op), number(type.datatype)));
      done += atomic_defined(number(op.op), number(type.datatype)) ? 1 : 0;
    }
  EXPECT_EQ(done, 19u * 8 + 15u * 3 + 9u * 3);  // integer, real and complex types
}

}  // namespace
}  // namespace wirelaw::efa
