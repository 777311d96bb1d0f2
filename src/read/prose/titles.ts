/**
 * Reads titles of offices in prose: "Executive Vice President, Corporate Controller and Chief Accounting Officer", "CEO
 * of the Consumer Banking division".
 */
import { PROSE_FORM } from '../legal-forms.ts'

const OFFICE =
  /\b(?:officers?|president|presidents|chair|chairman|chairwoman|chairperson|chairs|directors?|secretary|treasurer|controller|comptroller|counsel|general manager|managing (?:member|partner)|ceos?|cfo|coo|cto|cio|cao|clo|cro|cpo|cmo|chro|evp|svp|co-ceos?|co-presidents?|co-chair|vice chair)\b|^head$/i
/** Words that may be in lower case within a title. */
const LOWER = new Set(
  'chief executive financial operating accounting technology legal officer officers president vice senior chairman chair director directors presidents principal secretary treasurer controller general counsel interim acting independent non-employee non-executive presiding lead class chairwoman chairperson comptroller co-chief co-president co-chair'.split(
    ' ',
  ),
)
const NO_TITLE =
  /^(?:On|In|At|The|Mr|Ms|Mrs|Dr|He|She|His|Her|Effective|Company|Registrant|Corporation|Inc|LLC|January|February|March|April|June|July|August|September|October|November|December|Following|Prior|Since|Pursuant|Form|Item|Exhibit)\b/
const WORD = /^[\p{L}&+/-]{1,24}/u
const TITLE_MAX = 14

export interface Title {
  title: string
  /** End of the title, exclusive. */
  end: number
  /** Whether the office is at another company, a university or a foundation. */
  isElsewhere: boolean
}

/**
 * Reads the title that begins at a position of a text. Long: one pass over the words of a title. Branches: each is a
 * way in which a title continues or ends.
 *
 * @returns null if no title begins there
 */
