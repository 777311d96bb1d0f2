/** Who leaves an office: what a sentence says of resignations, retirements and removals. */
import { numbersIn, P } from './mask.ts'
import { titleFrom } from './offices.ts'
import { OPEN } from './prose.ts'
import { goesFrom } from './roles.ts'
import type { OfficerEvent, Said } from './said.ts'
import { LIST, subjectOf } from './subjects.ts'
import { CONDITION, EITHER, isDenied, isHistory, isTakenBack } from './unmade.ts'

const HIS = '(?:his|her|their)'
/** "notice of", "letter of", "planned" before the noun */
const QUALIFIED =
  '(?:written |formal |planned |upcoming |anticipated |previously announced |voluntary |irrevocable |immediate )?(?:notice of |letter of |intention of |decision of )?(?:planned |upcoming |anticipated |voluntary )?'
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
      `\\b${GIVES} (?:[a-z]+ ){0,3}?${HIS} ${QUALIFIED}retirement\\b|${OF_HIS}retirement\\b|\\b${HIS} (?:planned|upcoming|previously announced|anticipated) retirement\\b`,
      'gi',
    ),
  ],
  [
    'resigned',
    new RegExp(
      `\\b${GIVES} (?:[^.;,${OPEN}]{1,40} )?(?:${HIS} |a |an )${QUALIFIED}resignation(?: letter)?\\b|${OF_HIS}resignation\\b`,
      'gi',
    ),
  ],
  [
    'departed',
    /\bdepart(?:s|ed|ing)?\b(?! from (?:the|its) (?:plan|policy|practice|terms))|\bstep(?:s|ped|ping)? down\b|\bcease[sd]? to (?:serve|be|act|hold)\b|\bceasing to (?:serve|be)\b|\bno longer (?:serves?|be employed|employed|be serving|holds?)\b|\b(?:leav(?:e|es|ing)|left) (?:the Company|his (?:role|position|post)|her (?:role|position|post)|our company|the Board|us)\b|\bseparat(?:e|ed|es|ing) from (?:the Company|service|employment|his|her)\b|\brelinquish(?:es|ed|ing)? (?=(?:his|her|their|the) )|\bvacat(?:e|ed|es|ing) (?=(?:his|her|the) )|\btransition(?:ed|s|ing)? (?:from|out of)\b|\bconclud(?:e|ed|es|ing) (?:his|her) (?:employment|service|tenure)\b/gi,
  ],
  [
    'departed',
    /\b(?:not|nor|neither) (?:(?:to|be|intend to|plan to|will|going to|wish to|currently intend to) )*(?:stand|run|standing|running|seek|seeking)(?: for)?(?: re-?election| election| another term)\b|\b(?:declin(?:ed|es|ing)|refus(?:ed|es)) to stand for re-?election\b|\bnot (?:to )?(?:be )?(?:re-?nominated|nominated for re-?election|standing for re-?election)\b/gi,
  ],
  ['removed', /\b(?:was|were|been|be|being) (?:terminated|removed|dismissed|discharged|relieved)\b/gi],
]
const NOUN = new RegExp(
  `\\b(retirement|resignation|departure|removal|termination)s? (?:of|by|from)\\s(?=(?:each of )?${P})`,
  'gi',
)
const OF_NOUN: Readonly<Record<string, OfficerEvent>> = { retirement: 'retired', resignation: 'resigned', departure: 'departed', removal: 'removed', termination: 'removed' } // biome-ignore format: one line
/** "Ada Sample’s resignation as Treasurer" */
const HIS_NOUN = new RegExp(
  `${OPEN}(\\d{1,4})\uE001[’']s? (?:[a-z]+ ){0,2}?(retirement|resignation|departure|removal)(?= (?:as|from) )`,
  'gi',
)
/** Of a resignation in which a vacancy has its cause, an earlier report has told. */
const CAUSE = /\b(?:vacancy|created|caused|resulting|due to|since|prior to|before)\b[^.;]{0,40}$/i
/** "terminated the employment of", "removed … from", with who does it before */
const REMOVES = new RegExp(
  `\\b(?:terminated|removed|dismissed|discharged|(?:to|did|would) (?:terminate|remove|dismiss))(?: (?:[^.;,${OPEN}]{0,60} )?(?:employment|service) of| the employment agreement of)?\\s(?=(?:each of )?${P})`,
  'g',
)
/** "Ada Sample’s employment as Treasurer was terminated", "the employment of Ada Sample … ended" */
const ENDS = new RegExp(
  `(?:${OPEN}(\\d{1,4})\uE001[’']s? (?:employment|service|tenure)|\\bemployment (?:of|with) ${OPEN}(\\d{1,4})\uE001(?:,[^.;${OPEN}]{3,120},)?)((?: (?:with|at|by|in|as)[^${OPEN};.]{3,160}?)?) ((?:will |shall )?(?:be )?terminates?(?:d)?|(?:was|has been|is being) terminated|(?:will )?end(?:s|ed)?|ceased|will cease|concluded|will conclude)\\b`,
  'g',
)
/** "Ada Sample’s last day of employment will be May 1, 2020" */
const LAST_DAY = new RegExp(
  `${OPEN}(\\d{1,4})\uE001[’']s? last day(?: (?:of|with|at)[^.;${OPEN}]{3,80}?)? (?:will be|is|was|is expected to be)\\s`,
  'g',
)

