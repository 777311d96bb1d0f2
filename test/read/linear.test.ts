/**
 * Readers of untrusted text take time that grows at most linearly with its length, for any text.
 *
 * @alone it puts another RegExp in place of the engine's while the modules of the program are loaded
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GROWTH_MAX, growthOf, timed } from '../support/linear/growth.ts'
import { attacksOn } from '../support/linear/pattern.ts'
import { composed, written } from '../support/linear/patterns.ts'
import { randomFor } from '../support/random.ts'
import { often } from '../support/soak.ts'

// This must come before anything else loads a module of the program.
const patterns = [...(await composed()), ...written()]
const { READERS, SHAPES, phrasesOf, readersOf, textOf } = await import('../support/linear/readers.ts')

/** Patterns that never see text from outside. */
const OWN_TEXT: Readonly<Record<string, string>> = {
  'src/config.ts': 'names in the environment of the operator',
  'src/store/code-tokens.ts': 'our own SQL',
}

/** Length of a text at which quadratic time is a hundred times the linear time. */
const SHORT = 3_000
const LONG = 12_000
const LONGEST = 48_000
/**
 * Limits in milliseconds: a pattern that examines each character some hundred times takes 1 ms for a short text, and 12
 * ms for a long text.
 */
const SHORT_MS = 1.2
const LONG_MS = 12

/** Time limit in milliseconds for 48,000 characters: a hundred times what a linear pattern needs. */
const ENDLESS_MS = 1_500
/** Time limit in milliseconds for short texts, for which it matters only whether they take a few milliseconds. */
const SHORT_ENDLESS_MS = 100

const ENDS = ['', '\x01', 'x!']

/** Returns a text for which a pattern takes more than linear time; null if no such text is found. */
function faultOf(pattern: RegExp, attacks: NonNullable<ReturnType<typeof attacksOn>>, most: number): string | null {
  const random = randomFor(String(pattern))
  const run = (text: string) => () => {
    pattern.lastIndex = 0
    if (pattern.global) text.replace(pattern, '')
    else pattern.test(text)
  }
  const one = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)]!
  const plain = attacks.units.slice(0, 12).flatMap((unit) => ['', 'x'].map((prefix) => [prefix, unit, 'x!'] as const))
  const chosen = Array.from({ length: most }, () => [one(attacks.prefixes), one(attacks.units), one(ENDS)] as const)
  const all = [...plain, ...chosen]
  // Nearly all texts pass if they are measured together: measuring each text takes longer than running most of them.
  const short = all.map(([prefix, unit, end]) => run(prefix + unit.repeat(Math.ceil(SHORT / unit.length)) + end))
  const inOneGo = () => {
    for (const act of short) act()
  }
  if (timed(inOneGo, SHORT_ENDLESS_MS) < 5 * SHORT_MS) return null
  for (const [prefix, unit, end] of all) {
    const text = (length: number) => prefix + unit.repeat(Math.ceil(length / unit.length)) + end
    const cost = (length: number, tries: number, limit = ENDLESS_MS) => {
      let least = Number.POSITIVE_INFINITY
      const act = run(text(length))
      for (let i = 0; i < tries && least > 0.1; i++) {
        least = Math.min(least, timed(act, limit))
        if (least === Number.POSITIVE_INFINITY) break
      }
      return least
    }
    if (cost(SHORT, 3, SHORT_ENDLESS_MS) < SHORT_MS) continue
    const long = cost(LONG, 3)
    if (long < LONG_MS) continue
    // With quadratic growth this quotient would be 4.
    if (long === Number.POSITIVE_INFINITY || cost(LONGEST, 3) / long / (LONGEST / LONG) >= 2)
      return `/${pattern.source}/${pattern.flags} on ${JSON.stringify([prefix, unit, end])}`
  }
  return null
}

const attacked = patterns.flatMap(({ pattern, file }) => {
  const attacks = attacksOn(pattern)
  return attacks === null ? [] : [{ pattern, file, attacks }]
})

test('no pattern of the program takes more than linear time', () => {
  const most = often('texts made against each pattern', { usual: 5, soak: 1_500 })
  assert.ok(attacked.length > 500, `${attacked.length} patterns were found`)
  const faults = attacked.flatMap(({ pattern, file, attacks }) => {
    if (OWN_TEXT[file] !== undefined) return []
    const fault = faultOf(pattern, attacks, most)
    return fault === null ? [] : [`${file}: ${fault}`]
  })
  assert.deepEqual(faults, [])
})

test('a pattern that takes quadratic, cubic or longer time is detected', () => {
  const bad = [/\s+$/, /^[\s\-=_*.]*[-=_]{3,}[\s\-=_*.]*$/, /^(?:a|a)*$/, /a.*b.*c/, /(?<=\(.*)x/g, /^x+|\s*\n\s*\n\s*/, /\[[^\]]*\]/g] // biome-ignore format: one list
  for (const pattern of bad) assert.notEqual(faultOf(pattern, attacksOn(pattern)!, 30), null, String(pattern))
  for (const pattern of [/(?<!\s)\s+$/, /^\s*(?:x\s*)?$/, /\[[^[\]]*\]/g])
    assert.equal(faultOf(pattern, attacksOn(pattern)!, 30), null, String(pattern))
})

/** Characters, tags and phrases that readers recognize, including those in the patterns. */
const phrases = phrasesOf(attacked)

/** Length of a text that any linear reader processes in 30 ms; a quadratic reader takes hundreds of milliseconds. */
const LENGTH = 16_000
const QUICK_MS = 100
const NOISE_MS = 25

