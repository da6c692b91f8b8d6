import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { fixed } from "../../../figures/number-text.ts";
import { useMemo } from "preact/hooks";
import type { ExpectationCurve, GameView, StepShown, TurningPoint } from "../../views/game-views.ts";
import { PieceIcon } from "../boards/piece-shape.tsx";
import { shortMove } from "../boards/short-move.ts";
import { Spacer } from "../parts/spacer.tsx";
import { rowsInSight } from "./rows-in-sight.ts";
import { turningMark } from "./stepping.ts";
import { expectedText } from "./expected-text.ts";

/** The height of a line, in pixels. */
const ROW = 26;

/** The moves of a game and its turning points; lines are drawn as they scroll by. */
export function MoveList({
  curves,
  marked,
  most,
  onMost,
  onStep,
  points,
  step,
  view,
}: {
  readonly view: GameView;
  /** What is expected at the steps, if it is known. */
  readonly curves: readonly ExpectationCurve[];
  readonly step: number;
  /** The turning points that are marked, and all that are known. */
  readonly marked: readonly TurningPoint[];
  readonly points: readonly TurningPoint[];
  readonly most: number;
  readonly onMost: (most: number) => void;
  readonly onStep: (step: number) => void;
}) {
  const { pieceShapes, steps } = view;
  const byStep = new Map(marked.map((point) => [point.step, point]));
  const expected = useMemo(
    () =>
      new Map(
        curves.flatMap(({ points: known, unit }) =>
          known.map(([at, value]) => [at, expectedText(value, unit)] as const),
        ),
      ),
    [curves],
  );
  const alone = view.seats.length === 1;
  const place = useRef<HTMLDivElement>(null);
  const scrolled = useSignal(0);
  const height = useSignal(600);
  useEffect(() => {
    const element = place.current!;
    const sizes = new ResizeObserver(() => (height.value = element.clientHeight));
    sizes.observe(element);
    return () => sizes.disconnect();
  }, []);
  // The line of the step stays in sight, in the list alone: the page does not move.
  useEffect(() => {
    const list = place.current!;
    const top = step * ROW;
    if (top < list.scrollTop + ROW || top > list.scrollTop + list.clientHeight - 3 * ROW)
      list.scrollTop = Math.max(0, top - list.clientHeight / 2);
  }, [step, height.value]);
  const { end, start } = rowsInSight(scrolled.value, height.value, ROW, steps.length);
  return (
    <section class="panel move-list">
      <div class="panel-head">
        <h2>
          Moves{" "}
          <small>
            {points.length === 0
              ? "no turning points"
              : `${marked.length} of ${points.length} turning points`}
          </small>
        </h2>
        {points.length > 1 && (
          <input
            type="range"
            min={0}
            max={points.length}
            value={Math.min(most, points.length)}
            aria-label="How many turning points are marked"
            title={`The ${marked.length} largest drops are marked`}
            onInput={(event) => onMost(Number(event.currentTarget.value))}
          />
        )}
      </div>
      {steps.length > 60 && marked.length > 0 && (
        <>
          <p class="muted list-title">
            Turning points, the largest first <span>then expected less by</span>
          </p>
          <ol class="turning-list">
            {marked.slice(0, 6).map((point) => (
              <li key={point.step}>
                <MoveLine
                  index={point.step}
                  of={steps[point.step]!}
                  point={point}
                  alone={alone}
                  chosen={point.step === step}
                  pieceShapes={pieceShapes}
                  onStep={onStep}
                />
              </li>
            ))}
          </ol>
        </>
      )}
      {expected.size > 0 && (
        <p class="muted list-title">
          All moves <span>expected at this move</span>
        </p>
      )}
      <div
        ref={place}
        class="moves"
        role="group"
        aria-label="Moves"
        tabIndex={0}
        onScroll={(event) => (scrolled.value = event.currentTarget.scrollTop)}
      >
        <Spacer height={start * ROW} />
        {steps.slice(start, end).map((each, i) => (
          <MoveLine
            key={start + i}
            index={start + i}
            of={each}
            point={byStep.get(start + i)}
            expected={expected.get(start + i)}
            alone={alone}
            chosen={start + i === step}
            pieceShapes={pieceShapes}
            onStep={onStep}
          />
        ))}
        <Spacer height={(steps.length - end) * ROW} />
      </div>
    </section>
  );
}

function MoveLine({
  alone,
  chosen,
  expected,
  index,
  of: [, seat, move, piece],
  onStep,
  pieceShapes,
  point,
}: {
  readonly index: number;
  readonly of: StepShown;
  readonly point: TurningPoint | undefined;
  /** What was expected there, as text. */
  readonly expected?: string | undefined;
  /** The game has one player, who needs no colour. */
  readonly alone: boolean;
  readonly chosen: boolean;
  readonly pieceShapes: GameView["pieceShapes"];
  readonly onStep: (step: number) => void;
}) {
  const shape = piece === undefined ? undefined : pieceShapes?.[piece];
  return (
    <button
      type="button"
      class="move-line"
      aria-current={chosen ? "step" : undefined}
      onClick={() => onStep(index)}
    >
      <span class="muted">{fixed(index + 1, 0)}</span>
      {!alone && <i class={`swatch seat-${seat % 6}`} aria-hidden="true" />}
      {shape !== undefined && <PieceIcon shape={shape} seat={seat} cell={4} />}
      <span class="move-text" title={move}>
        {shortMove({ pieceShapes }, move)}
      </span>
      {point !== undefined && (
        <b class="turn-mark">
          {turningMark(point)} −{expectedText(point.drop)}
        </b>
      )}
      {point === undefined && expected !== undefined && (
        <span class="line-expected" title="expected there">
          {expected}
        </span>
      )}
    </button>
  );
}