export function titleAt(text: string, from: number): Title | null {
  let at = from
  let end = from
  let isLink = true
  for (let count = 0; count < TITLE_MAX; ) {
    const rest = text.slice(at, at + 60)
    const ofBoard = /^\sof\s(?:the\s)?(?:Company[’']s\s)?Board(?:\sof\sDirectors)?(?![’'\w])/.exec(rest)
    if (ofBoard && !isLink && /(?:chair(?:man|woman|person)?|emeritus|secretary)$/i.test(text.slice(from, end))) {
      at += ofBoard[0].length
      end = at
      isLink = false
      continue
    }
    const toChief =
      /(?:Advis[eo]r|Assistant|Counselor)$/i.test(text.slice(from, end)) &&
      /^\sto\sthe\s(?=Chief|President|Chair|CEO)/.exec(rest)
    const link = isLink
      ? null
      : toChief ||
        /^(?:,?\s(?:and|&)\s|,\s|\s\/\s|\s[‒–—-]\s(?=[A-Z])|\s(?:of|for)\s(?=Engineering|Operations|Manufacturing|Sales|Marketing|Finance|Research|Human|Worldwide|Business|Product|Investor|Corporate|Strategy)|\s)/.exec(
          rest,
        )
    if (!isLink && !link) break
    const after = text.slice(at + (link?.[0].length ?? 0), at + (link?.[0].length ?? 0) + 30)
    const [word] = WORD.exec(after) ?? []
    if (
      !word ||
      NO_TITLE.test(after) ||
      !(/^\p{Lu}/u.test(word) || LOWER.has(word.toLowerCase()) || (word === '+' && link))
    )
      break
    // A comma ends the title, unless an office or the field of an office follows.
    if (
      link?.[0].includes(',') &&
      !OFFICE.test(text.slice(at, at + 60).split(/[.;(]/)[0]!) &&
      !isField(text.slice(at + link[0].length, at + link[0].length + 90))
    )
      break
    at += (link?.[0].length ?? 0) + word.length
    end = at
    isLink = false
    count++
  }
  end += /^[–—][Ee]lect\b/.exec(text.slice(end, end + 6))?.[0].length ?? 0
  const title = text.slice(from, end).replace(/(?:,|\sand|\s&)$/, '')
  // "Chairman of the Audit Committee" is not an office of the company.
  if (
    /^\sof\s(?:(?:the|its|our|each)\s)?(?:[A-Z&][\w&,]{0,20}\s|and\s|the\sBoard[’']s\s){0,6}[Cc]ommittee/.test(
      text.slice(from + title.length, from + title.length + 120),
    )
  )
    return null
  if (
    /\bCommittees?\b/.test(title) ||
    /^\sof the (?:Year|Month)\b/.test(text.slice(from + title.length, from + title.length + 14))
  )
    return null
  const span = text.slice(from + title.length, from + title.length + UNIT_SPAN)
  const unit = unitAt(span)
  // Example: "the non-employee director compensation policy"
  if (/director$/i.test(title) && /^\s(?:compensation|fees?|policy|equity|candidates?|nominees?|services)\b/.test(span))
    return null
  if (!OFFICE.test(title) || (/^head$/i.test(title) && unit === '')) return null
  return { title: title + unit, end: from + title.length + unit.length, isElsewhere: isElsewhere(span) }
}

/**
 * Matches "of Delta Industries, Inc.", "at the Sample Foundation". The filer's own name does not match, because "the
 * Company" has replaced it. A bank with N.A. does not match, because it is usually the bank of the filer.
 */
const ELSEWHERE = new RegExp(
  String.raw`^,?\s(?:of|at|for|with)\s(?:the\s)?(?!Company\b)(?:\p{Lu}[\p{L}\d&.’'-]{0,24},?\s(?:(?:&|and|of|for)\s)?){1,7}?(?:(?!N\.A)${PROSE_FORM}|Foundation|University|College|Institute|Association|Hospital|Commission|Council|Authority|Department|Federal Reserve)\b`,
  'u',
)
export const isElsewhere = (rest: string): boolean => (ELSEWHERE.test(rest) || ANOTHER.test(rest)) && !OWN.test(rest)
/**
 * Does the same as `isElsewhere` for a seat on a board. The seat is also elsewhere if the words name any body that is
 * not the filer: "a director of Harbor Steel" (0000950170-23-062135).
 */
export const isSeatElsewhere = (rest: string): boolean => isElsewhere(rest) || (NAMED.test(rest) && !OWN.test(rest))
const NAMED =
  /^\sof\s(?!(?:Compan(?:y|ies)|Registrant|Corporation|Corp|Bank|Firm|Partnership|Trust|Fund|Issuer|Parent|Boards?|Directors|Trustees|Managers|Holdings?|Bancorp)\b)\p{Lu}\p{Ll}/u
const ANOTHER =
  /^,?\s(?:of|at|for|with)\s(?:an?|another)\s[a-z -]{0,40}?(?:company|firm|corporation|institution|organization|business|employer|entity)\b/
const OWN =
  /^[^.;]{0,90}?\b(?:subsidiar(?:y|ies)|(?:division|unit|affiliate) of the Company|the Company[’']s (?:[a-z-]+ ){0,3}(?:subsidiary|division|segment|unit|bank))\b/

const CAPITAL = String.raw`\p{Lu}(?:[\p{L}\d&/™®-]|\.(?=\p{L})){0,24}`
/** Matches "of the Consumer Banking division", "of Asset & Wealth Management", "of its wholly owned subsidiary" */
const UNIT = new RegExp(
  String.raw`^\sof\s(?:(?:its|our|a|an|two|three|four|several|certain|the Company[’']s)\s(?:[\p{L}\d&.-]{1,20}\s){0,4}?(?:divisions?|segments?|business units?|business|units?|subsidiar(?:y|ies))\b|(?:(?:the|its|our)\s)?(?:Company[’']s\s)?(${CAPITAL})(?:,?\s(?:(?:&|and)\s)?(?!(?:Chief|Executive|Senior|Vice|President|Co-|Chair|Director|Member|Secretary|Treasurer|Controller|General|Interim|Principal|Mr|Ms|Mrs|Dr|${PROSE_FORM}|Effective|On)\b)${CAPITAL}){0,6}(?:\s(?:division|segment|business unit|business|unit|region|subsidiary)\b)?)`,
  'u',
)
const UNIT_SPAN = 200
/**
 * Words after "of" that are not a part of the company: terms that a text defines for the filer or one of its bodies,
 * and months.
 */
const NO_UNIT =
  /^(?:Companies|Company|Registrant|Corporation|Corp|Bank|Firm|Partnership|Trust|Fund|Issuer|Parent|Boards?|Directors|Manager|Holdings?|Bancorp|Committee|January|February|March|April|May|June|July|August|September|October|November|December)$/

/**
 * Returns the part of the company that an office belongs to. Without that part, the CEO of a division would look like
 * the CEO of the company (0000019617-26-000241).
 */
function unitAt(rest: string): string {
  const [unit = '', first = ''] = UNIT.exec(rest) ?? []
  return NO_UNIT.test(first) ? '' : unit
}

/** Words of fields and business units after a comma: "Senior Vice President, Floor Products". */
const FIELDS = new Set(
  `accounting administration aerospace affairs americas analytics apparel asia asset audit automotive banking benefits beverage beverages brand brands business capital
  care chain channel chemical chemicals claims client clinical commerce commercial communications compliance construction consumer
  content controls corporate credit culture customer data defense delivery design development devices digital distribution division drilling
  education emea energy engineering entertainment enterprise environmental ethics europe exploration facilities finance food foods franchise gas
  generation global government group growth hardware health healthcare human industrial information innovation insurance
  integration intellectual internal international investments investor it land latin legal lending licensing logistics
  maintenance manufacturing marketing markets materials media medical merchandising mining mobile mobility network networks north operations oil
  payments people pharma planning platform policy portfolio power preclinical procurement product production products
  programming programs project projects property public purchasing quality real regulatory relations reporting research
  residential resources restaurants retail risk safety sales science scientific security services software solutions sourcing steel storage store
  stores strategic strategy studios subsidiary supply sustainability systems talent tax technical technologies technology trading
  training transformation transmission transportation treasury underwriting wealth wholesale wireless worldwide`.split(
    /\s+/,
  ),
)
const RUN = /^(?:(?:and|&|of)\s)?[A-Z][\w&-]{0,24}(?:(?:,?\s(?:and|&)\s|\sof\s|\s)[A-Z][\w&-]{0,24}){0,5}/

/** Tests for a word of a field: "Senior Vice President Special Projects". */
export const isFieldWord = (word: string): boolean => FIELDS.has(word.toLowerCase())

/** Tests whether the text begins with a field or a business unit. */
const isField = (text: string): boolean =>
  (RUN.exec(text)?.[0] ?? '').split(/[\s,&-]+/).some((word) => FIELDS.has(word.toLowerCase()))

const BEFORE =
  /^(?:(?:an?|the|its|our|their|his|her|both|new|next|permanent|full-time|successor|sole|newly formed|newly created|additional|long-?standing|long-?time|former|current|currently|existing|formerly)\s|(?!(?:[a-z]+ly\s)?(?:notified|informed|advised|told|met|joined|succeeded|replaced|serve[sd]?|reports?|reported|departing|leaving|retiring|resigning|stepping|[a-z]+ed\s(?:under|by|in|with|to|for|on|at|from|pursuant))\b)(?:the\s)?(?:[\p{L}\d.,&“”"()-]{1,30}\s){0,4}?[\p{L}\d.&-]{1,30}(?:[’']s?|[’'])\s){0,3}/u

const ARTICLE = /^(?:(?:an?|the|its|our|their|his|her|new|former|current|sole|elected(?=\sofficers?\b))\s){1,3}/

/** Does the same as `titleAt`, but skips words such as "the Company’s current" before the title. */
export function titleFrom(text: string, from: number): Title | null {
  const direct = titleAt(text, from)
  if (direct) return direct
  // Only an article is skipped first: in "the President of the Company’s subsidiary", the possessive belongs to the
  // title.
  const [article = ''] = ARTICLE.exec(text.slice(from, from + 40)) ?? []
  const own = article === '' ? null : titleAt(text, from + article.length)
  if (own) return own
  const [before = ''] = BEFORE.exec(text.slice(from, from + 160)) ?? []
  return before === '' ? null : titleAt(text, from + before.length)
}

/** Maximum length of a title before a name. */
const BEFORE_MAX = 140
/**
 * After a comma, an office applies to the next name only if a possessive or an article precedes the office: "its
 * President, Ada Sample".
 */
const OF_NEXT = /(?:^|\s)(?:its|our|the|their|current|former|[\p{L}.]{1,30}[’']s?)\s(?:sole\s)?$/u

/**
 * Reads the title that ends before a name: "Chief Financial Officer Ada Sample", "its President, Ada Sample".
 */
export function titleBefore(text: string, to: number): string | null {
  const isComma = text[to - 2] === ','
  const end = to - (isComma ? 2 : 1)
  if (text[to - 1] !== ' ') return null
  if (/\b(?:[Bb]oard|BOD) members? $/.test(text.slice(Math.max(0, to - 16), to))) return 'director'
  const from = Math.max(0, to - BEFORE_MAX)
  for (const { index } of text.slice(from, end).matchAll(/(?<![\p{L}\d’'.&-])\p{L}/gu)) {
    const found = titleAt(text, from + index)
    if (found?.end !== end || found.isElsewhere) continue
    if (isComma && !OF_NEXT.test(text.slice(Math.max(0, from + index - 40), from + index))) continue
    return /^directors?$/i.test(found.title) ? 'director' : found.title
  }
  return null
}

const BOARD = String.raw`(?:(?:the|its|our|their)\s)?(?:(?:(?!and\s|[Cc]hair|[Ss]ecretary\b|[Pp]resident\b|[Oo]fficer\b)[\p{L}\d.&-]{1,24}\s){0,4}?(?!and\s)[\p{L}\d.&-]{1,24}[’']s?\s)?(?:the\s)?[Bb]oards?(?:\sof\s(?:[Dd]irectors|Trustees|Managers))?(?![’'])(?!\s(?:member|seat|[Cc]hair|committee|meeting|appointed|elected|named|accepted|approved|has|had|determined|also|intends|will)\b)`
const DIRECTOR = String.raw`(?:[Dd]irector|[Tt]rustee)s?\b(?!\s[-–—]\s|\s(?:of\s(?:(?!the\s|our\s|its\s)[a-z]|[A-Z][a-z]+ing\b)|of\s[^.;,]{0,40}\b(?:plan|fund|foundation|estate)\b|emerit|nominee))`
const OF_BOARD = new RegExp(
  String.raw`^(?:one\s|as\s|from\s|to\s|of\s|on\s|serve\s|be\s|join\s|joined\s|and\s|also\s|a\s|an\s|new\s|independent\s|outside\s|sole\s|additional\s|the\s|its\s|our\s|either\s|two\s|three\s|(?:Class|Series)\s(?:I{1,3}|[A-C1-3])\s|(?:the\s)?Company\s|non-employee\s|non-executive\s|Company[’']s\s|position\s|his\s|her\s|seat\s){0,7}(?:${DIRECTOR}|(?:[Bb]oard\s)?members?\sof\s${BOARD}|[Bb]oard\smembers?\b(?!\sof\b)|${BOARD})`,
  'u',
)

/** Tests for a seat on the board: "as a member of the Board", "to the Board", "as a Class I director". */
export const isSeat = (text: string): boolean => OF_BOARD.test(text)
