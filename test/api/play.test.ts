import { describe, expect, it } from "vitest";
import {
  agent,
  CHANCE,
  defineGame,
  defineSearch,
  human,
  integer,
  LudoflowError,
  openGame,
  OVER,
  play,
} from "../../src/api/index.ts";
import { games } from "../../src/games/registry.ts";
import { Random } from "../../src/random.ts";

/** The player that takes the last match wins. */
const nim = defineGame({
  name: "nim",
  description: "One heap; a player takes one to three matches.",
  players: 2,
  options: { matches: integer({ min: 1, max: 100, default: 21, description: "Matches at the start." }) },
  create: ({ matches }, rules) =>
    rules({
      actions: 3,
      initial: () => ({ left: matches, toMove: 0 }),
      toMove: ({ left, toMove }) => (left === 0 ? OVER : toMove),
      legal({ left }, out) {
        for (let i = 0; i < 3; i++) out[i] = i;
        return Math.min(3, left);
      },
      play(state, action) {
        state.left -= action + 1;
        state.toMove = 1 - state.toMove;
      },
      copy(from, into) {
        Object.assign(into, from);
      },
      returns({ left, toMove }, out) {
        for (let seat = 0; seat < 2; seat++) out[seat] = left === 0 && seat !== toMove ? 1 : 0;
      },
    }),
});

const code = async (work: Promise<unknown>) =>
  await work.then(
    () => undefined,
    (error: unknown) => (error instanceof LudoflowError ? error.code : error),
  );

describe("openGame", () => {
  it("opens games by name and by definition", async () => {
    const game = await openGame("2048", { rows: 2, columns: 2 });
    expect(game.players).toBe(1);
    const own = await openGame(nim, { matches: 5 });
    expect([own.name, own.initial()]).toEqual(["nim", { left: 5, toMove: 0 }]);
    expect(await code(openGame("tic-tac-to"))).toBe("ERR_GAME");
    expect(await code(openGame(nim, { matches: 0 }))).toBe("ERR_GAME");
  });
});

