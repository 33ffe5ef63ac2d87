// SPDX-License-Identifier: Apache-2.0
// SMB Direct of a benchmark's captures: upper-layer messages of 64 KiB of the initiator, by as many credits as there
// are.
#pragma once

#include <cstddef>

namespace wirelaw {

class CaptureMaker;

void make_smbd_over_iwarp(CaptureMaker& maker, std::size_t octets);
void make_smbd_over_roce(CaptureMaker& maker, std::size_t octets);
// Over iWARP, of one segment each, a few in a connection.
void make_short_smbd(CaptureMaker& maker, std::size_t octets);

}  // namespace wirelaw
