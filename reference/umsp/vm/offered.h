// SPDX-License-Identifier: Apache-2.0
// The default contents of this virtual machine for a tester: memory, code and an object, with the numbers in cases and
// in URI parameters. All addresses fit into two octets.
#pragma once

#include <cstdint>
#include <string_view>

#include "reference/octets/octets.h"
#include "reference/umsp/vm/code.h"

namespace wirelaw::umsp::offered {

// In the range of private VMs (9).
inline constexpr std::uint16_t kVmType = 49374;
inline constexpr std::uint16_t kVmVersion = 3;

// Permanent code that can be run and read, but not written: two procedures, one after the other.
inline constexpr std::uint64_t kEchoAddress = 0x0100;  // returns its parameters
inline constexpr std::uint64_t kSumAddress = 0x0104;   // returns the sum of the first two numbers of four octets

// Memory of each task that can be read and written: at first, octet i is pattern(i).
inline constexpr std::uint64_t kRegionAddress = 0x1000;
inline constexpr std::size_t kRegionOctets = 0x1000;
constexpr Octet pattern(std::size_t index) {
  return static_cast<Octet>(index % 251);
}
OctetBuffer region();

// Memory of each task for sixteen pointers of sixteen octets each, 0 at first.
inline constexpr std::uint64_t kPointersAddress = 0x2000;
inline constexpr std::size_t kPointersOctets = 0x100;

inline constexpr std::uint64_t kHeapAddress = 0x4000;  // start of the memory for allocation

// An object of the range III: its data are pattern(i), too.
inline constexpr std::uint32_t kObject = 0x3000'0001;
inline constexpr std::uint16_t kObjectVersion = 2;
inline constexpr std::uint16_t kObjectRealization = 3;
inline constexpr std::size_t kObjectOctets = 0x400;
inline constexpr std::string_view kObjectName = "wirelaw.object";
// An object of the range II: it has no name, and neither have its procedures (6.6.3.2, 6.6.4).
inline constexpr std::uint32_t kNumberedObject = 0x2000'0001;
// The procedures of both, and of each object that NEW and SYS_NEW make.
inline constexpr std::uint32_t kEchoNumber = 1;
inline constexpr std::string_view kEchoName = "echo";
inline constexpr std::uint32_t kSumNumber = 2;
inline constexpr std::string_view kSumName = "sum";

// Code of these, and of one that never ends and one that raises the exception kRaised.
OctetBuffer echo_code();
OctetBuffer sum_code();
OctetBuffer endless_code();
OctetBuffer raising_code();
inline constexpr std::uint16_t kRaised = 0x1234;

// Code that asks another node, with the first pointer, to read, compare or call eight octets (read, compare, call of
// code.h). It returns the data read, the result of the comparison, or the octets returned to it.
OctetBuffer asking_code(Operation operation);

// Code for MVCODE: CALL to its address returns the parameters of CALL. Code for MVRUN: returns `parameters`. Octets
// after the code are never executed.
OctetBuffer echo_image(Octets parameters = {});

}  // namespace wirelaw::umsp::offered
