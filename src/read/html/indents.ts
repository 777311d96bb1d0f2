/** How deep a bullet is nested where only its indent tells. */

export interface Indents {
  /** @param left points from the margin */
  depth(left: number): number
  /** The list has ended. */
  end(): void
}

/** Bullets that differ by less stand side by side. */
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
