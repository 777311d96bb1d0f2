/** Reads contexts and units, which the hidden header of an inline XBRL document declares. */
import { type Attributes, localName } from './tags.ts'

export interface InlineContext {
  /** First and last day, `YYYY-MM-DD`. For an instant, `start` is null. */
  start: string | null
  end: string
  /** Members by axis, with their prefixes: `ecd:ExecutiveCategoryAxis` → `ecd:PeoMember`. Typed axes are left out. */
  members: Readonly<Record<string, string>>
}

export interface Declared {
  contexts: Map<string, InlineContext>
  units: Map<string, string>
}

export interface DeclaredReader {
  /** Handles an opening tag, and returns whether the tag is part of a context or unit. */
  opens(tag: string, attributes: Attributes): boolean
  text(text: string): boolean
  closes(tag: string): boolean
}

type Field = 'start' | 'end' | 'instant' | 'member' | 'measure'

/** A context or a unit while it is being read. */
interface Declaration {
  tag: 'context' | 'unit'
  id: string
  start: string
  end: string
  instant: string
  members: Record<string, string>
  measures: string[]
}

/** Reads contexts and units, one after another. Neither is within another, so no stack is needed. */
export function openDeclared(
  { contexts, units }: Declared,
  problem: (path: string, value: string, reason: string) => void,
): DeclaredReader {
  let read: Declaration | null = null
  let field: Field | null = null
  let axis = ''
  let text = ''

  function keep({ tag, id, start, end, instant, members, measures }: Declaration): void {
    if (tag === 'unit') return void units.set(id, measures.join('/'))
    const last = instant || end
    if (/^\d{4}-\d\d-\d\d$/.test(last) && /^(?:\d{4}-\d\d-\d\d)?$/.test(start)) {
      contexts.set(id, { start: start || null, end: last, members })
    } else problem(`context ${id}`, `${start} ${last}`, 'has no period')
  }

  return {
    opens(tag, attributes) {
      if (tag === 'context' || tag === 'unit') {
        read = { tag, id: attributes.id ?? '', start: '', end: '', instant: '', members: {}, measures: [] }
        return true
      }
      if (read === null) return false
      field = FIELDS[tag] ?? null
      axis = attributes.dimension ?? ''
      text = ''
      if (tag === 'typedMember') read.members[axis] = ''
      return true
    },
    text(more) {
      if (read === null) return false
      if (field !== null && text.length < 1_000) text += more
      return true
    },
    closes(tag) {
      if (read === null) return false
      const value = text.trim()
      if (field === 'member') read.members[axis] = value
      else if (field === 'measure') read.measures.push(localName(value))
      else if (field !== null) read[field] = value.slice(0, 10)
      field = null
      if (tag !== read.tag) return true
      keep(read)
      read = null
      return true
    },
  }
}

const FIELDS: Readonly<Record<string, Field>> = {
  startDate: 'start',
  endDate: 'end',
  instant: 'instant',
  explicitMember: 'member',
  measure: 'measure',
}
