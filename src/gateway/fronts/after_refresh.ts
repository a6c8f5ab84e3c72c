/**
 * Calls that are repeated before they answer that something does not exist: a front on another machine is a
 * little behind the others.
 *
 * @module
 */

import { CountersignError, type ErrorCode } from "../../errors.ts";

const MISSING: readonly ErrorCode[] = [
  ...["hash_unknown", "not_confirmed", "not_batched", "no_tree_head"] as const,
  ...["tree_size_not_published", "batch_not_found", "tile_not_found"] as const,
];

/**
 * `service`, whose methods `names` are called again after `refresh` if they find nothing. `refresh` rejects if
 * the front cannot know what exists.
 */
export function afterRefresh<Service extends object, Name extends keyof Service>(
  refresh: () => Promise<void>,
  service: Service,
  names: readonly Name[],
): Pick<Service, Name> {
  const methods = names.map((name) => {
    const method = service[name] as (...args: unknown[]) => unknown;
    return [name, (...args: unknown[]) => {
      const call = () => method.apply(service, args);
      const again = () => refresh().then(call);
      try {
        const result = call();
        if (!(result instanceof Promise)) return result === undefined ? again() : result;
        return result.then(
          (value) => value === undefined ? again() : value,
          (error) => isMissing(error) ? again() : Promise.reject(error),
        );
      } catch (error) {
        if (isMissing(error)) return again();
        throw error;
      }
    }] as const;
  });
  return Object.fromEntries(methods) as unknown as Pick<Service, Name>;
}

function isMissing(error: unknown): boolean {
  return error instanceof CountersignError && MISSING.includes(error.code);
}
