/** A backlog is read from EDGAR's daily archives, and filings that these archives lack are not lost. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Store } from '../../src/archive/store.ts'
import { submissions } from '../../src/archive/submissions.ts'
import { planArchives } from '../../src/commands/cost/archive-plan.ts'
import { BucketError } from '../../src/declare/errors.ts'
import type { DayArchive } from '../../src/ingest/archives/listing.ts'
import { type ArchiveResult, readArchive } from '../../src/ingest/archives/read.ts'
import { itemCodes } from '../../src/read/sgml/items.ts'
import { readSubmission } from '../../src/read/sgml/submission.ts'
import registry from '../../src/registry.ts'
import { disseminated, headerOf, type Members, tarOf, writeArchive } from '../support/archives-made.ts'
import { corpus } from '../support/corpus.ts'
import { MB } from '../support/metered.ts'
import { often } from '../support/soak.ts'
import { everyRow, openWorld, sample, temporaryFolder, type World, writeIndex } from '../support/world.ts'

type After = Parameters<typeof openWorld>[0]

const DAY = '2024-02-20'

interface Listed {
  accession: string
  cik: string
  form: string
  text: Buffer
}

/** Creates an EDGAR whose index lists these filings on one day. */
async function edgarOf(t: After, filings: readonly Listed[]): Promise<string> {
  const root = await temporaryFolder(t)
  for (const { accession, cik, text } of filings) {
    const folder = path.join(root, 'Archives/edgar/data', cik)
    await mkdir(folder, { recursive: true })
    await writeFile(path.join(folder, `${accession}.txt`), text)
  }
  const lines = filings.map(
    ({ accession, cik, form }) => `${cik}|Filer ${cik}|${form}|${DAY}|edgar/data/${cik}/${accession}.txt`,
  )
  await writeIndex(root, '2024/QTR1', lines, { lastReceived: 'March 31, 2024' })
  return root
}

const datasets = [...registry.filings.filter(({ family }) => family).map(({ slug }) => slug), 'header']

async function readDay(world: World, archive?: DayArchive): Promise<ArchiveResult | null> {
  const { sql, client, submissions } = world
  const planned = archive ?? (await planArchives({ sql, client }, { datasets })).archives[0]!
  const options = { sql, client, submissions, catalog: registry, selection: { datasets }, corrected: new Set<string>() }
  return readArchive(options, planned)
}

const fetched = ({ host }: World) =>
  host.requests.flatMap(({ path }) => /\/data\/\d+\/([\d-]{20})\.txt$/.exec(path)?.[1] ?? []).sort()

// Real filings.

const PER_FORM = often('real filings of each form', { usual: 3, soak: 20 })
const SIZE_MAX = 120_000

/**
 * Returns real submissions of each form that a dataset reads, as EDGAR serves them and as members of archives. Skips
 * submissions that the corpus itself took from archives.
 */
async function realFilings(): Promise<(Listed & { member: Buffer })[]> {
  const [, ...lines] = (await readFile(path.join(corpus.folder, 'MANIFEST.tsv'), 'utf8')).trimEnd().split('\n')
  const forms = new Set(registry.filings.flatMap(({ family, source }) => (family ? source.forms : [])))
  const found = new Map<string, (Listed & { member: Buffer })[]>()
  for (const line of lines) {
    const [file, form, cik, accession, kind] = line.split('\t') as [string, string, string, string, string]
    const own = found.get(form) ?? []
    if (!kind.startsWith('full') || !forms.has(form) || own.length >= PER_FORM || !file.endsWith('.txt')) continue
    const text = await readFile(path.join(corpus.folder, file))
    const member = text.length > SIZE_MAX ? null : await memberOfReal(text, form)
    // If a submission was sent as escaped mail, only one of its two forms has the escapes, so the two forms differ.
    if (!member || !text.includes('<ACCEPTANCE-DATETIME>') || text.includes('PRIVACY-ENHANCED')) continue
    found.set(form, [...own, { accession, cik, form, text, member }])
  }
  return [...found.values()].flat()
}

/**
 * Returns a submission in the form in which an archive has it, with codes of items in place of words. The writer of the
 * stand-in knows only the codes of 8-Ks.
 */
async function memberOfReal(text: Buffer, form_type: string): Promise<Buffer | null> {
  const member = disseminated!(text)
  if (!member) return null
  const { header } = await readSubmission(Readable.from([text]))
  const items = itemCodes(header.items, { form_type, filed_date: DAY }).map((code) => `<ITEMS>${code}\n`)
  const without = member.toString('latin1').replace(/^<ITEMS>.*\n/gm, '')
  return Buffer.from(without.replace(/^(?=<FILING-DATE>)/m, items.join('')), 'latin1')
}

