/**
 * The worker processes that parse untrusted bytes: the effect of each limit, how the processes end, and proof that no
 * process is left over.
 */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { type CallOptions, callApart, Died, Excessive, idleProcesses, Thrown } from '../../src/read/apart/process.ts'
import { windows } from '../support/embedded/scene.ts'
import { until } from '../support/until.ts'
import { checkout, temporaryFolder } from '../support/world.ts'

const module = new URL('../support/apart-made.ts', import.meta.url)
const call = <R = unknown>(name: string, input: unknown = null, options: CallOptions = {}) =>
  callApart<R>({ module, name, input }, options)

const lives = (pid: number) => {
  try {
    process.kill(pid, 0)
    // A process that ended but was not waited for yet does not count as alive.
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

test('input and answer arrive unchanged, and one process serves call after call', async () => {
  const given = { text: 'é\u2014😀\ud800', bytes: new Uint8Array([0, 255]), none: undefined, list: [null, 1n, -0] }
  assert.deepEqual(await call('echo', given), given)
  const long = 'long — '.repeat(1_000_000)
  assert.ok((await call('echo', long)) === long)
  const waiting = idleProcesses()
  assert.ok(waiting.includes(await call<number>('pid')))
})

test('large byte arrays arrive whole and in order, as the input of a call and as answers to its requests', async () => {
  const large = (length: number, step: number) => Uint8Array.from({ length }, (_, at) => at * step)
  const given = { bytes: [large(32_767, 3), large(32_768, 5), large(1_000_000, 7)], rest: new Uint8Array([1]) }
  given.bytes.push(given.bytes[2]!.subarray(1, 500_000))
  assert.deepEqual(await call('echo', given), given)
  const answers = [large(200_000, 11), large(70_000, 13), new Uint8Array(0)]
  const lengths = await call('lengths', 3, { answer: async (n: number) => ({ piece: answers[n] }) })
  assert.deepEqual(lengths, [200_000, 70_000, 0])
})

test('a call with a large byte array is repeated if its process dies, and fails if the second process dies too', async () => {
  const pids: number[] = []
  const started = (pid: number) => {
    pids.push(pid)
    process.kill(pid, 'SIGKILL')
  }
  await assert.rejects(call('echo', new Uint8Array(20_000_000), { started }), Died)
  assert.equal(pids.length, 2)
  assert.equal(await call('echo', 1), 1)
})

test('a function may send requests one after another, and an error on either side ends the call', async () => {
  assert.equal(await call('sums', 5, { answer: async (n: number) => n * 2 }), 20)
  await assert.rejects(call('throws'), (error) => {
    assert.ok(error instanceof Thrown)
    assert.deepEqual([error.message, error.kind], ['the form is no form: line 7', 'TypeError'])
    return true
  })
  const broken = new Error('the disk is away')
  await assert.rejects(call('sums', 5, { answer: () => Promise.reject(broken) }), broken)
  await assert.rejects(call('sums', 5), /^Error: the function sends a request that the call cannot answer$/)
  await assert.rejects(call('missing'), /apart-made\.ts exports no function missing$/)
  assert.equal(await call('echo', 1), 1)
})

test('the worker gets no environment variable of this process, except the folder of compiled code', async () => {
  const { env } = await call<{ env: Record<string, string> }>('environment')
  assert.deepEqual(
    Object.keys(env).filter((name) => !/^(NODE_CHANNEL|NODE_COMPILE_CACHE$|__|SystemRoot)/.test(name)),
    [],
  )
})

const SMALL = { memory: 200_000_000 }
for (const [name, limits, reason] of [
  ['loops', { milliseconds: 300 }, 'it takes more than 0.3 s to read'],
  ['swells', SMALL, 'it needs more than \\d+ MB of memory'],
  // Either V8 aborts or the watch of memory comes first.
  ['bursts', SMALL, 'it needs more than (133|200) MB of memory'],
  ['aborts', SMALL, 'it needs more than 133 MB of memory'],
  ['bulges', SMALL, 'it needs more than 200 MB of memory'],
] as const) {
  test(`only a call that ${name} is ended, with its reason, and the next call is answered`, async () => {
    const pids: number[] = []
    const ended = call(name, null, { limits, started: (pid) => pids.push(pid) })
    await assert.rejects(ended, (error) => {
      assert.ok(error instanceof Excessive, String(error))
      assert.match(error.message, new RegExp(`^it is excessive: ${reason}$`))
      return true
    })
    assert.equal(pids.length, 1, 'the call is not tried again')
    await until('the process is gone', () => !lives(pids[0]!))
    assert.equal(await call('echo', 1), 1)
  })
}

test('a process that no longer responds is ended', { skip: windows && 'no SIGSTOP' }, async () => {
  let stopped = 0
  const started = (pid: number) => {
    stopped = pid
    process.kill(pid, 'SIGSTOP')
  }
  const ended = call('waits', null, { silenceMs: 50, answer: () => new Promise(() => {}), started })
  await assert.rejects(ended, (error) => {
    assert.ok(error instanceof Excessive)
    assert.equal(error.reason, 'the process that reads it did not answer within 0.05 s')
    return true
  })
  await until('the stopped process is gone', () => !lives(stopped))
})

test('waiting for an answer does not count towards the time limit of a call', async () => {
  const answer = async (n: number) => {
    await new Promise((resolve) => setTimeout(resolve, 250))
    return n
  }
  assert.equal(await call('sums', 3, { answer, limits: { milliseconds: 500 } }), 3)
})

test('a process that dies is replaced once, but not after its function has sent a request', async () => {
  for (const [name, count] of [
    ['dies', 2],
    ['ends', 2],
    ['diesAfterRequest', 1],
  ] as const) {
    const pids = new Set<number>()
    const options = { answer: async () => null, started: (pid: number) => void pids.add(pid) }
    await assert.rejects(call(name, null, options), (error) => {
      assert.ok(error instanceof Died)
      assert.match(
        error.message,
        windows ? /^the process that read it ended with / : /^the process that read it ended with SIGKILL$/,
      )
      return true
    })
    assert.equal(pids.size, count, name)
  }
  const pids: number[] = []
  const loop = call('loops', null, {
    limits: { milliseconds: 300 },
    started: (pid) => {
      pids.push(pid)
      if (pids.length === 1) process.kill(pid, 'SIGKILL')
    },
  })
  await assert.rejects(loop, Excessive)
  assert.equal(pids.length, 2)
})

test('an abort signal ends a call at once, whether the call runs or is queued', async () => {
  const stop = new AbortController()
  const reason = new Error('stopped by SIGTERM')
  const pids: number[] = []
  const options = { signal: stop.signal, started: (pid: number) => void pids.push(pid) }
  const calls = Array.from({ length: 12 }, () => call('loops', null, options))
  const ended = Promise.allSettled(calls)
  await until('two processes run', () => pids.length >= 2)
  stop.abort(reason)
  for (const each of await ended) assert.ok(each.status === 'rejected' && each.reason === reason)
  await until('none of the processes is left', () => !pids.some(lives))
  await assert.rejects(call('echo', 1, options), reason)
  assert.equal(await call('echo', 1), 1, 'other calls get their turn')
})

test('an abort signal while a process starts ends the call too', async () => {
  for (const pid of idleProcesses()) process.kill(pid, 'SIGKILL')
  await until('no idle process is left', () => idleProcesses().length === 0)
  const stop = new AbortController()
  const ended = call('loops', null, { signal: stop.signal })
  stop.abort(new Error('stopped by SIGTERM'))
  await assert.rejects(ended, /^Error: stopped by SIGTERM$/)
  assert.equal(await call('echo', 1), 1)
})

test('a process that has grown large, or reports that it is used up, takes no other call', async () => {
  const spent = await call<number>('retires')
  await until('the spent process is gone', () => !lives(spent))
  const pid = await call<number>('holds', 450_000_000)
  await until('the process is gone', () => !lives(pid))
  assert.equal(await call('echo', 1), 1)
})

test('reports an error if no process can be started, without blaming the input', {
  skip: windows && 'no /bin/false',
}, async () => {
  for (const pid of idleProcesses()) process.kill(pid, 'SIGKILL')
  await until('no idle process is left', () => idleProcesses().length === 0)
  const { execPath } = process
  try {
    process.execPath = '/nowhere/node'
    await assert.rejects(call('echo'), /the process that reads does not start: spawn \/nowhere\/node ENOENT$/)
    process.execPath = '/bin/false'
    await assert.rejects(call('echo'), /the process that reads does not start: 1$/)
  } finally {
    process.execPath = execPath
  }
  assert.equal(await call('echo', 1), 1)
})

test('a worker process in an endless loop ends when its parent process is killed', {
  skip: windows && 'no SIGKILL',
}, async () => {
  const program = `
    import { callApart } from ${JSON.stringify(new URL('../../src/read/apart/process.ts', import.meta.url).href)}
    callApart({ module: ${JSON.stringify(module.href)}, name: 'loops', input: null }, { started: (pid) => console.log(pid) })`
  const args = ['--import', `${checkout}/bin/types.mjs`, '--input-type=module', '-e', program]
  const parent = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const pid = Number(String(await new Promise((resolve) => parent.stdout.once('data', resolve))))
  assert.ok(lives(pid))
  parent.kill('SIGKILL')
  await until('the process is gone', () => !lives(pid))
})

/**
 * Runs a program that does not cache compiled code itself. Returns the cache folder that is in the environment of a
 * process that the program starts.
 */
async function compiledIn(folder: string): Promise<string | undefined> {
  const program = `
    import { keepCompiledIn } from ${JSON.stringify(new URL('../../src/read/apart/compiled.ts', import.meta.url).href)}
    import { callApart } from ${JSON.stringify(new URL('../../src/read/apart/process.ts', import.meta.url).href)}
    keepCompiledIn(${JSON.stringify(folder)})
    const call = (name) => callApart({ module: ${JSON.stringify(module.href)}, name, input: null })
    const { env } = await call('environment')
    // Compiled code is written after an answer.
    await call('pid')
    console.log(JSON.stringify(env.NODE_COMPILE_CACHE ?? null))`
  const { NODE_COMPILE_CACHE: _, ...env } = process.env
  const args = ['--import', `${checkout}/bin/types.mjs`, '--input-type=module', '-e', program]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env })
  return JSON.parse(stdout)
}

test('compiled code is cached in the named folder if this process has no cache, but never in a folder that other accounts can write to', async (t) => {
  const root = await temporaryFolder(t)
  const folder = path.join(root, 'data', 'compiled')
  assert.equal(await compiledIn(folder), folder)
  const kept = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  assert.ok(kept.length > 0)
  if (windows) return
  assert.equal(statSync(folder).mode & 0o777, 0o700)
  chmodSync(folder, 0o777)
  assert.equal(await compiledIn(folder), null)
  // A file is in place of the folder.
  writeFileSync(path.join(root, 'file'), '')
  assert.equal(await compiledIn(path.join(root, 'file', 'compiled')), null)
})

test('a program that has made a call exits by itself', async () => {
  const program = `
    import { callApart } from ${JSON.stringify(new URL('../../src/read/apart/process.ts', import.meta.url).href)}
    console.log(await callApart({ module: ${JSON.stringify(module.href)}, name: 'echo', input: 'done' }))`
  const args = ['--import', `${checkout}/bin/types.mjs`, '--input-type=module', '-e', program]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  assert.equal(stdout, 'done\n')
})
