"""The command `python3 countersign_verify.py`."""

import argparse
import json
from pathlib import Path

from countersign_verify import Malformed, Network, module, require, sha256, verify_bundle

OPTIONS = (
    ("peer", "FILE", "a peer's configuration"),
    ("chain", "FILE", "the succession of the network or of a peer, as it was kept"),
    ("distrust", "WITNESS[@SIZE]", "do not count this witness's signatures (from a tree size on)"),
    ("root", "PEM", "root certificates of time-stamp authorities"))

def main():
    parser = argparse.ArgumentParser(description="Verifies a proof bundle or token offline.")
    parser.add_argument("network", help="the pinned public configuration of the network")
    parser.add_argument("bundle", help="the proof bundle, or the time-stamp token with one in it")
    parser.add_argument("file", nargs="?", help="the content that it must be about")
    for name, value, text in OPTIONS:
        parser.add_argument(f"--{name}", action="append", default=[], metavar=value, help=text)
    given = parser.parse_args()
    try:
        bundle, file, *networks = (path and Path(path).read_bytes() for path in (
            given.bundle, given.file, given.network, *given.peer))
        chains, roots = ([Path(path).read_bytes() for path in paths]
                         for paths in (given.chain, given.root))
        succession, timestamps = module("succession"), module("timestamps")
        networks = [*map(Network, networks)]
        if chains or any("succession" in network.members for network in networks):
            require(succession, "unsupported")
            networks = [succession.followed_by(network, chains) for network in networks]
        network, *peers = networks
        if bundle.startswith(b"0"):  # DER of a sequence; no JSON of an object begins like this
            require(timestamps, "unsupported")
            result = timestamps.verify_timestamp(
                bundle, network, peers, roots, file, given.distrust)
        else:
            hash = None if file is None else sha256(file).hex()
            result = verify_bundle(bundle, network, peers, hash, given.distrust)
    except Malformed as malformed:
        result = {"result": "malformed", "reason": malformed.args[0]}
    except (OSError, ValueError) as error:
        parser.error(str(error))
    print(json.dumps(result, indent=2))
    raise SystemExit(result["result"] != "valid")
