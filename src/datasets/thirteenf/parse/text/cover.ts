/** Reads the cover and summary of a Form 13F in text, before 2013: only the form's own sentences and boxes. */
import { ANY_DAY, dayInFigures, dayOf } from '../../../../read/prose/dates.ts'
import type { Cover, Findings, OtherManager } from '../types.ts'
import { AMENDMENT_TYPES, fileNumber, note, REPORT_TYPES, whole } from '../values.ts'

/**
 * Reads the first cover of the text: a filing may repeat the cover for every manager that it includes
 * (0000950150-00-000118 has nineteen). Skips addresses and places of signature; EDGAR's header has them in separate
 * fields.
 *
 * @param submissionType as in EDGAR's header
 */
export function parseTextCover(text: string, submissionType: string, found: Findings): Cover {
  const flat = text.replaceAll('\r', '')
  const second = nth(flat, /form 13f(-hr)?(\/a)? cover page/gi, 2)
  const first = second < 0 ? flat : flat.slice(0, second)
  const ended = ENDED.exec(first)
  return {
    submissionType,
    cik: null,
    period: periodIn(first, found),
    reportType: reportTypeIn(first, found),
    isAmendment: submissionType.endsWith('/A'),
    amendmentNo: integerIn(/amendment (?:number|no\.?):?[\s_#]*(\d{1,3})(?![\da-z])/i.exec(first)?.[1]),
    amendmentType: amendmentType(first, submissionType, found),
    confidentialEnded: ended === null ? null : true,
    dateEnded: null,
    dateReported: dayOf(ended?.[1]?.replace(/\s+/g, ' ')),
    reasonEnded: ended?.[2]?.replace(/\s+/g, ' ') ?? null,
    managerName: labelled(first, /manager filing this report:?/i, 'Name'),
    ...NO_ADDRESS,
    fileNumber: fileNumberIn(first),
    crd: null,
    secFileNumber: null,
    instruction5: null,
    additionalInformation: null,
    signer: labelled(first, SIGNER, 'Name'),
    signerTitle: labelled(first, SIGNER, 'Title'),
    signerPhone: labelled(first, SIGNER, 'Phone'),
    signature: null,
    signedCity: null,
    signedState: null,
    signed: signedIn(first),
    ...totals(first, found),
    confidentialOmitted: /confidential information has been omitted/i.test(flat) ? true : null,
    managers: managersOf(first),
  }
}

const NO_ADDRESS = { street1: null, street2: null, city: null, state: null, zip: null }

/**
 * The sentence that Form 13F requires above an amendment that discloses formerly confidential holdings
 * (0000950150-03-000988).
 */
const ENDED =
  /this filing lists securities holdings reported on the form 13f\s+filed\s+on\s+([A-Z]+\s+\d{1,2},\s+\d{4})\s+pursuant\s+to\s+a\s+request\s+for\s+confidential\s+treatment\s+and\s+for\s+which\s+([^.]{1,300})\./i

/** A day in figures that is not part of a longer number, such as a telephone number. */
const FIGURES = '(?<![\\d/-])(\\d{1,2}[/-]\\d{1,2}[/-](?:\\d{4}|\\d{2})|\\d{4}-\\d{2}-\\d{2})(?![\\d/-])'
const PERIOD = new RegExp(`^[\\s:_[]{0,99}(?:${ANY_DAY}|${FIGURES})`, 'i')
/** Inserts the blank that filers left out after the comma of a day: `May 12,2000` becomes `May 12, 2000`. */
const spaced = (text: string): string => text.replace(/(?<=\d),(?=(?:19|20)\d\d\b)/g, ', ')
/** The last day that a text can be about, since reports are in XML since 2013: it decides the century of `3/31/99`. */
const LAST_DAY = '2013-12-31'

/**
 * Reads the period after the words of its label. If other text with digits follows, returns null and records a problem.
 */
function periodIn(text: string, found: Findings): string | null {
  const labels = [...text.matchAll(/quarter ended/gi)].slice(0, LABELS_MAX)
  const following = labels.map(({ index, 0: label }) => spaced(text.slice(index + label.length).slice(0, 200)))
  for (const stated of following) {
    const [, words, figures] = PERIOD.exec(stated) ?? []
    const day = dayFrom(words, figures)
    if (day !== null) return day
  }
  const line = (following[0] ?? '')
    .replace(/^[\s:_[]{1,99}/, '')
    .split('\n')[0]!
    .trim()
  if (/^\W{0,9}\w{0,9}\W{0,3}\d/.test(line)) note(found, 'period', line, 'is not a valid day')
  return null
}
/** Maximum number of labels that are tried: a cover has one, and instructions may mention the words too. */
const LABELS_MAX = 5

const dayFrom = (words: string | undefined, figures: string | undefined): string | null =>
  words === undefined ? dayInFigures(figures ?? '', LAST_DAY) : dayOf(words.replace(/\s+/g, ' '))

/** Reads the kind of report whose box is checked; null with a problem if several boxes are checked. */
function reportTypeIn(text: string, found: Findings): Cover['reportType'] {
  const types = new Set(checked(text, /13F (?:HOLDINGS REPORT|NOTICE|COMBINATION REPORT)/))
  if (types.size > 1) note(found, 'report type', [...types].join(', '), 'are several kinds of report')
  const [type] = types
  return (types.size === 1 && REPORT_TYPES.get(type!)) || null
}

/** Reads `Form 13F File Number: 28-1234`, and the label in other words: `13F File No.: 28 - 1234`. */
const fileNumberIn = (text: string): string | null =>
  fileNumber(/13f file (?:number|no\.?|#)\s?:\s{0,99}(0?28 ?- ?\d+)/i.exec(text)?.[1]?.replaceAll(' ', '') ?? null)

/**
 * A checked box before its words: `[X]`, `[ x ]`, `[XX]`, `(X)`, `/X/`, `_X_`, or an X that begins the line.
 */
const BOX = String.raw`(?:\[[\s_]{0,9}[xX]{1,2}[\s_]{0,9}\]|\([\s_]{0,9}[xX]{1,2}[\s_]{0,9}\)|/\s{0,9}[xX]{1,2}\s{0,9}/|(?<![^\s_])_{1,9}[xX]{1,2}_{0,9}(?![^\s_])|^[ \t]{0,80}[xX](?=[ \t]))\s{0,99}`
const ANY_BOX = String.raw`(?:\[[\s_]{0,5}[xX]{0,2}[\s_]{0,5}\]|\([\s_]{0,5}[xX]{0,2}[\s_]{0,5}\))`
const BOX_BEFORE = new RegExp(`${ANY_BOX}[ \\t]{0,9}$`)

/**
 * Returns the words whose box is checked, in capitals. A text has all boxes before the words, or all after them. They
 * are after the words (`13F NOTICE [X]`) if the first words have a box after them on their line, and no box before
 * them.
 */
function checked(text: string, words: RegExp): string[] {
  const first = new RegExp(words.source, 'i').exec(text)
  const after = [...text.matchAll(new RegExp(`(${words.source})[a-z .,:]{0,60}(${ANY_BOX})`, 'gi'))]
  const isAfter =
    first !== null && after[0]?.index === first.index && !BOX_BEFORE.test(text.slice(0, first.index).slice(-30))
  const found = isAfter
    ? after.filter(([, , box]) => /x/i.test(box!))
    : [...text.matchAll(new RegExp(`${BOX}(${words.source})`, 'gim'))]
  return found.map(([, word]) => word!.toUpperCase())
}

/**
 * Returns the kind of amendment whose box is checked. Returns null if neither or both of the boxes are checked; for an
 * amendment that is a problem.
 */
function amendmentType(text: string, submissionType: string, found: Findings): Cover['amendmentType'] {
  const boxes = checked(text, /is a restat|adds new holding/)
  const restates = boxes.includes('IS A RESTAT')
  const adds = boxes.includes('ADDS NEW HOLDING')
  if (restates !== adds) return AMENDMENT_TYPES.get(restates ? 'RESTATEMENT' : 'NEW HOLDINGS')!
  if (submissionType.endsWith('/A')) note(found, 'amendment', null, 'neither or both kinds of amendment are checked')
  return null
}

function totals(text: string, found: Findings) {
  const of = (label: RegExp) => {
    const value = new RegExp(`${label.source}[:.\\s_]*(?:\\$\\s*)?([\\d,]+)`, 'i').exec(text)?.[1]
    return value === undefined ? null : value.replace(/(?<!,),+$/, '')
  }
  return {
    managersCount: integerIn(of(/number of other included managers/)),
    declaredEntries: integerIn(of(/information table entry total/)),
    ...valueTotal(text, found),
  }
}

/**
 * Reads the total of values. The form requires thousands. A total that the filer gives in millions or billions is exact
 * only to its last digit (`declaredStep`). A single M may mean thousands or millions, so a number of four or more
 * digits with a single M is left out. A number whose points may separate thousands is left out too.
 */
function valueTotal(text: string, found: Findings): Pick<Cover, 'declaredValue' | 'declaredStep'> {
  const label =
    /information table value total(?:[:.\s_]|\((?:(?:in )?\$? ?thousands|x ?\$? ?1,?000|\$? ?000'?s?(?: omitted)?)\)){0,200}(?:\$\s*)?(\d[\d,'’]*(?:\.\d+)*)/i.exec(
      text,
    )
  if (label === null) return { declaredValue: null }
  const following = text.slice(label.index + label[0].length, label.index + label[0].length + 160)
  const unit =
    /^[\s_)-]*(?:\(\s*)?(?:u\.?s\.?\s*)?(?:(?:\$|dollars)\s*)?(?:in\s+)?(?:\$\s*)?(million|billion|mm?\b|bn\b|000,000|1,000,000)/i.exec(
      following,
    )
  const power = unit === null ? 0 : /^b/i.test(unit[1]!) ? 6 : 3
  const [digits = '', fraction = '', ...more] = label[1]!.replace(/[,'’]/g, '').split('.')
  const isUnclear =
    more.length > 0 ||
    (fraction.length === 3 && digits.length <= 3 && unit === null) ||
    (/^m$/i.test(unit?.[1] ?? '') && digits.length > 3)
  if (isUnclear) {
    note(found, 'information table value total', `${label[1]}${unit?.[0] ?? ''}`, 'has more than one possible amount')
    return { declaredValue: null }
  }
  const filled = digits + fraction.padEnd(power, '0').slice(0, power)
  const read = whole(filled)
  if ('reason' in read) note(found, 'information table value total', label[1]!, read.reason)
  const step = power === 0 ? 1 : 10 ** Math.max(power - fraction.length, 0)
  return {
    declaredValue: 'digits' in read ? read.digits.replace(/^0+(?=\d)/, '') : null,
    ...(step > 1 ? { declaredStep: step } : {}),
  }
}

function managersOf(text: string): OtherManager[] {
  const page = text.search(/form 13f summary page|report summary/i)
  const before = after(page < 0 ? text : text.slice(0, page), /managers reporting for this manager:?/i)
  const included = after(page < 0 ? text : text.slice(page), /list of other included managers:?/i)
  const table = included.search(/information table|<\/table>/i)
  return [
    ...[...before.matchAll(/^[ \t]*(0?28- ?\d*)[ \t]{2,}(\S.*)$/gm)].map((found) =>
      manager('reports_for_this', null, found[1]!, wholeName(found, found[2]!)),
    ),
    ...[
      ...(table < 0 ? included : included.slice(0, table)).matchAll(
        /^[ \t]*(\d{1,3})[.)]?[ \t]+(0?28- ?\d*)_*(?:[ \t]{2,}|(?<=\d)[ \t])(\S.*)$/gm,
      ),
    ].map((found) => manager('included_here', Number(found[1]), found[2]!, wholeName(found, found[3]!))),
  ]
}

/** Maximum number of characters by which the second line of a name may begin left of its first line. */
const OUTDENT_MAX = 2

/** Adds the line below, if a name goes on there: the line has one group of words, below the name or right of it. */
function wholeName({ index, input, 0: line }: RegExpExecArray, name: string): string {
  const column = line.length - name.length
  const below = /^\r?\n([ \t]{3,})([a-z&(]\S*(?: \S+)*)[ \t]*\r?$/im.exec(
    input.slice(index + line.length).slice(0, 200),
  )
  const isNext = below?.index === 0 && below[1]!.length >= column - OUTDENT_MAX
  return isNext ? `${name.trimEnd()} ${below[2]}` : name.trimEnd()
}

/**
 * The file number is null if it is only `28-`, as managers write a number that is not assigned yet
 * (0000950134-09-010823).
 */
const manager = (list: OtherManager['list'], sequence: number | null, number: string, name: string): OtherManager => ({
  list,
  sequence,
  cik: null,
  fileNumber: /\d$/.test(number.slice(3)) ? fileNumber(number) : null,
  crd: null,
  secFileNumber: null,
  name,
})

/** The headings that end the lines about a manager or a signer. Below them, `Name:` has the name of someone else. */
const NEXT_HEADING =
  /persons?\s{1,9}signing\s{1,9}this\s{1,9}report|signature,\s{1,9}place|report\s{1,9}type|summary page|list of other/i
/** The heading above who signs; some filers write "Persons", and separate the words by two blanks. */
const SIGNER = /persons?\s{1,9}signing\s{1,9}this\s{1,9}report/i
/** A label in the next column of the same line: `Name: Marc D. Hamburg   Title: President`. */
const NEXT_LABEL =
  /(?<=[ \t]{2})(?:name|title|phone|address|telephone|city|state|zip|form 13f file number)(?: \w{1,10})?:/i

/** Finds `Name:  Marc D. Hamburg` after a heading and before the next heading. */
function labelled(text: string, heading: RegExp, label: string): string | null {
  const below = after(text, heading).slice(0, 1_500)
  const end = below.search(NEXT_HEADING)
  const part = end < 0 ? below : below.slice(0, end)
  const line = new RegExp(`(?:^|[ \\t]{2})[ \\t]*${label}:[ \\t]*(\\S.*)$`, 'im').exec(part)?.[1]
  const value = (line ?? '').split(NEXT_LABEL)[0]!.replace(/^[\s_]+|(?<![\s_])[\s_]+$/g, '')
  return value === '' || /^(?:name|title|phone|address):/i.test(value) ? null : value
}

/**
 * Finds the first day in the block of signatures: `(s) Marc D. Hamburg   Omaha, NE   February 12, 1999`. A day in
 * figures must stand above the next heading.
 */
function signedIn(text: string): string | null {
  const block = spaced(after(text, SIGNED_BELOW).slice(0, 800))
  const words = SIGNED.exec(block)?.[1]
  return dayFrom(words, IN_FIGURES.exec(block.split(/report\s{1,9}type/i)[0]!)?.[1])
}
const SIGNED_BELOW = /signature,\s{1,9}place,?\s{1,9}and\s{1,9}date\s{1,9}of\s{1,9}signing:?/i
const SIGNED = new RegExp(`\\b${ANY_DAY}`, 'i')
const IN_FIGURES = new RegExp(FIGURES)

function after(text: string, heading: RegExp): string {
  const found = heading.exec(text)
  return found === null ? '' : text.slice(found.index + found[0].length)
}

function nth(text: string, pattern: RegExp, count: number): number {
  const found = [...text.matchAll(pattern)][count - 1]
  return found?.index ?? -1
}

const integerIn = (text: string | null | undefined): number | null =>
  text === null || text === undefined || !/^[\d,]{1,9}$/.test(text) ? null : Number(text.replaceAll(',', ''))
