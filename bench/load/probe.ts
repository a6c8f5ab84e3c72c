/**
 * Sends a few requests of a scenario to measure its answers.
 *
 * @module
 */

import type { Answer } from "./answer_reader.ts";
import { type AnswerShape, shapeOf } from "./echo.ts";
import { LoadConnection } from "./load_connection.ts";
import type { Scenario } from "./scenario.ts";
import type { Endpoint } from "./sockets.ts";

/** Enough for the mean length of a mixed scenario. */
const REQUESTS = 16;

/** The fields of an answer to `scenario`, and the mean length of its body. */
export async function probeShape(endpoint: Endpoint, scenario: Scenario): Promise<AnswerShape> {
  const shapes: AnswerShape[] = [];
  let done = Promise.withResolvers<void>();
  const connection = await LoadConnection.open(endpoint, scenario.client(), {
    sent() {},
    answered(_, answer: Answer) {
      shapes.push(shapeOf(answer));
      done.resolve();
    },
    broken: (_, what) => done.reject(new Error(`Cannot probe ${scenario.name}: ${what}`)),
  });
  try {
    for (let i = 0; i < REQUESTS; i++) {
      const nowMs = performance.now();
      connection.send(nowMs, nowMs);
      await done.promise;
      done = Promise.withResolvers();
    }
  } finally {
    connection.close();
  }
  const bytes = shapes.reduce((sum, { bodyLength }) => sum + bodyLength, 0);
  return { ...shapes[0]!, bodyLength: Math.round(bytes / shapes.length) };
}
