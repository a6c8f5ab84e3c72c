/**
 * Ways to change a gateway's answers, wherever the changed resource stands in them.
 *
 * @module
 */

import type {
  ConsistencyProof,
  InclusionProof,
  ProofBundle,
  SignedAttestation,
} from "../../src/proof/format/bundle.ts";
import type { SignedTreeHead } from "../../src/proof/format/tree_head.ts";
import type { JobSnapshotMembers } from "../../src/proof/format/job_snapshot.ts";
import type { Asked, Change, Route } from "./lying_server.ts";
import type { World } from "./world.ts";

/** Makes another resource of a genuine one. */
export type Edit<T> = (resource: T, world: World) => unknown;

const JOB_ROUTES = ["submit", "bulk", "job"] as const satisfies readonly Route[];

/** Edits the JSON of answers; refusals stay unchanged. */
export function editing<T>(routes: readonly Route[], edit: (resource: T, asked: Asked) => unknown) {
  const answer = async (asked: Asked): Promise<Response> => {
    const response = await asked.honest();
    if (!response.ok) return response;
    const changed = await edit(await response.json(), asked);
    return Response.json(changed, { status: response.status });
  };
  return { routes, answer } satisfies Change;
}

/** Edits every job. */
export function jobs(edit: Edit<JobSnapshotMembers>): Change[] {
  return [
    editing<JobSnapshotMembers | JobSnapshotMembers[]>(
      JOB_ROUTES,
      (found, { world }) =>
        Array.isArray(found)
          ? Promise.all(found.map((job) => edit(job, world)))
          : edit(found, world),
    ),
  ];
}

/** Edits every signed attestation: those of jobs and of bundles. */
export function attestations(edit: Edit<SignedAttestation>): Change[] {
  return [
    ...jobs(async (job, world) => ({
      ...job,
      signed_attestation: job.signed_attestation && await edit(job.signed_attestation, world),
    })),
    ...bundles(async (bundle, world) => ({
      ...bundle,
      signed_attestation: await edit(bundle.signed_attestation, world),
    })),
  ];
}

/** Edits every bundle. */
export function bundles(edit: Edit<ProofBundle>): Change[] {
  return [editing<ProofBundle>(["bundle"], (bundle, { world }) => edit(bundle, world))];
}

/** The batch layer of a bundle that has one. */
export type BatchInclusion = NonNullable<ProofBundle["batch_inclusion"]>;

/** Edits the batch layer of every bundle. */
export function inclusions(edit: Edit<BatchInclusion>): Change[] {
  return bundles(async (bundle, world) => ({
    ...bundle,
    batch_inclusion: bundle.batch_inclusion && await edit(bundle.batch_inclusion, world),
  }));
}

/** Edits every signed tree head: alone, in proofs and in bundles. */
export function heads(edit: Edit<SignedTreeHead>): Change[] {
  return [
    editing<SignedTreeHead>(["latest sth", "sth"], (sth, { world }) => edit(sth, world)),
    editing<ConsistencyProof>(["consistency"], async (proof, { world }) => ({
      ...proof,
      first_sth: await edit(proof.first_sth, world),
      second_sth: await edit(proof.second_sth, world),
    })),
    editing<InclusionProof>(["inclusion"], async (proof, { world }) => ({
      ...proof,
      sth: await edit(proof.sth, world),
    })),
    ...inclusions(async (inclusion, world) => ({
      ...inclusion,
      sth: await edit(inclusion.sth, world),
    })),
  ];
}

/** Replaces the answer by an impostor's answer to the same request. */
export function fromImpostor(which: "fork" | "twin", routes: readonly Route[]): Change[] {
  return [{ routes, answer: ({ impostor }) => impostor(which) }];
}

/** Replaces the answer by the gateway's answer to another request. */
export function forwarded(routes: readonly Route[], path: (asked: Asked) => string): Change[] {
  return [{ routes, answer: (asked) => asked.honest(path(asked)) }];
}

/** Answers with a problem document. */
export function refusing(routes: readonly Route[], status: number, code: string): Change[] {
  return [{ routes, answer: refusal(status, code) }];
}

/** A problem document as an answer. */
export function refusal(status: number, code: string): () => Response {
  return () =>
    Response.json({ type: "about:blank", title: code, status, detail: `Says ${code}`, code }, {
      status,
      headers: { "Content-Type": "application/problem+json" },
    });
}

/** `digits` with one changed: another hash or signature of the same length. */
export function otherHex(digits: string): string {
  return (digits[0] === "0" ? "1" : "0") + digits.slice(1);
}
