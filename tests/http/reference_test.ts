import assert from "node:assert/strict";
import { asyncApiDocument } from "../../src/http/reference/asyncapi_route.ts";
import { Markup, markup, prose } from "../../src/http/reference/markup.ts";
import { referencePage } from "../../src/http/reference/reference_routes.ts";
import { AppClient, RefusingService } from "./gateway_server.ts";

const client = new AppClient(new RefusingService("internal"));

async function servedPage(): Promise<string> {
  return await (await client.get("/docs")).text();
}

/** Fragments that the page links to and does not have. */
function brokenLinks(page: string): string[] {
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!);
  assert.equal(new Set(ids).size, ids.length, "no id stands twice");
  return [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id!)
    .filter((id) => !ids.includes(id));
}

/** The part of `page` about the operation `id`. */
function sectionOf(page: string, id: string): string {
  const [, section = ""] = page.split(`<section class="operation" id="${id}">`);
  return section.split('<section class="operation"')[0]!;
}

Deno.test("the reference page has every operation, answer and schema of the document", async () => {
  const page = await servedPage();
  const document = await client.document();
  for (const operation of document.operations) {
    const { id, path, method } = operation;
    const own = sectionOf(page, id);
    assert.ok(own.includes(`<code>${path}</code>`) && own.includes(method.toUpperCase()), id);
    for (const [status, { description }] of Object.entries(document.responses(operation))) {
      if (Number(status) >= 400) continue;
      assert.ok(own.includes(`>${status}</span>`), `${id} ${status}`);
      assert.ok(own.includes(prose(description).html), description);
    }
  }
  const { schemas } = document.value["components"] as { schemas: Record<string, unknown> };
  for (const name of Object.keys(schemas)) assert.ok(page.includes(`id="schema-${name}"`), name);
  assert.deepEqual(brokenLinks(page), []);
  assert.deepEqual(brokenLinks(`${page}<a href="#none">`), ["none"]);
});

Deno.test("the reference page explains each error once, and names it where it is not common", async () => {
  const page = await servedPage();
  const document = await client.document();
  const errors = sectionOf(page, "errors");
  for (const operation of document.operations) {
    for (const [status, { description }] of Object.entries(document.responses(operation))) {
      if (Number(status) < 400) continue;
      const [, row = ""] = errors.split(`<tr id="error-${status}">`);
      assert.match(row, /^.*?<\/td><td>[A-Z].*?\.<\/td><\/tr>/s, `${status} has advice`);
      if (!/^[a-z_]+(, [a-z_]+)*$/.test(description)) continue;
      for (const code of description.split(", ")) {
        assert.ok(row.split("</tr>")[0]!.includes(`<code>${code}</code>`), `${status} ${code}`);
      }
    }
  }
  assert.ok(sectionOf(page, "getBundle").includes("<code>not_confirmed</code>"));
  assert.ok(!sectionOf(page, "getBundle").includes("<code>rate_limited</code>"), "is common");
  assert.ok(page.indexOf('id="quick-start"') < page.indexOf('id="submitAttestation"'));
  assert.ok(page.indexOf('id="errors"') < page.indexOf('id="headers"'));
});

/** The text of HTML without elements. */
function textOf(html: string): string {
  const characters: Readonly<Record<string, string>> = {
    lt: "<",
    gt: ">",
    quot: '"',
    "#39": "'",
    amp: "&",
  };
  return html.replaceAll(/&([a-z]+|#39);/g, (_, name) => characters[name]!);
}

/** The constructor of functions whose body may await. */
const AsyncFunction = (async () => {}).constructor as FunctionConstructor;

Deno.test("each operation of the reference page has samples that make a valid request", async () => {
  const page = await servedPage();
  const { operations } = await client.document();
  for (const { id, method, path } of operations) {
    const samples = [...sectionOf(page, id).matchAll(/<pre tabindex="0">([^<]*)<\/pre>/g)]
      .map(([, sample]) => textOf(sample!));
    const [curl = "", script = ""] = samples;
    const asked: [string, string][] = [];
    const call = async (url: string, init: RequestInit = {}) => {
      asked.push([init.method ?? "GET", url]);
      // The client requires that the request is valid.
      return await client.send(init.method ?? "GET", url, init);
    };
    await AsyncFunction("GATEWAY", "fetch", script)("", call).catch((error: Error) =>
      assert.match(error.message, /^[a-z_]+$/, `${id} is refused with a code`)
    );
    assert.equal(asked.length, 1, id);
    const [[verb, target]] = asked as [[string, string]];
    assert.equal(verb, method.toUpperCase());
    const shape = path.replaceAll(/\{[^}]+\}/g, "[^?]+").replaceAll(".", "\\.");
    assert.match(target, new RegExp(`^${shape}(\\?.*)?$`));
    assert.ok(curl.includes(`"$GATEWAY${target}"`), curl);
    const body = /-d '([^']*)'/.exec(curl)?.[1];
    if (method.toUpperCase() === "POST") assert.ok(JSON.parse(body!));
  }
});

