/** The text of a Schedule 13D or 13G → the facts of its cover and of the cover pages of persons, each with its place. */
import { type Fact, type FactName, type LeftOut, leftOut } from './facts.ts'
import { GAP, legible, trimmed } from './legible.ts'
import { countedRows, type Page, pagesOf } from './person-rows.ts'
import { type CoverContext, coverFacts } from './text-cover.ts'
import { personFacts } from './text-person.ts'

export interface Schedule {
  facts: Fact[]
  leftOut: LeftOut[]
  /** Cover pages of persons. */
  persons: number
}

export interface ScheduleContext extends CoverContext {
  /** Names of those who filed, of EDGAR's header. */
  filerNames: readonly string[]
}

/** The evidence of a real fact has up to 200 signs; so much is no row of a form. */
const EVIDENCE_MAX = 2_000

/** What rows of a page are called, whatever its layout. */
const ROWS: readonly (readonly [FactName, RegExp])[] = (
  [
    ['name', 'names? of (?:each )?reporting'],
    ['sole_voting', 'sole (?:voting|power to vote)'],
    ['shares', 'aggregate amount (?:of shares |beneficially|owned|[0-9])'],
    ['percent', 'percent(?:age)? of (?:the )?class (?:represent|[0-9.])'],
    ['type', 'types? of (?:each )?(?:reporting|person)'],
  ] as const
).map(([name, words]) => [name, new RegExp(`\\b${words.replaceAll(' ', GAP)}`, 'i')])
/** A text may speak of one or two of them; pages have all. */
const ROWS_MIN = 3

/** If no page of a text can be read, the rows that pages in another layout have: columns, several persons or classes. */
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

/** Reads a schedule in linear time, of at most a million signs. */
export function scheduleOf(markdown: string, context: ScheduleContext): Schedule {
  const text = legible(markdown)
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
