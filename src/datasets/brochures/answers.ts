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
    is_newest: z
      .boolean()
      .describe('Whether it is the newest version of its brochure; only newest versions are searched'),
  })
  .meta({ id: 'BrochureVersionRow' })

export const versionsAnswer = z
  .object({
    versions: z.array(row).describe('Versions of all brochures of the firm, newest first, at most 500'),
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
    convertedAt: moment.describe('Time at which the text was made from the PDF'),
    markdown: z.string().meta({
      description: 'The whole text as Markdown; empty if the PDF has no readable text',
      contentMediaType: 'text/markdown',
    }),
    ...notLoaded,
  })
  .meta({ id: 'Brochure' })

export type Brochure = z.infer<typeof answer>

const excerpt = z
  .object({
    id: id.describe('Version of the brochure that the excerpt comes from'),
    section_id: passage.columns.section,
    start: passage.columns.start.describe('Offset in the Markdown at which the passage begins'),
    html: z.string().describe('Escaped text; the only elements are `<mark>` around the words found'),
  })
  .meta({ id: 'BrochureExcerpt' })

const found = z
  .object({
    crd,
    ...firm,
    id: id.describe('Version with the best passage'),
    brochure_name,
    filing_date,
    passages: z.int().describe('Number of matching passages in the brochures of the firm'),
    excerpts: z.array(excerpt).describe('Excerpts of the firm’s best passages, at most three'),
  })
  .meta({ id: 'BrochureFirmRow' })

export const searchPage = z
  .object({
    total: z.int().describe('Number of firms that match'),
    is_total_exact: z
      .boolean()
      .describe('False if so many passages match that only some of them were ranked; further firms then match too'),
    page: z.int().describe('Number of the page, from 1, as requested or by default'),
    size: z.int().describe('Number of firms in a page, as requested or by default'),
    rows: z.array(found),
    ...notLoaded,
  })
  .meta({ id: 'BrochureSearchPage' })

export type BrochureSearchPage = z.infer<typeof searchPage>
