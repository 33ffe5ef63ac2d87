# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` lays down, and the package that find_package(wirelaw) finds.
include(CMakePackageConfigHelpers)
get_property(installed GLOBAL PROPERTY WIRELAW_INSTALLED)
install(TARGETS ${installed} EXPORT wirelaw ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY reference conformance DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/wirelaw
        FILES_MATCHING PATTERN "*.h" PATTERN "*_test.h" EXCLUDE)
install(EXPORT wirelaw NAMESPACE wirelaw:: FILE wirelawTargets.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/wirelaw)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/wirelawConfig.cmake.in
  ${PROJECT_BINARY_DIR}/wirelawConfig.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/wirelaw)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/wirelawConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/wirelawConfig.cmake ${PROJECT_BINARY_DIR}/wirelawConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/wirelaw)

if(WIRELAW_TESTS)
  set(consumer_flags)
  if(WIRELAW_SANITIZERS)
    set(consumer_flags -fsanitize=${WIRELAW_SANITIZERS})
  elseif(WIRELAW_COVERAGE)
    set(consumer_flags --coverage)
  endif()
  add_test(NAME package.AStrangersProjectFindsAndLinksIt
    COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR} -DSOURCE=${PROJECT_SOURCE_DIR}
            -DCXX=${CMAKE_CXX_COMPILER} -DFLAGS=${consumer_flags} -P ${CMAKE_CURRENT_LIST_DIR}/ConsumerTest.cmake)
endif()
