import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { isAtWork } from "../../../runs/run-condition.ts";
import type { RunRow, RunsUpdate } from "../../views/run-views.ts";
import { Segments } from "../parts/segments.tsx";
import { Spacer } from "../parts/spacer.tsx";
import { live, useTopic } from "../shell/contact.ts";
import { usePlace } from "../shell/crumbs.ts";
import { useKeys } from "../shell/keys.ts";
import { choose, goTo, query, runHref } from "../shell/router.ts";
import { EmptyFolder } from "./empty-folder.tsx";
import { ordered, type RunOrder, runOrders } from "./run-order.ts";
import { RunLine } from "./run-line.tsx";
import { runsSentence } from "./runs-sentence.ts";

/** The height of a row, in pixels: rows out of sight are not drawn. */
const ROW = 56;
const ROW_PHONE = 124;
const MARGIN = 3;

/** The columns, and the class of their cells: narrow windows have fewer, wide ones more. */
const columns = [
  ["", "pick"],
  ["State", "of-state"],
  ["Run", "of-run"],
  ["Differs in", "of-differs"],
  ["Game", "of-game"],
  ["Progress", "of-progress"],
  ["Last result", "of-result"],
  ["Curve", "of-curve"],
  ["Started", "of-start"],
  ["At work", "of-time"],
] as const;

type Shown = "all" | "live" | "failed";

