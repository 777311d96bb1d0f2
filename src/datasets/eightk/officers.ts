/** Item 5.02: who comes, who goes and who is paid, sentence by sentence. */
import { type Mention, mentionsOf } from './names.ts'
import { isSeat, titleFrom } from './offices.ts'
import { CLOSE, DAY, dayOf, OPEN, type Sentence, type Span, sentencesOf } from './prose.ts'
import type { OFFICER_EVENTS } from './words.ts'

export type OfficerEvent = (typeof OFFICER_EVENTS)[number]

export interface Officer extends Span {
  name: string
  /** As it stands there; `director` of a seat on the board. Null where the sentence names none. */
  title: string | null
  event: OfficerEvent
  /** "On May 1, 2024, the Board appointed …" */
  event_date: string | null
  /** "effective June 1, 2024"; that it is effective immediately means the day of the event. */
  effective_date: string | null
}

const P = `${OPEN}\\d{1,4}${CLOSE}`
const FIRST = new RegExp(`^[\\s,]{0,3}(?:each of )?${P}`)
const AGE = String.raw`(?:,\s(?:age\s)?\d{2},?|\s\(age\s\d{2}\))?`
const LIST = new RegExp(`^[\\s,]{0,3}(?:each of )?(?:${P}${AGE}(?:,?\\sand\\s|,\\s)?){1,8}`)

const APPOINTED = /\b(?:appointed|elected|named|promoted|hired|designated)\b/g
const ASSUMES =
  /\b(?:became|will become|assumed? (?:his|her|the) (?:new |current )?(?:position|role|office)s?(?: as| of)?|will (?:also )?(?:serve|act) as|joined|will join)\s/g
const APPOINTMENT = /\b(?:appointment|election|promotion) of\s/g
const SUCCEEDED = new RegExp(`\\bsucceeded as\\s([^${OPEN};]{3,120}?)\\sby\\s(?=${P})`, 'g')
const GOES: readonly (readonly [OfficerEvent, RegExp])[] = [
  ['retired', /\bretir(?:e|es|ed|ing)\b(?! (?:plan|benefit|date|agreement))/gi],
  ['resigned', /\bresign(?:s|ed|ing)?\b/gi],
  ['departed', /\b(?:depart(?:s|ed)?|step(?:s|ped|ping)? down|not (?:to )?(?:stand|run|seek)(?: for)? re-?election|not (?:to )?be (?:re-?nominated|standing for re-?election)|transition(?:ed|ing)? from|ceas(?:e|es|ed|ing) to (?:serve|be)|no longer serves?|leave the company|left the company)\b/gi], // biome-ignore format: one line
  ['removed', /\b(?:was|were|been|be) (?:terminated|removed|dismissed)\b/gi],
]
const NOUN = new RegExp(`\\b(retirement|resignation|departure|removal|termination) (?:of|by)\\s(?=(?:${P}))`, 'gi')
const OF_NOUN: Readonly<Record<string, OfficerEvent>> = { retirement: 'retired', resignation: 'resigned', departure: 'departed', removal: 'removed', termination: 'removed' } // biome-ignore format: one line
const CONDITION = /\b(?:if|unless|in the event|may|might|whether|upon (?:a|any)|upon (?:his|her) (?:retirement|resignation|termination|death)|for any reason|has not|did not|have not|rather than)\b/i
const PAID =
  /\b(?:base salar(?:y|ies)|annual salary|salary|bonus(?:es)?|cash incentive|incentive (?:award|opportunity)|equity (?:award|grant)s?|restricted (?:stock|shares?)|stock options?|stock units?|share units?|RSUs|PSUs|retainer|employment agreements?|severance|compensation|retirement (?:agreement|benefit)|change of control agreements?|awards|sign-on)\b/i
const PAYS =
  /\b(?:approv(?:e|ed|es|ing)|grant(?:ed|s)|award(?:ed|s)?|increas(?:e|ed|es)|entered into|amended|extend(?:ed|ing|s)|receives?|adopted|entitled|will be|pays?|paid|opportunity|amendment)\b/i
/** What is said of papers, plans and relations, and not of pay. */
const NO_PAY =
  /\b(?:qualified in (?:its|their) entirety|does not purport|no (?:arrangements|family|transactions)|indemnification agreement|family relationships|incorporated (?:herein )?by reference|Item 40[14])\b/i

