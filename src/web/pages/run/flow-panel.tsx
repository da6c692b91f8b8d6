import type {
  EvaluatorNow,
  FlowView,
  GraphView,
  RunHead,
  StageNow,
  TimelineView,
} from "../../views/run-views.ts";
import { isAtWork } from "../../../runs/run-condition.ts";
import { ago, fixed } from "../../../figures/number-text.ts";
import { counted } from "../../../messages/counted.ts";
import { FigureChart } from "../parts/figure-chart.tsx";
import { twoDigits } from "../parts/texts.ts";
import { GraphLines } from "./graph-lines.tsx";

/** The most squares of a buffer's ages: the oldest generations share the last one. */
const MOST_SQUARES = 16;

/** What flows in the run: which stages work, and what the others wait for. */
export function FlowPanel({
  flow,
  graph,
  head,
  timeline,
}: {
  readonly flow: FlowView;
  readonly timeline: TimelineView | undefined;
  readonly graph: GraphView;
  readonly head: RunHead | undefined;
}) {
  const columns = Math.max(0, ...graph.nodes.map(({ column }) => column)) + 1;
  const running = head !== undefined && isAtWork(head.condition);
  /** A net's evaluator is below the stage that plays with the net. */
  const columnOf = (net: string) => {
    const user = graph.back.find((each) => each.net === net)?.to;
    return graph.nodes.find(({ name }) => name === user)?.column ?? 0;
  };
  return (
    <section class="panel flows">
      <div class="panel-head">
        <h2>
          {running ? "What flows now" : "What flowed"}{" "}
          <small>
            {flow.seconds === 0
              ? ""
              : flow.whole
                ? `in ${ago(flow.seconds)} at work`
                : `last ${ago(flow.seconds)}`}
          </small>
        </h2>
        <p class="legend" aria-hidden="true">
          <i class="works" /> works <i class="waits" /> waits for input <i class="held" /> held up by its
          readers
        </p>
      </div>
      <p class="second-sentence">
        {flow.sentence === "" ? "The first figures of what flows come within seconds." : flow.sentence}
      </p>
      <div class="graph-frame">
        <div class="graph" data-columns={columns}>
          <GraphLines graph={graph} flow={flow} />
          {Array.from({ length: columns }, (_, column) => (
            <div class="graph-column" key={column}>
              {graph.nodes
                .filter((node) => node.column === column)
                .map(({ name, use }) => (
                  <StageNode
                    key={name}
                    name={name}
                    use={use}
                    now={flow.stages.find((stage) => stage.name === name)}
                    ended={!running}
                    unit={unitOf(name, graph.edges)}
                    buffer={flow.buffers.find(({ stage }) => stage === name)}
                  />
                ))}
              {flow.evaluators
                .filter(({ net }) => columnOf(net) === column)
                .map((each) => (
                  <Evaluator key={each.net} evaluator={each} />
                ))}
            </div>
          ))}
        </div>
      </div>
      {timeline?.lanes !== undefined && (
        <details open class="lanes">
          <summary>
            <b>Who worked when</b>{" "}
            <small>{flow.whole ? "the whole run" : "last 10 min"} · ▲ checkpoint</small>
          </summary>
          <FigureChart figure={timeline.lanes} id="lanes" />
        </details>
      )}
    </section>
  );
}

function StageNode({
  buffer,
  ended,
  name,
  now,
  unit,
  use,
}: {
  readonly name: string;
  readonly use: string;
  /** What it hands on, one of it. */
  readonly unit: string;
  readonly now: StageNow | undefined;
  readonly ended: boolean;
  readonly buffer: FlowView["buffers"][number] | undefined;
}) {
  // While the run continues, a stage that has done its present round may begin another one.
  const done = ended && now?.progress !== undefined && now.progress.done >= now.progress.total;
  const look =
    now?.failed !== undefined ? "failed" : done ? "done" : now?.busy === true && !ended ? "busy" : "";
  return (
    <div class={`node ${look}`} data-node={name}>
      <p class="node-name">
        <b title={name}>{name}</b> <span>{use}</span>
      </p>
      <p class="node-figure">{figureOf(now, ended, unit)}</p>
      <Shares now={now} />
      {now?.failed === undefined ? (
        <p class="node-wait" title={waitText(now, done, ended)}>
          {waitText(now, done, ended)}
        </p>
      ) : (
        <p class="node-wait bad">✕ {now.failed}</p>
      )}
      {buffer !== undefined && buffer.examples > 0 && <Buffer {...buffer} />}
    </div>
  );
}

