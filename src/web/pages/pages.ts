import type { ComponentType } from "preact";
import type { PageProps } from "./page-props.ts";
import { ComparePage } from "./compare/compare-page.tsx";
import { PlayPage } from "./play/play-page.tsx";
import { RunPage } from "./run/run-page.tsx";
import { RunsPage } from "./runs/runs-page.tsx";
import { StartPage } from "./start/start-page.tsx";

/** A page: what is shown at the addresses below its first part. */
export interface Page {
  /** The first part of its address: `compare` of `/compare?runs=...`; empty for the first page. */
  readonly path: string;
  /** Its name in the bar at the top; undefined: it has no entry there. */
  readonly entry?: string;
  /** The key behind `g` that leads there. */
  readonly key?: string;
  readonly component: ComponentType<PageProps>;
}

/** All pages. A new one is a folder beside the others and a line here. */
export const pages: readonly Page[] = [
  { path: "", entry: "Runs", key: "r", component: RunsPage },
  { path: "play", entry: "Play", key: "p", component: PlayPage },
  { path: "start", entry: "Start", key: "s", component: StartPage },
  { path: "runs", component: RunPage },
  { path: "compare", component: ComparePage },
];
