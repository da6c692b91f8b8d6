import { fixed } from "../../../figures/number-text.ts";
import type { BoardMarks, SideMark } from "../../../figures/boards/marks.ts";
import type { Side } from "../../../figures/boards/board.ts";
import type { PlayView, MoveShown, AdviceShown } from "../../views/play-views.ts";
import { MoveBar } from "../boards/move-bar.tsx";
import { PieceIcon } from "../boards/piece-shape.tsx";
import { shortMove } from "../boards/short-move.ts";

/** Moves with numbers on the board. */
const NUMBERED = 4;

/** What the player thinks of the position, because somebody has asked: its moves with their shares and values. */
export function ThinkingPanel({
  onLook,
  thought,
  view,
}: {
  readonly view: PlayView;
  readonly thought: AdviceShown | undefined;
  readonly onLook: (move: MoveShown | undefined) => void;
}) {
  if (thought === undefined)
    return (
      <section class="panel thinking" aria-busy="true">
        <h2>What {view.player.name} thinks</h2>
        <p class="muted">It looks at the position…</p>
      </section>
    );
  const { legal, moves, simulations, value } = thought;
  const most = Math.max(0.01, ...moves.map(({ prior = 0, share = 0 }) => Math.max(prior, share)));
  const priors = moves.some(({ prior }) => prior !== undefined);
  return (
    <section class="panel thinking">
      <h2>
        What {view.player.name} thinks <small>in your place</small>
      </h2>
      <p>
        It would play <b>{shortMove(view, thought.text)}</b>
        {value === undefined ? (
          "."
        ) : (
          <>
            , expecting <b>{valueText(value, thought)}</b>.
          </>
        )}
      </p>
      <p class="muted">
        {[
          `${fixed(legal, 0)} legal ${legal === 1 ? "move" : "moves"}`,
          simulations > 0 ? `, ${fixed(simulations, 0)} simulations` : "",
          `. ${unitText(thought)}`,
        ].join("")}
      </p>
      {moves.length > 1 && (
        <table>
          <thead>
            <tr>
              <th scope="col">
                <span class="hidden">Rank</span>
              </th>
              <th scope="col">move</th>
              <th scope="col">{priors ? "simulations | prior" : "simulations"}</th>
              <th scope="col" class="number">
                value
              </th>
            </tr>
          </thead>
          <tbody>
            {moves.map((move, i) => {
              const shape =
                move.place?.piece === undefined ? undefined : view.pieceShapes?.[move.place.piece];
              return (
                <tr
                  key={move.action}
                  onPointerEnter={() => onLook(move)}
                  onPointerLeave={() => onLook(undefined)}
                >
                  <td>{i + 1}</td>
                  <td title={move.text}>
                    {shape !== undefined && <PieceIcon shape={shape} seat={thought.seat} cell={5} />}{" "}
                    <button type="button" class="link" onClick={() => onLook(move)}>
                      {shortMove(view, move.text)}
                    </button>
                  </td>
                  <td class="bar">
                    <MoveBar
                      visits={(100 * (move.share ?? 0)) / most}
                      prior={move.prior === undefined ? undefined : (100 * move.prior) / most}
                    />
                    <span>{move.share === undefined ? "–" : wholePercent(move.share)}</span>
                  </td>
                  <td class="number">{move.value === undefined ? "–" : valueText(move.value, thought)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** What a thought draws over the board: shares as heat, at sides or under cards, and the numbers of the first moves. */
export function adviceMarks({ moves, seat }: AdviceShown): BoardMarks {
  const heat = new Map<number, number>();
  const cardShares = new Map<string, number>();
  const sides: Partial<Record<Side, SideMark>> = {};
  for (const { place, share = 0 } of moves) {
    for (const cell of place?.cells ?? []) heat.set(cell, Math.min(1, (heat.get(cell) ?? 0) + share));
    for (const card of place?.cards ?? [])
      cardShares.set(card, Math.min(1, (cardShares.get(card) ?? 0) + share));
    if (place?.side !== undefined)
      sides[place.side] = { share, text: wholePercent(share), chosen: place === moves[0]!.place };
  }
  const taken = new Set<number>();
  const numbers = moves.slice(0, NUMBERED).flatMap(({ place }, i) => {
    const cell = place?.cells?.find((each) => !taken.has(each));
    if (cell === undefined) return [];
    taken.add(cell);
    return [{ cell, text: String(i + 1) }];
  });
  return {
    seat,
    heat,
    cardShares,
    numbers,
    ...(Object.keys(sides).length === 0 ? {} : { sides }),
  };
}

/** A value in its own unit: points without decimals, the rest with two. */
function valueText(value: number, { bounds: [least, most] }: AdviceShown): string {
  const points = least === null || most === null || most - least > 20;
  return fixed(value, points ? 0 : 2);
}

/** What values mean: said once. */
function unitText({ bounds: [least, most], value }: AdviceShown): string {
  if (value === undefined) return "It values nothing.";
  if (least === null || most === null || most - least > 20) return "Values are points.";
  return `${fixed(most, 0)} is the best result, ${fixed(least, 0)} the worst.`;
}

function wholePercent(share: number): string {
  return `${fixed(100 * share, 0)}%`;
}
