/** Who leaves an office: what a sentence says of resignations, retirements and removals. */
import { DAY, dayOf } from './days.ts'
import {
  AND_ON,
  CAUSE,
  ELIMINATED,
  EMPLOYMENTS,
  ENDS,
  GOES,
  HIS_NOUN,
  LAST_DAY,
  LETTER,
  NOT_NOMINATED,
  NOUN,
  OF_NOUN,
  REMOVES,
  UNTIL,
  VACATED,
  WHOSE,
} from './going-words.ts'
import { behind, numbersIn, P, type Read } from './mask.ts'
import { isElsewhere, titleFrom } from './offices.ts'
import { OPEN } from './prose.ts'
import { goesFrom, titlesAt } from './roles.ts'
import type { Said } from './said.ts'
import { LIST, subjectOf } from './subjects.ts'
import { CONDITION, EITHER, isDenied, isHistory, isTakenBack } from './unmade.ts'

const AND_OTHER = new RegExp(`^ (?:as|from) [^.;${OPEN}]{3,160}?,? and (?=${P},? (?:as|from) )`)
/** "resigned as Treasurer, effective June 1, 2020, and from the Board, effective July 1, 2020": each office has its day. */
const AND_FROM = new RegExp(`^[^.;${OPEN}]{3,160}?\\beffective (?:as of |on )?${DAY},? and (?:from|as) (?!of\\b)`)
const ITS_DAY = new RegExp(`^[^.;${OPEN}]{3,60}?,? effective (?:as of |on )?${DAY}`)
/** Who leaves a committee may well stay on the board. */
const COMMITTEE =
  /^(?:\s(?:serving|to serve|to be|acting))?\s(?:as|on|from|of|in)\s[^.;,\ue000]{0,70}?\b[Cc]ommittees?\b/

