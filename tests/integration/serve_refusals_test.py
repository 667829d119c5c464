"""What `tideline serve` refuses, over a socket, as others would send it; and that slow senders hold up nobody."""
import contextlib
import socket
import threading
import time

from server import GRAPH, memory_of, raw, serving

HEADER_S = 30  # for a header, and for the next bytes of a body


def head(server, line, *fields):
    return "\r\n".join([line, f"Host: localhost:{server.port}", f"Authorization: Bearer {server.token}", "Connection: close", *fields, "", ""]).encode()


def test_what_is_refused():
    with serving(GRAPH) as server:
        session = server.open({"path": str(GRAPH)})
        server.until_open(session)
        before = memory_of(server.process)
        api = f"/api/v1/sessions/{session}"
        for line, fields, body, expected in (
                (f"GET {api}/picture?view=levels&w=8193&h=300 HTTP/1.1", (), b"", b"422"),
                (f"GET {api}/picture?view=levels&w=800&h=8193 HTTP/1.1", (), b"", b"422"),
                (f"POST {api}/act HTTP/1.1", ("Content-Length: 2", "Content-Length: 3"), b"{}", b"400"),
                (f"POST {api}/act HTTP/1.1", ("Content-Length: -1",), b"{}", b"400"),
                (f"POST {api}/act HTTP/1.1", ("Content-Length: 18446744073709551616",), b"{}", b"400"),
                (f"POST {api}/act HTTP/1.1", ("Content-Length: 9999999999",), b"{}", b"413"),
                (f"POST {api}/act HTTP/1.1", ("Transfer-Encoding: chunked",), b"2\r\n{}\r\n0\r\n\r\n", b"411"),
                (f"POST {api}/act HTTP/1.1", ("Content-Length: 30000",), b"[" * 30000, b"400"),
                (f"POST {api}/act HTTP/1.1", ("Host: example.org", "Content-Length: 2"), b"{}", b"421"),
                ("GET /api/v1/about HTTP/1.1", ("Origin: null",), b"", b"403"),
                ("GET /api/v1/about HTTP/1.1", ("Origin: http://example.org",), b"", b"403"),
                ("GET /api/v1/about HTTP/1.1", ("Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"), b"", b"403"),
                ("POST /api/v1/sessions HTTP/1.1", ("Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Content-Length: 2"), b"{}", b"403"),
                ("OPTIONS /api/v1/sessions HTTP/1.1", ("Origin: http://example.org", "Access-Control-Request-Method: POST"), b"", b"403"),
                ("TRACE / HTTP/1.1", (), b"", b"404"), ("GET / HTTP/9.9", (), b"", b"400"), ("nonsense", (), b"", b"400")):
            answer = raw(server, head(server, line, *fields) + body)
            assert answer.startswith(b"HTTP/1.1 " + expected), (line, fields, answer[:300])
            assert b"Access-Control" not in answer, answer
        without_host = head(server, "GET /api/v1/about HTTP/1.1").replace(f"Host: localhost:{server.port}\r\n".encode(), b"")
        assert raw(server, without_host).startswith(b"HTTP/1.1 421"), "a request without Host"
        for _ in range(8):  # the ninth takes the place of the one that rests longest
            server.open({"path": str(GRAPH)})
        assert server.json("GET", f"sessions/{session}/state", status=404)["error"]["code"] == "no_session"
        assert memory_of(server.process) - before < 64 << 20
        server.end()


def slow(server, begin, every_s, ended):
    """Sends `begin` and then a byte `every_s` (None: nothing more); in `ended` how long until the server hung up, and its answer."""
    start, got = time.monotonic(), b""
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        connection.sendall(begin)
        connection.settimeout(every_s or 3 * HEADER_S)
        while time.monotonic() - start < 3 * HEADER_S:
            try:
                piece = connection.recv(4096)
                got += piece
                if not piece:
                    break
            except TimeoutError:
                with contextlib.suppress(ConnectionError):
                    connection.sendall(b"x")
            except ConnectionError:
                break
    ended.append((time.monotonic() - start, got))


def test_slow_senders_hold_up_nobody():
    """Of a header that comes byte by byte, and of bodies that stop."""
    with serving(GRAPH) as server:
        whole = head(server, "POST /api/v1/sessions HTTP/1.1", "Content-Length: 100")
        ended, threads = [], []
        for begin, every_s in ((whole[:-2] + b"X: ", 1), (whole[:20], 1), (whole[:20], None), (whole + b"{", None)):
            for _ in range(8):
                threads.append(threading.Thread(target=slow, args=(server, begin, every_s, ended)))
                threads[-1].start()
        for _ in range(20):
            start = time.monotonic()
            assert server.json("GET", "about")["api"] == 1
            assert time.monotonic() - start < 5, "others wait"
            time.sleep(0.2)
        for thread in threads:
            thread.join()
        assert len(ended) == 32 and all(took < 1.5 * HEADER_S for took, _ in ended), [took for took, _ in ended]
        assert all(got == b"" or got.startswith(b"HTTP/1.1 408") for _, got in ended), ended
        assert server.json("GET", "about")["api"] == 1
        server.end()


def main():
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
            print(name, flush=True)


main()