describe("agents", () => {
  it("think about a position, and say what they have seen", async () => {
    const game = await openGame("tic-tac-toe");
    const state = game.initial();
    // X threatens to win on the third cell of the top row.
    for (const action of [0, 3, 1, 4]) game.play(state, action);
    const before = game.notation.position(state);
    const uct = await agent(game, { use: "uct", simulations: 200 });
    const thought = await uct.think(state, { seed: 3 });
    expect(thought.action).toBe(2);
    expect(thought.move).toBe(game.notation.format(state, 2));
    expect([...thought.actions]).toEqual([2, 5, 6, 7, 8]);
    expect(thought.variation[0]).toBe(2);
    expect(thought.visits.reduce((sum, count) => sum + count)).toBeGreaterThan(100);
    expect(await uct.think(state, { seed: 3 })).toEqual(thought);
    expect(game.notation.position(state)).toBe(before);
    game.play(state, 2);
    expect(await code(uct.think(state))).toBe("ERR_POSITION");
  });

  it("think about states of their game alone, and say what is wrong with others", async () => {
    const game = await openGame("tic-tac-toe");
    const uct = await agent(game, { use: "uct", simulations: 2 });
    const reason = async (position: unknown) =>
      await uct.think(position).then(
        () => "none",
        (error: LudoflowError) => `${error.code} ${error.message.split(". States")[0]}`,
      );
    const text = game.notation.position(game.initial());
    expect(await reason(text)).toBe(
      "ERR_POSITION the position is not a state of tic-tac-toe: it is a string",
    );
    expect(await reason(game.notation.parsePosition(text))).toMatch(
      /: it is what parsePosition gives, whose state/,
    );
    expect(await reason(game.notation.parsePosition("x"))).toMatch(
      /: parsePosition has refused the text \(.+\)$/,
    );
    expect(await reason((await openGame("connect-four")).initial())).toMatch(/: it has no cells$/);
    expect(await reason({ cells: new Uint8Array(4), toMove: 0 })).toMatch(/: cells has 4 elements, not 9$/);
    expect(await reason({ cells: [], toMove: 0 })).toMatch(/: cells is an array, not a Uint8Array$/);
  });

  it("think about every position that random games reach", async () => {
    const legal = new Int32Array(1000);
    for (const { name } of games) {
      const game = await openGame(name);
      const random = await agent(game, { use: "random" });
      const state = game.initial();
      const draws = Random.named(name);
      for (let ply = 0; ply < 40 && game.toMove(state) !== OVER; ply++) {
        const chance = game.toMove(state) === CHANCE;
        const action = chance
          ? game.chance!.sample(state, draws)
          : legal[draws.below(game.legal(state, legal))]!;
        if (!chance) await random.think(state);
        game.play(state, action);
      }
    }
  });

  it("report what a search of one's own does wrong", async () => {
    const game = await openGame("tic-tac-toe");
    const own = (name: string, search: unknown) =>
      agent(game, {
        use: defineSearch({
          name,
          description: "x.",
          create: (_, __, tools) => ({ search: (search as any)(tools) }),
        }),
      });
    const fault = async (name: string, search: unknown) =>
      await (
        await own(name, search)
      )
        .think(game.initial())
        .catch((error: LudoflowError) => `${error.code} ${error.message}`);
    expect(
      await fault(
        "beyond",
        (tools: any) =>
          function* (state: unknown) {
            yield* [];
            return tools.decide(state, { action: 9 });
          },
      ),
    ).toMatch(/^ERR_PLAYER the search "beyond" chose action 9, which is not legal in .* \(legal: 0, 1, 2, /);
    expect(
      await fault("plain", (tools: any) => (state: unknown) => tools.decide(state, { action: 0 })),
    ).toMatch(/^ERR_PLAYER the search "plain" has no generator/);
    expect(
      await fault(
        "silent",
        () =>
          function* () {
            yield* [];
            return 3;
          },
      ),
    ).toMatch(/^ERR_PLAYER the search "silent" returned no decision/);
    expect(
      await fault(
        "hungry",
        (tools: any) =>
          function* (state: unknown) {
            yield* tools.evaluate([state]);
          },
      ),
    ).toMatch(/^ERR_PLAYER the search "hungry" has no net evaluated: write needs/);
  });

  it("are refused with a reason if they cannot play", async () => {
    const game = await openGame("tic-tac-toe");
    expect(await code(agent(game, { use: "uct", simulations: -1 }))).toBe("ERR_AGENT");
    expect(await code(agent(game, { use: "puct-max-n" }))).toBe("ERR_AGENT");
    expect(await code(agent(game, { use: "greedy", net: "nowhere" }))).toBe("ERR_CHECKPOINT");
    const net = { use: "onnx", file: "nowhere.onnx", outputs: { value: "v" } } as const;
    await expect(agent(game, { use: "greedy", net })).rejects.toMatchObject({
      code: "ERR_AGENT",
      message: expect.stringContaining('no such file "nowhere.onnx"') as string,
    });
  });
});

describe("play", () => {
  it("plays a game that is a function of its seed and number", async () => {
    const game = await openGame(nim);
    const players = [
      await agent(game, { use: "uct", simulations: 10 }),
      await agent(game, { use: "random" }),
    ];
    const played = await play(game, players, { seed: 5 });
    expect(game.toMove(played.state)).toBe(OVER);
    expect(new Set(played.returns)).toEqual(new Set([0, 1]));
    expect(played.moves).toHaveLength(played.actions.length);
    expect((await play(game, players, { seed: 5 })).moves).toEqual(played.moves);
    expect((await play(game, players, { seed: 5, number: 1 })).moves).not.toEqual(played.moves);
  });

  it("asks people until their move is legal, and reports each ply", async () => {
    const game = await openGame("tic-tac-toe");
    const wrong: (string | undefined)[] = [];
    const answers = ["zz"];
    const person = human((question) => {
      wrong.push(question.wrong);
      return answers.shift() ?? question.moves[0]!;
    });
    const plies: string[] = [];
    const { moves } = await play(game, person, { onPly: ({ move }) => plies.push(move) });
    expect(plies).toEqual(moves);
    expect(wrong.slice(0, 3)).toEqual([undefined, expect.stringContaining("zz"), undefined]);
  });

  it("says that a game lists its legal actions in the wrong order", async () => {
    const shuffled = defineGame({
      name: "shuffled",
      description: "One move.",
      players: 1,
      create: (_, rules) =>
        rules({
          actions: 3,
          initial: () => ({ over: false }),
          toMove: ({ over }) => (over ? OVER : 0),
          legal({ over }, out) {
            for (const [i, action] of [0, 2, 1].entries()) out[i] = action;
            return over ? 0 : 3;
          },
          play(state) {
            state.over = true;
          },
          copy: (from, into) => void Object.assign(into, from),
          returns: (_, out) => void out.fill(0),
        }),
    });
    const game = await openGame(shuffled);
    await expect(play(game, await agent(game, { use: "random" }))).rejects.toMatchObject({
      code: "ERR_GAME",
      message: "legal gave 2 before 1; actions come in increasing order, each once",
    });
  });

  it("refuses illegal actions and other numbers of players, and stops by a signal", async () => {
    const game = await openGame("tic-tac-toe");
    const cheat = { name: "cheat", sit: () => ({ choose: () => 9 }) };
    expect(await code(play(game, cheat))).toBe("ERR_PLAYER");
    expect(await code(play(game, [cheat]))).toBe("ERR_PLAYER");
    expect(await code(play(game, human(), { signal: AbortSignal.abort("enough") }))).toBe("enough");
    const promised = Promise.resolve(cheat) as never;
    await expect(play(game, promised)).rejects.toMatchObject({
      code: "ERR_PLAYER",
      message: expect.stringContaining(
        "seat 0 is a promise of a player; make one with: await agent",
      ) as string,
    });
    expect(await code(agent(openGame("go") as never, { use: "random" }))).toBe("ERR_GAME");
    const other = await openGame("connect-four");
    expect(await code(play(other, await agent(game, { use: "random" })))).toBe("ERR_AGENT");
  });
});
