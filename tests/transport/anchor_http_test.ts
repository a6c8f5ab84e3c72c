import assert from "node:assert/strict";
import { textOf, utf8 } from "../../src/bytes.ts";
import { CountersignError, hasCode } from "../../src/errors.ts";
import { FetchAnchorHttp } from "../../src/transport/anchor_http.ts";
import { withCode } from "../witness/fixture.ts";
import { patience, served } from "./fixture.ts";

const http = new FetchAnchorHttp({ insecure: false });
const MEBIBYTE = 1024 * 1024;

Deno.test("FetchAnchorHttp sends what it is given and answers any status", async () => {
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

Deno.test("FetchAnchorHttp says nothing of a type that is not there", async () => {
  await served(() => new Response(null), async (url) => {
    const { contentType, body } = await http.request(new URL(url), { method: "GET" }, patience());
    assert.deepEqual([contentType, body.length], ["", 0]);
  });
});

Deno.test("FetchAnchorHttp keeps no cookies", async () => {
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

Deno.test("FetchAnchorHttp follows no redirect", async () => {
  const paths: string[] = [];
  for (const status of [301, 302, 303, 307, 308]) {
    const handler = (request: Request) => {
      paths.push(new URL(request.url).pathname);
      return new Response("", { status, headers: { "Location": "/elsewhere" } });
    };
    await served(handler, async (url) => {
      await assert.rejects(
        http.request(new URL(url), { method: "GET" }, patience()),
        /redirect, which is not followed/,
      );
    });
  }
  assert.deepEqual(paths, Array(5).fill("/"));
});

Deno.test("FetchAnchorHttp takes a mebibyte, and no more", async () => {
  for (const [length, fits] of [[MEBIBYTE, true], [MEBIBYTE + 1, false]] as const) {
    await served(() => new Response(new Uint8Array(length)), async (url) => {
      const asked = http.request(new URL(url), { method: "GET" }, patience());
      if (fits) assert.equal((await asked).body.length, length);
      else await assert.rejects(asked, withCode("anchor_unreachable"));
    });
  }
});

Deno.test("FetchAnchorHttp waits no longer than its time, also in the middle of a body", async () => {
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
        /found none in time/,
      );
    });
  }
});

Deno.test("FetchAnchorHttp stops when it is told to", async () => {
  const late = () => new Promise<Response>((resolve) => setTimeout(resolve, 300, new Response()));
  await served(late, async (url) => {
    const stop = new AbortController();
    const asked = http.request(new URL(url), { method: "GET" }, stop.signal);
    stop.abort();
    await assert.rejects(asked, withCode("anchor_unreachable"));
  });
});

Deno.test("FetchAnchorHttp names the host, and nothing else of a URL, when nobody answers", async () => {
  const url = new URL("http://127.0.0.1:1/a/secret/path");
  await assert.rejects(http.request(url, { method: "GET" }, patience()), (error) => {
    assert.ok(error instanceof CountersignError);
    assert.equal(error.code, "anchor_unreachable");
    assert.match(error.message, /127\.0\.0\.1:1/);
    assert.doesNotMatch(error.message, /secret/);
    return true;
  });
});

Deno.test("FetchAnchorHttp asks in clear text on loopback alone, and shows no credentials", async () => {
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
