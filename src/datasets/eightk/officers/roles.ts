/** Reads the offices after a verb, which a person enters or leaves. */
import { DOTTED_FORM, PROSE_FORM } from '../../../read/legal-forms.ts'
import { OPEN } from '../../../read/prose/sentences.ts'
import { isSeat, isSeatElsewhere, titleAt, titleFrom } from '../../../read/prose/titles.ts'

/** Maximum distance between two offices that are joined without "as". */
const GAP_MAX = 72
/** Maximum length of text to search; no title is longer. */
const LOOK = 180

/** Offices that a text names together. */
export interface Offices {
  titles: string[]
  /** End of the offices, exclusive; the rest of the text begins here. */
  end: number
}

const NONE = (at: number): Offices => ({ titles: [], end: at })

/**
 * Matches the rest of an office at a firm of the filer: "President, Harbor Foods Inc". The title that was read before
 * this text may already include the comma or the firm's name.
 */
const FIRM = new RegExp(
  String.raw`^(?:,\s(?:(?!(?:Chief|Executive|Senior|Vice|President|Director|Chair|Inc)\b)\p{Lu}[\p{L}\d&’'-]{0,24}\s?){1,4})?,?\s?(?<=[\s,])${PROSE_FORM}\b\.?`,
  'u',
)
/** Returns the firm that follows an office, with the comma before it; empty if none follows. */
export const firmOf = (masked: string, at: number): string => FIRM.exec(masked.slice(at, at + LOOK))?.[0] ?? ''
const DOTTED = new RegExp(String.raw`\b(${DOTTED_FORM})(?=$|,| and )`, 'g')
/** Restores the full stop of "Inc." in a title, since masking removed it. */
export const dotted = (title: string): string => title.replace(DOTTED, '$1.')
export const withFirm = (parts: string[], firm: string): string[] =>
  firm === '' || parts.length === 0
    ? parts.map(dotted)
    : [...parts.slice(0, -1), `${parts.at(-1)}${dotted(firm.replace(/\.$/, ''))}`]

/**
 * Reads the offices at a position, and further offices joined to them. Branches: each is a way in which offices are
 * joined.
 */
export function officesAt(masked: string, at: number): Offices {
  const titles: string[] = []
  let end = at
  for (let from = at, tries = 0; tries < 5; tries++) {
    const rest = masked.slice(from, from + LOOK)
    const isBoard = isSeat(rest)
    const one = isBoard ? null : titleFrom(masked, from)
    if (one?.isElsewhere || (!one && !isBoard) || (isBoard && isSeatElsewhere(rest.slice(seatEnd(rest))))) break
    const firm = one ? firmOf(masked, one.end) : ''
    titles.push(...(one ? withFirm(partsOf(one.title), firm) : ['director']))
    end = one ? one.end + firm.length : from + seatEnd(rest)
    const joined =
      isBoard && isBareOffice(masked, end + 2, /director,\s$/i) ? ', ' : JOINED.exec(masked.slice(end, end + 160))?.[0]
    if (!joined || joined.includes(OPEN)) break
    const next = end + joined.length
    if (joined.length > GAP_MAX && !/\sas\s$/.test(joined)) break
    const isOffice = isBoard && (joined === ', ' || isBareOffice(masked, next, /director and $/i))
    // Example: "an executive officer and Treasurer"
    const isFirst = titles.length === 0 && joined.endsWith(' and ') && titleAt(masked, next) !== null
    const isAfterFirm = firm !== '' && joined.endsWith(' and ') && isOfficeOfSame(masked, next)
    if (
      !isJoinedSeat(masked.slice(next, next + LOOK)) &&
      !isOffice &&
      !isFirst &&
      !isAfterFirm &&
      !/(?:as|from|of)\s$/.test(joined)
    )
      break
    from = next
  }
  const isOfMeeting = /chair/i.test(titles.at(-1) ?? '') && OF_MEETING.test(masked.slice(end, end + 60))
  return isOfMeeting ? NONE(at) : { titles: [...new Set(titles)], end }
}

/** Matches the rest of "chairman of the annual meeting", which is not an office of the filer. */
const OF_MEETING = /^ (?:of|at|for) (?:the|its|our|this|that|such) (?:[a-z]+ ){0,3}[Mm]eeting\b/

