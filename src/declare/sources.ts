/**
 * Dependencies between slices: the other slices that the rollups and views of a slice read, and the resulting order.
 */
import type { Slice } from './dataset.ts'

/**
 * Returns the slugs of the slices that this slice reads directly. Its rollups follow these slices, or its views name
 * their published views.
 */
export function readBy({ slug, refresh, views }: Slice): string[] {
  // A slug has no underscore.
  const named = views.flatMap(({ sql }) => Array.from(sql.matchAll(/\bpub\.([a-z0-9]+)_/g), ([, owner]) => owner!))
  return [...new Set([...Object.keys(refresh?.follows ?? {}), ...named])].filter((other) => other !== slug)
}

/** Returns the slices that this slice reads, directly or through others. */
export function sourcesOf(slices: readonly Slice[], slice: Slice): Slice[] {
  const found = new Set<Slice>()
  const add = (one: Slice): void => {
    for (const slug of readBy(one)) {
      const source = slices.find((other) => other.slug === slug)
      if (!source || found.has(source)) continue
      found.add(source)
      add(source)
    }
  }
  add(slice)
  return [...found]
}

/**
 * Returns the slices, each after those that it reads, otherwise in the given order.
 *
 * @throws Error if slices read each other in a circle, or if one reads a slice that is not among them
 */
export function inOrder(slices: readonly Slice[]): Slice[] {
  const ordered = new Set<Slice>()
  function add(slice: Slice, way: readonly string[]): void {
    const { slug } = slice
    if (way.includes(slug))
      throw new Error(`rollups follow each other in a circle: ${[...way.slice(way.indexOf(slug)), slug].join(' → ')}`)
    for (const read of readBy(slice)) {
      const other = slices.find((one) => one.slug === read)
      if (!other) throw new Error(`slice ${slug} follows a slice that does not exist: ${read}`)
      add(other, [...way, slug])
    }
    ordered.add(slice)
  }
  for (const slice of slices) add(slice, [])
  return [...ordered]
}
