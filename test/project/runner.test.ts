/**
 * Results of `npm test` for small projects whose test files pass, fail, hang and crash.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { closing } from '../runner/print.ts'
import type { FileStatements } from '../runner/statements.ts'
import { secondRun } from '../second-run.ts'
import { checkout, temporaryFolder } from '../support/world.ts'

const PASSES = `import { test } from 'node:test'\ntest('it passes', () => {})`
const HANG = 'setInterval(() => {}, 1000)'

/** Runs the given files, by their names below `test/`, with the runner. */
async function runProject(
  t: Parameters<typeof temporaryFolder>[0],
  files: Record<string, string>,
  { args = [], env = {} }: { args?: string[]; env?: Record<string, string> } = {},
): Promise<{ status: number; lines: string[]; text: string; folder: string }> {
  const folder = await temporaryFolder(t)
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, 'test', name)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  const { NODE_TEST_CONTEXT: _context, TEST_FILE_TIMES: _times, TEST_STATEMENTS: _statements, ...own } = process.env
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [path.join(checkout, 'test/run.ts'), ...args],
      { cwd: folder, env: { ...own, TEST_PROJECT: folder, ...env } },
      (error, stdout, stderr) =>
        resolve({
          ...{ status: error ? Number(error.code) : 0, text: stdout + stderr, folder },
          lines: stdout.trimEnd().split('\n'),
        }),
    )
  })
}

test('the last line counts passed, failed and skipped tests, and skips print their reason', {
  skip: secondRun,
}, async (t) => {
  const { status, lines, text } = await runProject(t, {
    'a.test.mjs': `${PASSES}\ntest('it waits', { skip: 'there is no moon' }, () => {})`,
    'b.test.mjs': `import { suite, test } from 'node:test'
      suite('a suite', () => { test('within', async (t) => { await t.test('deeper', () => {}) }) })`,
  })
  assert.equal(status, 0, text)
  assert.equal(lines.at(-1), '3 passed, 0 failed, 1 skipped')
  assert.ok(lines.includes('skipped 1: there is no moon'), text)
})

