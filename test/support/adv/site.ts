/** Writes the publisher's site into a folder: feeds of a day, archives of months, and the two lists that name them. */
import { createWriteStream } from 'node:fs'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import {
  type Month,
  type MonthFacts,
  type MonthOptions,
  type Withdrawal,
  writeMonth,
  writeWithdrawals,
} from './month.ts'
import { american, dayName, dayNumber } from './random.ts'
import { monthBefore, type World } from './world.ts'
import { feedXml, firmXml, personXml } from './xml.ts'
import { ZipWriter } from './zip.ts'

export const MANIFEST = 'reports/CompilationReports/CompilationReports.manifest.json'
export const METADATA = 'reports/foia/reports_metadata.json'

export interface FeedOptions {
  /** Members of the people archive to leave out, counted from 1. */
  omitParts?: readonly number[]
  parts?: number
  level?: number
}

export interface FeedFacts {
  day: string
  files: { file: string; bytes: number }[]
  /** Numbers of firms in the SEC's feed, of exempt firms among these, and of firms in the states' feed. */
  sec: number
  exempt: number
  state: number
  /** Numbers of people, of their current employers and of ended registrations. */
  people: number
  current: number
  previous: number
}

/** Writes the three feeds of the world's day and adds them to the manifest. */
export async function writeFeeds(root: string, world: World, options: FeedOptions = {}): Promise<FeedFacts> {
  const { omitParts = [], parts = 20, level = 1 } = options
  const stamp = american(world.day).replaceAll('/', '_')
  const folder = path.dirname(MANIFEST)
  await mkdir(path.join(root, folder), { recursive: true })
  const registered = world.firms.filter(({ withdrawn }) => withdrawn === null || withdrawn > world.day)
  const sec = registered.filter(({ kind }) => kind !== 'STATE')
  const state = registered.filter(({ kind, inStates }) => kind === 'STATE' || inStates)
  const facts: FeedFacts = {
    day: world.day,
    files: [],
    sec: sec.length,
    exempt: 0,
    state: state.length,
    people: 0,
    current: 0,
    previous: 0,
  }
  facts.exempt = sec.filter(({ kind }) => kind === 'ERA').length
  const sizes: Record<string, number> = {}

  for (const [feed, of, kind] of [
    ['IA_FIRM_SEC', sec, 'SEC'],
    ['IA_FIRM_STATE', state, 'STATE'],
  ] as const) {
    const name = `${feed}_Feed_${stamp}.xml.gz`
    const report = kind === 'SEC' ? 'IAPDFirmSECReport' : 'IAPDFirmStateReport'
    function* records() {
      for (const firm of of) yield firmXml(firm, kind)
    }
    sizes[name] = await writeGzip(path.join(root, folder, name), feedXml(report, world.day, 'Firms', records()), level)
  }
  const name = `IA_INDVL_Feed_${stamp}.xml.zip`
  const zip = await ZipWriter.create(path.join(root, folder, name), world.day, level)
  sizes[name] = 0
  const each = Math.ceil(world.people.count / parts)
  for (let part = 1; part <= parts; part++) {
    if (omitParts.includes(part)) continue
    function* records() {
      for (let at = (part - 1) * each; at < Math.min(part * each, world.people.count); at++) {
        const person = world.people.at(at)
        if (person === null) continue
        facts.people++
        facts.current += person.current.length
        facts.previous += person.previous.length
        yield personXml(person)
      }
    }
    const content = feedXml('IAPDIndividualReport', world.day, 'Indvls', records())
    sizes[name] += await zip.add(`IA_Indvl_Feeds${part}.xml`, content)
  }
  await zip.close()
  for (const file of Object.keys(sizes)) {
    facts.files.push({ file: `${folder}/${file}`, bytes: (await stat(path.join(root, folder, file))).size })
  }
  await addToManifest(root, american(world.day), sizes)
  return facts
}

/** Writes a gzip file. Returns the size of its content in bytes. */
async function writeGzip(file: string, content: Iterable<Buffer>, level: number): Promise<number> {
  let size = 0
  function* counted() {
    for (const chunk of content) {
      size += chunk.length
      yield chunk
    }
  }
  await pipeline(Readable.from(counted()), createGzip({ level, chunkSize: 262_144 }), createWriteStream(file))
  return size
}

interface Listed {
  name: string
  size: string
  date: string
}

async function readJson<T>(file: string, otherwise: T): Promise<T> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  return text === null ? otherwise : JSON.parse(text)
}

const writeJson = (file: string, content: unknown) => writeFile(file, `${JSON.stringify(content, null, 2)}\n`)

async function addToManifest(root: string, date: string, sizes: Record<string, number>): Promise<void> {
  const file = path.join(root, MANIFEST)
  const { files } = await readJson<{ files: Listed[] }>(file, { files: [] })
  const added = Object.entries(sizes).map(([name, bytes]) => ({ name, size: `${Math.ceil(bytes / 1e6)} MB`, date }))
  const kept = files.filter(({ name }) => !(name in sizes))
  await writeJson(file, { files: [...added, ...kept] })
}

