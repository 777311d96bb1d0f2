/** Turns brochures from IARD's zips and IAPD's site into rows. */
import type { BulkRows, PdfFile, PdfRecords } from '../../declare/series.ts'
import { documentName, lexemesOf } from '../../read/lexemes.ts'
import type { Markdown } from '../../read/made-markdown.ts'
import { passagesOf } from '../../read/passages.ts'
import { readPdf } from '../../read/pdf.ts'
import { storable } from '../../read/text.ts'
import { itemsOf } from './parse-items.ts'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MONTH = `(?:${MONTHS.join('|')})[a-z]{0,6}`

/**
 * Pattern of the names of zips: ADV_Brochures_2026_March_1_of_2.zip, adv-brochures-2024-december.zip,
 * part2adv_brochures_2022_oct-dec.zip.
 */
const ZIP = `(?:part2)?adv[-_]brochures[-_](?<year>20\\d\\d)[-_](?<month>${MONTH})(?:-(?<last>${MONTH}))?(?:[-_]\\d{1,2}(?:[-_]of[-_]\\d{1,2})?)?\\.zip`

/**
 * Names have two forms. 173129_357943_13_20260223.pdf is from IARD: CRD number, number of the brochure, number of the
 * brochure's filing, day. 108102_1032747_20260331.pdf is from IAPD: CRD number, IAPD's number of the version
 * (BRCHR_VRSN_ID), and the day if it is known. IAPD does not state the day of a PDF, so the name of a PDF that was
 * fetched from IAPD has no day: 108102_1032747.pdf.
 */
const PDF = '(?<crd>[1-9]\\d{0,9})_(?<brochure>[1-9]\\d{0,7})(?:_(?<filing>[1-9]\\d{0,3}))?(?:_(?<day>20\\d{6}))?\\.pdf'

const IAPD = '/IAPD/Content/Common/crd_iapd_Brochure.aspx?BRCHR_VRSN_ID='

const names = (pattern: string) => new RegExp(`^${pattern}$`, 'i')

export const BROCHURES: PdfRecords = {
  format: 'pdf',
  kind: 'update',
  tables: ['version', 'passage'],
  file: names(`(?:${ZIP}|(?<pdf>\\d+_\\d+(?:_\\d+)?_(?<of>20\\d{6})\\.pdf))`),
  example: '108102_1032747_20260331.pdf',
  days,
  record: names(PDF),
  at: ({ groups = {} }) => (groups.filing === undefined ? `${IAPD}${groups.brochure}` : null),
  key: versionId,
  mapping: {
    file: /^adv[-_]?brochures?[-_]?mapping.*\.csv$/i,
    name: 'PDFFileName',
    columns: [
      'FirmName',
      'SECNumber',
      'CRDNumber',
      'FilingID',
      'BrochureName',
      'BrochureID',
      'BrochureVersion',
      'DateFiled',
      'PDFFileName',
    ],
  },
  read: readPdf,
  rows,
}

/** Returns the days that a file covers: the month or months of a zip, or the day of a single PDF. */
function days({ groups = {} }: RegExpExecArray): { from: string; to: string } {
  const { year, month = '', last = month, of } = groups
  if (of !== undefined) return { from: dashed(of), to: dashed(of) }
  const number = (name: string) => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1
  const end = new Date(Date.UTC(Number(year), number(last), 0)).toISOString().slice(0, 10)
  return { from: `${year}-${String(number(month)).padStart(2, '0')}-01`, to: end }
}

/** Returns 20260331 as `YYYY-MM-DD`; a day that does not exist, such as June 31, moves into the next month. */
function dashed(day: string): string {
  const [year, month, date] = [day.slice(0, 4), day.slice(4, 6), day.slice(6)].map(Number) as [number, number, number]
  return new Date(Date.UTC(year, month - 1, date)).toISOString().slice(0, 10)
}

/**
 * Returns the number of a version. IARD's zips give a version no number, so this function composes the number: a 1,
 * eight digits of the brochure's number, four digits of the filing's number. IAPD's numbers are shorter: they have
 * seven digits in 2026, and the patterns of this file accept at most eight. So the two kinds of numbers never collide.
 */
function versionId({ groups = {} }: RegExpExecArray): string {
  const { brochure = '', filing } = groups
  return filing === undefined ? brochure : `1${brochure.padStart(8, '0')}${filing.padStart(4, '0')}`
}

/** Branches: nearly all handle values that the file name or its line in the CSV may lack. */
function* rows({ key, match, name, archiveName, sha256, size, line, text, convertedAt }: PdfFile): BulkRows {
  const { crd = '', brochure = null, filing = null, day = null } = match.groups ?? {}
  const stated = line?.crd('CRDNumber') ?? null
  if (stated !== null && stated !== crd) line!.problem('CRDNumber', stated, `is not the firm of ${name}`)
  const filed = day && dashed(day)
  const filing_date = filed?.replaceAll('-', '') === day ? filed : (line?.date('DateFiled') ?? null)
  const brochure_name = line?.text('BrochureName') ?? null
  const found =
    text.kind === 'text'
      ? searched(text.markdown, {
          id: key,
          crd,
          day: filing_date,
          titles: [line?.text('FirmName') ?? '', brochure_name ?? ''],
        })
      : null
  yield [
    'version',
    {
      ...{ id: key, crd, brochure_number: filing === null ? null : brochure, filing_number: filing },
      ...{ filing_date, brochure_name, filing_id: line?.text('FilingID') ?? null },
      kind: text.kind,
      problem: text.kind === 'text' ? null : storable(text.reason),
      char_count: text.kind === 'text' ? text.markdown.text.length : 0,
      page_count: text.pages,
      image_count: text.kind === 'text' ? text.markdown.images : null,
      table_count: text.kind === 'text' ? text.markdown.tables : null,
      ...{ source_filename: name, archive_name: archiveName, sha256, size, converted_at: convertedAt },
      search: found && storable(found.document),
    },
  ]
  for (const passage of found?.passages ?? []) yield ['passage', { id: key, crd, ...passage }]
}

/** Returns the search keys of a brochure, and its passages. */
function searched(
  markdown: Markdown,
  { id, crd, day, titles }: { id: string; crd: string; day: string | null; titles: string[] },
) {
  const passages = passagesOf(markdown, itemsOf(markdown))
  const described = {
    name: documentName(id, 1),
    corpus: 'brochures',
    form: 'ADV Part 2',
    filedDate: day ?? '',
    ciks: [],
    crd,
  }
  const headings = markdown.headings.map(({ text }) => text)
  const lexemes = lexemesOf({ ...described, titles, headings }, markdown.text, passages)
  return {
    document: lexemes.document,
    passages: passages.map(({ start, end, section }, at) => ({
      section,
      start,
      text: storable(markdown.text.slice(start, end)),
      search: storable(lexemes.passages[at]!),
    })),
  }
}
