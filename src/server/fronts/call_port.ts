/**
 * Calls between two threads over a message port, in both directions.
 *
 * @module
 */

import { CountersignError, type ErrorCode } from "../../base/errors.ts";
import { errorText } from "../../base/report.ts";

/** Functions that another thread may call; arguments and results are copied. */
export type Calls<C> = { readonly [Name in keyof C]: (argument: never) => unknown };

interface Call {
  readonly id: number;
  readonly name: string;
  readonly argument: unknown;
}

type Answer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly code: ErrorCode; readonly message: string };

type Argument<F> = F extends (argument: infer A) => unknown ? A : never;
type Result<F> = F extends (argument: never) => infer R ? Awaited<R> : never;

/** Calls the functions `Theirs` of the other thread, and answers its calls with `ours`. */
export class CallPort<Theirs extends Calls<Theirs>> {
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #isClosed = false;
  #id = 0;

  constructor(port: MessagePort, ours: Readonly<Record<string, (argument: never) => unknown>>) {
    this.#port = port;
    port.onmessage = ({ data }: MessageEvent<Call | Answer>) => {
      if ("name" in data) void this.#answer(data, ours[data.name]!);
      else this.#settle(data);
    };
  }

  /**
   * Calls a function of the other thread. Rejects with the CountersignError that it threw, `internal` for
   * any other error, or `shutting_down` once the port is closed.
   */
  async call<Name extends keyof Theirs & string>(
    name: Name,
    argument: Argument<Theirs[Name]>,
    transfer: Transferable[] = [],
  ): Promise<Result<Theirs[Name]>> {
    if (this.#isClosed) throw threadEnded();
    const answer = Promise.withResolvers<unknown>();
    const id = this.#id++;
    this.#waiting.set(id, answer);
    this.#port.postMessage({ id, name, argument } satisfies Call, transfer);
    return await answer.promise as Result<Theirs[Name]>;
  }

  /** Call once the other thread has ended, or this one ends. */
  close(): void {
    this.#isClosed = true;
    this.#port.close();
    for (const { reject } of this.#waiting.values()) reject(threadEnded());
    this.#waiting.clear();
  }

  async #answer({ id, argument }: Call, called: (argument: never) => unknown): Promise<void> {
    const answer = await Promise.try(called, argument as never).then(
      (value): Answer => ({ id, value }),
      (error): Answer => ({
        id,
        code: error instanceof CountersignError ? error.code : "internal",
        message: errorText(error),
      }),
    );
    if (!this.#isClosed) this.#port.postMessage(answer);
  }

  #settle(answer: Answer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ("code" in answer) waiting?.reject(new CountersignError(answer.code, answer.message));
    else waiting?.resolve(answer.value);
  }
}

function threadEnded(): CountersignError {
  return new CountersignError("shutting_down", "The thread stopped before it answered");
}
