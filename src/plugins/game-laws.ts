import { CHANCE, type Game, OVER } from "../games/game.ts";
import { Random } from "../random.ts";

/** A promise of the contract of games that a game breaks. */
export interface BrokenLaw {
  /** What is wrong, in words. */
  readonly what: string;
  /** The moves of the game before, as the game writes them; the numbers of actions where it cannot write them. */
  readonly after: readonly string[];
}

/** How a game is tried. */
export interface LawsTried {
  /** Random games that are played. Default 100. */
  readonly games?: number;
  /** Plies after which a game is given up. Default 10,000. */
  readonly plies?: number;
  /** What the games are drawn from. Default: always the same. */
  readonly random?: Random;
}

/**
 * Plays random games and looks whether a game keeps the promises of its contract (`Game`): that its functions agree with each
 * other, that copies are whole and apart, that moves and positions can be written and read, that symmetries commute
 * with moves. Returns what is broken, each kind once, with the first game that shows it; empty if nothing is. An
 * error that the game throws is told like the rest.
 */
export function brokenLaws<S>(game: Game<S>, tried: LawsTried = {}): readonly BrokenLaw[] {
  return new LawTrial(game, tried).run();
}

/** A law that was found broken: ends the game. */
class Broken extends Error {}

class LawTrial<S> {
  readonly #game: Game<S>;
  readonly #games: number;
  readonly #plies: number;
  readonly #random: Random;
  readonly #found = new Map<string, BrokenLaw>();
  readonly #legal: Int32Array;
  readonly #again: Int32Array;
  #moves: string[] = [];

  constructor(game: Game<S>, { games = 100, plies = 10_000, random = Random.named("laws") }: LawsTried) {
    this.#game = game;
    this.#games = games;
    this.#plies = plies;
    this.#random = random;
    // Room for more, so that a game that writes too much is found and not stopped.
    this.#legal = new Int32Array(Math.max(game.maxLegal, game.actions) + 64);
    this.#again = new Int32Array(this.#legal.length);
  }

