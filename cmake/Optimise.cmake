# SPDX-License-Identifier: Apache-2.0
# Speed beyond -O2: the libraries whose speed matters are compiled with a profile of the main work of `check`, and
# optimised as a whole.

# wirelaw_optimise(TARGET): a library of these.
function(wirelaw_optimise target)
  target_compile_options(${target} PRIVATE ${WIRELAW_OPTIMISED})
endfunction()
# wirelaw_optimise_whole(PROGRAM): a program whose speed matters.
function(wirelaw_optimise_whole program)
  if(WIRELAW_LTO)
    target_compile_options(${program} PRIVATE ${WIRELAW_WHOLE_COMPILE})
    target_link_options(${program} PRIVATE ${WIRELAW_WHOLE_LINK})
    set_target_properties(${program} PROPERTIES WIRELAW_WHOLE ON)
  endif()
endfunction()

set(WIRELAW_OPTIMISED)

# --- across libraries
if(WIRELAW_LTO AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # The objects contain both kinds of code. Tests, and other projects, link the ordinary one quickly. Without -fno-lto,
  # GCC's linker plugin takes the intermediate code of every object that has it.
  list(APPEND WIRELAW_OPTIMISED -flto -ffat-lto-objects)
  set(WIRELAW_WHOLE_COMPILE -flto)
  set(WIRELAW_WHOLE_LINK -flto=auto)
  add_link_options($<$<NOT:$<BOOL:$<TARGET_PROPERTY:WIRELAW_WHOLE>>>:-fno-lto>)
elseif(WIRELAW_LTO)
  # Clang's objects contain only one kind. The linker optimises them, which only the program needs, not a test.
  if(WIRELAW_TESTS)
    message(FATAL_ERROR "With clang, WIRELAW_LTO is for the program alone: -DWIRELAW_TESTS=OFF")
  endif()
  find_program(LLVM_AR llvm-ar REQUIRED)
  find_program(LLVM_RANLIB llvm-ranlib REQUIRED)
  set(WIRELAW_BITCODE ON)  # the libraries contain bitcode, which other projects cannot link
  set(CMAKE_AR ${LLVM_AR})
  set(CMAKE_RANLIB ${LLVM_RANLIB})
  list(APPEND WIRELAW_OPTIMISED -flto=thin)
  set(WIRELAW_WHOLE_COMPILE -flto=thin)
  set(WIRELAW_WHOLE_LINK -flto=thin)
endif()

# --- by a profile, which profile/make records. Only the compiler that recorded it can use it; others build without it.
# A function that has changed since is compiled as if there were no profile, without a warning.
set(counts ${CMAKE_CURRENT_LIST_DIR}/profile/check.proftext)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${counts})
if(WIRELAW_PROFILE AND NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  message(FATAL_ERROR "WIRELAW_PROFILE needs clang, whose profile it is")
endif()
file(STRINGS ${counts} recorded_by REGEX "^# clang [0-9]+$")
string(REGEX REPLACE "\\..*" "" compiler "# clang ${CMAKE_CXX_COMPILER_VERSION}")
# Without this, names of functions that are local to a unit would begin with its path.
set(without_path "SHELL:-mllvm -static-func-full-module-prefix=false")
if(WIRELAW_PROFILE STREQUAL "count")
  list(APPEND WIRELAW_OPTIMISED -fprofile-generate ${without_path})
  add_link_options(-fprofile-generate)
elseif(WIRELAW_PROFILE STREQUAL "use" AND NOT compiler STREQUAL recorded_by)
  message(STATUS "Building without the profile of `check`: it is of another compiler (${recorded_by})")
elseif(WIRELAW_PROFILE STREQUAL "use")
  find_program(LLVM_PROFDATA llvm-profdata REQUIRED)
  file(SHA256 ${counts} hash)
  string(SUBSTRING ${hash} 0 8 hash)
  set(profile ${PROJECT_BINARY_DIR}/check.${hash}.profdata)  # its name changes with its content, so that all is compiled again
  if(NOT EXISTS ${profile})
    execute_process(COMMAND ${LLVM_PROFDATA} merge -o ${profile} ${counts} COMMAND_ERROR_IS_FATAL ANY)
  endif()
  list(APPEND WIRELAW_OPTIMISED -fprofile-use=${profile} ${without_path}
       -Wno-profile-instr-out-of-date -Wno-profile-instr-unprofiled -Wno-backend-plugin)
endif()
