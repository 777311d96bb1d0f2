/** Reads the day of an act in a prepared sentence. */
import { DAY, dayOf } from '../../../read/prose/dates.ts'

/** A day; null if the words state a day that no calendar has, undefined if they state none. */
export type StatedDay = string | null | undefined

export const statedDay = (words: string | undefined): StatedDay => (words === undefined ? undefined : dayOf(words))

/** Returns the first day that is stated. A day that no calendar has counts as stated: no other day replaces it. */
export const firstStated = (...days: readonly StatedDay[]): StatedDay => days.find((day) => day !== undefined)

const OF_ACT = new RegExp(
  `(?:^|[,;)]\\s|\\band\\s|\\b[Aa]lso\\s|\\bthat\\s|\\b[Aa]t\\s(?:the\\s)?[Cc]losing,?\\s)(?:[Oo]n|[Ee]ffective(?:\\s(?:on|as of))?|[Aa]s of|[Oo]n or about|[Ee]ffective on or about)\\s${DAY}`,
  'g',
)
/** Words of an announcement. The day of an announcement is not the day of the act. */
const ANNOUNCED = /^[^.;]{0,160}?\b(?:announc|disclos|report|issued a press)\w*\b/
/** Words before a day that is not the day of the act: the day of a filing or of a document, or the end of a period. */
const OTHER_DAY = /\b(?:filed|dated|ended|ending|expir\w+|matur\w+)\b[^,]{0,30}$/i

/** Words before the day on which an agreement takes effect: "the Agreement, effective May 1, 2024, the Company". */
const OF_PAPER =
  /(?:\b(?:Agreement|Amendment|Indenture|Lease|Contract|Note|Plan|Letter|Facility|Guaranty|Deed|agreement|amendment|indenture|lease|contract|note|facility)s?,?\s?|\b(?:amended|restated|dated|made|entered into),?\s?(?:and\s)?)$/
/** A day after these words may be the day of an agreement. */
const MAY_BE_OF_PAPER = /^(?:,\s|and\s)(?:[Ee]ffective|[Aa]s of)/

/**
 * Returns the last day before a verb, if the words say that the act of the verb happened on that day. Returns undefined
 * if this is uncertain.
 */
export function dayBefore(said: string, verb: number): StatedDay {
  const found = [...said.slice(0, verb).matchAll(OF_ACT)]
    .filter(({ index, 0: words }) => !MAY_BE_OF_PAPER.test(words) || !OF_PAPER.test(said.slice(0, index)))
    .at(-1)
  if (!found) return undefined
  const end = found.index + found[0].length
  if (ANNOUNCED.test(said.slice(end, verb)) || OTHER_DAY.test(said.slice(0, found.index))) return undefined
  return statedDay(found[1])
}

const ON_AFTER = new RegExp(
  `^(?:(?!\\b(?:dated|which|who|whose|that|will|ends?|commenc\\w*|matur\\w*|expir\\w*|due)\\b)[^.;]){0,80}?\\s(?:on|effective(?:\\s(?:on|as of))?|as of)\\s${DAY}`,
)

/** Returns the day in the words right after a verb. */
export const dayAfter = (said: string, verb: number): StatedDay => statedDay(ON_AFTER.exec(said.slice(verb))?.[1])
