/** Parses regular expressions, and makes texts for which they may take more than linear time. */

/** A character or a set of characters, as written. */
interface Atom {
  kind: 'atom'
  raw: string
}
interface Sequence {
  kind: 'sequence'
  parts: Node[]
}
interface Choice {
  kind: 'choice'
  /** A lookahead or lookbehind, which consumes nothing. */
  isLook: boolean
  of: Sequence[]
}
interface Repeat {
  kind: 'repeat'
  of: Node
  min: number
  max: number
}
type Node = Atom | Sequence | Choice | Repeat

/** A quantifier with a lower maximum counts as bounded, and therefore its cost is bounded too. */
const MANY = 15
/** Number of sample texts for one part of a pattern. */
const SAMPLES = 8
/** A pattern cannot distinguish the members of these sets; each set is represented by one of them. */
const SIGNS = `aA1 ${Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).join('')}\t\n\r\fé É–“’•☐漢²\0\x01\xa0`

export interface Attacks {
  /** Texts that may precede the repeated part. */
  prefixes: string[]
  units: string[]
}

const QUANTIFIER = /(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/y
const OPEN = /\((?:\?(?:[:=!]|<[=!]|<[^>]+>))?/y
const ESCAPE = /\\(?:[pP]\{[^}]*\}|k<[^>]*>|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|[1-9]\d*|[\s\S])/y
const CLASS = /\[(?:[^\]\\]|\\[\s\S])*\]/y

/** @throws Error for a pattern that cannot be parsed */
function parse(source: string): { root: Choice; repeats: { repeat: Repeat; path: Node[][] }[]; atoms: Set<string> } {
  let at = 0
  const repeats: { repeat: Repeat; path: Node[][] }[] = []
  const atoms = new Set<string>()
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(source)
    if (found) at += found[0].length
    return found
  }
  const atom = (raw: string): Node => {
    if (/^(?:\^|\$|\\[bB]|\\[1-9]\d*|\\k<.*)$/.test(raw)) return { kind: 'sequence', parts: [] }
    atoms.add(raw)
    return { kind: 'atom', raw }
  }

  /** @param before the nodes before each of the enclosing groups */
  function choice(before: Node[][], isLook: boolean): Choice {
    const of: Sequence[] = []
    for (;;) {
      of.push(sequence(before))
      if (source[at] !== '|') return { kind: 'choice', isLook, of }
      at++
    }
  }

  function sequence(before: Node[][]): Sequence {
    const parts: Node[] = []
    while (at < source.length && source[at] !== '|' && source[at] !== ')') {
      const path = [...before, parts.slice()]
      const open = source[at] === '(' ? take(OPEN) : null
      let node: Node
      if (open) {
        node = choice(path, /^\(\?(?:<?[=!])/.test(open[0]))
        if (source[at++] !== ')') throw new Error(`a group has no end: ${source}`)
      } else node = atom((source[at] === '\\' ? take(ESCAPE) : source[at] === '[' ? take(CLASS) : null)?.[0] ?? one())
      const quantifier = take(QUANTIFIER)
      if (quantifier) {
        const [text, least, comma, most] = quantifier
        const min = least !== undefined ? Number(least) : text.startsWith('+') ? 1 : 0
        const max =
          least !== undefined
            ? comma === undefined
              ? min
              : most
                ? Number(most)
                : Infinity
            : text.startsWith('?')
              ? 1
              : Infinity
        node = { kind: 'repeat', of: node, min, max }
        if (max >= MANY) repeats.push({ repeat: node, path })
      }
      parts.push(node)
    }
    return { kind: 'sequence', parts }
  }

  function one(): string {
    const sign = String.fromCodePoint(source.codePointAt(at)!)
    at += sign.length
    return sign
  }

  const root = choice([], false)
  if (at < source.length) throw new Error(`cannot read the pattern ${source}`)
  return { root, repeats, atoms }
}

/**
 * Texts that reach each quantifier of a pattern, and pieces that one or two quantifiers may match. Null if the pattern
 * has no quantifier.
 */
export function attacksOn(pattern: RegExp): Attacks | null {
  const { root, repeats, atoms } = parse(pattern.source)
  if (repeats.length === 0) return null
  const flags = pattern.flags.replace(/[gym]/g, '')
  const tests = new Map([...atoms].map((raw) => [raw, new RegExp(`^(?:${raw})$`, flags)]))
  const kinds = new Map<string, string>()
  const kindOf = (sign: string) => [...tests.values()].map((each) => (each.test(sign) ? 1 : 0)).join('')
  const all = [...new Set([...SIGNS, ...[...atoms].flatMap((raw) => [...raw])])]
  for (const sign of all) {
    const kind = kindOf(sign)
    if (!kinds.has(kind)) kinds.set(kind, sign)
  }
  const signs = [...kinds.values()]
  const samples = sampler(tests, all, kindOf)
  const units = new Set(signs)
  if (signs.length <= 12) for (const a of signs) for (const b of signs) units.add(a + b)
  const prefixes = new Set(['', 'x', ...signs.slice(0, 2)])
  for (const { repeat, path } of repeats) {
    let before = ['']
    for (const parts of path.toReversed()) before = joined(samples({ kind: 'sequence', parts }), before)
    const bodies = samples(repeat.of)
    for (const body of bodies) units.add(body)
    for (const prefix of before) {
      prefixes.add(prefix)
      units.add(prefix)
      for (const body of bodies.slice(0, 3)) units.add(prefix + body)
    }
  }
  for (const sample of samples(root))
    for (const end of [sample.length, sample.length - 1, sample.length >> 1]) units.add(sample.slice(0, end))
  units.delete('')
  return { prefixes: [...prefixes], units: [...units] }
}

/** Returns texts that a part of a pattern matches, a few for each alternative. */
function sampler(
  tests: ReadonlyMap<string, RegExp>,
  signs: readonly string[],
  kindOf: (sign: string) => string,
): (node: Node) => string[] {
  const known = new Map<Node, string[]>()
  function samples(node: Node): string[] {
    const found = known.get(node)
    if (found) return found
    const made = [...new Set(of(node))].slice(0, SAMPLES)
    known.set(node, made)
    return made
  }
  function of(node: Node): string[] {
    if (node.kind === 'atom') {
      const byKind = new Map<string, string>()
      for (const sign of signs)
        if (tests.get(node.raw)!.test(sign) && !byKind.has(kindOf(sign))) byKind.set(kindOf(sign), sign)
      return byKind.size > 0 ? [...byKind.values()] : ['']
    }
    if (node.kind === 'choice') return node.isLook ? [''] : node.of.flatMap(samples)
    if (node.kind === 'repeat') {
      const times = Math.max(1, node.min)
      return [...samples(node.of).map((sample) => sample.repeat(times)), ...(node.min === 0 ? [''] : [])]
    }
    return node.parts.reduce((before, part) => joined(before, samples(part)), [''])
  }
  return samples
}

/** Joins texts pair by pair, and the first text with each of the others. */
function joined(before: readonly string[], after: readonly string[]): string[] {
  const most = Math.max(before.length, after.length)
  const pairs = Array.from({ length: most }, (_, at) => before[at % before.length]! + after[at % after.length]!)
  return [...new Set([...pairs, ...after.slice(0, 3).map((text) => before[0]! + text)])].slice(0, SAMPLES)
}
