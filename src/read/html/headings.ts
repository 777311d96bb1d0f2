/** Which paragraphs are headings, by what is seen of them. */
import type { Block, Paragraph } from './block.ts'
import type { Look } from './style.ts'

const HEADING_MAX = 200
const TARGET_MAX = 120
const WORDS_MAX = 8
/** Capitals above a table that name it: `CONSOLIDATED BALANCE SHEETS`, not `PAGE`. */
const LAID_MIN = 15
const LETTERS = /\p{L}.*\p{L}.*\p{L}/u
const COVER_END = /^(?:part\s+i\b|items?\s+\d|(?:table of )?contents$|index$)/i
/** Blocks of the longest cover. */
const COVER_MAX = 150
/** `Item 7A.`, `PART II`, `Note 3`, `ARTICLE IV`: what is numbered like this is a heading if anything sets it apart. */
const NUMBERED = /^(?:part\s+[ivx]+\b|item\s+\d+[a-c]?\b|signatures?$)/i
const PART = /^part\s+[ivx]+\b/i
const ITEM = /^items?\s+\d+[a-c]?\b/i

/** An address, a date or a number to call, as covers have them in bold: no title of anything. */
const NO_TITLE =
  /^[(☐☒☑✓•]|\b\d{5}(?:-\d{4})?$|^(?:january|february|march|april|may|june|july|august|september|october|november|december)\s+\d|:\s*\S+$|^(?:page|not applicable|none)$/i
/** The names by which covers say what the document is. */
const DOCUMENT =
  /^(?:form\s|schedule\s|(?:annual|quarterly|current|semi-?annual)\s+report|prospectus|(?:proxy|registration) statement|notice of|table of contents|contents$|index$)/i

/** What is known of the whole document when its headings are told. */
export interface Setting {
  /** Size of most of the text, in points. */
  bodySize: number
  /** Names of anchors to which links lead. */
  linked: ReadonlySet<string>
  /** Whether the text is that of the cover, before the first item or the contents. */
  cover: boolean
}

/** How a heading is set apart, greater the more; 0 for what is no heading. */
export function weightOf(paragraph: Paragraph, { bodySize, linked, cover }: Setting): number {
  const { plain, spans, level, item, laid } = paragraph
  if (plain.length > HEADING_MAX || item !== null || !LETTERS.test(plain) || plain.includes('\ufffc')) return 0
  if (level > 0) return 1000 - level
  if (NO_TITLE.test(plain) || plain.split('\n').length > 3) return 0
  const look = commonLook(paragraph)
  const capitals = /\p{Lu}{2}/u.test(plain) && !/\p{Ll}/u.test(plain)
  const centered = spans[0]!.look.align === 'center'
  const large = look.size >= bodySize * 1.15
  const numbered = NUMBERED.test(plain)
  if (cover && !large && !DOCUMENT.test(plain) && !numbered) return 0
  if (laid && !numbered && !(capitals && plain.length >= LAID_MIN)) return 0
  // The table of contents leads here.
  const target =
    plain.length <= TARGET_MAX && !/[.,;:]$/.test(plain) && paragraph.anchors.some((name) => linked.has(name))
  const apart =
    look.bold ||
    (capitals && (centered || look.underline || numbered)) ||
    (large && (centered || plain.length < 80)) ||
    (numbered && (look.underline || centered || paragraph.anchors.length > 0)) ||
    target
  if (!apart) return look.underline && !centered && plain.length <= 100 && !/[.,;:]$/.test(plain) ? 1 : 0
  // A sentence, as titles of risk factors are: set in bold it reads as what it is.
  const sentence = /[.:]$/.test(plain) && plain.split(' ').length > WORDS_MAX && !numbered
  if (/[,;]$/.test(plain) || sentence) return 0
  return (
    Math.round(look.size * 4) * 2 +
    (capitals ? 6 : 0) +
    (centered ? 3 : 0) +
    (look.bold ? 4 : 0) +
    (look.underline ? 1 : 0)
  )
}

/** Where the cover ends: before the first part, item or contents; 0 for a document without. */
export function coverEnd(blocks: readonly Block[]): number {
  const first = blocks.findIndex((block) => block.kind === 'paragraph' && COVER_END.test(block.plain))
  return first > COVER_MAX ? 0 : Math.max(first, 0)
}

/** What all text of a paragraph has in common. */
function commonLook({ plain, spans }: Paragraph): { bold: boolean; underline: boolean; size: number } {
  let bold = true
  let underline = true
  let size = 0
  for (const [index, { start, look }] of spans.entries()) {
    if (!/[\p{L}\p{N}]/u.test(plain.slice(start, spans[index + 1]?.start ?? plain.length))) continue
    bold &&= look.bold
    underline &&= look.underline
    size = Math.max(size, look.size)
  }
  return { bold, underline, size }
}

export type Level = 1 | 2 | 3 | 4 | 5 | 6

/** What a heading stands under: those before it that weigh more. */
export interface Outline {
  level(heading: Paragraph, weight: number): Level
}

/**
 * Levels by what stands before: a heading is one level below the last that weighs more. Parts are 1 and items 2, and where
 * a document has items, all others stand below.
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

/** The size of most of the text, in points. */
export function bodySizeOf(paragraphs: Iterable<{ plain: string; spans: readonly { look: Look }[] }>): number {
  const sizes = new Map<number, number>()
  for (const { plain, spans } of paragraphs) {
    const { size } = spans[0]!.look
    sizes.set(size, (sizes.get(size) ?? 0) + plain.length)
  }
  let body = 10
  let most = 0
  for (const [size, count] of sizes) if (count > most) [body, most] = [size, count]
  return body
}
