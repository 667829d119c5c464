# `tideline serve` as a process: what a page asks of it, and what only others would.
tideline_add_script("a server in a browser's place writes what scripts write, and leaves nothing" serve_test.py)
tideline_add_script("a server in a browser's place locks nobody out, and leaves nothing when it is killed" serve_limits_test.py)
tideline_add_script("a server in a browser's place touches nothing but what it was given" serve_calls_test.py)
tideline_add_script("what a server in a browser's place writes passes the checker" serve_checker_test.py)
tideline_add_script("a server in a browser's place refuses what only others would send" serve_refusals_test.py)
