# shellcheck shell=bash
# Runs on a bare Debian, with nothing of this repository: opens a window under Xvfb and looks at it.
#   bash open_window.sh PROGRAM GRAPH
# Prints `N colours` (one colour is an empty window), what --self-check says, and `ended with CODE`. The picture is /tmp/window.xwd.
export HOME=/tmp/home XDG_CACHE_HOME=/tmp/home/.cache
mkdir -p $HOME /tmp/frame
# Without an abstract socket, whose names another bare Debian shares: a program here would find the display of that one.
Xvfb -displayfd 3 -nolisten local -screen 0 1400x900x24 -fbdir /tmp/frame 3>/tmp/display >/dev/null 2>&1 & xvfb=$!
for _ in $(seq 100); do [ -s /tmp/display ] && break; sleep 0.1; done
DISPLAY=:$(cat /tmp/display)
export DISPLAY
for _ in $(seq 100); do xdotool getmouselocation >/dev/null 2>&1 && break; sleep 0.1; done
"$1" "$2" >/tmp/tideline.log 2>&1 & program=$!
for _ in $(seq 300); do xdotool search --name Tideline >/dev/null 2>&1 && break; sleep 0.1; done
colours=0
for _ in $(seq 100); do
  colours=$(od -An -v -t x4 -w4 -j 4096 /tmp/frame/Xvfb_screen0 | sort -u | wc -l)
  [ "$colours" -gt 100 ] && break
  sleep 0.2
done
echo "$colours colours"
cp /tmp/frame/Xvfb_screen0 /tmp/window.xwd
echo "opened after $SECONDS s"
"$1" --self-check
kill -TERM $program
wait $program
echo "ended with $?"
kill $xvfb
cat /tmp/tideline.log
