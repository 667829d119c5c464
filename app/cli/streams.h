// Standard output and standard error of the command line, which may be closed, full or gone.
#pragma once

namespace tideline::cli {

/// Replaces `stdout` and `stderr` by streams that never fail: what cannot be written is dropped and
/// the first error of each is remembered, so that work goes on to its end. Descriptors 0 to 2 that
/// are closed are opened without the right to write, so that no output file gets their numbers.
/// To be called first, once.
void install_streams();

/// Whether writing to standard output failed, so that printing on is of no use.
[[nodiscard]] bool is_output_gone();

/// Flushes both. Returns `code`, or exit code 1 instead of 0 if something was dropped, with a
/// message if standard error still works. A reader that went away (`| head`) ends the process with
/// SIGPIPE, as it does other programs, but only now that all work is done.
[[nodiscard]] int finish_streams(int code);

}  // namespace tideline::cli
