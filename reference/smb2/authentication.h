// SPDX-License-Identifier: Apache-2.0
// Opens sessions with NTLM ([MS-NLMP] 2.2.1), alone or in SPNEGO ([MS-SPNG]), and admits every client. A client without
// a name is anonymous; one with a name is a guest, whatever the password. Neither kind of session is signed ([MS-SMB2]
// 3.3.5.5.3), so no key is derived.
#pragma once

#include <optional>

#include "reference/octets/octets.h"

namespace wirelaw::smb2 {

// The mechanisms that a NEGOTIATE response offers: SPNEGO with NTLM.
Octets offered_mechanisms();

struct Authentication {
  bool is_complete = false;
  bool is_anonymous = false;
  OctetBuffer token;  // to return to the client
};
// Returns nothing if the client's token is not an NTLM token.
std::optional<Authentication> authenticate(Octets token);

// The tokens of an anonymous client, without SPNEGO.
OctetBuffer ntlm_negotiate();
OctetBuffer ntlm_anonymous();

}  // namespace wirelaw::smb2
