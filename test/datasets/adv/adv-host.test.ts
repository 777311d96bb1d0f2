import assert from 'node:assert/strict'
import { isUtf8 } from 'node:buffer'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import Papa from 'papaparse'
import { type Element, each } from '../../../src/read/xml.ts'
import * as adv from '../../support/adv/host.ts'
import { membersOf } from '../../support/adv/read.ts'

const SMALL = { firms: 160, people: 600, months: 4, day: '2026-07-23', seed: 7 }

async function folder(t: { after(fn: () => Promise<void>): void }): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), 'adv-host-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  return root
}

/** This site serves all tests that do not change it. */
const shared = await generated({ after })

async function generated(t: Parameters<typeof folder>[0]) {
  const root = await folder(t)
  return { root, ...(await adv.generateAdv({ root, ...SMALL })) }
}

/** Records of feed bytes, read strictly: a feed that is not well-formed fails. */
async function records(bytes: Uint8Array, name: string): Promise<Element[]> {
  const found: Element[] = []
  for await (const record of each(ReadableStream.from([bytes]), name)) found.push(record)
  return found
}

const feed = (root: string, name: string) => path.join(root, 'reports/CompilationReports', name)
const firmsOf = async (root: string, name: string) => records(gunzipSync(await readFile(feed(root, name))), 'Firm')

async function peopleOf(root: string, name: string): Promise<Element[]> {
  const parts = [...(await membersOf(feed(root, name))).values()]
  return (await Promise.all(parts.map((part) => records(part, 'Indvl')))).flat()
}

/** Lines of one file of a monthly archive, by column. */
function lines(members: Map<string, Buffer>, name: string): Record<string, string>[] {
  const [, bytes] = [...members].find(([file]) => file.replace(/_\d{8}_\d{8}\.csv$/, '') === name)!
  const text = isUtf8(bytes) ? bytes.toString() : bytes.toString('latin1')
  const { data, errors } = Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true })
  // As in the published files, quotes inside a value are not doubled, so other errors are expected. A line whose
  // columns differ from the header is always wrong.
  assert.deepEqual(
    errors.filter(({ type }) => type === 'FieldMismatch'),
    [],
    name,
  )
  return data
}

