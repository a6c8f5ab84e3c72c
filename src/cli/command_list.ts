/**
 * The commands, without their options: what help says about each.
 *
 * @module
 */

/** Titles of the groups, in the order of the list. */
export const COMMAND_GROUPS = {
  users: "Stamp and verify",
  developers: "Read what a gateway serves (for developers)",
  auditors: "Audit a log",
  operators: "Run a network (for operators)",
} as const;

interface ListedCommand {
  readonly group: keyof typeof COMMAND_GROUPS;
  readonly brief: string;
  /** Command lines without the name of the program. */
  readonly examples: readonly string[];
  /** The verb of messages about the gateway, for a command that does more than to get something. */
  readonly action?: string;
  /** True for a command that reads or writes a store, or listens: no other runtime can run it. */
  readonly needsDeno?: true;
}

export const COMMANDS = {
  "stamp": {
    group: "users",
    action: "stamp",
    brief: "Prove that files exist now: hash them and have the hashes signed",
    examples: [
      "stamp --save report.pdf",
      "stamp --proofs all report.pdf",
      "stamp --manifest release/SHA256SUMS release",
      "stamp --hash HASH --no-wait",
    ],
  },
  "verify": {
    group: "users",
    action: "verify",
    brief: "Verify files by their saved proofs, offline",
    examples: [
      "verify report.pdf",
      "verify --network-config network.public.json report.pdf",
      "verify release",
    ],
  },
  "verify-proof": {
    group: "users",
    action: "verify",
    brief: "Verify a proof bundle, layer by layer",
    examples: [
      "verify-proof report.pdf",
      "verify-proof --bundle proof.json --file report.pdf",
      "verify-proof --hash HASH --online",
      "verify-proof report.pdf.tsr --file report.pdf --tsa-root tsa-root.pem",
      "verify-proof --policy policy.txt report.pdf.countersign.tlog-proof --file report.pdf",
    ],
  },
  "upgrade": {
    group: "users",
    action: "upgrade",
    brief: "Refresh saved proofs from the gateway",
    examples: ["upgrade report.pdf", "upgrade release"],
  },
  "network": {
    group: "users",
    brief: "Show, pin or assemble a network's public configuration",
    examples: [
      "network",
      "network --pin network.public.json",
      "network --pin network.public.json --fingerprint SHA256",
      "network --list",
      "network assemble --threshold 2 --out my-network alice.json bob.json carol.json",
    ],
  },
  "token": {
    group: "users",
    action: "fetch tokens",
    brief: "Fetch tokens for a gateway that requires them",
    examples: ["token --count 100", "token --list"],
  },
  "status": {
    group: "developers",
    action: "get status",
    brief: "Show the state of a hash, or of the gateway and its witnesses",
    examples: ["status HASH --output json", "status"],
  },
  "bundle": {
    group: "developers",
    brief: "Print the proof bundle of a hash",
    examples: [
      "bundle HASH > report.pdf.countersign.json",
      "bundle --as tlog-proof HASH > report.pdf.countersign.tlog-proof",
      "bundle --as cose-receipt --out report.pdf.cose report.pdf",
    ],
  },
  "proof": {
    group: "developers",
    brief: "Print the Merkle proof of a hash",
    examples: ["proof HASH"],
  },
  "anchors": {
    group: "developers",
    brief: "List the external anchors of a hash",
    examples: ["anchors HASH", "anchors HASH --save anchors"],
  },
  "watch": {
    group: "developers",
    brief: "Follow the events of the log",
    examples: ["watch", "watch --type batch.closed --output json"],
  },
  "openapi": {
    group: "developers",
    brief: "Print the OpenAPI or AsyncAPI document of the HTTP interface",
    examples: ["openapi > openapi.json", "openapi --events > asyncapi.json"],
  },
  "log": {
    group: "auditors",
    brief: "Read and verify the transparency log",
    examples: [
      "log sth --verify",
      "log consistency 10 20 --verify",
      "log proof HASH --verify",
      "log contradictions --network-config peer.public.json",
    ],
  },
  "mirror": {
    group: "auditors",
    needsDeno: true,
    brief: "Copy a log into a folder, and verify it",
    examples: [
      "mirror --from https://log.example/ --to copy --follow",
      "mirror --from https://log.example/ --to copy --page --network-config network.public.json",
    ],
  },
  "monitor": {
    group: "auditors",
    needsDeno: true,
    brief: "Follow logs of any operators, and alert on forks, changes and outages",
    examples: [
      "monitor --config monitor.json",
      "monitor --config monitor.json --once",
      "monitor findings --config monitor.json",
      'monitor acknowledge --config monitor.json ID --note "reported to its operator"',
    ],
  },
  "fsck": {
    group: "auditors",
    needsDeno: true,
    brief: "Check a whole log",
    examples: [
      "fsck --data countersign-data",
      "fsck --gateway https://log.example/ --network-config network.public.json",
    ],
  },
  "conformance": {
    group: "auditors",
    brief: "Test any witness, log, mirror or verifier against the C2SP documents",
    examples: [
      "conformance witness https://witness.example/ --log-key suite.key --vkey witness.example/w1+...",
      "conformance log https://log.example/ --vkey log.example+...",
      "conformance mirror https://mirror.example/ --log-key suite.key --vkey mirror.example/m1+...",
      "conformance verifier ./my-verifier --html report.html",
      "conformance accept proof policy.txt entry.bin release.tlog-proof",
    ],
  },
  "init": {
    group: "operators",
    needsDeno: true,
    brief: "Create a network: keys and configurations",
    examples: ["init --witnesses 3 --threshold 2 --out my-network"],
  },
  "keygen": {
    group: "operators",
    brief: "Create one key",
    examples: [
      "keygen example.org/w1 --out witness.key",
      "keygen log.example/2026 --kind log --out log.key",
      "keygen example.org/w1 --encrypt passphrase.txt --out witness.key.age",
    ],
  },
  "config": {
    group: "operators",
    brief: "Check configuration files, or show a gateway's configuration",
    examples: ["config check network.json", "config check witness-*/witness.json"],
  },
  "federate": {
    group: "operators",
    brief: "Add or change a peer network",
    examples: [
      "federate --config network.json --peer peer/network.public.json --witness witness.json",
    ],
  },
  "succession": {
    group: "operators",
    brief: "Change a network's witnesses, keys or threshold, or end its log",
    examples: [
      "succession propose --from network.public.json --to next.public.json --size 1000 --out next.json",
      "succession sign next.json --key witness.key",
      "succession finish alice.json bob.json --out finished.json",
      "succession show next.json",
      "succession next chain.json --next-config next/network.public.json --first first.proof",
    ],
  },
  "serve": {
    group: "operators",
    needsDeno: true,
    brief: "Run a gateway",
    examples: ["serve", "serve --config my-network/network.json --host 0.0.0.0 --port 8080"],
  },
  "witness": {
    group: "operators",
    needsDeno: true,
    brief: "Run a witness",
    examples: [
      "witness witness-1/witness.json",
      "witness --adopt witness-1/witness.json",
      'witness follow witness-1/witness.json --origin "go.sum database tree" --vkey sum.golang.org+...',
      "witness import witness-1/witness.json https://witness.example/log-list",
      "witness logs witness-1/witness.json",
      "witness release witness-1/witness.json --origin log.example/2026 --from 1000",
    ],
  },
  "witness-network": {
    group: "operators",
    brief: "Ask a public witness network for cosignatures, and read its lists",
    examples: [
      "witness-network request --network-config network.json --contact sysadmin@log.example",
      "witness-network witnesses https://witness.example/about policy.txt",
    ],
  },
  "signer": {
    group: "operators",
    needsDeno: true,
    brief: "Hold keys, and sign with them for witnesses and gateways",
    examples: ["signer signer.json"],
  },
  "issuer": {
    group: "operators",
    needsDeno: true,
    brief: "Run an issuer of tokens",
    examples: ["issuer --data issuer", "issuer --data issuer --new-api-key alice --per-day 100"],
  },
  "api-key": {
    group: "operators",
    brief: "Create, list and revoke API keys of a private gateway",
    examples: [
      "api-key new alice --file api-keys.json",
      "api-key new ci --file api-keys.json --days 90 --per-second 50 --burst 1000",
      "api-key list --file api-keys.json",
      "api-key revoke alice --file api-keys.json",
    ],
  },
  "tsa": {
    group: "operators",
    brief: "Make keys and certificates of a time-stamp authority",
    examples: [
      "tsa init --out my-network",
      'tsa request --new --key tsa.key --subject "CN=Time stamps,O=Example,C=DE" --out tsa.csr',
      "tsa trusted-root --certificates tsa.pem > trusted_root.json",
    ],
  },
  "publish": {
    group: "operators",
    needsDeno: true,
    brief: "Publish a gateway's log to a folder or bucket",
    examples: ["publish --from https://log.example/ --to /var/www/log"],
  },
  "backup": {
    group: "operators",
    needsDeno: true,
    brief: "Copy a gateway's store while it runs",
    examples: ["backup --config my-network/network.json --to /backups/monday"],
  },
  "restore": {
    group: "operators",
    needsDeno: true,
    brief: "Ask the witnesses whether a backup may be started",
    examples: ["restore --check /backups/monday --config my-network/network.json"],
  },
  "store": {
    group: "operators",
    needsDeno: true,
    brief: "Move a log to another store",
    examples: ["store copy --from data --to postgres://log@db.example/log"],
  },
} as const satisfies Readonly<Record<string, ListedCommand>>;

export type CommandName = keyof typeof COMMANDS;

export function isCommandName(word: string): word is CommandName {
  return Object.hasOwn(COMMANDS, word);
}

export function listedCommand(name: CommandName): ListedCommand {
  return COMMANDS[name];
}
