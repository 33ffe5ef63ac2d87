// SPDX-License-Identifier: Apache-2.0
// Cases for the Terminate and the end of the stream (RFC 5040, 4.8, 5.4, 6.2, 7, 7.1; RFC 7306), one function for each
// section, and shared functions.
#pragma once

#include "conformance/rdmap/probes/message_cases.h"

namespace wirelaw::rdmap {

std::vector<Case> terminate_header_cases();   // terminate_header_cases.cc
std::vector<Case> terminate_message_cases();  // terminate_delivery_cases.cc
std::vector<Case> teardown_cases();           // teardown_cases.cc
std::vector<Case> error_cases();              // error_management_cases.cc
std::vector<Case> error_surfacing_cases();    // error_surfacing_cases.cc
std::vector<Case> extension_cases();          // operations_cases.cc
std::vector<Case> extension_refusal_cases();  // refusal_cases.cc
std::vector<Case> shared_stag_cases();        // shared_stag_cases.cc
std::vector<Case> security_cases();           // stags_cases.cc

// A fault that every receiver sees, whatever its buffers are.
struct Fault {
  std::string_view name;  // part of its cases' ids: "a-reserved-opcode"
  std::string_view text;  // "A Send of opcode 12"
  // Sends it, and returns the faulty ULPDU.
  OctetBuffer (*send)(Probe& probe);
  // The contents of the Terminate that answers it.
  enum class Carries : std::uint8_t { nothing, ddp_header, ddp_header_if_readable, read_request } carries;
};
std::span<const Fault> faults();
const Fault& fault(std::string_view name);

// The next Terminate, end of the connection, or octets that cannot be decoded. Skips messages that were on their way.
Response await_terminate(Probe& probe);
// Judges the headers in a Terminate against the segment that it must blame.
void judge_carried(Probe& probe, const Rule& rule, const Response& answer, Octets ulpdu, Fault::Carries carries);
// Expects that the IUT ends the connection by itself. Reports a warning if it does so only after the tester's FIN.
void expect_end(Probe& probe, const Rule& rule, std::string_view explanation);

// Sends this Terminate unchanged.
void send_terminate(Probe& probe, Octets payload, const Probe::HeaderEdit& edit = {});
void send_terminate(Probe& probe, const Terminate& terminate, const Probe::HeaderEdit& edit = {});

}  // namespace wirelaw::rdmap