test('a failing test, a late declaration, a throwing hook or import, and a file without tests each fail the run and are named', {
  skip: secondRun,
}, async (t) => {
  const { status, lines, text } = await runProject(t, {
    'asserts.test.mjs': `${PASSES}\ntest('outer', async (t) => { await t.test('inner', () => { throw new Error('wrong') }) })`,
    'hooks.test.mjs': `import { after } from 'node:test'\n${PASSES}\nafter(() => { throw new Error('late') })`,
    'imports.test.mjs': `import './gone.mjs'`,
    'later.test.mjs': `${PASSES}\ntest('it throws out of turn', async () => {
      setTimeout(() => { throw new Error('out of turn') }, 1)
      await new Promise((resolve) => setTimeout(resolve, 200))
    })`,
    'waits.test.mjs': `import { describe, test } from 'node:test'
      describe('a suite', async () => {
        await new Promise((resolve) => setTimeout(resolve, 50))
        test('it comes late', () => {})
      })`,
    'nothing.test.mjs': 'export {}',
    'fine.test.mjs': PASSES,
  })
  assert.equal(status, 1, text)
  assert.match(text, /✔ test\/fine\.test\.mjs \(1 tests/)
  const failing = text.slice(text.indexOf('failing tests:'))
  assert.match(
    failing,
    /test\/asserts\.test\.mjs\n {4}✖ outer › inner \(test\/asserts\.test\.mjs:3:\d+\)\n +Error: wrong/,
  )
  assert.match(failing, /test\/hooks\.test\.mjs\n {4}✖ the file\n +Error: late/)
  assert.match(failing, /test\/imports\.test\.mjs\n {4}✖ the file\n.*Cannot find module/)
  assert.match(failing, /test\/later\.test\.mjs\n {4}✖ it throws out of turn .*\n +Error: out of turn/)
  assert.match(failing, /test\/waits\.test\.mjs\n {4}✖ it comes late\n +the test was declared after its file was read/)
  assert.match(failing, /test\/nothing\.test\.mjs\n {4}✖ the file\n +it has no test/)
  const shortly = lines.filter((line) => line.startsWith('failed: '))
  assert.equal(shortly.length, 7, text)
  assert.ok(shortly.includes('failed: test/asserts.test.mjs: outer › inner: wrong'), text)
  assert.equal(lines.at(-1), '5 passed, 7 failed, 0 skipped')
})

test('any value that a test throws is reported with the test’s name, and the run still prints its last line', {
  skip: secondRun,
}, async (t) => {
  const { lines, text } = await runProject(t, {
    'throws.test.mjs': `import { test } from 'node:test'
      test('a bare object', () => { throw Object.create(null) })
      test('an error around one', () => { throw new Error('around', { cause: Object.create(null) }) })
      test('nothing', () => { throw undefined })
      test('a message that is an object', () => { throw Object.assign(new Error(), { message: { a: 1 } }) })`,
  })
  assert.equal(lines.filter((line) => line.startsWith('failed: ')).length, 4, text)
  assert.equal(lines.at(-1), '0 passed, 4 failed, 0 skipped', text)

  const failures = Object.entries({
    bare: Object.create(null),
    symbol: Symbol('a'),
    none: undefined,
    'of an object': Object.assign(new Error(), { message: Object.create(null) }),
    hostile: Object.defineProperty(new Error(), inspect.custom, {
      value: () => {
        throw new Error('not shown')
      },
    }),
    wild: { [inspect.custom]: () => Object.create(null).toString() },
  }).map(([test, error]) => ({ test, error }))
  const result = { file: 'a.test.ts', passed: 0, skipped: [], failures, notes: [], output: '', seconds: 0 }
  const printed = closing({ first: [result], again: [], seed: 1, seconds: 1, flakyMax: 0 }).text
  for (const line of ['bare: [Object: null prototype] {}', 'symbol: Symbol(a)', 'none: undefined'])
    assert.ok(printed.includes(`failed: a.test.ts: ${line}\n`), printed)
  assert.ok(printed.includes('failed: a.test.ts: wild: a value that cannot be shown\n'), printed)
  assert.match(printed, /0 passed, 6 failed, 0 skipped\n$/)
})

test('a file that hangs, leaves something open, ends its process or throws after its tests fails by name, and all other files still run', {
  skip: secondRun,
}, async (t) => {
  const { status, text } = await runProject(
    t,
    {
      'before.test.mjs': `await new Promise(() => ${HANG})`,
      'within.test.mjs': `import { test } from 'node:test'\ntest('it hangs', () => new Promise(() => ${HANG}))`,
      'broken.test.mjs': `import { test } from 'node:test'
        test('it waits for what has failed', () => new Promise(() => {
          ${HANG}
          setTimeout(() => { throw new Error('it has failed') }, 20)
        }))`,
      'open.test.mjs': `import net from 'node:net'\n${PASSES}\nnet.createServer().listen(0)`,
      'both.test.mjs': `import net from 'node:net'\n${PASSES}\nnet.createServer().listen(0)
        setTimeout(() => { throw new Error('thrown and left open') }, 20)`,
      'ends.test.mjs': `import { test } from 'node:test'\ntest('it ends', () => process.exit(3))`,
      'throws.test.mjs': `${PASSES}\nsetTimeout(() => { throw new Error('too late') }, 20)`,
      'rejects.test.mjs': `${PASSES}\nsetTimeout(() => Promise.reject(new Error('far too late')), 20)`,
      'settings.test.mjs': `import { test } from 'node:test'\ntest('it sets one', () => { process.env.LEFT_BEHIND = 'x' })`,
      'status.test.mjs': `import { test } from 'node:test'\ntest('it sets it', () => { process.exitCode = 4 })`,
      ...Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`fine${n}.test.mjs`, PASSES])),
    },
    { env: { TEST_FILE_LIMIT_MS: '1500', TEST_CLOSING_MS: '300' } },
  )
  assert.equal(status, 1, text)
  for (let n = 0; n < 8; n++) assert.match(text, new RegExp(`✔ test/fine${n}\\.test\\.mjs`))
  for (const name of ['before', 'within'])
    assert.match(text, new RegExp(`test/${name}\\.test\\.mjs has ended no test for 1500 ms; it holds: .*Timeout`))
  assert.match(text, /a test has not ended within 600 ms after an error that nothing has caught: Error: it has failed/)
  const failing = text.slice(text.indexOf('failing tests:'))
  assert.match(failing, /test\/broken\.test\.mjs\n {4}✖ the file\n +the process of the file ended before its last test/)
  assert.match(
    failing,
    /test\/open\.test\.mjs\n {4}✖ the file\n +Error: left open after the last test: 1 TCPServerWrap/,
  )
  assert.match(failing, /test\/ends\.test\.mjs\n {4}✖ the file\n +the process of the file ended before its last test/)
  for (const [name, error] of [
    ['both', 'thrown and left open'],
    ['throws', 'too late'],
    ['rejects', 'far too late'],
  ])
    assert.match(failing, new RegExp(`test/${name}\\.test\\.mjs\\n {4}✖ the file\\n(?:.*\\n)*? +\\[?Error: ${error}`))
  assert.match(failing, /test\/settings\.test\.mjs\n {4}✖ the file\n +Error: left in the environment .*: LEFT_BEHIND/)
  assert.match(failing, /test\/status\.test\.mjs\n {4}✖ the file\n +Error: the status of the process was set to 4/)
})