/** What a stage hands on, one of it; of a stage at the end, what it has dealt with. */
function unitOf(name: string, edges: GraphView["edges"]): string {
  const { kind } = edges.find(({ from }) => from === name) ?? edges.find(({ to }) => to === name) ?? {};
  return kind === "replay" ? "generation" : kind === "weights" ? "version" : "item";
}

/** The figure that says most: a rate while it works, else how far it is. `unit` is what the stage hands on. */
function figureOf(now: StageNow | undefined, ended: boolean, unit: string): string {
  if (now?.progress === undefined)
    return now === undefined || now.itemsOut === 0
      ? "–"
      : counted(now.itemsOut, unit, fixed(now.itemsOut, 0));
  const { done, total, unit: of } = now.progress;
  if (!ended && now.rate !== undefined) return `${twoDigits(now.rate)} ${of}/s`;
  // Before the first game of a large search ends.
  if (!ended && done === 0 && now.evaluations !== undefined)
    return `${twoDigits(now.evaluations)} positions/s`;
  return `${fixed(done, 0)} of ${fixed(total, 0)} ${of}`;
}

function waitText(now: StageNow | undefined, done: boolean, ended: boolean): string {
  if (done) return "✓ done";
  if (now === undefined) return "";
  if (!ended && now.waitsFor !== undefined) return `waits for ${now.waitsFor}`;
  const parts = [
    [now.worked, "worked"],
    [now.waited, "waited"],
    [now.held, "was held up"],
  ] as const;
  const [share, what] = parts.toSorted((a, b) => b[0] - a[0])[0]!;
  return share === 0 ? "" : `${what} ${fixed(100 * share, 0)}%`;
}

function Shares({ now }: { readonly now: StageNow | undefined }) {
  const { held = 0, waited = 0, worked = 0 } = now ?? {};
  const of = (share: number) => `${(100 * Math.min(1, share)).toFixed(1)}%`;
  return (
    <div
      class="shares"
      role="img"
      aria-label={`worked ${of(worked)}, waited ${of(waited)}, held up ${of(held)}`}
    >
      <i class="works" style={{ width: of(worked) }} />
      <i class="waits" style={{ width: of(waited) }} />
      <i class="held" style={{ width: of(held) }} />
    </div>
  );
}

/** What a buffer holds, with a square for each generation, from the newest to the oldest. */
function Buffer({ capacity, examples, meanAge, oldest }: FlowView["buffers"][number]) {
  const squares = Math.min(MOST_SQUARES, oldest + 1);
  return (
    <div class="ages">
      <p class="node-wait">
        {fixed(examples, 0)}
        {capacity === undefined ? "" : ` of ${fixed(capacity, 0)}`} examples
      </p>
      <svg
        viewBox={`0 0 ${9 * squares} 8`}
        width={9 * squares}
        height="8"
        role="img"
        aria-label={`mean age ${fixed(meanAge, 1)} generations, oldest ${oldest}`}
      >
        {Array.from({ length: squares }, (_, i) => (
          <rect
            key={i}
            x={9 * i}
            width="8"
            height="8"
            opacity={squares === 1 ? 1 : 1 - (0.8 * i) / (squares - 1)}
          />
        ))}
      </svg>
      <p class="node-wait">
        new to {fixed(oldest, 0)} {oldest === 1 ? "generation" : "generations"} old
      </p>
    </div>
  );
}

function Evaluator({
  evaluator: { meanBatch, net, rowsPerSecond, sizes },
}: {
  readonly evaluator: EvaluatorNow;
}) {
  const most = Math.max(1, ...sizes);
  return (
    <div class="node pill" data-node={`net ${net}`}>
      <p class="node-name">
        <b>net {net}</b>
      </p>
      <p class="node-figure">{twoDigits(rowsPerSecond)} positions/s</p>
      <p class="node-wait">
        <svg
          class="sizes"
          viewBox={`0 0 ${6 * sizes.length} 14`}
          width={6 * sizes.length}
          height="14"
          aria-hidden="true"
        >
          {sizes.map((count, k) => (
            <rect key={k} x={6 * k} y={14 - (14 * count) / most} width="5" height={(14 * count) / most} />
          ))}
        </svg>{" "}
        batch {fixed(meanBatch, 1)}
      </p>
    </div>
  );
}
