/** Compares our XML reader with saxes: both must give the same tree, or both must refuse. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { SaxesParser } from 'saxes'
import { Random } from '../../bench/random.ts'
import { corpus } from '../support/corpus.ts'
import { seedFor } from '../support/random.ts'
import { often, soaking } from '../support/soak.ts'
import { FRAGMENTS } from '../support/xml/fragments.ts'
import { MUTATIONS } from '../support/xml/mutations.ts'
import { byOurs, bySaxes, difference, Refusal } from '../support/xml/oracle.ts'
import { REFUSED } from '../support/xml/refused.ts'

/** Number of mutated documents of each kind that are compared. */
const EACH = often('changed documents of each kind', { usual: 80, soak: 1_200 })
/** Maximum size of a mutated document: mutating a small document tests as much. */
const CHANGED_MAX = 6_000
/** Maximum size of a document that is read unchanged; a soak reads all documents. */
const WHOLE_MAX = soaking ? Number.POSITIVE_INFINITY : 100_000

const datasets = path.join(import.meta.dirname, '../../src/datasets')

interface Document {
  name: string
  bytes: Buffer
}

const fixtures: Document[] = globSync('*/fixtures/**/*.xml', { cwd: datasets })
  .sort()
  .map((name) => ({ name, bytes: readFileSync(path.join(datasets, name)) }))

/** Yields files that contain one document, and documents within submissions. */
function* documentsOf(folder: string): Generator<Document> {
  for (const name of globSync('**/*.{xml,xsd,atom,xml.gz}', { cwd: folder }).sort()) {
    const bytes = readFileSync(path.join(folder, name))
    yield { name, bytes: name.endsWith('.gz') ? gunzipSync(bytes) : bytes }
  }
  for (const name of globSync('sec/**/*.txt', { cwd: folder }).sort()) {
    const submission = readFileSync(path.join(folder, name))
    for (let from = submission.indexOf('<XML>'); from >= 0; from = submission.indexOf('<XML>', from)) {
      const to = submission.indexOf('</XML>', from)
      const end = to < 0 ? submission.length : to
      yield { name: `${name}:${from}`, bytes: submission.subarray(from + '<XML>'.length, end) }
      from = end
    }
  }
}

const known = corpus.skip ? [] : [...documentsOf(corpus.folder)]

/** Each kind of token once. */
const SMALL = Buffer.from('<?xml version="1.0"?>\n<r a="1" ><b>t&amp;</b><!-- c --><![CDATA[d]]><?e f?><g/></r >\n')
const PIECES = [1, 2, 3, 7, 64, 1_000, 65_536]

function assertSame(bytes: Buffer, pieceSize: number, name: string): 'tree' | 'refusal' {
  const theirs = bySaxes(bytes)
  assert.equal(difference(byOurs(bytes, pieceSize), theirs), null, name)
  return theirs instanceof Refusal ? 'refusal' : 'tree'
}

test('every XML document of the corpus gives the same tree as with saxes, or both refuse it', {
  skip: corpus.skip,
}, () => {
  const verdicts = known
    .filter(({ bytes }) => bytes.length <= WHOLE_MAX)
    .map(({ name, bytes }) => assertSame(bytes, 65_536, name))
  const of = (verdict: string) => verdicts.filter((one) => one === verdict).length
  assert(of('tree') > 900 && of('refusal') > 0, `${of('tree')} trees, ${of('refusal')} refusals`)
})

test('whatever token is inserted anywhere in a small document, our reader and saxes give the same tree or both refuse', () => {
  const random = new Random(2)
  for (const fragment of FRAGMENTS) {
    for (let at = 0; at <= SMALL.length; at++) {
      const bytes = Buffer.concat([SMALL.subarray(0, at), fragment, SMALL.subarray(at)])
      assertSame(bytes, random.pick(PIECES), bytes.toString())
    }
  }
})

for (const [change, mutate] of Object.entries(MUTATIONS)) {
  test(`our reader and saxes give the same tree or both refuse if ${change}`, () => {
    const random = new Random(soaking ? seedFor(change) : 1)
    const some = [...fixtures, ...known].filter(({ bytes }) => bytes.length > 0 && bytes.length <= CHANGED_MAX)
    for (let time = 0; time < EACH; time++) {
      const { name, bytes } = random.pick(some)
      assertSame(mutate(bytes, random), random.pick(PIECES), `the ${time}th change, of ${name}`)
    }
  })
}

test('our reader gives the same attributes as saxes, whatever attributes the previous tag at the same path had', () => {
  const random = new Random(3)
  const verdicts = Array.from({ length: 2_000 }, () => {
    const tags = Array.from(
      { length: 2 + random.below(6) },
      () => `<i${attributesOf(random)}${random.pick(['/', '></i'])}>`,
    )
    const source = `<r xmlns:p="u" xmlns:q="v">${tags.join('')}</r>`
    return assertSame(Buffer.from(source), random.pick(PIECES), source)
  })
  const of = (verdict: string) => verdicts.filter((one) => one === verdict).length
  assert(of('tree') > 200 && of('refusal') > 200, `${of('tree')} trees, ${of('refusal')} refusals`)
})

