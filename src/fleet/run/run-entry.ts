import { isPlainMap } from "../../formats/plain-map.ts";
import { refusalOfBits, type RunEnd } from "./run-end.ts";
import type { SharedRun } from "../shared-run.ts";
import { bitsKey, type HelloAnswer } from "../wire/hello.ts";
import type { FleetWeights } from "../wire/task-message.ts";

const MISUNDERSTOOD = "the run does not understand this joiner: install the same version of ludoflow";

/** The most joiners that could not join and are reported: a machine that tries again and again must not fill the log. */
const MOST_REPORTED = 50;
/** The most characters of a joiner's own words that are reported. */
const MOST_TEXT = 500;

/** The entry of a run: it answers joiners before they play. */
export class RunEntry {
  readonly #end: RunEnd;
  readonly #shared: SharedRun;
  /** The newest version of each net: joiners are tried with them. */
  readonly #newest = new Map<string, number>();
  readonly #reported = new Set<string>();

  constructor(end: RunEnd, shared: SharedRun) {
    this.#end = end;
    this.#shared = shared;
  }

  /** Says which version of a net is the newest. */
  newest(net: string, version: number): void {
    this.#newest.set(net, version);
  }

  /** Answers a joiner (see `HelloRequest`). */
  async answer(data: Readonly<Record<string, unknown>> | undefined): Promise<HelloAnswer> {
    if (data === undefined || typeof data["joiner"] !== "string") return { refusal: MISUNDERSTOOD };
    const refusal = this.#end.dismissals.why(data["joiner"]);
    if (refusal !== undefined) return { refusal };
    switch (data["asks"]) {
      case "run":
        return { run: this.#shared, weights: await Promise.all(this.#newestWeights()) };
      case "weights":
        if (!isNamedWeights(data["weights"])) return { refusal: MISUNDERSTOOD };
        await this.#end.weights.putAgain(data["weights"]);
        return {};
      case "leave":
        this.#warn(data["name"], data["why"]);
        return {};
      case "entry": {
        const refused = await this.#refusal(data["described"], data["bits"]);
        if (refused === undefined) return {};
        this.#warn(data["name"], refused);
        return { refusal: refused };
      }
      default:
        return { refusal: MISUNDERSTOOD };
    }
  }

  /** Why a joiner with this experiment and these bits may not play; undefined if it may. */
  async #refusal(described: unknown, bits: unknown): Promise<string | undefined> {
    if (!isPlainMap(bits)) return MISUNDERSTOOD;
    if (described !== this.#end.described)
      return "the experiment comes out differently on this machine: install the same version of ludoflow";
    for (const named of await Promise.all(this.#newestWeights())) {
      // There may be newer weights meanwhile: results name the bits of theirs.
      if (!(bitsKey(named) in bits)) continue;
      const refusal = await refusalOfBits(this.#end, named, bits);
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  }

  #newestWeights(): Promise<FleetWeights>[] {
    return [...this.#newest]
      .filter(([net]) => net in this.#shared.experiment.nets)
      .map(([net, version]) => this.#end.weights.named({ net, version }));
  }

  /** Warns the user of the run that a machine cannot play for it. */
  #warn(name: unknown, why: unknown): void {
    const message = `${oneLine(name)} does not play for this run: ${oneLine(why)}`;
    if (this.#reported.has(message) || this.#reported.size >= MOST_REPORTED) return;
    this.#reported.add(message);
    this.#end.use.note("warning", message);
  }
}

/** Words of another machine, made safe to show. */
function oneLine(text: unknown): string {
  return String(text)
    .replaceAll(/\p{Cc}+/gu, " ")
    .slice(0, MOST_TEXT);
}

function isNamedWeights(data: unknown): data is FleetWeights {
  return (
    isPlainMap(data) &&
    typeof data["net"] === "string" &&
    typeof data["version"] === "number" &&
    typeof data["sha256"] === "string"
  );
}
