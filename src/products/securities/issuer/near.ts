/**
 * Finds names that are one letter apart. Such a similarity alone proves nothing: Databricks and Databrick may be two
 * companies.
 */
import type { Named } from './name.ts'

/** Minimum length of a name: if a shorter name differs in one letter, it is usually another name. */
const LENGTH_MIN = 6

/**
 * Returns the name itself, and one text for each letter: the name without that letter. Two names that are one letter
 * apart share one of these texts.
 */
export function lettersLeftOut(key: string): string[] {
  if (key.length < LENGTH_MIN || key.startsWith('name~')) return []
  return [...new Set([key, ...Array.from(key, (_, at) => key.slice(0, at) + key.slice(at + 1))])]
}

/**
 * Returns pairs of company names that are one letter apart, each pair once. Numbers distinguish companies, and so do
 * Roman numerals at the end of a name. So names that differ in one of these are not a pair.
 */
export function misspellings(named: readonly Named[]): { key: string; other: string }[] {
  const keys = new Set(named.filter(({ role }) => role === 'name').map(({ key }) => key))
  const byPart = new Map<string, string[]>()
  for (const key of keys) for (const part of lettersLeftOut(key)) byPart.set(part, [...(byPart.get(part) ?? []), key])
  const pairs = new Map<string, { key: string; other: string }>()
  for (const alike of byPart.values()) {
    for (const key of alike) {
      for (const other of alike) {
        if (key < other && isOneLetter(key, other)) pairs.set(`${key} ${other}`, { key, other })
      }
    }
  }
  return [...pairs.values()].sort((a, b) => (a.key + a.other < b.key + b.other ? -1 : 1))
}

/** Tests whether two names differ by exactly one letter, which is replaced or is missing in one of the names. */
export function isOneLetter(a: string, b: string): boolean {
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const [one, two] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  if (one.length > 1 || two.length > 1 || /\d/.test(one + two)) return false
  return !(/[ivx]{2}$/.test(a) || /[ivx]{2}$/.test(b)) || end > 3
}
