import { TensorBoardWriter } from "../formats/tensorboard.ts";
import { Moments } from "../stats/moments.ts";
import { partsOfGame } from "./decision-parts.ts";
import type { RecordedEvent } from "./event.ts";

/**
 * Writes the figures of events as TensorBoard scalars. The file is created with the first figure.
 *
 * | event | tags | step |
 * |---|---|---|
 * | games | `STAGE/mean`, `STAGE/min`, `STAGE/max`, `STAGE/plies`, `STAGE/games_per_second` | games done |
 * | self-play-figures | `STAGE/distinct`, `STAGE/draws` (shares of games), `STAGE/PART/NAME`: each mean, by part of the game | games done |
 * | training | `STAGE/loss`, `STAGE/loss/PART`, `STAGE/learning_rate`, `STAGE/steps_per_second` | steps done |
 * | pool-games | `STAGE/score`, `STAGE/plies`, `STAGE/entropy` | steps done |
 * | match | `STAGE/AGENT/mean`, `STAGE/AGENT/low`, `STAGE/AGENT/high` (95%), `STAGE/AGENT/FACT` (mean) | learned |
 * | match of several players | `STAGE/AGENT/won`, `STAGE/AGENT/won_low`, `STAGE/AGENT/won_high` (95%), `STAGE/AGENT/rating` | learned |
 * | version-ratings | `STAGE/AGENT/elo` (the newest version) | learned |
 * | accuracy | `STAGE/NET/top1`, `STAGE/NET/top5`, `STAGE/NET/log_likelihood`; `STAGE/NET/ensemble/...` over symmetries | learned |
 * | figure | `STAGE/NAME` | learned |
 * | value-drift | `STAGE/start_value`, `STAGE/mean_return`, `STAGE/start_value_ratio` | learned |
 *
 * TensorBoard groups charts by stage. Characters other than letters, digits, `_ . -` become `_`.
 */
export class TensorBoardSink {
  readonly #folder: string;
  readonly #earlier = new Map<string, { done: number; elapsed: number }>();
  #writer: TensorBoardWriter | undefined;

  /** Writes into `folder`, which must exist. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Writes the figures of one event. Throws `FileNotWritten`. */
  listen(event: RecordedEvent): void {
    if (!("stage" in event) || event.stage === undefined) return;
    const wallTime = Date.parse(event.time) / 1000;
    const write = (step: number, figures: Readonly<Record<string, number | undefined>>) => {
      for (const [name, value] of Object.entries(figures)) {
        if (value === undefined) continue;
        this.#writer ??= new TensorBoardWriter(this.#folder, wallTime);
        const tag = `${event.stage}/${name}`.replaceAll(/[^\w./-]/g, "_");
        this.#writer.scalar({ tag, value, step, wallTime });
      }
    };
    switch (event.type) {
      case "games":
        write(event.done, {
          mean: event.mean,
          min: event.min,
          max: event.max,
          plies: event.plies,
          games_per_second: this.#rate(event.stage, event.done, event.elapsed),
        });
        break;
      case "self-play-figures":
        write(event.learned, {
          distinct: event.distinct / event.games,
          draws: event.draws / event.games,
        });
        for (const [part, means] of Object.entries(partsOfGame(event)))
          for (const [name, value] of Object.entries(means) as [string, number][])
            if (Number.isFinite(value)) write(event.learned, { [`${part}/${name}`]: value });
        break;
      case "training":
        write(event.step, {
          loss: event.loss,
          ...Object.fromEntries(Object.entries(event.parts).map(([part, value]) => [`loss/${part}`, value])),
          learning_rate: event.rate,
          steps_per_second: this.#rate(event.stage, event.step, event.elapsed),
        });
        break;
      case "pool-games":
        write(event.step, { score: event.score, plies: event.plies, entropy: event.entropy });
        break;
      case "match":
        for (const { agent, games, mean, interval, facts } of event.agents) {
          if (games === 0) continue;
          write(event.learned, {
            [`${agent}/mean`]: mean,
            [`${agent}/low`]: interval[0],
            [`${agent}/high`]: interval[1],
            ...Object.fromEntries(
              Object.entries(facts).map(([fact, values]) => [`${agent}/${fact}`, Moments.of(values).mean]),
            ),
          });
        }
        for (const { agent, rating, wins } of event.contest?.standings ?? []) {
          if (wins.games === 0) continue;
          write(event.learned, {
            [`${agent}/won`]: wins.value,
            [`${agent}/won_low`]: wins.interval[0],
            [`${agent}/won_high`]: wins.interval[1],
            [`${agent}/rating`]: rating.value,
          });
        }
        break;
      case "version-ratings":
        write(event.learned, { [`${event.agent}/elo`]: event.versions.at(-1)?.elo });
        break;
      case "accuracy":
        for (const { net, symmetries, top1, top5, likelihood } of event.policies) {
          const name = symmetries === "none" ? net : `${net}/${symmetries}`;
          write(event.learned, {
            [`${name}/top1`]: top1.value,
            [`${name}/top5`]: top5.value,
            [`${name}/log_likelihood`]: likelihood.value,
          });
        }
        break;
      case "suite":
        for (const { agent, share } of event.agents)
          write(event.learned, { [`${agent}/right`]: share.value });
        break;
      case "figure":
        write(event.learned, { [event.name]: event.value });
        break;
      case "value-drift":
        write(event.learned, {
          start_value: event.startValue,
          mean_return: event.meanReturn,
          start_value_ratio: event.ratio,
        });
        break;
      default:
    }
  }

  close(): void {
    this.#writer?.close();
    this.#writer = undefined;
  }

  /** Games or steps per second since the previous event of the stage; undefined at its first event. */
  #rate(stage: string, done: number, elapsed: number): number | undefined {
    const earlier = this.#earlier.get(stage);
    this.#earlier.set(stage, { done, elapsed });
    if (earlier === undefined || elapsed <= earlier.elapsed || done < earlier.done) return undefined;
    return (done - earlier.done) / (elapsed - earlier.elapsed);
  }
}
