# Headers for users are installed with the library. Those below serve the library alone: they may change
# with every version. tests/package looks whether the installed ones get by without them.
# A folder, and the names in it; each is a regular expression.
set(TIDELINE_INTERNAL_HEADERS
  "base: base64 bytes characters confine parse sync temporaries"
  "graph: graph_builder missing_shapes nearest_names op_flops placeholder_shape"
  "graph/shapes: .*"
  "analysis/structure: backward_reads constant_ops finished_gradients forward_.* gradient_accumulators"
  "analysis/structure: gradient_groups gradient_helpers gradient_pairs gradient_targets label_sets"
  "analysis/structure: lone_pairs pair_scores pass_facts seed_.*"
  "memory: containers handed_on kept_facts loop_holds step_ops"
  "memory/measured: executed_.* measured_buffers measured_curve traced_names"
  "rewrite: attribute_json bound_parameter carried_values common_parameters draft guard members_json named_outputs size_options unique_names"
  "rewrite/lms: explain report"
  "rewrite/lms1: components context filters inserter log optimizer_scopes order parameters readers rewriter starting_ops trigger"
  "rewrite/lms2: candidates context faithful_plays fastest_search inserter log parameters play.* prepared"
  "rewrite/lms2: rewriter search_budget serialize swap_traffic swaps sync trigger tried_sets"
  "rewrite/lms2: tune_faithful"
  "rewrite: cycle_json"
  "rewrite/sections: borders compat cut cycle_memory emit homes membership parameters phase_control"
  "rewrite/sections: report_json rewriter step_facts"
  "rewrite/sections: variable_uses"
  "rewrite/replicate: called_functions context cuts marks metric_.* moving_average parameters regions report_json"
  "rewrite/replicate: rewriter split_check targets tower.*"
  "rewrite/checkpoint: config_json needless_ops parameters replacement report_json rewriter saved_tensors savers"
  "io: declared envelope foreign_files function_body graph_.* meta_facts same_message sniff tensor_elements text_format wire.* write_text"
  "events: choose_graph event_numbers event_scan event_writer log_walk record_file run_metadata.* summary_item summary_writer value_pattern"
  "checkpoint: bundle_entry bundle_writer direct_file extras flipped_bit moved_tensors npz ordered_code"
  "checkpoint: safetensors_index saved_slice shard_files slice_cover sstable staging"
  "checkpoint: state_file table_.* taken_over zip_directory"
  "runtime: needed_ops seeds session_config spawn tensorflow_.*")

# Gives `target` its headers. The preset dev compiles each by itself, the internal ones as well.
function(tideline_headers target)
  set(PUBLIC ${ARGN})
  foreach(LINE IN LISTS TIDELINE_INTERNAL_HEADERS)
    string(REGEX MATCH "^([^:]*): (.*)" IGNORED ${LINE})
    set(FOLDER ${CMAKE_MATCH_1})
    string(REPLACE " " "|" NAMES ${CMAKE_MATCH_2})
    list(FILTER PUBLIC EXCLUDE REGEX "/core/${FOLDER}/(${NAMES})\\.h$")
  endforeach()
  set(INTERNAL ${ARGN})
  list(REMOVE_ITEM INTERNAL ${PUBLIC})
  target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${PUBLIC})
  add_library(${target}_internal INTERFACE)
  target_link_libraries(${target}_internal INTERFACE ${target})
  target_sources(${target}_internal INTERFACE FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${INTERNAL})
endfunction()
