/**
 * The members of `network.json` and `network.public.json`.
 *
 * @module
 */

import type { BatchPolicy } from "../gateway/sequencing/batching.ts";
import { ADMISSION } from "./admission.ts";
import { API_KEYS } from "./api_keys.ts";
import { ANCHOR_MEMBERS } from "./anchor_services.ts";
import { BEACON_RELAYS } from "./beacon_relays.ts";
import { FEDERATION_MEMBERS, PUBLIC_FEDERATION_MEMBERS } from "./federation_peers.ts";
import { CLIENT_LIMITS } from "./gateway_limits.ts";
import { EVENT_SOCKETS_MEMBERS, OPERATOR_MEMBERS } from "./listeners.ts";
import { type Members, optional, required } from "./members.ts";
import { BUCKET_MEMBERS, FOLDER_MEMBERS } from "./publishing.ts";
import { STORE_MEMBERS } from "./store_database.ts";
import { WITNESSING_MEMBERS } from "./witnessing.ts";

export const DEFAULT_BATCH_LIMITS: BatchPolicy = { maxAgeMs: 1_000, maxLeaves: 16_384 };

/** Default of the promised seconds from acceptance to publication. */
export const DEFAULT_MERGE_DELAY_SECONDS = 3_600;

/** One commit of the tree holds no more leaves. */
export const BATCH_LEAVES_LIMIT = 16_384;
export const BATCH_AGE_LIMIT_MS = 3_600_000;

const WITNESS_KEY_MEMBERS: Members = {
  id: required("witness id", "Name of the witness."),
  pubkey: required("hex", "Its public key: 32 bytes for ed25519, 96 for bls."),
  vkey: optional("C2SP verifier key", "The same key for C2SP verifiers; ed25519 only."),
  ml_dsa_vkey: optional(
    "C2SP verifier key",
    "A further key, of type 0x06, which cosigns tree heads; ed25519 only.",
  ),
  public_url: optional(
    "URL",
    "URL at which anyone may submit checkpoints to the witness; `/policy` names it.",
  ),
  proof_of_possession: optional("hex", "Signature of the key over itself; needed for bls."),
};

export const WITNESS_ENTRY_MEMBERS: Members = {
  ...WITNESS_KEY_MEMBERS,
  url: optional("URL", "URL of the witness for the gateway. With `token`."),
  token: optional("text", "The token of its witness.json, at least 24 characters. Secret."),
  key_file: optional("path", "Private key of an embedded witness. With `state_file`."),
  ml_dsa_key_file: optional("path", "Private key of an embedded witness's `ml_dsa_vkey`."),
  state_file: optional("path", "State of an embedded witness."),
};

/** Members of `network.public.json`, where unknown members are ignored. */
export const PUBLIC_NETWORK_MEMBERS: Members = {
  id: required("network id", "Name of the network and origin of its log."),
  epoch: optional(
    "number",
    "Number of this configuration; each succession adds 1. A log begins with 0.",
    { standard: 0 },
  ),
  witnesses: required("list of objects", "The witnesses.", WITNESS_KEY_MEMBERS),
  threshold: required("number", "Witnesses that must sign; a gateway needs more than half."),
  signature_scheme: required("ed25519 or bls", "Scheme of all witnesses."),
  log_vkey: optional("C2SP verifier key", "Public key of the log; a gateway needs it."),
  log_ml_dsa_vkey: optional(
    "C2SP verifier key",
    "A further key of the log, of type 0x06, which cosigns tree heads; ed25519 only.",
  ),
  merge_delay_seconds: optional(
    "1 or more",
    "Promised time within which an attestation is in the log.",
    { standard: DEFAULT_MERGE_DELAY_SECONDS },
  ),
  federation: optional("object", "Networks that watch this one.", {
    members: PUBLIC_FEDERATION_MEMBERS,
  }),
};

/** Members of `network.json`. */
export const NETWORK_MEMBERS: Members = {
  ...PUBLIC_NETWORK_MEMBERS,
  witnesses: required("list of objects", "The witnesses.", WITNESS_ENTRY_MEMBERS),
  log_vkey: required("C2SP verifier key", "Public key of the log."),
  federation: optional("object", "Networks that watch this one; `federate` writes it.", {
    members: FEDERATION_MEMBERS,
  }),
  log_key_file: required("path", "Private key of the log."),
  log_ml_dsa_key_file: optional("path", "Private key of `log_ml_dsa_vkey`."),
  batch_max_age_ms: optional(
    `1 to ${BATCH_AGE_LIMIT_MS}`,
    "Longest wait of an attestation for its batch.",
    { standard: DEFAULT_BATCH_LIMITS.maxAgeMs },
  ),
  batch_max_leaves: optional(
    `1 to ${BATCH_LEAVES_LIMIT}`,
    "Attestations that close a batch at once.",
    { standard: DEFAULT_BATCH_LIMITS.maxLeaves },
  ),
  operator: optional("object", "Listener for operators and peers.", { members: OPERATOR_MEMBERS }),
  event_sockets: optional("object", "Listener for WebSockets at /ws/events.", {
    members: EVENT_SOCKETS_MEMBERS,
  }),
  anchors: optional("list of at most 8 objects", "External anchor services.", {
    members: ANCHOR_MEMBERS,
  }),
  beacon: optional("object", "Rounds carry a beacon of drand.", { members: BEACON_RELAYS }),
  admission: optional("object", "Who may submit.", {
    standard: "everyone",
    members: ADMISSION,
  }),
  api_keys: optional("object", "Make the gateway private: clients need API keys.", {
    members: API_KEYS,
  }),
  limits: optional('object or "off"', "Budgets of clients.", { members: CLIENT_LIMITS }),
  publish: optional(
    "object",
    "Publish a copy of the log: `directory` alone, or `bucket` with its members.",
    {
      members: { ...FOLDER_MEMBERS, ...BUCKET_MEMBERS },
    },
  ),
  ...STORE_MEMBERS,
  witnessing: optional("object", "C2SP witnesses outside the network that cosign checkpoints.", {
    members: WITNESSING_MEMBERS,
  }),
};
