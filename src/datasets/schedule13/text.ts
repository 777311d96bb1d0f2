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

/** Reads a schedule in linear time, of at most a million characters. */
export function scheduleOf(markdown: string, context: ScheduleContext): Schedule {
  const text = legible(markdown)
  const pages = pagesOf(text)
  const cover = coverFacts(text, pages[0]?.start ?? text.length, context)
  const persons = pages.map((page, person) => personFacts(text, page, { names: context.filerNames, person }))
  const parts = [cover, ...persons]
  return {
    facts: parts.flatMap(({ facts }) => facts.map((fact) => ({ ...fact, ...trimmed(markdown, fact) }))),
    leftOut: parts.flatMap(({ leftOut }) => leftOut),
    persons: pages.length,
  }
}
