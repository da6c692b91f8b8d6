import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { RunSettings } from "../../views/run-views.ts";
import { ask } from "../shell/contact.ts";
import type { RunShown } from "./run-state.ts";

/** The experiment with everything filled in, and the run's manifest. */
export function SettingsTab({ path }: { readonly run: RunShown; readonly path: string }) {
  const settings = useSignal<RunSettings | undefined>(undefined);
  const error = useSignal<string | undefined>(undefined);
  useEffect(() => {
    void ask<RunSettings>(`/api/run-settings/${path.split("/").map(encodeURIComponent).join("/")}`)
      .then((value) => (settings.value = value))
      .catch((failure: unknown) => (error.value = (failure as Error).message));
  }, [path]);
  if (error.value !== undefined) return <p class="panel bad">{error.value}</p>;
  return (
    <div class="settings">
      <section class="panel">
        <h2>Experiment</h2>
        <pre tabIndex={0}>{settings.value?.experiment ?? ""}</pre>
      </section>
      <section class="panel">
        <h2>Manifest</h2>
        <dl class="pairs">
          {settings.value?.manifest.map(([key, value]) => (
            <div key={key}>
              <dt>{key}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </section>
    </div>
  );
}
