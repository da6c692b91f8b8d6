import { gtpResponse, type GtpCommand, parseGtpCommand } from "../protocols/gtp/text.ts";
import { ludoflowVersion } from "../graph/version.ts";
import type { GameConfig } from "../operators/experiment/open-experiment.ts";
import { GtpError, GtpPlay, type GtpPlayOptions } from "./gtp-play.ts";
import { finalScore, placeOf } from "./gtp-score.ts";
import { loadGame, saveGame } from "./gtp-sgf.ts";

/** What a session is given. */
export interface GtpSessionOptions extends GtpPlayOptions {
  /** The game as an experiment file names it. */
  readonly game: GameConfig;
  readonly seed: number;
}

type Follow = (args: readonly string[]) => string;

/** A command with a fixed number of arguments, named for the message. */
const of =
  (names: readonly string[], follow: Follow): Follow =>
  (args) => {
    if (args.length !== names.length)
      throw new GtpError(
        `syntax error: expected ${names.length === 0 ? "no arguments" : names.join(" and ")}`,
      );
    return follow(args);
  };

/** A command without arguments and without an answer but that it was followed. */
const done = (follow: () => void): Follow =>
  of([], () => {
    follow();
    return "";
  });

/**
 * The engine's side of GTP 2: a game and an agent that plays any of its colours.
 *
 * Nothing that is sent ends a session but `quit`. What the agent draws at ply n comes from the stream (seed, "agent", n),
 * so a session is a function of its lines.
 */
export class GtpSession {
  readonly #options: GtpSessionOptions;
  #play: GtpPlay;
  #seed: number;
  #quit = false;

  /** Throws an Error that says what is wrong where the dialect has no such game or the agent cannot play it. */
  constructor(options: GtpSessionOptions) {
    this.#options = options;
    this.#seed = options.seed;
    this.#play = new GtpPlay(options, options.game);
  }

  /** Whether `quit` has been followed: there is nothing more to answer. */
  get ended(): boolean {
    return this.#quit;
  }

  /** Follows one line, without its end; the whole answer, or undefined where the line asks for none. Never throws. */
  respond(line: string): string | undefined {
    const command = parseGtpCommand(line);
    if (command === undefined) return undefined;
    try {
      return gtpResponse(true, command.id, this.#follow(command));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return gtpResponse(false, command.id, message.replaceAll(/\s*\n\s*/g, "; "));
    }
  }

  #follow({ name, args }: GtpCommand): string {
    const follow = Object.hasOwn(this.#follows, name) ? this.#follows[name]! : undefined;
    if (follow === undefined) throw new GtpError("unknown command");
    return follow(args);
  }

  readonly #follows: Readonly<Record<string, Follow>> = {
    all_legal: of(["a colour"], ([colour]) => this.#play.legal(this.#seat(colour!)).join("\n")),
    clear_board: done(() => this.#play.clear()),
    cputime: of([], () => {
      const { user, system } = process.cpuUsage();
      return ((user + system) / 1e6).toFixed(3);
    }),
    final_score: of([], () => finalScore(this.#play.returns(), this.#play.spoken)),
    g: of([], () => this.#genmove(this.#play.mover)),
    genmove: of(["a colour"], ([colour]) => this.#genmove(this.#seat(colour!))),
    get_place: of(["a colour"], ([colour]) => placeOf(this.#play.returns(), this.#seat(colour!))),
    known_command: of(["a command"], ([name]) => String(Object.hasOwn(this.#follows, name!))),
    list_commands: of([], () => Object.keys(this.#follows).join("\n")),
    loadsgf: ([path, before, ...more]) => {
      if (path === undefined || more.length > 0)
        throw new GtpError("syntax error: expected a file and at most a move number");
      const { rules, actions } = loadGame(path, before);
      this.#putUp(rules).replay(actions);
      return "";
    },
    name: of([], () => "ludoflow"),
    p: (words) => this.#playMove(this.#play.mover, words),
    play: ([colour, ...words]) => {
      if (colour === undefined) throw new GtpError("syntax error: expected a colour and a move");
      return this.#playMove(this.#seat(colour), words);
    },
    protocol_version: of([], () => "2"),
    quit: done(() => {
      this.#quit = true;
    }),
    reg_genmove: of(
      ["a colour"],
      ([colour]) => this.#play.find(this.#seat(colour!), this.#seed)?.text ?? "pass",
    ),
    savesgf: of(["a file"], ([path]) => {
      saveGame(path!, this.#play);
      return "";
    }),
    set_game: (words) => this.#setGame(words.join(" ")),
    set_random_seed: of(["a number"], ([seed]) => {
      const number = Number(seed);
      if (!/^\d+$/.test(seed!) || !Number.isSafeInteger(number))
        throw new GtpError(`invalid seed "${seed}": expected a whole number from 0 to 2^53 - 1`);
      this.#seed = number;
      return "";
    }),
    showboard: of([], () => `\n${this.#play.game.drawing.text(this.#play.state)}`),
    undo: done(() => this.#play.undo()),
    version: of([], ludoflowVersion),
  };

  #playMove(seat: number, words: readonly string[]): string {
    if (words.length === 0) throw new GtpError("syntax error: expected a move");
    this.#play.play(seat, words.join(""));
    return "";
  }

  #genmove(seat: number): string {
    const move = this.#play.find(seat, this.#seed);
    if (move === undefined) return "pass";
    this.#play.advance(move);
    return move.text;
  }

  #setGame(variant: string): string {
    const known = Object.entries(this.#options.dialect.games);
    const found = known.find(([, spoken]) => spoken.variant.toLowerCase() === variant.toLowerCase());
    if (found === undefined)
      throw new GtpError(
        `invalid game "${variant}" (known: ${known.map(([, spoken]) => spoken.variant).join(", ")})`,
      );
    this.#putUp(found[0]).clear();
    return "";
  }

  /** Goes over to a game, where it is not the one already; nothing changes where the agent cannot play it. */
  #putUp(rules: string): GtpPlay {
    const { game } = this.#options;
    if (this.#play.config.rules !== rules)
      this.#play = new GtpPlay(this.#options, game.rules === rules ? game : { rules });
    return this.#play;
  }

  #seat(colour: string): number {
    const { colours } = this.#play.spoken;
    const seat = colours.findIndex((names) => names.includes(colour.toLowerCase()));
    if (seat < 0)
      throw new GtpError(`invalid colour "${colour}" (known: ${colours.map(([name]) => name).join(", ")})`);
    return seat;
  }
}
