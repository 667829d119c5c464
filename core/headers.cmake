# Headers for users are installed with the library: those listed here, by folder. All others serve the library
# alone and may change with every version. tests/package looks whether the installed ones get by without them.
set(TIDELINE_PUBLIC_HEADERS
  "analysis: activity conditions edges levels loop_frames placement producers_first summary swap_copies unmeasured"
  "analysis: unshaped_variables variable_values variables"
  "analysis/as_run: folding"
  "analysis/structure: called_handles conditionals gradient_flow graph_facts loop_rounds pass_finder phases scopes series stack_links structure"
  "analysis/structure: variable_roles while_frames"
  "base: check counted crc32c descriptor diagnostics error growing_array ids input_file name_pattern new_folders"
  "base: output_file output_folder permissions plugin_folders progress scope_name source_bytes strictest text"
  "base: text_arena units"
  "checkpoint: backend backend_abi backend_plugin backend_work checkpoint compare convert data_files file_backend"
  "checkpoint: file_config find_checkpoint folder_lock format histogram inflated_file memory_tensors npy_folder"
  "checkpoint: prefix_files removed_files safetensors safetensors_head statistics string_tensor"
  "checkpoint: tensor_bundle tensor_stream variable_names verify"
  "devices: device_plugin device_plugin_abi"
  "events: decode_events event_log event_rows graph_log histogram_percentiles hparams log_folder log_source"
  "events: logged_graphs logged_trace open_graph record_blocks record_reader record_writer row_order row_reader"
  "events: row_values run_log"
  "graph: attr_value collections consumers cycle device_name dtype element_type function_library function_syntax"
  "graph: graph graph_edit graph_plan loop_count measured_sizes name_index node_codec op_effects op_facts"
  "graph: op_signature op_types plan_changes saver_names shape step_trace tensor_options tensor_table verify walks"
  "io: compare_surroundings digest document functions graph_format message_kind model_files npy op_header_sizes"
  "io: parse_message saved_model write_document"
  "memory: branch_choice cost_model device_profile faithful kernel_share run_model step_edit step_graph step_schedule step_time"
  "memory: step_time_text timeline"
  "memory/measured: compare_measured measured_peaks measured_run measured_step time_shares trace_lanes"
  "rewrite/checkpoint: checkpoint options report"
  "rewrite/lms: copy_mode lms_plan override_lists overrides planned_swap scope_rules search swap_effect"
  "rewrite/lms1: lms1 options"
  "rewrite/lms2: lms2 options simulate swap_parameters tune"
  "rewrite: parameter parameter_names plan_report policy policy_parameters predict rewrite_plan rewriter step_parts"
  "rewrite: values warning"
  "rewrite/plan: diff graph_plan_json plan_json plan_json_reader value_json"
  "rewrite/replicate: options replicate report"
  "rewrite/sections: options report sections"
  "runtime: captured_variables compare feeds find_tensorflow messages outside_effects recorded_shapes serve start_values tensor_value"
  "runtime: trainer training worker")

# Gives `target` its headers. The preset dev compiles each by itself, the internal ones as well.
function(tideline_headers target)
  set(INTERNAL ${ARGN})
  foreach(LINE IN LISTS TIDELINE_PUBLIC_HEADERS)
    string(REGEX MATCH "^([^:]*): (.*)" IGNORED ${LINE})
    set(FOLDER ${CMAKE_MATCH_1})
    string(REPLACE " " "|" NAMES ${CMAKE_MATCH_2})
    list(FILTER INTERNAL EXCLUDE REGEX "/core/${FOLDER}/(${NAMES})\\.h$")
  endforeach()
  set(PUBLIC ${ARGN})
  if(INTERNAL)
    list(REMOVE_ITEM PUBLIC ${INTERNAL})
  endif()
  target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${PUBLIC})
  add_library(${target}_internal INTERFACE)
  target_link_libraries(${target}_internal INTERFACE ${target})
  target_sources(${target}_internal INTERFACE FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${INTERNAL})
endfunction()
