import { join } from "node:path";
import type { Msg, NatsConnection } from "@nats-io/transport-node";
import { expect, it } from "vitest";
import { Dismissals } from "../../../../src/fleet/run/dismissals.ts";
import { FleetGames } from "../../../../src/fleet/run/fleet-games.ts";
import { isDrawnForCheck } from "../../../../src/fleet/run/result-check.ts";
import { ResultJudge } from "../../../../src/fleet/run/result-judge.ts";
import { Roster } from "../../../../src/fleet/run/roster.ts";
import type { RunEnd } from "../../../../src/fleet/run/run-end.ts";
import type { SharedWeights } from "../../../../src/fleet/run/shared-weights.ts";
import { bitsKey } from "../../../../src/fleet/wire/hello.ts";
import { comparableReport, encodeResult } from "../../../../src/fleet/wire/report-message.ts";
import type { GameReport } from "../../../../src/operators/play/game-task.ts";
import { scratchFolder } from "../../../formats/scratch-folder.ts";
import { startRun, writeExperiment, zeroExperiment } from "../../../graph/tiny-run.ts";
import { checkedHost, type PlayedTask } from "../../../fleet/check/checked-host.ts";

const RUN = "run";
const KEY = "key";
const DRAWN = 7;
const weights = { net: "zero", version: 0, sha256: "0".repeat(64) };

/** Game 7 of a run with a seed: with seed 1 it is drawn to be played again. */
async function drawnGame(seed: number): Promise<PlayedTask> {
  const games: PlayedTask[] = [];
  const folder = scratchFolder();
  const set = [`seed=${seed}`, "graph.games.games=8", "graph.games.warmStart.games=4", "graph.replay.fill=4"];
  await startRun(writeExperiment(folder, zeroExperiment), join(folder, "run"), set, {
    hostOf: checkedHost((game) => games.push(game)),
  });
  return games.find(({ task }) => task.index === DRAWN)!;
}

let known: Promise<{ readonly honest: PlayedTask; readonly otherGame: GameReport }> | undefined;

/** A drawn game, and another game by the rules with its number, seats and weights, to which other draws have led. */
function drawnGames() {
  return (known ??= (async () => {
    const honest = await drawnGame(1);
    const { report: otherGame } = await drawnGame(2);
    expect(isDrawnForCheck(honest.opened, honest.task)).toBe(true);
    expect(comparableReport(otherGame)).not.toEqual(comparableReport(honest.report));
    return { honest, otherGame };
  })());
}

/** A run with --mixed and these joiners, each with what it answers when it is asked to play the game again. */
async function judging(others: Readonly<Record<string, GameReport | undefined>>) {
  const { opened, task } = (await drawnGames()).honest;
  const told: string[] = [];
  const taints: string[] = [];
  const finished: GameReport[] = [];
  const here: number[] = [];
  const roster = new Roster(RUN);
  for (const joiner of Object.keys(others))
    roster.onHeartbeat({ joiner, name: `${joiner}-machine:1`, runs: { [RUN]: { places: 1, playing: [] } } });
  const dismissals = new Dismissals((joiner, why) => told.push(`${roster.nameOf(joiner)}: ${why}`));
  const end: RunEnd = {
    use: { mixed: true, note: () => undefined, taint: (reason) => taints.push(reason) },
    machine: {
      opened,
      places: 0,
      weightsOf: () => expect.fail("no weights are asked for"),
      play: () => undefined,
      playAgain: () => expect.fail("this machine has other bits"),
      counts: () => undefined,
    },
    described: "described",
    roster,
    weights: {
      forTask: async () => [weights],
      bits: async () => "bits of the run",
    } as unknown as SharedWeights,
    dismissals,
  };
  const games = new FleetGames(0, {
    playHere: ({ task: { index } }) => here.push(index),
    encode: async () => ({ key: KEY, bytes: new Uint8Array(0) }),
    put: () => undefined,
    remove: () => undefined,
    isPlayed: () => false,
    places: () => 1,
  });
  games.add({ task, retries: 0, finish: (report) => finished.push(report) });
  await settled();
  const result = (joiner: string, report: GameReport) =>
    encodeResult({ joiner, bits: { [bitsKey(weights)]: "bits of the joiners" }, report });
  const connection = {
    request: async (subject: string) => {
      const joiner = subject.split(".").at(-1)!;
      const report = others[joiner];
      return { data: report === undefined ? new Uint8Array(0) : result(joiner, report) } as Msg;
    },
  } as unknown as NatsConnection;
  const judge = new ResultJudge(end, games, connection);
  return {
    taints,
    told,
    finished,
    here,
    games,
    sends: async (joiner: string, report: GameReport) => {
      const verdict = await judge.judge(joiner, KEY, result(joiner, report));
      await settled();
      return verdict.verdict;
    },
  };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 20));