Deno.test("the reference page loads only its style sheet and runs no scripts", async () => {
  const response = await client.get("/docs");
  const page = await response.text();
  assert.equal(response.headers.get("Content-Type"), "text/html; charset=utf-8");
  const policy = response.headers.get("Content-Security-Policy") ?? "";
  assert.match(policy, /^default-src 'none'; style-src 'self'; img-src data:; /);
  assert.ok(!/unsafe|https?:|script-src/.test(policy));
  assert.ok(!/<script|<style| style=| on[a-z]+=|javascript:|src=/.test(page));
  const targets = [...page.matchAll(/href="([^"#][^"]*)"/g)].map(([, href]) => href);
  const known = ["/", "/docs/style.css", "/openapi.json", "/asyncapi.json", "data:,"];
  assert.deepEqual(targets.filter((href) => !known.includes(href!)), []);
  const style = await client.get("/docs/style.css");
  assert.equal(style.headers.get("Content-Type"), "text/css; charset=utf-8");
  assert.ok(!/@import|url\(/.test(await style.text()));
});

Deno.test("the reference page shows channels, messages and schemas of event streams", () => {
  const openApi = {
    info: { title: "a", version: "1", description: "" },
    components: { schemas: { Problem: { type: "object" } } },
  };
  const asyncApi = {
    info: { title: "Events <now>", version: "2" },
    channels: {
      stream: {
        address: "/ws/events",
        description: "What `happens`",
        messages: { hello: { $ref: "#/components/messages/Hello" } },
      },
    },
    operations: {
      send: { action: "send", channel: { $ref: "#/channels/stream" }, summary: "Tells" },
    },
    components: {
      messages: {
        Hello: {
          summary: "The first frame",
          payload: { $ref: "#/components/schemas/Hello" },
          examples: [{ payload: { type: "hello" } }],
        },
      },
      schemas: {
        Hello: { type: "object", properties: { type: { const: "hello" } }, required: ["type"] },
      },
    },
  };
  const page = referencePage({ openApi, asyncApi }, "/style.css");
  for (
    const part of [
      "Events &lt;now&gt;",
      "<code>/ws/events</code>",
      "What <code>happens</code>",
      '<a href="#message-Hello">Hello</a>: The first frame',
      '<a href="#event-schema-Hello">Hello</a>',
      "<code>&quot;hello&quot;</code>",
    ]
  ) assert.ok(page.includes(part), part);
  assert.deepEqual(brokenLinks(page), []);
});

Deno.test("the reference page shows every served message of the event stream", async () => {
  const openApi = (await client.document()).value;
  const asyncApi = { ...asyncApiDocument() };
  const page = referencePage({ openApi, asyncApi }, "/style.css");
  for (const name of Object.keys(asyncApi.components.messages)) {
    assert.ok(page.includes(`id="message-${name}"`), name);
  }
  assert.deepEqual(brokenLinks(page), []);
});

Deno.test("markup`` escapes every value except Markup", () => {
  const hostile = `<b>&"'`;
  assert.equal(markup`<i>${hostile}</i>`.html, "<i>&lt;b&gt;&amp;&quot;&#39;</i>");
  assert.equal(
    markup`${[new Markup("<b>"), hostile, undefined, 1]}`.html,
    "<b>&lt;b&gt;&amp;&quot;&#39;1",
  );
  assert.equal(prose("`<`").html, "<code>&lt;</code>");
});
