import { whyUnreadable } from "../../formats/files/unreadable.ts";
import type { GameConfig } from "../../games/registry.ts";
import { Random } from "../../random.ts";
import { GtpBoard, type OpenedForGtp } from "./board.ts";
import type {
  GeneratedMove,
  GtpDialect,
  GtpFiles,
  GtpGame,
  GtpHandler,
  GtpStream,
  GtpTable,
} from "./dialect.ts";
import { GameClock, canadianTime } from "./clock.ts";
import { GtpError } from "./error.ts";
import { fileArgument } from "./file-argument.ts";
import { numberOf, withArguments, withoutResponse } from "./handler.ts";
import { AnalysisStream } from "./analysis-stream.ts";
import { type GtpCommand, gtpResponse, gtpResponseStart, parseGtpCommand } from "./text.ts";

/** The files of the machine, for `loadsgf` and `savesgf`. */
export interface FileAccess {
  /** The content of a file. Throws what `node:fs` throws if it cannot be read. */
  read(path: string): Uint8Array | string;
  /** Writes a file. Throws an Error whose message says why it cannot be written. */
  write(path: string, text: string): void;
}

/** What a session is given. */
export interface GtpSessionOptions {
  readonly dialect: GtpDialect;
  /** The game of the session's user, as an experiment file names it. The dialect may set it up otherwise. */
  readonly game: GameConfig;
  /**
   * Opens a game that the dialect speaks of, and the agent that plays it. Throws an Error whose message says what is
   * wrong.
   */
  readonly open: (config: GameConfig) => OpenedForGtp;
  /** The draws of agents follow from it. */
  readonly seed: number;
  /** Whether agents keep to the clocks that the controller sends; true if absent. */
  readonly clock?: boolean;
  /** The responses to `name` and `version`. */
  readonly program: { readonly name: string; readonly version: string };
  readonly files: FileAccess;
  /** Receives the warnings about files that were read: a line of text each. */
  readonly warn?: (message: string) => void;
}

/** The response if there is no move to find. */
const NO_MOVE: GeneratedMove = { text: "pass", watched: () => [] };

/** About how many moves a seat still has to make, if the dialect does not say. */
const MOVES_LEFT = 20;

/**
 * The engine's side of GTP 2: a game, and an agent that plays any of its colours.
 *
 * The session has the commands of the protocol; the dialect adds its own. Nothing that is sent ends a session but `quit`.
 * What the agent draws at ply n comes from the stream (seed, "agent", n): without clocks, the same lines get the same
 * responses, but for the responses that continue until the next line comes.
 */
export class GtpSession {
  readonly #options: GtpSessionOptions;
  readonly #handlers: Readonly<Record<string, GtpHandler>>;
  #board: GtpBoard;
  readonly #clock = new GameClock();
  #seed: number;
  #quit = false;
  /** The response under way, which the next line ends. */
  #stream: GtpStream | undefined;
  #streams = false;

  /** Throws an Error if the dialect lacks the game or the agent cannot play it; the message says why. */
  constructor(options: GtpSessionOptions) {
    this.#options = options;
    this.#seed = options.seed;
    this.#board = new GtpBoard(...this.#open(this.#configOf(options.game.rules)));
    this.#handlers = { ...this.#standard(), ...options.dialect.commands(this.#table()) };
  }

  /** Whether `quit` has been followed: no further command gets a response. */
  get ended(): boolean {
    return this.#quit;
  }

  /** Whether a response is under way that `advance` continues. */
  get streams(): boolean {
    return this.#streams;
  }

  /**
   * Follows one line, without its end. Returns what is to be written: the rest of the response under way, then the
   * response to this line, or its beginning if `streams`. Undefined if there is nothing to write, as for a line
   * without a command. Never throws.
   */
  respond(line: string): string | undefined {
    const rest = this.end();
    const command = parseGtpCommand(line);
    if (command === undefined) return rest;
    return (rest ?? "") + this.#response(command);
  }