interface Read {
  sentence: Sentence
  /** With signs in the place of names. */
  masked: string
  mentions: readonly Mention[]
}

/**
 * @param section text of the item behind its heading
 * @returns the events in the order of the text, and how many were left out: a name or an office that is not certain
 */
export function officersOf(markdown: string, section: Span): { officers: Officer[]; leftOut: number } {
  const { text, sentences } = sentencesOf(markdown, section)
  const { found, leftOut } = mentionsOf(text)
  const reads = sentences.map((sentence) => maskedOf(sentence, found, section.start))
  const titles = titlesOf(reads)
  const officers: Officer[] = []
  const add = (one: Officer) => {
    const same = officers.filter(({ name, event }) => name === one.name && event === one.event)
    // Who retires "will step down" as well: the sentence that says how counts.
    if (one.event === 'departed' && officers.some(({ name, event }) => name === one.name && HOW.has(event))) return
    if (one.title === null ? same.length === 0 : !same.some(({ title }) => title === one.title)) officers.push(one)
  }
  let left = leftOut.length
  for (const read of reads) {
    if (read.mentions.length === 0) continue
    const { events, unsure } = eventsOf(read, titles, officers)
    left += unsure
    for (const event of events) add(event)
    for (const event of paidIn(read, titles)) {
      if (!officers.some(({ name, event: kind }) => name === event.name && kind === 'compensation')) officers.push(event)
    }
  }
  return { officers: officers.filter((one) => one.title !== null || !officers.some((each) => each !== one && each.name === one.name && each.event === one.event)), leftOut: left } // biome-ignore format: one line
}

