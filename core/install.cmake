# Installing: the program, what is made of its parser (completion scripts, manual pages), and the libraries for
# find_package(Tideline).
include(CMakePackageConfigHelpers)

install(TARGETS tideline RUNTIME)
# What is the same for every program, which the tarball takes by itself (plugins/wheels/tarball).
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME beside_program)
set(MADE "${PROJECT_BINARY_DIR}/made_of_parser")
install(CODE "
  file(REMOVE_RECURSE \"${MADE}\")
  file(MAKE_DIRECTORY \"${MADE}\")
  foreach(SHELL bash zsh fish)
    execute_process(COMMAND \"$<TARGET_FILE:tideline>\" --\${SHELL}-completion
      OUTPUT_FILE \"${MADE}/\${SHELL}\" COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
  execute_process(COMMAND \"$<TARGET_FILE:tideline>\" --man-pages \"${MADE}/man1\" COMMAND_ERROR_IS_FATAL ANY)")
install(FILES ${MADE}/bash RENAME tideline DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${MADE}/zsh RENAME _tideline DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${MADE}/fish RENAME tideline.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(DIRECTORY ${MADE}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
if(TIDELINE_BUILD_GUI)
  # What a desktop wants to know: the program, its icon, the types of its files.
  install(FILES app/desktop/tideline.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
  install(FILES app/desktop/tideline.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages)
  install(FILES app/desktop/io.tideline.tideline.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
  install(FILES app/desktop/tideline.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
  foreach(SIZE 16 24 32 48 64 128 256)
    install(FILES app/desktop/icons/${SIZE}.png RENAME tideline.png
            DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/${SIZE}x${SIZE}/apps)
  endforeach()
endif()
install(DIRECTORY assets/samples DESTINATION ${CMAKE_INSTALL_DATADIR}/tideline)
install(DIRECTORY assets/tutorials/lessons DESTINATION ${CMAKE_INSTALL_DATADIR}/tideline/tutorials
        FILES_MATCHING PATTERN "*.lesson" PATTERN "*.meta")
install(FILES LICENSE NOTICE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/tideline)
unset(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME)

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