/** Ends each line after the first with CR alone, as four of seven real members do. */
const withReturns = (member: Buffer) =>
  Buffer.from(
    `<SUBMISSION>\n${member.toString('latin1').replace('<SUBMISSION>\n', '').replaceAll('\n', '\r')}`,
    'latin1',
  )

test('a submission gives the same rows from its daily archive and from its own address, whatever its line ends', {
  skip: corpus.skip || (!disseminated && 'needs the stand-in of the real hosts'),
}, async (t) => {
  const filings = await realFilings()
  assert.ok(filings.length >= 30, `${filings.length}`)
  const root = await edgarOf(t, filings)
  const singly = await openWorld(t, { root })
  await singly.crawl()
  await singly.drain()
  const members = filings.map(({ accession, member, text }, n): Members[number] => [
    `${n % 3 ? '' : '20240220/'}${accession}.nc`,
    // Every second member has lines that end with CR alone, unless one of its documents has a CR itself.
    n % 2 && !text.includes('\r') ? withReturns(member) : member,
  ])
  await writeArchive(root, DAY, members)
  const world = await openWorld(t, { root })
  await world.crawl()
  const read = filings[0]!
  await world.sql`update edgar.filing set accepted_at = '2024-02-20T10:00:00Z' where accession = ${read.accession}`
  const result = (await readDay(world))!
  assert.equal(result.failure, null)
  const apart = result.damaged.map(({ accession }) => accession).sort()
  assert.ok(apart.length < filings.length / 10, JSON.stringify(result.damaged))
  assert.equal(result.taken, filings.length - apart.length)
  await world.drain()
  assert.deepEqual(fetched(world), apart)
  const [own, other] = await Promise.all([everyRow(world.sql), everyRow(singly.sql)])
  for (const rows of [own, other]) rows['edgar.submission'] = []
  // An archive does not state when a filing was accepted, and gives items only by their codes.
  for (const rows of [own, other]) {
    for (const [name, column] of [
      ['edgar.filing', 'accepted_at'],
      ['eightk.item', 'description'],
    ] as const) {
      rows[name] = (rows[name] as { row: string }[])
        .map(({ row }) => JSON.stringify({ ...JSON.parse(row), [column]: null }))
        .sort()
    }
  }
  for (const [name, rows] of Object.entries(other)) assert.deepEqual(own[name], rows, name)
  const accepted = await world.sql<{ accession: string; at: string | null; problems: string[] }[]>`
    select accession, accepted_at as at, header -> 'problems' as problems
    from edgar.filing join edgar.submission using (accession) order by accession`
  for (const { accession, at, problems } of accepted) {
    if (apart.includes(accession)) continue
    assert.equal(at === null, accession !== read.accession, `${accession} ${at}`)
    assert.match(problems.join('; '), /archive of the whole day, which does not state the time of acceptance/)
  }
  // A part that was left out is fetched from the address of the filing.
  const [dropping] = await world.sql<{ accession: string; seq: number }[]>`
    select accession, (dropped -> 0)::int as seq from edgar.submission
    where jsonb_array_length(dropped) > 0 and not accession = any(${apart}) order by accession limit 1`
  const bytesIn = async ({ submissions }: World) => {
    const submission = (await submissions.get(dropping!.accession))!
    const entry = submission.documents.find(({ seq }) => seq === dropping!.seq)!
    await submissions.bring(submission, entry)
    return Buffer.concat(await Array.fromAsync(submissions.document(submission, entry)))
  }
  const before = fetched(world).length
  assert.deepEqual(await bytesIn(world), await bytesIn(singly))
  assert.equal(fetched(world).length, before + 1)
})

// Invented filings: one notice under many accessions.

const MODEL = '0001968399-23-000002'
const CIK = '1968399'
const COUNT = 26
const accessionOf = (n: number) => `0001968399-24-${String(n).padStart(6, '0')}`

async function notices(): Promise<Listed[]> {
  const text = await readFile(path.join(sample, `Archives/edgar/data/${CIK}/${MODEL}.txt`), 'latin1')
  return Array.from({ length: COUNT }, (_, n) => {
    const own = text.replaceAll(MODEL, accessionOf(n))
    return { accession: accessionOf(n), cik: CIK, form: 'D', text: Buffer.from(own, 'latin1') }
  })
}

/** Returns the same submission in the form in which an archive has it, with the header as tags. */
function memberOf({ accession, text }: Listed): string {
  const documents = text
    .toString('latin1')
    .replace(/^[\s\S]*?(?=<DOCUMENT>)/, '')
    .replace(/<\/SEC-DOCUMENT>\s*$/, '')
  return `<SUBMISSION>\n<ACCESSION-NUMBER>${accession}\n<TYPE>D\n<PUBLIC-DOCUMENT-COUNT>1\n<FILING-DATE>20240220\n<FILER>\n<COMPANY-DATA>\n<CONFORMED-NAME>Model\n<CIK>000${CIK}\n</COMPANY-DATA>\n</FILER>\n${documents}</SUBMISSION>\n`
}