  run(): readonly BrokenLaw[] {
    let ended = 0;
    for (let n = 0; n < this.#games && this.#found.size < 20; n++) {
      this.#moves = [];
      try {
        if (this.#play()) ended++;
      } catch (error) {
        // Each kind once: they differ in their first words.
        if (error instanceof Error && error.name === "RulesBroken")
          this.#tell(error.message.split(" ", 2).join(" "), error.message);
        else if (!(error instanceof Broken)) this.#tell("error", `it threw ${describe(error)}`);
      }
    }
    if (ended === 0 && this.#found.size === 0) {
      this.#moves = [];
      this.#tell("end", `none of ${this.#games} random games ended within ${this.#plies} plies`);
    }
    return [...this.#found.values()];
  }

  /** One random game; whether it ended. */
  #play(): boolean {
    const game = this.#game;
    const state = game.initial();
    this.#same("initial", "initial gave two different positions", game.initial(), state);
    const spare = game.initial();
    for (let ply = 0; ply < this.#plies; ply++) {
      const mover = game.toMove(state);
      const count = this.#list(state, mover);
      this.#look(state, spare);
      if (mover === OVER) return true;
      const action = this.#legal[this.#random.below(count)]!;
      this.#step(state, action, mover);
    }
    return false;
  }

  /** The legal actions in order, and whether they agree with the mover. */
  #list(state: S, mover: number): number {
    const game = this.#game;
    const { actions, chance, maxLegal, players } = game;
    if (mover !== OVER && mover !== CHANCE && !(Number.isInteger(mover) && mover >= 0 && mover < players))
      this.#break(
        "toMove",
        `toMove gave ${mover}; it is a seat from 0 to ${players - 1}, CHANCE (-1) or OVER (-2)`,
      );
    if (mover === CHANCE && chance === undefined)
      this.#break("chance", "toMove gave CHANCE, and chance is missing: it says how likely each outcome is");
    const count = game.legal(state, this.#legal);
    if (mover === OVER) {
      if (count !== 0)
        this.#break("over", `legal gave ${count} actions when the game was over; it gives 0 then`);
      return 0;
    }
    if (count < 1)
      this.#break(
        "none",
        "legal gave no action though the game goes on: a seat without a move needs a pass, or toMove another seat",
      );
    if (count > maxLegal) this.#break("most", `legal gave ${count} actions, and maxLegal is ${maxLegal}`);
    for (let i = 0; i < count; i++) {
      const action = this.#legal[i]!;
      if (action < 0 || (mover !== CHANCE && action >= actions))
        this.#break("range", `legal gave the action ${action}; actions are numbers from 0 to ${actions - 1}`);
      if (i > 0 && action <= this.#legal[i - 1]!)
        this.#break(
          "order",
          `legal gave ${this.#legal[i - 1]} before ${action}; actions come in increasing order, each once`,
        );
    }
    const again = game.legal(state, this.#again);
    if (again !== count || this.#legal.some((action, i) => i < count && action !== this.#again[i]))
      this.#break("legal", "legal gave other actions when it was called again; it must not change the state");
    if (mover === CHANCE) this.#outcomes(state, count);
    return count;
  }

  #outcomes(state: S, count: number): void {
    const chance = this.#game.chance!;
    const odds = new Float64Array(this.#legal.length);
    const listed = chance.outcomes(state, this.#again, odds);
    if (listed !== count || this.#legal.some((action, i) => i < count && action !== this.#again[i]))
      this.#break("outcomes", "chance.outcomes lists other outcomes than legal");
    const sum = odds.subarray(0, count).reduce((total, each) => total + each, 0);
    if (!(Math.abs(sum - 1) < 1e-9))
      this.#break("odds", `the probabilities of chance.outcomes sum to ${sum}, not to 1`);
    const drawn = chance.sample(state, this.#random);
    if (!this.#legal.subarray(0, count).includes(drawn))
      this.#break("sample", `chance.sample drew ${drawn}, which is no outcome here`);
  }

  /** What holds in every position. */
  #look(state: S, spare: S): void {
    this.#copies(state, spare);
    this.#returns(state);
    this.#texts(state);
    this.#planes(state);
    this.#packing(state);
  }

  #copies(state: S, spare: S): void {
    const game = this.#game;
    const fresh = game.initial();
    game.copy(state, fresh);
    this.#same("copy", "a copy into a new state is another position", fresh, state);
    // The spare state was played on in earlier plies: nothing of that may be left.
    game.copy(state, spare);
    this.#same(
      "copy over",
      "a copy over a state of later or earlier plies is another position: copy leaves something of it",
      spare,
      state,
    );
    const shared = sharedPart(state, fresh, "");
    if (shared !== undefined)
      this.#break("shared", `copy shares ${shared} with the original: copy its contents`);
    if (game.toMove(state) === OVER) return;
    const before = game.notation.position(state);
    const count = game.legal(spare, this.#again);
    for (let i = 0; i < 3 && game.toMove(spare) !== OVER; i++) {
      const n = i === 0 ? count : game.legal(spare, this.#again);
      game.play(spare, this.#again[this.#random.below(n)]!);
    }
    if (game.notation.position(state) !== before)
      this.#break("apart", "moves on a copy changed the original");
  }

  #returns(state: S): void {
    const { players, returnBounds } = this.#game;
    const returns = new Float64Array(players).fill(Number.NaN);
    this.#game.returns(state, returns);
    for (const [seat, value] of returns.entries()) {
      if (Number.isNaN(value)) this.#break("returns", `returns wrote no number for seat ${seat}`);
      if (!Number.isFinite(value))
        this.#break("returns", `returns gave ${value} for seat ${seat}; every return is finite`);
      const [least, most] = returnBounds;
      if (this.#game.toMove(state) === OVER && (value < least || value > most))
        this.#break(
          "bounds",
          `seat ${seat} has the return ${value} at the end; returnBounds are ${least} and ${most}`,
        );
    }
  }

  #texts(state: S): void {
    const game = this.#game;
    const { notation } = game;
    if (game.toMove(state) >= 0) {
      const count = game.legal(state, this.#legal);
      const texts = new Map<string, number>();
      for (let i = 0; i < count; i++) {
        const action = this.#legal[i]!;
        const text = notation.format(state, action);
        const other = texts.get(text);
        if (other !== undefined)
          this.#break(
            "format",
            `notation.format writes the actions ${other} and ${action} both as "${text}"`,
          );
        texts.set(text, action);
        const parsed = notation.parse(state, text);
        if (parsed !== action)
          this.#break(
            "parse",
            `notation.parse reads "${text}" as ${parsed}; notation.format wrote the action ${action}`,
          );
      }
    }
    const text = notation.position(state);
    if (text.includes("\n")) this.#break("line", "notation.position writes more than one line");
    const reading = notation.parsePosition(text);
    if ("error" in reading)
      this.#break(
        "position",
        `notation.parsePosition refuses a text of notation.position: ${reading.error.message}`,
      );
    this.#same(
      "position",
      "notation.parsePosition reads a text of notation.position as another position",
      reading.state,
      state,
    );
    this.#sameMoves(
      "position moves",
      "a position that was written and read has other legal actions",
      reading.state,
      state,
    );
    game.drawing.text(state);
    game.drawing.svg(state);
  }

  /** A state that was packed and unpacked shows nets the same. */
  #packing(state: S): void {
    const game = this.#game;
    const packing = game.nets?.packing;
    if (packing === undefined || game.toMove(state) === OVER) return;
    const bytes = new Uint8Array(packing.bytes);
    packing.pack(state, bytes, 0);
    const unpacked = game.initial();
    packing.unpack(bytes, 0, unpacked);
    for (const [name, planes] of Object.entries(game.nets?.planes ?? {})) {
      const size = planes.shape[0] * planes.shape[1] * planes.shape[2];
      const [before, after] = [new Float32Array(size), new Float32Array(size)];
      planes.write(state, before, 0);
      planes.write(unpacked, after, 0);
      if (before.some((value, i) => value !== after[i]))
        this.#break(
          `packing ${name}`,
          `planes "${name}" of a state that was packed and unpacked are others: nets.packing holds all that planes show`,
        );
    }
  }

  #planes(state: S): void {
    const game = this.#game;
    if (game.toMove(state) === OVER) return;
    for (const [name, planes] of Object.entries(game.nets?.planes ?? {})) {
      const { shape } = planes;
      const size = shape[0] * shape[1] * shape[2];
      const out = new Float32Array(size + 2).fill(Number.NaN);
      planes.write(state, out, 1);
      const missing = out.subarray(1, size + 1).findIndex((value) => !Number.isFinite(value));
      if (missing >= 0)
        this.#break(
          `planes ${name}`,
          `planes "${name}" leave element ${missing} of [${shape.join(", ")}] without a number: every element is written`,
        );
      if (!Number.isNaN(out[0]!) || !Number.isNaN(out[size + 1]!))
        this.#break(
          `planes ${name} offset`,
          `planes "${name}" write outside their ${size} elements from the offset on`,
        );
    }
  }

  /** Plays an action: the same on a copy, and on images under symmetries. */
  #step(state: S, action: number, mover: number): void {
    const game = this.#game;
    const twin = game.initial();
    game.copy(state, twin);
    const images = mover >= 0 ? this.#images(state, action) : [];
    this.#moves.push(written(game, state, action));
    game.play(state, action);
    game.play(twin, action);
    this.#same(
      "play",
      "play brought two equal states to different positions: it may depend on nothing but state and action",
      twin,
      state,
    );
    for (const { symmetry, after } of images) {
      const image = game.initial();
      game.symmetry!.transform(state, symmetry, image);
      this.#same(
        "symmetry",
        `symmetry ${symmetry} does not commute with moves: the image of a move in the image is another position than the image of the position after it`,
        after,
        image,
      );
    }
  }

  /** For each symmetry: the position after the image of an action in the image of a state. */
  #images(state: S, action: number): { readonly symmetry: number; readonly after: S }[] {
    const { symmetry } = this.#game;
    return Array.from({ length: symmetry?.count ?? 0 }, (_, number) => {
      const after = this.#game.initial();
      symmetry!.transform(state, number, after);
      this.#game.play(after, symmetry!.action(action, number));
      return { symmetry: number, after };
    });
  }

  #same(law: string, what: string, one: S, other: S): void {
    const game = this.#game;
    const { notation } = game;
    const first = notation.position(one);
    const second = notation.position(other);
    if (first !== second) this.#break(law, `${what}: ${first} and ${second}`);
    if (game.toMove(one) !== game.toMove(other)) this.#break(law, `${what}: other seats are to move`);
  }

  #sameMoves(law: string, what: string, one: S, other: S): void {
    const game = this.#game;
    const count = game.legal(one, this.#again);
    if (
      count !== game.legal(other, this.#legal) ||
      this.#again.some((action, i) => i < count && action !== this.#legal[i])
    )
      this.#break(law, what);
  }

  #break(law: string, what: string): never {
    this.#tell(law, what);
    throw new Broken();
  }

  #tell(law: string, what: string): void {
    if (!this.#found.has(law)) this.#found.set(law, { what, after: [...this.#moves] });
  }
}

function written<S>(game: Game<S>, state: S, action: number): string {
  try {
    return game.notation.format(state, action);
  } catch {
    return String(action);
  }
}

/** The first array or map that two states share, by its path: `cells`. */
function sharedPart(one: unknown, other: unknown, path: string): string | undefined {
  if (typeof one !== "object" || one === null || typeof other !== "object" || other === null)
    return undefined;
  if (path !== "" && one === other && !Object.isFrozen(one)) return `\`${path}\``;
  if (ArrayBuffer.isView(one)) return undefined;
  for (const key of Object.keys(one)) {
    const inner = sharedPart(
      (one as Record<string, unknown>)[key],
      (other as Record<string, unknown>)[key],
      path === "" ? key : `${path}.${key}`,
    );
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const place = /(?:file:\/\/|[\s(])(\/[^\s()]*?:\d+:\d+)/.exec(error.stack ?? "")?.[1];
  return `${error.name}: ${error.message}${place === undefined ? "" : ` (${decodeURI(place)})`}`;
}