test('text, HTML and XML of one repeated character, tag or phrase are read in linear time', async () => {
  const most = often('texts of repeated phrases', { usual: 30, soak: 20_000 })
  const random = randomFor('phrases')
  const one = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)]!
  const faults: string[] = []
  for (let i = 0; i < most && faults.length < 5; i++) {
    const shape = one(SHAPES)
    const unit = one(phrases)
    const reader = one(readersOf(shape))
    const act = await reader.prepared(shape.make(unit, LENGTH))
    const quick = process.cpuUsage()
    await act()
    const { user, system } = process.cpuUsage(quick)
    if ((user + system) / 1000 < QUICK_MS) continue
    const ready = new Map<number, () => Promise<unknown>>()
    for (const times of [1, 2, 4, 8]) ready.set(times, await reader.prepared(shape.make(unit, LENGTH * times)))
    const growth = await growthOf((times) => ready.get(times)!(), NOISE_MS)
    if (growth > GROWTH_MAX) faults.push(`${reader.name}, ${shape.name} of ${JSON.stringify(unit)}: ${growth}`)
  }
  assert.deepEqual(faults, [])
})

/** Texts that once took quadratic time or more; each is long enough to show this. */
const ONCE: readonly (readonly [string, string, (length: number) => string, string])[] = [
  ['a line of dashes and a letter', 'text', (length) => `${'-'.repeat(length)}x`, 'text/plain'],
  ['horizontal rules, each with a page after it', 'ends of pages', (length) => '<hr>'.repeat(length / 4), 'text/html'],
  ['a rule and a word', 'ends of pages', (length) => '<p><hr>x'.repeat(length / 8), 'text/html'],
  ['lines of page ends', 'ends of pages', (length) => '<PAGE>\n'.repeat(length / 7), 'text/plain'],
  ['a page end, tabs and a word', 'number of a page', (length) => `<PAGE>${'\t'.repeat(length)}x`, 'text/plain'],
  ['blanks before a word', 'fence', (length) => `<TABLE>\n${' '.repeat(length)}x`, 'text/plain'],
  ['captions as text', 'fence', (length) => '<table><caption>'.repeat(length / 16), 'text/plain'],
  [
    'blanks in a leaf',
    'XML',
    (length) => `<?xml version="1.0"?><a><b>x${' '.repeat(length)}y</b></a>`,
    'application/xml',
  ],
  ['controls in a link', 'link', (length) => `<html><a href="x${'\x01'.repeat(length)}y">z</a>`, 'text/html'],
  ['lines without an empty one', 'paragraph', (length) => 'abc\n'.repeat(length / 4), 'text/plain'],
]

for (const [what, where, make, media] of ONCE) {
  test(`the reading of ${what} (${where}) takes linear time`, async () => {
    const growth = await growthOf((times) => textOf(make(8_000 * times), media), NOISE_MS)
    assert.ok(growth <= GROWTH_MAX, `${growth} times`)
  })
}

test('a text without paragraphs is split into passages in linear time', async () => {
  const { passagesOf } = await import('../../src/read/passages.ts')
  const growth = await growthOf((times) => passagesOf({ text: 'word '.repeat(40_000 * times) }, []), NOISE_MS)
  assert.ok(growth <= GROWTH_MAX, `${growth} times`)
})

test('many prospectuses bound in one document are read in linear time', async () => {
  const { markdownOfText } = await import('../../src/read/plain.ts')
  const { sectionsOf } = await import('../../src/read/sections.ts')
  const turn = `PROSPECTUS\n\napproved or disapproved\n\nTABLE OF CONTENTS\n\nEXPERTS\n\n${'pumps '.repeat(8)}\n\n`
  const made = new Map([1, 2, 4, 8].map((times) => [times, markdownOfText(turn.repeat(4_000 * times))]))
  assert.equal(sectionsOf(made.get(1)!, 'prospectus').at(-1)?.id, 'experts-4000')
  const growth = await growthOf((times) => sectionsOf(made.get(times)!, 'prospectus'), NOISE_MS)
  assert.ok(growth <= GROWTH_MAX, `${growth} times`)
})

test('a row of an index with many page numbers is read in linear time', async () => {
  const { markdownOfHtml } = await import('../../src/read/html.ts')
  const { sectionsOf } = await import('../../src/read/sections.ts')
  const made = (numbers: number) =>
    markdownOfHtml(
      `<table><tr><td>Item 10.</td><td>Directors</td><td>${'12 '.repeat(numbers)}below</td></tr><tr><td>Item 11.</td><td>Executive Compensation</td><td>None</td></tr></table>`,
    )
  assert.deepEqual(
    sectionsOf(made(9), 'tenk').map(({ id }) => id),
    ['10', '11'],
  )
  const all = new Map([1, 2, 4, 8].map((times) => [times, made(8_000 * times)]))
  const growth = await growthOf((times) => sectionsOf(all.get(times)!, 'tenk'), NOISE_MS)
  assert.ok(growth <= GROWTH_MAX, `${growth} times`)
})

test('a name followed by many class names is read in linear time', async () => {
  const { splitClass } = await import('../../src/products/securities/issuer/class.ts')
  assert.deepEqual(splitClass(`Acme${' common stock'.repeat(3)}`), {
    name: 'Acme',
    tail: 'common stock common stock common stock',
  })
  const growth = await growthOf((times) => splitClass(`Acme${' stock'.repeat(2_000 * times)}`), NOISE_MS)
  assert.ok(growth <= GROWTH_MAX, `${growth} times`)
})

test('the measured readers include every reader of text', () => {
  assert.deepEqual(READERS, [...new Set(READERS)])
  assert.ok(READERS.length >= 20, READERS.join())
})
