/**
 * The script of the page beside a static copy of a log.
 *
 * @module
 */

import { HeadStore } from "../../client/head_store.ts";
import { trustInUse } from "../checked.ts";
import { startPage } from "../start.tsx";
import { CopyClient } from "./copy_client.ts";
import { copyPageOf } from "./copy_pages.tsx";

startPage(({ trust, ...options }) => {
  // A browser that forbids storage throws here; the store handles that.
  const heads = new HeadStore(() => localStorage);
  const client = new CopyClient({
    ...options,
    trust: async (api, signal = new AbortController().signal) =>
      (await trustInUse({ api, trust }, signal)).network,
    remembered: (id) => {
      const saved = heads.read(id);
      return saved.kind === "head" ? saved.head.sth : undefined;
    },
  });
  return { client, pageOf: (route) => copyPageOf(route, client) };
});
