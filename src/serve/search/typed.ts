/**
 * Reads a query, as people type it, into a tree.
 *
 *     material weakness                 both words
 *     "going concern"                   the phrase
 *     tesla OR "general motors"         AND binds before OR; parentheses as usual
 *     tesla -recall, tesla NOT recall   without the second word
 *     restat*                           words that begin with these letters
 *     cyber NEAR/5 incident             at most five words apart; NEAR(cyber incident, 5) says the same
 *
 * Operators are in capitals; `and`, `or`, `not` and `near` are ordinary words. Punctuation between letters separates
 * words as it does in a document: 10-K is the phrase "10 K".
 */
import { apiError } from '../../declare/api-errors.ts'
import { OVERLAP_WORDS } from '../../read/passages.ts'
import { wordsOf } from '../../read/words.ts'
import { isMet, type Phrase, type Tree } from './tree.ts'

export const QUERY_LENGTH_MAX = 2000
/**
 * Maximum number of words of a phrase, or of both sides of NEAR and the words between them. Passages overlap far enough
 * that one passage contains all of these words.
 */
export const PHRASE_WORDS_MAX = OVERLAP_WORDS + 1
const WORDS_MAX = 64
const DEPTH_MAX = 20
/** The default distance, for "a NEAR b" without a number. */
const NEAR_USUALLY = 10
const LETTERS_MIN = 3
/**
 * Maximum number of NEARs in a query. Each NEAR is tested at every distance, in every document that has the words of
 * the NEAR. A query with twenty NEARs took ten seconds.
 */
const NEARS_MAX = 4

type Token =
  | { kind: '(' | ')' | ',' | '-' | 'AND' | 'OR' | 'NOT'; at: number }
  | { kind: 'near'; at: number; within: number | null }
  | { kind: 'term'; at: number; tree: Tree }

/**
 * Reads a query.
 *
 * @throws HttpError 400 that names the position of the error, counted in characters from 1
 */
export function readQuery(q: string): Tree {
  if (q.length > QUERY_LENGTH_MAX) throw unsearchable(`has more than ${QUERY_LENGTH_MAX} characters`)
  const nul = q.indexOf('\0')
  if (nul >= 0) throw wrong('a NUL character cannot be searched for', nul)
  const tokens = tokensOf(q)
  const reader = { tokens, next: 0, end: q.length, depth: 0 }
  if (!tokens.some(({ kind }) => kind === 'term')) {
    throw tokens[0] ? wrong('only operators: no word to search for', tokens[0].at) : unsearchable('has no word')
  }
  const tree = readAny(reader)
  const rest = tokens[reader.next]
  if (rest) throw rest.kind === ')' ? wrong('a closing parenthesis without an opening one', rest.at) : misplaced(rest)
  const nears = tokens.filter(({ kind }) => kind === 'near')
  if (nears.length > NEARS_MAX) throw wrong(`more than ${NEARS_MAX} times NEAR`, nears[NEARS_MAX]!.at)
  if (isMet(tree, () => false)) {
    throw unsearchable(
      'states only what documents must not have, so nearly all documents match; state also what they must have',
    )
  }
  return tree
}

const unsearchable = (reason: string) => apiError('invalid_search', { reason })

const wrong = (what: string, at: number) => unsearchable(`${what}, at character ${at + 1}`)

const misplaced = (token: Token) =>
  token.kind === ','
    ? wrong('a comma is allowed only before the number in NEAR(… …, n)', token.at)
    : wrong(`${token.kind === 'near' ? 'NEAR' : token.kind} has nothing on one side`, token.at)

interface Reader {
  tokens: readonly Token[]
  next: number
  /** Length of the query. */
  end: number
  depth: number
}

function readAny(reader: Reader): Tree {
  const of = [readAll(reader)]
  while (reader.tokens[reader.next]?.kind === 'OR') {
    reader.next++
    of.push(readAll(reader))
  }
  return of.length === 1 ? of[0]! : { kind: 'any', of }
}

