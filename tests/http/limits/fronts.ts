/**
 * The limits of one thread without shared memory, of one front and of three.
 *
 * @module
 */

import { DEFAULT_CLIENT_LIMITS } from "../../../src/config/gateway_limits.ts";
import {
  createSharedLimits,
  FrontTables,
  type LimitTables,
  LOCAL_TABLES,
} from "../../../src/http/limit_tables.ts";

/** Registers `test` for each number of fronts; 0 is one thread without shared memory. */
export function testOverFronts(
  name: string,
  test: (fronts: number) => void | Promise<void>,
): void {
  Deno.test(`${name} (one thread)`, () => test(0));
  Deno.test(`${name} (1 front)`, () => test(1));
  Deno.test(`${name} (3 fronts)`, () => test(3));
}

/** The tables of each front. */
export function tablesOf(fronts: number, limits = DEFAULT_CLIENT_LIMITS): readonly LimitTables[] {
  if (fronts === 0) return [LOCAL_TABLES];
  const shared = createSharedLimits(limits, fronts);
  return Array.from({ length: fronts }, (_, front) => new FrontTables(shared, front));
}

/** One for all `instances`, each of whose members is the next instance's. */
export function spread<T extends object>(instances: readonly T[]): T {
  let turn = 0;
  return new Proxy(instances[0]!, {
    get(_, name) {
      const instance = instances[turn++ % instances.length]!;
      const member = Reflect.get(instance, name, instance);
      return typeof member === "function" ? member.bind(instance) : member;
    },
  });
}