/**
 * Returns attributes that mostly equal those of other tags in order and spelling: the reader is optimized for such
 * tags.
 */
function attributesOf(random: Random): string {
  const names = ['a', 'ab', 'p:a', 'b', 'q:ab', 'abc', 'xmlns:a', 'c'].filter(() => random.below(8) > 0)
  if (random.below(10) === 0) names.splice(random.below(names.length + 1), 0, random.pick([...names, 'd', 'p:d']))
  if (random.below(40) === 0) names.reverse()
  return names.map((name) => random.pick(random.below(12) > 0 ? USUAL : UNUSUAL)(name)).join('')
}

type Writing = (name: string) => string
const USUAL: Writing[] = [(name) => ` ${name}="1"`, (name) => ` ${name}="text of it"`]
const UNUSUAL: Writing[] = [
  ...[(name: string) => ` ${name}=''`, (name: string) => `\n ${name} = "&amp;"`, (name: string) => ` ${name}='"'`],
  ...[(name: string) => ` ${name}="\n"`, (name: string) => `  ${name}="é"`, (name: string) => ` ${name}=1`],
  ...[(name: string) => ` ${name}`, (name: string) => ` ${name}="<"`, (name: string) => `${name}="1"`],
]

test('saxes refuses every document that our own tests refuse; a DOCTYPE, which saxes would read, counts as refused', () => {
  for (const [, source] of REFUSED) {
    // A lone surrogate in a string has no bytes.
    if (!source.isWellFormed()) continue
    for (const pieceSize of PIECES) assert.equal(assertSame(Buffer.from(source), pieceSize, source), 'refusal', source)
  }
})

test('prefixes are accepted and refused as in the namespace mode of saxes', () => {
  const verdicts = [
    '<a:r xmlns:a="u"><a:b/></a:r>',
    '<r><a:b xmlns:a="u"><a:c/></a:b><a:d/></r>',
    '<r><a:b xmlns:a="u"/><a:b/></r>',
    '<r xmlns:a="u"><b xmlns:a="v"><a:c/></b><a:d/></r>',
    '<r a:x="1" xmlns:a="u"/>',
    '<r xmlns:a="u" xmlns:b="u" a:x="1" b:x="2"/>',
    '<r xmlns:a="u" xmlns:b="v" a:x="1" b:x="2" x="3"/>',
    '<r xmlns:a=""/>',
    '<r xmlns=""/>',
    '<r xml:lang="en"/>',
    '<r xmlns:xml="u"/>',
    '<r xmlns:xml="http://www.w3.org/XML/1998/namespace"/>',
    '<r xmlns:a="http://www.w3.org/XML/1998/namespace"/>',
    '<r xmlns:xmlns="u"/>',
    '<xmlns:r/>',
    '<:r/>',
    '<a:r:s xmlns:a="u"/>',
    '<r xmlns:a="u" a:b:c="1"/>',
    '<r :a="1"/>',
  ].map((source) => assertSame(Buffer.from(source), 65_536, source))
  assert.deepEqual(new Set(verdicts), new Set(['tree', 'refusal']))
})

test('only one of the two readers accepts these documents, each for its recorded reason', () => {
  const takenBySaxes = (source: string) => {
    try {
      const parser = new SaxesParser({ xmlns: true })
      parser.on('error', fail)
      parser.write(source).close()
      return true
    } catch {
      return false
    }
  }
  const cases: [reason: string, source: string, taken: 'ours' | 'saxes'][] = [
    ['a DTD can name files and grow without end', '<!DOCTYPE r><r/>', 'saxes'],
    ['elements nest a hundred deep at most', '<a>'.repeat(101) + '</a>'.repeat(101), 'saxes'],
    ['references have 64 characters at most', `<r>&#${'0'.repeat(70)}65;</r>`, 'saxes'],
    ['a tag has a million characters at most', `<r a="${'x'.repeat(1_200_000)}"/>`, 'saxes'],
    ['names have 256 characters at most', `<${'n'.repeat(257)}/>`, 'saxes'],
    ['a blank stands behind the name of an instruction', '<?a?b?><r/>', 'saxes'],
    ['cut documents have line ends before the declaration', '\n<?xml version="1.0"?><r/>', 'ours'],
  ]
  for (const [reason, source, taken] of cases) {
    assert.equal(takenBySaxes(source), taken === 'saxes', reason)
    assert.equal(!(byOurs(Buffer.from(source), 65_536) instanceof Refusal), taken === 'ours', reason)
  }
})

function fail(error: Error): never {
  throw error
}
