/** Who leaves an office: what a sentence says of resignations, retirements and removals. */
import { DAY, dayOf } from './days.ts'
import { behind, numbersIn, P, type Read } from './mask.ts'
import { titleFrom } from './offices.ts'
import { OPEN } from './prose.ts'
import { goesFrom, titlesAt } from './roles.ts'
import type { OfficerEvent, Said } from './said.ts'
import { LIST, subjectOf } from './subjects.ts'
import { CONDITION, EITHER, isDenied, isHistory, isTakenBack } from './unmade.ts'

const HIS = '(?:his|her|their)'
/** "notice of", "letter of", "pending" before the noun */
const QUALIFIED = '(?:(?!(?:reasons?|for|from|as|to|in|on|and|or|with)\\b)[a-z-]{2,20},? ){0,5}'
/** "informed the Company of his resignation", but not "as a result of his resignation" */
const OF_HIS = `(?<!\\b(?:result|part|consequence|timing|condition|event|date|time|effectiveness|terms|light|because|case|case of|light of|reason|lieu|purposes|effect|circumstances) )\\b(?:of|announcing|regarding|stating|concerning) ${HIS} ${QUALIFIED}`
const GIVES =
  '(?:tender(?:ed|s|ing)|submit(?:ted|s|ting)|deliver(?:ed|s|ing)|announc(?:ed|es|ing)|g[ai]ve(?:n|s)?|provid(?:ed|es|ing)|offered|effected|communicated)'
