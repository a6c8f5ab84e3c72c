"""Runs the verifier over docs/vectors and prints each case with another result than expected.

    python3 run_vectors.py FOLDER
"""

import json
import sys
from functools import lru_cache
from pathlib import Path

import countersign_verify
import log_resources
import timestamps
from succession import followed_by, without

# Most cases share their keys with others.
countersign_verify.is_key = lru_cache(maxsize=None)(countersign_verify.is_key)
INPUTS = ("sth", "signed_attestation", "known", "consistency_path")


def result_of(case, network_named):
    try:
        if case["kind"] == "configuration":
            followed_by(countersign_verify.Network(case["input"]), [])
            return {"result": "valid"}
        inputs = {name: case[name] for name in INPUTS if name in case} | case.get("expected", {})
        chains, distrust = case.get("followed", []), case.get("distrust", [])
        if "peers" in case:
            inputs["peers"] = [followed_by(network_named(name), chains) for name in case["peers"]]
        network = followed_by(network_named(case["network"]), chains)
        if case["kind"] == "timestamp":
            content, roots = case.get("content"), [root.encode() for root in case["roots"]]
            return timestamps.verify_timestamp(
                bytes.fromhex(case["input"]), network, inputs.get("peers", ()), roots,
                content and content.encode(), distrust)
        verifiers = countersign_verify if case["kind"] == "bundle" else log_resources
        verify = getattr(verifiers, f"verify_{case['kind']}")
        if distrust and case["kind"] == "bundle":
            inputs["distrust"] = distrust
        elif distrust:
            [network] = without(distrust, [network])
        return verify(case["input"], network, **inputs)
    except countersign_verify.Malformed as malformed:
        return {"result": "malformed", "reason": malformed.args[0]}


def main(folder):
    texts = json.loads((folder / "networks.json").read_text("utf-8"))
    networks = {name: countersign_verify.Network(json.dumps(c)) for name, c in texts.items()}
    agreeing = disagreeing = 0
    files = {*folder.glob("*.jsonl")} - {folder / "cose_receipts.jsonl"}  # CBOR is not read here
    for file in sorted(files):
        with file.open(encoding="utf-8", newline="\n") as lines:
            for case in map(json.loads, lines):
                result = result_of(case, networks.__getitem__)
                if result == case["expect"]:
                    agreeing += 1
                else:
                    disagreeing += 1
                    print(f"{file.name}: {case['name']}\n  expected {json.dumps(case['expect'])}")
                    print(f"  found    {json.dumps(result)}")
    print(f"{agreeing} agree, {disagreeing} do not")
    return 1 if disagreeing else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
