/** Facts of an answer that a sentence of a filing states, each with its place in the text of that filing. */
import type { z } from 'zod'
import { labelOf } from '../../declare/table.ts'
import { elementOf, isObject, isRows, memberAt, membersOf, notesOf, plain } from './shape.ts'
import { codeOfWords } from './words.ts'

/** A place in the text of a filing. */
export interface Place {
  accession: string
  sequence: number
  offset: number
  length: number
}

export interface Fact extends Place {
  label: string
  value: string
  sentence: string
}

type Values = Readonly<Record<string, unknown>>

/** Maximum length of a value that is shown next to a text. */
const VALUE_SHOWN = 200
/** Maximum number of facts of one answer that are shown. */
const FACTS = 1_000

/** The address of a passage: it opens the text at the passage, with the sentence marked. */
export const placeAddress = ({ accession, sequence, offset, length }: Place): string =>
  `/filing/${accession}/text?sequence=${sequence}&at=${offset}&length=${length}#here`

/** The passage to which evidence refers; null if it refers to no passage, like the evidence of a tagged value. */
export function placeOf(evidence: Values, accession: string | null): Place | null {
  const { sequence, offset, length } = evidence
  const isPlace = [sequence, offset, length].every((each) => Number.isInteger(each))
  if (accession === null || !isPlace) return null
  return { accession, sequence: sequence as number, offset: offset as number, length: length as number }
}

/** The filing that an answer is about. */
export function filingOf(values: Values): string | null {
  const { accession, filing } = values
  if (typeof accession === 'string') return accession
  return isObject(filing) && typeof filing.accession === 'string' ? filing.accession : null
}

/**
 * The filing whose text contains the passages that a member refers to. A member may declare the path of another member
 * that has the accession of that filing (`x-filing`). For example, the terms of an offering come from one of its
 * filings.
 *
 * @param outer the filing of the enclosing object
 */
export function filingWithin(
  type: z.ZodType | null,
  value: unknown,
  around: Values,
  outer: string | null,
): string | null {
  const path = notesOf(type).filingPath
  if (path !== null) {
    const found = memberAt(around, path)
    return typeof found === 'string' ? found : null
  }
  return (isObject(value) ? filingOf(value) : null) ?? outer
}

/** Every fact of the answer that a sentence of the filing states, in the order of its text. */
export function factsIn(answer: unknown, type: z.ZodType | null, accession: string): Fact[] {
  const found: Fact[] = []
  const walk = (value: unknown, of: z.ZodType | null, label: string, filing: string | null) => {
    if (found.length >= FACTS) return
    if (isRows(value)) for (const each of value) walk(each, elementOf(of), label, filingOf(each) ?? filing)
    if (!isObject(value)) return
    const { evidence } = value
    if (isObject(evidence) && typeof evidence.sentence === 'string') {
      const place = placeOf(evidence, filing)
      if (place?.accession === accession)
        found.push({ ...place, ...statedIn(value, label), sentence: evidence.sentence })
    }
    for (const member of membersOf(of, value)) {
      if (member.name === 'evidence' || member.name === 'links') continue
      const inner = value[member.name]
      if (isObject(inner) || isRows(inner)) {
        walk(inner, plain(member.type), member.label, filingWithin(member.type, inner, value, filing))
      }
    }
  }
  walk(answer, type, '', isObject(answer) ? (filingOf(answer) ?? accession) : accession)
  return found.sort((a, b) => a.sequence - b.sequence || a.offset - b.offset)
}

/** Groups facts by sentence, in the order of the text. */
export function bySentence(facts: readonly Fact[]): Fact[][] {
  const groups = new Map<string, Fact[]>()
  for (const fact of facts) {
    const place = `${fact.sequence} ${fact.offset} ${fact.length}`
    groups.set(place, [...(groups.get(place) ?? []), fact])
  }
  return [...groups.values()]
}

/** The fact of a row with evidence. It is the name and value of the row, or its first values if it has no name. */
function statedIn(row: Values, label: string): { label: string; value: string } {
  if (typeof row.name === 'string' && typeof row.value === 'string') {
    return { label: labelOf(row.name), value: row.value.slice(0, VALUE_SHOWN) }
  }
  const members = Object.entries(row).filter(
    ([name, value]) => (typeof value === 'string' || typeof value === 'boolean') && value !== '' && !SPARE.has(name),
  )
  const text = members
    .slice(0, 4)
    .map(([name, value]) =>
      typeof value === 'boolean' ? (value ? labelOf(name) : '') : (codeOfWords(String(value)) ?? value),
    )
  return {
    label,
    value: text
      .filter((each) => each !== '')
      .join(' · ')
      .slice(0, VALUE_SHOWN),
  }
}

const SPARE = new Set(['accession', 'source', 'series_id', 'class_id'])
