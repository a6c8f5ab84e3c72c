/**
 * Runs the KV Connect server of the tests in a worker, which posts the URL of the server.
 *
 * @module
 */

/// <reference lib="webworker" />

import { KvConnectServer } from "../tests/storage/kv_connect_server.ts";

postMessage(new KvConnectServer().url);