  /** Works on the response under way for a few milliseconds; returns the next part of it. Never throws. */
  advance(): string {
    if (this.#stream === undefined) return "";
    try {
      const text = this.#stream.next();
      this.#streams = text !== undefined;
      return text ?? "";
    } catch {
      // A search that cannot continue, for example for lack of memory, has written its results already.
      this.#streams = false;
      return "";
    }
  }

  /** Ends the response under way, as the end of the input does; returns the rest of it, or undefined if there is none. */
  end(): string | undefined {
    const stream = this.#stream;
    if (stream === undefined) return undefined;
    this.#stream = undefined;
    this.#streams = false;
    try {
      return `${stream.end()}\n`;
    } catch {
      return "\n";
    }
  }

  #response(command: GtpCommand): string {
    try {
      const response = this.#follow(command);
      if (typeof response === "string") return gtpResponse(true, command.id, response);
      this.#stream = response;
      this.#streams = true;
      return gtpResponseStart(command.id);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return gtpResponse(false, command.id, message.replaceAll(/\s*\n\s*/g, "; "));
    }
  }

  #follow({ name, args, text }: GtpCommand): string | GtpStream {
    const follow = Object.hasOwn(this.#handlers, name) ? this.#handlers[name]! : undefined;
    if (follow === undefined) throw new GtpError("unknown command");
    return follow(args, text);
  }