test('a file passes even if its tests, or the subtests of one test, together take longer than the limit', {
  skip: secondRun,
}, async (t) => {
  const waits = `await new Promise((resolve) => setTimeout(resolve, 600))`
  const { status, lines, text } = await runProject(
    t,
    {
      'long.test.mjs': `import { test } from 'node:test'
        for (const n of [1, 2, 3, 4]) test('it takes its time ' + n, async () => { ${waits} })
        test('a test of four', async (t) => {
          for (const n of [1, 2, 3, 4]) await t.test('within ' + n, async () => { ${waits} })
        })`,
    },
    { env: { TEST_FILE_LIMIT_MS: '4000' } },
  )
  assert.equal(status, 0, text)
  assert.equal(lines.at(-1), '9 passed, 0 failed, 0 skipped')
})

/** Returns a test file that fails on its first run, and passes once its marker file exists. */
const failsOnce = (
  name: string,
) => `import { existsSync, writeFileSync } from 'node:fs'\nimport { test } from 'node:test'
  test('it has bad luck', () => {
    const mark = new URL('${name}.mark', import.meta.url)
    if (existsSync(mark)) return
    writeFileSync(mark, '')
    throw new Error('bad luck')
  })`

test('a file that fails and then passes alone is reported as flaky; three flaky files fail the run', {
  skip: secondRun,
}, async (t) => {
  const flaky = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`luck${n}.test.mjs`, failsOnce(`luck${n}`)]))
  const two = await runProject(t, { ...flaky(2), 'fine.test.mjs': PASSES })
  assert.equal(two.status, 0, two.text)
  for (const n of [0, 1])
    assert.ok(two.lines.includes(`flaky: test/luck${n}.test.mjs: it has bad luck: bad luck`), two.text)
  assert.match(two.lines.at(-2)!, /^2 flaky; /)
  assert.equal(two.lines.at(-1), '3 passed, 0 failed, 0 skipped')
  const three = await runProject(t, flaky(3))
  assert.equal(three.status, 1, three.text)
  assert.match(three.lines.at(-2)!, /^3 flaky; /)
})

test('files share processes unless their first comment contains @alone, and the same seed gives the same order', {
  skip: secondRun,
}, async (t) => {
  const says = `import { appendFileSync } from 'node:fs'\nimport { test } from 'node:test'
    const file = import.meta.url.split('/').at(-1)
    test('it says its process', () => appendFileSync(new URL('said', import.meta.url), file + ' ' + process.pid + '\\n'))`
  const files = {
    ...Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`shared${n}.test.mjs`, says])),
    'own.test.mjs': `/**\n * A test.\n *\n * @alone it counts processes\n */\n${says}`,
    'other.test.mjs': `/** @alone it counts processes too */\n${says}`,
  }
  const { status, text, folder } = await runProject(t, files, { args: ['--seed', '7'] })
  assert.equal(status, 0, text)
  const lines = (await readFile(path.join(folder, 'test/said'), 'utf8')).trimEnd().split('\n')
  const pids = Map.groupBy(
    lines.map((line) => line.split(' ')),
    ([, pid]) => pid,
  )
  const named = [...pids.values()].map((lines) => lines.map(([file]) => file!))
  for (const own of ['own.test.mjs', 'other.test.mjs'])
    assert.deepEqual(
      named.find((some) => some.includes(own)),
      [own],
    )
  assert.ok(named.length <= 5, `${named.length} processes`)
  const { shuffled } = await import('../runner/files.ts')
  assert.deepEqual(shuffled(lines, 7), shuffled(lines, 7))
  assert.notDeepEqual(shuffled(lines, 7), shuffled(lines, 8))
})

