/**
 * The bench: its options, the rows that it accepts, and its failures. Its sections run with `npm run bench -- --smoke`.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { used, usedBetween } from '../../bench/measure.ts'
import { Refused, readOptions } from '../../bench/options.ts'
import { measuredOf } from '../../bench/program.ts'
import { checked, markdownTable, type Row, textTable } from '../../bench/report.ts'
import { folder } from '../../bench/scope.ts'
import { runSections, SECTIONS, STANDING } from '../../bench/sections.ts'
import { part } from '../../bench/share.ts'
import { bothSizes, partOf } from '../../bench/turns.ts'

const checkout = path.resolve(import.meta.dirname, '../..')

const whole: Row = { section: 'xml', what: 'a table', ours: 3, peer: 4, unit: 'MB/s', note: 'saxes alone' }

test('a reduced run scales a number by its share, but not below the given minimum and not above the number', () => {
  assert.equal(part(5_000_000, 1), 5_000_000)
  assert.equal(part(5_000_000, 0.01), 50_000)
  assert.equal(part(5, 0.01), 1)
  assert.equal(part(2_000, 0.01, 50), 50)
  assert.equal(part(20, 0.01, 50), 20)
})

test('a reduced run sends each request once at each size', async () => {
  const all = { requests: 900, rounds: 3, warming: 100 }
  assert.deepEqual(partOf(all, 1), all)
  assert.deepEqual(partOf(all, 0.01), { requests: 3, rounds: 1, warming: 1 })
  for (const share of [1, 0.4, 0.01]) {
    const turns = partOf(all, share)
    const requests = { small: [] as number[], large: [] as number[] }
    await bothSizes(turns, async (size, from, count) => {
      for (let at = 0; at < count; at++) requests[size].push(from + at)
      return [1]
    })
    const wanted = Array.from({ length: turns.warming + turns.requests }, (_, at) => at)
    assert.deepEqual(requests, { small: wanted, large: wanted })
  }
})

test('results of a reduced run are never written', () => {
  assert.throws(
    () => readOptions(['--smoke', '--write']),
    new Refused('--write: rows of a part are not written, as of --smoke'),
  )
  assert.throws(
    () => readOptions(['--share', '0.5', '--write']),
    new Refused('--write: rows of a part are not written, as of --share'),
  )
  assert.equal(readOptions(['--write']).write, true)
})

test('an invalid option is refused, and the error names the option', () => {
  for (const [args, name] of [
    [['--only', 'sgml,sgmll'], /^--only: there is no section sgmll;/],
    [['--only', 'rebuild'], /^--only: there is no section rebuild;/],
    [['--share', '0'], /^--share: /],
    [['--share', 'half'], /^--share: /],
    [['--smoke', '--share', '0.5'], /^--share: /],
    [['--pdfs', 'folder'], /^--pdfs: /],
    [['--smoek'], /--smoek/],
  ] as const)
    assert.throws(
      () => readOptions(args),
      (error) => error instanceof Refused && name.test(error.message),
      args.join(' '),
    )
})

test('a smoke run includes all sections and all separate programs', () => {
  assert.deepEqual(readOptions(['--smoke']).wanted, [...SECTIONS, ...STANDING])
  const sources = globSync('bench/*.ts', { cwd: checkout }).map(
    (file) => [path.basename(file, '.ts'), readFileSync(path.join(checkout, file), 'utf8')] as const,
  )
  const named = (pattern: RegExp) =>
    sources
      .filter(([, source]) => pattern.test(source))
      .map(([name]) => name)
      .sort()
  assert.deepEqual(named(/^export (?:async function|const) rows\b/m), [...SECTIONS].sort())
  // sizes.ts measures no row: it writes a table of src from a folder of real filings.
  assert.deepEqual(named(/^const \{ values \} = parseArgs/m), [...STANDING, 'sizes'].sort())
  // Each section can also run on a part of its data.
  assert.deepEqual(
    named(/^export (?:async function|const) rows(?: = )?\(_?scope: Scope, share: number\b/m),
    [...SECTIONS].sort(),
  )
})

test('a row in which a number is missing fails its section', () => {
  assert.deepEqual(checked('xml', [whole]), [whole])
  for (const [wrong, problem] of [
    [{ ours: Number.NaN }, 'ours is NaN'],
    [{ ours: -1 }, 'ours is -1'],
    // Rows that are wrong on purpose, as from a section that measures nothing.
    [{ ours: undefined as never }, 'ours is undefined'],
    [{ peer: Number.POSITIVE_INFINITY }, 'peer is Infinity'],
    [{ peer: 0 }, 'peer is 0 MB/s'],
    [{ ours: null, peer: null, note: '' }, 'ours is not measured, and no note says why'],
    [{ what: 'a table of NaN MB' }, 'what is "a table of NaN MB"'],
    [{ note: 'undefined rows' }, 'note is "undefined rows"'],
    [{ unit: '' }, 'what was measured, or its unit, is not named'],
    [{ section: 'sgml' }, 'the section is sgml'],
  ] as const) {
    const row = { ...whole, ...wrong }
    assert.throws(() => checked('xml', [whole, row]), new Error(`${row.what}: ${problem}`))
  }
})

test('a peer library that is not installed is reported, and does not make the run fail', async () => {
  const without: Row = { ...whole, peer: null, note: 'xmllint is not installed (libxml2-utils); 5 documents/s' }
  const printed: string[] = []
  const ran = await runSections(
    ['xml'],
    async (name) => checked(name, [without, without]),
    (line) => printed.push(line),
  )
  assert.deepEqual(ran, { found: [without, without], failed: [] })
  assert.match(printed.join('\n'), /^xml took \d+\.\d s; xmllint is not installed \(libxml2-utils\)$/)
})

test('a section without rows fails with its name in the message, and the next section runs', async () => {
  const printed: string[] = []
  const run = async (name: string) => checked(name, name === 'xml' ? [] : [{ ...whole, section: name }])
  const { found, failed } = await runSections(['xml', 'sgml'], run, (line) => printed.push(line))
  assert.deepEqual([found.map(({ section }) => section), failed], [['sgml'], ['xml']])
  assert.match(printed[0]!, /^xml FAILED after \d+\.\d s: there are no rows$/)
})

test('a run with a failed section ends with status 1 and names the section', async (t) => {
  // Without a PDF, the number of pages is NaN.
  const pdfs = await folder(t)
  const args = ['bench/run.ts', '--only', 'pdf', '--pdfs', pdfs]
  const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
    execFile(process.execPath, args, { cwd: checkout }, (error, _, stderr) => resolve({ code: error?.code, stderr }))
  })
  assert.equal(code, 1, stderr)
  assert.match(stderr, /^bench: pdf FAILED after .*0 PDFs of NaN pages/m)
})

test('a ratio that depends on the machine has a mark, and the table explains the mark', () => {
  const marked: Row = { ...whole, dependsOnMachine: true }
  assert.match(textTable([whole, marked]), / 0\.75 {2}MB\/s .*\n.* 0\.75 † {2}MB\/s .*\n\n† depends on the machine: /)
  assert.match(markdownTable([marked]), /\| 0\.75 † \|/)
  assert.doesNotMatch(textTable([whole]), /†/)
  assert.doesNotMatch(textTable([{ ...marked, peer: null }]), / †/)
})

test('the bench counts the processor time of a process, and its reads and writes', {
  skip: process.platform !== 'linux' && 'only Linux counts reads and writes',
}, () => {
  const before = used()
  for (let n = 0; n < 100; n++) readFileSync('/proc/self/stat')
  const { processorMs, readsAndWrites } = usedBetween(before, used())
  assert.ok(processorMs > 0)
  // Each file is read to its end, which takes two reads if the length of the file is unknown in advance.
  assert.ok(readsAndWrites! >= 200 && readsAndWrites! < 300, String(readsAndWrites))
})

test('the processor time of a program is measured, and waiting does not count', {
  skip: process.platform === 'win32' && 'there is no shell',
}, async () => {
  const busy = 'n=0; while [ $n -lt 100000 ]; do n=$((n + 1)); done; echo done'
  const { stdout, processorMs } = await measuredOf('sh', ['-c', busy])
  assert.equal(stdout, 'done')
  const { processorMs: idle } = await measuredOf('sh', ['-c', 'sleep 0.2'])
  assert.ok(processorMs! > 20 && idle! < 20, `${processorMs} ms busy, ${idle} ms idle`)
})