test('the same seed gives the same bytes, and another seed gives different bytes', async (t) => {
  const [first, again, other] = [shared.root, await folder(t), await folder(t)]
  await adv.generateAdv({ root: again, ...SMALL })
  await adv.generateAdv({ root: other, ...SMALL, seed: 8 })
  const files = (await readdir(first, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  assert.ok(files.length >= 8)
  let differ = 0
  for (const { parentPath, name } of files) {
    const file = path.relative(first, path.join(parentPath, name))
    const bytes = await readFile(path.join(first, file))
    assert.ok(bytes.equals(await readFile(path.join(again, file))), file)
    if (!bytes.equals(await readFile(path.join(other, file)).catch(() => Buffer.alloc(0)))) differ++
  }
  assert.ok(differ >= files.length - 1)
})

test('the feeds of firms are well-formed and hold as many firms as requested', async () => {
  const { root, sec, exempt, state, world } = shared
  const firms = await firmsOf(root, 'IA_FIRM_SEC_Feed_07_23_2026.xml.gz')
  assert.equal(firms.length, sec)
  assert.equal(firms.filter((firm) => firm.text('Rgstn/@FirmType') === 'ERA').length, exempt)
  const states = await firmsOf(root, 'IA_FIRM_STATE_Feed_07_23_2026.xml.gz')
  assert.equal(states.length, state)
  assert.ok(exempt > 0 && state > 0)
  assert.equal(new Set(firms.map((firm) => firm.integer('Info/@FirmCrdNb'))).size, sec)
  for (const firm of firms) {
    const answers = world.firms.find(({ crd }) => crd === firm.integer('Info/@FirmCrdNb'))!.answers()
    assert.equal(firm.integer('FormInfo/Part1A/Item5F/@Q5F2C'), answers['5F2c'] ?? null)
    const clients = firm.maybe('FormInfo/Part1A/Item5D')!
    const sum = [...'ABCDEFGHIJKLMN'].reduce((total, letter) => total + (clients.integer(`@Q5D${letter}3`) ?? 0), 0)
    assert.equal(sum, answers['5F2c'] ?? 0)
  }
})

test('the feed of people has twenty parts with as many people, employers and registrations as requested', async () => {
  const { root, people, current, previous } = shared
  const file = 'IA_INDVL_Feed_07_23_2026.xml.zip'
  assert.equal((await membersOf(feed(root, file))).size, 20)
  const all = await peopleOf(root, file)
  assert.equal(all.length, people)
  assert.equal(new Set(all.map((person) => person.text('Info/@indvlPK'))).size, people)
  assert.equal(all.flatMap((person) => person.all('CrntEmps/CrntEmp')).length, current)
  assert.equal(all.flatMap((person) => person.all('PrevRgstns/PrevRgstn')).length, previous)
  assert.ok(all.some((person) => person.all('CrntEmps/CrntEmp').length === 2))
  assert.ok(all.every((person) => /^PERSON \d{6}$/.test(person.text('Info/@lastNm')!)))
})

test('when firms merge or are renamed, their people leave and arrive on the same day', async () => {
  const { world, mergers, renames } = shared
  const people = Array.from({ length: SMALL.people }, (_, at) => world.people.at(at)!)
  const moved = (from: number, to: number, day: string) =>
    people.filter(
      ({ current, previous }) =>
        previous.some(({ crd, end }) => crd === from && end === day) &&
        current.some(({ crd, registrations }) => crd === to && registrations[0]!.day === day),
    ).length
  assert.ok(mergers.length > 0 && renames.length > 0)
  for (const { from, to, day, people: many } of mergers) assert.equal(moved(from.crd, to.crd, day), many)
  for (const { crd, day, people: many } of renames) assert.equal(moved(crd, crd, day), many)
})

test('the monthly archives have the requested lines, joined on FilingID', async () => {
  const { root, months, world, largest } = shared
  for (const month of months) {
    const members = await membersOf(path.join(root, month.file))
    assert.deepEqual(
      Object.fromEntries(Object.keys(month.lines).map((name) => [name, lines(members, name).length])),
      month.lines,
    )
    const bases = [...lines(members, 'IA_ADV_Base_A'), ...lines(members, 'ERA_ADV_Base')]
    const ids = new Set(bases.map(({ FilingID }) => FilingID))
    assert.equal(ids.size, month.filings)
    for (const name of Object.keys(month.lines)) {
      for (const line of lines(members, name)) assert.ok(ids.has(line.FilingID ?? line['Filing ID']!), name)
    }
    const funds = lines(members, 'IA_Schedule_D_7B1').map((line) => `${line.FilingID} ${line.ReferenceID}`)
    assert.equal(new Set(funds).size, funds.length)
    for (const line of lines(members, 'IA_Schedule_D_7B1A23')) {
      assert.ok(funds.includes(`${line.FilingID} ${line.ReferenceID}`))
    }
    const raum = Object.fromEntries(world.filings.map((filing) => [filing.id, adv.answersThen(filing)]))
    for (const line of lines(members, 'IA_ADV_Base_A')) {
      const layers = raum[line.FilingID!]!
      assert.equal(line['5F2c'], String(layers.find((layer) => layer['5F2c'] !== undefined)?.['5F2c'] ?? ''))
    }
  }
  assert.ok(largest.funds === 30 && largest.crd === 900_001)
})

test('monthly archives come in both encodings and with dates in three formats', async () => {
  const { root, months } = shared
  const shapes = new Set<string>()
  for (const { file, encoding } of months) {
    const members = await membersOf(path.join(root, file))
    assert.equal(
      [...members.values()].every((bytes) => isUtf8(bytes)),
      encoding === 'utf8',
      file,
    )
    for (const { DateSubmitted } of lines(members, 'IA_ADV_Base_A')) {
      shapes.add(DateSubmitted!.replace(/\d+/g, '9').replace(/[AP]M/, 'AM'))
    }
  }
  assert.deepEqual([...shapes].sort(), ['9/9/9', '9/9/9 9:9', '9/9/9 9:9:9 AM'])
  assert.deepEqual(new Set(months.map(({ encoding }) => encoding)), new Set(['utf8', 'cp1252']))
})

test('a later feed lacks one firm and has one changed, one new and one returned firm; the manifest lists both days', async (t) => {
  const { root, world } = await generated(t)
  const [gone, changed] = world.firms.filter(({ kind, withdrawn }) => kind === 'SEC' && withdrawn === null)
  const next = adv.later(world)
  const dropped = adv.dropFirm(next, gone!.crd)
  adv.changeFirm(next, changed!.crd, { raum: 123_456_789 })
  adv.addFirm(next, { ...changed!, crd: 990_001 })
  await adv.writeFeeds(root, next)
  const after = adv.later(next)
  adv.addFirm(after, dropped)
  await adv.writeFeeds(root, after)

  const [first, second, third] = await Promise.all(
    ['23', '24', '25'].map((day) => firmsOf(root, `IA_FIRM_SEC_Feed_07_${day}_2026.xml.gz`)),
  )
  const crds = (firms: Element[] | undefined) => new Set(firms!.map((firm) => firm.integer('Info/@FirmCrdNb')))
  assert.deepEqual(crds(first).difference(crds(second)), new Set([gone!.crd]))
  assert.deepEqual(crds(second).difference(crds(first)), new Set([990_001]))
  assert.deepEqual(crds(third).difference(crds(second)), new Set([gone!.crd]))
  const of = second!.find((firm) => firm.integer('Info/@FirmCrdNb') === changed!.crd)!
  assert.equal(of.integer('FormInfo/Part1A/Item5F/@Q5F2C'), 123_456_789)
  assert.equal(of.date('Filing/@Dt'), '2026-07-24')
  const { files } = JSON.parse(await readFile(path.join(root, adv.MANIFEST), 'utf8'))
  assert.equal(files.length, 9)
  assert.deepEqual(files[0], { name: 'IA_FIRM_SEC_Feed_07_25_2026.xml.gz', size: '1 MB', date: '07/25/2026' })
})

test('people can be removed, changed and added, and one part of the archive can be left out', async (t) => {
  const root = await folder(t)
  const world = adv.later(adv.makeWorld(SMALL))
  const [gone, moved] = [world.people.at(5)!, world.people.at(6)!]
  adv.changePeople(world, (person, index) => (index === 5 ? null : index === 6 ? { ...person, current: [] } : person))
  adv.addPeople(world, [{ ...gone, pk: 6_000_000 }])
  await adv.writeFeeds(root, world)
  const file = 'IA_INDVL_Feed_07_24_2026.xml.zip'
  const all = new Map((await peopleOf(root, file)).map((person) => [person.integer('Info/@indvlPK'), person]))
  assert.equal(all.size, SMALL.people)
  assert.ok(!all.has(gone.pk) && all.has(6_000_000))
  assert.equal(all.get(moved.pk)!.all('CrntEmps/CrntEmp').length, 0)

  await adv.writeFeeds(root, world, { omitParts: [7] })
  const parts = [...(await membersOf(feed(root, file))).keys()]
  assert.equal(parts.length, 19)
  assert.ok(!parts.includes('IA_Indvl_Feeds7.xml'))
})

test('a monthly archive can be restated, lack a file, have other columns, repeat lines or lose digits', async (t) => {
  const { root, world, months } = await generated(t)
  const june = adv.monthsOf(world, 1)[0]!
  const [first] = june.filings
  const restated = adv.changeMonth(june, (filing) => (filing === first ? null : filing))
  const facts = await adv.publishMonth(root, restated, {
    uploadedOn: '2026-07-20 10:00:00',
    without: ['IA_ADV_Base_B'],
    header: adv.renamed('7B1', { 'Gross Asset Value': 'Assets' }),
    duplicateEvery: 1,
    scientific: true,
  })
  assert.equal(facts.filings, months.at(-1)!.filings - 1)
  const members = await membersOf(path.join(root, facts.file))
  assert.ok(![...members.keys()].some((name) => name.startsWith('IA_ADV_Base_B')))
  assert.match(members.get('IA_Schedule_D_7B1_20260601_20260630.csv')!.toString(), /^"FilingID".*"Assets","Minimum/)
  const bases = lines(members, 'IA_ADV_Base_A')
  assert.equal(bases.length, 2 * new Set(bases.map(({ FilingID }) => FilingID)).size)
  assert.ok(bases.some((line) => /^\d\.\d{5}E\+\d+$/.test(line['5F2c']!)))

  const metadata = JSON.parse(await readFile(path.join(root, adv.METADATA), 'utf8'))
  const listed = metadata.advFilingData['2026'].files
  assert.deepEqual(
    listed.map(({ displayName }: { displayName: string }) => displayName),
    ['March', 'April', 'May', 'June'],
  )
  assert.deepEqual(listed.at(-1), {
    displayOrder: '6',
    displayName: 'June',
    fileName: 'ADV_Filing_Data_20260601_20260630.zip',
    size: facts.bytes,
    year: '2026',
    fileType: 'advFilingData',
    uploadedOn: '2026-07-20 10:00:00',
  })
})
