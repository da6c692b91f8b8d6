import type { SweepNews } from "../../runs/sweep/run-members.ts";
import { durationText } from "./cost-text.ts";
import { fittedParts } from "./fitted-parts.ts";
import type { Output } from "./output.ts";

/** Shows the progress of a sweep: a line for each run that begins or ends, and on a terminal a line with the whole that is repainted. */
export class SweepProgress {
  readonly #out: Output;
  readonly #total: number;
  readonly #begun = performance.now();
  readonly #shares = new Map<string, number>();
  #done = 0;
  #before = 0;
  #painted = false;

  constructor(out: Output, total: number) {
    this.#out = out;
    this.#total = total;
  }

  show(news: SweepNews): void {
    const { name } = news.member;
    if (news.type === "progress") this.#shares.set(name, news.share);
    else if (news.type === "begins") {
      this.#shares.set(name, 0);
      this.#say(`${name}: begins`);
    } else {
      this.#shares.delete(name);
      this.#done++;
      if (news.outcome === "before") this.#before++;
      else
        this.#say(
          `${name}: ${news.outcome === "interrupted" ? "stopped, saved" : news.outcome} (${this.#done} of ${this.#total})${news.message === undefined ? "" : `: ${news.message}`}`,
        );
    }
    this.#paint();
  }

  /** Takes the repainted line away. */
  end(): void {
    if (this.#painted) void this.#out.write("\r\u001b[K");
    this.#painted = false;
  }

  #say(line: string): void {
    this.end();
    void this.#out.write(`${line}\n`);
  }

  #paint(): void {
    if (!this.#out.isTTY) return;
    const open = [...this.#shares.values()].reduce((sum, share) => sum + share, 0);
    const fresh = this.#done - this.#before + open;
    const seconds = (performance.now() - this.#begun) / 1000;
    const left = this.#total - this.#done - open;
    const parts = [
      `${this.#done} of ${this.#total} runs done`,
      `${this.#shares.size} under way (${Math.floor((100 * (this.#done + open)) / this.#total)}%)`,
      ...(fresh > 0.02 && left > 0 ? [`about ${durationText((seconds / fresh) * left)} left`] : []),
    ];
    // Some terminals give no width, or 0.
    void this.#out.write(`\r\u001b[K${fittedParts(parts, (this.#out.columns || 80) - 1, ", ")}`);
    this.#painted = true;
  }
}