function maskedOf(sentence: Sentence, found: readonly Mention[], from: number): Read {
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

/** Offices that stand behind a name: "Angela Ahrendts, Senior Vice President, Retail,". */
function titlesOf(reads: readonly Read[]): Map<string, string> {
  const titles = new Map<string, string>()
  for (const { masked, mentions } of reads) {
    for (const [i, { name }] of mentions.entries()) {
      const title = besides(masked, i)
      if (title && !titles.has(name)) titles.set(name, title)
    }
  }
  return titles
}

const placeOf = (masked: string, i: number) => masked.indexOf(`${OPEN}${i}${CLOSE}`)
const behind = (masked: string, i: number) => placeOf(masked, i) + `${OPEN}${i}${CLOSE}`.length

/** Title in apposition to a name, or behind it in the cell of a table. */
function besides(masked: string, i: number): string | null {
  const at = behind(masked, i)
  const [gap] = /^(?:\s\([A-Z]\w+\))?(?:,\s(?:age\s)?\d{2})?,\s(?:who is\s|currently\s)?/.exec(masked.slice(at, at + 40)) ?? []
  if (gap && isSeat(masked.slice(at + gap.length, at + gap.length + 160))) return 'director'
  if (gap) return titleFrom(masked, at + gap.length)?.title ?? null
  return masked.startsWith('|') || masked.includes(' | ') ? (titleFrom(masked, at + 1)?.title ?? null) : null
}

const HOW: ReadonlySet<OfficerEvent> = new Set(['retired', 'resigned', 'removed'])

interface Event {
  event: OfficerEvent
  /** Which mentions. */
  who: readonly number[]
  titles: readonly (string | null)[]
  /** Where it stands in the masked sentence. */
  at: number
}

function eventsOf(
  { sentence, masked, mentions }: Read,
  known: ReadonlyMap<string, string>,
  before: readonly Officer[],
): { events: Officer[]; unsure: number } {
  let unsure = 0
  const found: Event[] = []
  const put = (event: OfficerEvent, at: number, who: readonly number[], titles: readonly (string | null)[]) => {
    if (who.length > 0 && titles.length > 0) found.push({ event, at, who, titles })
    else if (who.length > 0) unsure++
  }
  for (const match of masked.matchAll(APPOINTED)) {
    const after = match.index + match[0].length
    const [list] = LIST.exec(masked.slice(after)) ?? []
    if (list && FIRST.test(list)) put('appointed', match.index, numbersIn(list), appointedTo(masked, after + list.length))
    else if (/\b(?:has|have|had|was|were|is|are|be|been|unanimously)\s$/.test(masked.slice(Math.max(0, match.index - 14), match.index))) {
      put('appointed', match.index, subjectOf(masked, match.index), appointedTo(masked, after))
    }
  }
  for (const match of masked.matchAll(APPOINTMENT)) {
    const after = match.index + match[0].length
    const [list] = LIST.exec(masked.slice(after)) ?? []
    if (list && FIRST.test(list)) {
      const titles = appointedTo(masked, after + list.length)
      if (titles.length > 0) put('appointed', match.index, numbersIn(list), titles)
    }
  }
  for (const match of masked.matchAll(ASSUMES)) {
    const titles = titlesAt(masked, match.index + match[0].length)
    if (titles.length > 0) put('appointed', match.index, subjectOf(masked, match.index), titles)
  }
  for (const match of masked.matchAll(SUCCEEDED)) {
    const [list = ''] = LIST.exec(masked.slice(match.index + match[0].length)) ?? []
    const title = titleFrom(match[1]!, 0)?.title
    if (title) put('appointed', match.index, numbersIn(list), [title])
  }
  for (const [event, verb] of GOES) {
    for (const match of masked.matchAll(verb)) {
      if (CONDITION.test(masked.slice(0, match.index))) continue
      const who = subjectOf(masked, match.index)
      // What a new director retired from is history (0000049826-16-000241).
      if (/ed$/i.test(match[0]) && who.some((i) => before.some(({ name, event: kind }) => name === mentions[i]!.name && kind === 'appointed'))) continue // biome-ignore format: one line
      const after = match.index + match[0].length
      const roles = goesFrom(masked, after)
      put(event, match.index, who, roles.length > 0 ? roles : [null])
      const to = /^[^.;]{3,80}?\sto\s/.exec(masked.slice(after))
      const next = match[0].startsWith('transition') && to ? titleFrom(masked, after + to[0].length)?.title : undefined
      if (next) put('appointed', match.index, who, [next])
    }
  }
  for (const match of masked.matchAll(NOUN)) {
    const [list = ''] = LIST.exec(masked.slice(match.index + match[0].length)) ?? []
    const roles = goesFrom(masked, match.index + match[0].length + list.length)
    put(OF_NOUN[match[1]!.toLowerCase()]!, match.index, numbersIn(list), roles.length > 0 ? roles : [null])
  }
  found.sort((a, b) => a.at - b.at)
  const event_date = eventDateOf(masked)
  const events = found.flatMap(({ event, at, who, titles }, n): Officer[] => {
    const next = found.slice(n + 1).find((other) => other.at > at && other.who[0] !== who[0])
    const effective_date = effectiveOf(masked, { from: at, to: next?.at ?? masked.length, isFirst: n === 0, event_date })
    const own = apportioned(masked, who, titles)
    return own.map(([i, title]) => {
      const { name } = mentions[i]!
      const office = title ?? (event === 'appointed' ? null : (besides(masked, i) ?? known.get(name) ?? null))
      return { ...spanOf(sentence), name, title: office, event, event_date, effective_date }
    })
  })
  return { events, unsure }
}

const EVENT_DATE = new RegExp(`(?:^(?:[\\s(]{0,3}[a-e]\\),?){0,5}\\s?On|,\\son)\\s${DAY},?(?:\\s|$)`)

/** "On May 1, 2024, …" at the head of a sentence, or before its subject. */
const eventDateOf = (masked: string): string | null => {
  const [said = '', day] = EVENT_DATE.exec(masked) ?? []
  return said.startsWith(',') && !masked.includes(`${said}${OPEN}`) ? null : dayOf(day)
}

const spanOf = ({ start, end }: Sentence): Span => ({ start, end })

const numbersIn = (masked: string) => [...masked.matchAll(new RegExp(`${OPEN}(\\d+)${CLOSE}`, 'g'))].map(([, i]) => Number(i)) // biome-ignore format: one line

/** How far from its verb a subject stands: an office of a long name between them. */
const SUBJECT_MAX = 340

/** Who does it: the last name before the verb, and those joined to it. */
function subjectOf(masked: string, verb: number): number[] {
  const [last] = [...masked.slice(Math.max(0, verb - SUBJECT_MAX), verb).matchAll(new RegExp(`${OPEN}(\\d+)${CLOSE}([^${OPEN}]*)$`, 'g'))] // biome-ignore format: one line
  if (!last || /;|\b(?:succeeds?|succeeded|replac(?:e|es|ed|ing)|appointed|elected)\b/.test(last[2]!) || /^[’']s?\s(?!and\s|(?:intention|decision|plan|plans|desire|intent)\sto\s)/.test(last[2]!)) return [] // biome-ignore format: one line
  const who = [Number(last[1])]
  while (who[0]! > 0) {
    const gap = masked.slice(behind(masked, who[0]! - 1), placeOf(masked, who[0]!))
    if (!new RegExp(`^(?:,\\s(?:age\\s)?\\d{2})?,?\\s(?:and\\s)?$|^,\\s[^.;]{3,90},\\sand\\s$`).test(gap)) break
    who.unshift(who[0]! - 1)
  }
  return who
}

const ROLE =
  /^(?:[^.;]{0,200}?)\b(?:to serve as|to act as|to be|to become|to succeed [^,;]{1,60} as|as|to the (?:[a-z]+ ){0,3}(?:position|role|office) of|(?:position|role|office) of)\s/

/** Offices to which somebody is appointed: what follows at once, else behind "as". */
function appointedTo(masked: string, at: number): (string | null)[] {
  // Behind a comma stands what somebody is, and not what he is appointed to.
  const isBeside = masked[at] === ',' || masked[at - 2] === ','
  const direct = isBeside ? [] : titlesAt(masked, masked[at] === ' ' ? at + 1 : at)
  if (direct.length > 0) return direct
  const [role] = ROLE.exec(masked.slice(at, at + 320)) ?? []
  return role ? titlesAt(masked, at + role.length) : []
}

/** Offices at a place, and those joined to them. */
function titlesAt(masked: string, at: number): string[] {
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

function goesFrom(masked: string, at: number): string[] {
  const [gap] = LEAVES.exec(masked.slice(at, at + 140)) ?? []
  return gap && !gap.includes(OPEN) ? titlesAt(masked, at + gap.length) : []
}

/** "X and Y … as Chief Executive Officer and President, respectively" */
function apportioned(
  masked: string,
  who: readonly number[],
  titles: readonly (string | null)[],
): (readonly [number, string | null])[] {
  const parts = titles.length === 1 ? (titles[0]?.split(/,?\sand\s/) ?? []) : titles
  if (who.length > 1 && parts.length === who.length && /\brespectively\b/.test(masked)) {
    return who.map((i, n) => [i, parts[n]!] as const)
  }
  return who.flatMap((i) => titles.map((title) => [i, who.length > 1 ? singular(title) : title] as const))
}

/** "Co-Presidents" of two is what each of them is. */
const singular = (title: string | null) => title?.replace(/^(Co-(?:President|CEO|Chair))s$/, '$1') ?? null

const EFFECTIVE = new RegExp(
  `\\b(?:effective,?(?: as of| on| from| upon)?|commencing(?: as of| on)?|beginning(?: on)?|(?<!dated )as of|on or about)[\\s,]{1,2}${DAY}|\\beffective (immediately)`,
  'i',
)

function effectiveOf(
  masked: string,
  { from, to, isFirst, event_date }: { from: number; to: number; isFirst: boolean; event_date: string | null },
): string | null {
  const after = EFFECTIVE.exec(masked.slice(from, to)) ?? (isFirst ? EFFECTIVE.exec(masked.slice(0, from)) : null)
  if (!after) return null
  return after[2] ? event_date : dayOf(after[1])
}

/** Persons of whom the sentence says what they are paid. */
function paidIn({ sentence, masked, mentions }: Read, known: ReadonlyMap<string, string>): Officer[] {
  const plain = masked.replace(/\b(?:Human Resources and |Management Development and )?Compensation[^.;,]{0,60}?Committees?\b/g, ' ')
  const isRow = masked.includes(' | ') && masked.includes('$')
  if (!isRow && (!PAID.test(plain) || !PAYS.test(plain) || NO_PAY.test(plain) || CONDITION.test(plain))) return []
  const event_date = eventDateOf(masked)
  const effective_date = effectiveOf(masked, { from: 0, to: masked.length, isFirst: true, event_date })
  return mentions.flatMap(({ name }, i) => {
    const services = /\bfor (?:his|her) services? as\s/.exec(masked)
    const served = services && mentions.length === 1 ? titleFrom(masked, services.index + services[0].length)?.title : null
    const title = besides(masked, i) ?? known.get(name) ?? served ?? null
    return isRow && i > 0 ? [] : [{ ...spanOf(sentence), name, title, event: 'compensation' as const, event_date, effective_date }] // biome-ignore format: one line
  })
}
