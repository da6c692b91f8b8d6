/** The index of an action in an increasing list that contains it. */
export function indexOf(actions: Int32Array, action: number): number {
  let low = 0;
  let high = actions.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (actions[middle]! < action) low = middle + 1;
    else high = middle;
  }
  return low;
}
