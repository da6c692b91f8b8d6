import { type Command, InvalidArgumentError } from "commander";

/** Timers of Node hold no longer: 2^31 milliseconds. */
const MOST_SECONDS = 24 * 86_400;

const SECONDS: Readonly<Record<string, number>> = { d: 86_400, h: 3600, m: 60, s: 1 };

/** A time that a command may take. */
export interface Allotted {
  /** As it was typed: `1h30m`. */
  readonly text: string;
  readonly seconds: number;
}

/** Reads a duration in days, hours, minutes and seconds: `2h`, `1h30m`, `45s`. */
export function parseDuration(text: string): Allotted {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)([dhms])/g)];
  const seconds = parts.reduce((sum, [, count, unit]) => sum + Number(count) * SECONDS[unit!]!, 0);
  if (parts.map(([part]) => part).join("") !== text || seconds <= 0)
    throw new InvalidArgumentError("expected a duration, as in 2h, 1h30m or 45s");
  if (seconds > MOST_SECONDS) throw new InvalidArgumentError("expected at most 24 days");
  return { text, seconds };
}

/** Adds the flag that ends a run in time. */
export function durationOption(command: Command): Command {
  return command.option(
    "--for <duration>",
    "stop in time, so that everything is saved within this time from now (2h, 1h30m, 45s); resume continues the run",
    parseDuration,
  );
}

/**
 * The seconds after which a run is asked to stop that has so much time: 5% before its end, at most two minutes before. A run
 * first finishes its running step, and saves everything.
 */
export function stopAfter({ seconds }: Allotted): number {
  return seconds - Math.min(120, 0.05 * seconds);
}
