/** Takes a pattern apart: its alternatives, and the pattern without one of them. */

export interface Alternative {
  words: string
  /** The pattern of the alternative alone. */
  alone: RegExp
  /** The pattern without the alternative. */
  rest: RegExp
}

/**
 * Returns the alternatives of a pattern: those of the whole pattern, or else those of its first group that comes after
 * at most a `\b`. A pattern without alternatives is its only alternative, and without it nothing matches.
 */
export function alternativesOf(pattern: RegExp): Alternative[] {
  const { source, flags } = pattern
  const whole = splitAt(source)
  const group = whole.length > 1 ? null : firstGroup(source)
  const [before, parts, after] = group ?? ['', whole, '']
  return parts.map((words, i) => {
    const others = parts.filter((_, n) => n !== i)
    const of = (some: readonly string[]) =>
      new RegExp(some.length === 0 ? '(?!)' : group ? `${before}(?:${some.join('|')})${after}` : some.join('|'), flags)
    return { words, alone: of([words]), rest: of(others) }
  })
}

/** Splits a source at the bars that are in no group and in no class. */
function splitAt(source: string): string[] {
  const parts = ['']
  let depth = 0
  for (const [token] of source.matchAll(/\\.|\[(?:\\.|[^\]])*\]|[^\\[]/gsu)) {
    if (token === '(') depth++
    if (token === ')') depth--
    if (token === '|' && depth === 0) parts.push('')
    else parts[parts.length - 1] += token
  }
  return parts
}

function firstGroup(source: string): [before: string, parts: string[], after: string] | null {
  const before = /^(?:\\b)?(?=\(\?:)/.exec(source)?.[0]
  if (before === undefined) return null
  let depth = 0
  for (const { 0: token, index } of source.matchAll(/\\.|\[(?:\\.|[^\]])*\]|[^\\[]/gsu)) {
    if (token === '(') depth++
    if (token !== ')') continue
    depth--
    if (depth > 0) continue
    const parts = splitAt(source.slice(before.length + '(?:'.length, index))
    return parts.length > 1 ? [before, parts, source.slice(index + 1)] : null
  }
  return null
}
