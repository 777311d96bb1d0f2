/** Shapes of answers. */
import { z } from 'zod'
import { moment } from '../../declare/moment-type.ts'
import { notLoaded } from '../../serve/loaded.ts'
import { advAdviser } from '../adv/views.ts'
import { passage, version } from './tables.ts'

const { firm_name, city, state } = advAdviser.columns
const { id, crd, brochure_number, filing_number, filing_date, brochure_name, filing_id } = version.columns
const { kind, problem, char_count, page_count, image_count, source_filename, archive_name, sha256 } = version.columns

const firm = { firm_name: firm_name.nullable(), city, state }

const row = z
  .object({
    ...{ id, crd, brochure_number, filing_number, filing_date, char_count, source_filename },
    ...firm,
    ...{ brochure_name, filing_id, kind, problem, page_count, archive_name },
    is_newest: z.boolean().describe('The newest version of its brochure: the one that is searched'),
  })
  .meta({ id: 'BrochureVersionRow' })

export const versionsAnswer = z
  .object({
    versions: z.array(row).describe('Versions of all brochures of the firm, the last filed first, at most 500'),
    ...notLoaded,
  })
  .meta({ id: 'BrochureVersions' })

export type BrochureVersions = z.infer<typeof versionsAnswer>

export const answer = z
  .object({
    id,
    crd,
    firmName: firm.firm_name,
    city,
    state,
    brochureNumber: brochure_number,
    filingNumber: filing_number,
    filingDate: filing_date,
    brochureName: brochure_name,
    filingId: filing_id,
    kind,
    problem,
    charCount: char_count.describe('Length of `markdown` in UTF-16 units'),
    pageCount: page_count,
    imageCount: image_count,
    archiveName: archive_name,
    sourceFilename: source_filename,
    sha256,
    convertedAt: moment.describe('When its text was made'),
    markdown: z.string().meta({
      description: 'The whole text as Markdown; empty where the PDF has none that can be read',
      contentMediaType: 'text/markdown',
    }),
    ...notLoaded,
  })
  .meta({ id: 'Brochure' })

export type Brochure = z.infer<typeof answer>

const excerpt = z
  .object({
    id: id.describe('Version of the brochure that it is from'),
    section_id: passage.columns.section,
    start: passage.columns.start.describe('Where its passage begins in the Markdown'),
    html: z.string().describe('Escaped text in which the words found stand in `<mark>`, and no other element'),
  })
  .meta({ id: 'BrochureExcerpt' })

const found = z
  .object({
    crd,
    ...firm,
    id: id.describe('Version with the best passage'),
    brochure_name,
    filing_date,
    passages: z.int().describe('Passages of its brochures that match'),
    excerpts: z.array(excerpt).describe('Of its best passages, three at most'),
  })
  .meta({ id: 'BrochureFirmRow' })

export const searchPage = z
  .object({
    total: z.int().describe('Firms that match'),
    is_total_exact: z
      .boolean()
      .describe('False where so many passages match that only some were ranked: there are more firms'),
    page: z.int().describe('Page, from 1, as asked for or by default'),
    size: z.int().describe('Firms in a page, as asked for or by default'),
    rows: z.array(found),
    ...notLoaded,
  })
  .meta({ id: 'BrochureSearchPage' })

export type BrochureSearchPage = z.infer<typeof searchPage>
