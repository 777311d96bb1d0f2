/** Decides which paragraphs are headings, by their computed style. */
import { allOf, firstOf, type Signal, sumOf, type Weighted } from '../signals.ts'
import type { Block, Paragraph } from './block.ts'
import type { ComputedStyle } from './style.ts'

const HEADING_MAX = 200
const TARGET_MAX = 120
const WORDS_MAX = 8
/**
 * Minimum number of letters of a line in capitals that is the name of the table below the line: `CONSOLIDATED BALANCE
 * SHEETS`, not `PAGE`.
 */
const LAID_MIN = 15
const LETTERS = /\p{L}.*\p{L}.*\p{L}/u
const COVER_END = /^(?:part\s+i\b|items?\s+\d|(?:table of )?contents$|index$)/i
/** Maximum number of blocks of a cover. */
const COVER_MAX = 150
/**
 * Matches `PART II`, `Item 7A.` and `SIGNATURES`. For such a paragraph, weaker signs than for other paragraphs are
 * enough to count it as a heading.
 */
const NUMBERED = /^(?:part\s+[ivx]+\b|item\s+\d+[a-c]?\b|signatures?$)/i
const PART = /^part\s+[ivx]+\b/i
const ITEM = /^items?\s+\d+[a-c]?\b/i

/**
 * Matches an address, a date, a phone number, a checkbox or a remark in parentheses: covers print them in bold, but
 * they are not titles.
 */
