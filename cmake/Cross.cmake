# SPDX-License-Identifier: Apache-2.0
# The toolchain of the presets arm64 and s390x: Debian's cross compiler with libraries of the architecture beside those
# of the machine (multiarch). `.ci/debian` installs both in a root of its own. Programs run under QEMU's user mode.
set(CMAKE_SYSTEM_NAME Linux)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES WIRELAW_ARCHITECTURE)
set(processor_of_arm64 aarch64)
set(processor_of_s390x s390x)
set(CMAKE_SYSTEM_PROCESSOR ${processor_of_${WIRELAW_ARCHITECTURE}})
if(NOT CMAKE_SYSTEM_PROCESSOR)
  message(FATAL_ERROR "WIRELAW_ARCHITECTURE is '${WIRELAW_ARCHITECTURE}', neither arm64 nor s390x")
endif()
set(CMAKE_LIBRARY_ARCHITECTURE ${CMAKE_SYSTEM_PROCESSOR}-linux-gnu)
set(CMAKE_C_COMPILER ${CMAKE_LIBRARY_ARCHITECTURE}-gcc)
set(CMAKE_CXX_COMPILER ${CMAKE_LIBRARY_ARCHITECTURE}-g++)
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/pkgconfig:/usr/share/pkgconfig)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${CMAKE_SYSTEM_PROCESSOR}-static)
set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE ${WIRELAW_ARCHITECTURE})
