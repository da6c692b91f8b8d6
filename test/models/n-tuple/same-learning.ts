import { expect } from "vitest";
import { Game2048 } from "../../../src/games/2048/2048.ts";
import { AfterstateLearner } from "../../../src/models/n-tuple/afterstate-learner.ts";
import { NTupleNetwork } from "../../../src/models/n-tuple/network.ts";
import type { LearnerOptions } from "../../../src/models/tables.ts";
import { Random } from "../../../src/random.ts";

/** A network and how it learns. */
export interface Learning {
  readonly name: string;
  readonly tuples: "4x6" | "8x6";
  readonly stages?: number[];
  readonly promotion?: boolean;
  readonly initialValue?: number;
  readonly options: LearnerOptions;
}

const game = new Game2048({ rows: 4, columns: 4 });

/** Learns from 60 games with the kernel in WebAssembly and with the plain one: the same games and weights. */
export function expectSameLearning({
  tuples,
  stages = [],
  promotion = true,
  initialValue = 0,
  options,
}: Learning): void {
  const [wasm, plain] = [false, true].map((without) => {
    const network = NTupleNetwork.create(game, { tuples, initialValue, stages, promotion }, without);
    const learner = new AfterstateLearner(network, game, options);
    const random = Random.named("kernel");
    const games = Array.from({ length: 60 }, () => {
      const played = learner.playGame(random);
      return { ...played, values: learner.values.slice(), actions: learner.actions.slice() };
    });
    const saved = [...network.saveWeights(), ...learner.state()].map(([name, { data }]) => ({
      name,
      bytes: Buffer.from(data.buffer, data.byteOffset, data.byteLength),
    }));
    return { games, saved };
  });
  expect(wasm!.games.at(-1)!.values.length).toBeGreaterThan(50);
  expect(wasm!.games).toEqual(plain!.games);
  expect(wasm!.saved.map(({ name }) => name)).toEqual(plain!.saved.map(({ name }) => name));
  for (const [i, { bytes }] of wasm!.saved.entries()) expect(bytes.equals(plain!.saved[i]!.bytes)).toBe(true);
}
