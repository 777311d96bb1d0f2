/** `--help` is correct: it names every option and argument, and every example runs. */
import assert from 'node:assert/strict'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { COMMANDS } from '../../src/commands/all.ts'
import { helpOf, overview } from '../../src/commands/help.ts'
import thirteenf from '../../src/datasets/thirteenf/index.ts'
import registry from '../../src/registry.ts'
import { secondRun } from '../second-run.ts'
import { beginHere, run, sampledEnv, untilReady } from '../support/command.ts'
import { startHost } from '../support/edgar-host.ts'
import { made, membersOf, setOf } from '../support/thirteenf/set-files.ts'
import { copyOfSample, writeIndex } from '../support/world.ts'

/** Splits a command into words like a shell: text in single quotes is one word. */
const wordsOf = (line: string) => Array.from(line.matchAll(/'([^']*)'|(\S+)/g), ([, quoted, bare]) => quoted ?? bare!)

test('the help of every command names its options, arguments, examples and exit statuses, in lines that fit a terminal', async () => {
  for (const command of COMMANDS) {
    const text = await helpOf(command)
    assert.match(text, new RegExp(`^usage: openfilings ${command.name}`))
    for (const [name, { help }] of Object.entries(command.options)) {
      assert.ok(text.includes(`  --${name}`), `${command.name} --${name}`)
      assert.ok(help.length > 0)
    }
    for (const [word] of (await command.words?.()) ?? []) assert.match(text, new RegExp(`^ {2}${word} `, 'm'))
    assert.match(text, /^Examples:\n {2}openfilings /m)
    assert.match(text, /^Exit status:\n {2}0 +all done\n {2}1 +\S/m)
    for (const line of text.split('\n')) assert.ok(line.length <= 124, line)
    assert.ok(overview(COMMANDS).includes(`  ${command.name} `))
  }
})

test('the help of ingest names every dataset and every family of headers that it accepts', async () => {
  const { status, stdout } = await run(['ingest', '--help'], {})
  assert.equal(status, 0)
  for (const { slug, source, family } of registry.filings)
    assert.match(stdout, new RegExp(`^ {2}${slug} +.*${family ? source.forms[0] : 'of filings as text'}`, 'm'))
  for (const { slug } of registry.bulk) assert.match(stdout, new RegExp(`^ {2}${slug} `, 'm'))
  for (const word of ['all', 'index', 'header']) assert.match(stdout, new RegExp(`^ {2}${word} `, 'm'))
  assert.match(stdout, /^ {2}header +.*Other Regulation A reports/m)
  assert.deepEqual(await run(['help', 'ingest'], {}), { status, stdout, stderr: '' })
})

// The test loads a sample, and runs five ingests and a server: some 20 seconds on a quiet machine.
test('every example runs unchanged, and exits with 0 or runs until it is stopped', {
  skip: secondRun,
}, async (t) => {
  const root = await copyOfSample(t)
  await writeIndex(root, '2026/QTR4', ['1296490|Again Fund|D/A|2026-10-02|edgar/data/1296490/0001398344-24-000491.txt'])
  await writeIndex(root, '1993/QTR1', ['1|Old|10-K|1993-01-04|edgar/data/1/0000000001-93-000001.txt'])
  const { list } = thirteenf.sets!
  await mkdir(path.dirname(path.join(root, list)), { recursive: true })
  await cp(await setOf(t, membersOf(made(3))), path.join(root, '2024q1_form13f.zip'))
  await writeFile(path.join(root, list), '<a href="/2024q1_form13f.zip">2024 Q1</a>')
  const host = await startHost({ root })
  t.after(() => host.close())
  // The role that an example creates belongs to the whole database server. No other test makes a role of this name. A
  // killed run leaves the role behind.
  const removeRole = () => run(['analyst', 'remove', 'analyst'], place)
  // Registered before the hook that drops the database.
  t.after(removeRole)
  const place = await sampledEnv(t)
  await removeRole()
  const env = {
    ...place,
    EDGAR_BASE_URL: host.url,
    EDGAR_DATA_URL: host.url,
    ADVISERINFO_BASE_URL: host.url,
    PORT: '0',
  }
  const ofServe = (line: string) => line.startsWith('openfilings serve')
  const lines = COMMANDS.flatMap(({ examples }) => examples.map(([line]) => line))
  for (const line of lines.filter(ofServe)) {
    const server = beginHere(t, wordsOf(line).slice(1), env)
    await untilReady(server)
    assert.equal(await server.end(), 0, line)
  }
  // `openfilings mcp` runs until its client ends; test/mcp/stdio.test.ts tests this command.
  const others = lines.filter((line) => !ofServe(line) && !line.startsWith('openfilings mcp'))
  // The command that loads the sample runs first, since a database with real filings refuses the sample.
  others.sort((a, b) => Number(b.endsWith(' sample')) - Number(a.endsWith(' sample')))
  for (const line of others) {
    if (line.includes('--follow')) {
      const follower = beginHere(t, wordsOf(line).slice(1), env)
      await follower.until(/following/)
      assert.equal(await follower.end(), 143, line)
      continue
    }
    const { status, stderr, stdout } = await run(wordsOf(line).slice(1), env)
    assert.equal(status, 0, `${line}: ${stderr}${stdout}`)
  }
})
