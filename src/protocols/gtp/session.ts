import type { GameConfig } from "../../games/registry.ts";
import { GtpBoard, type OpenedForGtp } from "./board.ts";
import type { GtpDialect, GtpFiles, GtpGame, GtpHandler, GtpTable } from "./dialect.ts";
import { GtpError } from "./error.ts";
import { withArguments, withoutResponse } from "./handler.ts";
import { type GtpCommand, gtpResponse, parseGtpCommand } from "./text.ts";

/** The files of the machine, for `loadsgf` and `savesgf`. */
export interface FileAccess {
  /** The text of a file. Throws where it cannot be read. */
  read(path: string): string;
  /** Writes a file. Throws an Error whose message tells why where it cannot be written. */
  write(path: string, text: string): void;
}

/** What a session is given. */
export interface GtpSessionOptions {
  readonly dialect: GtpDialect;
  /** The game that the session begins with, as an experiment file names it. */
  readonly game: GameConfig;
  /**
   * Opens a game that the dialect speaks of, and the agent that plays it. Throws an Error whose message tells the user
   * what is wrong.
   */
  readonly open: (config: GameConfig) => OpenedForGtp;
  /** The draws of agents follow from it. */
  readonly seed: number;
  /** The responses to `name` and `version`. */
  readonly program: { readonly name: string; readonly version: string };
  readonly files: FileAccess;
}

/**
 * The engine's side of GTP 2: a game, and an agent that plays any of its colours.
 *
 * The session has the commands of the protocol; the dialect adds its own. Nothing that is sent ends a session but `quit`.
 * What the agent draws at ply n comes from the stream (seed, "agent", n): the same lines get the same responses.
 */
export class GtpSession {
  readonly #options: GtpSessionOptions;
  readonly #handlers: Readonly<Record<string, GtpHandler>>;
  #board: GtpBoard;
  #seed: number;
  #quit = false;

  /** Throws an Error that tells what is wrong where the dialect lacks the game or the agent cannot play it. */
  constructor(options: GtpSessionOptions) {
    this.#options = options;
    this.#seed = options.seed;
    this.#board = new GtpBoard(...this.#open(options.game));
    this.#handlers = { ...this.#standard(), ...options.dialect.commands(this.#table()) };
  }

  /** Whether `quit` has been followed: no further command gets a response. */
  get ended(): boolean {
    return this.#quit;
  }

  /**
   * Follows one line, without its end. Returns the whole response, or undefined where the line holds no command. Never
   * throws.
   */
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
    const follow = Object.hasOwn(this.#handlers, name) ? this.#handlers[name]! : undefined;
    if (follow === undefined) throw new GtpError("unknown command");
    return follow(args);
  }

