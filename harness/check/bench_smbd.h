// SPDX-License-Identifier: Apache-2.0
// SMB Direct traffic for the benchmark's captures: the initiator sends upper-layer messages of 64 KiB, as far as its
// credits allow.
#pragma once

#include <cstddef>

namespace wirelaw {

class CaptureMaker;

void make_smbd_over_iwarp(CaptureMaker& maker, std::size_t octets);
void make_smbd_over_roce(CaptureMaker& maker, std::size_t octets);
// Adds messages of one segment each over iWARP, a few in each connection.
void make_short_smbd(CaptureMaker& maker, std::size_t octets);

}  // namespace wirelaw
