/**
 * Compares the conversion of PDFs to Markdown with `pdftotext`, which makes no headings, lists or tables, by pages a
 * second and by memory.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { readPdf } from '../src/read/pdf.ts'
import { documentPdf, type Part } from '../test/support/pdf/made.ts'
import { apart } from './apart.ts'
import { alternate, median, seconds } from './measure.ts'
import { hasProgram, secondsOf } from './program.ts'
import { Random } from './random.ts'
import type { Row } from './report.ts'
import { folder, type Scope } from './scope.ts'
import { part } from './share.ts'

const FILES = 30
const ITEMS = 18
const ROUNDS = 5

interface Pass {
  seconds: number
  pages: number
}

/** @param pdfs a folder of PDFs that replace generated ones */
export async function rows(scope: Scope, share: number, pdfs?: string): Promise<Row[]> {
  const files = pdfs ? await pdfsIn(pdfs) : await generated(await folder(scope), part(FILES, share))
  const pdftotext = await hasProgram('pdftotext', '-v')
  const found = await alternate<Pass, 'ours' | 'peer'>(part(ROUNDS, share), {
    ours: async () => (await apart<Pass>('pdf.ts', 'read', files)).value,
    peer: pdftotext ? () => peer(files) : undefined,
  })
  const pages = found.ours[0]!.pages
  const speed = (passes: readonly Pass[]) => pages / median(passes.map((pass) => pass.seconds))
  return [
    {
      section: 'pdf',
      what: `${files.length} ${pdfs ? 'PDFs' : 'brochures'} of ${Math.round(pages / files.length)} pages to Markdown`,
      ours: speed(found.ours),
      peer: pdftotext ? speed(found.peer) : null,
      unit: 'pages/s',
      note: pdftotext
        ? 'pdftotext -layout, a process for each file; goal 0.4'
        : 'pdftotext is not installed (poppler-utils)',
    },
  ]
}

async function pdfsIn(at: string): Promise<string[]> {
  const names = (await readdir(at)).filter((name) => name.endsWith('.pdf')).sort()
  return names.map((name) => path.resolve(at, name))
}

export async function generated(at: string, count: number): Promise<string[]> {
  const files: string[] = []
  for (let i = 0; i < count; i++) {
    const file = path.join(at, `${i}.pdf`)
    await writeFile(file, brochure(new Random(i)))
    files.push(file)
  }
  return files
}

/**
 * Reads the files one after the other, like an ingest of filings. The first file starts the process of the reader, and
 * one pass over all files compiles its code.
 */
export async function read(_: unknown, files: readonly string[]): Promise<Pass> {
  await readAll(files)
  let pages = 0
  const taken = await seconds(async () => {
    pages = await readAll(files)
  })
  return { seconds: taken, pages }
}

/** @returns their number of pages */
async function readAll(files: readonly string[]): Promise<number> {
  let pages = 0
  for (const file of files) {
    const text = await readPdf(await readFile(file))
    if (text.kind !== 'text') throw new Error(`${file}: ${text.reason}`)
    pages += text.pages
  }
  return pages
}

async function peer(files: readonly string[]): Promise<Pass> {
  let sum = 0
  for (const file of files) sum += await secondsOf('pdftotext', ['-layout', file, '/dev/null'])
  return { seconds: sum, pages: 0 }
}

const WORDS =
  'the of and to a in for is that client account fees securities adviser may assets investment management risk services which not with by are as from other these such any we our broker market custodian value interest conflict portfolio'.split(
    ' ',
  )

/** About twenty pages of the eighteen items of Form ADV Part 2A. */
function brochure(random: Random): Buffer {
  const sentence = () => {
    const words = Array.from({ length: 10 + random.below(20) }, () => random.pick(WORDS, 1.6)).join(' ')
    return `${words[0]!.toUpperCase()}${words.slice(1)}.`
  }
  const paragraph = () => Array.from({ length: 3 + random.below(5) }, sentence).join(' ')
  const item = (i: number): Part[] => [
    { heading: `Item ${i + 1} ${random.pick(WORDS)} ${random.pick(WORDS)}` },
    ...Array.from({ length: 4 }, () => ({ text: paragraph() })),
    { subheading: `Further ${random.pick(WORDS)} and ${random.pick(WORDS)}` },
    { bullets: Array.from({ length: 5 }, sentence) },
    { text: paragraph() },
  ]
  const fees = Array.from({ length: 6 }, (_, i) => [
    `Above $${i},000,000`,
    `${(1 - i / 10).toFixed(2)}%`,
    random.digits(4),
  ])
  return documentPdf({
    header: 'Generated Adviser LLC',
    footer: 'Form ADV Part 2A',
    bookmarks: true,
    parts: [
      { title: 'Generated Adviser LLC' },
      ...Array.from({ length: ITEMS }, (_, i) => item(i)).flat(),
      { table: [['Assets', 'Fee', 'Minimum'], ...fees], ruled: true },
    ],
  })
}
