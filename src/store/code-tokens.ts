/**
 * Splits code into tokens, and drops the comments. The tokens are enough to find the imports of a module, and to
 * compare two versions of it. Refuses code that it cannot read with certainty.
 */

export interface Token {
  kind: 'word' | 'string' | 'template' | 'pattern' | 'sign'
  text: string
  /** Whether blanks or comments precede the token. */
  isApart: boolean
}

const BLANK = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/y
const STRING = /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/y
const WORD = /[\p{L}\p{N}_$#@]+/uy
const PATTERN = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y
/** Template text up to the template's end, or up to code within the template. */
const TEMPLATE_TEXT = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*/y

/** Words after which a slash begins a regular expression rather than a division. */
const BEFORE_VALUE = new Set(['return', 'typeof', 'case', 'in', 'of', 'do', 'else', 'void', 'delete', 'throw', 'await', 'yield', 'instanceof', 'new']) // biome-ignore format: a table

/** @throws Error that names the first line that cannot be read */
export function tokensOf(code: string): Token[] {
  return scan(code, 0, false).tokens
}

/** @param isWithin whether this is code within a template; such code ends before its closing brace */
function scan(code: string, from: number, isWithin: boolean): { tokens: Token[]; end: number } {
  const tokens: Token[] = []
  let at = from
  let depth = 0
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const text = pattern.exec(code)?.[0]
    if (text) at += text.length
    return text
  }
  const fail = (what: string) => new Error(`line ${code.slice(0, at).split('\n').length}: ${what}`)
  for (;;) {
    const isApart = take(BLANK) !== undefined
    const sign = code[at]
    if (sign === undefined) {
      if (isWithin) throw fail('a template does not end')
      return { tokens, end: at }
    }
    if (sign === '}' && isWithin && depth === 0) return { tokens, end: at }
    const add = (kind: Token['kind'], text: string) => tokens.push({ kind, text, isApart })
    const word = take(WORD)
    if (word) {
      add('word', word)
      continue
    }
    if (sign === "'" || sign === '"') {
      const text = take(STRING)
      if (!text) throw fail('a string does not end in its line')
      add('string', text)
      continue
    }
    if (sign === '`') {
      const begin = at++
      at = endOfTemplate(code, at, fail)
      add('template', code.slice(begin, at))
      continue
    }
    if (code.startsWith('/*', at)) throw fail('a comment does not end')
    if (sign === '/' && beginsPattern(tokens, fail)) {
      const text = take(PATTERN)
      if (!text) throw fail('a pattern does not end in its line')
      add('pattern', text)
      continue
    }
    if (sign === '{') depth++
    if (sign === '}') depth--
    at++
    add('sign', sign)
  }
}

function beginsPattern(tokens: readonly Token[], fail: (what: string) => Error): boolean {
  const before = tokens.at(-1)
  if (!before) return true
  if (before.kind === 'word') return BEFORE_VALUE.has(before.text)
  if (before.kind !== 'sign') return false
  if (before.text === '}') throw fail('a slash after a brace is ambiguous: a division, or the start of a pattern')
  // In `value! / 2` the slash divides. In `!/a/.test(value)` it begins a pattern.
  if (before.text === '!' && !before.isApart) return !isValue(tokens.at(-2))
  return !isValue(before)
}

const isValue = (token: Token | undefined) =>
  token !== undefined &&
  (token.kind === 'sign' ? token.text === ')' || token.text === ']' : !BEFORE_VALUE.has(token.text))

function endOfTemplate(code: string, from: number, fail: (what: string) => Error): number {
  let at = from
  for (;;) {
    TEMPLATE_TEXT.lastIndex = at
    at += TEMPLATE_TEXT.exec(code)![0].length
    if (code[at] === '`') return at + 1
    if (code[at] === undefined) throw fail('a template does not end')
    const within = scan(code, at + 2, true)
    if (within.tokens.some(({ text }) => text === 'import')) throw fail('a template imports')
    at = within.end + 1
  }
}

const SQL_PART = /'(?:[^']|'')*'|"(?:[^"]|"")*"|(?:\s|--[^\n]*|\/\*[\s\S]*?\*\/)+|[\s\S]/g

/**
 * Returns SQL without comments, in which each run of blanks is one blank. Text between dollar signs is treated as code.
 */
export const textOfSql = (sql: string): string =>
  sql.replaceAll(SQL_PART, (part) => (/^(?:\s|--|\/\*)/.test(part) ? ' ' : part)).trim()
