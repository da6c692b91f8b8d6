import { describe, expect, it } from "vitest";
import type { Game } from "../../../../src/games/game.ts";
import { openGame } from "../../../../src/games/registry.ts";
import { openNet, type OpenNetwork } from "../../../../src/models/registry.ts";
import { residual } from "../../../../src/models/nets/residual.ts";
import { slotShape } from "../../../../src/operators/play/evaluation/slot-shape.ts";
import { SlotEvaluator } from "../../../../src/operators/play/evaluation/slot-evaluator.ts";
import { completeOptions } from "../../../../src/options.ts";
import { newNotifier } from "../../../../src/workers/mailbox.ts";
import { newSlot, respond } from "../../../../src/workers/slots.ts";

const game: Game<unknown> = openGame("tic-tac-toe");
const completed = completeOptions(residual.options, { filters: 2, blocks: 1, valueUnits: 2 });
const network = openNet(
  "residual",
  game,
  (completed as { options: Readonly<Record<string, unknown>> }).options,
) as OpenNetwork;

/** An evaluator whose responses are those of the test, with positions after 0, 1 and 2 moves, of version 7 of the weights. */
function asked(shown = network) {
  const slot = newSlot(slotShape(game, shown, 8));
  const endpoint = { slots: [slot], notifier: newNotifier(), hits: new BigInt64Array(1) };
  const called = (version: number) => `the net "zero" with version ${version} of its weights`;
  const evaluator = new SlotEvaluator(game, shown, endpoint, { cache: 16, symmetries: "none" }, called);
  const states = [0, 1, 2].map((plies) => {
    const state = game.initial();
    for (let ply = 0; ply < plies; ply++) game.play(state, ply);
    return state;
  });
  const request = {
    states,
    count: 3,
    values: new Float64Array(6),
    priors: new Float32Array(3 * game.maxLegal),
  };
  /** The response, in which `change` may change anything. */
  const answer = (change: (values: Float32Array, priors: Float32Array) => void) => {
    if (evaluator.add(request, 7)) return;
    evaluator.submit();
    slot.values.fill(0.5);
    slot.priors.fill(0.125);
    change(slot.values, slot.priors);
    respond(slot, 0.001);
    evaluator.collect();
  };
  return { answer, request, slot };
}

describe("a response with a number that is NaN or infinite", () => {
  it("is refused in every place: with the net, its version, the output and the position", () => {
    const { slot } = asked();
    // 9, 8 and 7 legal moves.
    const count = 24;
    const positions = ["3/3/3 x", "x2/3/3 o", "xo1/3/3 x"];
    expect(slot.priors.length).toBeGreaterThan(count);
    for (const number of [NaN, Infinity, -Infinity]) {
      for (let at = 0; at < 6; at++) {
        const row = at >> 1;
        // Values are in turn order.
        const seat = row === 1 ? 1 - (at % 2) : at % 2;
        expect(() => asked().answer((values) => (values[at] = number))).toThrow(
          `the net "zero" with version 7 of its weights gives ${number} as the value of seat ${seat} in the position ${positions[row]}: a value is a finite number; learning has diverged, or its weights are damaged`,
        );
      }
      for (let at = 0; at < count; at++)
        expect(() => asked().answer((_, priors) => (priors[at] = number))).toThrow(
          `gives no probabilities of the legal moves in the position ${positions[at < 9 ? 0 : at < 17 ? 1 : 2]}:`,
        );
    }
  });

  it("is refused where the priors are none, as those of NaN are on some GPUs", () => {
    expect(() => asked().answer((_, priors) => priors.fill(0, 9, 17))).toThrow(
      "gives no probabilities of the legal moves in the position x2/3/3 o:",
    );
  });

  it("counts only in the rows and moves that were asked for", () => {
    const { answer, request } = asked();
    answer((values, priors) => {
      values.fill(NaN, 6);
      priors.fill(NaN, 24);
    });
    expect([...request.values]).toEqual([0.5, 0.5, 0.5, 0.5, 0.5, 0.5]);
  });

  it("is kept by no cache, and the evaluator goes on", () => {
    const { answer, request } = asked();
    expect(() => answer((values) => (values[0] = NaN))).toThrow("gives NaN");
    let computed = false;
    answer(() => (computed = true));
    expect(computed).toBe(true);
    expect([...request.values]).toEqual([0.5, 0.5, 0.5, 0.5, 0.5, 0.5]);
  });

  it("is the game's where its planes have such a number", () => {
    const { shape } = network.planes;
    const planes = {
      shape,
      write: (state: unknown, out: Float32Array, offset: number) => {
        network.planes.write(state, out, offset);
        out[offset + 4] = NaN;
      },
    };
    expect(() => asked({ ...network, planes }).answer((values) => (values[0] = NaN))).toThrow(
      "the game tic-tac-toe writes NaN into channel 1 of its planes for nets in the position 3/3/3 x: every number of planes is finite",
    );
  });
});