/** "told Delta, Inc. that she would resign from its board": the filer’s own name stands as "the Company" here. */
const ITS_BOARD = /^ from its [Bb]oard\b/
const TO_FIRM =
  /\b(?:notified|informed|told|advised) (?:\p{Lu}[\p{L}\d&’'-]{0,24},? ){1,6}(?:Inc|Incorporated|Corp|Corporation|LLC|Ltd|Limited|plc|L\.P)\b/u

/** "was terminated as a participant": what is no office. */
const AS_OTHER =
  /^ as an? (?!(?:[a-z-]+ ){0,3}(?:employee|officer|executive|director|trustee|member|manager|chair))[a-z]|^(?: from)? (?:his|her|their) (?:positions?|roles?) (?:as|of) [^.;,]{0,60}\b(?:plan|fund|foundation|estate)\b/

/** "resigned from all positions, including as a director": from the office beside the name too. */
const ALL = /^[^.;,]{0,40}\ball\b[^.;,]{0,40}\b(?:positions|offices|capacities|roles|titles)\b[^.;]{0,80}\bincluding\b/

/** "retire from and resign from the Board" is one event: how the first verb says. */
const AND_GOES =
  /^(?: from| as)? and (?:[a-z]+ly |also |thereby )?(?:to )?(?:resign|retir|step)(?:e|es|ed|ing|s)?(?: down)?\b/
const SECOND =
  /\b(?:resign|retir|step)(?:e|es|ed|ing|s)?(?: down)?(?: from| as)? and (?:[a-z]+ly |also |thereby )?(?:to )?$/

const LATTER =
  /^ from (?:the|his|her) (?:latter|last)(?: (two|three))?(?: (?:positions?|offices?|roles?|titles?|capacit(?:y|ies)))?\b/

/** "Ada Sample, the Chairman, President and Treasurer, resigned from the latter two positions" */
function latterOf(rest: string, title: string | undefined): string[] {
  const [latter, count] = LATTER.exec(rest) ?? []
  if (!latter || !title) return []
  const parts = title.split(/,\sand\s|,\s|\sand\s/)
  const last = parts.slice(-(count === 'three' ? 3 : count === 'two' ? 2 : 1))
  return last.length < parts.length ? [title.slice(title.lastIndexOf(last[0]!))] : []
}

/** The office behind one that has its day, with its own day; null where there is none. */
function secondAt(masked: string, after: number): Pick<Said, 'at' | 'titles' | 'day'> | null {
  const first = AND_FROM.exec(masked.slice(after, after + 300))?.[0]
  if (!first) return null
  const at = after + first.length
  const day = dayOf(ITS_DAY.exec(masked.slice(at, at + 120))?.[1])
  const titles = day ? titlesAt(masked, at) : []
  return titles.length > 0 ? { at, titles, day } : null
}

/** @param isKnown whether one of these was appointed by a sentence before: what a newcomer left is history */
export function goingIn(
  { masked, besides }: Read,
  isPast: boolean,
  isKnown: (who: readonly number[]) => boolean,
): Said[] {
  const found: Said[] = []
  const put = (one: Omit<Said, 'isFuture'> & { isFuture?: boolean }) => {
    if (one.who.length > 0) found.push({ isFuture: false, ...one })
  }
  const listAt = (at: number) => {
    const who = numbersIn(LIST.exec(masked.slice(at))?.[0] ?? '')
    return { who, end: who.length > 0 ? behind(masked, who.at(-1)!) : at }
  }
  /** "… of Ada Sample as President and John Sample as Treasurer" */
  const othersAt = (at: number) => {
    const others: { who: number[]; titles: string[]; after: number }[] = []
    let from = at
    for (
      let next = AND_OTHER.exec(masked.slice(from, from + 240));
      next && others.length < 8;
      next = AND_OTHER.exec(masked.slice(from, from + 240))
    ) {
      const { who, end } = listAt(from + next[0].length)
      const titles = goesFrom(masked, end)
      if (who.length === 0 || titles.length === 0 || titles.some((title) => /^(?:interim|acting)\b/i.test(title))) break
      others.push({ who, titles, after: end })
      from = end
    }
    return others
  }
  for (const [event, verb] of GOES) {
    for (const match of masked.matchAll(verb)) {
      const at = match.index
      if (CONDITION.test(masked.slice(0, at)) || isDenied(masked, at) || SECOND.test(masked.slice(0, at))) continue
      const after = at + match[0].length + (AND_GOES.exec(masked.slice(at + match[0].length))?.[0].length ?? 0)
      // Whose resignation it is says the pronoun in "of his resignation".
      const who = subjectOf(masked, after)
      const isDone = /^(?:was|were|been)\b|^\S*ed\b|^(?:left|died)\b/i.test(match[0])
      // What a new director retired from is history (0000049826-16-000241).
      if (isDone && (isPast || isKnown(who) || isHistory(masked, after))) continue
      const roles = goesFrom(masked, after)
      const rest = masked.slice(after, after + 160)
      if (roles.length === 0 && (COMMITTEE.test(rest.slice(0, 110)) || AS_OTHER.test(rest))) continue
      if (ITS_BOARD.test(rest) && TO_FIRM.test(masked.slice(0, at))) continue
      if (/^ from /.test(rest) && isElsewhere(rest.replace(/^ from/, ' of'))) continue
      const isSeat = /\bre-?(?:election|nominated)|another term| election/.test(match[0])
      const others = roles.length > 0 && who.length === 1 && ALL.test(masked.slice(after)) ? (besides[who[0]!]?.titles ?? []) : [] // biome-ignore format: one line
      const titles =
        roles.length > 0
          ? [...new Set([...roles, ...others])]
          : isSeat
            ? ['director']
            : who.length === 1 && LATTER.test(masked.slice(after, after + 60))
              ? latterOf(masked.slice(after, after + 60), besides[who[0]!]?.titles[0])
              : fromHere(match[0], masked, after)
      const second = titles.length > 0 ? secondAt(masked, after) : null
      const firsts = second ? titles.filter((title) => !second.titles.includes(title)) : titles
      put({ event, at, who, titles: firsts, isFuture: !isDone })
      if (second && firsts.length > 0) put({ event, who, isFuture: !isDone, ...second })
      const to = /^[^.;]{3,80}?\sto\s(?:become\s|serve as\s)?(?:the (?:role|position|office) of\s)?/.exec(
        masked.slice(after, after + 120),
      )
      const next =
        /^(?:transition|reassigned)/.test(match[0]) && to ? titleFrom(masked, after + to[0].length)?.title : undefined
      if (next) found.push({ event: 'appointed', at, who, titles: [next], isFuture: !isDone })
    }
  }
  for (const match of [...masked.matchAll(NOUN), ...masked.matchAll(LETTER)]) {
    const at = match.index
    const { who, end } = listAt(at + match[0].length)
    const before = masked.slice(0, at)
    if (CONDITION.test(before) || EITHER.test(before) || isTakenBack(masked, at, end) || isHistory(masked, end))
      continue
    const isCause = CAUSE.test(before) || VACATED.test(before)
    if (isCause ? !VACATED.test(before) : isKnown(who)) continue
    const noun = /^retirement and/i.test(match[0]) ? 'retirement' : match[1]!.toLowerCase()
    put({ event: OF_NOUN[noun]!, at, who, titles: goesFrom(masked, end), after: end, isCause })
    for (const other of othersAt(end)) put({ event: OF_NOUN[noun]!, at, ...other, isCause })
  }
  for (const match of isPast ? [] : masked.matchAll(EMPLOYMENTS)) {
    if (CONDITION.test(masked.slice(0, match.index))) continue
    let next: RegExpExecArray | null = match
    for (let from = match.index, tries = 0; next && tries < 8; tries++) {
      const { who, end } = listAt(from + next[0].length)
      for (const i of who) {
        const titles = besides[i]?.titles ?? []
        put({ event: 'removed', at: match.index, who: [i], titles, day: dayOf(next[1]) })
      }
      from = end
      next = AND_ON.exec(masked.slice(end, end + 160))
    }
  }
  for (const match of isPast ? [] : masked.matchAll(HIS_NOUN)) {
    const at = match.index
    const after = at + match[0].length
    const before = masked.slice(0, at)
    const who = [Number(match[1])]
    const isCause = VACATED.test(before)
    if (!isCause && !/^ (?:as|from) /.test(masked.slice(after, after + 6))) continue
    if (CONDITION.test(before) || (!isCause && (CAUSE.test(before) || isKnown(who)))) continue
    put({ event: OF_NOUN[match[2]!.toLowerCase()]!, at, who, titles: goesFrom(masked, after), after, isCause })
  }
  for (const match of isPast ? [] : masked.matchAll(REMOVES)) {
    if (CONDITION.test(masked.slice(0, match.index)) || isDenied(masked, match.index)) continue
    const { who, end } = listAt(match.index + match[0].length)
    // "terminated Ada Sample’s employment", and not her agreement, nor somebody else
    const rest = /^[’']s?\s(?:employment\b)?/.exec(masked.slice(end, end + 16))?.[0]
    if (rest && !rest.includes('employment')) continue
    put({ event: 'removed', at: match.index, who, titles: goesFrom(masked, end + (rest?.length ?? 0)) })
    for (const other of othersAt(end)) put({ event: 'removed', at: match.index, ...other })
  }
  for (const match of masked.matchAll(ELIMINATED)) {
    put({ event: 'removed', at: match.index, who: [Number(match[1])], titles: [] })
  }
  for (const match of masked.matchAll(NOT_NOMINATED)) {
    put({ event: 'departed', at: match.index, who: listAt(match.index + match[0].length).who, titles: ['director'] })
  }
  for (const match of isPast ? [] : masked.matchAll(ENDS)) {
    if (CONDITION.test(masked.slice(0, match.index))) continue
    const [, one, other, role, verb] = match
    const title = /\bas ([^.;]{3,120})$/.exec(role ?? '')?.[1]
    const office = title ? titleFrom(title, 0)?.title : undefined
    const event = /(?:was|has been|is being) terminated/.test(verb!) ? 'removed' : 'departed'
    const isFuture = /will|would|shall|terminates|ends/.test(verb!)
    put({ event, at: match.index, who: [Number(one ?? other)], titles: office ? [office] : [], isFuture })
  }
  for (const match of isPast ? [] : masked.matchAll(WHOSE)) {
    if (CONDITION.test(masked.slice(0, match.index))) continue
    const at = match.index + match[0].length - match[2]!.length
    const event = /(?:was|has been|is being) terminated/.test(match[2]!) ? 'removed' : 'departed'
    const after = match.index + match[0].length
    put({
      event,
      at,
      after,
      who: [Number(match[1])],
      titles: [],
      isFuture: /will|would|shall|terminates|ends/.test(match[2]!),
    })
  }
  for (const match of masked.matchAll(LAST_DAY)) {
    const title = /\bas ([^.;]{3,100}?) (?:will be|is|was)/.exec(match[0])?.[1]
    const office = title ? titleFrom(title, 0)?.title : undefined
    put({ event: 'departed', at: match.index, who: [Number(match[1])], titles: office ? [office] : [], isFuture: true })
  }
  for (const match of masked.matchAll(UNTIL)) {
    const after = match.index + match[0].length
    const who = subjectOf(masked, match.index)
    if (isKnown(who) || CONDITION.test(masked.slice(0, match.index))) continue
    put({ event: 'departed', at: match.index, who, titles: titlesAt(masked, after), day: dayOf(match[1]) })
  }
  return found
}

/** "resigned his directorship" */
const SEAT = /^\s(?:from )?(?:his|her|their) (?:directorships?|(?:[Bb]oard )?seats?)\b/

/** "leave the Board" names the seat itself; "transitioned from Treasurer" the office at once. */
function fromHere(verb: string, masked: string, after: number): string[] {
  if (/^no longer (?:be )?$/i.test(verb)) return titlesAt(masked, after)
  if (SEAT.test(masked.slice(after, after + 40))) return ['director']
  if (/\bthe Board$/i.test(verb) || /^step\w* off/i.test(verb) || /^withdr/i.test(verb)) return ['director']
  if (!/(?:from|out of|to be|to serve|down)$|^(?:resign|retire)/i.test(verb)) return []
  const title = /(?:from|to be)$/i.test(verb) ? goesFrom(` as${masked.slice(after, after + 180)}`, 0) : []
  return title
}
