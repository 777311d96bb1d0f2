/**
 * CRD numbers of advisers in answers. Filings name advisers that are not loaded or that do not exist, so a page asks
 * which of these numbers have a page.
 */
import { z } from 'zod'
import { elementOf, isObject, membersOf, notesOf, plain } from './shape.ts'
import { loggedEntity } from './value.ts'

/** An answer, or a part of one, and the type that is declared for it. */
export interface Typed {
  answer: unknown
  type: z.ZodType | null
}

/** The CRD numbers in answers, each once. */
export function advisersIn(answers: readonly Typed[]): string[] {
  const found = new Set<string>()
  const walk = (value: unknown, type: z.ZodType | null, name: string): void => {
    if (typeof value === 'string') {
      const logged = name === 'key' ? loggedEntity(value) : null
      if (notesOf(type).entity === 'crd') found.add(value)
      else if (logged?.entity === 'crd') found.add(logged.id)
    } else if (Array.isArray(value)) {
      // A list of numbers declares once the kind of thing that all of them name.
      const element = notesOf(type).entity ? type : elementOf(type)
      for (const each of value) walk(each, element, name)
    } else if (isObject(value))
      for (const member of membersOf(type, value)) walk(value[member.name], member.type, member.name)
  }
  for (const { answer, type } of answers) if (type === null || mayName(type)) walk(answer, type, '')
  return [...found]
}

/** Whether values of a type may name advisers, by type. */
const KNOWN = new WeakMap<z.ZodType, boolean>()

/**
 * Whether values of a type may name advisers. Most answers name no adviser, and walking a list of 200 rows takes time.
 */
export function mayName(type: z.ZodType): boolean {
  const known = KNOWN.get(type) ?? names(type, new Set())
  KNOWN.set(type, known)
  return known
}

/** @param seen types that were looked at, since a type may contain itself */
function names(type: z.ZodType, seen: Set<z.ZodType>): boolean {
  const of = plain(type)
  if (of === null || seen.has(of)) return false
  seen.add(of)
  if (notesOf(type).entity === 'crd') return true
  if (of instanceof z.ZodObject) {
    const shape = of.shape as Record<string, z.ZodType>
    // The key of an entry of the log names an adviser if the entry is about a record of a feed.
    return ('key' in shape && 'source' in shape) || Object.values(shape).some((each) => names(each, seen))
  }
  if (of instanceof z.ZodArray) return names(of.element as z.ZodType, seen)
  if (of instanceof z.ZodRecord) return names(of.valueType as z.ZodType, seen)
  return of instanceof z.ZodUnion && of.options.some((each) => names(each as z.ZodType, seen))
}
