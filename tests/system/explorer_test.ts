/**
 * The explorer in Chromium: each flow as a user goes through it, against a gateway that runs.
 * `EXPLORER_SCREENSHOTS` names a folder that exists, in which every state that is looked at is kept
 * as a picture.
 *
 * @module
 */

import { testCopy } from "./explorer/copy_flows.ts";
import { testExplore } from "./explorer/explore_flows.ts";
import { testForeignWitnesses } from "./explorer/foreign_witness_flows.ts";
import { testFrame } from "./explorer/frame_flows.ts";
import { testLog } from "./explorer/log_flows.ts";
import { testOldBrowsers } from "./explorer/old_browser_flows.ts";
import { testPrivate } from "./explorer/private_flows.ts";
import { Setting } from "./explorer/setting.ts";
import { testStamp } from "./explorer/stamp_flows.ts";
import { testStampOutages } from "./explorer/stamp_outage_flows.ts";
import { testStampTokens } from "./explorer/stamp_token_flows.ts";
import { testTimestamps } from "./explorer/timestamp_flows.ts";
import { testVerify } from "./explorer/verify_flows.ts";

const setting = new Setting();
Deno.test.beforeAll(() => setting.start());
Deno.test.afterAll(() => setting.stop());
testFrame(setting);
testStamp(setting);
testStampOutages(setting);
testStampTokens(setting);
testVerify(setting);
testTimestamps(setting);
testPrivate(setting);
testExplore(setting);
testForeignWitnesses(setting);
testCopy(setting);
testLog(setting);
testOldBrowsers(setting);