/** All runs of the folder, those at work first. */
export function RunsPage() {
  const rows = useSignal<readonly RunRow[] | undefined>(undefined);
  const folder = useSignal("");
  const chosen = (query.value.get("runs") ?? "").split(",").filter(Boolean);
  const current = useSignal(-1);
  const filter = useRef<HTMLInputElement>(null);
  useTopic("runs", {
    runs: ({ folder: of, order: paths, runs }: RunsUpdate) => {
      const known = new Map([...(rows.value ?? []), ...runs].map((row) => [row.path, row]));
      const order = paths ?? (rows.value ?? []).map(({ path }) => path);
      rows.value = order.flatMap((path) => known.get(path) ?? []);
      folder.value = of;
      live.value = rows.value.some(({ condition }) => isAtWork(condition));
    },
  });
  usePlace("Runs");
  const words = (query.value.get("filter") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = (query.value.get("show") ?? "all") as Shown;
  const all = rows.value ?? [];
  const matching = all.filter((row) => {
    const text = textOf(row);
    return words.every((word) => text.includes(word));
  });
  const order = (query.value.get("sort") ?? "newest") as RunOrder;
  const shown = ordered(
    matching.filter(
      ({ condition }) =>
        wanted === "all" ||
        (wanted === "live" ? isAtWork(condition) : ["failed", "damaged"].includes(condition)),
    ),
    runOrders.some(([each]) => each === order) ? order : "newest",
  );
  const chooseRuns = (paths: readonly string[]) =>
    choose({ runs: paths.length === 0 ? undefined : paths.join(",") });
  const toggle = (path: string) => {
    // What is chosen now: a row that was drawn before has an older list.
    const now = (query.value.get("runs") ?? "").split(",").filter(Boolean);
    chooseRuns(now.includes(path) ? now.filter((each) => each !== path) : [...now, path]);
  };
  const compare = () =>
    chosen.length > 1 && goTo(`/compare?runs=${chosen.map(encodeURIComponent).join(",")}`);
  const move = (by: number) => {
    current.value = Math.max(0, Math.min(shown.length - 1, current.value + by));
    document.querySelector<HTMLElement>(`[data-row="${current.value}"] a`)?.focus();
  };
  useKeys({
    "/": () => filter.current?.focus(),
    j: () => move(1),
    k: () => move(-1),
    x: () => {
      const row = shown[current.value];
      if (row !== undefined) toggle(row.path);
    },
    c: compare,
  });
  if (rows.value === undefined) return <Loading />;
  if (all.length === 0) return <EmptyFolder folder={folder.value} />;
  const count = (kind: Shown) =>
    matching.filter(({ condition }) =>
      kind === "live" ? isAtWork(condition) : ["failed", "damaged"].includes(condition),
    ).length;
  return (
    <>
      <div class="head">
        <h1 tabIndex={-1}>{runsSentence(all, new Date())}</h1>
        <div class="tools">
          <input
            ref={filter}
            type="search"
            placeholder="Name, game, agent…  /"
            aria-label="Filter the runs by name, game or agent"
            value={query.value.get("filter") ?? ""}
            onInput={(event) => choose({ filter: event.currentTarget.value || undefined })}
          />
          <Segments
            label="Which runs"
            value={wanted}
            options={[
              ["all", `All ${matching.length}`],
              ["live", `Live ${count("live")}`],
              ["failed", `Failed ${count("failed")}`],
            ]}
            onChoose={(value) => choose({ show: value === "all" ? undefined : value })}
          />
          <select
            aria-label="Order of the runs"
            value={order}
            onChange={({ currentTarget: { value } }) =>
              choose({ sort: value === "newest" ? undefined : value })
            }
          >
            {runOrders.map(([each, text]) => (
              <option key={each} value={each}>
                {text}
              </option>
            ))}
          </select>
          <a class="button main" href="/start">
            Start a run
          </a>
        </div>
      </div>
      <RunTable rows={shown} chosen={chosen} onToggle={toggle} />
      {shown.length === 0 && <p class="panel empty">No run fits this filter.</p>}
      {chosen.length > 0 && (
        <div class="chosen" role="status">
          <b>
            {chosen.length} {chosen.length === 1 ? "run" : "runs"}
          </b>{" "}
          chosen
          <button type="button" class="main" disabled={chosen.length < 2} onClick={compare}>
            Compare
          </button>
          <button type="button" class="plain" aria-label="Choose none" onClick={() => chooseRuns([])}>
            ✕
          </button>
        </div>
      )}
    </>
  );
}

/** By row: what the filter looks through. */
const texts = new WeakMap<RunRow, string>();

function textOf(row: RunRow): string {
  const known =
    texts.get(row) ??
    [row.name, row.id, row.path, row.game, row.differs, row.result?.agent, row.condition]
      .join(" ")
      .toLowerCase();
  texts.set(row, known);
  return known;
}

/** The rows that are in sight, in a table as high as all of them. */
function RunTable({
  chosen,
  onToggle,
  rows,
}: {
  readonly rows: readonly RunRow[];
  readonly chosen: readonly string[];
  readonly onToggle: (path: string) => void;
}) {
  const from = useSignal(0);
  const place = useRef<HTMLDivElement>(null);
  const phone = window.innerWidth <= 820;
  const height = phone ? ROW_PHONE : ROW;
  const fit = Math.ceil(window.innerHeight / height) + 2 * MARGIN;
  const listen = useRef(false);
  if (!listen.current) {
    listen.current = true;
    window.addEventListener(
      "scroll",
      () => {
        const top = place.current?.getBoundingClientRect().top ?? 0;
        const first = Math.max(0, Math.floor(-top / height) - MARGIN);
        // Each step draws anew: a few rows are one step.
        from.value = first - (first % 4);
      },
      { passive: true },
    );
  }
  const shown = rows.slice(from.value, from.value + fit + 4);
  const after = Math.max(0, rows.length - from.value - shown.length);
  return (
    <div ref={place} class="runs panel" role="table" aria-label="Runs" aria-rowcount={rows.length + 1}>
      <div class="run-line names" role="row">
        {columns.map(([name, part]) => (
          <span key={name} role="columnheader" class={part}>
            {name === "" ? <span class="hidden">Chosen</span> : name}
          </span>
        ))}
      </div>
      <Spacer height={from.value * height} />
      {shown.map((row, i) => (
        <RunLine
          key={row.path}
          row={row}
          index={from.value + i}
          href={runHref(row.path)}
          chosen={chosen.includes(row.path)}
          onToggle={onToggle}
        />
      ))}
      <Spacer height={after * height} />
    </div>
  );
}

function Loading() {
  return (
    <>
      <div class="head">
        <h1 tabIndex={-1} class="loading">
          Reading the runs of this folder
        </h1>
      </div>
      <div class="panel grey" aria-hidden="true" />
    </>
  );
}