const bytesOf = (reports: readonly GameReport[]) => reports.map((report) => comparableReport(report));

it("takes the drawn game of the only machine of its bits after the checks by rules, and says so", async () => {
  const { honest } = await drawnGames();
  const { finished, sends, taints, told } = await judging({ a: undefined });
  expect(await sends("a", honest.report)).toBe("taken");
  expect(bytesOf(finished)).toEqual(bytesOf([honest.report]));
  expect(told).toEqual([]);
  expect(taints).toEqual([
    "games were also played by machines that compute other bits (--mixed)",
    expect.stringMatching(
      /no second machine of equal bits was there: only rules, draws and hashes were checked/,
    ),
  ]);
});

it.for([
  ["the first", "a"],
  ["the second", "b"],
] as const)("of two machines whose games differ a third one decides: %s lies", async ([, liar]) => {
  const { honest, otherGame } = await drawnGames();
  const plays = (joiner: string) => (joiner === liar ? otherGame : honest.report);
  const { finished, sends, taints, told } = await judging({ a: undefined, b: plays("b"), c: plays("c") });
  expect(await sends("a", plays("a"))).toBe("taken");
  expect(bytesOf(finished)).toEqual(bytesOf([honest.report]));
  expect(told).toEqual([
    expect.stringMatching(new RegExp(`^${liar}-machine:1: game 7 of games comes out otherwise`)),
  ]);
  expect(taints.some((reason) => reason.includes("no second machine"))).toBe(false);
});

it("sends both away where nobody decides, and plays the game here", async () => {
  const { honest, otherGame } = await drawnGames();
  const { finished, here, sends, told } = await judging({ a: undefined, b: otherGame });
  await sends("a", honest.report);
  expect([finished, here]).toEqual([[], [DRAWN]]);
  expect(told.map((text) => text.slice(0, 1))).toEqual(["a", "b"]);
});

it("passes over a second machine that sends rubbish", async () => {
  const { honest } = await drawnGames();
  const rubbish = { ...honest.report, samples: new Uint8Array(9) };
  const { finished, sends, told } = await judging({ a: undefined, b: rubbish, c: honest.report });
  await sends("a", honest.report);
  expect([finished.length, told]).toEqual([1, []]);
});

it("refuses rubbish in a message of the right form, and names the machine at the third", async () => {
  const { honest } = await drawnGames();
  const { finished, games, sends, told } = await judging({ a: undefined });
  const noise = { ...honest.report, samples: honest.report.samples.map((byte, at) => byte ^ (at * 7)) };
  expect([await sends("a", noise), await sends("a", noise)]).toEqual(["bad", "bad"]);
  expect(told).toEqual([]);
  expect(await sends("a", noise)).toBe("leave");
  expect(told).toEqual([
    expect.stringMatching(/^a-machine:1: 3 of its results were refused, the last one because/),
  ]);
  // The game goes to others.
  expect([finished, games.away(KEY)?.task.index]).toEqual([[], DRAWN]);
});
