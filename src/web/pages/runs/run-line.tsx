import { useMemo } from "preact/hooks";
import { resultTexts } from "../../../figures/result-texts.ts";
import { isAtWork } from "../../../runs/run-condition.ts";
import type { RunRow } from "../../views/run-views.ts";
import { ago, fixed } from "../../../figures/number-text.ts";
import { now, TimeAtWork } from "../parts/now.tsx";
import { ProgressBar } from "../parts/progress-bar.tsx";
import { SparkLine } from "../parts/spark-line.tsx";
import { StateMark } from "../parts/state-mark.tsx";
import { countText, middle, percentDone } from "../parts/texts.ts";

interface Line {
  readonly row: RunRow;
  readonly index: number;
  readonly href: string;
  readonly chosen: boolean;
  readonly onToggle: (path: string) => void;
}

/** A run in the list. It is drawn anew only if it has changed, but the list with each key and each scroll. */
export function RunLine(line: Line) {
  const { chosen, href, index, row } = line;
  return useMemo(() => drawn(line), [chosen, href, index, row]);
}

function drawn({ chosen, href, index, onToggle, row }: Line) {
  const { condition, differs, elapsed, game, id, name, result } = row;
  const said = result && resultTexts(result);
  return (
    <div
      class={`run-line ${chosen ? "on" : ""}`}
      role="row"
      aria-rowindex={index + 2}
      data-row={index}
      onClick={(event) => {
        if (!(event.target as Element).closest("a, input, label"))
          (event.currentTarget as Element).querySelector<HTMLElement>("a")?.click();
      }}
    >
      <span role="cell" class="pick">
        <label>
          <input
            type="checkbox"
            checked={chosen}
            onChange={() => onToggle(row.path)}
            aria-label={`Choose ${name} ${id}`}
          />
        </label>
      </span>
      <span role="cell" class="of-state">
        <StateMark condition={condition} />
      </span>
      <span role="cell" class="of-run">
        <a href={href} title={name}>
          {middle(name, 38)}
        </a>
        <small title={`${differs === "" ? "" : `${differs} · `}${id}`}>
          {differs !== "" && <span class="differs">{differs} · </span>}
          {id}
        </small>
      </span>
      <span role="cell" class="of-differs" title={differs}>
        {differs}
      </span>
      <span role="cell" class="of-game">
        {game}
      </span>
      <span role="cell" class="of-progress">
        <Progress row={row} />
      </span>
      <span role="cell" class="of-result">
        {said === undefined ? (
          <span class="muted">no match yet</span>
        ) : (
          <>
            <span>
              <b>{said.value}</b> <span class="muted">{said.interval}</span>
            </span>
            <small title={result!.agent}>
              {middle(result!.agent, 20)} {result!.measure === "share won" ? "won" : "scored"}
              {result!.learned > 0 && `, after ${fixed(result!.learned, 0)} ${result!.unit}`}
            </small>
          </>
        )}
      </span>
      <span role="cell" class="of-curve">
        <SparkLine curve={row.curve} />
      </span>
      <span role="cell" class="of-start">
        {row.started === undefined ? "" : row.started.slice(0, 10)}
        <small>{row.started === undefined ? "" : `${row.started.slice(11, 16)} UTC`}</small>
      </span>
      <span role="cell" class="of-time">
        <span>
          {elapsed !== undefined && <TimeAtWork elapsed={elapsed} live={isAtWork(condition)} of={row} />}
        </span>
        <small>
          <Seen row={row} />
        </small>
      </span>
    </div>
  );
}

function Progress({ row }: { readonly row: RunRow }) {
  const { atMost, condition, message, progress, secondsLeft } = row;
  if (message !== undefined)
    return (
      <small class="bad" title={message}>
        {message}
      </small>
    );
  if (condition === "silent")
    return (
      <small>
        {progress === undefined ? "" : `${percentDone(progress)}%, `}no sign of life; was it killed?
      </small>
    );
  if (progress === undefined) return null;
  // The time left first: a narrow column cuts off the end.
  const { now: stage } = progress;
  const texts = [
    ...(secondsLeft === undefined ? [] : [`${atMost === true ? "at most " : ""}${ago(secondsLeft)} left`]),
    ...(condition === "finished" && stage !== undefined ? [] : [`${percentDone(progress)}%`]),
    ...(stage === undefined
      ? []
      : [`${condition === "finished" ? "" : `${middle(stage.stage, 20)} `}${countText(stage)}`]),
  ];
  return (
    <>
      {isAtWork(condition) && <ProgressBar progress={progress} />}
      <small title={texts.join(" · ")}>{texts.join(" · ")}</small>
    </>
  );
}

/** When a run gave its last sign of life. */
function Seen({ row: { condition, seen } }: { readonly row: RunRow }) {
  if (isAtWork(condition)) return <>now</>;
  return <>{seen === undefined ? "" : `${ago((now.value - Date.parse(seen)) / 1000)} ago`}</>;
}
