import { expect, it } from "vitest";
import { openEngine } from "../../../src/compute/open-engine.ts";
import { ROWS } from "../../../src/compute/tensors.ts";
import { openReferenceEngine } from "../../../src/compute/tfjs/engine.ts";
import { type Game, OVER, type Planes } from "../../../src/games/game.ts";
import { encodingOf, PlanePacker } from "../../../src/games/packed-planes.ts";
import { openGame } from "../../../src/games/registry.ts";
import { packedShapes, packedTypes, unpackPlanes } from "../../../src/models/nets/packed-input.ts";
import { Random } from "../../../src/random.ts";

/** Positions of one game of random moves, about `count` of them. */
function positions(game: Game<any>, count: number): unknown[] {
  const random = Random.named("packed", game.name);
  const state = game.initial();
  const legal = new Int32Array(game.maxLegal);
  const found: unknown[] = [];
  for (let ply = 0; game.toMove(state) !== OVER; ply++) {
    if (ply % 7 === 0 && found.length < count) found.push(structuredClone(state));
    game.play(state, legal[random.below(game.legal(state, legal))]!);
  }
  return found;
}

/** The game's planes without an encoding: they travel as floats. */
const asFloats = (planes: Planes<any>): Planes<any> => ({
  shape: planes.shape,
  write: (state, out, offset) => planes.write(state, out, offset),
});

const games = [
  openGame("tic-tac-toe"),
  openGame("2048", { rows: 3, columns: 3 }),
  openGame("blokus"),
  openGame("blokus-duo"),
] as Game<any>[];
const cases = games.flatMap((game) =>
  Object.entries<Planes<any>>(game.nets!.planes).map(
    ([name, planes]) => [game.name, name, game, planes] as const,
  ),
);

it.each(cases)(
  "%s: the graph unpacks the planes %s to the floats that the game writes",
  async (_rules, _name, game, planes) => {
    const states = positions(game, 4);
    for (const each of [planes, asFloats(planes)]) {
      const packed = { input: each.shape, encoding: encodingOf(each) };
      const packer = new PlanePacker(each);
      const bytes = new Uint8Array(states.length * packer.bytes);
      const floats = new Float32Array(states.length * packer.floats);
      const size = each.shape.reduce((product, length) => product * length, 1);
      const written = new Float32Array(states.length * size);
      for (const [row, state] of states.entries()) {
        packer.write(state, { bytes, floats }, row);
        each.write(state, written, row * size);
      }
      const inputs = { bytes, floats };
      for (const engine of [await openEngine({ engine: "onnx" }), await openReferenceEngine()]) {
        const unpack = await engine.compile(
          (tensors) => ({ x: unpackPlanes(packed, tensors) }),
          packedShapes(packed, ROWS),
          {
            types: packedTypes,
          },
        );
        const x = new Float32Array(written.length);
        await unpack.run(inputs, { x }, states.length);
        expect(x).toEqual(written);
        await unpack.dispose();
      }
    }
  },
);