  /** The commands of every session. */
  #standard(): Readonly<Record<string, GtpHandler>> {
    const { program } = this.#options;
    const setPosition: GtpHandler = (words) => {
      if (words.length === 0) throw new GtpError("syntax error: expected the text of a position");
      this.#board.setUp(words.join(" "));
      return "";
    };
    return {
      clear_board: withoutResponse(() => {
        this.#clock.reset();
        this.#board.clear();
      }),
      cputime: withArguments([], () => {
        const { user, system } = process.cpuUsage();
        return ((user + system) / 1e6).toFixed(3);
      }),
      final_score: withArguments([], () => this.#board.spoken.score(this.#board.game, this.#board.state)),
      genmove: withArguments(["a colour"], ([colour]) =>
        this.#responseOf(this.#genmove(this.#seat(colour!))),
      ),
      known_command: withArguments(["a command"], ([name]) => String(Object.hasOwn(this.#handlers, name!))),
      list_commands: withArguments([], () => Object.keys(this.#handlers).toSorted().join("\n")),
      // The name of earlier versions.
      "ludoflow-position": setPosition,
      "ludoflow-showposition": withArguments([], () => this.#board.position),
      loadsgf: (_args, text) => {
        const { path, more } = fileArgument(text, "a file and at most a move number", true);
        this.#load(path, more);
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
      reg_genmove: withArguments(["a colour"], ([colour]) =>
        this.#responseOf(this.#consider(this.#seat(colour!))),
      ),
      savesgf: (_args, text) => {
        this.#options.files.write(fileArgument(text, "a file").path, this.#written());
        return "";
      },
      set_random_seed: withArguments(["a number"], ([seed]) => {
        const number = Number(seed);
        if (!/^\d+$/.test(seed!) || !Number.isSafeInteger(number))
          throw new GtpError(`invalid seed "${seed}": expected a whole number from 0 to 2^53 - 1`);
        this.#seed = number;
        return "";
      }),
      setposition: setPosition,
      showboard: withArguments([], () => `\n${this.#board.game.drawing.text(this.#board.state)}`),
      time_left: withArguments(["a colour", "seconds", "a number of moves"], ([colour, seconds, moves]) => {
        // A controller that grants more than the clock sends a number below 0, and wants a move at once.
        const left = /^-\d{1,12}(\.\d*)?$/.test(seconds!) ? 0 : numberOf(seconds!);
        this.#clock.setLeft(this.#seat(colour!), left, numberOf(moves!));
        return "";
      }),
      time_settings: withArguments(
        ["seconds of main time", "seconds of overtime", "moves of overtime"],
        (times) => {
          const [main, seconds, moves] = times.map(numberOf);
          this.#clock.set(canadianTime(main!, seconds!, moves!));
          return "";
        },
      ),
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
      analyse: (seat, intervalMs, form) =>
        new AnalysisStream(this.#board.watch(seat, this.#seed), intervalMs, form),
      begin: (config) => {
        this.#putUp(config).clear();
        this.#clock.reset();
      },
      change: (config) => {
        const board = this.#board;
        if (!sameConfig(config, board.config)) this.#board = new GtpBoard(...this.#open(config), board);
      },
      clock: this.#clock,
      configOf: (rules) => this.#configOf(rules),
      consider: (seat) => this.#consider(seat),
      genmove: (seat) => this.#genmove(seat),
      genmoveWithout: (seat, refused) => this.#responseOf(this.#genmoveOnBoard(seat, refused)),
      legal: (seat) => this.#board.legal(seat),
      printed: () => this.#written(),
      play: (seat, words) => this.#play(seat, words),
      random: (purpose) => Random.named(this.#seed, purpose, this.#board.ply),
      seat: (colour) => this.#seat(colour),
      save: (path) => this.#options.files.write(path, this.#written()),
      setUp: (state) => this.#board.begin(state),
    };
  }

  #play(seat: number, words: readonly string[]): void {
    if (words.length === 0) throw new GtpError("syntax error: expected a move");
    this.#board.play(seat, words.join(""));
  }

  #genmove(seat: number): GeneratedMove {
    return this.#board.over ? NO_MOVE : this.#genmoveOnBoard(seat);
  }

  #genmoveOnBoard(seat: number, refused?: number): GeneratedMove {
    const began = performance.now();
    const move = this.#board.find(seat, this.#seed, this.#budget(seat), refused);
    this.#clock.spend(seat, performance.now() - began);
    if (move === undefined) return NO_MOVE;
    if (move.resigns) return { ...move, text: "resign" };
    this.#board.advance(move);
    return move;
  }

  /** A move as the response to `genmove` has it. */
  #responseOf({ text }: GeneratedMove): string {
    return text === "pass" ? (this.#board.spoken.passResponse ?? text) : text;
  }

  #consider(seat: number): GeneratedMove {
    if (this.#board.over) return NO_MOVE;
    return this.#board.suggest(seat, this.#seed, this.#budget(seat)) ?? NO_MOVE;
  }

  /** The milliseconds that the clock of a seat leaves for its move; undefined if there is no limit. */
  #budget(seat: number): number | undefined {
    if (this.#options.clock === false) return undefined;
    const { game, spoken, state } = this.#board;
    return this.#clock.budget(seat, spoken.movesLeft?.(game, state) ?? MOVES_LEFT);
  }

  /**
   * Sets up the last position of a game's main line. With a number from 1 on, the position before the move of that
   * number; a game with fewer moves is read whole, and so is any with 0.
   */
  #load(path: string, before: string | undefined): void {
    const { rules } = this.#board.config;
    const files = this.#filesFor(rules);
    if (before !== undefined && !/^\d+$/.test(before))
      throw new GtpError(`invalid move number "${before}": expected a whole number`);
    // 0 means the end of the game: GNU Go reads it so, and Kigo sends it.
    const number = Number(before ?? 0);
    let content: Uint8Array | string;
    try {
      content = this.#options.files.read(path);
    } catch (error) {
      throw new GtpError(`cannot read the file "${path}": ${whyUnreadable(error)}`);
    }
    try {
      const record = files.read(content, number === 0 ? Infinity : number - 1);
      const { config } = record;
      this.#putUp({ ...this.#configOf(config.rules), ...config }).replay(record);
      for (const warning of record.warnings ?? []) this.#options.warn?.(`${path}: ${warning}`);
    } catch (error) {
      if (error instanceof GtpError) throw new GtpError(`${path}: ${error.message}`);
      throw error;
    }
  }

  /** The game so far as the text of a file. */
  #written(): string {
    const { config, game, record } = this.#board;
    const files = this.#filesFor(game.name);
    if (!files.rules.includes(config.rules)) throw new GtpError(`${game.name} has no form of game files`);
    return files.write(record);
  }

  #filesFor(rules: string): GtpFiles {
    const { files } = this.#options.dialect;
    if (files === undefined) throw new GtpError(`${rules} has no form of game files`);
    return files;
  }

  /** See `GtpTable`. */
  #configOf(rules: string): GameConfig {
    const { dialect, game } = this.#options;
    if (game.rules !== rules) return { rules };
    return dialect.configure?.(game) ?? game;
  }

  /** The board of a game: the present one if it has the same rules and options, else a new one. */
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
    const opened = this.#options.open(config);
    const refusal = spoken.refusal?.(opened.game);
    if (refusal !== undefined) throw new GtpError(refusal);
    return [spoken, opened];
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
