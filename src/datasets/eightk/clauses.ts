/** A sentence with signs in the place of names, and what stands around a name: who does it, which office, from which day. */
import type { Mention } from './names.ts'
import { isSeat, titleFrom } from './offices.ts'
import { CLOSE, DAY, dayOf, OPEN, type Sentence, type Span } from './prose.ts'

export const P = `${OPEN}\\d{1,4}${CLOSE}`
/** A list of names begins here. */
export const FIRST = new RegExp(`^[\\s,]{0,3}(?:each of )?${P}`)
const AGE = String.raw`(?:,\s(?:age\s)?\d{2},?|\s\(age\s\d{2}\))?`
/** Names joined by commas and "and", with their ages. */
export const LIST = new RegExp(`^[\\s,]{0,3}(?:each of )?(?:${P}${AGE}(?:,?\\sand\\s|,\\s)?){1,8}`)

/** What stands behind these may happen, or did not. */
export const CONDITION =
  /\b(?:if|unless|in the event|may(?!\s\d)|might|whether|upon (?:a|any)|upon (?:his|her) (?:retirement|resignation|termination|death)|for any reason|has not|did not|have not|rather than)\b/i
/** A sentence while it is read. */
export interface Read {
  sentence: Sentence
  /** With signs in the place of names. */
  masked: string
  mentions: readonly Mention[]
}

/** @param from where the text begins in the Markdown, in which the sentence has its offsets */
export function maskedOf(sentence: Sentence, found: readonly Mention[], from: number): Read {
  const mentions = found.filter(({ start, end }) => from + start >= sentence.start && from + end <= sentence.end)
  let masked = ''
  let at = 0
  for (const [i, { start, end }] of mentions.entries()) {
    const own = from + start - sentence.start
    const before = sentence.text.slice(at, own).replace(/(?:Mr|Ms|Mrs|Dr|Messrs|Miss)\.?\s$/, '')
    masked += `${before}${OPEN}${i}${CLOSE}`
    at = from + end - sentence.start
  }
  return { sentence, masked: (masked + sentence.text.slice(at)).replace(/\s+/g, ' '), mentions }
}

/** "succeeds Luca Maestri in the role of CFO" */
const SUCCEEDS = new RegExp(
  `\\b(?:succeeds?|succeeded|succeeding|replaces?|replacing)\\s${OPEN}(\\d{1,4})${CLOSE}\\s(?:in the (?:role|position) of|as)\\s`,
  'g',
)

/** Offices that stand behind a name: "Angela Ahrendts, Senior Vice President, Retail,". */
export function titlesOf(reads: readonly Read[]): Map<string, string> {
  const titles = new Map<string, string>()
  for (const { masked, mentions } of reads) {
    for (const [i, { name }] of mentions.entries()) {
      const title = besides(masked, i)
      if (title && !titles.has(name)) titles.set(name, title)
    }
    for (const match of masked.matchAll(SUCCEEDS)) {
      const { name } = mentions[Number(match[1])]!
      const title = titleFrom(masked, match.index + match[0].length)?.title
      if (title && !titles.has(name)) titles.set(name, title)
    }
  }
  return titles
}

const placeOf = (masked: string, i: number) => masked.indexOf(`${OPEN}${i}${CLOSE}`)
export const behind = (masked: string, i: number) => placeOf(masked, i) + `${OPEN}${i}${CLOSE}`.length

/** Title in apposition to a name, or behind it in the cell of a table. */
export function besides(masked: string, i: number): string | null {
  const at = behind(masked, i)
  const [gap] =
    /^(?:\s\([A-Z]\w+\))?(?:,\s(?:age\s)?\d{2})?,\s(?:who is\s|currently\s)?/.exec(masked.slice(at, at + 40)) ?? []
  if (gap && isSeat(masked.slice(at + gap.length, at + gap.length + 160))) return 'director'
  if (gap) return titleFrom(masked, at + gap.length)?.title ?? null
  return masked.startsWith('|') || masked.includes(' | ') ? (titleFrom(masked, at + 1)?.title ?? null) : null
}

const EVENT_DATE = new RegExp(`(?:^(?:[\\s(]{0,3}[a-e]\\),?){0,5}\\s?On|,\\son)\\s${DAY},?(?:\\s|$)`)

/** "On May 1, 2024, …" at the head of a sentence, or before its subject. */
export const eventDateOf = (masked: string): string | null => {
  const [said = '', day] = EVENT_DATE.exec(masked) ?? []
  return said.startsWith(',') &&
    !(
      masked.includes(`${said}${OPEN}`) ||
      /^the (?:Company|Registrant|Board|Committee|Compensation)/.test(masked.slice(masked.indexOf(said) + said.length))
    )
    ? null
    : dayOf(day)
}

export const spanOf = ({ start, end }: Sentence): Span => ({ start, end })

/** Which names stand in a part of a masked sentence. */
export const numbersIn = (masked: string) => [...masked.matchAll(new RegExp(`${OPEN}(\\d+)${CLOSE}`, 'g'))].map(([, i]) => Number(i)) // biome-ignore format: one line

/** How far from its verb a subject stands: an office of a long name between them. */
const SUBJECT_MAX = 340

