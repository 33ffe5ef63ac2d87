// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.6: RDMA-Write based data transfer. Nothing of it is seen in packets.

namespace wirelaw::efa {}  // namespace wirelaw::efa
