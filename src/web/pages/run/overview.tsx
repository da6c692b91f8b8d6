import { isAtWork } from "../../../runs/run-condition.ts";
import type { FigureShown } from "../../views/run-views.ts";
import { NewestGames } from "../games/newest-games.tsx";
import { ChartTools } from "../parts/chart-tools.tsx";
import { FigureChart } from "../parts/figure-chart.tsx";
import { FigurePanel } from "../parts/figure-panel.tsx";
import { fixed } from "../../../figures/number-text.ts";
import { resultTexts } from "../../../figures/result-texts.ts";
import { runHref } from "../shell/router.ts";
import { tableHref } from "./charts-tab.tsx";
import { EventList } from "./events-tab.tsx";
import { FleetPanel } from "./fleet-panel.tsx";
import { FlowPanel } from "./flow-panel.tsx";
import type { RunShown } from "./run-state.ts";
import { SmallChart } from "./small-chart.tsx";

/** The most events that the overview lists. */
const MOST_EVENTS = 6;
/** Learning curves, by the beginning of their names. */
const CURVES = ["curve-", "versions-"];
/** The figures that may come first, by the beginning of their names: curves, and figures of matches if nothing learns. */
const STRENGTHS = [
  ...CURVES,
  "games-",
  "accuracy-curve-",
  "ratings-",
  "wins-",
  "means-",
  "score-by-simulations",
  "value-errors-",
];
/** Figures that are shown small, by the beginning of their names. */
const SMALL = ["loss", "training", "entropy", "learning-rate"];

/** Answers within seconds: is the run learning, how long will it take, is something stuck? */
export function Overview({ path, run }: { readonly run: RunShown; readonly path: string }) {
  const { figures = [], flow, graph, head, lines, timeline } = run;
  const strength = strengthOf(figures, head?.result?.stage);
  const small = figures.filter(
    ({ figure }) => figure.chart.kind === "lines" && SMALL.some((name) => figure.id.startsWith(name)),
  );
  const flows = flow !== undefined && graph !== undefined && (
    <FlowPanel flow={flow} graph={graph} head={head} timeline={timeline} />
  );
  return (
    <div class="overview">
      <ChartTools brief />
      <Diagnoses head={head} />
      {strength === undefined ? (
        <>
          {flows}
          <section class="panel quiet-panel strength">
            <h2>Strength</h2>
            <p class="muted">
              Nothing was measured yet: the curve begins with the second result of a stage that measures.
            </p>
          </section>
        </>
      ) : (
        <div class="strength">
          <FigurePanel
            shown={strength}
            csv={tableHref(path, strength)}
            height={window.innerWidth >= 2000 ? 460 : 260}
          />
        </div>
      )}
      <div class="side">
        <NewestGames path={path} games={head?.games ?? 0} />
        <section class="panel last">
          <h2>Last result</h2>
          <LastResult head={head} />
          <p>
            <a href={runHref(path, "charts")}>All {fixed(figures.length, 0)} figures</a>
          </p>
        </section>
      </div>
      {strength !== undefined && flows}
      {flow?.fleet !== undefined && (
        <FleetPanel fleet={flow.fleet} running={head !== undefined && isAtWork(head.condition)} />
      )}
      <div class="smalls">
        {small.slice(0, 2).map(({ figure }) => (
          <section key={figure.id} class="panel">
            <h2>{figure.title}</h2>
            <FigureChart figure={figure} id={`s-${figure.id}`} height={120} />
          </section>
        ))}
        {timeline !== undefined && timeline.positions.length > 1 && (
          <SmallChart
            id="positions"
            title="Positions evaluated"
            about="by nets, a second"
            points={timeline.positions}
          />
        )}
        {flow?.machine !== undefined && timeline !== undefined && timeline.cores.length > 1 && (
          <SmallChart
            id="machine"
            title="Machine"
            about={`cores used of ${flow.machine.cores}, ${fixed(flow.machine.memory / 1e9, 1)} GB of memory`}
            points={timeline.cores}
            most={flow.machine.cores}
          />
        )}
      </div>
      <section class="panel events-panel">
        <div class="panel-head">
          <h2>Events</h2>
          <a href={runHref(path, "events")}>all</a>
        </div>
        <EventList lines={lines.slice(-MOST_EVENTS)} />
      </section>
      <section class="panel this-run">
        <h2>This run</h2>
        <ThisRun head={head} />
      </section>
    </div>
  );
}

/** Why the run does not learn as it should; nothing while it is sure of nothing. */
function Diagnoses({ head }: { readonly head: RunShown["head"] }) {
  if (head === undefined || head.diagnoses.length === 0) return null;
  return (
    <section class="panel diagnoses" aria-label="Diagnoses">
      <h2>What keeps it from learning</h2>
      {head.diagnoses.map(({ cure, explained, name, says, stage }) => (
        <p key={`${stage} ${name}`}>
          <b>{name}</b> <span class="muted">{stage}</span>: {says}. {cure}.{" "}
          <small class="muted">{explained}</small>
        </p>
      ))}
    </section>
  );
}

/** A learning curve, that of the stage that the headline is about if it has one; or else its figure of strength, or the first. */
function strengthOf(figures: readonly FigureShown[], stage: string | undefined): FigureShown | undefined {
  for (const names of [CURVES, STRENGTHS]) {
    const found = names.flatMap((name) => figures.filter(({ figure }) => figure.id.startsWith(name)));
    const own = found.find(({ figure }) => stage !== undefined && figure.title.endsWith(`: ${stage}`));
    if (found.length > 0) return own ?? found[0];
  }
  return undefined;
}

function LastResult({ head }: { readonly head: RunShown["head"] }) {
  const result = head?.result;
  if (result === undefined) return <p class="muted">Nothing was measured yet.</p>;
  const { interval, value } = resultTexts(result);
  return (
    <dl class="pairs">
      <div>
        <dt>{result.agent}</dt>
        <dd>
          <b class="figure-number">{value}</b> <span class="muted">{interval}</span>
        </dd>
      </div>
      <div>
        <dt>What</dt>
        <dd>{result.measure === "share won" ? "share of games won" : "mean score"}, 95% interval</dd>
      </div>
      <div>
        <dt>Stage</dt>
        <dd>{result.stage}</dd>
      </div>
      {result.learned > 0 && (
        <div>
          <dt>After</dt>
          <dd>
            {fixed(result.learned, 0)} {result.unit} learned
          </dd>
        </div>
      )}
    </dl>
  );
}

function ThisRun({ head }: { readonly head: RunShown["head"] }) {
  if (head === undefined) return null;
  const { compute, condition, folder, games, reproducible, started } = head;
  const facts: (readonly [string, preact.ComponentChild])[] = [
    ["Started", started === undefined ? "" : `${started.slice(0, 16).replace("T", " ")} UTC`],
    ["Nets", compute],
    ["Games stored", games === 0 ? "" : fixed(games, 0)],
    [
      "Reproducible",
      reproducible === true ? "a function of file and seed" : `no: ${reproducible.join("; ")}`,
    ],
    ["Folder", <code key="folder">{folder}</code>],
    [
      "From a terminal",
      condition === "finished" || condition === "damaged" ? (
        ""
      ) : (
        <code key="resume">ludoflow resume {folder}</code>
      ),
    ],
  ];
  return (
    <dl class="pairs">
      {facts.map(
        ([key, value]) =>
          value !== "" && (
            <div key={key}>
              <dt>{key}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
