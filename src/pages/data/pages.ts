/** The pages about the data: one for each slice that stores something, made from its declarations and its README. */
import { existsSync, readFileSync } from 'node:fs'
import type { Catalog } from '../../declare/catalog.ts'
import { isBulk, isFilings, relationsOf, type Slice } from '../../declare/dataset.ts'
import type { Guide } from '../reference/guides.ts'
import { mainOf, queriesOf } from './queries.ts'
import { type Homes, homesOf, joinsOf, legend, rowsAndKeys, tableRow, tableSection } from './tables.ts'

/** Pages in the order of the families, then bulk files, then derived data. The first page lists all of them. */
export function dataPages(catalog: Catalog): Guide[] {
  const homes = homesOf(catalog)
  const pages = inOrder(catalog).map((slice) => pageOf(slice, { catalog, homes }))
  return [overview(catalog, pages), ...pages]
}

const hrefOf = (slug: string): string => `/docs/data/${slug}`

/** Returns slices in the order of their pages. The families come first, since readers look for the family of a form. */
function inOrder({ families, slices, filings, bulk }: Catalog): Slice[] {
  const first = families.flatMap(({ dataset }) => (dataset ? [dataset] : []))
  const read = [...first, ...filings, ...bulk]
  return [...new Set([...read, ...slices.filter((slice) => relationsOf(slice).length > 0)])]
}

function overview({ families }: Catalog, pages: readonly Guide[]): Guide {
  const others = families.filter(({ dataset }) => !dataset)
  return {
    name: '',
    href: '/docs/data',
    title: 'Data by family',
    lead: 'One page for each family of data: what a row is, its key, which tables it joins, what is easily misread, and queries to begin with.',
    text: [
      tableOf(
        ['Data', 'Holds'],
        pages.map(({ title, href, lead }) => [`[${title}](${href})`, lead]),
      ),
      '## Units and names',
      'In the lists of columns, the type of a column is followed by its unit, or by the kind of thing that it identifies.',
      legend(),
      '## Listed families',
      'Filings of these families are listed in `edgar.filing`, and no parser reads their content yet.',
      tableOf(
        ['Family', 'Group', 'Forms'],
        others.map(({ slug, label, group, forms }) => [`\`${slug}\` ${label}`, group, forms.join(', ')]),
      ),
    ].join('\n\n'),
    phrases: ['data dictionary', 'tables', 'schema', 'columns', 'database', 'sql'],
  }
}

const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [tableRow(...head), tableRow(...head.map(() => '---')), ...rows.map((cells) => tableRow(...cells))].join('\n')

function pageOf(slice: Slice, { catalog, homes }: { catalog: Catalog; homes: Homes }): Guide {
  const { slug, label, views } = slice
  const relations = [...relationsOf(slice), ...views]
  const main = mainOf(slice)
  return {
    name: slug,
    href: hrefOf(slug),
    title: label,
    lead: `${main.meaning}. ${originOf(slice, catalog)}`,
    text: [
      '## Rows and keys',
      rowsAndKeys(slice),
      '## Joins',
      joinsOf(slice, homes),
      ...operationsOf(slice),
      '## Two queries',
      'An analyst can run these queries unchanged (`openfilings analyst create` makes a login for the database).',
      ...queriesOf(slice).map(({ title, sql }) => `### ${title}\n\n\`\`\`sql\n${sql}\n\`\`\``),
      ...quirksOf(slug),
      '## Tables',
      ...relations.map(tableSection),
    ].join('\n\n'),
    phrases: [`${slug} table`, `${slug} columns`, ...relations.map(({ id }) => id)],
  }
}

/** Describes the source of the rows, and how they are read. */
function originOf(slice: Slice, { families }: Catalog): string {
  const { slug } = slice
  if (isBulk(slice)) {
    const series = Object.entries(slice.source.series).map(
      ([name, { kind, format }]) => `\`${name}\` (${format}, ${kind})`,
    )
    return `Series ${series.join(', ')}; read by \`openfilings ingest ${slice.source.collection}\`.`
  }
  if (isFilings(slice)) {
    const family = families.find(({ dataset }) => dataset === slice)
    const facets = family?.feed?.facets.map((facet) => `\`${facet}\``).join(', ')
    const forms = `Forms ${(family?.forms ?? slice.source.forms).join(', ')}; read by \`openfilings ingest ${slug}\`.`
    return facets ? `${forms} Facets of \`/filings?family=${slug}\`: ${facets}.` : forms
  }
  const followed = Object.keys(slice.refresh?.follows ?? {}).map((name) => `\`${name}\``)
  return `Made from other data${followed.length > 0 ? `: ${followed.join(', ')}` : ''}.`
}

function operationsOf({ routes }: Slice): string[] {
  if (routes.length === 0) return []
  return [
    '## Operations',
    routes.map(({ name, path, summary }) => `- [\`${path}\`](/docs/${name}): ${summary}`).join('\n'),
  ]
}

/** Sections of a README that only people who change the code need. */
const FOR_DEVELOPERS =
  /^(?:Measured|What was measured|Performance|Tests|Files|Maps of the data sets|How it is read|How rows are made|Keys of sums|Cost estimate|Lexemes of a document|Steps of a search|Two indexes)\b/

/**
 * The README of a slice. Links to other files of the project are replaced by their labels, since these files are not
 * served.
 */
function quirksOf(slug: string): string[] {
  const files = ['datasets', 'products'].map((room) => new URL(`../../${room}/${slug}/README.md`, import.meta.url))
  const file = files.find((each) => existsSync(each))
  if (file === undefined) return []
  const [head, ...sections] = readFileSync(file, 'utf8')
    .replace(/\[([^[\]]+)\]\((?!https:)[^()]*\)/g, '$1')
    .split(/^## /m)
  const about = head!.replace(/^# .*\n+/, '').trim()
  const kept = sections.filter((section) => !FOR_DEVELOPERS.test(section))
  return ['## Sources and traps', about, ...kept.map((section) => `### ${section.trim()}`)].filter(Boolean)
}
