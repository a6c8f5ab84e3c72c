/**
 * A `monitor.json` with every member.
 *
 * @module
 */

export const monitorFile = {
  state_folder: "state",
  interval_seconds: 30,
  grace_seconds: 120,
  webhook: { url: "https://alerts.example/hook?x=1", secret_env: "COUNTERSIGN_TOKEN_ALERTS" },
  metrics: { host: "127.0.0.1", port: 9095 },
  logs: [
    {
      origin: "log.example/2026",
      network_config: "network.public.json",
      views: [
        { name: "gateway", url: "https://log.example/" },
        { name: "copy", folder: "/var/copy" },
        { name: "w1", kind: "witness", url: "https://w1.example/monitoring" },
        { name: "peer", kind: "peer", url: "https://peer.example/" },
      ],
      max_age_seconds: 3_600,
      bundles_per_poll: 8,
      watch: [{ hash: "ab".repeat(32) }, { hash: "cd".repeat(32), index: 7 }],
    },
    {
      origin: "go.sum database tree",
      policy_file: "policy.txt",
      views: [{ name: "log", kind: "log", url: "http://log.example.org/tlog" }],
    },
  ],
};
