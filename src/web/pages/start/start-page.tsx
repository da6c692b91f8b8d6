import { useSignal } from "@preact/signals";
import { ask } from "../shell/contact.ts";
import { usePlace } from "../shell/crumbs.ts";
import { choose, query } from "../shell/router.ts";
import { ExperimentCard, useExperiments, useStart } from "./experiments.tsx";

/** What `ludoflow check` says of an experiment. */
interface Checked {
  readonly given: string;
  readonly ok: boolean;
  readonly text: string;
}

/** Choose, check and start an experiment. */
export function StartPage() {
  usePlace("Start a run");
  const experiments = useExperiments();
  const { error, start, starting } = useStart();
  const checked = useSignal<Checked | undefined>(undefined);
  const checking = useSignal<string | undefined>(undefined);
  const check = async (given: string) => {
    checking.value = given;
    try {
      checked.value = { given, ...(await ask<Omit<Checked, "given">>("/api/check", { experiment: given })) };
    } catch (failure) {
      checked.value = { given, ok: false, text: (failure as Error).message };
    }
    checking.value = undefined;
  };
  const words = (query.value.get("filter") ?? "").toLowerCase();
  const shown = (experiments ?? []).filter(({ description, given }) =>
    `${given} ${description}`.toLowerCase().includes(words),
  );
  const parts = [
    ["Files of this folder", shown.filter(({ shipped }) => !shipped)],
    ["Experiments that come with ludoflow", shown.filter(({ shipped }) => shipped)],
  ] as const;
  return (
    <>
      <div class="head">
        <h1 tabIndex={-1}>Which experiment shall run?</h1>
        <div class="tools">
          <input
            type="search"
            placeholder="Filter…"
            aria-label="Filter the experiments"
            value={query.value.get("filter") ?? ""}
            onInput={(event) => choose({ filter: event.currentTarget.value || undefined })}
          />
        </div>
      </div>
      {error !== undefined && (
        <div class="notice bad" role="alert">
          <pre>{error}</pre>
        </div>
      )}
      {experiments === undefined && <div class="panel grey" aria-hidden="true" />}
      {parts.map(
        ([heading, members]) =>
          members.length > 0 && (
            <section key={heading}>
              <h2 class="second">{heading}</h2>
              <div class="cards">
                {members.map((each) => (
                  <ExperimentCard
                    key={each.given}
                    experiment={each}
                    starting={starting}
                    onStart={(given) => void start(given)}
                    actions={
                      <button
                        type="button"
                        disabled={checking.value !== undefined}
                        onClick={() => void check(each.given)}
                      >
                        {checking.value === each.given ? "Checking…" : "Check"}
                      </button>
                    }
                  >
                    {checked.value?.given === each.given && (
                      <pre class={checked.value.ok ? "" : "bad"} role="status">
                        {checked.value.text}
                      </pre>
                    )}
                  </ExperimentCard>
                ))}
              </div>
            </section>
          ),
      )}
    </>
  );
}
