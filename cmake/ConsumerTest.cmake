# SPDX-License-Identifier: Apache-2.0
# Installs the build into a separate folder, builds cmake/consumer against it with every header, and runs that.
#   cmake -DBUILD=… -DSOURCE=… -DCXX=… -P ConsumerTest.cmake
include(${CMAKE_CURRENT_LIST_DIR}/Run.cmake)
set(work ${BUILD}/consumer)
file(REMOVE_RECURSE ${work})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${work}/prefix)

file(GLOB_RECURSE headers ${work}/prefix/include/*.h)
foreach(header IN LISTS headers)
  if(header MATCHES "/test_[^/]*$|_test\\.h$")
    message(FATAL_ERROR "${header}: a header of tests is installed")
  endif()
  file(STRINGS ${header} relative REGEX "^#include \"")
  if(relative)
    message(FATAL_ERROR "${header}: ${relative}: is not found as <wirelaw/…>")
  endif()
endforeach()

run(${CMAKE_COMMAND} -S ${SOURCE}/cmake/consumer -B ${work}/build -G Ninja -DCMAKE_PREFIX_PATH=${work}/prefix
    -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_CXX_FLAGS=${FLAGS} -DALL_HEADERS=ON)
run(${CMAKE_COMMAND} --build ${work}/build)
run(${work}/build/consumer)