/** "notice from Ada Sample that she will resign", "succeeded by Ada Sample, who will assume the role" */
const OWN = /^(?!.*\bwhere\b).*\b(?:he|she|they|his|her|their)\b|^,\s(?:\d{2},\s)?who\s/s

/** Who does it: the last name before the verb, and those joined to it. */
export function subjectOf(masked: string, verb: number): number[] {
  const [last] = [...masked.slice(Math.max(0, verb - SUBJECT_MAX), verb).matchAll(new RegExp(`${OPEN}(\\d+)${CLOSE}([^${OPEN}]*)$`, 'g'))] // biome-ignore format: one line
  if (!last || /;|\b(?:succeeds?|succeeded|replac(?:e|es|ed|ing)|appointed|elected)\b/.test(last[2]!) || /^[’']s?\s(?!and\s|(?:intention|decision|plan|plans|desire|intent)\sto\s)/.test(last[2]!)) return [] // biome-ignore format: one line
  // "where he was appointed": of a firm that is called like a person nobody knows who.
  const before = masked.slice(0, placeOf(masked, Number(last[1])))
  if (/\b(?:at|with|for|joined|joining)\s$/.test(before)) return []
  if (/\b(?:of|from|by)\s$/.test(before) && !OWN.test(last[2]!)) return []
  // "until Ms. Sample assumes these positions, at which time he will step down": of two, the pronoun may mean either.
  if (Number(last[1]) > 0 && /,\s[^,]*\b(?:he|she|they)\s/.test(last[2]!)) return []
  const who = [Number(last[1])]
  while (who[0]! > 0) {
    const gap = masked.slice(behind(masked, who[0]! - 1), placeOf(masked, who[0]!))
    if (!/^(?:,\s(?:age\s)?\d{2})?,?\s(?:and\s)?$|^,\s[^.;]{3,90},\sand\s$/.test(gap)) break
    who.unshift(who[0]! - 1)
  }
  return who
}

const ROLE =
  /^(?:[^.;]{0,200}?)\b(?:to serve as|to act as|to be|to become|to succeed [^,;]{1,60} as|as|to the (?:[a-z]+ ){0,3}(?:position|role|office) of|(?:position|role|office) of)\s/

/** Offices to which somebody is appointed: what follows at once, else behind "as". */
export function appointedTo(masked: string, at: number): (string | null)[] {
  // Behind a comma stands what somebody is, and not what he is appointed to.
  const isBeside = masked[at] === ',' || masked[at - 2] === ','
  const direct = isBeside ? [] : titlesAt(masked, masked[at] === ' ' ? at + 1 : at)
  if (direct.length > 0) return direct
  if (/^[\s,]{0,2}to fill (?:the|a) (?:[a-z]+ ){0,3}(?:vacancy|seat|directorship)/.test(masked.slice(at, at + 80)))
    return ['director']
  const [role] = ROLE.exec(masked.slice(at, at + 320)) ?? []
  return role ? titlesAt(masked, at + role.length) : []
}

/** Offices at a place, and those joined to them. */
export function titlesAt(masked: string, at: number): string[] {
  const titles: string[] = []
  for (let from = at, tries = 0; tries < 4; tries++) {
    const rest = masked.slice(from, from + 160)
    const one = isSeat(rest) ? null : titleFrom(masked, from)
    if (one) titles.push(one.title)
    else if (isSeat(rest)) titles.push('director')
    else break
    const end = one ? one.end : from + (/\b(?:directors?|Boards?(?: of Directors)?)\b/.exec(rest)?.index ?? 0) + 8
    const [joined] = /^[^.;]{0,60}?,?\s(?:and|as well as)\s(?:as\s|to\s)?/.exec(masked.slice(one ? one.end : end)) ?? []
    if (!joined || joined.includes(OPEN)) break
    const next = (one ? one.end : end) + joined.length
    if (!isSeat(masked.slice(next, next + 160))) break
    from = next
  }
  return [...new Set(titles)]
}

const LEAVES =
  /^(?:[^.;]{0,60}?)\b(?:from (?:(?:his|her|their|the|all)\s)?(?:current |respective )?(?:positions?|roles?|offices?|posts?|seats?)(?: as| of| on)?|(?:their|his|her|the) roles? (?:as|of)|as|from)\s/

/** Offices that somebody leaves: "as", "from his position as". */
export function goesFrom(masked: string, at: number): string[] {
  const [gap] = LEAVES.exec(masked.slice(at, at + 140)) ?? []
  return gap && !gap.includes(OPEN) ? titlesAt(masked, at + gap.length) : []
}

const EFFECTIVE = new RegExp(
  `\\b(?:effective,?(?: as of| on| from| upon)?|commencing(?: as of| on)?|beginning(?: on)?|(?<!dated )as of|on or about)[\\s,]{1,2}${DAY}|\\beffective (immediately|on such date|as of such date|as of the same date)`,
  'i',
)

/** The day from which the event is effective, between two places of the sentence; of the first event also before it. */
export function effectiveOf(
  masked: string,
  { from, to, isFirst, event_date }: { from: number; to: number; isFirst: boolean; event_date: string | null },
): string | null {
  const after = EFFECTIVE.exec(masked.slice(from, to)) ?? (isFirst ? EFFECTIVE.exec(masked.slice(0, from)) : null)
  if (!after) return null
  return after[2] ? event_date : dayOf(after[1])
}