test('a filing that is missing, damaged, corrected or repeated differently in an archive costs one request; a damaged, truncated or missing archive loses no filing', async (t) => {
  const filings = await notices()
  const root = await edgarOf(t, filings)
  const whole = filings.map((one): [string, string] => [`${one.accession}.nc`, memberOf(one)])
  await writeArchive(root, DAY, whole)
  const world = await openWorld(t, { root })
  await world.crawl()
  const plan = await planArchives(world, { datasets })
  assert.deepEqual(
    plan.archives.map(({ day, filings }) => [day, filings]),
    [[DAY, COUNT]],
  )
  /**
   * Reads an archive, and then the waiting filings. @returns the result of the archive, and the filings that were
   * fetched one by one
   */
  const readAs = async (members: Members, bytes?: Buffer | null) => {
    await world.sql`update edgar.task set state = 'pending', error = null`
    await world.sql`truncate edgar.submission`
    await rm(path.join(root, 'Archives/edgar/Feed'), { recursive: true })
    await writeArchive(root, DAY, members, bytes)
    const before = fetched(world).length
    const result = await readDay(world)
    const { done } = await world.drain({ datasets: ['formd'] })
    assert.equal(done, COUNT)
    return { result, singly: fetched(world).slice(before).length, requests: world.host.requests.length }
  }
  const all = await readAs(whole)
  assert.deepEqual([all.result?.taken, all.result?.members, all.singly], [COUNT, COUNT, 0])

  const odd = whole
    .filter((_, n) => n !== 1)
    .map(([name, text], n): [string, string] => [
      name,
      n === 1 ? text.slice(0, text.length / 2) : n === 2 ? text.replace(accessionOf(3), accessionOf(4)) : text,
    ])
  const corrections: Members = [
    [`${accessionOf(5)}.corr01`, `<SUBMISSION>\n<CORRECTION>\n<ACCESSION-NUMBER>${accessionOf(5)}\n</SUBMISSION>\n`],
    ['0001968399-24-999999.corr01', '<SUBMISSION>\n<DELETION>\n</SUBMISSION>\n'],
    ['README', 'no submission'],
  ]
  const { result, singly } = await readAs([...odd, ...corrections])
  assert.deepEqual([result!.taken, result!.corrected, result!.failure, singly], [COUNT - 4, 1, null, 4])
  assert.deepEqual(
    result!.damaged.map(({ accession }) => accession),
    [accessionOf(2), accessionOf(3)],
  )
  assert.match(result!.damaged[0]!.reason, /cut off/)
  assert.match(result!.damaged[1]!.reason, /its header has the accession \S+, which is not that of the filing/)

  // The copy of filing 1 is equal, the one of filing 2 differs, and the one of filing 3 is damaged. The last two come
  // after a batch of 20 filings, so that the first copies are stored already.
  const again = (n: number, change: (text: string) => string): [string, string] => [whole[n]![0], change(whole[n]![1])]
  const repeated = await readAs([
    ...whole.slice(0, 3),
    again(1, (text) => text),
    ...whole.slice(3),
    again(2, (text) => text.replace('Model', 'Other')),
    again(3, (text) => text.slice(0, text.length / 2)),
    again(3, (text) => text),
  ])
  assert.deepEqual(
    [repeated.result!.taken, repeated.result!.members, repeated.result!.failure, repeated.singly],
    [COUNT - 2, COUNT + 4, null, 2],
  )
  const twice = { reason: 'the archive has it twice, with different contents' }
  assert.deepEqual(repeated.result!.damaged, [
    { accession: accessionOf(2), ...twice },
    { accession: accessionOf(3), ...twice },
  ])

  // A name is only searched for an accession number; a member is never written under its name.
  const climbing = await readAs(
    whole.map(([name, text], n) => [`${n % 2 ? '../'.repeat(9) : '/etc/cron.d/'}${name}`, text]),
  )
  assert.deepEqual([climbing.result!.taken, climbing.singly], [COUNT, 0])
  assert.ok(!existsSync(path.join(root, '..', whole[1]![0])) && !existsSync(path.join('/etc/cron.d', whole[0]![0])))

  const packed = gzipSync(tarOf(whole))
  const cut = await readAs(whole, packed.subarray(0, (packed.length * 2) / 3))
  assert.match(cut.result!.failure!, /unexpected end of file/)
  assert.ok(cut.result!.taken > 0 && cut.singly === COUNT - cut.result!.taken)

  const header = tarOf(whole)
  const place = Array.from({ length: header.length / 512 }, (_, n) => n * 512).filter(
    (at) => header.toString('latin1', at, at + 10) === '0001968399',
  )[9]!
  header.write('x', place + 3)
  const damaged = await readAs(whole, gzipSync(header))
  assert.deepEqual(
    [damaged.result!.failure, damaged.result!.taken, damaged.singly],
    ['a header is damaged', 9, COUNT - 9],
  )

  const changed = Buffer.from(packed)
  changed.writeUInt32LE(changed.readUInt32LE(changed.length - 8) ^ 1, changed.length - 8)
  const checked = await readAs(whole, changed)
  assert.deepEqual([checked.result!.failure, checked.result!.taken, checked.singly], ['incorrect data check', 0, COUNT])

  const missing = await readAs(whole, null)
  assert.deepEqual([missing.result, missing.singly], [null, COUNT])

  const unpacked = await readAs(whole, gunzipSync(packed))
  assert.deepEqual([unpacked.result!.taken, unpacked.singly], [COUNT, 0])
})

