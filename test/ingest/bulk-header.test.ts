/** A header line that is repeated within a member of a zip. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Harbour, harbourDatabase, openHarbour } from '../support/bulk-world.ts'

const database = await harbourDatabase({ after })

const rowsOf = async ({ sql }: Harbour) =>
  (await sql`select voyage_id, port from fleet.voyage order by 1`).map((row) => Object.values(row).join(' '))

test('a repeated header in a file is not a record: it is reported with its place, and no line is lost', async (t) => {
  const harbour = await openHarbour(t, database)
  await harbour.voyages('2026-06-30', {
    'Voyage_1.csv': 'VoyageID,Port\n1,A\nVoyageID,Port\n2,B\n voyageid ,PORT\n3,C\n',
    'Load_1.csv': 'Voyage ID,What,Value\nVoyage ID,What,Value\n1,Iron,5\n',
  })
  const [outcome] = await harbour.ingest()
  assert.deepEqual(await rowsOf(harbour), ['1 A', '2 B', '3 C'])
  const { records, refused, notes } = outcome!.result!
  assert.deepEqual([records, refused, [...notes.unread]], [3, 0, []])
  const again = (path: string, value: string) => ({ path, value, reason: 'the header is repeated' })
  assert.deepEqual(notes.problems, [
    again('Voyage_1.csv:2', 'VoyageID,Port'),
    again('Voyage_1.csv:4', ' voyageid ,PORT'),
    again('Load_1.csv:1', 'Voyage ID,What,Value'),
  ])
  const [stored] = await harbour.sql`select problem_count from bulk.edition`
  assert.equal(stored!.problem_count, 3)
})

test('lines after a repeated header with other columns are read by the repeated header', async (t) => {
  const harbour = await openHarbour(t, database)
  await harbour.voyages('2026-06-30', {
    'Voyage_1.csv': 'VoyageID,Port\n1,A\nPort,Flag,VoyageID\nB,NL,2\nC,3\n',
  })
  const [outcome] = await harbour.ingest()
  assert.deepEqual(await rowsOf(harbour), ['1 A', '2 B'])
  const { notes } = outcome!.result!
  assert.deepEqual([...notes.unread], ['Voyage_1.csv/Flag'])
  assert.deepEqual(notes.refusals, [{ place: 'Voyage_1.csv:4', key: null, reason: '2 values for 3 columns' }])
})

test('a line in which one value equals a column name is not taken for a header', async (t) => {
  const harbour = await openHarbour(t, database)
  await harbour.voyages('2026-06-30', { 'Voyage_1.csv': 'VoyageID,Port\nPort,A\n1,VoyageID\n2,Port\n' })
  const [outcome] = await harbour.ingest()
  assert.deepEqual(await rowsOf(harbour), ['1 VoyageID', '2 Port', 'Port A'])
  assert.equal(outcome!.result!.notes.problemCount, 0)
})
