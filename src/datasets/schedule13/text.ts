/**
 * Reads the text of a Schedule 13D or 13G: the facts of its cover and of the persons' cover pages, each with its
 * position in the text.
 */
import { type CoverContext, coverFacts } from './text/cover.ts'
import { type Fact, type FactName, type LeftOut, leftOut } from './text/facts.ts'
import { personFacts } from './text/person.ts'
import { countedRows, type Page, pagesOf } from './text/person-rows.ts'
import { GAP, plainText, trimmed } from './text/plain-text.ts'

export interface Schedule {
  facts: Fact[]
  leftOut: LeftOut[]
  /** Number of persons' cover pages. */
  persons: number
}

export interface ScheduleContext extends CoverContext {
  /** Names of the filers in EDGAR's header. */
  filerNames: readonly string[]
}

/**
 * Maximum length of evidence. In real filings, evidence has up to 200 characters; a text above the maximum is not a row
 * of a form.
 */
const EVIDENCE_MAX = 2_000

/** Labels of a page's rows, in any layout. */
const ROWS: readonly (readonly [FactName, RegExp])[] = (
  [
    ['name', 'names? of (?:each )?reporting'],
    ['sole_voting', 'sole (?:voting|power to vote)'],
    ['shares', 'aggregate(?: amount)?(?:\\s?:| (?:of shares |beneficially|owned|[0-9]))'],
    ['percent', 'percent(?:age)?(?:(?: of (?:the )?class)?\\s?:| of (?:the )?class (?:represent|[0-9.]))'],
    ['type', 'types?(?:\\s?:| of (?:each )?(?:reporting|person))'],
  ] as const
).map(([name, words]) => [name, new RegExp(`\\b${words.replaceAll(' ', GAP)}`, 'i')])
/**
 * Minimum number of different rows. Any text may mention one or two of the labels, and a cover page has all of them.
 */
const ROWS_MIN = 3

/**
 * If no page of a text can be read, its pages may have columns, or a page may have several persons or classes. Returns
 * the rows of such pages, marked as left out.
 */
function unreadRows(text: string, pages: readonly Page[]): LeftOut[] {
  if (pages.length > 0) return []
  const rows = ROWS.flatMap(([name, label]) => {
    const found = label.exec(text)
    return found ? [leftOut(name, text.slice(found.index, found.index + 200))] : []
  })
  if (rows.length >= ROWS_MIN) return rows
  const counted = countedRows(text)
  return counted === null ? [] : ROWS.map(([name]) => leftOut(name, text.slice(counted, counted + 200)))
}

/** Reads a schedule in linear time, up to a million characters. */
export function scheduleOf(markdown: string, context: ScheduleContext): Schedule {
  const text = plainText(markdown)
  const pages = pagesOf(text, context.schedule)
  const cover = coverFacts(text, pages[0]?.start ?? text.length, context)
  const persons = pages.map((page, person) => personFacts(text, page, { names: context.filerNames, person }))
  const parts = [cover, ...persons, { facts: [], leftOut: unreadRows(text, pages) }]
  const read = parts.flatMap(({ facts }) => facts.map((fact) => ({ ...fact, ...trimmed(markdown, fact) })))
  const isLong = ({ start, end }: Fact) => end - start > EVIDENCE_MAX
  const long = read
    .filter(isLong)
    .map(({ name, person, start }) => ({ name, person, text: markdown.slice(start, start + 200) }))
  return {
    facts: read.filter((fact) => !isLong(fact)),
    leftOut: [...parts.flatMap(({ leftOut }) => leftOut), ...long],
    persons: pages.length,
  }
}
