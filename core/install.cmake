# Installing: the program, its completion script, and the libraries for find_package(Tideline).
include(CMakePackageConfigHelpers)

install(TARGETS tideline RUNTIME)
install(CODE "execute_process(
  COMMAND \"$<TARGET_FILE:tideline>\" --bash-completion
  OUTPUT_FILE \"${PROJECT_BINARY_DIR}/tideline.bash\" COMMAND_ERROR_IS_FATAL ANY)")
install(FILES ${PROJECT_BINARY_DIR}/tideline.bash RENAME tideline
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(DIRECTORY assets/samples DESTINATION ${CMAKE_INSTALL_DATADIR}/tideline)
install(DIRECTORY assets/tutorials/lessons DESTINATION ${CMAKE_INSTALL_DATADIR}/tideline/tutorials
        FILES_MATCHING PATTERN "*.lesson" PATTERN "*.meta")
install(FILES LICENSE NOTICE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/tideline)

install(TARGETS tideline_base tideline_devices tideline_checkpoint tideline_core tideline_io tideline_events tideline_runtime EXPORT TidelineTargets
        ARCHIVE FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tideline)
install(FILES ${PROJECT_BINARY_DIR}/generated/core/base/version.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tideline/core/base)
install(FILES core/devices/device_plugin_abi.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tideline/core/devices)
install(EXPORT TidelineTargets NAMESPACE tideline:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Tideline)
configure_package_config_file(core/TidelineConfig.cmake.in ${PROJECT_BINARY_DIR}/TidelineConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Tideline)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/TidelineConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/TidelineConfig.cmake
              ${PROJECT_BINARY_DIR}/TidelineConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Tideline)
