import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { OfferedExperiment } from "../../views/offered-experiment.ts";
import { ask } from "../shell/contact.ts";
import { goTo, runHref } from "../shell/router.ts";

/** The experiments that can be started; undefined until they are known. */
export function useExperiments(): readonly OfferedExperiment[] | undefined {
  const experiments = useSignal<readonly OfferedExperiment[] | undefined>(undefined);
  useEffect(() => {
    void ask<{ readonly experiments: readonly OfferedExperiment[] }>("/api/experiments")
      .then((answer) => (experiments.value = answer.experiments))
      .catch(() => (experiments.value = []));
  }, []);
  return experiments.value;
}

/** Starts an experiment, and goes to its run. */
export function useStart() {
  const starting = useSignal<string | undefined>(undefined);
  const error = useSignal<string | undefined>(undefined);
  return {
    starting: starting.value,
    error: error.value,
    start: async (given: string): Promise<void> => {
      starting.value = given;
      error.value = undefined;
      try {
        const { path } = await ask<{ readonly path: string }>("/api/start", { experiment: given });
        goTo(runHref(path));
      } catch (failure) {
        error.value = (failure as Error).message;
      } finally {
        starting.value = undefined;
      }
    },
  };
}

/** More letters than these do not fit into a card. */
const MOST_LETTERS = 190;

/** What an experiment shows, cut to a few lines until one wants to read all. */
function Description({ text }: { readonly text: string }) {
  const whole = useSignal(false);
  if (text.length <= MOST_LETTERS || whole.value) return <p>{text}</p>;
  return (
    <p>
      {text.slice(0, text.lastIndexOf(" ", MOST_LETTERS))}…{" "}
      <button type="button" class="more-text" onClick={() => (whole.value = true)}>
        more
      </button>
    </p>
  );
}

/** An experiment with what it shows, how long it takes, and a button that starts it. */
export function ExperimentCard({
  actions,
  children,
  experiment: { cost, description, given, needs },
  onStart,
  starting,
}: {
  readonly experiment: OfferedExperiment;
  readonly starting: string | undefined;
  readonly onStart: (given: string) => void;
  /** What the experiment's check has said. */
  readonly children?: preact.ComponentChildren;
  /** Further buttons. */
  readonly actions?: preact.ComponentChildren;
}) {
  return (
    <section class="card" aria-label={given}>
      <h3>{given}</h3>
      <Description text={description.replace(needs, "").trim()} />
      {needs !== "" && (
        <p class="needs">
          <span aria-hidden="true">▲</span> {needs}
        </p>
      )}
      <p class="muted">{cost}</p>
      {children}
      <div class="actions">
        <button type="button" disabled={starting !== undefined} onClick={() => onStart(given)}>
          {starting === given ? "Starting…" : "Run"}
        </button>
        {actions}
      </div>
    </section>
  );
}
