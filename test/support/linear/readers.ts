/** Readers of untrusted text, each as a function of one text. */

import { weaknessSentences } from '../../../src/datasets/x17a5/weakness.ts'
import type { FilingsSource, ParsedRow } from '../../../src/declare/dataset.ts'
import { wordsOfNames } from '../../../src/names.ts'
import { spoken } from '../../../src/products/securities/issuer/name.ts'
import { readText } from '../../../src/read/document-text.ts'
import { inlineFacts } from '../../../src/read/ixbrl.ts'
import { parseJson } from '../../../src/read/json.ts'
import type { DocumentText } from '../../../src/read/readable.ts'
import type { DocumentEntry } from '../../../src/read/sgml/document.ts'
import { decodeDocument, readSubmission } from '../../../src/read/sgml/submission.ts'
import registry from '../../../src/registry.ts'
import { filerWith, headerWith } from '../filing-made.ts'
import type { Attacks } from './pattern.ts'

export interface Reader {
  name: string
  /** Prepares a text for reading, and returns the function that reads it. */
  prepared(text: Shaped): Promise<() => Promise<unknown>>
}

/** A text made of one repeated phrase. */
interface Shaped {
  text: string
  mediaType: string
}

export interface Shape {
  name: string
  of: 'document' | 'submission' | 'table' | 'json'
  make(unit: string, length: number): Shaped
}

const FILERS = [filerWith({ role: 'FILER', cik: '0000000001', name: 'SPECIMEN INC' })]

/** Reads a document of the given media type as text. */
export async function textOf(text: string, mediaType: string): Promise<DocumentText> {
  const bytes = Buffer.from(text)
  return readText(entryOf(mediaType, bytes.length), from(bytes))
}

