import assert from "node:assert/strict";
import { systemClock } from "../../src/clock.ts";
import { connectFront } from "../../src/transport/front_connection.ts";
import { encodeWelcome, joinFrames, LINK_VERSION } from "../../src/transport/socket_frames.ts";
import { writeCertificate } from "./certificate.ts";

Deno.test("a front links over TLS to a gateway whose certificate it was given, and to no other", async () => {
  const folder = await Deno.makeTempDir({ prefix: "countersign-test-" });
  const { cert, key } = await writeCertificate(folder, "gateway");
  const { cert: otherCert } = await writeCertificate(folder, "other");
  await Deno.remove(folder, { recursive: true });
  const options = { hostname: "127.0.0.1", port: 0, onListen() {}, cert, key };
  const server = Deno.serve(options, (request) => {
    const { socket, response } = Deno.upgradeWebSocket(request);
    socket.onopen = () => socket.send(joinFrames([encodeWelcome(LINK_VERSION, "{}")]));
    return response;
  });
  const url = new URL(`https://127.0.0.1:${server.addr.port}/`);
  const connect = (ca?: string) =>
    connectFront(
      { url, token: "t".repeat(24), name: "front", ...(ca !== undefined && { ca }) },
      systemClock,
      new AbortController().signal,
    );
  const { settings, socket, closed } = await connect(cert);
  assert.equal(settings, "{}");
  socket.close(1001, "done");
  await closed;
  for (const ca of [undefined, otherCert]) {
    await assert.rejects(connect(ca), {
      code: "gateway_unreachable",
      message: /certificate|issuer/i,
    });
  }
  await server.shutdown();
});
