import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ComparisonView } from "../../views/comparison-view.ts";
import { fixed } from "../../../figures/number-text.ts";
import { seriesStyle } from "../../../figures/charts/series-style.ts";
import { middle } from "../parts/texts.ts";
import { ChartTools } from "../parts/chart-tools.tsx";
import { FigurePanel } from "../parts/figure-panel.tsx";
import { Segments } from "../parts/segments.tsx";
import { resultTexts } from "../../../figures/result-texts.ts";
import { ask, inSight, live } from "../shell/contact.ts";
import { usePlace } from "../shell/crumbs.ts";
import { choose, query, runHref } from "../shell/router.ts";

/** A comparison of runs at work is made anew so often. In milliseconds. */
const AGAIN_MS = 10_000;

const axes = [
  ["played", "games"],
  ["steps", "steps"],
  ["seconds", "processor time"],
] as const;
type Axis = (typeof axes)[number][0];

/** Runs side by side: what differs, what it made of it, and whether that is settled. */
export function ComparePage() {
  const runs = (query.value.get("runs") ?? "").split(",").filter(Boolean);
  const key = runs.join(",");
  const view = useSignal<ComparisonView | undefined>(undefined);
  const error = useSignal<string | undefined>(undefined);
  usePlace("Compare", `Compare ${runs.length} runs`);
  useEffect(() => {
    let timer: number | undefined;
    let left = false;
    if (!inSight.value && view.value !== undefined) return undefined;
    const load = async () => {
      try {
        const next = await ask<ComparisonView>(`/api/compare?runs=${encodeURIComponent(key)}`);
        if (left) return;
        view.value = next;
        error.value = undefined;
        live.value = next.runs.some(({ state }) => state === "running");
        if (live.value) timer = window.setTimeout(() => void load(), AGAIN_MS);
      } catch (failure) {
        error.value = (failure as Error).message;
      }
    };
    void load();
    return () => {
      left = true;
      window.clearTimeout(timer);
    };
  }, [key, inSight.value]);
  if (error.value !== undefined)
    return (
      <div class="panel empty">
        <h1 tabIndex={-1}>These runs cannot be compared.</h1>
        <p>{error.value}</p>
        <p>
          <a href="/">Choose runs</a>
        </p>
      </div>
    );
  const shown = view.value;
  if (shown === undefined)
    return (
      <div class="head">
        <h1 tabIndex={-1} class="loading">
          Comparing {runs.length} runs
        </h1>
      </div>
    );
  return <Compared view={shown} runs={runs} />;
}

function Compared({ runs, view }: { readonly view: ComparisonView; readonly runs: readonly string[] }) {
  const known = axes.filter(([each]) =>
    view.figures.some(({ figure }) => figure.id.startsWith(`curve-${each}`)),
  );
  const axis = (query.value.get("x") ?? known[0]?.[0] ?? "played") as Axis;
  const figures = view.figures.filter(
    ({ figure }) => !figure.id.startsWith("curve-") || figure.id.startsWith(`curve-${axis}`),
  );
  const isCurve = ({ figure }: (typeof figures)[number]) => /^(difference-)?curve-/.test(figure.id);
  const curves = figures.filter(isCurve);
  const others = figures.filter((each) => !isCurve(each));
  const rebase = (path: string) =>
    choose({ runs: [path, ...runs.filter((each) => each !== path)].join(",") });
  return (
    <>
      <div class="head">
        <h1 tabIndex={-1}>
          <Difference text={view.sentences.slice(0, 3).join(" ")} />
        </h1>
      </div>
      {view.sentences.length > 3 && (
        <details class="more">
          <summary>{view.sentences.length - 3} more differences</summary>
          {view.sentences.slice(3).map((each) => (
            <p key={each}>{each}</p>
          ))}
        </details>
      )}
      <div class="chips">
        {view.runs.map(({ group, name, path }, i) => {
          const number = view.groups.indexOf(group);
          return (
            <div key={path} class={`chip key-${number % 6}`}>
              <Dash style={number} />
              <b title={group}>{middle(group, 32)}</b>
              <a href={runHref(path)} title={path}>
                {name} · {path.split("/").at(-1)}
              </a>
              {i === 0 ? (
                <em>base</em>
              ) : (
                <button
                  type="button"
                  class="plain"
                  title="Compare the others with this run"
                  aria-label={`${group} as base`}
                  onClick={() => rebase(path)}
                >
                  as base
                </button>
              )}
              {runs.length > 2 && (
                <button
                  type="button"
                  class="plain"
                  aria-label={`Leave out ${path}`}
                  onClick={() => choose({ runs: runs.filter((each) => each !== path).join(",") })}
                >
                  ✕
                </button>
              )}
            </div>
          );
        })}
        <a class="button" href={`/?runs=${runs.map(encodeURIComponent).join(",")}`}>
          + Add a run
        </a>
      </div>
      <div class="compared">
        <div>
          {known.length > 1 && (
            <p class="axis-choice">
              <span class="muted">Curves over</span>
              <Segments
                label="Horizontal axis"
                value={axis}
                options={known}
                onChoose={(x) => choose({ x })}
              />
            </p>
          )}
          {curves.length > 0 && <ChartTools />}
          {curves.map((each) => (
            <FigurePanel key={each.figure.id} shown={each} height={280} />
          ))}
          {others.map((each) => (
            <FigurePanel key={each.figure.id} shown={each} />
          ))}
        </div>
        <div>
          <Settings view={view} />
          {view.results.map((each) => (
            <Results key={each.title} of={each} groups={view.groups} />
          ))}
          <section class="panel">
            <h2>From a terminal</h2>
            <pre tabIndex={0}>{view.command}</pre>
            <p class="muted">
              Each interval is for one question: of twenty such intervals, expect one to miss the truth. Games
              of one run say nothing about other seeds.
            </p>
          </section>
        </div>
      </div>
    </>
  );
}

