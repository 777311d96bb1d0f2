/**
 * The dataset of test/ingest/several-documents.test.ts. The parser runs in a separate process, so it is in a separate
 * module.
 */
import { dataset, filings, type ParsedRow } from '../../src/declare/dataset.ts'
import { type Filing, stream, text, xml } from '../../src/declare/documents.ts'
import { integer, table, text as textColumn } from '../../src/declare/table.ts'
import { type Element, each } from '../../src/read/xml.ts'

interface Documents {
  cover: Element
  list: AsyncIterable<Uint8Array> | null
  note: string | null
}

export async function* parse({
  documents: { cover, list, note },
  header: { filedDate, name },
  tell,
}: Filing<Documents>): AsyncGenerator<ParsedRow> {
  harm(cover.text('owner'))
  let lines = 0
  if (list !== null) {
    for await (const line of each(list, 'line')) {
      lines++
      const maker = line.text('maker')!
      yield ['maker', { maker, known: 'yes' }]
      yield ['line', { n: lines, maker, weight: Number(line.text('weight')) }]
      tell({ problems: line.problems(), unread: line.unread() })
    }
  }
  yield ['list', { owner: cover.text('owner'), filer: name, day: filedDate, lines, note }]
}

/** Simulates the effect of hostile bytes on a parser. */
function harm(owner: string | null): void {
  if (owner === 'loops') for (;;);
  if (owner === 'ends') process.kill(process.pid, 'SIGKILL')
  const all: unknown[] = []
  while (owner === 'swells') all.push({ all: all.length })
}

export const packing = dataset({
  slug: 'packing',
  label: 'Packing lists',
  group: 'Test',
  source: filings({
    forms: ['PACK'],
    documents: {
      cover: xml({ name: 'primary_doc.xml' }),
      list: stream({ type: 'LIST', optional: true }),
      note: text({ type: /^NOTE/, optional: true }),
    },
    parse,
  }),
  tables: {
    list: table('packing.list', 'One row per filing', [], {
      owner: textColumn('Owner').nullable(),
      filer: textColumn('Filer').nullable(),
      day: textColumn('Day'),
      lines: integer('Lines'),
      note: textColumn('Note').nullable(),
    }),
    line: table('packing.line', 'One row per line', ['n'], {
      n: integer('Number'),
      maker: textColumn('Maker'),
      weight: integer('Weight'),
    }),
  },
  dictionaries: {
    maker: table(
      'packing.maker',
      'One row per maker',
      [],
      {
        maker: textColumn('Maker'),
        known: textColumn('Known'),
      },
      { record: 'maker' },
    ),
  },
  parser: new URL(import.meta.url),
  family: { table: 'list', columns: ['owner'], facets: ['owner'] },
  routes: [],
})
