/**
 * The witnesses outside the network, as Explore shows them.
 *
 * @module
 */

import { IS_LONG } from "../../long_runs.ts";
import { look, settled } from "./looks.ts";
import type { Setting } from "./setting.ts";

const VIEWS = {
  ...(IS_LONG && { wide: {} }),
  dark: { isDark: true },
  phone: { width: 360, height: 740 },
};

export function testForeignWitnesses(setting: Setting): void {
  for (const [view, options] of Object.entries(VIEWS)) {
    setting.test(`explore: foreign witnesses and their policy, ${view}`, async () => {
      const { site } = setting;
      await site.publish(`cosigned ${view}`);
      const now = Math.floor(Date.now() / 1_000);
      await using visit = await setting.visit("", options);
      const { page } = visit;
      await page.route("**/v1/status", async (route) => {
        const response = await route.fetch();
        const json = {
          ...await response.json(),
          foreign_witnesses: [
            {
              name: "witness.north.example/log",
              url: "https://witness.north.example/prefix/",
              last_cosigned: { tree_size: 1_234_567, age: 9 },
              behind: 0,
            },
            {
              name: `witness.${"long-name.".repeat(6)}example`,
              last_error: "witness_refused",
              last_cosigned: { tree_size: 1_000_000, age: 90_000 },
              behind: 234_567,
              failing_for: 89_000,
              next_attempt_at: now + 250,
            },
            { name: "witness.east.example" },
          ],
          foreign_quorum: { met: false, tree_size: 1_000_000, behind_for: 89_000 },
        };
        await route.fulfill({ response, json });
      });
      await page.goto(`${site.url}/#/explore`);
      const card = page.getByRole("region", { name: "Foreign witnesses", exact: true });
      await card.getByText("Policy met up to size 1,000,000").waitFor();
      const rows = card.getByRole("table", { name: "State of each foreign witness" })
        .getByRole("row");
      await rows.filter({ hasText: "north" }).getByText("Cosigns").waitFor();
      await rows.filter({ hasText: "north" }).getByText("https://witness.north.example").waitFor();
      await rows.filter({ hasText: "long-name" }).getByText("Next attempt in").waitFor();
      await rows.filter({ hasText: "long-name" }).getByText("234,567").waitFor();
      await rows.filter({ hasText: "east" }).getByText("Not asked yet").waitFor();
      await settled(page);
      await look(page, `foreign-witnesses-${view}`);
      visit.assertContained(site.url);
    });
  }
}
