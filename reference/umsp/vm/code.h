// SPDX-License-Identifier: Apache-2.0
// The code that this virtual machine runs. RFC 3018 leaves it to the VM (2.3, 6.4.2). This one is for tests: small, but
// sufficient for everything that a thread of UMSP can do.
//
// A thread has eight registers of 64 bits. When it begins, r0 is the address of its parameters and r1 their octets; the
// others are 0. An instruction has four octets: the operation, a, b and c. Sums and differences are taken modulo 2^64.
// Displacements d are signed and count octets from the next instruction.
//
//   raise      00 a bc    ends the thread by the exception bc
//   set        01 a - -   ra = the number in the eight octets that follow, most significant octet first
//   copy       02 a b -   ra = rb
//   add        03 a b c   ra = rb + rc
//   subtract   04 a b c   ra = rb - rc
//   load       05 a b n   ra = the n octets at rb, n 1, 2, 4 or 8
//   store      06 a b n   the n octets at rb = ra
//   jump       07 - d     continues at d, of two octets
//   equal      08 a b d   continues at 4 * d, of one octet, if ra = rb
//   less       09 a b d   continues at 4 * d if ra < rb
//   return     0a a b -   ends the thread; the rb octets at ra are returned
//   yield      0b - - -   lets other threads run
//   read       0c a b c   the rc octets at ra = those that the pointer at rb points to
//   write      0d a b c   the rc octets at ra are written where the pointer at rb points to
//   compare    0e a b c   the rc octets at ra with those that the pointer at rb points to: ra = 0, 1, or 2^64 - 1 if
//                         those are equal, more or less
//   call       0f a b c   calls what the pointer at rb points to with the rc octets at ra: what it returns replaces
//                         them, as far as there is room; rc = octets returned
//
// A pointer is a 128-bit address (2.1), and is in the memory that the VM keeps for pointers. load and store have the
// order of octets that the parameters have (WordOrder).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>

#include "reference/octets/octets.h"

namespace wirelaw::umsp {

enum class Operation : std::uint8_t {
  raise,
  set,
  copy,
  add,
  subtract,
  load,
  store,
  jump,
  equal,
  less,
  return_data,
  yield,
  read,
  write,
  compare,
  call,
};
inline constexpr std::size_t kOperations = static_cast<std::size_t>(Operation::call) + 1;
inline constexpr std::size_t kRegisters = 8;
inline constexpr std::size_t kOperationOctets = 4;
inline constexpr std::size_t kConstantOctets = 8;  // after `set`

// The formats of parameters and returned values: a VM of version 1 writes numbers with the least significant octet
// first, later versions with the most significant one first. Without information about the sender's VM, they have the
// format of the addressee (6).
enum class WordOrder : std::uint8_t { most_first, least_first };
inline constexpr std::uint16_t kLeastFirstVersion = 1;

struct CodeLine {
  Operation operation;
  std::uint8_t a = 0, b = 0, c = 0;
  std::uint64_t constant = 0;  // operand of `set`
};
OctetBuffer assemble(std::initializer_list<CodeLine> lines);

// The contents of MVCODE and MVRUN, for the loader (6.4.2, 6.4.5):
//   4  octets of code, more than 0
//   4  octets of parameters; 0 in MVCODE
//      code, parameters; up to three octets of 0 after them
struct Image {
  Octets code;
  Octets parameters;
};
std::optional<Image> decode_image(Octets octets);
OctetBuffer encode_image(Octets code, Octets parameters = {});

}  // namespace wirelaw::umsp
