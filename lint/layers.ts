/**
 * A lint plugin that enforces the architecture: imports point down the layers, folders of one layer
 * do not import each other, the verifier uses only its arguments, browser code uses only browser
 * APIs, and clock and environment are each read in one place.
 *
 * @module
 */

/**
 * Folders of `src/`, lowest layer first. A folder that is not named belongs to the one that contains it.
 */
const LAYERS: readonly (readonly string[])[] = [
  ["base"],
  ["base/threads", "proof/crypto"],
  ["proof/merkle", "proof/format"],
  ["proof/verify"],
  ["client", "proof/timestamp"],
  [
    "witness",
    "gateway",
    "gateway/anchors",
    "gateway/federation",
    "gateway/timestamping",
    "gateway/tokens",
    "gateway/witnessing",
    "logs/audit",
    "logs/conformance",
    "logs/publishing",
    "http/limits",
  ],
  ["storage", "config", "http/metrics", "http/outgoing", "logs/audit/published", "logs/monitor"],
  ["http", "explorer"],
  ["server"],
  ["cli"],
];

/** `main.ts` is above all layers. */
const MAIN_LAYER = LAYERS.length;

/** The highest layer that the page imports, because it runs in a browser, and what else does. */
const EXPLORER_LAYER_LIMIT = 4;
const RUN_BY_EXPLORER = "logs/publishing";

/** Sources that the page loads: all but the script that builds the page. */
const RUN_BY_BROWSERS = /^src\/(client\/|logs\/publishing\/|explorer\/(?!build\.ts$))/;
const WASM_IMPORTER = "src/proof/crypto/wasm_kernels.ts";
/** Compiled and committed files, which are read as files and never imported. */
const BUILT = /^(src\/explorer|wasm)\/build\//;
const CLOCK = "src/base/clock.ts";
/** Files that set timers of the machine to bound connections. So does the explorer, in a browser. */
const TIMER_SETTERS = new Set([
  "src/gateway/events/event_feed.ts",
  "src/http/events/event_connection.ts",
  "src/http/events/event_socket_listener.ts",
  "src/http/events/events_socket.ts",
  "src/http/events/events_stream.ts",
  "src/http/listen.ts",
  "src/http/metrics/thread_metrics.ts",
]);
const ENVIRONMENT_READERS = new Set(["main.ts", "src/server/io.ts"]);

/** Globals that give access to anything beyond a function's arguments. */
const OUTSIDE_WORLD = new Set([
  "BroadcastChannel",
  "Date",
  "Deno",
  "EventSource",
  "Temporal",
  "WebSocket",
  "Worker",
  "XMLHttpRequest",
  "caches",
  "console",
  "document",
  "fetch",
  "globalThis",
  "indexedDB",
  "localStorage",
  "location",
  "navigator",
  "performance",
  "process",
  "prompt",
  "self",
  "sessionStorage",
  "setInterval",
  "setTimeout",
  "window",
]);

const ROOT = new URL("../", import.meta.url);

/** The path of a file below the project's folder, or `undefined` for one elsewhere. */
function pathInProject(url: string): string | undefined {
  return url.startsWith(ROOT.href) ? decodeURI(url.slice(ROOT.href.length)) : undefined;
}

function urlOfFile(filename: string): string {
  if (filename.startsWith("file:")) return filename;
  const path = filename.replaceAll("\\", "/");
  return new URL(encodeURI(path.startsWith("/") ? path : `/${path}`), "file:///").href;
}

/** The innermost folder of {@linkcode LAYERS} that contains `path`, and its layer. */
function unitOf(path: string): { readonly unit: string; readonly layer: number } | undefined {
  if (path === "main.ts") return { unit: path, layer: MAIN_LAYER };
  if (!path.startsWith("src/")) return undefined;
  const folders = path.split("/").slice(1, -1);
  for (let depth = folders.length; depth > 0; depth--) {
    const unit = folders.slice(0, depth).join("/");
    const layer = LAYERS.findIndex((units) => units.includes(unit));
    if (layer >= 0) return { unit, layer };
  }
  return { unit: path.slice("src/".length), layer: -1 };
}

/** Why `path` must not import `specifier`, or `undefined`. */
function importFault(path: string, specifier: string): string | undefined {
  const from = unitOf(path);
  if (from === undefined) return undefined;
  if (from.layer < 0) return `"${from.unit}" has no layer: name it in lint/layers.ts`;
  if (/^(file:|\/|https?:|jsr:)/.test(specifier)) {
    return `"${specifier}" is neither a relative path nor an npm package`;
  }
  if (!specifier.startsWith(".")) return undefined;
  const target = pathInProject(new URL(specifier, new URL(path, ROOT)).href);
  if (target === "deno.json" || target?.endsWith(".wasm")) return undefined;
  if (target !== undefined && BUILT.test(target)) return undefined;
  const to = target === undefined ? undefined : unitOf(target);
  if (to === undefined) return `"${specifier}" is no source of the program`;
  if (to.layer < 0) return `"${to.unit}" has no layer: name it in lint/layers.ts`;
  if (from.unit === to.unit) return undefined;
  if (to.layer > from.layer) return `${from.unit} must not import ${to.unit}, which is above it`;
  if (to.layer === from.layer) {
    return `${from.unit} must not import ${to.unit}, its sibling`;
  }
  const isForBrowsers = to.layer <= EXPLORER_LAYER_LIMIT || to.unit === RUN_BY_EXPLORER;
  if (from.unit === "explorer" && !isForBrowsers) {
    return `explorer must not import ${to.unit}, which no browser runs`;
  }
  return undefined;
}