function readAll(reader: Reader): Tree {
  const of = [readNear(reader)]
  for (;;) {
    const token = reader.tokens[reader.next]
    if (!token || token.kind === ')' || token.kind === 'OR' || token.kind === ',') break
    if (token.kind === 'AND') reader.next++
    of.push(readNear(reader))
  }
  return of.length === 1 ? of[0]! : { kind: 'all', of }
}

/** Reads one term, or two terms with NEAR between them. */
function readNear(reader: Reader): Tree {
  const one = readOne(reader)
  const token = reader.tokens[reader.next]
  if (token?.kind !== 'near') return one
  reader.next++
  const tree = near(one, readOne(reader), token.within, token.at)
  const more = reader.tokens[reader.next]
  if (more?.kind === 'near') throw wrong('NEAR must be between two words or phrases, not three', more.at)
  return tree
}

function readOne(reader: Reader): Tree {
  const token = reader.tokens[reader.next]
  if (!token) throw wrong('a word or a phrase is missing at the end', reader.end)
  reader.next++
  if (token.kind === 'term') return token.tree
  if (token.kind === 'near') return readNearOf(reader, token)
  const isNegated = token.kind === 'NOT' || token.kind === '-'
  if (!isNegated && token.kind !== '(') throw misplaced(token)
  if (++reader.depth > DEPTH_MAX) throw wrong(`more than ${DEPTH_MAX} nested parentheses and NOTs`, token.at)
  const tree = isNegated ? not(readNear(reader)) : readParenthesis(reader, token.at)
  reader.depth--
  return tree
}

const not = (tree: Tree): Tree => (tree.kind === 'none' ? tree.of : { kind: 'none', of: tree })

function readParenthesis(reader: Reader, at: number): Tree {
  if (reader.tokens[reader.next]?.kind === ')') throw wrong('nothing between parentheses', at)
  const tree = readAny(reader)
  closeParenthesis(reader, at)
  return tree
}

function closeParenthesis(reader: Reader, at: number): void {
  const token = reader.tokens[reader.next++]
  if (token?.kind === ',') throw misplaced(token)
  if (token?.kind !== ')') throw wrong('the parenthesis is not closed', at)
}

/** Reads the remaining part of NEAR(one other, n). */
function readNearOf(reader: Reader, { at, within }: Token & { kind: 'near' }): Tree {
  const open = reader.tokens[reader.next]
  if (open?.kind !== '(' || within !== null) throw wrong('NEAR has nothing before it', at)
  reader.next++
  const sides: Tree[] = []
  for (let token = reader.tokens[reader.next]; token?.kind === 'term'; token = reader.tokens[reader.next]) {
    sides.push(token.tree)
    reader.next++
  }
  let distance: number | null = null
  if (reader.tokens[reader.next]?.kind === ',') {
    const token = reader.tokens[++reader.next]
    const typed = token?.kind === 'term' && token.tree.kind === 'phrase' ? token.tree.words.join(' ') : ''
    if (!/^\d{1,4}$/.test(typed))
      throw wrong('the comma of NEAR must be followed by a number of words', token?.at ?? reader.end)
    distance = Number(typed)
    reader.next++
  }
  closeParenthesis(reader, open.at)
  if (sides.length !== 2) throw wrong(`NEAR takes two words or phrases, not ${sides.length}`, at)
  return near(sides[0]!, sides[1]!, distance, at)
}

function near(one: Tree, other: Tree, within: number | null, at: number): Tree {
  if (one.kind !== 'phrase' || other.kind !== 'phrase') throw wrong('NEAR takes only words and phrases', at)
  const most = PHRASE_WORDS_MAX + 1 - one.words.length - other.words.length
  const distance = within ?? Math.min(NEAR_USUALLY, most)
  if (distance < 1 || distance > most) throw wrong(`NEAR can be from 1 to ${Math.max(1, most)} words here`, at)
  return { kind: 'near', one, other, within: distance }
}

