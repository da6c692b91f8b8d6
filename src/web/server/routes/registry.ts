import type { Route } from "../route.ts";
import { comparisonRoutes } from "./comparison.ts";
import { controlRoutes } from "./control.ts";
import { gameRoutes } from "./games.ts";
import { liveRoutes } from "./live.ts";
import { playRoutes } from "./play.ts";
import { reportRoutes } from "./report.ts";
import { runRoutes } from "./run.ts";
import { runsRoutes } from "./runs.ts";

/** All addresses that the server answers besides the page itself. A new part of the page adds its routes here. */
export const routes: readonly Route[] = [
  ...liveRoutes,
  ...runsRoutes,
  ...runRoutes,
  ...comparisonRoutes,
  ...controlRoutes,
  ...playRoutes,
  ...reportRoutes,
  ...gameRoutes,
];
