/**
 * Methods of a service with work before or after each call.
 *
 * @module
 */

/** The names of the methods of `Service`. */
type MethodName<Service> = {
  [Name in keyof Service]: Service[Name] extends (...args: never[]) => unknown ? Name : never;
}[keyof Service];

/** The methods `names` of `service`, each of which returns what `around` makes of the call. */
export function wrapMethods<Service extends object, Name extends MethodName<Service>>(
  service: Service,
  names: readonly Name[],
  around: (call: () => unknown) => unknown,
): Pick<Service, Name> {
  const methods = names.map((name) => {
    const method = service[name] as (...args: unknown[]) => unknown;
    return [name, (...args: unknown[]) => around(() => method.apply(service, args))] as const;
  });
  return Object.fromEntries(methods) as Pick<Service, Name>;
}
