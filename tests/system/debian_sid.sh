# Sourced by scripts that build programs of others from Debian's unstable release, in the folder $dir,
# without installing anything. The packages are unpacked into $dir/unpacked.

mirror=$( (grep -rhoE '^(URIs:|deb( +\[[^]]*\])?) +https?://[^ ]+' /etc/apt/sources.list /etc/apt/sources.list.d 2>/dev/null || true) |
  awk '$NF ~ /\/debian\/?$/ {print $NF; exit}')
[[ -n $mirror ]] || { echo "No Debian mirror in this machine's apt configuration" >&2; exit 1; }
mkdir -p "$dir"/{apt/lists/partial,cache/archives/partial,debs,unpacked,bin}
touch "$dir/apt/status"
echo "deb $mirror sid main" >"$dir/apt/list"
apt=(-qq -o Acquire::Retries=3 -o "Dir::Etc::sourcelist=$dir/apt/list" -o Dir::Etc::sourceparts=- -o APT::Sandbox::User=root
  -o "Dir::State=$dir/apt" -o "Dir::Cache=$dir/apt/cache" -o "Dir::State::status=$dir/apt/status")
apt-get "${apt[@]}" update

# fetch PACKAGE...
fetch() {
  (cd "$dir/debs" && apt-get "${apt[@]}" download "$@")
  for deb in "$dir"/debs/*.deb; do dpkg -x "$deb" "$dir/unpacked"; done
  rm "$dir"/debs/*.deb
}

# The packages of Go and of libraries that PACKAGE... need.
go_packages() {
  apt-get "${apt[@]}" -s install --no-install-recommends "$@" | awk '/^Inst golang/ {print $2}'
}

# Sets up golang-1.26 as fetched; "$GOROOT/bin/go" then builds with the libraries that were fetched.
set_up_go() {
  # The package of Go has links to absolute paths.
  cp -r "$dir/unpacked/usr/lib/go-1.26" "$dir/go"
  for part in api lib misc src test; do ln -sfn "$dir/unpacked/usr/share/go-1.26/$part" "$dir/go/$part"; done
  rm -rf "$dir/go/pkg/include" && ln -sfn "$dir/unpacked/usr/share/go-1.26/pkg/include" "$dir/go/pkg/include"
  export GO111MODULE=off GOTOOLCHAIN=local GOROOT="$dir/go" GOPATH="$dir/unpacked/usr/share/gocode" GOCACHE="$dir/cache"
}
