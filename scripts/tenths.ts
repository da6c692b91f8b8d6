/** The tenth, from 0 to 9, that the hash of a commit chooses. */
export function tenthOfCommit(hash: string): number {
  return Number(BigInt(`0x${hash}`) % 10n);
}

/**
 * Distributes files over ten parts of about equal duration: the longest first, each to the part that takes least so far. A
 * file whose duration is not known counts as one of the mean duration.
 */
export function tenths(
  files: readonly string[],
  seconds: Readonly<Record<string, number>>,
): readonly (readonly string[])[] {
  const known = files.flatMap((file) => seconds[file] ?? []);
  const mean = known.length === 0 ? 1 : known.reduce((sum, each) => sum + each, 0) / known.length;
  const duration = (file: string) => seconds[file] ?? mean;
  const parts = Array.from({ length: 10 }, () => ({ files: [] as string[], seconds: 0 }));
  for (const file of files.toSorted((a, b) => duration(b) - duration(a) || (a < b ? -1 : 1))) {
    const least = parts.reduce((one, other) => (other.seconds < one.seconds ? other : one));
    least.files.push(file);
    least.seconds += duration(file);
  }
  return parts.map((part) => part.files);
}