/** A sentence with its intervals muted. */
function Difference({ text }: { readonly text: string }) {
  return (
    <>
      {text
        .split(/(\[[^\]]*\])/)
        .map((part, i) => (part.startsWith("[") ? <small key={i}>{part}</small> : part))}
    </>
  );
}

function Settings({ view: { groups, settings, settingsInAll } }: { readonly view: ComparisonView }) {
  return (
    <section class="panel">
      <h2>
        What differs{" "}
        <small>
          {settings.length} of {settingsInAll} settings
        </small>
      </h2>
      {settings.length === 0 ? (
        <p class="muted">The runs have the same settings: they are repetitions.</p>
      ) : (
        <div class="scroll" role="region" tabIndex={0} aria-label="Settings that differ">
          <table>
            <thead>
              <tr>
                <th scope="col">Setting</th>
                {groups.map((group, i) => (
                  <th key={group} scope="col" class={`number key-${i % 6}`} title={group}>
                    <Dash style={i} />
                    <span class="hidden">{group}</span>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {settings.map(({ path, values }) => (
                <tr key={path}>
                  <th scope="row">
                    <code>{path}</code>
                  </th>
                  {values.map((value, i) => (
                    <td key={groups[i]} class="number">
                      {value}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function Results({
  groups,
  of: { differences, measure, results, title, unit },
}: {
  readonly of: ComparisonView["results"][number];
  readonly groups: readonly string[];
}) {
  const [first] = results;
  const equal = results.every(({ learned }) => learned === first?.learned);
  return (
    <section class="panel">
      <h2>
        {title}{" "}
        <small>
          {measure === "share won" ? "share of games won" : "mean score"}, 95% intervals
          {equal && first !== undefined && first.learned > 0 && `, after ${fixed(first.learned, 0)} ${unit}`}
        </small>
      </h2>
      {!equal && <p class="warn-text">The runs have learned unequal amounts.</p>}
      <div class="scroll" role="region" tabIndex={0} aria-label={`Results of ${title}`}>
        <table class="verdicts">
          <thead>
            <tr>
              <th scope="col">Run</th>
              {!equal && (
                <th scope="col" class="number">
                  {unit}
                </th>
              )}
              <th scope="col" class="number">
                {measure === "share won" ? "Won" : "Mean"}
              </th>
              <th scope="col">Verdict</th>
            </tr>
          </thead>
          <tbody>
            {results.map((result) => {
              const { interval, value } = resultTexts({ ...result, measure });
              const difference = differences.find(({ group }) => group === result.group);
              const number = groups.indexOf(result.group);
              return (
                <tr key={result.group}>
                  <th scope="row" class={`key-${number % 6}`} title={result.group}>
                    <Dash style={number} /> {middle(result.group, 20)}
                  </th>
                  {!equal && <td class="number">{fixed(result.learned, 0)}</td>}
                  <td class="number">
                    <b>{value}</b>
                    <small>{interval}</small>
                  </td>
                  <td>{difference === undefined ? "base" : verdict(difference.interval)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** A piece of a run's line, as its charts draw it. */
function Dash({ style }: { readonly style: number }) {
  return (
    <svg class="dash" viewBox="0 0 26 8" width="26" height="8" aria-hidden="true">
      <path d="M1 4h24" stroke-dasharray={seriesStyle(style).dash} />
    </svg>
  );
}

function verdict([low, high]: readonly [number | null, number | null]): string {
  if (low === null || high === null || (low <= 0 && high >= 0)) return "not settled";
  return low > 0 ? "higher" : "lower";
}
