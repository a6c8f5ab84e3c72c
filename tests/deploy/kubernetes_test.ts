/**
 * `deploy/kubernetes`: TypeScript holds each object against the types of the Kubernetes API, which refuses
 * unknown and missing members. No cluster is started.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { StatefulSet } from "kubernetes-types/apps/v1";
import type { Container, PodSpec, Service } from "kubernetes-types/core/v1";
import type { PodDisruptionBudget } from "kubernetes-types/policy/v1";
import { parse, parseAllDocuments } from "yaml";
import { run } from "../scenarios/program.ts";
import { inFolder } from "../server/captured_io.ts";
import { runTool } from "../system/tools.ts";

const FOLDER = fileURLToPath(new URL("../../deploy/kubernetes", import.meta.url));
const CONFIG = fileURLToPath(new URL("../deno.json", import.meta.url));

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

async function manifests(): Promise<Manifest[]> {
  const all: Manifest[] = [];
  for await (const { name } of Deno.readDir(FOLDER)) {
    for (const document of parseAllDocuments(await Deno.readTextFile(join(FOLDER, name)))) {
      if ("errors" in document) assert.deepEqual([name, document.errors], [name, []]);
      all.push(document.toJS());
    }
  }
  return all;
}

/** The errors of TypeScript, if `all` were written as constants of the types that they name. */
async function typeErrors(all: readonly Manifest[]): Promise<string> {
  const lines = all.flatMap((manifest, i) => {
    const { apiVersion, kind } = manifest;
    const group = apiVersion.includes("/") ? apiVersion : `core/${apiVersion}`;
    return [
      `import type { ${kind} as T${i} } from "kubernetes-types/${group}";`,
      `export const m${i}: T${i} = ${JSON.stringify(manifest)};`,
    ];
  });
  const folder = await Deno.makeTempDir();
  try {
    const file = join(folder, "manifests.ts");
    await Deno.writeTextFile(file, lines.join("\n"));
    const args = ["check", "--quiet", "--config", CONFIG, file];
    const { code, stderr } = await runTool(Deno.execPath(), args, { cwd: folder });
    assert.equal(code === 0, stderr === "", stderr);
    return stderr;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Objects that run pods. */
async function workloads(): Promise<StatefulSet[]> {
  const all = await manifests();
  return all.filter(({ kind }) => ["StatefulSet", "Deployment"].includes(kind)) as StatefulSet[];
}

async function ofKind<T>(kind: string): Promise<T[]> {
  return (await manifests()).filter((manifest) => manifest.kind === kind) as T[];
}

function podOf({ spec }: StatefulSet): PodSpec {
  return spec!.template.spec!;
}

function labelsOf({ spec }: StatefulSet): Record<string, string> {
  return spec!.template.metadata!.labels!;
}

function isSelected(selector: Record<string, string>, labels: Record<string, string>): boolean {
  return Object.entries(selector).every(([name, value]) =>
    name === "statefulset.kubernetes.io/pod-name" || labels[name] === value
  );
}

Deno.test("the manifests have the types of the Kubernetes API, which refuse a misspelled member", async () => {
  const all = await manifests();
  assert.equal(await typeErrors(all), "");
  const wrong = JSON.parse(
    JSON.stringify(all).replace("readOnlyRootFilesystem", "readonlyRootFilesystem"),
  );
  assert.match(await typeErrors(wrong), /readonlyRootFilesystem/);
});

Deno.test("no container runs as root, writes to its image, or gains privileges", async () => {
  for (const workload of await workloads()) {
    const pod = podOf(workload);
    assert.equal(pod.automountServiceAccountToken, false);
    assert.equal(pod.securityContext?.runAsNonRoot, true);
    assert.ok(pod.securityContext.runAsUser! > 0);
    assert.deepEqual(pod.securityContext.seccompProfile, { type: "RuntimeDefault" });
    for (const { securityContext, resources } of [...pod.initContainers ?? [], ...pod.containers]) {
      assert.deepEqual(securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
      assert.ok(resources?.requests?.memory && resources.limits?.memory);
    }
  }
});

Deno.test("secrets are files, mounts have volumes, and containers have probes", async () => {
  for (const workload of await workloads()) {
    const { containers, initContainers = [], volumes = [] } = podOf(workload);
    const claims = workload.spec!.volumeClaimTemplates ?? [];
    const names = [...volumes, ...claims.map(({ metadata }) => ({ name: metadata!.name! }))]
      .map(({ name }) => name);
    for (const { env = [], volumeMounts = [] } of [...initContainers, ...containers]) {
      for (const { name, valueFrom } of env) {
        assert.deepEqual(Object.keys(valueFrom ?? { fieldRef: {} }), ["fieldRef"]);
        assert.doesNotMatch(name, /PASSWORD$|TOKEN|KEY$/);
      }
      for (const { name } of volumeMounts) assert.ok(names.includes(name), name);
    }
    for (const { readinessProbe, livenessProbe } of containers) {
      assert.ok(readinessProbe && livenessProbe);
    }
  }
});

Deno.test("services reach ports of pods, and budgets keep one pod of each that has several", async () => {
  const all = await workloads();
  for (const { spec } of await ofKind<Service>("Service")) {
    const [workload, ...others] = all.filter((each) => isSelected(spec!.selector!, labelsOf(each)));
    assert.ok(workload && others.length === 0, JSON.stringify(spec!.selector));
    const ports = podOf(workload).containers.flatMap(({ ports = [] }: Container) =>
      ports.map(({ name }) => name)
    );
    for (const { targetPort } of spec!.ports!) assert.ok(ports.includes(String(targetPort)));
  }
  const budgets = await ofKind<PodDisruptionBudget>("PodDisruptionBudget");
  for (const workload of all.filter(({ spec }) => (spec!.replicas ?? 1) > 1)) {
    const [budget] = budgets.filter(({ spec }) =>
      isSelected(spec!.selector!.matchLabels!, labelsOf(workload))
    );
    assert.equal(budget?.spec?.minAvailable, 1);
  }
});

Deno.test("a gateway knows the arguments of its container", async () => {
  const workload = (await workloads()).find(({ metadata }) => metadata!.name === "gateway")!;
  const [container] = podOf(workload).containers;
  await inFolder(async (folder) => {
    const { code, stderr } = await run(container!.args!, { cwd: folder });
    assert.equal(code, 1, stderr);
    assert.ok(stderr.includes('Cannot read "/config/network.json"'), stderr);
  });
});

Deno.test("the services of the compose file know their arguments, and depend on services", async () => {
  const text = await Deno.readTextFile(join(FOLDER, "..", "compose.yaml"));
  const { services } = parse(text, { merge: true }) as {
    services: Record<string, { command?: string[]; depends_on?: object }>;
  };
  for (const [name, { command, depends_on = {} }] of Object.entries(services)) {
    const needed = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);
    for (const other of needed) assert.ok(other in services, `${name} needs ${other}`);
    if (command === undefined) continue;
    await inFolder(async (folder) => {
      const { code, stderr } = await run(command, { cwd: folder });
      assert.equal(code, 1, stderr);
      assert.match(stderr, /Cannot read "\/config\/network\.json"/);
    });
  }
});

Deno.test("nginx accepts the configuration of the proxy", () =>
  inFolder(async (folder) => {
    const [configuration] = await ofKind<{ data: Record<string, string> }>("ConfigMap");
    const server = configuration!.data["default.conf"]!.replaceAll(
      /gateway-[ab]:/g,
      "127.0.0.1:",
    );
    const file = join(folder, "nginx.conf");
    await Deno.writeTextFile(
      file,
      `pid ${folder}/pid; events {} http { access_log off; ${server} }`,
    );
    const args = ["-t", "-q", "-e", "stderr", "-p", folder, "-c", file];
    const { code, stderr } = await runTool("nginx", args, { cwd: folder });
    assert.equal(code, 0, stderr);
  }));
