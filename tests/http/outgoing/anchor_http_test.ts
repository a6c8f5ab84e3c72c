import assert from "node:assert/strict";
import { textOf, utf8 } from "../../../src/base/bytes.ts";
import { CountersignError, hasCode } from "../../../src/base/errors.ts";
import { FetchAnchorHttp } from "../../../src/http/outgoing/anchor_http.ts";
import { withCode } from "../../witness/fixture.ts";
import { patience, served } from "./fixture.ts";

const http = new FetchAnchorHttp({ insecure: false });
const MEBIBYTE = 1024 * 1024;

Deno.test("FetchAnchorHttp.request() sends the request and returns answers of any status", async () => {
  const handler = async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    const body = await request.text();
    const sent = [request.method, pathname + search, request.headers.get("Accept"), body];
    return new Response(JSON.stringify(sent), {
      status: 418,
      headers: { "Content-Type": "Application/JSON ; charset=utf-8" },
    });
  };
  await served(handler, async (url) => {
    const post = await http.request(new URL(`${url}/a/b?c=d`), {
      method: "POST",
      headers: { "Accept": "x/y" },
      body: utf8("digest"),
    }, patience());
    assert.deepEqual([post.status, post.contentType], [418, "application/json"]);
    assert.deepEqual(JSON.parse(textOf(post.body)), ["POST", "/a/b?c=d", "x/y", "digest"]);
    const get = await http.request(new URL(url), { method: "GET" }, patience());
    assert.deepEqual(JSON.parse(textOf(get.body)).slice(0, 2), ["GET", "/"]);
  });
});

Deno.test("FetchAnchorHttp.request() returns an empty content type when there is none", async () => {
  await served(() => new Response(null), async (url) => {
    const { contentType, body } = await http.request(new URL(url), { method: "GET" }, patience());
    assert.deepEqual([contentType, body.length], ["", 0]);
  });
});

Deno.test("FetchAnchorHttp.request() does not send cookies back", async () => {
  const cookies: (string | null)[] = [];
  const handler = (request: Request) => {
    cookies.push(request.headers.get("Cookie"));
    return new Response("", { headers: { "Set-Cookie": "id=1; Path=/" } });
  };
  await served(handler, async (url) => {
    for (let i = 0; i < 2; i++) await http.request(new URL(url), { method: "GET" }, patience());
  });
  assert.deepEqual(cookies, [null, null]);
});

Deno.test("FetchAnchorHttp.request() does not follow redirects", async () => {
  const paths: string[] = [];
  for (const status of [301, 302, 303, 307, 308]) {
    const handler = (request: Request) => {
      paths.push(new URL(request.url).pathname);
      return new Response("", { status, headers: { "Location": "/elsewhere" } });
    };
    await served(handler, async (url) => {
      await assert.rejects(
        http.request(new URL(url), { method: "GET" }, patience()),
        withCode("anchor_unreachable"),
      );
    });
  }
  assert.deepEqual(paths, Array(5).fill("/"));
});

Deno.test("FetchAnchorHttp.request() limits a body to 1 MiB", async () => {
  for (const [length, fits] of [[MEBIBYTE, true], [MEBIBYTE + 1, false]] as const) {
    await served(() => new Response(new Uint8Array(length)), async (url) => {
      const asked = http.request(new URL(url), { method: "GET" }, patience());
      if (fits) assert.equal((await asked).body.length, length);
      else await assert.rejects(asked, withCode("anchor_unreachable"));
    });
  }
});

Deno.test("FetchAnchorHttp.request() times out, also while it reads the body", async () => {
  const hurried = new FetchAnchorHttp({ insecure: false, timeoutMs: 100 });
  const silent = () => new ReadableStream({ start: (to) => to.enqueue(utf8("begun")) });
  for (
    const handler of [
      () => new Promise<Response>((resolve) => setTimeout(resolve, 400, new Response("late"))),
      () => new Response(silent()),
    ]
  ) {
    await served(handler, async (url) => {
      await assert.rejects(
        hurried.request(new URL(url), { method: "GET" }, patience()),
        withCode("anchor_unreachable"),
      );
    });
  }
});

Deno.test("FetchAnchorHttp.request() stops when its signal aborts", async () => {
  const late = () => new Promise<Response>((resolve) => setTimeout(resolve, 300, new Response()));
  await served(late, async (url) => {
    const stop = new AbortController();
    const asked = http.request(new URL(url), { method: "GET" }, stop.signal);
    stop.abort();
    await assert.rejects(asked, withCode("anchor_unreachable"));
  });
});

Deno.test("FetchAnchorHttp.request() names only the host of a URL in errors", async () => {
  const url = new URL("http://127.0.0.1:1/a/secret/path");
  await assert.rejects(http.request(url, { method: "GET" }, patience()), (error) => {
    assert.ok(error instanceof CountersignError);
    assert.equal(error.code, "anchor_unreachable");
    assert.match(error.message, /127\.0\.0\.1:1/);
    assert.doesNotMatch(error.message, /secret/);
    return true;
  });
});

Deno.test("FetchAnchorHttp.request() rejects http: beyond loopback, and URLs with credentials", async () => {
  for (const url of ["http://tsa.example/", "http://user:pw@127.0.0.1:1/", "ftp://127.0.0.1/"]) {
    await assert.rejects(
      http.request(new URL(url), { method: "GET" }, patience()),
      (error) => {
        assert.ok(hasCode(error, "invalid_configuration"));
        assert.doesNotMatch(error.message, /pw/);
        return true;
      },
    );
  }
});
