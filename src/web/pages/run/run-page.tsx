import { ago, fixed } from "../../../figures/number-text.ts";
import { isAtWork } from "../../../runs/run-condition.ts";
import type { PageProps } from "../page-props.ts";
import { TimeAtWork } from "../parts/now.tsx";
import { ProgressBar } from "../parts/progress-bar.tsx";
import { Sentence } from "../parts/sentence.tsx";
import { useStretch } from "../parts/stretch.ts";
import { StateMark, stateSign } from "../parts/state-mark.tsx";
import { countText, middle, percentDone } from "../parts/texts.ts";
import { usePlace } from "../shell/crumbs.ts";
import { useKeys } from "../shell/keys.ts";
import { goTo, runHref } from "../shell/router.ts";
import { ChartsTab } from "./charts-tab.tsx";
import { GamePage } from "../games/game-page.tsx";
import { GamesTab } from "../games/games-tab.tsx";
import { EventsTab } from "./events-tab.tsx";
import { Overview } from "./overview.tsx";
import { FailureNotice, RunButtons } from "./run-buttons.tsx";
import { type RunShown, useRun } from "./run-state.ts";
import { SettingsTab } from "./settings-tab.tsx";

/** A part of a run's page. */
interface Tab {
  /** The last part of its address; empty for the first one. */
  readonly path: string;
  readonly name: string;
  readonly component: (props: { readonly run: RunShown; readonly path: string }) => preact.ComponentChild;
}

/** The parts of a run's page, in the order of the keys 1 to 5. */
const tabs: readonly Tab[] = [
  { path: "", name: "Overview", component: Overview },
  { path: "charts", name: "Charts", component: ChartsTab },
  { path: "games", name: "Games", component: GamesTab },
  { path: "events", name: "Events", component: EventsTab },
  { path: "settings", name: "Settings", component: SettingsTab },
];

/** One run: what it is doing, its figures, events and settings. */
export function RunPage({ rest }: PageProps) {
  const [part, stage, number] = rest.slice(-3);
  if (part === "games" && rest.length > 3 && /^\d+$/.test(number!))
    return (
      <GamePage
        key={rest.join("/")}
        path={rest.slice(0, -3).join("/")}
        stage={stage!}
        game={Number(number)}
      />
    );
  const tab = tabs.find(({ path }) => path !== "" && path === rest.at(-1)) ?? tabs[0]!;
  const path = (tab.path === "" ? rest : rest.slice(0, -1)).join("/");
  return <OneRun key={path} path={path} tab={tab} />;
}

function OneRun({ path, tab }: { readonly path: string; readonly tab: Tab }) {
  const run = useRun(path);
  useStretch(path);
  const { head } = run;
  const name = head?.name ?? path.split("/").at(-2) ?? "";
  const share = head?.progress && percentDone(head.progress);
  const sign =
    head === undefined ? "" : isAtWork(head.condition) ? `${share ?? 0}%` : stateSign(head.condition);
  usePlace(
    `${sign} ${name}`.trim(),
    [middle(name, 40), `/?filter=${encodeURIComponent(name)}`],
    head === undefined ? "" : tab.path === "" ? head.id : [head.id, runHref(path)],
    tab.path === "" ? "" : tab.name,
  );
  useKeys(Object.fromEntries(tabs.map((each, i) => [String(i + 1), () => goTo(runHref(path, each.path))])));
  const Shown = tab.component;
  // What comes in several parts is shown at once, so that nothing moves.
  if (head === undefined || run.figures === undefined || run.graph === undefined) return <LoadingRun />;
  return (
    <>
      <FailureNotice head={head} />
      <div class="head run-head">
        <div>
          <p class="facts">
            <b class="run-name" title={name}>
              {middle(name, 40)}
            </b>
            <StateMark condition={head.condition} />
            <span>{factsText(head)}</span>
          </p>
          <h1 tabIndex={-1}>
            {head.sentence === "" ? `${name} cannot be read.` : <Sentence markup={head.sentence} />}
          </h1>
        </div>
        <RunButtons head={head} />
      </div>
      {head.progress !== undefined && isAtWork(head.condition) && <ProgressBar progress={head.progress} />}
      <div class="tab-line">
        <nav class="tabs" aria-label="Parts of this run">
          {tabs.map(({ name: text, path: at }) => (
            <a key={at} href={runHref(path, at)} aria-current={at === tab.path ? "page" : undefined}>
              {text}
              {at === "games" && head.games > 0 && ` ${fixed(head.games, 0)}`}
            </a>
          ))}
        </nav>
        <ProgressFacts head={head} share={share} />
      </div>
      <Shown run={run} path={path} />
    </>
  );
}

function ProgressFacts({
  head,
  share,
}: {
  readonly head: NonNullable<RunShown["head"]>;
  readonly share: number | undefined;
}) {
  const { atMost, condition, elapsed, progress, saved, secondsLeft } = head;
  return (
    <p class="progress-facts">
      {progress !== undefined && (
        <>
          <b>{share}%</b>
        </>
      )}
      {isAtWork(condition) && secondsLeft !== undefined && (
        <span>
          {atMost === true && "at most "}
          <b>{ago(secondsLeft)}</b> left
        </span>
      )}
      {progress?.now !== undefined && (
        <span>
          {isAtWork(condition) && "now "}
          {condition !== "finished" && <b>{middle(progress.now.stage, 30)}</b>} {countText(progress.now)}
        </span>
      )}
      {elapsed !== undefined && (
        <span>
          {isAtWork(condition) ? "at work" : "worked"}{" "}
          <TimeAtWork elapsed={elapsed} live={isAtWork(condition)} of={head} />
        </span>
      )}
      {saved !== undefined && (
        <span>
          saved after <b>{fixed(saved.learned, 0)}</b> {saved.unit}
        </span>
      )}
    </p>
  );
}

function factsText({ game, reproducible, seed, workers }: NonNullable<RunShown["head"]>): string {
  return [
    game,
    seed === undefined ? "" : `seed ${seed}`,
    workers === undefined ? "" : `${workers} ${workers === 1 ? "thread" : "threads"}`,
    reproducible === true ? "reproducible" : "not reproducible",
  ]
    .filter(Boolean)
    .join(" · ");
}

function LoadingRun() {
  return (
    <>
      <div class="head">
        <h1 tabIndex={-1} class="loading">
          Reading this run
        </h1>
      </div>
      <div class="panel grey" aria-hidden="true" />
    </>
  );
}
