/** Progress reports of commands: on a terminal, in a log, as JSON, and with --quiet. */
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { begin, beginHere, cli, emptyEnv, queried, run } from '../support/command.ts'
import { type Host, startHost } from '../support/edgar-host.ts'
import { until } from '../support/until.ts'
import { copyOfSample, writeIndex } from '../support/world.ts'

const later: (() => Promise<unknown>)[] = []
const t = { after: (fn: () => Promise<unknown>) => void later.unshift(fn) }
after(async () => {
  for (const fn of later) await fn()
})

/** The program `script` of util-linux has the option `-c`; the `script` of macOS does not have it. */
const noTerminal = !hasScript() && 'needs script(1) of util-linux, for a terminal'

describe('progress of repeated runs on one database and host', () => {
  let env: Record<string, string>
  let host: Host
  let root: string
  /** An ingest of 50 days without an index, which sends one request for each day. */
  const days = ['ingest', 'index', '--again', '--from', '2026-10-01', '--to', '2026-11-19']

  before(async () => {
    env = await emptyEnv(t)
    root = await copyOfSample(t)
    await writeIndex(root, '2024/QTR2', [
      'x|Bad|D|2024-04-01|edgar/data/1/0000000001-24-000001.txt',
      '1|Gone|D|2024-04-02|edgar/data/1/0000000001-24-000002.txt',
    ])
    // Some content, so that a host without news is not a failure.
    host = await startHost({ root })
    later.unshift(() => host.close())
    const first = await run(
      ['ingest', 'formd', '--from', '2018-10-01', '--to', '2018-12-31', '--base-url', host.url],
      env,
    )
    assert.equal(first.status, 0, first.stderr)
  })

  it('in a log, progress is a line after 3 seconds and then every 10, with the amount done, the total, the rate and the time left', async () => {
    host.setFaults('slow:ms=110')
    const { status, stdout, stderr } = await run([...days, '--base-url', host.url], env)
    assert.equal(status, 0)
    const lines = stderr.trimEnd().split('\n')
    assert.match(lines[0]!, /^openfilings: reading indexes: \d+ of \d+ \(\d+%\), [\d.]+ a second, [\d.]+ s left$/)
    assert.ok(lines.length <= 2, stderr)
    assert.match(
      stdout,
      /^there is no new index from 2026-10-01 on\ningest index: done, after [\d.]+ s\n {2}indexes +0 read\n/,
    )
    host.setFaults('')
  })

  it('on a terminal, progress is one line, no wider than the terminal, and erased at the end', {
    skip: noTerminal,
  }, async () => {
    host.setFaults('slow:ms=30')
    const text = await onTerminal('xterm', 44, [...days, '--base-url', host.url])
    const drawn = text.split('\r\x1b[K').slice(1)
    const shown = drawn.map((line) => line.split(/\r?\n/)[0]!)
    assert.ok(shown.filter((line) => line.startsWith('reading indexes: ')).length > 5, text)
    for (const line of shown) assert.ok(line.length < 44 || !line.startsWith('reading'), line)
    // The last line drawn is empty, and the summary follows on a separate line.
    assert.match(drawn.at(-1)!, /^ingest index: done/)
    assert.doesNotMatch(text, /reading indexes[^\r]*\n/)
    host.setFaults('')
  })

  it('on a dumb terminal no line is rewritten', { skip: noTerminal }, async () => {
    const text = await onTerminal('dumb', 80, ['ingest', 'index', '--from', '2026-11-01', '--base-url', host.url])
    assert.match(text, /ingest index: done/)
    assert.doesNotMatch(text, /\x1b/)
  })

  it('on a terminal, a long run asks before it fetches filings; if the answer is no, they stay pending', {
    skip: noTerminal,
  }, async () => {
    const lines = Array.from({ length: 1_000 }, (_, n) => {
      const accession = `0000000002-23-${String(n).padStart(6, '0')}`
      return `2|Many|D|2023-10-02|edgar/data/2/${accession}.txt`
    })
    await writeIndex(root, '2023/QTR4', lines)
    const before = host.requests.length
    const args = ['ingest', 'formd', '--from', '2023-10-01', '--to', '2023-12-31', '--base-url', host.url]
    // A thousand requests at one a second are 20 minutes.
    const slow = { EDGAR_PACE_LOOPBACK: 'on', EDGAR_REQUESTS_PER_SECOND: '1' }
    const text = await onTerminal('xterm', 80, args, { answer: 'n\n', settings: slow, status: 1 })
    assert.match(text, /reading 1,000 filings takes 1,000 requests, about 20 min/)
    assert.match(text, /\[y\/N\] /)
    assert.match(text, /filings skipped: they were declined because of their cost/)
    const fetched = host.requests.slice(before).filter(({ path }) => path.includes('/data/'))
    assert.deepEqual(fetched, [])
    const waiting = await queried(
      env,
      (sql) => sql`
      select from edgar.task where state = 'pending' and accession like '0000000002-23-%'`,
    )
    assert.equal(waiting.length, 1_000)
  })

  /** Returns the output on a terminal that is `columns` wide. Typed input waits there until it is read. */
  function onTerminal(
    TERM: string,
    columns: number,
    args: string[],
    {
      answer = '',
      settings = {},
      status = 0,
    }: { answer?: string; settings?: Record<string, string>; status?: number } = {},
  ): Promise<string> {
    const command = `stty cols ${columns}; ${[process.execPath, cli, ...args].join(' ')}`
    const options = { env: { PATH: process.env.PATH ?? '', TERM, ...env, ...settings } }
    return new Promise((resolve, reject) => {
      const child = execFile('script', ['-qefc', command, '/dev/null'], options, (error, stdout) =>
        (error?.code ?? 0) === status ? resolve(stdout) : reject(error),
      )
      child.stdin!.write(answer)
    })
  }

  it('with --json each line is an object with its time: progress, results, failures with reasons, and the summary', async () => {
    host.setFaults('slow:ms=70')
    const args = ['ingest', 'formd', '--from', '2024-04-01', '--to', '2024-09-30', '--json', '--base-url', host.url]
    const { status, stdout, stderr } = await run(args, env)
    assert.deepEqual([status, stderr], [1, ''])
    const printed = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    for (const { time } of printed) assert.match(time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    const of = (event: string) => printed.filter((each) => each.event === event)
    assert.ok(of('progress').length >= 2)
    const { time: _, ...progress } = of('progress').at(-1)!
    assert.deepEqual(Object.keys(progress), [
      'event',
      'what',
      'unit',
      'done',
      'total',
      'per_second',
      'seconds_left',
      'waits_until',
    ])
    assert.equal(of('index').length, 2)
    assert.match(of('unread_line')[0].reason, /CIK "x" is not a number/)
    assert.deepEqual(
      of('failure').map(({ accession, form_type, dataset }) => [accession, form_type, dataset]),
      [['0000000001-24-000002', 'D', 'formd']],
    )
    assert.match(of('failure')[0].reason, /EDGAR has no submission/)
    const { time: _time, seconds, requests, next, ...summary } = printed.at(-1)
    assert.ok(seconds > 0 && requests.sent >= 3 && next.length === 2, JSON.stringify(printed.at(-1)))
    assert.deepEqual(summary, {
      event: 'summary',
      command: 'ingest',
      what: 'formd',
      outcome: 'problems',
      indexes: { read: 2, damaged: 1, filings: 7, added: 7, changed: 0, removed: 0 },
      filings: { read: 0, failed: 1, unread: 0, pending: 0, by: { formd: { read: 0, failed: 1 } } },
    })
    host.setFaults('')
  })

  it('while rollups are made after reading, progress names their slice and no longer shows the count of read filings', async () => {
    const period = ['--from', '2020-01-01', '--to', '2020-03-31']
    const { stdout } = await run(['ingest', 'x17a5', ...period, '--json', '--base-url', host.url], env)
    const printed = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const shown = printed.filter(({ event }) => event === 'progress').map(({ what, total }) => [what, total])
    assert.ok(
      shown.some(([what, total]) => what === 'making rollups of x17a5' && total === null),
      stdout,
    )
  })

  it('--quiet prints nothing on success; otherwise it prints the failures and the summary on standard error', async () => {
    assert.deepEqual(await run([...days, '--quiet', '--base-url', host.url], env), {
      status: 0,
      stdout: '',
      stderr: '',
    })
    const args = [
      'ingest',
      'formd',
      '--retry',
      '--from',
      '2024-04-01',
      '--to',
      '2024-06-30',
      '--quiet',
      '--base-url',
      host.url,
    ]
    const { status, stdout, stderr } = await run(args, env)
    assert.deepEqual([status, stdout], [1, ''])
    assert.match(stderr, /^openfilings: 0000000001-24-000002 \(D\) failed: EDGAR has no submission at \S+$/m)
    assert.match(
      stderr,
      /^openfilings: ingest formd: done, with problems, after(.*\n)+ {2}next +"openfilings status" shows why/m,
    )
  })

  it('retries, and a pause that EDGAR demands, are reported in sentences with the amount done so far', async () => {
    host.setFaults('too-many:after=1,first=1')
    const { status, stderr } = await run(
      ['ingest', 'index', '--again', '--from', '2018-10-01', '--to', '2018-12-31', '--base-url', host.url],
      env,
    )
    assert.equal(status, 0)
    assert.match(stderr, /^openfilings: http:\S+\/QTR4\/master\.idx answered 429; trying again in 1(\.\d)? s$/m)
    host.setFaults('rate-page:path=2018/QTR4')
    const paused = beginHere(
      t,
      ['ingest', 'index', '--again', '--from', '2018-07-01', '--to', '2018-12-31', '--base-url', host.url],
      env,
    )
    await paused.until(/EDGAR requests a pause/)
    assert.match(
      paused.stderr(),
      /^openfilings: EDGAR requests a pause until \d\d:\d\d UTC \(10 min 0 s\): http:\S+ answered 403: request rate exceeded; reading indexes: 1 of 2 \(50%\)$/m,
    )
    await sleep(300)
    assert.equal(await paused.end('SIGINT'), 130)
    assert.match(paused.stdout(), /^ingest index: stopped;.*\n {2}indexes +1 read/m)
    host.setFaults('')
  })

  it('every run is recorded with its outcome, and a killed run as killed', async () => {
    host.setFaults('stall:path=2018/QTR4')
    const killed = begin(
      t,
      ['ingest', 'index', '--again', '--from', '2018-10-01', '--to', '2018-12-31', '--base-url', host.url, '--json'],
      env,
    )
    await killed.until(/"what":"reading indexes"/)
    const running = JSON.parse((await run(['status', '--json'], env)).stdout)
    assert.equal(running.runs[0].outcome, 'running')
    await killed.end('SIGKILL')
    host.setFaults('')
    const { runs } = JSON.parse((await run(['status', '--json'], env)).stdout)
    assert.deepEqual(
      runs.slice(0, 3).map(({ command, what, outcome }: Record<string, string>) => [command, what, outcome]),
      [
        ['ingest', 'index', 'killed'],
        ['ingest', 'index', 'stopped'],
        ['ingest', 'index', 'done'],
      ],
    )
  })

  it('if the database fails during a run, the command ends with its summary and one line', async () => {
    const ingest = await queried(env, async (sql) => {
      const lock = await sql.reserve()
      await lock`begin`
      await lock`lock table edgar.watermark in exclusive mode`
      const args = ['ingest', 'index', '--again', '--from', '2018-10-01', '--to', '2018-12-31', '--base-url', host.url]
      const begun = beginHere(t, args, env)
      await until('the load waits for the lock, and its session is ended', async () => {
        const rows = await sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%edgar.watermark%'`
        return rows.length > 0
      })
      await lock`rollback`
      lock.release()
      return begun
    })
    assert.equal(await ingest.ended, 1)
    assert.match(ingest.stderr(), /^openfilings: the database went away: /m)
    assert.doesNotMatch(ingest.stderr(), /^ {4}at /m)
    assert.match(ingest.stdout(), /^ingest index: ended early, after(.*\n)+ {2}next +"openfilings doctor"/m)
  })
})

function hasScript(): boolean {
  try {
    return /util-linux/.test(execFileSync('script', ['--version']).toString())
  } catch {
    return false
  }
}
