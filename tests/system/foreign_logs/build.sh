#!/usr/bin/env bash
# build.sh DIR: what foreign_logs_run.ts needs, from Debian's unstable release (340 MB), not installed:
# the programs of Sigsum, litebastion and tessera_log in DIR/bin, and litewitness's test in DIR/litewitness.txt.
set -euo pipefail
source=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
dir=$(cd "$1" && pwd)
. "$source/../debian_sid.sh"
mapfile -t packages < <(go_packages golang-github-transparency-dev-tessera-dev golang-1.26-go)
fetch "${packages[@]}" golang-filippo-torchwood-dev sigsum-go sigsum-log-go torchwood
set_up_go
"$GOROOT/bin/go" build -o "$dir/bin/tessera_log" "$source/tessera_log.go"
ln -s "$dir"/unpacked/usr/bin/{sigsum-*,litebastion} "$dir/bin/"
cp "$GOPATH/src/filippo.io/torchwood/cmd/litewitness/testdata/litewitness.txt" "$dir/"
