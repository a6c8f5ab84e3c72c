import assert from "node:assert/strict";
import { parseServiceUrl } from "../../../src/proof/format/service_url.ts";

const parse = (text: string, insecure = false) => parseServiceUrl(text, { insecure }).href;

Deno.test("parseServiceUrl() takes https anywhere, and ends the path in a slash", () => {
  assert.equal(parse("https://witness.example"), "https://witness.example/");
  assert.equal(parse("https://witness.example:8443/a"), "https://witness.example:8443/a/");
  assert.equal(parse("https://witness.example/a/"), "https://witness.example/a/");
  assert.equal(parse("https://[2001:db8::1]/"), "https://[2001:db8::1]/");
});

Deno.test("parseServiceUrl() takes http on loopback", () => {
  const urls = [
    "http://localhost:1",
    "http://127.0.0.1",
    "http://127.255.255.254:80",
    "http://[::1]:9",
  ];
  for (const url of urls) assert.equal(parse(url), `${new URL(url).href}`);
  // The parser of URLs spells these as 127.0.0.1.
  for (const url of ["http://0x7f.1", "http://2130706433"]) {
    assert.equal(parse(url), "http://127.0.0.1/");
  }
});

Deno.test("parseServiceUrl() takes http elsewhere only when told so", () => {
  const urls = [
    "http://witness.example",
    "http://10.0.0.1",
    "http://128.0.0.1",
    "http://localhost.example",
    "http://127.0.0.1.example",
    "http://xlocalhost",
    "http://[::2]",
    "http://0.0.0.0",
  ];
  for (const url of urls) {
    assert.throws(() => parse(url), { code: "invalid_configuration" });
    assert.equal(parse(url, true), new URL(url).href);
  }
});

Deno.test("parseServiceUrl() refuses other schemes, credentials, queries and fragments", () => {
  const texts = [
    "",
    "witness.example",
    "//witness.example",
    "ftp://witness.example",
    "file:///etc/passwd",
    "javascript:1",
    "https://",
    "https://user@witness.example",
    "https://:secret@witness.example",
    "https://witness.example/?token=secret",
    "https://witness.example/#fragment",
  ];
  for (const text of texts) {
    for (const insecure of [false, true]) {
      assert.throws(() => parse(text, insecure), (error: Error & { code?: string }) => {
        assert.equal(error.code, "invalid_configuration");
        assert.equal(error.message.includes("secret"), false);
        return true;
      });
    }
  }
});

Deno.test("parseServiceUrl() names the URL that a host without a scheme was meant to be", () => {
  for (
    const [text, full] of [
      ["localhost:8080", "http://localhost:8080"],
      ["127.0.0.1:8080/log", "http://127.0.0.1:8080/log"],
      ["[::1]:8080", "http://[::1]:8080"],
      ["gateway.example", "https://gateway.example"],
    ]
  ) {
    const named = () => parseServiceUrl(text!, { insecure: false, name: "--gateway" });
    assert.throws(named, (error: Error) => error.message.endsWith(`write ${full}`));
    // In a file, a secret may stand in its place.
    assert.throws(() => parse(text!), (error: Error) => !error.message.includes(text!));
  }
  for (const text of ["user:secret@gateway.example", "gateway.example/?a", "mailto:x", "a b"]) {
    assert.throws(() => parse(text), (error: Error) => !error.message.includes("write "));
  }
});
