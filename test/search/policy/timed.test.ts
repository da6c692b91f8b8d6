import { afterEach, describe, expect, it, vi } from "vitest";
import { Random } from "../../../src/random.ts";
import { drive } from "../../../src/search/drive.ts";
import { openSearch } from "../../../src/search/registry.ts";
import { HashEvaluator, hashGame } from "../depth-first/hash-game.ts";

afterEach(() => void vi.restoreAllMocks());

const game = hashGame({ seed: 3, players: 2, branching: 8, depth: 40, chance: 0 });

/** Makes every request take some milliseconds of the wall clock, and every reading of the clock a little. */
class SlowEvaluator extends HashEvaluator {
  readonly #milliseconds: number;
  #now = 0;

  constructor(milliseconds: number) {
    super(game);
    this.#milliseconds = milliseconds;
    vi.spyOn(performance, "now").mockImplementation(() => (this.#now += 0.01));
  }

  override evaluate(...request: Parameters<HashEvaluator["evaluate"]>): void {
    this.#now += this.#milliseconds;
    super.evaluate(...request);
  }
}

const visitsOf = (visits: ArrayLike<number>) => Array.from(visits).reduce((sum, each) => sum + each, 0);

describe("a limit of wall time", () => {
  it.each(["puct-max-n", "gumbel"])("ends %s in time, and the decision says so", (use) => {
    const search = openSearch(use, game, { simulations: 10_000, milliseconds: 50 });
    const evaluator = new SlowEvaluator(1);
    const decision = drive(search.search(game.initial(), Random.named("timed"), 0), evaluator);
    expect(decision.limit).toEqual({ clock: "wall", milliseconds: 50 });
    expect(visitsOf(decision.visits)).toBeGreaterThan(20);
    // Simulations that end the game make no request.
    expect(evaluator.requests).toBeLessThanOrEqual(50);
  });

  it("lets gumbel plan what the time held in its last decision, and holds a limit that a call gives", () => {
    const search = openSearch("gumbel", game, { simulations: 16 });
    const evaluator = new SlowEvaluator(1);
    const at = (decisions: number, milliseconds?: number) =>
      visitsOf(
        drive(search.search(game.initial(), Random.named("timed"), decisions, milliseconds), evaluator)
          .visits,
      );
    expect(at(0)).toBe(16);
    // Nothing has been measured yet.
    expect(at(0, 200)).toBe(16);
    const planned = at(1, 200);
    expect(planned).toBeGreaterThan(120);
    expect(planned).toBeLessThanOrEqual(200);
    expect(at(2)).toBe(16);
  });

  it("tries a move even if there is no time", () => {
    for (const use of ["puct-max-n", "gumbel"]) {
      const search = openSearch(use, game, { simulations: 50, milliseconds: 1 });
      const { visits } = drive(
        search.search(game.initial(), Random.named("timed"), 0),
        new SlowEvaluator(30),
      );
      expect(visitsOf(visits)).toBe(1);
    }
  });
});
