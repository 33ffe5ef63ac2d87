// SPDX-License-Identifier: Apache-2.0
// The local ports of conversations that are over stay taken for the next ones: the system may give a port again at
// once, and what a slow peer then answers to the former conversation would come to the new one, and be judged there.
#pragma once

namespace wirelaw {

// Of a socket that is about to be closed. The latest 32 of the process are held; what comes to them is lost.
void hold_port(int descriptor);

// All of them, where descriptors are short. False where there were none.
bool release_held_ports();

}  // namespace wirelaw
