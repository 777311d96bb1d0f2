/**
 * The words that report events of officers. `lexicon.tsv` next to this file has one line for each verb, noun or phrase.
 * `frames.ts` has the constructions in which these words occur. README.md describes the columns.
 */
import { readFileSync } from 'node:fs'
import { OFFICER_EVENTS } from '../tables-words.ts'
import { FRAMES, type Frame, type FrameName, NEEDS, type Need, P, VOICES, type Voice } from './frames.ts'
import type { OfficerEvent } from './statement.ts'
import { formOf, type VerbForm } from './verb-forms.ts'

const FILE = new URL('lexicon.tsv', import.meta.url)
const COLUMNS = ['voice', 'event', 'words', 'before', 'after', 'needs', 'example'] as const

/** A line of the lexicon. */
export interface LexiconRow {
  voice: Voice
  /** Null for words that report an event only with a word of another line: "tendered" in "tendered his resignation". */
  event: OfficerEvent | null
  words: string
  before: string
  after: string
  needs: Need | null
  example: string
}

/** Classes of words that a line may name in braces. */
const CLASSES: Readonly<Record<string, string>> = {
  his: '(?:his|her|their)',
  person: P,
  word: '\\w{1,20}',
  few: '\\w{1,20}(?: \\w{1,20}){0,5}?',
  clause: '[^.;]{3,120}',
  that: '(?:(?:each of )?such|these|those|that|the (?:vacated|resulting|same))',
  post: '(?:offices?|positions?|roles?|vacanc(?:y|ies)|capacit(?:y|ies))',
  office:
    "(?:(?:the|our|its|an?) )?(?:(?:Company[’']s|interim|acting) )?(?:Chief|President|Vice|Executive|Senior|Treasurer|Secretary|Controller|General Counsel|Chair|a director|director)",
}
const NOTATION = /^[A-Za-z’,~ -]*(?:(?:[()|[\]]|\{[a-z]+\})[A-Za-z’,~ -]*)*$/

