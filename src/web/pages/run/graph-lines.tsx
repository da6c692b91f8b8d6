import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { fixed } from "../../../figures/number-text.ts";
import type { FlowView, GraphView, StageNow } from "../../views/run-views.ts";

/** A line between two stages. */
interface Line {
  readonly key: string;
  readonly path: string;
  readonly width: number;
  readonly look: "flows" | "still" | "back";
  readonly text?: string;
  readonly at?: readonly [number, number];
  /** What lies between the two, as a share of its bound, and in words. */
  readonly held?: Held;
}

interface Held {
  readonly share: number;
  readonly text: string;
}

/** The capsule of a stream: half its length, and half its height. In pixels. */
const CAPSULE = [22, 5] as const;

/** The streams of the graph, drawn behind its stages, from their places on the page. */
export function GraphLines({ flow, graph }: { readonly graph: GraphView; readonly flow: FlowView }) {
  const svg = useRef<SVGSVGElement>(null);
  const lines = useSignal<readonly Line[]>([]);
  const sized = useSignal(0);
  useEffect(() => {
    const frame = svg.current!.parentElement!;
    const sizes = new ResizeObserver(() => sized.value++);
    sizes.observe(frame);
    return () => sizes.disconnect();
  }, []);
  const again = sized.value;
  useEffect(() => {
    const frame = svg.current!.parentElement!;
    const next = linesOf(frame, graph, flow);
    if (JSON.stringify(next) !== JSON.stringify(lines.value)) lines.value = next;
  }, [graph, flow, again]);
  return (
    <svg ref={svg} class="graph-lines" aria-hidden="true">
      <defs>
        <marker
          id="arrow"
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerWidth="8"
          markerHeight="8"
          markerUnits="userSpaceOnUse"
          orient="auto"
        >
          <path d="M0 0L8 4L0 8Z" />
        </marker>
      </defs>
      {lines.value.map(({ at, held, key, look, path, text, width }) => (
        <g key={key} class={look}>
          <path d={path} stroke-width={width} marker-end="url(#arrow)" />
          {held !== undefined && at !== undefined && <Capsule held={held} at={at} />}
          {text !== undefined && at !== undefined && (
            <text x={at[0]} y={at[1]} text-anchor="middle">
              {text}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}

function linesOf(frame: HTMLElement, graph: GraphView, flow: FlowView): Line[] {
  const origin = frame.getBoundingClientRect();
  const box = (name: string) => {
    const node = [...frame.querySelectorAll<HTMLElement>("[data-node]")].find(
      (each) => each.dataset["node"] === name,
    );
    if (node === undefined) return undefined;
    const { bottom, left, right, top } = node.getBoundingClientRect();
    return {
      left: left - origin.left,
      right: right - origin.left,
      top: top - origin.top,
      bottom: bottom - origin.top,
    };
  };
  // Of several streams of one kind from a stage, the first one has the label.
  const first = (from: string, kind: string) =>
    graph.edges.find((each) => each.from === from && each.kind === kind)?.to;
  const streams = graph.edges.flatMap(({ from, kind, to }): Line[] => {
    const [a, b] = [box(from), box(to)];
    if (a === undefined || b === undefined) return [];
    const now = flow.stages.find(({ name }) => name === from);
    const rate = flow.seconds === 0 ? 0 : (now?.itemsOut ?? 0) / flow.seconds;
    const key = `${from} ${to} ${kind}`;
    const look = rate > 0 && !flow.whole ? "flows" : "still";
    const width = Math.min(4.5, 1.2 + Math.max(0, Math.log2(1 + rate)));
    const stacked = a.bottom <= b.top + 1 && b.left < a.right;
    if (stacked) {
      const x = (a.left + a.right) / 2;
      return [
        {
          key,
          look,
          width,
          path: `M${x} ${a.bottom}V${b.top - 2}`,
          text: heldBetween(from, kind, flow)?.text ?? kind,
          at: [x + 70, (a.bottom + b.top) / 2 + 4],
        },
      ];
    }
    const [y1, y2] = [middleOf(a), middleOf(b)];
    const half = (a.right + b.left) / 2;
    const held = heldBetween(from, kind, flow);
    return [
      {
        key,
        look,
        width,
        path: `M${a.right} ${y1}C${half} ${y1} ${half} ${y2} ${b.left - 2} ${y2}`,
        ...(held === undefined || first(from, kind) !== to ? {} : { held }),
        ...(b.left - a.right > 60 && first(from, kind) === to
          ? { text: kind, at: [half, (y1 + y2) / 2 - (held === undefined ? 7 : 12)] as const }
          : {}),
      },
    ];
  });
  const requests = flow.evaluators.flatMap(({ net }): Line[] => {
    const user = graph.back.find((each) => each.net === net)?.to ?? graph.nodes[0]?.name;
    const [a, b] = [box(user ?? ""), box(`net ${net}`)];
    if (a === undefined || b === undefined || a.bottom > b.top) return [];
    const x = a.left + 0.3 * (a.right - a.left);
    const look = flow.whole ? ("still" as const) : ("flows" as const);
    return [
      { key: `to ${net}`, look, width: 1.6, path: `M${x} ${a.bottom}V${b.top - 2}` },
      { key: `from ${net}`, look, width: 1.6, path: `M${x + 18} ${b.top}V${a.bottom + 2}` },
    ];
  });
  const back = graph.back.flatMap(({ from, net, to }): Line[] => {
    const [a, b] = [box(from), box(to)];
    if (a === undefined || b === undefined || b.left >= a.left) return [];
    const [x1, x2] = [(a.left + a.right) / 2, (b.left + b.right) / 2];
    return [
      {
        key: `back ${from} ${to}`,
        look: "back",
        width: 1.2,
        path: `M${x1} ${a.top}V14H${x2}V${b.top - 2}`,
        text: weightsText(net, flow.stages, { from, to }),
        at: [(x1 + x2) / 2, 10],
      },
    ];
  });
  return [...streams, ...requests, ...back];
}

/** The height at which streams reach a stage: that of its figure, whatever is below it. */
function middleOf({ bottom, top }: { readonly top: number; readonly bottom: number }): number {
  return (top + Math.min(bottom, top + 90)) / 2;
}

/** What lies between a stage and its readers: games under way at their source, examples in a buffer. */
function heldBetween(from: string, kind: string, { buffers, stages, whole }: FlowView): Held | undefined {
  if (whole) return undefined;
  const stage = stages.find(({ name }) => name === from);
  if (kind === "games" && stage?.bound !== undefined)
    return {
      share: Math.min(1, (stage.holds ?? 0) / stage.bound),
      text: `${fixed(stage.holds ?? 0, 0)} of ${fixed(stage.bound, 0)} games`,
    };
  const buffer = buffers.find((each) => each.stage === from);
  if (buffer?.capacity === undefined) return undefined;
  return {
    share: Math.min(1, buffer.examples / buffer.capacity),
    text: `${fixed(100 * Math.min(1, buffer.examples / buffer.capacity), 0)}% full`,
  };
}

/** `weights of zero, version 22 · games waits for version 23`. The first version is that of the net before it has learned. */
function weightsText(
  net: string,
  stages: readonly StageNow[],
  { from, to }: { readonly from: string; readonly to: string },
): string {
  const of = (name: string) => stages.find((stage) => stage.name === name);
  const handed = of(from)?.handed ?? 0;
  const waits = of(to)?.waitsFor;
  return [
    `weights of ${net}${handed > 0 ? `, version ${fixed(handed - 1, 0)}` : ""}`,
    ...(waits?.includes("weights") === true ? [`${to} waits for ${waits}`] : []),
  ].join(" · ");
}

/** A capsule as full as its stream: empty, the reader waits for items; full, the source waits for the reader. */
function Capsule({ at: [x, y], held }: { readonly held: Held; readonly at: readonly [number, number] }) {
  const [half, high] = CAPSULE;
  const middle = y + 12;
  const [left, top] = [x - half, middle - high];
  const inner = 2 * half - 4;
  return (
    <>
      <rect class="capsule" x={left} y={top} width={2 * half} height={2 * high} rx={high} />
      <rect
        class="capsule-fill"
        x={left + 2}
        y={top + 2}
        width={inner * held.share}
        height={2 * high - 4}
        rx={high - 2}
      />
      <text x={x} y={middle + high + 13} text-anchor="middle">
        {held.text}
      </text>
    </>
  );
}
