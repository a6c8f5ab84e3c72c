/**
 * A front in a thread, which uses limits at the same time as others.
 *
 * @module
 */

import { type FrontOrder, run, START } from "./front_work.ts";

self.onmessage = ({ data: order }: MessageEvent<FrontOrder>) => {
  self.postMessage("ready");
  Atomics.wait(order.words, START, 0);
  self.postMessage(run(order, () => self.postMessage("stuck")));
};
