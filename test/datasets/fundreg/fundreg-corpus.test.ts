/** Fee tables and expense examples of real prospectuses, as text and as tagged, compared with a person's reading. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { advisersOf } from '../../../src/datasets/fundreg/advisers.ts'
import { PERIODS } from '../../../src/datasets/fundreg/examples/amounts.ts'
import { casesOf, type Redemption } from '../../../src/datasets/fundreg/examples/redemption.ts'
import { examplesOf } from '../../../src/datasets/fundreg/examples/written.ts'
import { isExampleTag, taggedExamples } from '../../../src/datasets/fundreg/examples.ts'
import { feesOf } from '../../../src/datasets/fundreg/fees/table.ts'
import { isFeeTag, taggedFees } from '../../../src/datasets/fundreg/fees.ts'
import { isBlockTag, taggedBlocks } from '../../../src/datasets/fundreg/narrative.ts'
import { textOf } from '../../../src/read/encoding.ts'
import { markdownOfHtml } from '../../../src/read/html.ts'
import { inlineFacts } from '../../../src/read/ixbrl.ts'
import { corpus } from '../../support/corpus.ts'

interface Truth {
  /** Column headings; null for a column without a heading. */
  heads: (string | null)[]
  /** Percentages by item and column; null for a blank. */
  rows: Record<string, (string | null)[]>
}
/** By file, the advisers in the order of the text. */
type Advisers = Record<string, [role: string, name: string][]>

const truths = JSON.parse(readFileSync(new URL('fundreg-truth.json', import.meta.url), 'utf8')) as Record<string, Truth>

function htmlOf(file: string): string {
  const text = textOf(readFileSync(path.join(corpus.folder, file)))
  return file.startsWith('sec/') ? text.slice(text.indexOf('<TEXT>') + 6, text.indexOf('</TEXT>')) : text
}
const markdownOf = (file: string) => markdownOfHtml(htmlOf(file)).text

test('twelve real fee tables give the fees that a person reads, class by class, and nothing else', {
  skip: corpus.skip,
}, () => {
  assert.equal(Object.keys(truths).length, 12)
  for (const [file, { heads, rows }] of Object.entries(truths)) {
    const markdown = markdownOf(file)
    const fees = feesOf(markdown)
    const read: Truth['rows'] = {}
    for (const { item, value } of fees) read[item] = [...(read[item] ?? []), value]
    assert.deepEqual(read, rows, file)
    assert.ok(fees.every(({ table }) => table === 1))
    assert.deepEqual(
      heads.map((_, i) => fees.find(({ column }) => column === i + 1)!.class_name),
      heads,
      file,
    )
    for (const { start, end, stated } of fees)
      assert.ok(markdown.slice(start!, end!).replaceAll('\\', '').includes(stated), file)
  }
})

test('a blank value is null with the reason, never zero', { skip: corpus.skip }, () => {
  const fees = feesOf(markdownOf('sec/Archives/edgar/data/1100663/0001193125-24-100942.txt'))
  assert.deepEqual(
    fees.map(({ item, value, reason }) => [item, value, reason]),
    [
      ['management', null, 'left blank'],
      ['distribution', '0', null],
      ['other', '0', null],
      ['total', null, 'left blank'],
    ],
  )
})

/** By file, the tables of the document. Each line is a class, the case, and its amounts after 1, 3, 5 and 10 years. */
type ExampleTruth = Record<string, [name: string | null, redemption: Redemption | null, (number | null)[]][][]>

/** Returns a typed or read line once for each of its cases. */
function casesIn(line: string): string[] {
  const [, redemption] = / (either|redeemed|held|null) \d+:/.exec(line)!
  return casesOf(redemption === 'null' ? null : (redemption as Redemption)).map((is) =>
    line.replace(` ${redemption} `, ` ${is} `),
  )
}

