import { Type, type Static } from "../../schema.ts";
import type { Game } from "../../games/game.ts";
import type { Random } from "../../random.ts";
import { canResign } from "../../search/choice/resignation.ts";
import { DecisionBuffer } from "../../search/choice/decision-buffer.ts";
import type { SearchDefinition } from "../../search/definition.ts";
import { PlayerFailed } from "../../search/player-failed.ts";
import type { Search, Searching } from "../../search/search.ts";
import { GtpClient } from "./client.ts";
import { type GtpDialect, type GtpGame, reasonIllegal } from "./dialect.ts";
import { gtpDialects } from "./dialects.ts";

const options = Type.Object(
  {
    command: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      description:
        "The program and its arguments. A path is relative to the folder that the run is started in; a name is looked for on the PATH, then in /usr/games and /usr/local/games. $NAME stands for the words of an environment variable.",
    }),
    dialect: Type.Unsafe<string>({
      type: "string",
      enum: gtpDialects.map(({ name }) => name),
      default: gtpDialects[0]!.name,
      description: `How the program speaks GTP. ${gtpDialects.map(({ name, description }) => `${name}: ${description}`).join(" ")}`,
    }),
    setUp: Type.Array(
      Type.String({ pattern: "^[^\\r\\n]+$", patternErrorMessage: "expected one line of text" }),
      {
        default: [],
        description: "GTP commands that are sent once after each start, such as a level.",
      },
    ),
    perSeat: Type.Boolean({
      default: true,
      description:
        "Whether each of the agent's seats in a game has its own process. false: one process plays all of them.",
    }),
    timeoutMs: Type.Integer({
      minimum: 1,
      maximum: 86_400_000,
      default: 60_000,
      description:
        "The longest wait for one response in milliseconds, the program's start included. On Linux the time that the program waits for a processor does not count, up to ten times the limit.",
    }),
    chatter: Type.Unsafe<"refuse" | "skip">({
      type: "string",
      enum: ["refuse", "skip"],
      default: "refuse",
      description: "Lines before a response that are none: a failure, or skipped.",
    }),
    restart: Type.Unsafe<"after-failure" | "every-game" | "never">({
      type: "string",
      enum: ["after-failure", "every-game", "never"],
      default: "after-failure",
      description:
        "When a new process is started for the next game. With never, a program that has failed once always fails.",
    }),
  },
  { additionalProperties: false },
);

type Options = Required<Static<typeof options>>;

function dialectNamed(name: string): GtpDialect {
  return gtpDialects.find((dialect) => dialect.name === name)!;
}

/** The hint for a game that other dialects have. */
function spokenBy(game: string): string {
  const others = gtpDialects.filter(({ games }) => Object.hasOwn(games, game)).map(({ name }) => name);
  return others.length === 0 ? "" : `; write dialect: ${others.join(" or ")}`;
}

/** The commands that set up a position from a text in the game's notation; programs know the one or the other. */
const SET_POSITION = ["setposition", "ludoflow-position"] as const;

/** An outside program that speaks GTP, as an agent of an experiment. */
export const gtp: SearchDefinition<typeof options> = {
  name: "gtp",
  description:
    "Another program, through the Go Text Protocol. Its games are as reproducible as it is; it is seeded if it knows set_random_seed.",
  options,
  needs: { value: false, policy: false },
  best: "any",
  reproducible: false,
  unsuited: (game, { dialect }) => {
    const { games } = dialectNamed(dialect);
    return Object.hasOwn(games, game.name)
      ? games[game.name]!.refusal?.(game)
      : `the dialect ${dialect} does not speak of ${game.name} (it does of ${Object.keys(games).join(", ")})${spokenBy(game.name)}`;
  },
  create: (game, complete) => new GtpPlayer(game, dialectNamed(complete.dialect).games[game.name]!, complete),
};

/**
 * A GTP program in one seat, or in several seats, of a game.
 *
 * The program gets the position of a game that does not begin as the rules say by `setposition`, the moves of the other seats by
 * `play`, and finds its own by `genmove`. Any failure ends the process,
 * and the next `search` of that game throws PlayerFailed. A program that fails after its last move of a finished game disputes
 * the result if the dialect compares scores; otherwise the failure is ignored.
 * `resign` is a failure in games that cannot be given up, and so is `pass` where it is no legal move. A pass that the program makes by
 * itself, in dialects with `skipsPasses`, is neither sent nor requested.
 */
export class GtpPlayer<S> implements Search<S> {
  readonly maxRequest = 0;
  readonly #game: Game<S>;
  readonly #options: Options;
  readonly #spoken: GtpGame;
  /** The pass, if the program passes over a seat that must pass without a command. */
  readonly #skipped: number | undefined;
  readonly #buffer: DecisionBuffer<S>;
  readonly #values: readonly number[];
  #client: GtpClient | undefined;
  #failure: PlayerFailed | undefined;
  #seeded = false;
  /** Whether it receives games: `begin`, and the moves after it. */
  #inGame = false;
  /** The move that the program has made on its own board, until the game has made it. */
  #made: number | undefined;

