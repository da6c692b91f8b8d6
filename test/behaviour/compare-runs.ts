import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { decodeGameRecord, type StoredGame } from "../../src/formats/game-records.ts";
import { RecordLogReader } from "../../src/formats/record-log.ts";
import { readSafetensors } from "../../src/formats/safetensors.ts";
import { openRunFolder } from "../../src/graph/folder/run-folder.ts";
import { openExperiment } from "../../src/operators/experiment/open-experiment.ts";
import { VALUE_TOLERANCE } from "../../src/search/expected-game.ts";
import { type ComparedGame, compareGames, tensorDistance } from "./compare-records.ts";

/** What a comparison has looked at, and what it has found. */
export interface Found {
  games: number;
  plies: number;
  values: number;
  tensors: number;
  numbers: number;
  /** The first difference that has no excuse. */
  difference?: string;
  /** Where the arithmetic differs: what became of the games, and how far values and weights are apart. */
  readonly rounded?: Rounded;
}

/** The differences of two runs that round differently. */
interface Rounded {
  readonly arithmetics: readonly [number, number];
  /** Games that are equal bit by bit, and games with equal moves. */
  identical: number;
  sameMoves: number;
  /** The first game with another move. */
  otherMove?: string;
  /** The greatest relative differences of values before another move, while weights are equal and in any game. */
  farthestUnlearned: number;
  farthest: number;
  /** The greatest relative difference of a tensor of the first checkpoint that differs. */
  weights?: string;
}

/** The two arithmetics where two runs have different ones and compute nets; else undefined. */
function roundingOf(one: string, other: string): Rounded | undefined {
  const [a, b] = [openRunFolder(one), openRunFolder(other)];
  const last = ({ manifest }: typeof a) => manifest.parts?.at(-1)?.arithmetic ?? manifest.arithmetic ?? 1;
  const arithmetics = [last(a), last(b)] as const;
  const computed = [...openExperiment(a.experiment).nets.values()].some(({ kind }) => kind === "network");
  if (!computed || arithmetics[0] === arithmetics[1]) return undefined;
  return { arithmetics, identical: 0, sameMoves: 0, farthestUnlearned: 0, farthest: 0 };
}

/** Compares the games and checkpoints in the folders of two runs. */
export function compareRuns(one: string, other: string): Found {
  const rounded = roundingOf(one, other);
  const found: Found = {
    games: 0,
    plies: 0,
    values: 0,
    tensors: 0,
    numbers: 0,
    ...(rounded === undefined ? {} : { rounded }),
  };
  const differ = (what: string) => (found.difference ??= what);
  const inBoth = (part: string, suffix: string): string[] => {
    const list = (folder: string) =>
      existsSync(join(folder, part))
        ? readdirSync(join(folder, part), { recursive: true, encoding: "utf8" })
            .filter((name) => name.endsWith(suffix))
            .sort()
        : [];
    const [here, there] = [list(one), list(other)];
    if (here.join() !== there.join()) differ(`files of ${part}: ${here.join(" ")} and ${there.join(" ")}`);
    return here.filter((name) => there.includes(name));
  };
  for (const name of inBoth("games", ".games")) {
    const [a, b] = [one, other].map((folder) => new RecordLogReader(join(folder, "games", name)));
    if (a!.records !== b!.records) differ(`${name}: ${a!.records} and ${b!.records} games`);
    for (let i = 0; i < Math.min(a!.records, b!.records); i++) {
      const [x, y] = [a!, b!].map((reader) => decodeGameRecord(reader.read(i), name)) as [
        StoredGame,
        StoredGame,
      ];
      found.games++;
      found.plies += x.actions.length;
      found.values += x.values.length;
      const compared = compareGames(x, y);
      const place = `${name}, game ${x.game}`;
      if (rounded !== undefined) roundedGame(rounded, compared, x, place);
      const excused =
        rounded !== undefined && !["number or generation", "seats"].includes(compared.difference!);
      if (compared.difference !== undefined && !excused) differ(`${place}: ${compared.difference}`);
    }
    a!.close();
    b!.close();
  }
  if (rounded !== undefined && rounded.farthestUnlearned > VALUE_TOLERANCE)
    differ(`values differ by ${rounded.farthestUnlearned.toPrecision(2)} before anything is learned`);
  for (const name of inBoth("checkpoints", "state.safetensors")) {
    const [a, b] = [one, other].map((folder) => readSafetensors(join(folder, "checkpoints", name)).tensors);
    if ([...a!.keys()].join() !== [...b!.keys()].join()) differ(`${name}: names of tensors`);
    const distances = [...a!].map(([key, tensor]) => {
      found.tensors++;
      found.numbers += tensor.data.length;
      return [key, tensorDistance(tensor, b!.get(key))] as const;
    });
    const [key, distance] = distances.reduce((most, each) => (each[1] > most[1] ? each : most), ["", 0]);
    if (distance === 0) continue;
    if (rounded === undefined || distance === Infinity) differ(`${name}: ${key}`);
    else rounded.weights ??= `${distance.toPrecision(2)} (${name}: ${key})`;
  }
  return found;
}

/** Adds a game to what two runs that round differently have in common. */
function roundedGame(
  rounded: Rounded,
  { difference, otherMove, farthest }: ComparedGame,
  { generation }: StoredGame,
  place: string,
): void {
  if (difference === undefined) rounded.identical++;
  if (otherMove === undefined) rounded.sameMoves++;
  else rounded.otherMove ??= `${place}, generation ${generation}, ply ${otherMove}`;
  rounded.farthest = Math.max(rounded.farthest, farthest);
  if (generation === 0) rounded.farthestUnlearned = Math.max(rounded.farthestUnlearned, farthest);
}
