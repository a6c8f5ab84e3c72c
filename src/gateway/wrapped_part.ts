/**
 * A part of the gateway's service with other methods in front of its own.
 *
 * @module
 */

/** A method, bound to its part. */
export type PartMethod = (...args: readonly unknown[]) => unknown;

/**
 * The members of `part`, also inherited ones: each method is what `method` makes of it, and `read` is
 * called before another member is read.
 */
export function wrappedPart<Part extends object>(
  part: Part,
  { method, read = () => {} }: {
    readonly method: (call: PartMethod, name: string) => PartMethod;
    readonly read?: () => void;
  },
): Pick<Part, keyof Part> {
  const members = new Map<string, PropertyDescriptor>();
  let of: object | null = part;
  for (; of !== null && of !== Object.prototype; of = Object.getPrototypeOf(of)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(of))) {
      if (name === "constructor" || members.has(name)) continue;
      members.set(
        name,
        typeof value === "function"
          ? { enumerable: true, value: method((...args) => value.apply(part, args), name) }
          : {
            enumerable: true,
            get() {
              read();
              return Reflect.get(part, name);
            },
          },
      );
    }
  }
  return Object.create(null, Object.fromEntries(members));
}
