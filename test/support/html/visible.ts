/**
 * The visible text of an HTML document, by a plain walk over the tags that htmlparser2 pairs. This walk uses no part of
 * the tested reader.
 */
import { decodeHTML } from 'entities'
import { Parser } from 'htmlparser2'

const HIDDEN = new Set(
  'head script style template noscript object applet select datalist audio video canvas svg iframe noembed noframes title textarea ix:header ix:hidden'.split(
    ' ',
  ),
)
/** Inline elements: the text before such an element and the text after it form one word. */
const INLINE = new Set(
  'a abbr acronym b bdi bdo big c cite code del dfn em f1 f2 f3 f4 f5 f6 font i ins kbd label mark nobr q s samp small span strike strong tt u var wbr'.split(
    ' ',
  ),
)

/** An open element: the action at its end tag, and whether its text is visible. */
interface Open {
  side: string
  seen: boolean
}

/** Returns text with a blank wherever a line, a cell, or superscript or subscript text begins or ends. */
export function visibleText(html: string): string {
  const pieces: string[] = []
  const stack: Open[] = []
  let seen = true
  /** Number of open elements from the outermost hidden element inward, counting the hidden element itself. */
  let hidden = 0
  const parser = new Parser(
    {
      ontext(text) {
        if (seen && hidden === 0) pieces.push(text.includes('&') ? decodeHTML(text) : text)
      },
      onopentag(name, attribs) {
        const computed = hidden > 0 ? null : styleOf(name, attribs)
        if (computed === null) {
          hidden++
          return
        }
        stack.push({ side: computed.side, seen })
        pieces.push(computed.side)
        seen = computed.visibility ?? seen
      },
      onclosetag() {
        if (hidden > 0) hidden--
        else {
          const open = stack.pop()!
          pieces.push(open.side)
          seen = open.seen
        }
      },
    },
    // References are decoded only in visible text.
    { decodeEntities: false },
  )
  parser.end(html)
  return pieces.join('').replace(/[\0-\x08\x0e-\x1f\x7f-\x9f\xad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g, '')
}

interface ComputedStyle {
  /** Text that separates an element from the text before and after it: empty if the element is within a line. */
  side: '' | ' '
  /** Null if the element does not state its visibility. */
  visibility: boolean | null
}

/** The style of an element; null for an element that is not shown. */
function styleOf(
  name: string,
  { style = '', face = '', hidden }: Readonly<Record<string, string>>,
): ComputedStyle | null {
  if (HIDDEN.has(name) || hidden !== undefined) return null
  const { isShown, visibility, isLine, isPlaced } = styled(style, face)
  if (!isShown) return null
  const isWithin = (INLINE.has(name) || (name.startsWith('ix:') && !isLine)) && !isPlaced
  return { side: isWithin ? '' : ' ', visibility }
}

/**
 * Reads a style and the name of a font. A document has few different styles, and uses each of them about a thousand
 * times.
 */
function styled(written: string, font: string) {
  const key = `${written}\n${font}`
  const known = STYLES.get(key)
  if (known) return known
  const style = written.toLowerCase().replace(/\s/g, '')
  // Letters of these fonts are boxes and ticks.
  const isSymbols = /wingdings|symbol/.test(style + font.toLowerCase())
  const isGone = /(^|;)display:none/.test(style) || /(^|;)font-size:0(pt|px|em|%)?(;|$)/.test(style)
  const found = {
    isShown: !isSymbols && !isGone,
    visibility: /(^|;)visibility:visible/.test(style)
      ? true
      : /(^|;)visibility:(hidden|collapse)/.test(style)
        ? false
        : null,
    isLine: /display:block/.test(style),
    isPlaced: /padding-left|margin-left|vertical-align|position:relative|display:(block|inline-block)/.test(style),
  }
  if (STYLES.size >= STYLES_MAX) STYLES.clear()
  STYLES.set(key, found)
  return found
}

const STYLES_MAX = 10_000
const STYLES = new Map<string, { isShown: boolean; visibility: boolean | null; isLine: boolean; isPlaced: boolean }>()

/** The text that Markdown shows, without its markup signs; images and addresses of links are not text. */
export function shownText(markdown: string): string {
  return markdown
    .replace(/!\[(?:[^\]\\]|\\.)*\]\([^)\s]*\)/g, ' ')
    .replace(/\]\([^)\s]*\)/g, '')
    .replace(/^\|(?: -{3}:? \|)+$/gm, ' ')
    .replace(/^ *(?:-|\d+\.) (?=\S)/gm, (marker) => marker.replace('-', ' '))
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')
    .replace(/\*\*\*|\*\*/g, '')
}

const WORD = /\p{N}+(?:[.,]\p{N}+)*|\p{L}+/gu

/** Words and numbers, with how often each occurs. `1,234.5` is one number. */
export const wordsOf = (text: string): Map<string, number> => compared(text, '').balance

/**
 * Returns how much more often each word and number occurs in the first text than in the second, and how many words each
 * text has.
 */
export function compared(one: string, other: string): { balance: Map<string, number>; first: number; second: number } {
  const balance = new Map<string, number>()
  const count = (word: string, by: number) => balance.set(word, (balance.get(word) ?? 0) + by)
  const [first, second]: [readonly string[], readonly string[]] = [one.match(WORD) ?? [], other.match(WORD) ?? []]
  // Nearly all words are in the same order in both texts, so equal words at the same position cancel out.
  let at = 0
  for (const word of first) {
    let same = at
    while (same < at + AHEAD && second[same] !== word) same++
    if (same === at + AHEAD) count(word, 1)
    else {
      for (; at < same; at++) count(second[at]!, -1)
      at++
    }
  }
  for (; at < second.length; at++) count(second[at]!, -1)
  return { balance, first: first.length, second: second.length }
}

/** Maximum number of words of the second text in which a word of the first is searched. */
const AHEAD = 8
