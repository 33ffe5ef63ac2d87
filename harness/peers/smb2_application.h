// SPDX-License-Identifier: Apache-2.0
// SMB2 above the reference endpoints of SMB Direct. The server has its files in memory (reference/smb2/server.h), and
// ends the connection when SMB2 requires it. The client mounts a share and uses it (reference/smb2/visit.h). Longer
// data go by RDMA: the server reads and writes what the client has registered, and invalidates it with its response.
#pragma once

#include <memory>

#include "conformance/case.h"
#include "harness/peers/smbd_layer.h"

namespace wirelaw::smbd {

std::unique_ptr<Application> make_smb2_server();
// Does as many rounds as the request asks for. Each writes and reads this many octets.
std::unique_ptr<Application> make_smb2_client(const TriggerRequest& request, rdmap::UpperCounts& counts);

}  // namespace wirelaw::smbd
