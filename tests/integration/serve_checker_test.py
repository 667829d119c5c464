"""A graph that a browser's place downloads passes the checker, which knows nothing of us: it compares with what the reference
did with the same parameters."""
import subprocess

import common
from server import GRAPH, serving

common.need_tensorflow()
PATH = common.DATA / "lms_v2/resnet50_thr100.json"
ORACLE = common.read_json(PATH)

with common.temporary_folder() as folder, serving(GRAPH) as server:
    session = server.open({"path": str(GRAPH)})
    server.until_open(session)
    server.act(session, ["policy.mode", "lms2"], ["graph.batch-size", str(ORACLE["batch_size"])],
               *(["policy.set", name.replace("_", "-"), str(value)] for name, value in ORACLE["params"].items()))
    with open(f"{folder}/download.meta", "wb") as file:
        file.write(server.download(session, kind="graph"))
    server.end()
    checked = subprocess.run([common.TENSORFLOW, "-B", common.SUPPORT / "check_rewrite.py", GRAPH, f"{folder}/download.meta", PATH],
                             capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr
print("checked")
