// SPDX-License-Identifier: Apache-2.0
// Finds out who signed a statement with `ssh-keygen -Y sign -n wirelaw`. The signature is statement.json.sig, next to
// it; ssh-keygen checks it.
#pragma once

#include <cstdint>
#include <string>

namespace wirelaw {

struct Signature {
  enum class State : std::uint8_t {
    none,
    not_checked,  // another tool's, or ssh-keygen cannot be run
    unknown_key,  // the signed octets are unchanged; the owner of the key is unknown
    good,         // signed by `signer`
    bad,          // signature of other octets
  };
  State state = State::none;
  std::string signer;  // the signer's name in the file of signers
  std::string said;    // one line of text
};

// `signers` is a file of allowed signers (ssh-keygen(1)); empty: none is known.
Signature signature_of(const std::string& statement_path, const std::string& signers);

}  // namespace wirelaw