test('a process with a large heap continues if most of the heap was garbage, and is replaced by another process if most of it is in use', {
  skip: secondRun,
}, async (t) => {
  const says = `import { appendFileSync } from 'node:fs'\nimport { test } from 'node:test'
    const file = import.meta.url.split('/').at(-1)
    test('it says its process', () => {
      const all = Array.from({ length: 2_000_000 }, (_, n) => ({ n }))
      if (file.startsWith('holds')) globalThis.held = all
      appendFileSync(new URL('said', import.meta.url), file + ' ' + process.pid + '\\n')
    })`
  const names = ['holds0', 'holds1', ...Array.from({ length: 7 }, (_, n) => `garbage${n}`)]
  const files = Object.fromEntries(names.map((name) => [`${name}.test.mjs`, says]))
  const { status, text, folder } = await runProject(t, files, { env: { TEST_HEAP_MB: '60' } })
  assert.equal(status, 0, text)
  const lines = (await readFile(path.join(folder, 'test/said'), 'utf8')).trimEnd().split('\n')
  const pids = Map.groupBy(
    lines.map((line) => line.split(' ')),
    ([, pid]) => pid,
  )
  assert.ok(pids.size <= 5, `${pids.size} processes`)
  for (const some of pids.values())
    assert.ok(!some.slice(0, -1).some(([file]) => file!.startsWith('holds')), JSON.stringify(some))
})

test('files whose first comment contains @early run first; the seed decides the order within both groups', async () => {
  const { allTestFiles, ordered } = await import('../runner/files.ts')
  const all = allTestFiles()
  const orders = await Promise.all(
    [7, 8].map(async (seed) => {
      const files = ordered(all, seed)
      assert.deepEqual(files.toSorted(), all)
      const marks = await Promise.all(
        files.map(async (file) =>
          / @early \S/.test((await readFile(path.join(checkout, file), 'utf8')).split('*/')[0]!),
        ),
      )
      const count = marks.lastIndexOf(true) + 1
      assert.ok(count > 10 && marks.slice(0, count).every(Boolean), `${count} files are early`)
      return { early: files.slice(0, count), others: files.slice(count) }
    }),
  )
  assert.notDeepEqual(orders[0]!.early, orders[1]!.early)
  assert.notDeepEqual(orders[0]!.others, orders[1]!.others)
})

test('a file is not affected by an EDGAR pause or environment variables that an earlier file set in the shared process', {
  skip: secondRun,
}, async (t) => {
  const pauses = `import assert from 'node:assert/strict'
    import { test } from 'node:test'
    import { PACED_LOOPBACK, paceOf, REMOTE } from ${JSON.stringify(path.join(checkout, 'src/fetch/pace.ts'))}
    test('nothing is paused or set, until it does so', () => {
      assert.equal(process.env.LEFT_BEHIND, undefined)
      for (const host of [REMOTE, PACED_LOOPBACK]) {
        const { pace } = paceOf(host)
        assert.equal(pace.pausedUntil, 0)
        pace.pause(Date.now() + 3_600_000)
        assert.notEqual(paceOf(host).pace.pausedUntil, 0)
      }
    })`
  const names = Array.from({ length: 6 }, (_, n) => `pauses${n}.test.mjs`)
  const { text, lines } = await runProject(t, {
    'sets.test.mjs': `import { test } from 'node:test'\ntest('it sets one', () => { process.env.LEFT_BEHIND = 'x' })`,
    ...Object.fromEntries(names.map((name) => [name, pauses])),
  })
  for (const name of names) assert.match(text, new RegExp(`✔ test/${name.replaceAll('.', '\\.')}`))
  assert.equal(lines.at(-1), '7 passed, 1 failed, 0 skipped')
})

