/** Explains how the reader of officers reads a text: its candidates, its statements, and the vetoes that drop them. */

import type { Lexicon, WordMatch } from '../../../src/datasets/eightk/officers/lexicon.ts'
import type { Officer, OfficerStatement } from '../../../src/datasets/eightk/officers/statement.ts'
import { type Trace, type TracedSentence, VETOES, type Veto } from '../../../src/datasets/eightk/officers/vetoes.ts'
import { officersOf } from '../../../src/datasets/eightk/officers.ts'
import { DAY, dayOf } from '../../../src/read/prose/dates.ts'
import type { Evidence } from '../../../src/read/prose/person-evidence.ts'
import { titleFrom } from '../../../src/read/prose/titles.ts'

/** A text, its filer and the filing date, as far as they are known. */
export interface Explained {
  text: string
  of?: string | null
  filed?: string | null
}

/** Returns the rows that are read from a text: name, title, event, its day, effective day. */
export const rowsIn = ({ text, of, filed }: Explained, trace?: Trace): string[] =>
  officersOf(text, { start: 0, end: text.length }, of ?? null, filed ?? null, trace).officers.map(rowOf)

export const rowOf = ({ name, title, event, event_date, effective_date }: Officer): string =>
  [name, title, event, event_date, effective_date].map((value) => value ?? '-').join(' | ')

/** Returns the rows that are read with some vetoes switched off, or with another lexicon. */
export const rowsWithout = (one: Explained, off: readonly Veto[], lexicon?: Lexicon): string[] =>
  rowsIn(one, new Recorder(off, lexicon))

/** Returns the vetoes that drop a candidate of a text. */
export function vetoesIn(one: Explained): Set<Veto> {
  const recorder = new Recorder()
  rowsIn(one, recorder)
  return recorder.vetoes
}

/** Returns the explanation of a text, line by line. */
export function explain(one: Explained): string {
  const recorder = new Recorder()
  const rows = rowsIn(one, recorder)
  return [...recorder.lines, 'read:', ...(rows.length > 0 ? rows : ['nothing']).map((row) => `  ${row}`)].join('\n')
}

/** Length of the words that identify a statement or a veto. */
const WORDS_MAX = 50

class Recorder implements Trace {
  readonly lines: string[] = []
  readonly vetoes = new Set<Veto>()
  readonly lexicon: Lexicon | undefined
  readonly #off: readonly Veto[]
  #read: TracedSentence | null = null

  constructor(off: readonly Veto[] = [], lexicon?: Lexicon) {
    this.#off = off
    this.lexicon = lexicon
  }

  person(name: string, evidence: Evidence | null) {
    this.lines.push(`person: ${name}: ${evidence ?? 'no evidence, left out'}`)
  }

  sentence(read: TracedSentence) {
    this.#read = read
    this.lines.push(`sentence: ${this.#shown(read.masked)}`)
    for (const [what, found] of [['offices', officesIn(read)] as const, ['days', daysIn(read.masked)] as const])
      if (found.length > 0) this.lines.push(`  ${what}: ${found.join('; ')}`)
  }

  statements(all: readonly OfficerStatement[]) {
    for (const { event, at, who, titles } of all) {
      const names = who.map((i) => this.#read!.mentions[i]!.name).join(', ')
      this.lines.push(`  statement: ${event}: ${names}: ${titles.join(', ') || 'no office'}: ${this.#words(at)}`)
    }
  }

  event({ at }: OfficerStatement, event: Officer) {
    this.lines.push(`  event: ${rowOf(event)}: ${this.#words(at)}`)
  }

  found({ frame, index, row }: WordMatch) {
    const { voice, event, words } = row()
    this.lines.push(`  found: ${words} (${voice}, ${event}, frame ${frame}): ${this.#words(index)}`)
  }

  drop(veto: Veto, what: number | Officer | string): boolean {
    const isOff = this.#off.includes(veto)
    this.vetoes.add(veto)
    const of = typeof what === 'number' ? this.#words(what) : typeof what === 'string' ? what : rowOf(what)
    this.lines.push(`  ${isOff ? 'switched off' : 'dropped by'} ${veto}: ${of}: ${VETOES[veto].means}`)
    return !isOff
  }

  #words(at: number): string {
    const masked = this.#read?.masked ?? ''
    const rest = this.#shown(masked.slice(at))
    return JSON.stringify(rest.length > WORDS_MAX ? `${rest.slice(0, WORDS_MAX)}…` : rest)
  }

  #shown(masked: string): string {
    return masked.replace(/\uE000(\d+)\uE001/g, (_, i: string) => `[${this.#read?.mentions[Number(i)]?.name ?? i}]`)
  }
}

function officesIn({ masked, appositions }: TracedSentence): string[] {
  const found = appositions.flatMap((one) => one?.titles ?? [])
  for (let at = 0; at < masked.length; ) {
    const one =
      /[\p{L}]/u.test(masked[at]!) && !/[\p{L}’'-]/u.test(masked[at - 1] ?? ' ') ? titleFrom(masked, at) : null
    if (one) found.push(one.isElsewhere ? `${one.title} (elsewhere)` : one.title)
    at = one ? Math.max(one.end, at + 1) : at + 1
  }
  return [...new Set(found)]
}

const daysIn = (masked: string): string[] => [
  ...new Set([...masked.matchAll(new RegExp(DAY, 'g'))].map(([words]) => dayOf(words) ?? `${words} (not a valid day)`)),
]
