/** Log output never blocks the work or the exit of a process. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { openLog } from '../../src/serve/http/log.ts'

const log = new URL('../../src/serve/http/log.ts', import.meta.url).href

/** Starts a process that logs the given number of lines of 1 KB, and ends with status 3. */
function logging(lines: number, afterMs: number) {
  const script = `
    import { openLog } from '${log}'
    const log = openLog({ level: 'info' })
    setTimeout(() => {
      process.stdout.write('begun')
      for (let n = 0; n < ${lines}; n++) log.info({ n, filler: 'x'.repeat(1000) }, 'line')
      process.exit(3)
    }, ${afterMs})`
  return spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'pipe'] })
}

test('a process ends even if its log is no longer read', { timeout: 20_000 }, async () => {
  for (const lines of [1, 100]) {
    const child = logging(lines, 200)
    child.stderr!.destroy()
    assert.deepEqual(await once(child, 'exit'), [3, null])
  }
})

test('a process waits briefly for a slow reader of its log; then lines are dropped, and their number is reported', {
  timeout: 30_000,
}, async () => {
  const child = logging(5_000, 0)
  const exited = once(child, 'close')
  await once(child.stdout!, 'data')
  // The process retries to write to a full pipe for one second.
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  let text = ''
  child.stderr!.on('data', (chunk) => {
    text += chunk
  })
  assert.deepEqual(await exited, [3, null])
  const lost = [...text.matchAll(/^\{"level":40,"lost":(\d+),"msg":"log lines were lost"\}$/gm)].map(([, n]) =>
    Number(n),
  )
  assert.ok(lost.length > 0, 'lines were lost')
  const whole = text.split('\n').filter((line) => line.startsWith('{"level":30') && line.endsWith('"msg":"line"}'))
  assert.ok(whole.length + lost.reduce((sum, n) => sum + n, 0) >= 5_000, 'every line was written or reported as lost')
})

test('several logs of one process register one exit handler together', () => {
  openLog({ level: 'silent' })
  const before = process.listenerCount('exit')
  for (let n = 0; n < 20; n++) openLog({ level: 'silent' })
  assert.equal(process.listenerCount('exit'), before)
})
