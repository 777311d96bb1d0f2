/** Finds how deep a bullet is nested, for bullets whose depth is shown only by their indent. */

export interface Indents {
  /** @param left points from the margin */
  depth(left: number): number
  /** Must be called when the list has ended. */
  end(): void
}

/** Bullets whose indents differ by less than this are on one level. */
const STEP = 6
const DEPTH_MAX = 10

export function openIndents(): Indents {
  let open: number[] = []
  return {
    depth(left) {
      while (open.length > 0 && open.at(-1)! > left + STEP) open.pop()
      if (open.length === 0 || (left > open.at(-1)! + STEP && open.length < DEPTH_MAX)) open.push(left)
      return open.length - 1
    },
    end() {
      open = []
    },
  }
}
