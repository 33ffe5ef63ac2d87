// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/vm/return_code.h"

#include <array>

namespace wirelaw::umsp {

std::string_view explain(ReturnCode code) {
  static constexpr std::array<std::string_view, kReturnCodes> kTexts{
      "it is done",
      "the operands or extension headers do not make this instruction",
      "this virtual machine does not execute this instruction",
      "the task is not there: register it first",
      "the task has no memory at this address",
      "this memory can be read and run only",
      "there is no room: free memory, or ask for less",
      "too many threads or watched data: wait for responses",
      "the code or the parameters are for another virtual machine",
      "this is no code of this virtual machine",
      "no such object is there for this task",
      "the object has no such procedure",
      "the object has no name, or may not have one of 4 to 254 ASCII octets",
      "another object has this name",
      "the object was not made by this job",
      "this needs a session",
      "an exception in the thread",
      "this is no pointer, or its node is gone",
      "the other node has refused",
      "the other node has not answered",
      "the thread has run for as long as it may"};
  const auto index = static_cast<std::size_t>(code);
  return index < kTexts.size() ? kTexts[index] : "an unknown return code";
}

}  // namespace wirelaw::umsp
