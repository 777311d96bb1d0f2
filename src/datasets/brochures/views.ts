/** Views of brochures that other slices may read. */
import { boolean, integer, nameWords } from '../../declare/table.ts'
import { view } from '../../declare/view.ts'
import { passage, version } from './tables.ts'

const series = { BROCHURES: 'brochures are missing' }
const { id, crd, brochure_number, filing_number, filing_date, brochure_name, kind, char_count, page_count, sha256 } =
  version.columns
const isNewest = boolean('Whether the version is the newest one of its brochure')

export const brochuresVersion = view(
  'pub.brochures_version',
  'One row per version of a brochure',
  {
    ...{ id, crd, brochure_number, filing_number, filing_date, brochure_name, kind, char_count, page_count, sha256 },
    is_newest: isNewest,
    search: nameWords('Lexemes by which a search finds the version; null without text: read/lexemes.ts').nullable(),
  },
  `
select id, crd, brochure_number, filing_number, filing_date, brochure_name, kind, char_count, page_count, sha256,
  exists (select from brochure b where b.id = v.id) as is_newest, search
from version v`,
  { series },
)

export const brochuresPassage = view(
  'pub.brochures_passage',
  'One row per passage of a version of a brochure',
  {
    ...{ id, crd },
    n: integer('Number of the passage within the version, from 1'),
    section: passage.columns.section,
    start: passage.columns.start,
    text: passage.columns.text,
    search: nameWords('Words of the passage with their positions, for the search'),
  },
  'select id, crd, n, section, start, text, search from passage',
  { series },
)
