// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 2.3: the HANDSHAKE and the application.

namespace wirelaw::efa {}  // namespace wirelaw::efa
