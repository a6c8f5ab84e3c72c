/**
 * The KV Connect server of the tests in a thread of its own; sends its URL.
 *
 * @module
 */

/// <reference lib="webworker" />

import { KvConnectServer } from "../tests/storage/kv_connect_server.ts";

postMessage(new KvConnectServer().url);
