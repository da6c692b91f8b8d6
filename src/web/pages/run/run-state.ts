import { useSignal } from "@preact/signals";
import { isAtWork } from "../../../runs/run-condition.ts";
import type {
  EventLine,
  FigureShown,
  FlowView,
  GraphView,
  RunHead,
  TimelineView,
} from "../../views/run-views.ts";
import { live, useTopic } from "../shell/contact.ts";

/** What is known of a run; parts are undefined until the server has sent them. */
export interface RunShown {
  readonly head: RunHead | undefined;
  readonly graph: GraphView | undefined;
  readonly flow: FlowView | undefined;
  readonly timeline: TimelineView | undefined;
  /** In the order of the report. */
  readonly figures: readonly FigureShown[] | undefined;
  /** The newest last. */
  readonly lines: readonly EventLine[];
}

/** The most lines of events that a page keeps: a page may be open for days. */
const MOST_LINES = 2000;

/** Follows a run while its page is shown. */
export function useRun(path: string): RunShown {
  const head = useSignal<RunHead | undefined>(undefined);
  const graph = useSignal<GraphView | undefined>(undefined);
  const flow = useSignal<FlowView | undefined>(undefined);
  const timeline = useSignal<TimelineView | undefined>(undefined);
  const figures = useSignal<readonly FigureShown[] | undefined>(undefined);
  const lines = useSignal<readonly EventLine[]>([]);
  useTopic(`run/${path.split("/").map(encodeURIComponent).join("/")}`, {
    head: (value: RunHead) => {
      head.value = value;
      live.value = isAtWork(value.condition);
    },
    graph: (value: GraphView) => (graph.value = value),
    flow: (value: FlowView) => (flow.value = value),
    timeline: (value: TimelineView) => (timeline.value = value),
    figures: (value: { readonly order: readonly string[]; readonly figures: readonly FigureShown[] }) => {
      const known = new Map(
        [...(figures.value ?? []), ...value.figures].map((each) => [each.figure.id, each]),
      );
      figures.value = value.order.flatMap((id) => known.get(id) ?? []);
    },
    lines: (value: { readonly from: number; readonly lines: readonly EventLine[] }) => {
      const before = lines.value.filter(
        ({ order }) => order < value.from && order < (value.lines[0]?.order ?? 0),
      );
      lines.value = [...before, ...value.lines].slice(-MOST_LINES);
    },
  });
  return {
    head: head.value,
    graph: graph.value,
    flow: flow.value,
    timeline: timeline.value,
    figures: figures.value,
    lines: lines.value,
  };
}