const NO_TITLE =
  /^[(☐☒☑✓•]|\b\d{5}(?:-\d{4})?$|^(?:january|february|march|april|may|june|july|august|september|october|november|december)\s+\d|:\s*\S+$|^(?:page|not applicable|none)$/i
/** Matches the name of the document, which its cover states. */
const DOCUMENT =
  /^(?:form\s|schedule\s|(?:annual|quarterly|current|semi-?annual)\s+report|prospectus|(?:proxy|registration) statement|notice of|table of contents|contents$|index$)/i

/** Facts about the document, and about the position in it, that help to decide on headings. */
export interface Setting {
  /** Size of most of the text, in points. */
  bodySize: number
  /** Names of anchors that are link targets. */
  linked: ReadonlySet<string>
  /** Whether the text is part of the cover, before the first item or the table of contents. */
  cover: boolean
}

/** Features of a paragraph that may be a heading. */
interface Seen {
  paragraph: Paragraph
  setting: Setting
  computed: ReturnType<typeof commonStyle>
  isCapitals: boolean
  isCentered: boolean
  isLarge: boolean
  isNumbered: boolean
}

/** Signs that a paragraph is text, whatever its computed style is: the first sign that applies decides. */
const NEVER: readonly Signal<Paragraph>[] = [
  { name: 'longer than a title', weight: 0, test: ({ plain }) => plain.length > HEADING_MAX },
  { name: 'item of a list', weight: 0, test: ({ item }) => item !== null },
  { name: 'fewer than three letters', weight: 0, test: ({ plain }) => !LETTERS.test(plain) },
  { name: 'picture', weight: 0, test: ({ plain }) => plain.includes('\ufffc') },
]

/** Signs that a paragraph without a heading element is text. */
const TEXT: readonly Signal<Paragraph>[] = [
  { name: 'address, date or number to call', weight: 0, test: ({ plain }) => NO_TITLE.test(plain) },
  { name: 'more than three lines', weight: 0, test: ({ plain }) => plain.split('\n').length > 3 },
]

/** Signs that a paragraph is set apart only because of its position, and not because it is a heading. */
const BY_PLACE: readonly Signal<Seen>[] = [
  {
    name: 'bold text of the cover',
    weight: 0,
    test: ({ paragraph: { plain }, setting: { cover }, isLarge, isNumbered }) =>
      cover && !isLarge && !DOCUMENT.test(plain) && !isNumbered,
  },
  {
    name: 'note of a table',
    weight: 0,
    test: ({ paragraph: { plain, laid }, isCapitals, isNumbered }) =>
      laid && !isNumbered && !(isCapitals && plain.length >= LAID_MIN),
  },
]

/** Signs that set a paragraph apart from text; one of these signs is enough. */
const APART: readonly Signal<Seen>[] = [
  { name: 'bold', weight: 0, test: ({ computed }) => computed.bold },
  {
    name: 'capitals, centered, underlined or numbered',
    weight: 0,
    test: ({ computed, isCapitals, isCentered, isNumbered }) =>
      isCapitals && (isCentered || computed.underline || isNumbered),
  },
  {
    name: 'large, centered or short',
    weight: 0,
    test: ({ paragraph, isLarge, isCentered }) => isLarge && (isCentered || paragraph.plain.length < 80),
  },
  {
    name: 'numbered, underlined, centered or with an anchor',
    weight: 0,
    test: ({ paragraph, computed, isCentered, isNumbered }) =>
      isNumbered && (computed.underline || isCentered || paragraph.anchors.length > 0),
  },
  {
    name: 'the table of contents leads to it',
    weight: 0,
    test: ({ paragraph: { plain, anchors }, setting: { linked } }) =>
      plain.length <= TARGET_MAX && !/[.,;:]$/.test(plain) && anchors.some((name) => linked.has(name)),
  },
]

const UNDERLINED: Signal<Seen> = {
  name: 'underlined line of text',
  weight: 1,
  test: ({ paragraph: { plain }, computed, isCentered }) =>
    computed.underline && !isCentered && plain.length <= 100 && !/[.,;:]$/.test(plain),
}

/**
 * Signs that a bold paragraph is a sentence, for example the title of a risk factor. Such a paragraph counts as text.
 */
const SENTENCES: readonly Signal<Seen>[] = [
  { name: 'ends within a sentence', weight: 0, test: ({ paragraph: { plain } }) => /[,;]$/.test(plain) },
  {
    name: 'sentence',
    weight: 0,
    test: ({ paragraph: { plain }, isNumbered }) =>
      /[.:]$/.test(plain) && plain.split(' ').length > WORDS_MAX && !isNumbered,
  },
]

/**
 * The sum of these weights states how far a heading is set apart. The size of the letters counts more than all of these
 * weights together.
 */
const WEIGHTS: readonly Signal<Seen>[] = [
  { name: 'capitals', weight: 6, test: ({ isCapitals }) => isCapitals },
  { name: 'bold', weight: 4, test: ({ computed }) => computed.bold },
  { name: 'centered', weight: 3, test: ({ isCentered }) => isCentered },
  { name: 'underlined', weight: 1, test: ({ computed }) => computed.underline },
]

interface Judged {
  /** How far the heading is set apart: a greater number means further apart, and 0 means text. */
  weight: number
  /** The first signal is the sign that decides between heading and text; the weights follow. */
  signals: readonly Weighted[]
}

/** Returns how far a heading is set apart: a greater number means further apart, and 0 means text. */
export const weightOf = (paragraph: Paragraph, setting: Setting): number => headingOf(paragraph, setting).weight

/**
 * Returns the weight of a heading with the signs from which it was computed. If a sign makes the paragraph text,
 * returns the weight 0 with this sign.
 */
export function headingOf(paragraph: Paragraph, setting: Setting): Judged {
  const { plain, spans, level } = paragraph
  const never = firstOf(NEVER, paragraph)
  if (never) return { weight: 0, signals: [never] }
  if (level > 0) return { weight: 1000 - level, signals: [{ name: `h${level}`, weight: 1000 - level }] }
  const text = firstOf(TEXT, paragraph)
  if (text) return { weight: 0, signals: [text] }
  const computed = commonStyle(paragraph)
  const seen: Seen = {
    paragraph,
    setting,
    computed,
    isCapitals: /\p{Lu}{2}/u.test(plain) && !/\p{Ll}/u.test(plain),
    isCentered: spans[0]!.computed.align === 'center',
    isLarge: computed.size >= setting.bodySize * 1.15,
    isNumbered: NUMBERED.test(plain),
  }
  const place = firstOf(BY_PLACE, seen)
  if (place) return { weight: 0, signals: [place] }
  const apart = firstOf(APART, seen)
  if (!apart) return UNDERLINED.test(seen) ? { weight: UNDERLINED.weight, signals: [UNDERLINED] } : NOT_APART
  const sentence = firstOf(SENTENCES, seen)
  if (sentence) return { weight: 0, signals: [sentence] }
  const size = Math.round(computed.size * 4) * 2
  const signals = [apart, { name: `${computed.size} points`, weight: size }, ...allOf(WEIGHTS, seen)]
  return { weight: sumOf(signals), signals }
}

const NOT_APART: Judged = { weight: 0, signals: [{ name: 'nothing sets it apart', weight: 0 }] }

/** Returns where the cover ends, which is before the first part, item or contents. Returns 0 if there is no cover. */
export function coverEnd(blocks: readonly Block[]): number {
  const first = blocks.findIndex((block) => block.kind === 'paragraph' && COVER_END.test(block.plain))
  return first > COVER_MAX ? 0 : Math.max(first, 0)
}

/**
 * Returns the style of a paragraph: whether all its letters and digits are bold, whether all are underlined, and the
 * largest size.
 */
function commonStyle({ plain, spans }: Paragraph): { bold: boolean; underline: boolean; size: number } {
  let bold = true
  let underline = true
  let size = 0
  for (const [index, { start, computed }] of spans.entries()) {
    if (!/[\p{L}\p{N}]/u.test(plain.slice(start, spans[index + 1]?.start ?? plain.length))) continue
    bold &&= computed.bold
    underline &&= computed.underline
    size = Math.max(size, computed.size)
  }
  return { bold, underline, size }
}

export type Level = 1 | 2 | 3 | 4 | 5 | 6

/** The headings so far, which decide the level of the next heading. */
export interface Outline {
  level(heading: Paragraph, weight: number): Level
}

/**
 * Assigns a level to each heading by the headings before it: a heading is one level below the last heading that weighs
 * more. Parts have level 1 and items level 2. If a document has items, all other headings are below them.
 */
export function openOutline(): Outline {
  let above: { weight: number; level: number }[] = []
  return {
    level({ plain }, weight) {
      if (PART.test(plain)) above = [{ weight: Infinity, level: 1 }]
      else if (ITEM.test(plain)) above = [{ weight: Infinity, level: 2 }]
      else {
        while (above.length > 0 && above.at(-1)!.weight <= weight) above.pop()
        above.push({ weight, level: weight > 900 ? 1000 - weight : Math.min((above.at(-1)?.level ?? 0) + 1, 6) })
      }
      return above.at(-1)!.level as Level
    },
  }
}

/** Returns the size of most of the text, in points. */
export function bodySizeOf(
  paragraphs: Iterable<{ plain: string; spans: readonly { computed: ComputedStyle }[] }>,
): number {
  const sizes = new Map<number, number>()
  for (const { plain, spans } of paragraphs) {
    const { size } = spans[0]!.computed
    sizes.set(size, (sizes.get(size) ?? 0) + plain.length)
  }
  let body = 10
  let most = 0
  for (const [size, count] of sizes) if (count > most) [body, most] = [size, count]
  return body
}