/** @param isKnown whether one of these was appointed by a sentence before: what a newcomer left is history */
export function goingIn(masked: string, isPast: boolean, isKnown: (who: readonly number[]) => boolean): Said[] {
  const found: Said[] = []
  const put = (
    event: OfficerEvent,
    at: number,
    who: readonly number[],
    titles: readonly string[],
    isFuture: boolean,
  ) => {
    if (who.length > 0) found.push({ event, at, who, titles, isFuture })
  }
  for (const [event, verb] of GOES) {
    for (const match of masked.matchAll(verb)) {
      const after = match.index + match[0].length
      if (CONDITION.test(masked.slice(0, match.index)) || isDenied(masked, match.index)) continue
      // Whose resignation it is says the pronoun in "of his resignation".
      const who = subjectOf(masked, after)
      const isDone = /ed$|\bleft\b/i.test(match[0].split(' ')[0]!)
      // What a new director retired from is history (0000049826-16-000241).
      if (isDone && (isPast || isKnown(who) || isHistory(masked, after))) continue
      const isSeat = /\bre-?(?:election|nominated)|another term| election/.test(match[0])
      const roles = goesFrom(masked, after)
      put(
        event,
        match.index,
        who,
        roles.length > 0 ? roles : isSeat ? ['director'] : fromHere(match[0], masked, after),
        !isDone,
      )
      const to = /^[^.;]{3,80}?\sto\s/.exec(masked.slice(after, after + 120))
      const next = match[0].startsWith('transition') && to ? titleFrom(masked, after + to[0].length)?.title : undefined
      if (next) found.push({ event: 'appointed', at: match.index, who, titles: [next], isFuture: !isDone })
    }
  }
  for (const match of masked.matchAll(NOUN)) {
    const [list = ''] = LIST.exec(masked.slice(match.index + match[0].length)) ?? []
    const end = match.index + match[0].length + list.length
    const before = masked.slice(0, match.index)
    if (
      CONDITION.test(before) ||
      CAUSE.test(before) ||
      EITHER.test(before) ||
      isTakenBack(masked, match.index, end) ||
      isKnown(numbersIn(list))
    )
      continue
    if (isHistory(masked, end)) continue
    put(OF_NOUN[match[1]!.toLowerCase()]!, match.index, numbersIn(list), goesFrom(masked, end), false)
  }
  for (const match of isPast ? [] : masked.matchAll(HIS_NOUN)) {
    const before = masked.slice(0, match.index)
    const who = [Number(match[1])]
    if (CONDITION.test(before) || CAUSE.test(before) || isKnown(who)) continue
    put(OF_NOUN[match[2]!.toLowerCase()]!, match.index, who, goesFrom(masked, match.index + match[0].length), false)
  }
  for (const match of isPast ? [] : masked.matchAll(REMOVES)) {
    if (CONDITION.test(masked.slice(0, match.index)) || isDenied(masked, match.index)) continue
    const [list = ''] = LIST.exec(masked.slice(match.index + match[0].length)) ?? []
    const end = match.index + match[0].length + list.length
    // "terminated Ada Sample’s employment", and not her agreement, nor somebody else
    const rest = /^[’']s?\s(?:employment\b)?/.exec(masked.slice(end, end + 16))?.[0]
    if (rest && !rest.includes('employment')) continue
    put('removed', match.index, numbersIn(list), goesFrom(masked, end + (rest?.length ?? 0)), false)
  }
  for (const match of isPast ? [] : masked.matchAll(ENDS)) {
    if (CONDITION.test(masked.slice(0, match.index))) continue
    const [, one, other, role, verb] = match
    const title = /\bas ([^.;]{3,120})$/.exec(role ?? '')?.[1]
    const office = title ? titleFrom(title, 0)?.title : undefined
    const event = /(?:was|has been|is being) terminated/.test(verb!) ? 'removed' : 'departed'
    put(event, match.index, [Number(one ?? other)], office ? [office] : [], /will|shall|terminates|ends/.test(verb!))
  }
  for (const match of masked.matchAll(LAST_DAY)) {
    const title = /\bas ([^.;]{3,100}?) (?:will be|is|was)/.exec(match[0])?.[1]
    const office = title ? titleFrom(title, 0)?.title : undefined
    put('departed', match.index, [Number(match[1])], office ? [office] : [], true)
  }
  return found
}

/** "leave the Board" names the seat itself; "transitioned from Treasurer" the office at once. */
function fromHere(verb: string, masked: string, after: number): string[] {
  if (/\bthe Board$/i.test(verb)) return ['director']
  if (!/(?:from|out of|to be|to serve|down)$|^(?:resign|retire)/i.test(verb)) return []
  const title = /(?:from|to be)$/i.test(verb) ? goesFrom(` as${masked.slice(after, after + 180)}`, 0) : []
  return title
}
