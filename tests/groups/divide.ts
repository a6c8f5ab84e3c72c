/**
 * Divides the test files into groups. For most files, to load the modules takes longer than the tests;
 * the files of a group load them once.
 *
 * @module
 */

/** A room's files are spread over groups of about this many. */
const GROUP_SIZE = 16;

/** Rooms whose files start processes and run for long: their groups are small, and start first. */
const LONG_ROOMS: readonly string[] = ["scenarios"];
const LONG_GROUP_SIZE = 3;

export interface Group {
  readonly name: string;
  /** Paths from the project's folder, sorted. */
  readonly files: readonly string[];
}

/**
 * The groups of `files` in the order in which they start. `files` are sorted paths, such as
 * `tests/http/keys_test.ts`.
 */
export function groupsOf(files: readonly string[]): readonly Group[] {
  const rooms = Map.groupBy(files, (path) => path.split("/").slice(1, -1)[0] ?? "tests");
  const isLong = (room: string) => LONG_ROOMS.includes(room);
  const inOrder = [...rooms].toSorted(([a], [b]) => Number(isLong(b)) - Number(isLong(a)));
  return inOrder.flatMap(([room, own]) => {
    const count = Math.ceil(own.length / (isLong(room) ? LONG_GROUP_SIZE : GROUP_SIZE));
    return Array.from({ length: count }, (_, group) => ({
      name: count === 1 ? room : `${room}_${group + 1}`,
      files: own.filter((_, index) => Math.floor(index * count / own.length) === group),
    }));
  });
}
