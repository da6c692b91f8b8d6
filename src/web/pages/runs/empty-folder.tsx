import { ExperimentCard, useExperiments, useStart } from "../start/experiments.tsx";

/** The experiments that a newcomer is offered. */
const OFFERED = ["tic-tac-toe-zero", "duo-zero", "2048-ntuple"];

/** The page of a folder without runs: how to begin. */
export function EmptyFolder({ folder }: { readonly folder: string }) {
  const experiments = useExperiments();
  const { error, start, starting } = useStart();
  return (
    <div class="panel empty">
      <h1 tabIndex={-1}>Nothing has run in this folder yet.</h1>
      <p>
        Start with <b>quickstart</b>: it learns 2048 from nothing in one to three minutes.
      </p>
      <button
        type="button"
        class="main"
        disabled={starting !== undefined}
        onClick={() => void start("quickstart")}
      >
        {starting === "quickstart" ? "Starting…" : "Run quickstart"}
      </button>
      {error !== undefined && <pre class="bad">{error}</pre>}
      <h2>Or begin with one of these</h2>
      <div class="cards">
        {experiments
          ?.filter(({ given }) => OFFERED.includes(given))
          .map((each) => (
            <ExperimentCard
              key={each.given}
              experiment={each}
              starting={starting}
              onStart={(given) => void start(given)}
            />
          ))}
      </div>
      <p class="muted">
        From a terminal: <code>ludoflow run quickstart</code>. Runs are written to <code>{folder}</code>.
      </p>
    </div>
  );
}
