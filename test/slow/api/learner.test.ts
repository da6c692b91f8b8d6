import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { agent, learner, LudoflowError, openCheckpoint, openGame } from "../../../src/api/index.ts";

const scratch = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const game = await openGame("tic-tac-toe");
const small = { use: "residual", filters: 4, blocks: 1, valueUnits: 8 } as const;
const later = game.initial();
game.play(later, 4);
/** Of the start: the first seat wins by move 4. Of the position after it: the second seat wins by its first legal move. */
const start = { position: game.initial(), values: [1, -1], policy: [0, 0, 0, 0, 1, 0, 0, 0, 0] };
const reply = { position: later, values: [-1, 1], policy: [1, 0, 0, 0, 0, 0, 0, 0] };

describe("a learner", () => {
  it("learns values and a policy by steps, which agents play by when they are saved", async () => {
    await using net = await learner(game, { net: small, batch: 2 });
    const losses: Readonly<Record<string, number>>[] = [];
    for (let step = 0; step < 60; step++) losses.push(await net.step([start, reply], 0.02));
    const [first, last] = [losses[0]!, losses.at(-1)!];
    expect(Object.keys(first).toSorted()).toEqual(["policy", "total", "value"]);
    // Squared errors of both seats, and the cross-entropy of nine equal moves.
    expect(first["total"]).toBeCloseTo(first["value"]! + first["policy"]!, 4);
    for (const part of ["value", "policy"]) expect(last[part]).toBeLessThan(0.4 * first[part]!);
    expect(net.steps).toBe(60);

    const folder = join(scratch, "net");
    await net.save(folder);
    await using checkpoint = await openCheckpoint(folder);
    expect([checkpoint.learned, checkpoint.unit, checkpoint.net.use]).toEqual([60, "steps", "residual"]);
    const { policy, values } = await checkpoint.evaluate([start.position, reply.position]);
    for (const high of [values[0], values[3], policy[4], policy[9]]) expect(high).toBeGreaterThan(0.5);
    const player = await agent(game, { use: "puct-max-n", net: checkpoint, simulations: 8 });
    expect((await player.think(game.initial())).action).toBe(4);
    // A second save replaces the first one.
    await net.step([start, reply], 0.02);
    await net.save(folder);
    await using newer = await openCheckpoint(folder);
    expect(newer.learned).toBe(61);
  });

  it("begins with weights that follow from the seed", async () => {
    const losses = async (seed: number) => {
      await using net = await learner(game, { net: small, batch: 2, seed });
      await net.step([start, reply], 0.01);
      return await net.step([start, reply], 0.01);
    };
    expect(await losses(1)).toEqual(await losses(1));
    expect(await losses(2)).not.toEqual(await losses(1));
  });

  it("refuses options, positions and numbers that do not fit", async () => {
    const code = async (work: Promise<unknown>) =>
      await work.then(
        () => undefined,
        (error: unknown) => (error instanceof LudoflowError ? error.code : (error as Error).message),
      );
    expect(await code(learner(game, { net: { use: "residual", filters: 0 } }))).toBe("ERR_EXPERIMENT");
    expect(await code(learner(game, { net: { use: "linear" } }))).toBe("ERR_AGENT");
    await using net = await learner(game, { net: small, batch: 1 });
    expect(await code(net.step([], 0.1))).toBe("0 examples are given; a step of this learner takes 1");
    expect(await code(net.step([{ ...start, position: {} }], 0.1))).toBe("ERR_POSITION");
    expect(await code(net.step([{ ...start, values: [1] }], 0.1))).toMatch(
      /examples\[0\].values has 1 numbers/,
    );
    expect(await code(net.step([{ ...start, policy: [1] }], 0.1))).toMatch(/policy has 1 numbers, not 9/);
    expect(await code(net.step([{ ...start, values: [Number.NaN, 0] }], 0.1))).toMatch(/values\[0\] is NaN/);
    expect(net.steps).toBe(0);
    expect(await code(net.save(join("/dev/null", "net")))).toBe("ERR_FILE_NOT_WRITTEN");
  });
});
