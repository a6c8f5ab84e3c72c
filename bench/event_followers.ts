/**
 * Many clients of one event stream, in a separate thread.
 *
 * @module
 */

import type { FollowRequest, FollowState } from "./event_follower_worker.ts";

export class EventFollowers implements Disposable {
  readonly #worker: Worker;
  #state: FollowState = { open: 0, bytes: 0, ended: 0 };

  private constructor(worker: Worker) {
    this.#worker = worker;
  }

  /** Opens `count` streams of `path` at `url`; resolves when all are open. */
  static async open(url: URL, path: string, count: number): Promise<EventFollowers> {
    const worker = new Worker(new URL("event_follower_worker.ts", import.meta.url), {
      type: "module",
    });
    const followers = new EventFollowers(worker);
    const request: FollowRequest = { url: url.href, path, count };
    const opened = Promise.withResolvers<void>();
    worker.onmessage = ({ data }: MessageEvent<FollowState>) => {
      followers.#state = data;
      opened.resolve();
    };
    worker.onerror = ({ message }) => opened.reject(new Error(message));
    worker.postMessage(request);
    await opened.promise;
    return followers;
  }

  get count(): number {
    return this.#state.open;
  }

  /** Bytes received by all streams. */
  get bytes(): number {
    return this.#state.bytes;
  }

  /** Streams ended by the server. */
  get ended(): number {
    return this.#state.ended;
  }

  [Symbol.dispose](): void {
    this.#worker.terminate();
  }
}