const GOES: readonly (readonly [OfficerEvent, RegExp])[] = [
  [
    'retired',
    /\bretir(?:e|es|ed|ing)\b(?! (?:plan|benefit|date|age|agreement|(?:the |its |all |any )?(?:\w{1,20} )?(?:notes|debt|shares|securities)))/gi,
  ],
  ['resigned', /\bresign(?:s|ed|ing)?\b/gi],
  [
    'retired',
    new RegExp(
      `\\b${GIVES} (?:[a-z]+ ){0,3}?${HIS} ${QUALIFIED}retirement\\b|\\b(?:accepted|elected|took|taken) (?:an )?early retirement\\b|${OF_HIS}retirement\\b|\\b${HIS} (?:planned|upcoming|previously announced|anticipated) retirement\\b`,
      'gi',
    ),
  ],
  [
    'resigned',
    new RegExp(
      `\\b${GIVES} (?:(?:(?! (?:reasons?|for|after|following|since|upon) )[^.;,${OPEN}]){1,40} )?(?:${HIS} |a |an )${QUALIFIED}resignations?(?: letters?)?\\b|${OF_HIS}resignations?\\b|\\b(?:tendered|submitted|offered),? and (?:the|our|its) [^.;,${OPEN}]{3,60} accepted,? ${HIS} ${QUALIFIED}resignations?\\b`,
      'gi',
    ),
  ],
  [
    'departed',
    /\bdepart(?:s|ed|ing)?\b(?! from (?:the|its) (?:plan|policy|practice|terms))|\bstep(?:s|ped|ping)? down\b|\bcease[sd]? to (?:serve|be|act|hold)\b|\bceasing to (?:serve|be)\b|\bno longer (?:serves?|be employed|employed|be serving|holds?)\b|\b(?:leav(?:e|es|ing)|left) (?:the Company|his (?:role|position|post)|her (?:role|position|post)|our company|the Board|us)\b|\bseparat(?:e|ed|es|ing) from (?:the Company|service|employment|his|her)\b|\brelinquish(?:es|ed|ing)? (?=(?:his|her|their|the) )|\bvacat(?:e|ed|es|ing) (?=(?:his|her|the) )|\btransition(?:ed|s|ing)? (?:from|out of)\b|\b(?:conclud|end|complet)(?:e|ed|es|ing|s)? (?:his|her|their) (?:employment|service|tenure)\b|\bg[ia]ves? up (?=(?:his|her|the) (?:titles?|positions?|roles?|posts?|offices?) )|\bcease[sd]? serving\b|\bleft the employ(?:ment)? of\b|\bno longer with\b|\bwithdr(?:ew|awn|aw) (?:his (?:name|candidacy|consent) |her (?:name|candidacy|consent) )?(?:from consideration |as a (?:nominee|candidate) )?(?:for|from) re-?election\b|\bstep(?:s|ped|ping)? off (?=(?:the|our|its) (?:Company[’']s )?[Bb]oard\b)|\breassigned from\b|\bpart(?:ed|s|ing)? (?:ways|company)\b|\bpass(?:ed|es) away\b|\bdied\b|\bno longer (?:be )?(?=(?:the |our |its |a |an )?(?:(?:Company[’']s|interim|acting) )?(?:Chief|President|Vice|Executive|Senior|Treasurer|Secretary|Controller|General Counsel|Chair|a director|director))/gi,
  ],
  [
    'departed',
    /\b(?:not|nor|neither) (?:(?:to|be|intend to|plan to|will|going to|wish to|currently intend to) )*(?:stand|run|standing|running|seek|seeking)(?: for)?(?: re-?election| election| another term)\b|\b(?:declin(?:ed|es|ing)|refus(?:ed|es)) to stand for re-?election\b|\bnot (?:to )?(?:be )?(?:an? )?(?:candidates? for re-?election|re-?nominated|nominated for re-?election|standing for re-?election)\b/gi,
  ],
  [
    'removed',
    /\b(?:was|were|been|be|being) (?:also |subsequently |immediately |involuntarily |thereafter )?(?:terminated|removed|dismissed|discharged|relieved)\b|(?<=\b(?:was|were) [^.;\ue000]{3,100} and )(?:terminated|removed|dismissed|discharged)\b/gi,
  ],
]
const NOUN = new RegExp(
  `\\b(?:retirement and (?=resignation))?(retirement|resignation|departure|removal|termination|separation|death|passing)s? (?:(?:tendered|submitted|delivered|given) )?(?:of|by|from)\\s(?:(?:two|three|four|five|six|its|our|the|all) (?:of (?:its|our|the) )?(?:[a-z-]+ ){0,2}(?:directors|officers|members of (?:the|its|our) [Bb]oard(?: of [Dd]irectors)?)[,:]\\s)?(?=(?:each of )?${P})`,
  'gi',
)
/** "letter of resignation (Exhibit 17) from Board member Ada Sample" */
const LETTER = new RegExp(
  `\\b(?:letters?|notices?) of (resignation|retirement)(?: \\([^()]{3,40}\\))? from (?:(?:the |its |our )?(?:Board|BOD) members? |(?:the |its |our )?[Dd]irectors? )?(?=${P})`,
  'g',
)
/** "the termination of employment on March 31, 2016 of Ada Sample … and on April 30, 2016 of the following officers: …" */
const EMPLOYMENTS = new RegExp(
  `\\btermination of (?:the )?employment(?: (?:on|effective|effective on|effective as of) ${DAY})? (?:of|with) (?:the following [a-z ]{3,40}: )?(?=${P})`,
  'g',
)
const AND_ON = new RegExp(
  `^[,;]?\\s(?:and )?(?:on|effective|effective on) ${DAY},? of (?:the following [a-z ]{3,40}: )?(?=${P})`,
)
const OF_NOUN: Readonly<Record<string, OfficerEvent>> = {
  ...({ retirement: 'retired', resignation: 'resigned', removal: 'removed', termination: 'removed' } as const),
  ...({ departure: 'departed', separation: 'departed', death: 'departed', passing: 'departed' } as const),
}
/** "Ada Sample’s resignation as Treasurer" */
const HIS_NOUN = new RegExp(
  `${OPEN}(\\d{1,4})\uE001[’']s? (?:[a-z]+ ){0,2}?(retirement|resignation|departure|separation|removal|death|passing)\\b(?= (?:as|from) )?`,
  'gi',
)
/** Of a resignation in which a vacancy has its cause, an earlier report has told, or nothing else does. */
const CAUSE = /\b(?:vacanc(?:y|ies)|created|caused|resulting|due to|since|prior to|before)\b[^.;]{0,40}$/i
const VACATED =
  /\b(?:vacanc(?:y|ies)|vacant|vacated|seats?|directorships?|positions?)\b[^.;\ue000]{0,40}\b(?:created|caused|result\w*|due|left|arising|occurring|opened|because|by|following)\b[^.;\ue000]{0,40}$/i
