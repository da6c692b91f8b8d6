import type { RunCondition } from "../../../runs/run-condition.ts";

const states: Readonly<Record<RunCondition, readonly [mark: string, word: string, look: string]>> = {
  running: ["●", "Running", "live"],
  filling: ["◌", "Filling", "live"],
  waiting: ["◌", "Waiting", "live"],
  finished: ["✓", "Finished", "ended"],
  interrupted: ["‖", "Interrupted", "warn"],
  failed: ["✕", "Failed", "bad"],
  silent: ["?", "Silent", "warn"],
  damaged: ["✕", "Damaged", "bad"],
};

/** The state of a run: always a mark and a word. */
export function StateMark({ condition }: { readonly condition: RunCondition }) {
  const [mark, word, look] = states[condition];
  return (
    <span class={`state ${look}`}>
      <span aria-hidden="true">{mark}</span> {word}
    </span>
  );
}

/** The mark alone, for the title of a tab. */
export function stateSign(condition: RunCondition): string {
  return states[condition][0];
}
