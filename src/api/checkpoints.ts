import type { EvaluationRequest } from "../games/evaluation.ts";
import { CHANCE, type Game } from "../games/game.ts";
import type { ResolvedNet } from "../graph/agents/open-agent.ts";
import { LudoflowError, withPublicErrors } from "./errors.ts";
import { configOf, openGameOf } from "./games.ts";
import { assertPositions } from "./positions.ts";

/** What a net says of some positions. */
export interface NetEvaluations {
  /**
   * Row-major [positions, players]: the value that each seat can expect of the whole game, in the kind of values that the net
   * has learned (`values` of the net: returns, or wins and losses). Of finished games the rules give it.
   */
  readonly values: Float32Array;
  /**
   * Row-major [positions, `game.maxLegal`]: a probability for each legal action, in the order of `game.legal`; the rest of a
   * row is 0, and the whole row if no player moves. Length 0 if the net has no policy.
   */
  readonly policy: Float32Array;
}

/** A trained net that is ready to evaluate positions. Disposing of it ends the thread that computes it. */
export interface OpenCheckpoint extends AsyncDisposable {
  /** The folder that it was read from. */
  readonly path: string;
  /** The game that it plays. */
  readonly game: Game<unknown>;
  /** The game and its options as in an experiment file, complete. */
  readonly rules: { readonly rules: string; readonly [option: string]: unknown };
  /** The net and its options as in an experiment file, complete. */
  readonly net: { readonly use: string; readonly [option: string]: unknown };
  /** Its name in the experiment, and the games or steps that it learned from. */
  readonly name: string;
  readonly learned: number;
  readonly unit: "games" | "steps";
  /** Whether it predicts values of positions, and probabilities of moves. */
  readonly hasValues: boolean;
  readonly hasPolicy: boolean;
  /**
   * Evaluates positions, 256 in one batch; results do not depend on the batches. The calling thread waits for each batch.
   * What a net says of positions of a kind that it has not learned from means nothing: most nets learn from positions in
   * which a player moves.
   *
   * Throws a LudoflowError: `ERR_POSITION` for what is not a state of the game; `ERR_COMPUTE` if the net evaluates no positions.
   */
  evaluate(positions: readonly unknown[]): Promise<NetEvaluations>;
}

/** What opened checkpoints are evaluated by. */
const resolved = new WeakMap<OpenCheckpoint, ResolvedNet>();

/** The net of an opened checkpoint, for agents. */
export function netOf(checkpoint: OpenCheckpoint): ResolvedNet | undefined {
  return resolved.get(checkpoint);
}

/** The greatest number of positions in a batch. */
const BATCH = 256;

/**
 * Opens a checkpoint: the folder that holds `checkpoint.json`. All of its checksums are compared. The plug-ins of the run that it
 * lies in are loaded, if the user has allowed them; for others see `loadPlugins`.
 *
 * Throws a LudoflowError: `ERR_CHECKPOINT`, `ERR_GAME` for a game that is not known, `ERR_CODE_NOT_ALLOWED`, `ERR_PLUGIN`,
 * `ERR_AGENT` or `ERR_COMPUTE` if nets cannot be computed here; the message names the remedy.
 */
export async function openCheckpoint(path: string): Promise<OpenCheckpoint> {
  return await withPublicErrors(async () => {
    const [{ readManifest }, { resolveNet }, { playedFor }, runCode, { permitAllowed }] = await Promise.all([
      import("../operators/run/weights/checkpoint-files.ts"),
      import("../graph/agents/open-net.ts"),
      import("../games/outcome.ts"),
      import("../graph/code/run-code.ts"),
      import("../graph/code/permission.ts"),
    ]);
    const manifest = readManifest(path);
    const around = runCode.runAround(path);
    if (around !== undefined) await runCode.loadPluginsOfRun(around, permitAllowed);
    const { rules, ...options } = manifest.game as OpenCheckpoint["rules"];
    const game = await openGameOf(rules, options);
    const net = resolveNet(path, game, configOf(game));
    // What its values are of: they count from the position on.
    const valued = playedFor(game, net.values ?? "returns");
    let closed = false;
    const checkpoint: OpenCheckpoint = {
      path,
      game,
      rules: configOf(game),
      net: manifest.net as OpenCheckpoint["net"],
      name: manifest.name,
      learned: manifest.learned,
      unit: manifest.unit,
      hasValues: net.hasValue,
      hasPolicy: net.hasPolicy,
      evaluate: async (positions) =>
        await withPublicErrors(() => {
          if (closed)
            throw new LudoflowError("ERR_COMPUTE", `the checkpoint ${path} was disposed of; open it again`);
          assertPositions(game, positions);
          return evaluate(valued, net, positions);
        }),
      [Symbol.asyncDispose]: async () => {
        closed = true;
        await net.close?.();
      },
    };
    resolved.set(checkpoint, net);
    return checkpoint;
  });
}

function evaluate(
  game: Game<unknown>,
  { evaluator, hasPolicy }: ResolvedNet,
  positions: readonly unknown[],
): NetEvaluations {
  if (evaluator === undefined)
    throw new LudoflowError("ERR_COMPUTE", "this net draws moves of playouts, and evaluates no positions");
  const { players, maxLegal } = game;
  const values = new Float32Array(positions.length * players);
  const policy = new Float32Array(hasPolicy ? positions.length * maxLegal : 0);
  const returns = new Float64Array(players);
  for (const [i, state] of positions.entries()) {
    game.returns(state, returns);
    values.set(returns, i * players);
  }
  const movers = positions.map((state) => game.toMove(state));
  const rowsWhere = (wanted: (mover: number) => boolean) =>
    movers.flatMap((mover, i) => (wanted(mover) ? [i] : []));
  // Probabilities are of moves, and chance makes none.
  evaluateRows(
    rowsWhere((mover) => mover >= 0),
    hasPolicy,
  );
  evaluateRows(
    rowsWhere((mover) => mover === CHANCE),
    false,
  );
  return { values, policy };

  function evaluateRows(all: readonly number[], priors: boolean): void {
    for (let start = 0; start < all.length; start += BATCH) {
      const rows = all.slice(start, start + BATCH);
      const request: EvaluationRequest<unknown> = {
        states: rows.map((i) => positions[i]),
        count: rows.length,
        values: new Float64Array(rows.length * players),
        ...(priors ? { priors: new Float32Array(rows.length * maxLegal) } : {}),
      };
      evaluator!.evaluate(request);
      for (const [row, i] of rows.entries()) {
        for (let seat = 0; seat < players; seat++)
          values[i * players + seat]! += request.values[row * players + seat]!;
        if (priors) policy.set(request.priors!.subarray(row * maxLegal, (row + 1) * maxLegal), i * maxLegal);
      }
    }
  }
}
