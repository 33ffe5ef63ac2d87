# SPDX-License-Identifier: Apache-2.0
# The files that `cmake --install` installs, and the package that find_package(wirelaw) finds. There are two components:
# `program`, the command and its files, and `dev`, the files with which another project builds. Package.cmake makes a
# Debian package of each.
include(CMakePackageConfigHelpers)
set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/wirelaw)
get_property(installed GLOBAL PROPERTY WIRELAW_INSTALLED)
install(TARGETS ${installed} EXPORT wirelaw ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
install(EXPORT wirelaw NAMESPACE wirelaw:: FILE wirelawTargets.cmake DESTINATION ${package_directory} COMPONENT dev)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/wirelawConfig.cmake.in
  ${PROJECT_BINARY_DIR}/wirelawConfig.cmake INSTALL_DESTINATION ${package_directory})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/wirelawConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/wirelawConfig.cmake ${PROJECT_BINARY_DIR}/wirelawConfigVersion.cmake
        DESTINATION ${package_directory} COMPONENT dev)

# Headers are written again each time, since the next rule installs everything in the folder.
set(headers ${PROJECT_BINARY_DIR}/installed_headers)
install(CODE "execute_process(COMMAND \"${CMAKE_COMMAND}\" \"-DSOURCE=${PROJECT_SOURCE_DIR}\" \"-DOUT=${headers}\"
  -P \"${CMAKE_CURRENT_LIST_DIR}/PublicHeaders.cmake\" COMMAND_ERROR_IS_FATAL ANY)" COMPONENT dev)
install(DIRECTORY ${headers}/wirelaw DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)

if(WIRELAW_TESTS)
  set(consumer_flags)
  set(consumer_compiler ${CMAKE_CXX_COMPILER})
  find_program(GXX g++)
  if(GXX AND NOT WIRELAW_SANITIZERS AND NOT WIRELAW_COVERAGE)
    set(consumer_compiler ${GXX})  # most other projects use g++, even if clang compiled the libraries
  endif()
  if(WIRELAW_SANITIZERS)
    set(consumer_flags "-fsanitize=${WIRELAW_SANITIZERS} -no-pie")
  elseif(WIRELAW_COVERAGE)
    set(consumer_flags --coverage)
  endif()
  add_test(NAME package.AStrangersProjectFindsAndLinksIt
    COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR} -DSOURCE=${PROJECT_SOURCE_DIR}
            -DCXX=${consumer_compiler} "-DFLAGS=${consumer_flags}" -P ${CMAKE_CURRENT_LIST_DIR}/ConsumerTest.cmake)
  add_test(NAME package.ACommitIsKnownInACheckoutAndInAnArchive
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DWORK=${PROJECT_BINARY_DIR}/commit_test
            -P ${CMAKE_CURRENT_LIST_DIR}/CommitTest.cmake)
  set_tests_properties(package.ACommitIsKnownInACheckoutAndInAnArchive PROPERTIES SKIP_REGULAR_EXPRESSION "SKIPPED:")
endif()