/**
 * Tests for an office without "as": "Director and Chairman", but not "to the Board and Chief Executive Officer Ada
 * Sample"
 */
function isBareOffice(masked: string, at: number, ending: RegExp): boolean {
  const title = ending.test(masked.slice(Math.max(0, at - 16), at)) ? titleAt(masked, at) : null
  return title !== null && !masked.startsWith(` ${OPEN}`, title.end)
}

/**
 * Tests for a second office of one person: "President, Harbor Foods Inc. and Treasurer", but not "… Inc. and Treasurer
 * Ada Sample"
 */
function isOfficeOfSame(masked: string, at: number): boolean {
  const title = titleAt(masked, at)
  return title !== null && !masked.startsWith(` ${OPEN}`, title.end)
}

/** Returns the titles of the offices at a position. */
export const titlesAt = (masked: string, at: number): string[] => officesAt(masked, at).titles

/** Matches "… of the Company and as", "… as well as", ", as", "and from the position of" */
const JOINED =
  /^[^.;:]{0,120}?(?:,?\s(?:and|as well as)\s(?:also\s)?|,\s(?=(?:as|from)\s|(?:an?\s)?(?:member\sof\s(?:the|our|its)\s|director\b)))(?:as\s|to\s(?:serve\s(?:as\s)?|act\sas\s)?|from\s|(?:from |in )?(?:his|her|their|the) (?:positions?|roles?|offices?) (?:as|of)\s)?/
/** Returns the end of the words for a board seat with which a text begins. */
export const seatEnd = (rest: string): number => {
  const found = /\b(?:[Dd]irectors?|[Tt]rustees?|[Bb]oards?(?: of (?:[Dd]irectors|Trustees|Managers))?)\b/.exec(rest)
  return found ? found.index + found[0].length : 0
}
/**
 * Tests for a board seat that is joined to another office. In "and the Board appointed", the words begin another
 * statement.
 */
const isJoinedSeat = (rest: string) =>
  isSeat(rest) && !/^(?:the|its|our)\s[Bb]oards?(?:\sof\s[Dd]irectors)?\s[a-z]/.test(rest)

/**
 * Splits a title into offices: "Secretary and sole director" is an office and a board seat. "Officer" alone is not an
 * office.
 */
export function partsOf(title: string): string[] {
  const parts = title
    .split(/,\sand\s|,\s|\sand\s/)
    .filter((part) => !/^(?:sole |an? )?(?:(?:named )?executive )?officers?$/i.test(part))
  const others = parts.filter((part) => !SEAT.test(part))
  if (others.length === parts.length) return parts.length === 0 ? [] : [title]
  const office = others.length === 0 ? [] : [others.find((part) => part === title) ?? joinedAs(title, others)]
  return SEAT.test(parts[0]!) ? ['director', ...office] : [...office, 'director']
}
const SEAT = /^(?:sole |independent |an? )?directors?$/i
/** Returns parts of a title as the title joins them. If other parts stand between them, they are joined by "and". */
const joinedAs = (title: string, parts: readonly string[]) => {
  const from = title.indexOf(parts[0]!)
  const whole = title.slice(from, title.indexOf(parts.at(-1)!, from) + parts.at(-1)!.length)
  return whole.split(/,\sand\s|,\s|\sand\s/).length === parts.length ? whole : parts.join(' and ')
}

/**
 * Matches "to perform the functions of", "as the person performing the duties of": a filer without a principal
 * financial officer names a person who acts as such an officer.
 */
const FUNCTIONS_OF =
  '(?:to (?:perform|carry out|discharge|exercise|fulfill)|as the (?:person|individual|officer|executive) (?:performing|who (?:will )?performs?)) the (?:functions|duties|responsibilities)(?: and (?:functions|duties|responsibilities))? (?:of|as)'

