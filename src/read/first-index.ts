/**
 * Returns the first index below `length` at which the test holds, by binary search; `length` if it holds at none. If it
 * holds at an index, it must hold at all later ones.
 */
export function firstIndex(length: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
