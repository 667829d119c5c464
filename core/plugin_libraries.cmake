# What plugins and TensorFlow's process may hold: position independent, hidden, free of protobuf.
# tideline_base: the words that everything uses, element types, the wire format and .npy files.
# tideline_devices: the plugins of compute devices.
# tideline_checkpoint: checkpoints in files, and the interface of their backends.
file(GLOB BASE_SOURCES CONFIGURE_DEPENDS base/*.cc)
file(GLOB BASE_HEADERS CONFIGURE_DEPENDS base/*.h)
list(FILTER BASE_SOURCES EXCLUDE REGEX "/(base64|name_pattern).cc$")  # need nettle and RE2
foreach(NAME graph/dtype graph/element_type graph/shape io/foreign_files io/npy io/wire)
  list(APPEND BASE_SOURCES ${CMAKE_CURRENT_SOURCE_DIR}/${NAME}.cc)
  list(APPEND BASE_HEADERS ${CMAKE_CURRENT_SOURCE_DIR}/${NAME}.h)
endforeach()
foreach(ROOM devices checkpoint)
  string(TOUPPER ${ROOM} UPPER)
  file(GLOB ${UPPER}_SOURCES CONFIGURE_DEPENDS ${ROOM}/*.cc)
  file(GLOB ${UPPER}_HEADERS CONFIGURE_DEPENDS ${ROOM}/*.h)
endforeach()

add_library(tideline_base STATIC ${BASE_SOURCES})
add_library(tideline_devices STATIC ${DEVICES_SOURCES})
add_library(tideline_checkpoint STATIC ${CHECKPOINT_SOURCES})
foreach(NAME base devices checkpoint)
  add_library(tideline::${NAME} ALIAS tideline_${NAME})
  set_target_properties(tideline_${NAME} PROPERTIES EXPORT_NAME ${NAME}
    POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_link_libraries(tideline_${NAME} PRIVATE $<BUILD_INTERFACE:tideline_options>)
endforeach()
tideline_compile_together(tideline_base)
tideline_compile_together(tideline_checkpoint)
tideline_headers(tideline_base ${BASE_HEADERS})
tideline_headers(tideline_devices ${DEVICES_HEADERS})
tideline_headers(tideline_checkpoint ${CHECKPOINT_HEADERS})
target_include_directories(tideline_base PUBLIC
  $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/tideline>)
target_compile_features(tideline_base PUBLIC cxx_std_20)
target_link_libraries(tideline_base PUBLIC fmt::fmt)
target_link_libraries(tideline_devices PUBLIC tideline_base PRIVATE ${CMAKE_DL_LIBS})
target_link_libraries(tideline_checkpoint PUBLIC tideline_devices
                      PRIVATE $<BUILD_INTERFACE:nlohmann_json::nlohmann_json> ${CMAKE_DL_LIBS}
                              $<BUILD_INTERFACE:${TIDELINE_SNAPPY}> $<INSTALL_INTERFACE:snappy>
                              $<BUILD_INTERFACE:${TIDELINE_ZLIB}> $<INSTALL_INTERFACE:z>)
target_include_directories(tideline_checkpoint PRIVATE ${TIDELINE_SNAPPY_INCLUDE})
target_precompile_headers(tideline_base PRIVATE ${TIDELINE_STANDARD_HEADERS})
target_precompile_headers(tideline_devices REUSE_FROM tideline_base)
target_precompile_headers(tideline_checkpoint REUSE_FROM tideline_base)
