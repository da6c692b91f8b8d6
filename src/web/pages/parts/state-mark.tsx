import type { ShownCondition } from "../../views/run-views.ts";

const states: Readonly<Record<ShownCondition, readonly [mark: string, word: string, look: string]>> = {
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
export function StateMark({ condition }: { readonly condition: ShownCondition }) {
  const [mark, word, look] = states[condition];
  return (
    <span class={`state ${look}`}>
      <span aria-hidden="true">{mark}</span> {word}
    </span>
  );
}

/** The mark alone, for the title of a tab. */
export function stateSign(condition: ShownCondition): string {
  return states[condition][0];
}
