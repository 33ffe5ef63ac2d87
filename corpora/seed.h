// SPDX-License-Identifier: Apache-2.0
// The seed corpora of the fuzz targets: small inputs, each of which exercises one thing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reference/octets/octets.h"

namespace wirelaw::corpora {

struct Trace;

struct Seed {
  std::string target;  // fuzz target, which is also the folder in corpora/seeds
  std::string name;    // file name
  OctetBuffer octets;
};

// True for each conforming trace, and for one out of `one_of` violating ones. The choice depends only on the trace's
// name, so that a new trace does not affect others.
bool is_seed(const Trace& trace, std::uint32_t one_of);

std::vector<Seed> capture_seeds();             // fuzz_capture, fuzz_datagrams
std::vector<Seed> tcp_seeds();                 // fuzz_tcp
std::vector<Seed> iwarp_seeds();               // fuzz_mpa, fuzz_rdmap_message
std::vector<Seed> packet_seeds();              // fuzz_ramcloud_packet
std::vector<Seed> rdmap_conversation_seeds();  // fuzz_rdmap_initiator, _responder, _pair, _delayed
std::vector<Seed> roce_seeds();                // fuzz_roce
std::vector<Seed> trace_seeds();               // fuzz_PROTOCOL_trace
std::vector<Seed> efa_seeds();                 // fuzz_efa_packet, _requester, _responder, _pair, _delayed
// fuzz_PROTOCOL_capture: from those of the conversations that have two honest endpoints.
std::vector<Seed> damage_seeds(const std::vector<Seed>& conversations);
std::vector<Seed> case_seeds();          // fuzz_PROTOCOL_case
std::vector<Seed> script_seeds();        // fuzz_script
std::vector<Seed> smbd_seeds();          // fuzz_smbd_message, _initiator, _listener, _pair; fuzz_smb2_message
std::vector<Seed> umsp_seeds();          // fuzz_umsp_instruction
std::vector<Seed> umsp_node_seeds();     // fuzz_umsp_node
std::vector<Seed> umsp_job_seeds();      // fuzz_umsp_job
std::string efa_dictionary();            // dictionaries/efa.dict
std::string smbd_dictionary();           // dictionaries/smbd.dict
std::string umsp_dictionary();           // dictionaries/umsp.dict
std::vector<Seed> conversation_seeds();  // fuzz_ramcloud_server, fuzz_ramcloud_client, _network, _delayed

}  // namespace wirelaw::corpora
