import type { WatchedStage } from "../diagnosis/detector.ts";
import { netNames } from "../operators/experiment/agent-net.ts";
import type { CheckedGraph } from "./check-graph.ts";
import { worksOf } from "./cost/cost.ts";
import { learnedNet } from "./learned-net.ts";

/** What diagnoses need to know of each stage of a graph. */
export function watchedStages(
  graph: Pick<CheckedGraph, "opened" | "stages">,
): ReadonlyMap<string, WatchedStage> {
  const { opened, stages } = graph;
  const { agents, nets } = opened.experiment;
  const { players, returnBounds } = opened.game;
  const works = worksOf(graph);
  const learned = new Set(stages.map(learnedNet));
  const named = Object.entries(agents);
  const random = new Set(named.filter(([, { use }]) => use === "random").map(([name]) => name));
  const learners = new Set(
    named.filter(([, agent]) => netNames(agent).some((net) => learned.has(net))).map(([name]) => name),
  );
  return new Map(
    stages.map((stage): [string, WatchedStage] => {
      const net = learnedNet(stage);
      return [
        stage.name,
        {
          planned: works.get(stage.name)?.total,
          generation: stage.view.offered("from", "replay")?.games?.generation,
          players,
          returnBounds,
          fresh: net !== undefined && nets[net]?.weights === undefined,
          random,
          learners,
        },
      ];
    }),
  );
}
