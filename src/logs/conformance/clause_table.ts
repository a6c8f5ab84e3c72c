/**
 * The requirements of the C2SP documents on transparency logs, each quoted once: the clauses that the
 * conformance suite tests. Texts of github.com/C2SP/C2SP at commit 5ba5ee83 of
 * 2026-07-22, with white space joined.
 *
 * A line is
 *
 *     <id> | <level> | <roles> | <why it cannot be tested from outside> | <sentence>
 *
 * below a line `## <document>` and a line `# <section>`. A role in parentheses reads or serves what the
 * sentence is about, but the sentence obliges another party: what the program does is reported, and
 * never judged. The level FORMAT is for sentences
 * that define a format without a BCP 14 keyword; tlog-policy has only such sentences.
 *
 * @module
 */

export const CLAUSE_TABLE = `
## signed-note
# Note
text-ignored | MUST | verifier | | The text MUST be ignored unless the note is signed by a trusted key and the signature has been verified.
# Format
text-form | FORMAT | verifier log | | A signed note consists of a text ending in newline (U+000A), followed by a blank line (only a newline), followed by one or more signature lines of this form: em dash (U+2014), space (U+0020), key name, space, base64-encoded signature, newline.
characters | MUST | verifier log (witness) | | Signed notes MUST be valid UTF-8 and MUST NOT contain any ASCII control characters (those below U+0020) other than newline.
last-empty-line | FORMAT | verifier | | The note text MAY contain empty lines; the text is separated from the signatures by the last empty line in the note.
key-names | MUST | verifier log | | Key names MUST be non-empty and MUST NOT contain any Unicode spaces or plus (U+002B) characters.
sixteen-signatures | MUST | verifier witness mirror | | Verifiers SHOULD apply a maximum limit to the number of signatures in a note (or, equivalently, to the overall size of a note), but MUST accept at least up to 16 signatures.
# Signatures
unknown-keys | MUST | verifier witness mirror | | Verifiers MUST ignore signatures from unknown keys, even if they share a name or ID (but not both) with a known key.
known-keys | MUST | verifier witness mirror | | If the key name and ID match a known key, verifiers MUST verify the signature.
known-key-fails | SHOULD | verifier | | If a signature from a known key fails to verify, clients SHOULD reject the whole note.
no-known-key | MUST | verifier | | If no signature from a known key verifies successfully, clients MUST reject the note.
url-names | SHOULD | log witness mirror | | It is RECOMMENDED that key names be schema-less URLs (e.g. \`example.com/abc123\`), to avoid accidental collisions.
key-ids | SHOULD | log witness mirror | | It is RECOMMENDED that key IDs be the first four bytes (interpreted in big-endian order) of the SHA-256 hash of the following sequence: the key name, a newline, a single signature type identifier byte assigned below, and the encoding of the public key.
# Signature types
few-types | SHOULD | verifier | a program's set of algorithms is a matter of its design | Although multiple signature types are specified, implementations SHOULD select only the one(s) required for their design, and avoid supporting multiple ones at runtime if possible.
ecdsa-curves | MUST | verifier | the document does not specify the encoding of these signatures | The ECDSA curve MUST be one of NIST P-256, NIST P-384, or NIST P-521, and SHOULD be NIST P-256.
private-types | SHOULD | verifier | binds who assigns a private type | It is RECOMMENDED that this byte be followed by a longer identifier that is unlikely to collide.
# Ed25519 signatures
ed25519-key-id | FORMAT | verifier log | | The key ID is generated as recommended above, with the public key encoded as 32 bytes according to RFC 8032 and signature type identifier byte \`0x01\`.
# Verifier keys
vkey-form | FORMAT | verifier | | Verifier keys (or *vkey*s for short) are encoded as text strings composed of three parts separated by a plus (U+002B) character: the key name, the hex encoding of the key ID, and the base64 encoding of the concatenation of the signature type and the public key material.
vkey-matches | MUST | verifier log | | The key name and ID MUST match those used in the signatures.
vkey-reuse | SHOULD | log witness | binds who makes keys: only their owner knows all of them | The same public key SHOULD NOT be reused for different signature types, but if it is, a different key ID MUST be used for each signature type.
## tlog-checkpoint
# Note text
lines | FORMAT | verifier log (witness) | | The note text is a sequence of at least three non-empty lines, separated by newlines (U+000A).
origin | MUST | verifier log | | The origin MUST be non-empty, and it SHOULD be a schema-less URL containing neither Unicode spaces nor plus (U+002B), such as \`example.com/log42\`.
origin-opaque | MUST | verifier | | This is only a recommendation to avoid collisions, and clients MUST NOT assume that the origin is following this format or that the URL corresponds to a reachable endpoint.
size | FORMAT | verifier log (witness) | | The second line is the **tree size**, the ASCII decimal representation of the number of leaves in the tree, with no leading zeroes (unless the tree is empty, in which case the tree size is \`0\`).
root | FORMAT | verifier log (witness) | | The third line is the **root hash**, the base64 encoding of the root of the [RFC 6962] Merkle hash tree at the specified tree size.
extension-lines | MUST | verifier log (witness) | | Extension lines, if any, MUST be non-empty.
no-extensions | SHOULD | log | | The use of extension lines is NOT RECOMMENDED, as they are not auditable by log monitors.
# Signatures
consistent | MUST | log | | A log MUST not sign any checkpoint which is inconsistent with any checkpoint it previously signed.
key-name | SHOULD | log | | The log’s key name in its signature line SHOULD match the origin line.
ml-dsa | SHOULD | log | | Logs SHOULD use ML-DSA-44 [cosignatures][] to sign the checkpoint, but MAY use any note signature algorithm based on the ecosystem they operate in.
ml-dsa-extensions | SHOULD | log | | Note that the ML-DSA-44 cosignature format doesn't sign the extension lines, which SHOULD be empty.
ignore-unknown | MUST | verifier | | According to the note specification, clients MUST ignore unknown signatures.
## tlog-cosignature
# Transparency Log Cosignatures
ml-dsa | SHOULD | witness mirror | no answer shows whether a deployment is new | The ML-DSA version SHOULD be used for new deployments.
# Format
url-name | SHOULD | witness mirror | | The key name SHOULD be a schema-less URL that identifies the cosigner.
ed25519-key-id | MUST | verifier witness mirror | | The key ID for Ed25519 cosignatures MUST be computed as SHA-256(<name> || "\\n" || 0x04 || 32-byte Ed25519 cosigner public key)[:4]
ml-dsa-key-id | MUST | verifier witness mirror | | The key ID for ML-DSA-44 cosignatures MUST be computed as SHA-256(<name> || "\\n" || 0x06 || 1312-byte ML-DSA-44 cosigner public key)[:4]
structure | MUST | verifier witness mirror | | The signature MUST be a \`timestamped_signature\` structure.
timestamp-limit | MUST | verifier witness mirror | | It MUST NOT exceed 2^63 - 1, and verifiers MAY reject cosignatures with timestamps in the future.
# Ed25519 signed message
message | MUST | verifier witness mirror | | The signed message MUST be two newline (U+000A) terminated lines (one header line and one timestamp line) followed by the whole note body of the cosigned checkpoint (including the final newline, but not including any signature lines).
header | MUST | verifier witness mirror | | The header line MUST be the fixed string \`cosignature/v1\`, and provides domain separation.
time-line | MUST | verifier witness mirror | | The timestamp line MUST consist of the string \`time\`, a single space (0x20), and \`timestamped_signature.timestamp\` encoded as an ASCII decimal with no leading zeroes.
extensions | MUST | verifier witness | | Extension lines MAY be included in the checkpoint by the log, and if present MUST be included in the cosigned message.
extension-consensus | MUST | verifier | binds what people conclude from cosignatures | However, it's important to understand that the cosigner is asserting observation of correct append-only operation of the log based on the first three lines of the checkpoint; consensus between cosigners on the extension lines SHALL NOT be assumed, and no semantic statement is made about any extension lines unless the cosigner's operator says otherwise.
distinct-keys | MUST | witness mirror | only the operator knows all of its cosigners | A cosigner operator that operates multiple Ed25519 cosigners (e.g. with distinct additional statements, see below) MUST use distinct public keys for each cosigner.
# ML-DSA-44 signed message
ml-dsa-message | MUST | verifier witness mirror | | The signed message MUST be a \`cosigned_message\` structure.
ml-dsa-times | MUST | witness mirror | | If \`start\` is not zero, these values MUST be zero.
ml-dsa-start | MUST | verifier witness mirror | | If signing a [checkpoint][], it MUST be zero.
ml-dsa-timestamp | MUST | witness mirror | | If \`start\` is not zero, \`timestamp\` MUST be zero.
# Additional statements
one-set | MUST | witness mirror | statements are made out of band | A given tuple MUST imply a single set of statements.
base-semantics | MUST | witness mirror | statements are made out of band | These statements MUST include the base cosignature semantics, and MAY include other statements that are non-conflicting.
## tlog-witness
# HTTP Interface
keep-alive | SHOULD | witness | | Clients SHOULD use, and witnesses SHOULD support, HTTP keep-alive HTTP connections to reduce latency and load due to connection establishment.
# add-checkpoint
post | MUST | witness mirror | binds clients | The request MUST be an HTTP POST.
body | MUST | (witness) (mirror) | | The request body MUST be a sequence of - an old size line, - zero or more consistency proof lines, - and an empty line, - followed by a [checkpoint][].
line-ends | MUST | (witness) (mirror) | | Each line MUST terminate in a newline character (U+000A).
old-size-line | MUST | (witness) (mirror) | | The old size line MUST consist of the string \`old\`, a single space (0x20), and the tree size of the previous checkpoint encoded as an ASCII decimal with no leading zeroes (unless the size is zero, in which case the encoding MUST be \`0\`).
proof-lines | MUST | (witness) (mirror) | | Each consistency proof line MUST encode a single hash in base64.
proof-length | MUST | (witness) (mirror) | | The client MUST NOT send more than 63 consistency proof lines.
verify-signature | MUST | witness mirror | | The witness MUST verify the checkpoint signature against the public key(s) it trusts for the checkpoint origin, and it MUST ignore signatures from unknown keys.
unknown-origin | MUST | witness mirror | | If the checkpoint origin is unknown, the witness MUST respond with a "404 Not Found" HTTP status code.
forbidden | MUST | witness mirror | | The witness MUST respond with a "403 Forbidden" HTTP status code if either no signature from a trusted key for the origin is present, or a signature line's key name and ID match a trusted key but the signature itself fails to verify (such a note is malformed per [signed-note][]).
old-size-limit | MUST | (witness) (mirror) | | The old size MUST be equal to or lower than the checkpoint size.
old-size-status | MUST | witness mirror | | Otherwise, the witness MUST respond with a "400 Bad Request" HTTP status code.
old-size-matches | MUST | witness mirror | | The witness MUST check that the old size matches the size of the latest checkpoint it cosigned for the checkpoint's origin (or zero if it never cosigned a checkpoint for that origin).
conflict | MUST | witness mirror | | If it doesn't match, the witness MUST respond with a "409 Conflict" HTTP status code.
conflict-body | MUST | witness mirror | | The response body MUST consist of the tree size of the latest cosigned checkpoint in decimal, followed by a newline (U+000A).
conflict-type | MUST | witness mirror | | The response MUST have a \`Content-Type\` of \`text/x.tlog.size\`.
empty-root | MUST | (witness) (mirror) | | A checkpoint of size zero MUST have the root hash of the empty tree, which [RFC 6962][], Section 2.1 defines as the hash of the empty string.
empty-root-status | MUST | witness mirror | | Otherwise, the witness MUST respond with a "422 Unprocessable Entity" HTTP status code.
empty-proof | MUST | (witness) (mirror) | | If the old size is zero, the consistency proof MUST be empty, because the empty tree is consistent with any tree, so no proof is necessary.
proof | MUST | (witness) (mirror) | | Otherwise, the consistency proof lines MUST encode a Merkle Consistency Proof from the old size to the checkpoint size according to [RFC 6962][], Section 2.1.2.
proof-status | MUST | witness mirror | | If the proof is not empty when the old size is zero, or if a Merkle Consistency Proof doesn't verify, the witness MUST respond with a "422 Unprocessable Entity" HTTP status code.
same-size | MUST | witness mirror | | If the old size matches the checkpoint size, the witness MUST check that the root hashes are also identical.
same-size-status | MUST | witness mirror | | If they don't match, the witness MUST respond with a "422 Unprocessable Entity" HTTP status code.
no-cosignature | MUST | witness mirror | | If the origin is known, and the signature is valid, the witness MAY log the request even if the checkpoint fails one of the consistency checks above (but MUST NOT cosign the checkpoint), as it might be proof of log misbehavior.
success | MUST | witness mirror | | If all the checks above pass, the witness MUST update its record of the latest cosigned checkpoint and respond with a "200 Success" HTTP status code.
lines | MUST | witness | | The response body MUST be a sequence of one or more [note][] signature lines, each starting with the \`—\` character (U+2014) and ending with a newline character (U+000A).
cosignatures | MUST | witness | | The signatures MUST be [cosignatures][] from the witness key(s) on the checkpoint.
ml-dsa | SHOULD | witness | | Witnesses SHOULD use ML-DSA-44 [cosignatures][].
whole-tree | MUST | witness | | If the cosignature format supports subtrees, the cosignature returned by the witness MUST be for the entire tree in the submitted checkpoint, i.e. start MUST be zero and end MUST be the checkpoint size.
timestamp | MUST | witness | | The cosignature MUST NOT omit the timestamp, i.e. the timestamp MUST NOT be zero.
client-ignores | MUST | witness | binds clients | The client MUST ignore any cosignatures from unknown keys.
persist | MUST | witness | needs a power failure or a kill between storing and answering | The witness MUST persist the new checkpoint before responding.
# sign-subtree
subtree-post | MUST | witness mirror | binds clients | The request MUST be an HTTP POST.
subtree-body | MUST | (witness) (mirror) | | The request body MUST be a sequence of - a subtree range line, - a subtree hash line, - zero or more consistency proof lines, - and an empty line, - followed by a reference [checkpoint][].
subtree-line-ends | MUST | (witness) (mirror) | | Each line MUST terminate in a newline character (U+000A).
subtree-range-line | MUST | (witness) (mirror) | | The subtree range line MUST consist of the string \`subtree\`, a single space (0x20), the subtree start encoded as an ASCII decimal with no leading zeroes (unless start is zero, in which case the encoding MUST be \`0\`), a single space (0x20), and the subtree end encoded as an ASCII decimal with no leading zeroes.
subtree-hash-line | MUST | (witness) (mirror) | | The subtree hash line MUST be the Merkle Tree hash of the subtree encoded in base64.
subtree-proof-lines | MUST | (witness) (mirror) | | Each consistency proof line MUST encode a single hash in base64.
subtree-proof-length | MUST | (witness) (mirror) | | The client MUST NOT send more than 63 consistency proof lines.
subtree-signatures | SHOULD | witness mirror | binds clients | The checkpoint SHOULD only include signatures from the witness's key(s).
subtree-valid | MUST | (witness) (mirror) | | The half-open interval \`[start, end)\` MUST be a valid subtree per [draft-ietf-plants-merkle-tree-certs-03][], Section 4.1, and end MUST be less than or equal to the checkpoint size.
subtree-invalid-status | MUST | witness mirror | | If the request is invalid according to the rules above, the witness MUST respond with a "400 Bad Request" HTTP status code.
subtree-proof | MUST | (witness) (mirror) | | The consistency proof lines MUST encode a Subtree Consistency Proof from the subtree to the checkpoint according to [draft-ietf-plants-merkle-tree-certs-03][], Section 4.4.
subtree-proof-status | MUST | witness mirror | | If the Merkle Consistency Proof doesn't verify, the witness MUST respond with a "422 Unprocessable Entity" HTTP status code.
subtree-origin | MUST | witness mirror | | If the checkpoint origin is unknown, the witness MUST respond with a "404 Not Found" HTTP status code.
subtree-verify | MUST | witness mirror | | The witness MUST verify that the checkpoint includes a valid cosignature from one of its own keys.
subtree-forbidden | MUST | witness mirror | | If the witness can't verify the checkpoint, it MUST respond with a "403 Forbidden" HTTP status code.
subtree-success | MUST | witness mirror | | If the request is valid, the consistency proof verifies, and the checkpoint is validly signed by the witness, the witness MUST respond with a "200 Success" HTTP status code.
subtree-lines | MUST | witness mirror | | The response body MUST be a sequence of one or more [note][] signature lines for the subtree, each starting with the \`—\` character (U+2014) and ending with a newline character (U+000A).
subtree-keys | SHOULD | witness mirror | | The signatures SHOULD be ML-DSA-44 [cosignatures][], and SHOULD be from one or more of the same witness key(s) that signed the checkpoint.
subtree-format | MUST | witness mirror | | The cosignature format MUST support subtree cosigning.
subtree-timestamp | MUST | witness mirror | | If the cosignature format supports timestamps, the timestamp MUST be zero.
# Monitor Retrieval Mechanism
monitoring | SHOULD | witness | | A witness SHOULD serve a recent checkpoint for each log it cosigned.
monitoring-get | MUST | witness | binds clients | The request MUST be an HTTP GET.
monitoring-body | MUST | witness | | The response body MUST be a [checkpoint][] for the log identified by the origin, and it MUST include the cosignature(s) from the witness's key(s) that were returned from add-checkpoint and the cosignature from the log key(s) that the witness verified.
monitoring-never | MUST | witness | | If the witness has never cosigned a checkpoint for that log, it MUST respond with a "404 Not Found" HTTP status code instead.
monitoring-delay | SHOULD | witness | | The witness MAY delay updating the checkpoint, but SHOULD NOT delay for more than an hour.
## tlog-tiles
# Parameters
origin-url | SHOULD | log | | The origin line SHOULD be the scheme-less URL prefix of the log with no trailing slashes.
# Checkpoints
checkpoint | MUST | log mirror | | The Signed Tree Head MUST be served as a [checkpoint][] at <prefix>/checkpoint with \`Content-Type: text/plain; charset=utf-8\`.
checkpoint-caching | SHOULD | log mirror | | This endpoint is mutable, so its headers SHOULD prevent caching beyond a few seconds.
ed25519 | MUST | log mirror | | If the log is public, or is interacting in any way with the public witness network, the checkpoint MUST carry at least one Ed25519 signature by the log.
# Merkle Tree
tile-type | FORMAT | log mirror | | Tiles are served at <prefix>/tile/<L>/<N>[.p/<W>] with \`Content-Type: application/octet-stream\`.
level | MUST | (log) (mirror) | | \`<L>\` is the “level” of the tile, and MUST be a decimal ASCII integer between 0 and 63, with no additional leading zeroes.
index | MUST | (log) (mirror) | | It MUST be a non-negative integer encoded into zero-padded 3-digit path elements.
index-x | MUST | (log) (mirror) | | All but the last path element MUST begin with an \`x\`.
width | FORMAT | (log) (mirror) | | \`<W>\` is the width of the tile, a decimal ASCII integer between 1 and 255, with no additional leading zeroes.
tile-caching | SHOULD | log mirror | | This endpoint is immutable, so its caching headers SHOULD be long-lived.
full-tiles | MUST | log mirror | | Full tiles MUST be exactly 256 hashes wide, or 8,192 bytes.
tile-hashes | FORMAT | log mirror | | At “level 0” tiles contain leaf hashes. At “level 1” and above, each hash in a tile is the Merkle Tree Hash of a *full* tile at the level below.
# Partial Tiles
not-hashed-up | MUST | log mirror | | A partial tile contains between 1 and 255 hashes, and MUST NOT be hashed into a tile at the level above.
partial-width | FORMAT | log mirror | | The partial tile at level *l* for a tree of size *s* has \`floor(s / 256**l) mod 256\` entries.
no-empty-tiles | MUST | log mirror | | Empty tiles MUST NOT be served.
partial-tiles | MUST | log mirror | | Logs MUST serve partial tiles corresponding to tree sizes for which a checkpoint was produced, but MAY delete any partial tile once the corresponding full tile is either available, or has been removed by the pruning criteria below.
no-arbitrary-tiles | MUST | log mirror | binds clients | Clients MUST NOT fetch arbitrary partial tiles without verifying a checkpoint with a size that requires their existence, and MAY fetch the full tile in parallel as a fallback in case the partial tile is not available anymore.
# Log entries
entries-type | FORMAT | log mirror | | The log entries are served as a “entry bundles” at <prefix>/tile/entries/<N>[.p/<W>] with \`Content-Type: application/octet-stream\`.
entries-compressed | SHOULD | log mirror | | Entry bundles SHOULD be compressed at the HTTP layer.
accept-encoding | SHOULD | log mirror | binds clients | Clients SHOULD include \`gzip\` and \`identity\` in their \`Accept-Encoding\` headers.
entries-caching | SHOULD | log mirror | | This endpoint is immutable, so its caching headers SHOULD be long-lived.
entries | FORMAT | log mirror | | Entry bundles are sequences of big-endian uint16 length-prefixed log entries.
entry-hashes | FORMAT | log mirror | | Each entry in a bundle hashes to the corresponding entry in the corresponding “level 0” Merkle Tree tile.
tail | SHOULD | log mirror | binds clients | A client, such as a Monitor, that “tails” a rapidly (> 200 entries per checkpoint) growing log SHOULD, as an optimization, avoid fetching partial entry bundles when possible.
tail-tile | MUST | log mirror | binds clients | If applying this optimization, the client MUST fetch the corresponding partial “level 0” tile, and use that to verify the current checkpoint.
tail-consistency | MUST | log mirror | binds clients | When fetching a subsequent checkpoint, the client MUST verify its consistency with the current checkpoint.
tail-delay | MUST | log mirror | binds clients | If an entry bundle remains partial for too long (as defined by client policy), the client MUST fetch it to prevent delaying entries from being processed indefinitely.
also-bundles | SHOULD | log mirror | | If they do, they SHOULD also serve entry bundles, [...]
other-formats | MUST | log mirror | a server does not announce its other formats | [...] and MUST serve the differently-encoded entries at a different URL from the specified entry bundle URL.
# Pruning
minimum-index | MUST | log mirror | no resource shows the minimum index | It MUST be less than or equal to the tree size of the log's current checkpoint.
pruning-by-denial | SHOULD | log mirror | what the storage holds is not visible | Logs are RECOMMENDED to implement pruning by denying HTTP requests, rather than deleting the resources from storage.
# Retention Policies
retention | SHOULD | log mirror | binds ecosystems of logs | Log ecosystems that permit pruning SHOULD define retention policies for how long entries must be available.
retention-relevance | MUST | log mirror | binds ecosystems of logs | Retention policies MUST only permit pruning an entry sometime after it will no longer relevant to the log application.
retention-time | SHOULD | log mirror | binds ecosystems of logs | Retention policies SHOULD also be set so that there is ample time for monitors to stay ahead of the minimum index.
not-pruned | MUST | log mirror | | Without a policy for when pruning is permitted, logs MUST NOT be pruned.
minimum-zero | MUST | log mirror | | That is, the minimum index value MUST be set to zero.
lower-bound | SHOULD | log mirror | binds ecosystems of logs | Log applications that support pruning SHOULD additionally define mechanisms for applicable log clients to reject entries below some per-log lower bound.
lower-bound-value | MUST | log mirror | binds ecosystems of logs | This lower bound MUST be set to at least the log's current minimum index and SHOULD be periodically updated.
## tlog-proof
# Transparency Log Proofs
file-extension | SHOULD | verifier | binds who stores proofs | Proofs SHOULD be stored with file extension \`.tlog-proof\`.
# Format
header | MUST | verifier | | The first line MUST be the string \`c2sp.org/tlog-proof@v1\`.
extra | FORMAT | verifier | | The second line MAY start with the string \`extra\` followed by a space (U+0020) and base64-encoded opaque extra data.
extra-untrusted | MUST | verifier | binds what applications do with the data | Appications MUST NOT implicitly trust the extra data, as it is not authenticated.
index | MUST | verifier | | The next line MUST start with the string \`index\` followed by a space (U+0020) and the zero-based index of the entry in the log, represented as an ASCII decimal with no leading zeroes (unless the index is \`0\`).
hashes | FORMAT | verifier | | The next zero or more non-empty lines are the base64-encoded Merkle inclusion proof for the entry at the specified index in the checkpointed tree, one SHA-256 hash per line, starting from the leaf's sibling hash up to the root's child hash.
checkpoint | FORMAT | verifier | | After the inclusion proof lines and an empty line, the checkpoint issued by the log is included verbatim, according to [tlog-checkpoint][].
# Verifying a tlog proof
step-origin | FORMAT | verifier | | Check that the checkpoint origin line is acceptable, and that the checkpoint is signed by a log public key configured for that origin line.
step-cosignatures | FORMAT | verifier | | Verify all cosignatures for witnesses known to the verifier.
step-inclusion | FORMAT | verifier | | Check that the inclusion proof is valid, to bind the leaf hash computed in step 1 to the the root hash of the signed checkpoint.
# Use of timestamps
timestamps | FORMAT | verifier | | However, after a cosignature has been verified, the timestamp value is ignored by the above verification procedure.
## tlog-policy
# What is a "policy"?
quorum-none | FORMAT | verifier | | A policy without witness cosigning can be defined using a \`quorum none\` line, and in this case, the set of witnesses may be empty.
valid | FORMAT | verifier | | The policy says that a checkpoint is considered valid if it is signed by any one of the listed logs, and it is cosigned by witnesses according to the defined quorum rule.
namespace | FORMAT | verifier | | Witnesses and groups share a single namespace.
none-member | FORMAT | verifier | | The special name \`none\` is predefined; it can be used when defining the quorum, but it is invalid as a group member.
# Structure
lines | FORMAT | verifier | | The policy file is line based, where each line is terminated by ASCII newline, and the items on each line are separated by "whitespace", which in this specification means sequences of ASCII space and tab characters *only*.
outer-whitespace | FORMAT | verifier | | Leading and trailing whitespace is allowed.
comments | FORMAT | verifier | | Empty lines (whitespace only) and comment lines (lines starting with "#", possibly preceded by whitespace) are allowed and ignored.
any-order | FORMAT | verifier | | Lines defining witnesses and logs can appear in any order; the order does not imply any preference or priority.
group-order | FORMAT | verifier | | A line defining a group can only reference names of groups and witnesses defined on preceding lines.
quorum-order | FORMAT | verifier | | Similarly, the quorum line must specify a witness or group defined earlier.
# Public key representation
key-types | FORMAT | verifier | | Log and witness keys must use a signature type approprate respective function, see [tlog-checkpoint][] and [tlog-cosignature][].
# Defining a log
log-name | MUST | verifier | | This name MUST correspond to the log's origin line, representing the identity of the log.
log-url | FORMAT | verifier | | The meaning of the URL is application specific, but when present, it is intended to provide a way to interact with the log, for monitoring, or to submit entries.
duplicate-logs | FORMAT | verifier | | Duplicate logs, i.e., multiple log lines with the same public key, are not allowed.
# Defining a witness
duplicate-witnesses | FORMAT | verifier | | Duplicate witnesses, i.e., multiple witness lines with the same public key, are not allowed.
# Defining the quorum
one-witness | FORMAT | verifier | | In the simplest case, the name refers to a witness, and it means that a cosignature from that witness is required for a checkpoint to be considered valid.
one-quorum | FORMAT | verifier | | A policy file must include exactly one quorum line.
# Defining a witness group
group-members | FORMAT | verifier | | At least one member must be listed (i.e., n >= 1).
group-threshold | FORMAT | verifier | | If k is given numerically, it must be written in decimal, and it is required that 1 <= k <= n.
group-meaning | FORMAT | verifier | | Each of these defines a group, where the group is considered to witness a checkpoint if and only if at least k of its n members have witnessed that checkpoint, each group member being either a witness or another group.
member-once | FORMAT | verifier | | Each defined name can be listed as a group member at most once.
# Character set
octets | FORMAT | verifier | | The only allowed control characters are tab and newline, which means that the allowed octet values are 0x09 (tab), 0x0A (newline), 0x20-0x7E, and 0x80-0xFF.
opaque-names | FORMAT | verifier | | In particular, names must be handled as opaque octet strings, e.g., the name 0x4B (ASCII "K") is different from the name 0xE2 0x84 0xAA (a Kelvin sign encoded using UTF-8).
# Implementation limits
limits | SHOULD | verifier | | It is strongly recommended that an implementation supports at least up to 32 logs, 32 witnesses, and 32 groups.
## tlog-mirror
# Introduction
cosigned | MUST | mirror | | The checkpoint served from this prefix MUST include a [cosignature][] from the mirror.
# add-checkpoint
retain-signature | MUST | mirror | | The mirror MUST retain the log's signature in the pending checkpoint.
not-signed | MUST | mirror | | The mirror cosigner MUST NOT sign the checkpoint in this process.
distinct-cosigner | MUST | mirror | | If so, this witness service MUST be a distinct cosigner from the mirror cosigner, with a distinct name.
distinct-prefix | MUST | mirror | only the operator knows the prefixes of its other services | If providing both mirror and witness services, the submission prefixes for the two services MAY be the same, but the monitoring prefixes MUST be distinct.
# sign-subtree
subtree-exchange | MUST | mirror | only the operator knows its other keys | If providing both mirror and witness services, checkpoints signed only with the witness key(s), if any, MUST NOT be exchanged for subtrees signed by the mirror key(s).
subtree-identity | MUST | mirror | only the operator knows its other keys | If the submission prefixes for the two services are the same, the mirror MUST use the same identity (or identities) when signing the subtree as was (or were) used to sign and verify the reference checkpoint.
# Request Body
body | MUST | (mirror) | | The request body MUST have \`Content-Type\` of \`application/octet-stream\` and contain the following values, concatenated.
upload-end | MUST | mirror | binds clients | \`upload_end\` MUST be equal to the pending checkpoint's tree size, or that of a previously valid pending checkpoint.
upload-start | MUST | (mirror) | | \`upload_start\` MUST be less or equal to \`upload_end\`.
prefix | MUST | (mirror) | | The request MUST contain a prefix of the canonical sequence: zero or more packages, each exactly as specified below, in order.
package | MUST | mirror | binds clients | Each package MUST contain the following values, concatenated.
num-hashes | MUST | (mirror) | | 1 byte, encoding an 8-bit unsigned integer, \`num_hashes\`, which MUST be at most 63
compress | SHOULD | mirror | binds clients | The request body for \`add-entries\` SHOULD be compressed at the HTTP layer.
gzip | MUST | mirror | | Mirrors MUST support receiving \`Content-Encoding: gzip\` in \`add-entries\` requests.
accept-encoding | SHOULD | mirror | | When sending responses, mirrors SHOULD send an \`Accept-Encoding\` header that includes \`gzip\` and any other supported compression algorithms.
# Processing
stream | SHOULD | mirror | how a program reads a body is not visible | The request body has unbounded size, so the client and mirror SHOULD stream it.
unknown-origin | MUST | mirror | | If \`log_origin\` is not a known log, the mirror MUST respond with a "404 Not Found" HTTP status code.
no-pending | MUST | mirror | | If the mirror has never received a pending checkpoint signed by the log, the mirror MUST respond with a "422 Unprocessable Entity" HTTP status code.
unknown-end | MUST | mirror | | If \`upload_end\` is neither a known pending checkpoint value nor the mirror checkpoint's tree size, the mirror MUST respond with a "409 Conflict" HTTP status code.
small-end | MUST | mirror | | If \`upload_end\` is less than the mirror checkpoint's tree size, the mirror MUST respond with a "409 Conflict" HTTP status code.
late-start | MUST | mirror | | If \`upload_start\` is greater than the mirror's next entry, the mirror MUST respond with a "409 Conflict" HTTP status code.
excess | MUST | mirror | each mirror chooses its limit | If \`excess_entries\` is too large, the mirror MUST respond with a "409 Conflict" HTTP status code.
early-errors | SHOULD | mirror | depends on buffers between client and mirror | The mirror SHOULD send these error responses without waiting for the entire request body to be available.
client-errors | SHOULD | mirror | binds clients | Conversely, the client SHOULD be prepared to receive an error response before the request body is fully sent.
authenticate | MUST | mirror | | For each entry package, it MUST authenticate the entries by verifying the subtree consistency proof:
authenticate-status | MUST | mirror | | If this verification process fails, it MUST respond with a "422 Unprocessable Entity" HTTP status code and end processing.
skip | MUST | mirror | what a mirror writes again is not visible | If some entry has already been written to the log or the pending entry list, the mirror MUST skip saving that entry.
partial | MUST | mirror | | If at least one entry package was authenticated and saved, but the mirror has not yet received all packages covering \`[upload_start, upload_end)\`, the mirror MUST respond with a "202 Accepted" response carrying the advanced next entry.
nothing | MUST | mirror | | If the canonical sequence is not empty, and no entry package was authenticated and saved before the body ended (for example, the request header itself was malformed, or the first package's bytes were truncated mid-package), the mirror MUST respond with a "400 Bad Request" HTTP status code.
info | MUST | mirror | | When sending a "409 Conflict" or "202 Accepted" response, the response body MUST have a \`Content-Type\` of \`text/x.tlog.mirror-info\` and consist of three lines, each followed by a newline (U+000A):
info-end | SHOULD | mirror | | If the client's \`upload_end\` value was valid, the first line SHOULD contain \`upload_end\`.
info-pending | SHOULD | mirror | | Otherwise, the first line SHOULD be the tree size of the current pending checkpoint.
retry | SHOULD | mirror | binds clients | After receiving a "409 Conflict" or "202 Accepted" response, the client SHOULD retry setting \`upload_end\` to the tree size, \`upload_start\` to the advertised next entry value, and the \`ticket\` to the received ticket.
several-pending | SHOULD | mirror | | To reduce the chance of retry failures as the mirror state changes, mirrors SHOULD accept any of the last several pending checkpoint values as \`upload_end\`.
ticket | MUST | mirror | what a mirror derives from a ticket is not visible | The mirror MUST authenticate any information it derives from a ticket.
late-small-end | MUST | mirror | needs a race within one request | If \`upload_end\` was too small, the mirror MUST respond with a "409 Conflict" HTTP status code, as described above.
success | MUST | mirror | | Otherwise, the mirror MUST respond with a "200 Success" HTTP status code.
lines | MUST | mirror | | The response body MUST be formatted as in a [witness][]'s successful \`add-checkpoint\` response: a sequence of one or more [note][] signature lines, each starting with the \`—\` character (U+2014) and ending with a newline character (U+000A).
cosignatures | MUST | mirror | | The signatures MUST be [cosignatures][cosignature] from the mirror key(s) on the checkpoint.
client-ignores | MUST | mirror | binds clients | As in the witness protocol, the client MUST ignore any cosignatures from unknown keys.
persist | MUST | mirror | needs a power failure or a kill between storing and answering | The mirror MUST persist the new checkpoint before responding.
# Implementation Considerations
concurrent | SHOULD | mirror | needs a request that is held open | A mirror SHOULD permit multiple clients to concurrently send requests to the endpoint.
interrupted | MUST | mirror | | Additionally, clients and mirrors MUST continue operating correctly if an \`add-entries\` stream is interrupted.
valid-copy | MUST | mirror | the copy that a mirror acts on is not visible | When checking the \`upload_start\` and \`upload_end\` values, the mirror MUST act on *some* valid copy of its pending checkpoint and next index state.
concurrent-entries | MUST | mirror | needs a race within one request | Mirrors MUST correctly handle this case and continue operating correctly.
no-rewind | MUST | mirror | needs a race within one request | In this case, the mirror MUST NOT rewind the checkpoint and MUST instead skip the update.
durable | MUST | mirror | needs a power failure or a kill between storing and answering | However, the mirror MUST NOT sign or update its mirror checkpoint until all entries are durably committed.
first-missing | MUST | mirror | the order of commits is not visible | If the mirror commits entries out of order, it MUST correctly compute the next entry to be the *first* missing entry, even if some subsequent entries have been committed.
request-limit | SHOULD | mirror | binds clients | To work around per-request body size limits on common hosting platforms, clients SHOULD limit each \`add-entries\` request to at most 32 entry packages (8192 entries).
# Pruning and Retention Policies
not-pruned | MUST | mirror | | In particular, without a [retention policy][] for when pruning is permitted, mirrors MUST NOT be pruned.
minimum-zero | MUST | mirror | | That is, the minimum index value MUST be set to zero.
lower-minimum | MUST | mirror | binds who runs several mirrors | However, for a new mirror to be initialized at a lower minimum index than the origin log, the missing entries MUST be available from some other source, e.g. another mirror.
quorum | MUST | mirror | binds clients | However, in this case, log clients MUST NOT treat the mirror as contributing to a quorum for entries below its minimum index.
authenticate-old | MUST | mirror | how a mirror gets older entries is not specified | Before committing these entries, the mirror MUST authenticate them against its mirror or pending checkpoint by checking a [subtree consistency proof][].
`;
