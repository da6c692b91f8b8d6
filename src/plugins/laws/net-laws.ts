import { OVER, type Planes } from "../../games/game.ts";
import { encodingOf } from "../../games/packed-planes.ts";
import type { Law, Trial } from "./trial.ts";

/** Planes have one board, and each action a place of its own on it or after it. */
export function netShapes<S>(trial: Trial<S>): void {
  const { actions, nets } = trial.game;
  if (nets === undefined) return;
  const all = Object.entries(nets.planes);
  const boards = new Set(all.map(([, { shape }]) => `${shape[0]}x${shape[1]}`));
  if (boards.size !== 1)
    trial.broken(
      "planes boards",
      `nets.planes have boards of ${[...boards].join(" and ")} cells; all have one board`,
    );
  for (const [name, planes] of all) {
    const described = encodingOf(planes).reduce((sum, { channels }) => sum + channels, 0);
    if (described !== planes.shape[2])
      trial.broken(
        `encoding ${name}`,
        `the encoding of planes "${name}" describes ${described} of ${planes.shape[2]} channels`,
      );
  }
  if (nets.actionPlanes === undefined) return;
  const { planes, offBoard = 0, index } = nets.actionPlanes;
  const places = planes * cellsOf(trial);
  const taken = new Map<number, number>();
  for (let action = 0; action < actions; action++) {
    const at = index(action);
    if (!(Number.isInteger(at) && at >= 0 && at < places + offBoard))
      trial.broken(
        "action planes",
        `nets.actionPlanes.index gives ${at} for the action ${action}; with ${planes} planes and ${offBoard} places off the board it is from 0 to ${places + offBoard - 1}`,
      );
    if (taken.has(at))
      trial.broken(
        "action planes",
        `nets.actionPlanes.index gives the actions ${taken.get(at)} and ${action} one place`,
      );
    taken.set(at, action);
  }
  const off = [...taken.keys()].filter((at) => at >= places).length;
  if (off !== offBoard)
    trial.broken(
      "action planes",
      `nets.actionPlanes has ${offBoard} places off the board, and ${off} actions there`,
    );
}

/** Planes are written whole, and nothing beside them. */
export const planes: Law = (trial, state) => {
  if (trial.game.toMove(state) === OVER) return;
  for (const [name, each] of Object.entries(trial.game.nets?.planes ?? {})) {
    const { shape } = each;
    const size = shape[0] * shape[1] * shape[2];
    const out = new Float32Array(size + 2).fill(Number.NaN);
    each.write(state, out, 1);
    const written = out.subarray(1, size + 1);
    const missing = written.findIndex((value) => !Number.isFinite(value));
    if (missing >= 0)
      trial.broken(
        `planes ${name}`,
        `planes "${name}" leave element ${missing} of [${shape.join(", ")}] without a number: every element is written`,
      );
    if (!Number.isNaN(out[0]!) || !Number.isNaN(out[size + 1]!))
      trial.broken(
        `planes ${name} offset`,
        `planes "${name}" write outside their ${size} elements from the offset on`,
      );
  }
};

/** The numbers of planes are such as their encoding holds. */
export const encodings: Law = (trial, state) => {
  if (trial.game.toMove(state) === OVER) return;
  for (const [name, each] of Object.entries(trial.game.nets?.planes ?? {})) {
    const written = planesOf(each, state);
    const wrong = notEncoded(each, written);
    if (wrong !== undefined) trial.broken(`encoding ${name}`, `planes "${name}": ${wrong}`);
    trial.shows(`planes "${name}"`, written.join());
  }
};

/** The first number that the encoding of planes does not hold. */
function notEncoded<S>(each: Planes<S>, written: Float32Array): string | undefined {
  const channels = each.shape[2];
  let first = 0;
  for (const group of encodingOf(each)) {
    const divisor = "divisor" in group ? group.divisor : 1;
    for (let channel = first; channel < first + group.channels; channel++)
      for (let at = channel; at < written.length; at += channels) {
        const value = written[at]!;
        const byte = Math.round(value * divisor);
        const fits = {
          bits: value === 0 || value === 1,
          bytes: byte >= 0 && byte <= 255 && Math.fround(byte / divisor) === value,
          uniform: value === written[channel],
          floats: true,
        }[group.as];
        if (!fits) return `channel ${channel} is encoded as ${group.as}, and one of its numbers is ${value}`;
      }
    first += group.channels;
  }
  return undefined;
}

/** A state that was packed and unpacked shows nets the same, and is packed into the same bytes. */
export const packing: Law = (trial, state) => {
  const { game, spare } = trial;
  const packed = game.nets?.packing;
  if (packed === undefined || game.toMove(state) === OVER) return;
  const bytes = new Uint8Array(packed.bytes + 2).fill(0xa5);
  packed.pack(state, bytes, 1);
  if (bytes[0] !== 0xa5 || bytes[packed.bytes + 1] !== 0xa5)
    trial.broken(
      "packing offset",
      `nets.packing.pack writes outside its ${packed.bytes} bytes from the offset on`,
    );
  packed.unpack(bytes, 1, spare);
  for (const [name, each] of Object.entries(game.nets!.planes)) {
    const unpacked = planesOf(each, spare);
    if (planesOf(each, state).some((value, i) => value !== unpacked[i]))
      trial.broken(
        `packing ${name}`,
        `planes "${name}" of a state that was packed and unpacked are others: nets.packing holds all that planes show`,
      );
  }
  const again = new Uint8Array(packed.bytes);
  packed.pack(spare, again, 0);
  if (again.some((byte, i) => byte !== bytes[i + 1]))
    trial.broken("packing again", "nets.packing packs a state that it has unpacked into other bytes");
};

/** Each cell has a seat or none, and in the image under a symmetry the image of the seat. */
export const ownership: Law = (trial, state) => {
  const { nets, players, symmetry } = trial.game;
  if (nets?.ownership === undefined) return;
  /** The cells of each seat, counted after the seats have changed as `seatOf` says. */
  const held = (of: typeof state, seatOf: (seat: number) => number) => {
    const out = new Int8Array(cellsOf(trial)).fill(99);
    nets.ownership!(of, out);
    const wrong = out.find((seat) => seat < -1 || seat >= players);
    if (wrong === 99) trial.broken("ownership", "nets.ownership leaves a cell without a number");
    if (wrong !== undefined) trial.broken("ownership", `nets.ownership gives a cell to seat ${wrong}`);
    const counts = Array.from({ length: players }, () => 0);
    for (const seat of out) if (seat >= 0) counts[seatOf(seat)]!++;
    return counts.join();
  };
  held(state, (seat) => seat);
  for (let number = 1; number < (symmetry?.count ?? 0); number++)
    if (
      held(trial.image(state, number), (seat) => seat) !== held(state, (seat) => symmetry!.seat(seat, number))
    )
      trial.broken(
        "ownership images",
        `nets.ownership counts other cells in the image under symmetry ${number} than in the position`,
      );
};

function planesOf<S>(each: Planes<S>, state: S): Float32Array {
  const [height, width, channels] = each.shape;
  const out = new Float32Array(height * width * channels);
  each.write(state, out, 0);
  return out;
}

function cellsOf<S>({ game }: Trial<S>): number {
  const [first] = Object.values(game.nets?.planes ?? {});
  return first === undefined ? 0 : first.shape[0] * first.shape[1];
}
