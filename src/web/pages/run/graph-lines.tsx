import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { FlowView, GraphView } from "../../views/run-views.ts";

/** A line between two stages. */
interface Line {
  readonly key: string;
  readonly path: string;
  readonly width: number;
  readonly look: "flows" | "still" | "back";
  readonly text?: string;
  readonly at?: readonly [number, number];
}

/** The streams of the graph, drawn behind its stages, from where these stand on the page. */
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
      {lines.value.map(({ at, key, look, path, text, width }) => (
        <g key={key} class={look}>
          <path d={path} stroke-width={width} marker-end="url(#arrow)" />
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
          text: kind,
          at: [x + 34, (a.bottom + b.top) / 2 + 4],
        },
      ];
    }
    const [y1, y2] = [
      (a.top + Math.min(a.bottom, a.top + 90)) / 2,
      (b.top + Math.min(b.bottom, b.top + 90)) / 2,
    ];
    const half = (a.right + b.left) / 2;
    return [
      {
        key,
        look,
        width,
        path: `M${a.right} ${y1}C${half} ${y1} ${half} ${y2} ${b.left - 2} ${y2}`,
        ...(b.left - a.right > 70 ? { text: kind, at: [half, (y1 + y2) / 2 - 7] as const } : {}),
      },
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
        text: `weights of ${net}`,
        at: [(x1 + x2) / 2, 10],
      },
    ];
  });
  return [...streams, ...back];
}
