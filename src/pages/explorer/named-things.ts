/**
 * Ids of things in answers: advisers, filings and securities. Filings name some things without a page: advisers that
 * are not loaded or do not exist, filings that were never loaded, and securities that no filer’s newest report has. So
 * before a page makes links, the service looks up which of these ids have a page.
 */
import { z } from 'zod'
import type { Entity } from '../../declare/table.ts'
import { elementOf, isObject, membersOf, notesOf, plain } from './shape.ts'
import { loggedEntity } from './value.ts'

/** An answer, or a part of one, and the type that is declared for it. */
export interface Typed {
  answer: unknown
  type: z.ZodType | null
}

/** Kinds of things that answers name although nothing about them is loaded. */
export const UNCERTAIN = ['crd', 'accession', 'cusip'] as const
export type Uncertain = (typeof UNCERTAIN)[number]

/** The kind of thing that a member names, if things of this kind may be named without being loaded; else null. */
function uncertain(entity: Entity | undefined, name: string): Uncertain | null {
  // The member `accession` names the filing that the row itself comes from.
  if (entity === 'accession' && name === 'accession') return null
  return UNCERTAIN.find((kind) => kind === entity) ?? null
}

/** The ids in answers by kind, each once. */
export function thingsIn(answers: readonly Typed[]): Record<Uncertain, string[]> {
  const found = { crd: new Set<string>(), accession: new Set<string>(), cusip: new Set<string>() }
  const walk = (value: unknown, type: z.ZodType | null, name: string): void => {
    if (typeof value === 'string') {
      const logged = name === 'key' ? loggedEntity(value) : null
      const kind = uncertain(notesOf(type).entity, name)
      if (kind !== null) found[kind].add(value)
      else if (logged?.entity === 'crd') found.crd.add(logged.id)
    } else if (Array.isArray(value)) {
      // A list of ids declares once the kind of thing that all of them name.
      const element = notesOf(type).entity ? type : elementOf(type)
      for (const each of value) walk(each, element, name)
    } else if (isObject(value))
      for (const member of membersOf(type, value)) walk(value[member.name], member.type, member.name)
  }
  for (const { answer, type } of answers) if (type === null || kindsIn(type).size > 0) walk(answer, type, '')
  return { crd: [...found.crd], accession: [...found.accession], cusip: [...found.cusip] }
}

/** The kinds of things that values of a type may name, by type. */
const KNOWN = new WeakMap<z.ZodType, ReadonlySet<Uncertain>>()

/** The kinds of things that values of a type may name. Many answers name none, and walking a list of 200 rows takes time. */
export function kindsIn(type: z.ZodType): ReadonlySet<Uncertain> {
  const known = KNOWN.get(type)
  if (known) return known
  const kinds = new Set<Uncertain>()
  collect(type, '', { kinds, seen: new Set() })
  KNOWN.set(type, kinds)
  return kinds
}

/** @param into.seen types that were looked at, since a type may contain itself */
function collect(type: z.ZodType, name: string, into: { kinds: Set<Uncertain>; seen: Set<z.ZodType> }): void {
  const of = plain(type)
  if (of === null) return
  const kind = uncertain(notesOf(type).entity, name)
  if (kind !== null) into.kinds.add(kind)
  if (into.seen.has(of)) return
  into.seen.add(of)
  if (of instanceof z.ZodObject) {
    const shape = of.shape as Record<string, z.ZodType>
    // The key of an entry of the log names an adviser if the entry is about a record of a feed.
    if ('key' in shape && 'source' in shape) into.kinds.add('crd')
    for (const [member, each] of Object.entries(shape)) collect(each, member, into)
  } else if (of instanceof z.ZodArray) collect(of.element as z.ZodType, name, into)
  else if (of instanceof z.ZodRecord) collect(of.valueType as z.ZodType, '', into)
  else if (of instanceof z.ZodUnion) for (const each of of.options) collect(each as z.ZodType, name, into)
}