const OPERATOR = /^(?:AND|OR|NOT)$/
const NEAR = /^NEAR(?:\/(\d{1,4}))?$/
/** Straight quotes, and the typographic quotes that editors insert. */
const QUOTES = '"“”„'
const PART = /[^\s()"“”„]+/y

function tokensOf(q: string): Token[] {
  const tokens: Token[] = []
  let words = 0
  /** Whether the parser is between the parentheses of NEAR(…), where a comma has a meaning. */
  let isNear = false
  const add = (token: Token) => {
    tokens.push(token)
    if (token.kind === 'term' && token.tree.kind === 'phrase') words += token.tree.words.length
    if (words + tokens.length > 4 * WORDS_MAX || words > WORDS_MAX) {
      throw unsearchable(`has more than ${WORDS_MAX} words, or too many operators`)
    }
  }
  for (let at = 0; at < q.length; ) {
    const sign = q[at]!
    if (/\s/.test(sign)) at++
    else if (sign === '(' || sign === ')') {
      const before = tokens.at(-1)
      isNear = sign === '(' && before?.kind === 'near'
      add({ kind: sign, at: at++ })
    } else if (QUOTES.includes(sign)) {
      const end = quoteEnd(q, at)
      const tree = phraseOf(q.slice(at + 1, end), at, false)
      if (tree) add({ kind: 'term', at, tree })
      at = end + 1
    } else {
      PART.lastIndex = at
      const part = PART.exec(q)![0]
      if (part.startsWith('-') && /[^\s)-]/.test(q[at + 1] ?? ' ')) add({ kind: '-', at: at++ })
      else {
        const operator = tokenOf(part, at)
        if (operator) add(operator)
        if (isNear && part.endsWith(',')) add({ kind: ',', at: at + part.length - 1 })
        at += part.length
      }
    }
  }
  return tokens
}

/** An operator or a search term; null for punctuation without a letter or digit. */
function tokenOf(part: string, at: number): Token | null {
  if (OPERATOR.test(part)) return { kind: part as 'AND' | 'OR' | 'NOT', at }
  const near = NEAR.exec(part)
  if (near) return { kind: 'near', at, within: near[1] === undefined ? null : Number(near[1]) }
  const tree = part.includes('*') ? beginningOf(part, at) : phraseOf(part, at, true)
  return tree && { kind: 'term', at, tree }
}

function quoteEnd(q: string, at: number): number {
  for (let end = at + 1; end < q.length; end++) if (QUOTES.includes(q[end]!)) return end
  throw wrong('the quote is not closed', at)
}

function phraseOf(text: string, at: number, isPlain: boolean): Phrase | null {
  if (!isPlain && /[\p{L}\p{N}]\*/u.test(text)) throw wrong('a star may follow only a word outside of quotes', at)
  const found = [...wordsOf(text)]
  if (found.some(({ key }) => key === '')) throw wrong('a word is too long', at)
  if (found.length > PHRASE_WORDS_MAX) throw wrong(`a phrase has more than ${PHRASE_WORDS_MAX} words`, at)
  return found.length > 0 ? { kind: 'phrase', words: found.map(({ key }) => key), isPlain } : null
}

/** Reads the letters before a star. Prefixes are not reduced to the singular: `class*` means class. */
function beginningOf(part: string, at: number): Tree | null {
  const typed = part.replace(/(?<![,;])[,;]+$/, '').replace(/(\d),(?=\d)/g, '$1')
  const found = [...wordsOf(`${typed.replace(/(?<!\*)\*+$/, '')}0`)]
  if (!/[\p{L}\p{N}]/u.test(typed)) return null
  const letters = found[0]?.key.slice(0, -1) ?? ''
  if (found.length !== 1 || typed.indexOf('*') !== typed.length - 1) {
    throw wrong('a star must follow the beginning of one word', at)
  }
  if (/^[\d.]+$/.test(letters)) throw wrong('a star must follow letters, not a number', at)
  if (letters.length < LETTERS_MIN) throw wrong(`a star needs at least ${LETTERS_MIN} letters before it`, at)
  return { kind: 'beginning', letters }
}
