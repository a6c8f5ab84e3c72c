/**
 * Calls that first apply the updates which the sequencer has published.
 *
 * @module
 */

/** The names of the methods of `Service`. */
type MethodName<Service> = {
  [Name in keyof Service]: Service[Name] extends (...args: never[]) => unknown ? Name : never;
}[keyof Service];

/** The methods `names` of `service`, each of which calls `catchUp` first. */
export function afterCatchUp<Service extends object, Name extends MethodName<Service>>(
  catchUp: () => void,
  service: Service,
  names: readonly Name[],
): Pick<Service, Name> {
  const methods = names.map((name) => {
    const method = service[name] as (...args: unknown[]) => unknown;
    return [name, (...args: unknown[]) => {
      catchUp();
      return method.apply(service, args);
    }] as const;
  });
  return Object.fromEntries(methods) as Pick<Service, Name>;
}
