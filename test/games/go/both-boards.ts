import { expect } from "vitest";
import { goRules, type OptionsGo } from "../../../src/games/go/options.ts";
import { type GoPlanes, goPlanes } from "../../../src/games/go/planes/planes.ts";
import { playGo } from "../../../src/games/go/play.ts";
import { setUpGo } from "../../../src/games/go/set-up.ts";
import { type GoState, newGoState } from "../../../src/games/go/state.ts";
import type { Random } from "../../../src/random.ts";
import {
  plainAlphaGo,
  plainAlphaGoValue,
  plainAlphaGoZero,
  plainCompact,
  type PlainPlanes,
} from "./planes-reference.ts";
import { PlainGo, plainRules, type PlainStart } from "./reference.ts";

const plain: Readonly<Record<keyof GoPlanes, (go: PlainGo) => PlainPlanes>> = {
  compact: plainCompact,
  alphago: plainAlphaGo,
  "alphago-value": plainAlphaGoValue,
  "alphago-zero": plainAlphaGoZero,
};
const names = Object.keys(plain) as (keyof GoPlanes)[];

/** A game that is played on both boards, the fast one and the plain one. */
export class BothBoards {
  readonly go: PlainGo;
  readonly state: GoState;
  readonly #rules: ReturnType<typeof goRules>;
  readonly #planes: GoPlanes;

  constructor(options: Partial<OptionsGo>, start?: PlainStart) {
    const all: OptionsGo = { ...plainRules, handicap: 0, ...options };
    this.#rules = goRules(all);
    this.#planes = goPlanes(this.#rules);
    this.go = new PlainGo(all, start);
    this.state =
      start === undefined ? newGoState(this.#rules.board) : setUpGo(this.#rules, start.board, start.mover)!;
  }

  play(...moves: readonly number[]): this {
    for (const move of moves) {
      this.go.play(move);
      playGo(this.state, this.#rules, move);
    }
    return this;
  }

  /** Plays at random, and fills no own eye if it need not; `visit` sees every position, the last one too. */
  playOut(random: Random, longest: number, visit: () => void): void {
    for (let ply = 0; ply < longest && !this.go.over; ply++) {
      visit();
      const points = this.go.legal().slice(0, -1);
      const open = points.filter((point) => !this.go.isEye(point, this.go.mover));
      const passes = random.below(40) === 0 && this.go.moves.at(-1) !== this.go.pass;
      const moves = passes || open.length === 0 ? [this.go.pass] : open;
      this.play(moves[random.below(moves.length)]!);
    }
    visit();
  }

  /** By channel: the numbers on the points. */
  channels(name: keyof GoPlanes): number[][] {
    const planes = this.#planes[name];
    const [height, width, channels] = planes.shape;
    const out = new Float32Array(height * width * channels + 2).fill(Number.NaN);
    planes.write(this.state, out, 1);
    return Array.from({ length: channels }, (_, channel) =>
      Array.from({ length: height * width }, (__, point) => out[1 + point * channels + channel]!),
    );
  }

  check(chosen: readonly (keyof GoPlanes)[] = names): void {
    for (const name of chosen) {
      const found = this.channels(name);
      const wanted = plain[name](this.go);
      expect(found.length).toBe(wanted.length);
      for (const [i, channel] of wanted.entries())
        if (found[i]!.join() !== channel.join())
          expect({ name, i, channel: found[i] }).toEqual({ name, i, channel });
    }
  }
}

/** The points of a channel that are not 0, as row and column from the top left. */
export function pointsOf(channel: readonly number[]): string[] {
  const size = Math.sqrt(channel.length);
  return channel.flatMap((value, point) =>
    value === 0 ? [] : [`${Math.floor(point / size)},${point % size}`],
  );
}