test('expense examples of 23 prospectuses of many filers give the amounts that a person reads, class by class, and nothing else', {
  skip: corpus.skip,
}, () => {
  const typed = JSON.parse(
    readFileSync(new URL('fundreg-examples-truth.json', import.meta.url), 'utf8'),
  ) as ExampleTruth
  assert.equal(Object.keys(typed).length, 23)
  let amounts = 0
  for (const [file, tables] of Object.entries(typed)) {
    const markdown = markdownOf(file)
    const { lines, problems } = examplesOf(markdown)
    const wanted = tables.flatMap((own, n) =>
      own.flatMap(([name, redemption, values]) =>
        values.map((value, at) => `${n + 1} ${name} ${redemption} ${PERIODS[at]}: ${value}`),
      ),
    )
    const read = lines.map(
      ({ table, class_name, redemption, years, value }) => `${table} ${class_name} ${redemption} ${years}: ${value}`,
    )
    // A line with both cases may be typed as one line or as two.
    const apart = (all: readonly string[]) => all.flatMap(casesIn).sort()
    assert.deepEqual(apart(read), apart(wanted), file)
    assert.deepEqual(problems, [], file)
    for (const { start, end, stated } of lines)
      assert.ok(markdown.slice(start, end).replaceAll('\\', '').includes(stated), file)
    amounts += apart(read).length
  }
  assert.equal(amounts, 466)
})

test('tagged amounts of expense examples equal the amounts of the table, by class and case', {
  skip: corpus.skip,
}, () => {
  for (const [file, classes] of [
    ['documents/485BPOS/0001683863-23-007309_f36670d1.htm', ['C000012396', 'C000012398', 'C000012399', 'C000194898']],
    ['documents/485BPOS/Delaware.485BPOS.html', ['C000006333', 'C000006335', 'C000031061', 'C000006336', 'C000171459']],
    [
      'documents/485BPOS/0000919574-24-004904_abmis-20240827.htm',
      ['C000030134', 'C000090717', 'C000091758', 'C000192686'],
    ],
  ] as const) {
    const html = htmlOf(file)
    const { facts, problems } = inlineFacts(html, isExampleTag)
    assert.deepEqual(problems, [])
    const tagged = taggedExamples(facts)
    assert.deepEqual([...new Set(tagged.map(({ class_id }) => class_id))], classes)
    assert.deepEqual([...new Set(tagged.map(({ investment }) => investment))], ['10000'])
    const written = examplesOf(markdownOfHtml(html).text).lines.flatMap(({ redemption, ...line }) =>
      casesOf(redemption).map((is_redeemed) => ({ ...line, is_redeemed })),
    )
    const amounts = (all: readonly { years: number; is_redeemed: boolean | null; value: string | null }[]) =>
      all.map(({ years, is_redeemed, value }) => `${years} ${is_redeemed} ${value}`).sort()
    assert.deepEqual(amounts(tagged), amounts(written), file)
  }
})

/** Converts to hundredths of a percent. */
const points = (value: string | null | undefined) => (value == null ? null : Math.round(Number(value) * 100))

test('in each fee table, the lines add up to the total, and the total and the waiver add up to the net fee', {
  skip: corpus.skip,
}, () => {
  let columns = 0
  for (const file of globSync('documents/{485BPOS,497,497K}/*.htm*', { cwd: corpus.folder })) {
    if (/index-headers/.test(file)) continue
    const classes = Map.groupBy(feesOf(markdownOf(file)), ({ table, column }) => `${table} ${column}`)
    for (const [column, fees] of classes) {
      const of = (item: string) => points(fees.find((fee) => fee.item === item)?.value)
      const total = of('total')
      if (total === null || fees.some(({ value }) => value === null)) continue
      columns++
      const parts = ['management', 'distribution', 'other', 'acquired_funds'].reduce(
        (sum, item) => sum + (of(item) ?? 0),
        0,
      )
      // The sum of four rounded lines may differ from the rounded total by this much.
      assert.ok(Math.abs(parts - total) <= 2, `${file} ${column}: ${parts} of ${total}`)
      const net = of('net')
      if (net !== null) assert.ok(Math.abs(total + (of('waiver') ?? 0) - net) <= 2, `${file} ${column}: ${net}`)
    }
  }
  assert.ok(columns >= 55, String(columns))
})

const PGIM = 'documents/485BPOS/0001683863-23-007309_f36670d1.htm'