async function* from(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

const entryOf = (mediaType: string, size: number, type = '10-K') =>
  ({
    seq: 1,
    filename: mediaType === 'text/html' ? 'a.htm' : 'a.txt',
    type,
    mediaType,
    size,
    wrapper: null,
    start: 0,
    end: size,
  }) as object as DocumentEntry

/** Forms, one for each way in which prose documents are read. */
const FORMS: Record<string, readonly string[]> = {
  documents: ['10-K', '10-Q', '8-K', 'N-CSR', 'S-1', '497K'],
  eightk: ['8-K'],
  offerings: ['S-1', '424B4', '8-A12B', 'RW'],
  fundreg: ['497K', '485APOS', '485BXT', 'N-2'],
  proxies: ['DEF 14A', 'PRE 14C', 'DFAN14A'],
  schedule13: ['SC 13D', 'SC 13G/A'],
}

const datasetOf = (slug: string) => registry.datasets.find((dataset) => dataset.slug === slug)!

async function drain(rows: AsyncIterable<ParsedRow> | Iterable<ParsedRow>): Promise<number> {
  let count = 0
  for await (const _ of rows) count++
  return count
}

/** Readers that find facts in the Markdown of a prose document. */
export const PROSE = Object.entries(FORMS).flatMap(([slug, forms]) =>
  forms.map((form) => {
    const { documents: roles, familyOf, parse } = datasetOf(slug).source as FilingsSource
    const [role, { reads }] = Object.entries(roles)[0]!
    const header = headerWith({
      ...{ form, family: familyOf?.(form) ?? slug, filedDate: '2024-05-06', period: '2024-05-01' },
      ...{ cik: '0000000001', name: 'SPECIMEN INC', filers: FILERS },
    })
    return {
      name: `${slug} ${form}`,
      async read(text: DocumentText) {
        const documents = [form, 'EX-99.1'].map((type, at) => ({
          entry: { ...entryOf('text/html', 1_000, type), seq: at + 1 },
          text: async () => text,
          bytes: () => from(Buffer.from('')),
        }))
        const read = documents.filter(({ entry }) => reads!(entry))
        return drain(parse({ documents: { [role]: read }, header, tell: () => {} }))
      },
    }
  }),
)

const of = (name: string, read: (text: string) => Promise<unknown>): Reader => ({
  name,
  prepared:
    async ({ text }) =>
    () =>
      read(text),
})

/** Wraps a reader that may refuse its text: an error counts as a finished reading. */
const refusable = (read: (text: string) => unknown) => async (text: string) => {
  try {
    await read(text)
  } catch (error) {
    if (!(error instanceof Error)) throw error
  }
}

const document: readonly Reader[] = [
  {
    name: 'text of a document',
    prepared:
      async ({ text, mediaType }) =>
      () =>
        textOf(text, mediaType),
  },
  ...PROSE.map(({ name, read }) => ({
    name,
    prepared: async ({ text, mediaType }: Shaped) => {
      const made = await textOf(text, mediaType)
      return async () => (made.format === null ? null : read(made))
    },
  })),
  of('inline XBRL', async (text) => inlineFacts(text, () => true)),
  of('sentences of a weakness', async (text) => weaknessSentences(text)),
  of('words of a name', async (text) => wordsOfNames([text])),
  of('names of an issuer', async (text) => spoken({ issuer_name: text, title: text })),
]
const table: readonly Reader[] = [
  of('13F in text', async (text) => {
    const { parse } = datasetOf('thirteenf').source as FilingsSource
    const header = headerWith({
      form: '13F-HR',
      filedDate: '2005-05-06',
      cik: '1',
      name: 'SPECIMEN INC',
      period: '2005-03-31',
    })
    return drain(parse({ documents: { cover: null, table: null, old: text }, header, tell: () => {} }))
  }),
]
const submission: readonly Reader[] = [
  of(
    'submission',
    refusable(async (text) => {
      const bytes = Buffer.from(text)
      const { documents } = await readSubmission(from(bytes))
      for (const entry of documents)
        for await (const _ of decodeDocument(from(bytes.subarray(entry.start, entry.end)), entry, { unwrapped: true }));
    }),
  ),
]
const json: readonly Reader[] = [of('JSON', refusable(parseJson))]

const BY_SHAPE = { document, table, submission, json }

export const readersOf = ({ of }: Pick<Shape, 'of'>): readonly Reader[] => BY_SHAPE[of]
export const READERS = Object.values(BY_SHAPE).flatMap((readers) => readers.map(({ name }) => name))

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (unit: string) => unit.replace(/[&<>"]/g, (sign) => ENTITIES[sign]!)

const filled = (unit: string, length: number) => unit.repeat(Math.ceil(length / unit.length))
const shape = (
  name: string,
  mediaType: string,
  [before, unit, after]: readonly [string, (unit: string) => string, string],
  of: Shape['of'] = 'document',
): Shape => ({ name, of, make: (each, length) => ({ text: before + filled(unit(each), length) + after, mediaType }) })

const same = (unit: string) => unit
const HTML = '<html><h2>Item 5.02 Departure of Directors</h2><h2>PROPOSAL 1: ELECTION OF DIRECTORS</h2>'
const XML = '<?xml version="1.0"?>'
const HEADER =
  '<SEC-DOCUMENT>0000000001-24-000001.txt : 20240506\n<SEC-HEADER>0000000001-24-000001.hdr.sgml : 20240506\nACCESSION NUMBER: 0000000001-24-000001\nCONFORMED SUBMISSION TYPE: 8-K\n'
const BODY = '</SEC-HEADER>\n<DOCUMENT>\n<TYPE>8-K\n<SEQUENCE>1\n<TEXT>\n'
const END = '\n</TEXT>\n</DOCUMENT>\n</SEC-DOCUMENT>\n'

export const SHAPES: readonly Shape[] = [
  shape('a line', 'text/plain', ['', same, ' x']),
  shape('lines', 'text/plain', ['', (unit) => `${unit}\n`, ' x']),
  shape('paragraphs', 'text/plain', ['Item 5.02 Departure\n\n', (unit) => `${unit}\n\n`, ' x']),
  shape('a page end', 'text/plain', ['<PAGE>', same, ' x']),
  shape('a table', 'text/plain', ['<TABLE>\n<CAPTION>\n<S> <C>\n', (unit) => `${unit}   1   2\n`, ' x']),
  shape('tags', 'text/html', ['<html>', same, ' x']),
  shape('tags and rules', 'text/html', ['<html>', (unit) => `${unit}<hr>x`, '']),
  shape('a paragraph', 'text/html', [`${HTML}<p>`, escaped, ' x</p>']),
  shape('paragraphs', 'text/html', [HTML, (unit) => `<p>${escaped(unit)}</p>`, '']),
  shape('headings', 'text/html', [HTML, (unit) => `<p><b>${escaped(unit)}</b></p>`, '']),
  shape('a heading', 'text/html', ['<html><h2>', escaped, ' x</h2>']),
  shape('a cell', 'text/html', ['<html><table><tr><td>', escaped, ' x</td><td>1</td></tr><tr><td>a</td><td>1</table>']),
  shape('cells', 'text/html', ['<html><table><tr>', (unit) => `<td>${escaped(unit)}</td>`, '</table>']),
  shape('rows', 'text/html', ['<html><table>', (unit) => `<tr><td>${escaped(unit)}</td><td>1</td></tr>`, '</table>']),
  shape('points', 'text/html', ['<html><ul>', (unit) => `<li>${escaped(unit)}`, '</ul>']),
  shape('an address', 'text/html', ['<html><a href="x', escaped, ' x">y</a>']),
  shape('links', 'text/html', ['<html>', (unit) => `<a href="#${escaped(unit)}">${escaped(unit)}</a> `, '']),
  shape('a style', 'text/html', ['<html><p style="', escaped, ' x">y</p>']),
  shape('lines as set', 'text/html', ['<html><pre>', (unit) => `${escaped(unit)}\n`, ' x</pre>']),
  shape('a leaf', 'application/xml', [`${XML}<a><b>`, escaped, ' x</b></a>']),
  shape('leaves', 'application/xml', [`${XML}<a>`, (unit) => `<b>${escaped(unit)}</b>`, '</a>']),
  shape('an attribute', 'application/xml', [`${XML}<a b="`, escaped, ' x"><b>x</b></a>']),
  shape('a row of a 13F', 'text/plain', ['<TABLE>\n<S> <C>\n', same, '\n'], 'table'),
  shape('rows of a 13F', 'text/plain', ['<TABLE>\n<S> <C>\n', (unit) => `${unit}\n`, '\n'], 'table'),
  shape(
    'a value of the header',
    '',
    [`${HEADER}FILER:\n\tCOMPANY DATA:\n\t\tCOMPANY CONFORMED NAME: `, same, ` x\n${BODY}x${END}`],
    'submission',
  ),
  shape(
    'an industry',
    '',
    [`${HEADER}FILER:\n\tCOMPANY DATA:\n\t\tSTANDARD INDUSTRIAL CLASSIFICATION: `, same, ` x\n${BODY}x${END}`],
    'submission',
  ),
  shape('lines of the header', '', [HEADER, (unit) => `${unit}\n`, `${BODY}x${END}`], 'submission'),
  shape('lines of a document', '', [HEADER + BODY, (unit) => `${unit}\n`, END], 'submission'),
  shape('the beginning', '', ['', same, ''], 'submission'),
  shape('a string', '', ['{"a":"', same, '"}'], 'json'),
]

const TAGS =
  'hr p br table tr td th b i u a div span li ul ol pre h1 font img caption title style script sup center sub !-- ![CDATA[ /p /td /table /div PAGE TABLE CAPTION S C FN F1 /TABLE DOCUMENT TEXT /TEXT /DOCUMENT ix:nonFraction ix:continuation'.split(
    ' ',
  )
const WORDS = ['word ', '&nbsp;', '&#160;', '&amp;', '(a) ', '(1) ', '- 12 -\n', '12\n\n', 'Item 5.02 ', 'Items 1, 2, 3 ', '<a name="x">', '<a href="#x">Contents</a>', '<table><tr><td>', '<table><caption>', '<TYPE>8-K\n', 'x <b>', '<p style="page-break-before:always">x'] // biome-ignore format: a table
const SIGNS = [
  ...Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)),
  ...'\t\n\r\f\xa0–—“”’•☐☑☒…§¶†®漢é²\x01',
]

/** Repeated phrases: signs, tags, and texts that the patterns of the program match. */
export const phrasesOf = (attacked: readonly { attacks: Attacks }[]): string[] => {
  const known = attacked.flatMap(({ attacks }) =>
    attacks.units.filter(({ length }) => length > 2 && length <= 200).slice(-6),
  )
  return [...new Set([...SIGNS, ...TAGS.flatMap((tag) => [`<${tag}>`, `<${tag} `, `<${tag}>x\n`]), ...WORDS, ...known])]
}