/** Returns the last complete months before the world's day, oldest first; every second month is in cp1252. */
export function monthsOf(world: World, count: number): Month[] {
  return Array.from({ length: count }, (_, at) => {
    const back = count - at
    const from = monthBefore(world.day, back)
    const to = dayName(dayNumber(monthBefore(world.day, back - 1)) - 1)
    const filings = world.filings.filter(({ day }) => day >= from && day <= to)
    return { from, to, filings, encoding: back % 2 === 1 ? ('utf8' as const) : ('cp1252' as const) }
  })
}

interface Uploaded {
  displayOrder: string
  displayName: string
  fileName: string
  size: number
  year: string
  fileType: string
  uploadedOn: string
}

type Section = Record<string, { files: Uploaded[] } | string | number>

const CATEGORIES = {
  advFilingData: 'Form ADV Part 1 Data Files',
  advW: 'Form ADV-W Data Files',
  advBrochures: 'Form ADV Part 2 Data Files',
  advFirmCRS: 'Form CRS Data Files',
  advFirmCRSDocs: 'Form CRS Documents',
}
const NAMES = 'January,February,March,April,May,June,July,August,September,October,November,December'.split(',')

/** Lists an archive, or replaces its entry if the month was written again. */
async function addToMetadata(
  root: string,
  category: keyof typeof CATEGORIES,
  archive: { file: string; from: string; bytes: number },
  uploadedOn: string,
): Promise<void> {
  const file = path.join(root, METADATA)
  const empty = Object.entries(CATEGORIES).map(([name, title], at) => [
    name,
    { sectionDisplayName: title, sectionDisplayOrder: at + 1 },
  ])
  const metadata = await readJson<Record<string, Section>>(file, Object.fromEntries(empty))
  const year = archive.from.slice(0, 4)
  const month = Number(archive.from.slice(5, 7))
  const section = metadata[category]!
  const listed = (section[year] as { files: Uploaded[] } | undefined)?.files ?? []
  const fileName = path.basename(archive.file)
  const added = {
    displayOrder: String(month),
    displayName: NAMES[month - 1]!,
    fileName,
    size: archive.bytes,
    year,
    fileType: category,
    uploadedOn,
  }
  const files = [...listed.filter((other) => other.fileName !== fileName), added]
  section[year] = { files: files.sort((a, b) => Number(a.displayOrder) - Number(b.displayOrder)) }
  await writeJson(file, metadata)
}

export interface UploadOptions extends MonthOptions {
  /** Publication time; by default the evening of the next month's first day. */
  uploadedOn?: string
}

/**
 * Writes the archive of a month and lists it. A month that is written again replaces the former archive, like a
 * restatement.
 */
export async function publishMonth(root: string, month: Month, options: UploadOptions = {}): Promise<MonthFacts> {
  const facts = await writeMonth(root, month, options)
  await addToMetadata(root, 'advFilingData', facts, options.uploadedOn ?? evening(month.to))
  return facts
}

/** As `publishMonth`, for withdrawals. */
export async function publishWithdrawals(
  root: string,
  month: Omit<Month, 'filings'>,
  withdrawals: readonly Withdrawal[],
) {
  const facts = await writeWithdrawals(root, month, withdrawals)
  await addToMetadata(root, 'advW', facts, evening(month.to))
  return facts
}

/** A brochure as listed and packed by IARD. */
export interface Brochure {
  firm: string
  secNumber: string
  crd: string
  /** FilingID of the Form ADV with which the brochure was filed. */
  filing: string
  name: string
  id: string
  version: number
  day: string
  pdf: Buffer
}

/** Writes the zip with a month's brochures and lists it. */
export async function publishBrochures(root: string, from: string, brochures: readonly Brochure[]): Promise<void> {
  const [year, month] = [from.slice(0, 4), Number(from.slice(5, 7))]
  const to = dayName(dayNumber(monthAfter(from)) - 1)
  const folder = path.join(root, path.dirname(METADATA), 'advBrochures', year)
  await mkdir(folder, { recursive: true })
  const file = path.join(folder, `ADV_Brochures_${year}_${NAMES[month - 1]}.zip`)
  const nameOf = ({ crd, id, version, day }: Brochure) => `${crd}_${id}_${version}_${day.replaceAll('-', '')}.pdf`
  const lines = brochures.map((one) =>
    [one.firm, one.secNumber, one.crd, one.filing, one.name, one.id, one.version, american(one.day), nameOf(one)]
      .map((value) => (String(value).includes(',') ? `"${value}"` : value))
      .join(),
  )
  const header = 'FirmName,SECNumber,CRDNumber,FilingID,BrochureName,BrochureID,BrochureVersion,DateFiled,PDFFileName'
  const zip = await ZipWriter.create(file, to)
  const days = `${from}_${to}`.replaceAll('-', '')
  await zip.add(`ADV_Brochure_Mapping_${days}.csv`, [Buffer.from(`${[header, ...lines].join('\r\n')}\r\n`)])
  for (const one of brochures) await zip.add(nameOf(one), [one.pdf])
  await zip.close()
  await addToMetadata(root, 'advBrochures', { file, from, bytes: (await stat(file)).size }, evening(to))
}

const monthAfter = (from: string) => {
  const [year, month] = from.split('-').map(Number) as [number, number]
  return month === 12 ? `${year + 1}-01-01` : `${year}-${String(month + 1).padStart(2, '0')}-01`
}

const evening = (last: string) => `${dayName(dayNumber(last) + 1)} 21:13:14`
