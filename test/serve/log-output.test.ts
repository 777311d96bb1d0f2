/** Log lines never keep a process from its work or from its end. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { openLog } from '../../src/serve/http/log.ts'

const log = new URL('../../src/serve/http/log.ts', import.meta.url).href

/** A process that logs this many lines of 1 KB, and ends with status 3. */
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

test('a process ends although nobody reads its log any more', { timeout: 20_000 }, async () => {
  for (const lines of [1, 100]) {
    const child = logging(lines, 200)
    child.stderr!.destroy()
    assert.deepEqual(await once(child, 'exit'), [3, null])
  }
})

test('waits a moment for a reader that does not keep up; then lines are lost, and their number is reported', {
  timeout: 30_000,
}, async () => {
  const child = logging(5_000, 0)
  const exited = once(child, 'close')
  await once(child.stdout!, 'data')
  // A full pipe is tried for a second.
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
  assert.ok(whole.length + lost.reduce((sum, n) => sum + n, 0) >= 5_000, 'every line was written or told to be lost')
})

test('any number of logs of one process wait for its end once', () => {
  openLog({ level: 'silent' })
  const before = process.listenerCount('exit')
  for (let n = 0; n < 20; n++) openLog({ level: 'silent' })
  assert.equal(process.listenerCount('exit'), before)
})
