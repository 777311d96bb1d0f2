/** The text of a Schedule 13D or 13G → the facts of its cover and of the cover pages of persons, each with its place. */
import type { Fact, LeftOut } from './facts.ts'
import { legible, trimmed } from './legible.ts'
import { pagesOf } from './person-rows.ts'
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

/** Reads a schedule in linear time, of at most a million signs. */
export function scheduleOf(markdown: string, context: ScheduleContext): Schedule {
  const text = legible(markdown)
  const pages = pagesOf(text)
  const cover = coverFacts(text, pages[0]?.start ?? text.length, context)
  const persons = pages.map((page, person) => personFacts(text, page, { names: context.filerNames, person }))
  const parts = [cover, ...persons]
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