  /** The commands of every session. */
  #standard(): Readonly<Record<string, GtpHandler>> {
    const { program } = this.#options;
    return {
      clear_board: withoutResponse(() => this.#board.clear()),
      cputime: withArguments([], () => {
        const { user, system } = process.cpuUsage();
        return ((user + system) / 1e6).toFixed(3);
      }),
      final_score: withArguments([], () => this.#board.spoken.score(this.#board.game, this.#board.state)),
      genmove: withArguments(["a colour"], ([colour]) => this.#genmove(this.#seat(colour!))),
      known_command: withArguments(["a command"], ([name]) => String(Object.hasOwn(this.#handlers, name!))),
      list_commands: withArguments([], () => Object.keys(this.#handlers).toSorted().join("\n")),
      "ludoflow-position": (words) => {
        if (words.length === 0) throw new GtpError("syntax error: expected the text of a position");
        this.#board.setUp(words.join(" "));
        return "";
      },
      "ludoflow-showposition": withArguments([], () => this.#board.position),
      loadsgf: ([path, before, ...more]) => {
        if (path === undefined || more.length > 0)
          throw new GtpError("syntax error: expected a file and at most a move number");
        this.#load(path, before);
        return "";
      },
      name: withArguments([], () => program.name),
      play: ([colour, ...words]) => {
        if (colour === undefined) throw new GtpError("syntax error: expected a colour and a move");
        this.#play(this.#seat(colour), words);
        return "";
      },
      protocol_version: withArguments([], () => "2"),
      quit: withoutResponse(() => {
        this.#quit = true;
      }),
      reg_genmove: withArguments(
        ["a colour"],
        ([colour]) => this.#board.suggest(this.#seat(colour!), this.#seed)?.text ?? "pass",
      ),
      savesgf: withArguments(["a file"], ([path]) => {
        this.#save(path!);
        return "";
      }),
      set_random_seed: withArguments(["a number"], ([seed]) => {
        const number = Number(seed);
        if (!/^\d+$/.test(seed!) || !Number.isSafeInteger(number))
          throw new GtpError(`invalid seed "${seed}": expected a whole number from 0 to 2^53 - 1`);
        this.#seed = number;
        return "";
      }),
      showboard: withArguments([], () => `\n${this.#board.game.drawing.text(this.#board.state)}`),
      undo: withoutResponse(() => this.#board.undo()),
      version: withArguments([], () => program.version),
    };
  }

  /** What the commands of the dialect work with. */
  #table(): GtpTable {
    const board = () => this.#board;
    return {
      get config() {
        return board().config;
      },
      get game() {
        return board().game;
      },
      get mover() {
        return board().mover;
      },
      get state() {
        return board().state;
      },
      begin: (config) => this.#putUp(config).clear(),
      configOf: (rules) => this.#configOf(rules),
      genmove: (seat) => this.#genmove(seat),
      legal: (seat) => this.#board.legal(seat),
      play: (seat, words) => this.#play(seat, words),
      seat: (colour) => this.#seat(colour),
    };
  }

  #play(seat: number, words: readonly string[]): void {
    if (words.length === 0) throw new GtpError("syntax error: expected a move");
    this.#board.play(seat, words.join(""));
  }

  #genmove(seat: number): string {
    const move = this.#board.find(seat, this.#seed);
    if (move === undefined) return "pass";
    this.#board.advance(move);
    return move.text;
  }

  /**
   * Sets up the last position of a game's main line. With a number from 1 on, the position before the move of that
   * number; a game with fewer moves is read whole.
   */
  #load(path: string, before: string | undefined): void {
    const { rules } = this.#board.config;
    const files = this.#filesFor(rules);
    if (before !== undefined && !/^[1-9]\d*$/.test(before))
      throw new GtpError(`invalid move number "${before}": expected a whole number from 1 on`);
    let text: string;
    try {
      text = this.#options.files.read(path);
    } catch {
      throw new GtpError(`cannot read the file "${path}"`);
    }
    try {
      const { actions, config } = files.read(text);
      const board = this.#putUp({ ...this.#configOf(config.rules), ...config });
      board.replay(actions.slice(0, before === undefined ? undefined : Number(before) - 1));
    } catch (error) {
      if (error instanceof GtpError) throw new GtpError(`${path}: ${error.message}`);
      throw error;
    }
  }

  /** Writes the game so far. */
  #save(path: string): void {
    const { config, game } = this.#board;
    const files = this.#filesFor(game.name);
    if (!files.rules.includes(config.rules)) throw new GtpError(`${game.name} has no form of game files`);
    this.#options.files.write(path, files.write(config, this.#board.line));
  }

  #filesFor(rules: string): GtpFiles {
    const { files } = this.#options.dialect;
    if (files === undefined) throw new GtpError(`${rules} has no form of game files`);
    return files;
  }

  /** See `GtpTable`. */
  #configOf(rules: string): GameConfig {
    const { game } = this.#options;
    return game.rules === rules ? game : { rules };
  }

  /** The board of a game: the present one where it is that game with the same options, else a new one. */
  #putUp(config: GameConfig): GtpBoard {
    const [spoken, opened] = this.#open(config);
    if (!sameConfig(opened.config, this.#board.config)) this.#board = new GtpBoard(spoken, opened);
    return this.#board;
  }

  #open(config: GameConfig): [GtpGame, OpenedForGtp] {
    const { games } = this.#options.dialect;
    const spoken = Object.hasOwn(games, config.rules) ? games[config.rules] : undefined;
    if (spoken === undefined)
      throw new GtpError(
        `GTP is not spoken for the game "${config.rules}" (known: ${Object.keys(games).join(", ")})`,
      );
    return [spoken, this.#options.open(config)];
  }

  #seat(colour: string): number {
    const { colours } = this.#board.spoken;
    const seat = colours.findIndex((names) => names.includes(colour.toLowerCase()));
    if (seat < 0)
      throw new GtpError(`invalid colour "${colour}" (known: ${colours.map(([name]) => name).join(", ")})`);
    return seat;
  }
}

/** Whether two games with all their options are alike. */
function sameConfig(a: GameConfig, b: GameConfig): boolean {
  return Object.keys({ ...a, ...b }).every(
    (option) => JSON.stringify(a[option]) === JSON.stringify(b[option]),
  );
}
