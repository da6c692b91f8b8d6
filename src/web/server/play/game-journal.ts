import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { AnalysedDecision } from "../../../formats/game-analyses.ts";
import { readOwn, readOwnText } from "../../../formats/files/own-file.ts";
import { isOtherProgram } from "../../../operators/experiment/agent-kinds.ts";
import type { AgentConfig } from "../../../operators/experiment/open-experiment.ts";
import type { PlayView } from "../../views/play-views.ts";
import type { PlaySeat } from "./play-seat.ts";
import type { PagePlayer } from "./player.ts";

/** The folder of journals below the folder of runs. */
export const JOURNALS = join("played", ".games");
/** The most journals that are kept; the ones that were written longest ago go first. */
const MOST_JOURNALS = 256;
const FORMAT = 1;

/** What a game is apart from its moves. */
interface GameSetup {
  readonly seed: number;
  /** Number of decisions before the game began. */
  readonly begun: number;
}

/** What may change in a game. Everything in it is data. */
export interface GameProgress {
  readonly player: PagePlayer;
  readonly simulations: number | null;
  /** A person by a digest of its browser's name. */
  readonly seats: readonly PlaySeat[];
  readonly gaveUp: number | null;
  readonly stored: PlayView["stored"] | null;
}

/** A game as its journal has it. */
export interface JournalledGame extends GameSetup, GameProgress {
  readonly actions: readonly number[];
  /** What players have thought. */
  readonly decisions: readonly AnalysedDecision[];
}

/** A line of a journal: the plies from `from` on are these, and the parts that have changed. */
interface JournalLine extends Partial<GameProgress> {
  readonly from: number;
  readonly actions: readonly number[];
  readonly decisions: readonly AnalysedDecision[];
}

/**
 * The journal of a game in progress, by which it continues after the end of its server: `played/.games/ID.jsonl` in the folder of runs,
 * readable by this user alone. The first line is the game's setup. Each further line is written before pages see what it says.
 */
export class GameJournal {
  readonly #path: string;
  #written: Partial<Record<keyof GameProgress, string>> = {};
  #actions: readonly number[] = [];
  #plies = new Set<number>();
  #failed = false;

  /** `known` is what the journal has, of a game that continues; else it is begun. */
  constructor(root: string, id: string, setup: GameSetup, known?: JournalledGame) {
    this.#path = journalPath(root, id);
    if (known === undefined) {
      this.#write(() => {
        mkdirSync(dirname(this.#path), { recursive: true });
        makeRoom(dirname(this.#path));
        writeFileSync(this.#path, `${JSON.stringify({ format: FORMAT, ...setup })}\n`, {
          mode: 0o600,
          flag: "wx",
        });
        // The mode of a new file is cut by the mask of the process, and that alone.
        chmodSync(this.#path, 0o600);
      });
      return;
    }
    // A kill has left an unfinished line.
    this.#write(() => {
      const bytes = readOwn(this.#path);
      const whole = bytes.lastIndexOf(0x0a) + 1;
      if (whole < bytes.length) truncateSync(this.#path, whole);
    });
    this.#actions = known.actions;
    this.#plies = new Set(known.decisions.map(({ ply }) => ply));
    for (const key of PROGRESS) this.#written[key] = JSON.stringify(known[key]);
  }

  /** Writes what has changed since the last call. */
  record(
    actions: readonly number[],
    decisions: ReadonlyMap<number, AnalysedDecision>,
    progress: GameProgress,
  ): void {
    const differing = this.#actions.findIndex((action, i) => action !== actions[i]);
    const from = differing < 0 ? this.#actions.length : differing;
    for (const ply of this.#plies) if (ply >= from || !decisions.has(ply)) this.#plies.delete(ply);
    const fresh = [...decisions.values()].filter(({ ply }) => !this.#plies.has(ply));
    const changed = PROGRESS.filter((key) => this.#written[key] !== JSON.stringify(progress[key]));
    const line: JournalLine = {
      from,
      actions: actions.slice(from),
      decisions: fresh,
      ...Object.fromEntries(changed.map((key) => [key, progress[key]])),
    };
    if (from === this.#actions.length && line.actions.length + fresh.length + changed.length === 0) return;
    this.#write(() => appendFileSync(this.#path, `${JSON.stringify(line)}\n`));
    this.#actions = actions;
    for (const { ply } of fresh) this.#plies.add(ply);
    for (const key of changed) this.#written[key] = JSON.stringify(progress[key]);
  }

  /** A game goes on without a journal, as on a full disk: then it lives as long as the server. */
  #write(write: () => void): void {
    if (this.#failed) return;
    try {
      write();
    } catch (error) {
      this.#failed = true;
      process.stderr.write(
        `${this.#path} cannot be written (${(error as Error).message}): this game ends with the server\n`,
      );
    }
  }
}

const PROGRESS = [
  "player",
  "simulations",
  "seats",
  "gaveUp",
  "stored",
] as const satisfies (keyof GameProgress)[];

/**
 * The game of a journal; undefined if there is none, or none that can be used. An unfinished last line is left out. Players that are
 * other programs are not started for a file: whoever wrote it may be a stranger.
 */
export function readJournal(root: string, id: string): JournalledGame | undefined {
  try {
    const [head, ...lines] = readOwnText(journalPath(root, id)).split("\n").slice(0, -1);
    const { begun, format, seed } = JSON.parse(head!) as GameSetup & { readonly format: number };
    if (format !== FORMAT || !Number.isSafeInteger(seed) || !Number.isSafeInteger(begun)) return undefined;
    let game = { begun, seed, actions: [], decisions: [] } as unknown as JournalledGame;
    for (const text of lines) {
      const { actions, decisions, from, ...progress } = JSON.parse(text) as JournalLine;
      game = {
        ...game,
        ...progress,
        actions: [...game.actions.slice(0, from), ...actions],
        decisions: [...game.decisions.filter(({ ply }) => ply < from), ...decisions.map(withNaN)],
      };
    }
    const { player, seats } = game;
    const usable = Array.isArray(seats) && game.actions.every((action) => Number.isSafeInteger(action));
    return usable && !isOtherProgram(player.agent as AgentConfig) ? game : undefined;
  } catch {
    return undefined;
  }
}

/** A decision from JSON, which has null for NaN. */
function withNaN(decision: AnalysedDecision): AnalysedDecision {
  return JSON.parse(JSON.stringify(decision), (_, value: unknown) =>
    value === null ? Number.NaN : value,
  ) as AnalysedDecision;
}

/** Removes the oldest journals until one more has room. */
function makeRoom(folder: string): void {
  const journals = readdirSync(folder).map((name) => {
    const path = join(folder, name);
    return { path, at: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 };
  });
  const oldest = journals.toSorted((a, b) => a.at - b.at);
  for (const { path } of oldest.slice(0, Math.max(0, oldest.length - MOST_JOURNALS + 1))) rmSync(path);
}

/** Whether a text is the name of a game. */
const ID = /^[0-9a-f]{12}$/;

function journalPath(root: string, id: string): string {
  if (!ID.test(id)) throw new Error("a game is named by 12 hexadecimal digits");
  return join(root, JOURNALS, `${id}.jsonl`);
}