  /** `spoken` is how the dialect speaks of the game. No process is started before `begin`. */
  constructor(game: Game<S>, spoken: GtpGame, complete: Options) {
    this.#game = game;
    this.#options = complete;
    this.#spoken = spoken;
    this.#skipped = spoken.skipsPasses === true ? spoken.pass?.(game as Game<unknown>) : undefined;
    this.#buffer = new DecisionBuffer(game);
    this.#values = Array.from({ length: game.players }, () => 0);
  }

  begin(state: S): void {
    this.#inGame = true;
    this.#begin(state);
  }

  #begin(state: S): void {
    const { restart } = this.#options;
    if (this.#failure !== undefined && restart === "never") return;
    this.#failure = undefined;
    this.#made = undefined;
    this.#seeded = false;
    if (restart === "every-game") this.#quit();
    this.#attempt(() => {
      const client = (this.#client ??= this.#start());
      for (const command of this.#spoken.begin(this.#game as Game<unknown>)) client.send(command);
      const { notation } = this.#game;
      const position = notation.position(state);
      if (position === notation.position(this.#game.initial())) return;
      const command = SET_POSITION.find((name) => client.knows(name));
      if (command === undefined)
        throw client.failed(
          `cannot be told the position ${JSON.stringify(position)}: it does not know the command ${SET_POSITION[0]}`,
        );
      client.send(`${command} ${position}`);
    });
  }

  observe(state: S, action: number): void {
    if (this.#made === action) {
      this.#made = undefined;
      return;
    }
    if (action === this.#skipped) return;
    this.#attempt(() => this.#client?.send(`play ${this.#colour(state)} ${this.#format(state, action)}`));
  }

  // oxlint-disable-next-line require-yield -- it requests no evaluation
  *search(state: S, random: Random): Searching<S> {
    // A position that belongs to no game is a game of its own.
    if (!this.#inGame) this.#begin(state);
    const rows = this.#buffer.open(state);
    if (rows.actions.length === 1 && rows.actions[0] === this.#skipped) {
      if (this.#failure !== undefined) throw this.#failure;
      this.#made = this.#skipped;
      return this.#buffer.close(rows, 0, this.#values);
    }
    let action = -1;
    let resigns = false;
    this.#attempt(() => {
      const client = this.#client!;
      if (!this.#seeded && client.knows("set_random_seed"))
        client.send(`set_random_seed ${random.below(2 ** 31)}`);
      this.#seeded = true;
      const command = `genmove ${this.#colour(state)}`;
      const response = client.send(command);
      const move = this.#spoken.moves.parse(this.#game as Game<unknown>, state, response);
      if (move === undefined) {
        if (response.toLowerCase() === "resign") {
          if (!canResign(this.#game)) throw client.failed("resigned");
          resigns = true;
          return;
        }
        if (response.toLowerCase() === "pass")
          throw client.failed(`passed, with ${rows.actions.length} legal moves left`);
        throw client.failed(
          `responded to "${command}" with ${JSON.stringify(response.slice(0, 80))}, which is no legal move${reasonIllegal(this.#game as Game<unknown>, state, response)}`,
        );
      }
      action = move;
    });
    if (this.#failure !== undefined) throw this.#failure;
    if (resigns) return { ...this.#buffer.close(rows, 0, this.#values), resigns };
    this.#made = action;
    return this.#buffer.close(rows, rows.actions.indexOf(action), this.#values);
  }

  /**
   * Compares the program's score with that of the rules, in dialects whose games end with a score that both sides count.
   * A program that knows no `final_score` objects to nothing.
   */
  objection(state: S): string | undefined {
    const spoken = this.#spoken;
    if (spoken.sameScore === undefined) return undefined;
    let score: string | undefined;
    this.#attempt(() => {
      if (this.#client?.knows("final_score") === true) score = this.#client.send("final_score");
    });
    if (this.#failure !== undefined) return `gives no score: ${this.#failure.message}`;
    const own = spoken.score(this.#game as Game<unknown>, state);
    if (score === undefined || spoken.sameScore(score, this.#game as Game<unknown>, state)) return undefined;
    return `counts ${JSON.stringify(score.slice(0, 80))}, and by the rules it is ${JSON.stringify(own)}`;
  }

  processorSeconds(): number | undefined {
    return this.#client?.processorSeconds();
  }

  /** Ends the program; another one would be started if a next game began. */
  stop(): void {
    this.#client?.stop();
    this.#client = undefined;
  }

  #start(): GtpClient {
    const { chatter, command, setUp, timeoutMs } = this.#options;
    const client = new GtpClient(command, { skipsChatter: chatter === "skip", timeoutMs });
    // Kept before the first command, so that a failure from here on stops it.
    this.#client = client;
    for (const given of setUp) client.send(given);
    return client;
  }

  #quit(): void {
    this.#client?.quit();
    this.#client = undefined;
  }

  /** Does something with the program, unless it has failed in this game. A failure is kept and ends the process. */
  #attempt(something: () => void): void {
    if (this.#failure !== undefined) return;
    try {
      something();
    } catch (error) {
      if (!(error instanceof PlayerFailed)) throw error;
      this.#failure = error;
      this.stop();
    }
  }

  #format(state: S, action: number): string {
    return this.#spoken.moves.format(this.#game as Game<unknown>, state, action);
  }

  #colour(state: S): string {
    return this.#spoken.colours[this.#game.toMove(state)]![0];
  }
}