/** Pieces of 64 MB. In a soak, the member has 2.2 GB, more than fits into 31 bits. */
const PIECES = often('pieces of 64 MB of a large member', { usual: 3, soak: 34 })

test('a member of gigabytes is read in pieces: its document is kept, its picture is not, and the next member is read', async (t) => {
  const filings = (await notices()).slice(0, 2)
  const root = await edgarOf(t, filings)
  const [first, second] = filings.map(memberOf) as [string, string]
  const lines = Buffer.alloc(64 * MB, `${'M'.repeat(60)}\n`)
  const [before, end] = [
    first
      .replace('<PUBLIC-DOCUMENT-COUNT>1', '<PUBLIC-DOCUMENT-COUNT>2')
      .replace(
        '</SUBMISSION>\n',
        '<DOCUMENT>\n<TYPE>GRAPHIC\n<SEQUENCE>2\n<FILENAME>picture.jpg\n<TEXT>\nbegin 644 picture.jpg\n',
      ),
    '\nend\n</TEXT>\n</DOCUMENT>\n</SUBMISSION>\n',
  ]
  const size = before.length + PIECES * lines.length + end.length
  // Concatenated gzip is gzip of the concatenation, so the lines are packed once.
  const packed = gzipSync(lines, { level: 1 })
  const archive = Buffer.concat([
    gzipSync(Buffer.concat([headerOf(`${accessionOf(0)}.nc`, size), Buffer.from(before, 'latin1')])),
    ...Array.from({ length: PIECES }, () => packed),
    gzipSync(Buffer.concat([Buffer.from(end, 'latin1'), Buffer.alloc((512 - (size % 512)) % 512)])),
    gzipSync(tarOf([[`${accessionOf(1)}.nc`, second]])),
  ])
  await writeArchive(root, DAY, [], archive)
  const world = await openWorld(t, { root })
  await world.crawl()
  const held = process.memoryUsage.rss()
  const result = await readDay(world, {
    day: DAY,
    path: '/Archives/edgar/Feed/2024/QTR1/20240220.nc.tar.gz',
    bytes: archive.length,
  })
  const grown = process.memoryUsage.rss() - held
  t.diagnostic(`${Math.round(grown / MB)} MB more memory`)
  assert.deepEqual([result!.taken, result!.damaged, result!.failure], [2, [], null])
  assert.ok(grown < 150 * MB, `${Math.round(grown / MB)} MB`)
  const { done } = await world.drain({ datasets: ['formd'] })
  assert.deepEqual([done, fetched(world)], [2, []])
})

test('if the storage bucket fails while an archive is read, no filing is lost; if the bucket refuses, the run ends', async (t) => {
  const filings = await notices()
  const root = await edgarOf(t, filings)
  await writeArchive(
    root,
    DAY,
    filings.map((one): [string, string] => [`${one.accession}.nc`, memberOf(one)]),
  )
  const world = await openWorld(t, { root })
  await world.crawl()
  const archiveThrough = (isPassing: boolean, kept: number) => {
    let puts = 0
    const put: Store['put'] = async (body) => {
      const own = await world.store.put(body)
      if (++puts > kept) throw new BucketError('s3://filings/ could not keep it', { isPassing })
      return own
    }
    return readDay({ ...world, submissions: submissions({ ...world, store: { ...world.store, put } }) })
  }
  await assert.rejects(archiveThrough(false, 3), (error) => error instanceof BucketError && !error.isPassing)
  const [{ stored }] = await world.sql<[{ stored: number }]>`select count(*)::int as stored from edgar.submission`
  assert.equal(stored, 0, 'no row names an entry of the refused batch')
  const KEPT = 22
  const result = (await archiveThrough(true, KEPT))!
  assert.deepEqual([result.failure, result.taken], ['s3://filings/ could not keep it', KEPT])
  const { done } = await world.drain({ datasets: ['formd'] })
  assert.deepEqual([done, fetched(world).length], [COUNT, COUNT - KEPT])
})