test('tagged fees equal the fees of the table, by series and class', { skip: corpus.skip }, () => {
  const html = htmlOf(PGIM)
  const { facts, problems } = inlineFacts(html, isFeeTag)
  const tagged = taggedFees(facts)
  assert.deepEqual(problems, [])
  assert.deepEqual([...new Set(tagged.map(({ series_id }) => series_id))], ['S000004514'])
  const written = feesOf(markdownOfHtml(html).text)
  const table = (fees: readonly { column: number; item: string; value: string | null }[]) =>
    fees.map(({ column, item, value }) => `${column} ${item} ${value}`).sort()
  assert.deepEqual(table(tagged), table(written))
  assert.deepEqual(
    tagged.filter(({ item }) => item === 'management').map(({ class_id, value }) => [class_id, value]),
    ['C000012396', 'C000012398', 'C000012399', 'C000194898'].map((id) => [id, '0.49']),
  )
})

test('tagged text blocks are stored as prose by series, and each risk once', { skip: corpus.skip }, () => {
  const html = htmlOf('documents/485BPOS/0000919574-24-004904_abmis-20240827.htm')
  const blocks = taggedBlocks(html, inlineFacts(html, isBlockTag).facts)
  assert.equal(new Set(blocks.map(({ series_id }) => series_id)).size, 4)
  for (const kind of ['objective', 'strategies', 'risks', 'turnover']) {
    assert.equal(blocks.filter((block) => block.kind === kind).length, 4, kind)
  }
  for (const { text, kind } of blocks) {
    assert.ok(text.length > 60, kind)
    const paragraphs = text.split('\n\n').filter((each) => each.length > 80)
    assert.equal(new Set(paragraphs).size, paragraphs.length, 'no paragraph occurs twice')
  }
})

test('advisers are the ones that the prospectuses name, and no others', { skip: corpus.skip }, () => {
  const typed = JSON.parse(readFileSync(new URL('fundreg-advisers-truth.json', import.meta.url), 'utf8')) as Advisers
  assert.equal(Object.keys(typed).length, 3)
  for (const [file, advisers] of Object.entries(typed)) {
    assert.deepEqual(
      advisersOf(markdownOf(file)).map(({ role, name }) => [role, name]),
      advisers,
      file,
    )
  }
})

test('tagged fees of a closed-end fund, by class, equal the fees that are read from its table as text', {
  skip: corpus.skip,
}, () => {
  // A prospectus of a fund that is registered by Form N-2, typed from its page of fees.
  const truth = {
    'Class A': { management: '1.25', distribution: '0.25', acquired_funds: '1.1', other: '1.66', total: '4.01', waiver: '-1.14', net: '2.87' },
    'Class C': { management: '1.25', distribution: '1', acquired_funds: '1.1', other: '2.41', total: '4.76', waiver: '-1.14', net: '3.62' },
    'Class I': { management: '1.25', distribution: '0', acquired_funds: '1.1', other: '1.41', total: '3.76', waiver: '-1.14', net: '2.62' },
    'Class L': { management: '1.25', distribution: '0.5', acquired_funds: '1.1', other: '1.91', total: '4.26', waiver: '-1.14', net: '3.12' },
  } // biome-ignore format: one class a line
  const html = htmlOf('documents/424B3/0001193125-24-000495.html')
  const byClass = (fees: readonly { class_name: string | null; item: string; value: string | null }[]) =>
    Object.fromEntries(
      [...Map.groupBy(fees, ({ class_name }) => class_name)].map(([name, own]) => [
        name,
        Object.fromEntries(own.map(({ item, value }) => [item, value])),
      ]),
    )
  assert.deepEqual(byClass(taggedFees(inlineFacts(html, isFeeTag).facts)), truth)
  const examples = taggedExamples(inlineFacts(html, isExampleTag).facts)
  assert.deepEqual(
    examples
      .filter(({ class_name }) => /^Class C/.test(class_name!))
      .map(({ years, value, is_redeemed, investment }) => [years, value, is_redeemed, investment]),
    [
      ...[
        [1, '36'],
        [3, '129'],
        [5, '226'],
        [10, '458'],
      ].map((own) => [...own, null, '1000']),
      ...[
        [1, '46'],
        [3, '129'],
        [5, '226'],
        [10, '458'],
      ].map((own) => [...own, true, '1000']),
    ],
  )
  assert.deepEqual(byClass(feesOf(markdownOfHtml(html).text)), truth)
})
