import type { RunProgress } from "../../events/event.ts";
import { paceOf, speedOf, type StageState } from "../../events/run-state.ts";
import { durationText } from "./cost-text.ts";
import { BETWEEN_PARTS } from "./fitted-parts.ts";

/** From this duration on, seconds are no longer shown. In seconds. */
const WORDS = 48 * 3600;

/**
 * A stage of a run as a line of text: its count, speed and latest figure, and the pace of its games. `elapsed` is the time of
 * the run now, in seconds.
 *
 * `learn   1,200/3,000 games  40%  102/s  score 34,567  12 moves/s`
 */
export function stageLine(name: string, stage: StageState, elapsed: number): string {
  return stageParts(name, stage, elapsed).join(BETWEEN_PARTS);
}

/** The parts of the line of a stage, the most important ones first. */
export function stageParts(name: string, stage: StageState, elapsed: number): string[] {
  const { progress } = stage;
  const parts = [name.padEnd(10)];
  if (progress !== undefined) {
    const { done, latest, total, unit } = progress;
    const speed = speedOf(stage, elapsed);
    parts.push(
      `${numberText(done)}/${numberText(total)} ${unit}`,
      ...(total > 0 ? [`${Math.floor((100 * done) / total)}%`] : []),
      ...(speed > 0 ? [`${rateText(speed)}/s`] : []),
      ...(latest === undefined ? [] : [latest]),
    );
  }
  if (progress === undefined || progress.done < progress.total || waitsFor(stage) !== undefined)
    parts.push(...paceParts(stage));
  return parts;
}

/** The whole run as a line of text: its share, the time left, and the stage at work. */
export function wholeLine(progress: RunProgress): string {
  return wholeParts(progress).join(BETWEEN_PARTS);
}

/** The parts of the line of the whole run: `whole run  43%  about 04:10 left  now gain`. */
export function wholeParts({ atMost, now, secondsLeft, share }: RunProgress): string[] {
  return [
    "whole run".padEnd(10),
    `${Math.floor(100 * share)}%`,
    ...(secondsLeft === undefined
      ? []
      : [`${atMost === true ? "at most" : "about"} ${clock(secondsLeft)} left`]),
    ...(now === undefined ? [] : [`now ${now.stage}`]),
  ];
}

/** What a stage waits for, in words; undefined while it works. */
export function waitsFor({ paces }: StageState): string | undefined {
  return paces.at(-1)?.waitsFor;
}

/** A number as people read it. */
export function numberText(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: Math.abs(value) < 10 ? 3 : 0 });
}

/** A rate with two digits, or as a whole number. */
export function rateText(rate: number): string {
  return rate >= 10 ? Math.round(rate).toLocaleString("en-US") : rate.toPrecision(2);
}

/** What a stage does now: `4 under way`, `2.1 moves/s`, `1,690 positions/s`; while it waits, `waits for ...`. */
function paceParts(stage: StageState): string[] {
  const waits = waitsFor(stage);
  if (waits !== undefined) return [`waits for ${waits}`];
  const { decisions = 0, evaluations = 0, games = 0 } = paceOf(stage) ?? {};
  const rate = (perSecond: number, unit: string) =>
    perSecond === 0 ? [] : [`${rateText(perSecond)} ${unit}/s`];
  return [
    ...(games === 0 ? [] : [`${games} under way`]),
    ...rate(decisions, "moves"),
    ...rate(evaluations, "positions"),
  ];
}

/** A duration as `MM:SS` or `H:MM:SS`; from two days on in words: `390 days`. */
function clock(seconds: number): string {
  if (seconds >= WORDS) return durationText(seconds);
  const whole = Math.round(seconds);
  const two = (n: number) => String(n).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const rest = `${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}