test('npm test lists a file whose first comment says @ci and skips it; CI and a run with its name run it', {
  skip: secondRun,
}, async (t) => {
  const files = { 'here.test.mjs': PASSES, 'there.test.mjs': `/** @ci it needs the moon */\n${PASSES}` }
  const usual = await runProject(t, files)
  assert.match(usual.text, /^left to CI: test\/there\.test\.mjs: it needs the moon$/m)
  assert.match(usual.text, /✔ test\/here\.test\.mjs/)
  assert.equal(usual.lines.at(-1), '1 passed, 0 failed, 0 skipped')
  for (const args of [['--ci'], ['test/there.test.mjs']]) {
    const { text, lines } = await runProject(t, files, { args })
    assert.match(text, /✔ test\/there\.test\.mjs/)
    assert.equal(lines.at(-1), '1 passed, 0 failed, 0 skipped')
  }
})

test('statements of src are recorded by their templates, fragments and SQL files; statements of tests are not recorded', {
  skip: secondRun,
}, async (t) => {
  const notes = path.join(await temporaryFolder(t), 'notes')
  const { status, text } = await runProject(
    t,
    {
      '../src/asks.ts': `export const asked = (sql, table) => {
          const own = sql\`n > \${0}\`
          return sql\`select n from \${sql(table)} where \${own} and \${sql.unsafe('n < 70')}\`
        }
        export const make = (sql, table) => sql.unsafe(\`create temporary table \${table} (n int)\`)
        export const fill = (sql) => sql.file(new URL('fill.sql', import.meta.url).pathname)`,
      '../src/fill.sql': 'insert into made1 values (5)',
      'sends.test.mjs': `import assert from 'node:assert/strict'
        import { test } from 'node:test'
        import { connect } from ${JSON.stringify(path.join(checkout, 'src/store/db.ts'))}
        import { asked, fill, make } from '../src/asks.ts'
        test('it sends some', async () => {
          const sql = connect({ target: JSON.parse(process.env.TEST_SERVER), max: 1 })
          await sql\`select \${1}::int as own\`
          await sql.unsafe('create temporary table own (n int)')
          for (const n of [1, 2]) await make(sql, 'made' + n)
          await fill(sql)
          assert.deepEqual([...(await asked(sql, 'made1'))], [{ n: 5 }])
          await sql.end()
        })`,
      'fine.test.mjs': PASSES,
    },
    { env: { TEST_STATEMENTS: notes } },
  )
  assert.equal(status, 0, text)
  const lines = (await readFile(notes, 'utf8')).trimEnd().split('\n')
  const noted = lines.map((line): FileStatements => JSON.parse(line))
  const partsOf = (name: string) => noted.find(({ file }) => file === `test/${name}.test.mjs`)!.parts.toSorted()
  assert.deepEqual(partsOf('fine'), [])
  assert.deepEqual(partsOf('sends'), [
    'create temporary table',
    'insert into made1 values (5)',
    'n > ?',
    'select n from ? where ? and ?',
  ])
})

test('promises are not tracked while a test runs', { skip: secondRun }, async (t) => {
  const { status, text } = await runProject(t, {
    'ids.test.mjs': `import assert from 'node:assert/strict'
      import { executionAsyncId } from 'node:async_hooks'
      import { test } from 'node:test'
      test('the async id is the same after each await', async () => {
        await null
        const id = executionAsyncId()
        await null
        assert.equal(executionAsyncId(), id)
      })`,
  })
  assert.equal(status, 0, text)
})

test('a path that is not a test file and a seed that is not a number are refused', { skip: secondRun }, async (t) => {
  for (const args of [['test/gone.test.ts'], ['--seed', 'x']]) {
    const { status, text } = await runProject(t, { 'fine.test.mjs': PASSES }, { args })
    assert.equal(status, 2, text)
    assert.match(text, /^npm test: /)
  }
})
