import { fieldWords, otherGames } from "./field-words.ts";

/** `; did you mean "x"?` for the known name nearest to a misspelt one, or the few names that it begins; else the empty string. */
export function didYouMean(given: string, known: Iterable<string>): string {
  const names = [...known];
  const nearest = nearestName(given, names);
  if (nearest !== undefined) return `; did you mean "${nearest}"?`;
  if (names.includes("connect-four") && otherGames.includes(plainWord(given)))
    return "; ludoflow does not have this game: one of your own is a file (docs/plugins.md#a-game)";
  const begun = names.filter(
    (name) => given.length > 2 && name.toLowerCase().startsWith(given.toLowerCase()),
  );
  if (begun.length === 0 || begun.length > 4) return "";
  const quoted = begun.map((name) => `"${name}"`);
  return `; did you mean ${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}?`;
}

/** The known name nearest to a misspelt one; undefined if none is near. */
export function nearestName(given: string, known: Iterable<string>): string | undefined {
  const names = [...known];
  const plain = plainWord(given);
  const meant = Object.hasOwn(fieldWords, plain) ? fieldWords[plain]! : [];
  const word = meant.find((each) => names.includes(each));
  if (word !== undefined) return word;
  // Part of a name is meant as this name, even if another one is as long: "gpu" is "webgpu", not "cpu".
  const whole = names.filter((name) => given.length > 2 && name.toLowerCase().includes(given.toLowerCase()));
  return whole.length === 1 ? whole[0] : nearestByLetters(given, names);
}

/** A word without capitals, hyphens and the like: `MCTS-Solver` and `mcts_solver` are one word. */
function plainWord(word: string): string {
  return word.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

function nearestByLetters(given: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(given.length / 3)) + 1;
  for (const name of known) {
    const distance = editDistance(given.toLowerCase(), name.toLowerCase());
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

/** Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment distance). */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let distance = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        distance = Math.min(distance, rows[i - 2]![j - 2]! + 1);
      row.push(distance);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