const ROLE = new RegExp(
  String.raw`^(?:(?! and (?:has |have |was |were |is |are )?(?:${OPEN}|appointed|elected|named|resigned|retired))[^.;]){0,200}?\b(?:${FUNCTIONS_OF}|to (?:also )?(?:serve as|act as|be(?!\seffective\b)|become|fill the (?:position|role|office) of)|to succeed [^,;]{1,60} as|as (?:his|her|their|[^.;,]{1,40}[’']s?) (?:successor|replacement) (?:as|in the (?:role|position) of)|(?<!\b(?:serves|served|serving|serve|acts|acted|acting) )as(?!\sof\b)|(?:to|in|into|assume|assuming|hold) (?:the|his|her) (?:[a-z]+ ){0,3}(?:positions?|roles?|offices?|posts?|titles?|duties|responsibilities|functions|capacit(?:y|ies)) of|(?:position|role|office) of|from [^.;${OPEN}]{3,120}? to)\s`,
)
const VACANCY =
  /^[\s,]{0,2}(?:by (?:the )?[^.;,]{0,40}?(?:[Bb]oard|directors)(?: of [Dd]irectors)? )?(?:to|effective [^.;]{1,60}? to|(?=filling)) ?fill(?:ing)? (?:the|a|an|one of the|an existing|two|three|both) (?:[a-z]+ ){0,4}(?:vacanc(?:y|ies)|seats?|directorships?|positions? on)/
/** Matches "to Chief Operating Officer", "to the Board" */
const TO = /^,?\sto\s(?:serve\s(?:on|as)\s)?(?:the\s(?=[\p{Lu}]))?/u

/** Reads the offices of an appointment: the next words, or else the words after "as" or "to". */
export function appointedTo(masked: string, at: number): Offices {
  // An office after a comma is the person's present office, not the new office.
  const designee = /^ ?as (?:an?|its|their|the) (?:[A-Za-z]+ ){0,3}?(?:designee|representative)s?(?= )/.exec(
    masked.slice(at, at + 60),
  )?.[0]
  if (designee) return appointedTo(masked, at + designee.length)
  const isApposed = masked[at] === ',' || masked[at - 2] === ','
  const direct = isApposed ? NONE(at) : officesAt(masked, masked[at] === ' ' ? at + 1 : at)
  if (direct.titles.length > 0) return direct
  const vacancy = VACANCY.exec(masked.slice(at, at + 140))?.[0]
  if (vacancy) return { titles: ['director'], end: at + vacancy.length }
  // A list of names ends after the comma that follows it, and TO begins with this comma.
  const from = masked[at - 2] === ',' ? at - 2 : at
  const [to] = TO.exec(masked.slice(from, from + 40)) ?? []
  const promoted = to ? officesAt(masked, from + to.length) : NONE(at)
  if (promoted.titles.length > 0) return promoted
  const [role] = ROLE.exec(masked.slice(at, at + 360)) ?? []
  return role ? officesAt(masked, at + role.length) : NONE(at)
}

const LEAVES = new RegExp(
  String.raw`^(?:[^.;${OPEN}]{0,80}?)\b(?:(?:from|of)\s(?:(?:his|her|their|the|all|each of (?:his|her)|any)\s)?(?:current\s|respective\s|executive\s|other\s)?(?:positions?|roles?|offices?|posts?|seats?|services?|employment|duties)(?:\s(?:as|of|on|with the Company as|at the Company as))?|(?:their|his|her|the)\s(?:positions?|roles?|offices?|seats?|titles?|duties)\s(?:as|of|on)|in (?:his|her|their) (?:capacity|role) as|including(?: as)?|the (?:functions|duties) of|as|from)\s`,
)

/** Words after a verb which show that the following words are about another act or another subject. */
const OTHER_VERB =
  /\b(?:and|but)\s(?:the\s)?(?:Board|Company)\b|\b(?:appointed|elected|named|resign\w*|retir\w*|step\w* down|deemed|continu\w*|remain\w*)\b/

/** Reads the offices that a person leaves: "as", "from his position as". */
export function goesFrom(masked: string, at: number): string[] {
  for (let from = at, tries = 0; tries < 3; tries++) {
    const [gap] = LEAVES.exec(masked.slice(from, at + 180)) ?? []
    if (!gap || OTHER_VERB.test(gap)) return []
    const titles = titlesAt(masked, from + gap.length)
    if (titles.length > 0) return titles
    from += gap.length
  }
  return []
}