/** Calls `check` with each specifier that a file imports, by any syntax. */
function visitImports(
  check: (specifier: string | undefined, node: Deno.lint.Node) => void,
): Deno.lint.LintVisitor {
  const textOf = (node: { type: string } | null | undefined) =>
    node?.type === "Literal" && "value" in node && typeof node.value === "string"
      ? node.value
      : undefined;
  return {
    ImportDeclaration: (node) => check(node.source.value, node),
    ExportNamedDeclaration(node) {
      if (node.source) check(textOf(node.source), node);
    },
    ExportAllDeclaration: (node) => check(textOf(node.source), node),
    ImportExpression: (node) => check(textOf(node.source), node),
    TSImportType: (node) =>
      check(
        node.argument.type === "TSLiteralType" ? textOf(node.argument.literal) : undefined,
        node,
      ),
    // new Worker(new URL("./worker.ts", import.meta.url)) and the like.
    NewExpression(node) {
      if (node.callee.type !== "Identifier" || node.callee.name !== "URL") return;
      const specifier = textOf(node.arguments[0]);
      if (specifier?.startsWith(".")) check(specifier, node);
    },
  };
}

function isMember(node: Deno.lint.MemberExpression, object: string, property: string): boolean {
  if (node.object.type !== "Identifier" || node.object.name !== object) return false;
  return node.property.type === "Identifier"
    ? !node.computed && node.property.name === property
    : node.property.type === "Literal" && node.property.value === property;
}

/** True if an identifier names a member, a key or a type, not a value. */
function isNameOnly(node: Deno.lint.Identifier): boolean {
  const { parent } = node;
  if (parent.type === "MemberExpression") return parent.property === node && !parent.computed;
  if (parent.type === "Property" || parent.type === "MethodDefinition") {
    return parent.key === node && !parent.computed;
  }
  return /^TS(PropertySignature|MethodSignature|TypeReference|QualifiedName|EnumMember)/
    .test(parent.type);
}

/** The rule's visitor for files of the program; none for others. */
function forSources(
  context: Deno.lint.RuleContext,
  visitor: (path: string) => Deno.lint.LintVisitor,
): Deno.lint.LintVisitor {
  const path = pathInProject(urlOfFile(context.filename));
  if (path === undefined || !(path === "main.ts" || path.startsWith("src/"))) return {};
  return visitor(path);
}

const plugin: Deno.lint.Plugin = {
  name: "layers",
  rules: {
    imports: {
      create: (context) =>
        forSources(context, (path) =>
          visitImports((specifier, node) => {
            const message = specifier === undefined
              ? "An import names its module by one literal text"
              : importFault(path, specifier);
            if (message !== undefined) context.report({ node, message });
          })),
    },
    wasm: {
      create: (context) =>
        forSources(context, (path) =>
          visitImports((specifier, node) => {
            if (specifier?.endsWith(".wasm") && path !== WASM_IMPORTER) {
              context.report({ node, message: `Only ${WASM_IMPORTER} imports WebAssembly` });
            }
          })),
    },
    purity: {
      create: (context) =>
        forSources(context, (path) => {
          if (!path.startsWith("src/proof/verify/")) return {};
          return {
            ...visitImports((specifier, node) => {
              if (specifier?.startsWith("node:")) {
                context.report({ node, message: "The offline verifier imports no node: module" });
              }
            }),
            Identifier(node) {
              if (!OUTSIDE_WORLD.has(node.name) || isNameOnly(node)) return;
              context.report({
                node,
                message: `The offline verifier has no ${node.name}: what it needs, it is given`,
              });
            },
          };
        }),
    },
    browser: {
      create: (context) =>
        forSources(context, (path) => {
          if (!RUN_BY_BROWSERS.test(path)) return {};
          return {
            ...visitImports((specifier, node) => {
              if (specifier?.startsWith("node:")) {
                context.report({ node, message: "Browsers have no node: modules" });
              }
            }),
            Identifier(node) {
              if (node.name !== "Deno" || isNameOnly(node)) return;
              context.report({ node, message: "Browsers have no Deno" });
            },
          };
        }),
    },
    environment: {
      create: (context) =>
        forSources(context, (path) => {
          if (ENVIRONMENT_READERS.has(path)) return {};
          return {
            MemberExpression(node) {
              if (!isMember(node, "Deno", "env") && !isMember(node, "process", "env")) return;
              context.report({
                node,
                message: "Only src/server/io.ts reads the environment",
              });
            },
          };
        }),
    },
    clock: {
      create: (context) =>
        forSources(context, (path) => {
          if (path === CLOCK) return {};
          const message = `Time is an injected Clock: only ${CLOCK} reads the machine's`;
          return {
            MemberExpression(node) {
              if (isMember(node, "Date", "now") || isMember(node, "Temporal", "Now")) {
                context.report({ node, message });
              }
            },
            NewExpression(node) {
              if (
                node.callee.type === "Identifier" && node.callee.name === "Date" &&
                node.arguments.length === 0
              ) context.report({ node, message });
            },
          };
        }),
    },
    timers: {
      create: (context) =>
        forSources(context, (path) => {
          // The purity rule covers the verifier.
          if (
            path === CLOCK || TIMER_SETTERS.has(path) ||
            /^src\/(explorer|proof\/verify)\//.test(path)
          ) {
            return {};
          }
          const message =
            `A timer goes through an injected Clock: only ${CLOCK} sets the machine's`;
          return {
            Identifier(node) {
              if (
                (node.name === "setTimeout" || node.name === "setInterval") && !isNameOnly(node)
              ) {
                context.report({ node, message });
              }
            },
            MemberExpression(node) {
              if (isMember(node, "AbortSignal", "timeout")) context.report({ node, message });
            },
          };
        }),
    },
  },
};

// The linter requires a default export.
export default plugin;
