/** Hostile texts: reading takes linear time and yields no values. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from '../../../src/datasets/schedule13/filing.ts'
import { scheduleOf } from '../../../src/datasets/schedule13/text.ts'
import type { Tell } from '../../../src/declare/documents.ts'
import { readText } from '../../../src/read/document-text.ts'
import type { DocumentEntry } from '../../../src/read/sgml/document.ts'
import type { Problem } from '../../../src/read/xml.ts'
import { assertQuick } from '../../support/effort.ts'
import { headerWith } from '../../support/filing-made.ts'

const SIZE = 10_000_000

const UNITS: Record<string, string> = {
  ...{ blanks: ' ', 'empty lines': '\n', pipes: '|', digits: '7', 'digits and commas': '7,', dashes: '- ', dots: '.' },
  ...{ 'one word': 'name ', brackets: '(', boxes: '[ ]', underlines: '_', escapes: '\\', capitals: 'A', letters: 'x ' },
  ...{ labels: 'NAME OF REPORTING PERSON ', 'halves of labels': 'check the appropriate ', numbers: 'i.r.s. ' },
  ...{ rows: '5 SOLE VOTING POWER 1 ', issuers: '(Name of Issuer) ', events: '(Date of Event which requires ' },
  ...{ rules: 'Check the appropriate box to designate the rule [X] Rule 13d-1(b) ', cusips: 'CUSIP No. 037833100 ' },
  ...{
    amendments: '(Amendment No. 1) ',
    'items of rows': 'Item 5: 0 ',
    tags: '&lt;PAGE>',
    letterheads: 'name of the issuer:',
  },
}
const PAGE = [
  'NAME OF REPORTING PERSON A\n',
  '5 SOLE VOTING POWER ',
  '6 SHARED VOTING POWER ',
  '7 SOLE DISPOSITIVE POWER ',
]

const context = { schedule: '13G', filedDate: '2010-01-01', issuerNames: ['Specimen'], filerNames: ['A'] } as const

for (const [name, unit] of Object.entries(UNITS)) {
  test(`ten million characters of ${name} are read in time, alone and within a page`, async () => {
    const filling = unit.repeat(Math.ceil(SIZE / unit.length))
    const within = PAGE.map((row) => row + filling.slice(0, 250_000)).join('\n')
    await assertQuick(name, () => {
      for (const text of [filling, `SCHEDULE 13G\n${within}\n12 TYPE OF REPORTING PERSON IA`]) {
        const { persons, facts, leftOut } = scheduleOf(text, context)
        assert.ok(persons <= 500 && facts.length <= 20 * 500 && leftOut.length <= 20 * 501)
      }
    })
  })
}

test('reads no more pages than any real filing has, and nothing after a million characters', () => {
  const page =
    'NAME OF REPORTING PERSON A\nSOLE VOTING POWER 1\nSHARED VOTING POWER 0\nPERCENT OF CLASS REPRESENTED BY AMOUNT IN ROW 9 5%\nTYPE OF REPORTING PERSON IA\n\n'
  assert.equal(scheduleOf(page.repeat(600), context).persons, 500)
  assert.equal(scheduleOf(`${'x\n'.repeat(500_000)}${page}`, context).persons, 0)
})

test('leaves out a value far after its label, since this evidence cannot be checked', () => {
  const page = (gap: string) =>
    `NAME OF REPORTING PERSON A Bank\nSOLE VOTING POWER ${gap} 1\nSHARED VOTING POWER 0\nAGGREGATE AMOUNT BENEFICIALLY OWNED BY EACH REPORTING PERSON 1\nPERCENT OF CLASS REPRESENTED BY AMOUNT IN ROW 9 5%\nTYPE OF REPORTING PERSON BK`
  const names = (gap: string) => scheduleOf(page(gap), context).leftOut.map(({ name }) => name)
  assert.deepEqual(names(' '.repeat(1_000)), [])
  assert.deepEqual(names(' '.repeat(3_000)), ['sole_voting'])
})

/** Returns rows of a filing with one or no document, and the reported problems. */
async function read(file: { filename: string; mediaType: string; bytes: Buffer; size?: number } | null) {
  const problems: Problem[] = []
  const bytes = async function* () {
    yield file!.bytes
  }
  const entry = { seq: 1, type: 'SC 13G', ...file, size: file?.size ?? file?.bytes.length } as DocumentEntry
  const header = headerWith({ form: 'SC 13G', filedDate: '2010-01-01' })
  const tell: Tell = (notes) => void problems.push(...(notes.problems ?? []))
  const files = file ? [{ entry, bytes, text: () => readText(entry, bytes()) }] : []
  return { rows: await Array.fromAsync(parse({ documents: { files }, header, tell })), problems }
}

test('a filing without text gives a row without values, and a problem with the reason', async () => {
  const image = {
    filename: 'a.txt',
    mediaType: 'text/plain',
    bytes: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  }
  for (const [file, reason] of [
    [null, 'no document has text'],
    [image, 'it holds an image'],
    [{ ...image, bytes: Buffer.from('  \n') }, 'it is empty'],
  ] as const) {
    const { rows, problems } = await read(file)
    assert.deepEqual(
      rows.map(([table]) => table),
      ['report'],
    )
    assert.deepEqual([rows[0]![1].issuer_name, rows[0]![1].person_count], [null, 0])
    assert.deepEqual(
      problems.map((problem) => problem.reason),
      [reason],
    )
  }
})

test('XML that is larger than any real document is not read', async () => {
  const file = {
    filename: 'primary_doc.xml',
    mediaType: 'application/xml',
    bytes: Buffer.from('<a/>'),
    size: 17 * 1024 * 1024,
  }
  await assert.rejects(read(file), /has 17825792 bytes, more than the 16777216 that are read/)
})
