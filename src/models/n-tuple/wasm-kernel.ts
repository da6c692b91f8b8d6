import { letPlayerMove, setLines } from "../../games/2048/board.ts";
import type { Game2048, State2048 } from "../../games/2048/2048.ts";
import { WasmCode, type WasmFunction, wasmModule } from "../../compute/wasm/module.ts";
import {
  canRun,
  instantiate,
  ownMemory,
  type SharedMemory,
  sharedMemory,
  type WasmExports,
} from "../../compute/wasm/webassembly.ts";
import type { Random } from "../../random.ts";
import type { GameKernel, NTupleKernel } from "./kernel.ts";
import type { TupleLookup } from "./tuple-lookup.ts";
import { GAME_MEMORY, GAME_PAGES, learnFunction, MOST_DECISIONS, playFunction } from "./wasm-game.ts";
import { fillLines, type Places, placesOf } from "./wasm-memory.ts";
import { stageFunctions } from "./wasm-stages.ts";
import { emitCoherentStep, emitFixedStep } from "./wasm-step.ts";
import { bestFunction, throughChanceFunction, valueFunction } from "./wasm-value.ts";
import type { LearnerOptions } from "../tables.ts";

/**
 * A memory for a 4x4 network: zeroed weights, then temporal coherence, then the kernel's tables of lines. Undefined if the
 * platform has no WebAssembly with vectors and several memories, or not enough memory.
 */
export function wasmTables(lookup: TupleLookup): SharedMemory | undefined {
  const places = placesOf(lookup);
  if (places.pages > 0x10000 || !canRun(gameModule(lookup, places))) return undefined;
  const memory = sharedMemory(places.pages);
  if (memory !== undefined) fillLines(lookup, places, memory);
  return memory;
}

/**
 * The kernel in WebAssembly, on a memory by `wasmTables`; only for boards of 4x4 cells.
 *
 * The functions that evaluate boards store nothing outside the tables, so threads can share the memory; a board is passed as
 * eight numbers. Playing and learning a whole game are one call each, in a second memory that each learner owns. Sums and
 * steps take four lanes at a time, in single precision, in the order that `StepRule` and `TupleLookup` describe.
 */
export function wasmKernel(lookup: TupleLookup, memory: SharedMemory, game: Game2048): NTupleKernel {
  const places = placesOf(lookup);
  const { value, best, chosen, throughChance } = instantiate(valueModule(lookup, places), {
    memory,
  }) as Functions<"value" | "best" | "chosen" | "throughChance">;
  let games: WasmGames | undefined;
  const ownGames = () => (games ??= new WasmGames(lookup, places, memory));
  return {
    value: (lines, at) =>
      value(
        lines[at]!,
        lines[at + 1]!,
        lines[at + 2]!,
        lines[at + 3]!,
        lines[at + 4]!,
        lines[at + 5]!,
        lines[at + 6]!,
        lines[at + 7]!,
      ),
    best: (lines) =>
      best(lines[0]!, lines[1]!, lines[2]!, lines[3]!, lines[4]!, lines[5]!, lines[6]!, lines[7]!),
    chosen: () => chosen(),
    throughChance: ({ lines }) =>
      throughChance(lines[0]!, lines[1]!, lines[2]!, lines[3]!, lines[4]!, lines[5]!, lines[6]!, lines[7]!),
    stepper: (step) => ownGames().stepper(step),
    games: (options) => new WasmGames(lookup, places, memory).learning(game, options),
  };
}

type Functions<Names extends string> = Record<Names, (...numbers: number[]) => number>;

/** The functions on whole games, with a memory of their own. */
class WasmGames {
  readonly #exports: WasmExports;
  readonly #buffer: ArrayBuffer;
  readonly #path: Int32Array;
  readonly #entryBits: number;

  constructor(lookup: TupleLookup, places: Places, memory: SharedMemory) {
    const own = ownMemory(GAME_PAGES);
    this.#exports = instantiate(gameModule(lookup, places), { memory, own });
    this.#buffer = own.buffer;
    this.#path = new Int32Array(own.buffer, GAME_MEMORY.path, 8 * (MOST_DECISIONS + 1));
    this.#entryBits = places.entryBits;
  }

  stepper({
    use,
    rate,
  }: LearnerOptions["step"]): (lines: Int32Array, offset: number, target: number) => number {
    const step = this.#exports[use]!;
    const path = this.#path;
    const bits = this.#entryBits;
    const at = 8 * MOST_DECISIONS;
    return (lines, offset, target) => {
      for (let i = 0; i < 8; i++) path[at + i] = lines[offset + i]! << bits;
      return step(MOST_DECISIONS, MOST_DECISIONS + 1, target, 0, rate);
    };
  }

  learning({ size }: Game2048, { lambda, step: { use, rate } }: LearnerOptions): GameKernel {
    const buffer = this.#buffer;
    const path = this.#path;
    const bits = this.#entryBits;
    const words = new Int32Array(buffer, GAME_MEMORY.random, 4);
    const board = new Int32Array(buffer, GAME_MEMORY.board, 8);
    const score = new Float64Array(buffer, GAME_MEMORY.score, 1);
    const play = this.#exports["play"]!;
    const learn = this.#exports[use]!;
    const values = new Float64Array(buffer, GAME_MEMORY.values, MOST_DECISIONS);
    return {
      values,
      rewards: new Float64Array(buffer, GAME_MEMORY.rewards, MOST_DECISIONS),
      actions: new Int32Array(buffer, GAME_MEMORY.actions, 2 * MOST_DECISIONS),
      afterstate(decision, lines) {
        for (let i = 0; i < 8; i++) lines[i] = path[8 * decision + i]! >>> bits;
      },
      play(state: State2048, random: Random, first: number) {
        words.set(random.state());
        board.set(state.lines);
        const end = play(first);
        random.goOnFrom(words);
        setLines(state, board, size);
        state.score += score[0]!;
        letPlayerMove(state, size);
        return end;
      },
      restore: (before) => values.set(before),
      learn(first, end) {
        learn(first, end, 0, lambda, rate);
      },
    };
  }
}

const modules = new Map<string, Uint8Array<ArrayBuffer>>();

function moduleOf(
  name: string,
  { plan, stages }: TupleLookup,
  make: () => Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
  const key = name + JSON.stringify([plan, stages.count, stages.promotes]);
  let bytes = modules.get(key);
  if (bytes === undefined) modules.set(key, (bytes = make()));
  return bytes;
}

const shared = ({ pages }: Places) => ({ name: "memory", pages, shared: true });

function valueModule(lookup: TupleLookup, places: Places): Uint8Array<ArrayBuffer> {
  const chosen: WasmFunction = {
    name: "chosen",
    parameters: [],
    result: "i32",
    locals: [],
    body: new WasmCode().at("global.get", 0).bytes,
  };
  return moduleOf("value", lookup, () =>
    wasmModule(
      [shared(places)],
      [
        ...stageFunctions(lookup, places),
        valueFunction(lookup, places),
        bestFunction(lookup, places),
        chosen,
        throughChanceFunction(lookup, places),
      ],
    ),
  );
}

function gameModule(lookup: TupleLookup, places: Places): Uint8Array<ArrayBuffer> {
  return moduleOf("game", lookup, () =>
    wasmModule(
      [shared(places), { name: "own", pages: GAME_PAGES, shared: false }],
      [
        ...stageFunctions(lookup, places),
        playFunction(lookup, places),
        learnFunction(lookup, places, "tc", emitCoherentStep),
        learnFunction(lookup, places, "td", emitFixedStep),
      ],
    ),
  );
}