/** Tests whether each bracket is closed, and no optional part contains another optional part. */
function isPaired(words: string): boolean {
  const less = words.replace(/\([^()[\]]*\)|\[[^()[\]]*\]/g, '')
  return less === words ? !/[()[\]]/.test(words) : !/\[[^\]]*\[/.test(words) && isPaired(less)
}

/**
 * Returns the source of a pattern for the words of a line. In a line, `a~` is the verb "a" in the given forms, `(a|b)`
 * one of several words, `[a]` an optional word, and `{a}` a class of words. `re-` matches with and without its hyphen.
 */
function sourceOf(words: string, forms: readonly VerbForm[]): string {
  return words
    .replace(/\(/g, '(?:')
    .replace(/([a-z]?)\[([^\]]{0,100})\]( ?)/g, (_, ending: string, some: string, blank: string) =>
      ending === '' && !some.startsWith(' ') ? `(?:${some}${blank})?` : `${ending}(?:${some})?${blank}`,
    )
    .replace(/’/g, "[’']")
    .replace(/\bre-/g, 're-?')
    .replace(/\{([a-z]+)\}/g, (_, name: string) => CLASSES[name]!)
    .replace(/\b([a-z]{1,30})~/g, (_, base: string) => {
      const all = [...new Set(forms.map((form) => formOf(base, form)))]
      return all.length === 1 ? all[0]! : `(?:${all.sort((a, b) => b.length - a.length).join('|')})`
    })
}

/**
 * Returns the source of a pattern for the words next to the words of a line. If these words begin with "not ", the
 * words after "not " must be absent.
 */
const nextTo = (words: string, is: string, isNot: string, of: (source: string) => string): string =>
  words === ''
    ? ''
    : words.startsWith('not ')
      ? `(${isNot}${of(sourceOf(words.slice(4), []))})`
      : `(${is}${of(sourceOf(words, []))})`

function rowSource({ words, before, after }: LexiconRow, forms: readonly VerbForm[]): string {
  const head = nextTo(before, '?<=', '?<!', (source) => `\\b${source} `)
  const rest = nextTo(after, '?=', '?!', (source) => ` ${source}\\b`)
  return head + sourceOf(words, forms) + rest
}

/**
 * Reads the lines of the lexicon.
 *
 * @throws Error that states the first wrong line and its fault
 */
export function lexiconRows(text: string): LexiconRow[] {
  const [head = '', ...lines] = text.replace(/\n$/, '').split('\n')
  const fail = (line: number, fault: string): never => {
    throw new Error(`officers/lexicon.tsv, line ${line}: ${fault}`)
  }
  if (head !== COLUMNS.join('\t')) fail(1, `the columns must be ${COLUMNS.join(', ')}`)
  return lines.map((line, i) => {
    const cells = line.split('\t')
    const [voice = '', event = '', words = '', before = '', after = '', needs = '', example = ''] = cells
    const among = <T extends string>(name: string, value: string, of: readonly T[]): T =>
      of.find((one) => one === value) ?? fail(i + 2, `${name} must be one of ${of.join(', ')}: ${value}`)
    if (cells.length !== COLUMNS.length) fail(i + 2, `has ${cells.length} cells, not ${COLUMNS.length}`)
    if (words === '' || example === '') fail(i + 2, 'words and example must not be empty')
    for (const part of [words, before, after]) {
      if (!NOTATION.test(part) || !isPaired(part)) fail(i + 2, `cannot be read: ${part}`)
      for (const [, name] of part.matchAll(/\{([a-z]+)\}/g)) among('a class of words', name!, Object.keys(CLASSES))
    }
    return {
      voice: among('voice', voice, VOICES),
      event: event === '' ? null : among('event', event, OFFICER_EVENTS),
      needs: needs === '' ? null : among('needs', needs, NEEDS),
      ...{ words, before, after, example },
    }
  })
}

/** A place of a sentence where words of the lexicon stand in a frame. */
export interface WordMatch {
  frame: FrameName
  index: number
  words: string
  /** Groups of the frame. */
  groups: readonly (string | undefined)[]
  /** Returns the line of the lexicon that the words match. */
  row(): LexiconRow
}

/** Lines of the lexicon, compiled into one pattern for each frame when the frame is first needed. */
export class Lexicon {
  readonly rows: readonly LexiconRow[]
  /**
   * Patterns by frame and event. The maps are nested, since a joint key would be made again for each frame of each
   * sentence.
   */
  readonly #patterns = new Map<FrameName, Map<OfficerEvent | undefined, RegExp>>()
  /** Patterns of single lines, by frame, event and line. */
  readonly #single = new Map<string, RegExp>()

  constructor(rows: readonly LexiconRow[]) {
    this.rows = rows
  }

  /** Finds the words of a frame in a masked sentence: all of them, or only those that report `event`. */
  find(frame: FrameName, masked: string, event?: OfficerEvent): WordMatch[] {
    const found: WordMatch[] = []
    for (const match of masked.matchAll(this.pattern(frame, event))) {
      const [words, ...groups] = match
      found.push({ frame, index: match.index, words, groups, row: () => this.#rowAt(frame, match, event) })
    }
    return found
  }

  /** Returns the pattern of a frame, for all of its lines or for those of one event. */
  pattern(frame: FrameName, event?: OfficerEvent): RegExp {
    const known = this.#patterns.get(frame)?.get(event)
    if (known) return known
    const pattern = new RegExp(this.#sourceOf(frame, event), FRAMES[frame].flags)
    const ofFrame = this.#patterns.get(frame) ?? new Map<OfficerEvent | undefined, RegExp>()
    this.#patterns.set(frame, ofFrame.set(event, pattern))
    return pattern
  }

  #sourceOf(frame: FrameName, event: OfficerEvent | undefined, only?: LexiconRow): string {
    const { source }: Frame = FRAMES[frame]
    return source((voice, forms = [], need) => {
      const rows = this.rows.filter(
        (row) =>
          row.voice === voice &&
          (need === undefined || row.needs === need) &&
          (row.event === null || ((!event || row.event === event) && (!only || row === only))),
      )
      return rows.length === 0 ? '(?!)' : `(?:${rows.map((row) => rowSource(row, forms)).join('|')})`
    })
  }

  /** Returns the first line whose own pattern matches the same words at the same position. */
  #rowAt(frame: FrameName, match: RegExpExecArray, event: OfficerEvent | undefined): LexiconRow {
    return this.rows.find((row, line) => {
      if (row.event === null || (event && row.event !== event)) return false
      const key = `${frame} ${event} ${line}`
      let pattern = this.#single.get(key)
      if (!pattern) {
        pattern = new RegExp(this.#sourceOf(frame, event, row), FRAMES[frame].flags.replace('g', 'y'))
        this.#single.set(key, pattern)
      }
      pattern.lastIndex = match.index
      return pattern.exec(match.input)?.[0] === match[0]
    })!
  }
}

let lexicon: Lexicon | undefined

/** Returns the lexicon of the program, which is read when it is first needed. */
export function ownLexicon(): Lexicon {
  lexicon ??= new Lexicon(lexiconRows(readFileSync(FILE, 'utf8')))
  return lexicon
}

/** A masked sentence, and the trace of its reading. A lexicon of the trace replaces the program's own. */
interface Followed {
  masked: string
  trace?: { readonly lexicon?: Lexicon | undefined; found(one: WordMatch): void } | undefined
}

/** Finds the words of a frame in a sentence. */
export function wordsIn({ masked, trace }: Followed, frame: FrameName, event?: OfficerEvent): WordMatch[] {
  const found = (trace?.lexicon ?? ownLexicon()).find(frame, masked, event)
  if (trace) for (const one of found) trace.found(one)
  return found
}