/** "terminated the employment of", "removed … from", with who does it before */
const REMOVES = new RegExp(
  `\\b(?:terminated|removed|dismissed|discharged|severed|separated|(?:to|did|would) (?:terminate|remove|dismiss|sever))(?: (?:its|the|all|an) (?:[a-z]+ ){0,3}?(?:relationships?|ties|service) (?:with|of)| (?:[^.;,${OPEN}]{0,60} )?(?:employment|service) of| the employment agreement of)?\\s(?=(?:each of )?${P})`,
  'g',
)
/** "the position of Ada Sample was eliminated" */
const ELIMINATED = new RegExp(
  `\\b(?:position|role|office) of ${OPEN}(\\d{1,4})\uE001,? (?:was|were|has been) eliminated\\b`,
  'g',
)
/** "decided not to renominate Ada Sample for election" */
const NOT_NOMINATED = new RegExp(
  `\\bnot (?:to )?(?:re-?nominat(?:e|ed|ing)|nominat(?:e|ed|ing))\\s(?=(?:each of )?${P})`,
  'g',
)
/** "Ada Sample’s employment as Treasurer was terminated", "the employment of Ada Sample … ended" */
const ENDS = new RegExp(
  `(?:${OPEN}(\\d{1,4})\uE001[’']s? (?:employment|service|tenure)|\\bemployment (?:relationship )?(?:of|with|between the Company and) ${OPEN}(\\d{1,4})\uE001(?:,[^.;${OPEN}]{3,180},|,)?)((?: (?:with|at|by|in|as)[^${OPEN};.]{3,160}?)?) ((?:will |shall )?(?:be )?terminates?(?:d)?|(?:was|has been|is being) terminated|(?:will )?end(?:s|ed)?|ceased|will cease|concluded|will conclude)\\b`,
  'g',
)
/** "Ada Sample, whose employment with the Company ended on May 1, 2020" */
const WHOSE = new RegExp(
  `${OPEN}(\\d{1,4})\uE001,? whose (?:employment|service|tenure)(?: (?:with|at|by|in|as)[^${OPEN};.,]{3,100}?)? ((?:will |shall )?(?:be )?terminates?(?:d)?|(?:was|has been|is being) terminated|(?:will )?end(?:s|ed)?|ceased|concluded)\\b`,
  'g',
)
/** "Ada Sample’s last day of employment will be May 1, 2020" */
const LAST_DAY = new RegExp(
  `${OPEN}(\\d{1,4})\uE001[’']s? last day(?: (?:of|with|at|as|in)[^.;${OPEN}]{3,80}?)? (?:will be|is|was|is expected to be)\\s`,
  'g',
)
/** "Ada Sample served as President and a director until May 1, 2020" */
const UNTIL = new RegExp(`\\bserved (?:as|in the (?:role|position) of) (?=[^;${OPEN}]{3,200}? until ${DAY})`, 'g')

/** Who leaves a committee may well stay on the board. */
const COMMITTEE =
  /^(?:\s(?:serving|to serve|to be|acting))?\s(?:as|on|from|of|in)\s[^.;,\ue000]{0,70}?\b[Cc]ommittees?\b/

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
      if (roles.length === 0 && COMMITTEE.test(masked.slice(after, after + 110))) continue
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
      put({ event, at, who, titles, isFuture: !isDone })
      const to = /^[^.;]{3,80}?\sto\s(?:become\s|serve as\s)?/.exec(masked.slice(after, after + 120))
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
    const isFuture = /will|shall|terminates|ends/.test(verb!)
    put({ event, at: match.index, who: [Number(one ?? other)], titles: office ? [office] : [], isFuture })
  }
  for (const match of isPast ? [] : masked.matchAll(WHOSE)) {
    if (CONDITION.test(masked.slice(0, match.index))) continue
    const at = match.index + match[0].length - match[2]!.length
    const event = /(?:was|has been|is being) terminated/.test(match[2]!) ? 'removed' : 'departed'
    put({ event, at, who: [Number(match[1])], titles: [], isFuture: /will|shall|terminates|ends/.test(match[2]!) })
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
  if (/^no longer $/i.test(verb)) return titlesAt(masked, after)
  if (SEAT.test(masked.slice(after, after + 40))) return ['director']
  if (/\bthe Board$/i.test(verb) || /^step\w* off/i.test(verb) || /^withdr/i.test(verb)) return ['director']
  if (!/(?:from|out of|to be|to serve|down)$|^(?:resign|retire)/i.test(verb)) return []
  const title = /(?:from|to be)$/i.test(verb) ? goesFrom(` as${masked.slice(after, after + 180)}`, 0) : []
  return title
}
