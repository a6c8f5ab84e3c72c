#!/usr/bin/env bash
# build.sh DIR: builds main.go with Debian's packages of Go and of filippo.io/torchwood, which are
# fetched from Debian's unstable release (46 MB) and not installed. The program is DIR/torchwood.
set -euo pipefail
source=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1" && cd "$1"
dir=$PWD
mirror=$( (grep -rhoE '^(URIs:|deb) +https?://[^ ]+' /etc/apt/sources.list /etc/apt/sources.list.d 2>/dev/null || true) |
  awk '$2 ~ /\/debian\/?$/ {print $2; exit}')
[[ -n $mirror ]] || { echo "No Debian mirror in this machine's apt configuration" >&2; exit 1; }
mkdir -p apt/{lists/partial,cache/archives/partial} debs unpacked
touch apt/status
echo "deb $mirror sid main" >apt/list
apt=(-qq -o "Dir::Etc::sourcelist=$dir/apt/list" -o Dir::Etc::sourceparts=- -o APT::Sandbox::User=root
  -o "Dir::State=$dir/apt" -o "Dir::Cache=$dir/apt/cache" -o "Dir::State::status=$dir/apt/status")
apt-get "${apt[@]}" update
(cd debs && apt-get "${apt[@]}" download golang-1.26-go golang-1.26-src golang-filippo-torchwood-dev \
  golang-golang-x-{crypto,mod,sync}-dev)
for deb in debs/*.deb; do dpkg -x "$deb" unpacked; done
# The package of Go has links to absolute paths.
cp -r unpacked/usr/lib/go-1.26 go
for part in api lib misc src test; do ln -sfn "$dir/unpacked/usr/share/go-1.26/$part" "go/$part"; done
rm -rf go/pkg/include && ln -sfn "$dir/unpacked/usr/share/go-1.26/pkg/include" go/pkg/include
export GO111MODULE=off GOTOOLCHAIN=local GOROOT="$dir/go" GOPATH="$dir/unpacked/usr/share/gocode" GOCACHE="$dir/cache"
"$GOROOT/bin/go" build -o "$dir/torchwood" "$source/main.go"
