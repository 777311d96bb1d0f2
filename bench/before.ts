/**
 * `node bench/before.ts`: compares the processor time of stages with their processor time at an earlier commit.
 *
 *     git worktree add --detach ../before COMMIT && (cd ../before && npm ci)
 *     node bin/run.mjs bench/before.ts --checkout ../before --rounds 7 --only sgml,xml
 *
 * Both sides run the stages of this checkout (stages.ts). Its folder `bench` is copied into the other checkout, so the
 * other checkout must have no other use. Each side runs a stage in a process with a PostgreSQL of its own, whose time
 * counts too. The sides take turns, and processor time is compared, so that a busy machine disturbs little. A first
 * pass does not count.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { cp, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { connect } from '../src/store/db.ts'
import { openEmbedded } from '../src/store/embedded.ts'
import { median } from './measure.ts'
import { folder, openScope, type Scope } from './scope.ts'
import { STAGES } from './stages.ts'

const { values } = parseArgs({
  options: {
    checkout: { type: 'string' },
    rounds: { type: 'string', default: '7' },
    only: { type: 'string' },
  },
})
const wanted = Object.keys(STAGES).filter(
  (name) => !values.only || values.only.split(',').some((one) => name.startsWith(one)),
)
if (!values.checkout || wanted.length === 0) {
  process.stderr.write(
    `before: --checkout FOLDER is needed; --only takes beginnings of ${Object.keys(STAGES).join(', ')}\n`,
  )
  process.exit(2)
}
const COPIED = 'bench-of-other'

interface Side {
  /** Folder with the stages. */
  at: string
  env: Record<string, string>
  postmaster: string
}

const scope = openScope()
try {
  const sides = [
    await sideOf(scope, await benchIn(scope, path.resolve(values.checkout))),
    await sideOf(scope, import.meta.dirname),
  ] as const
  console.log('| stage | before, ms | now, ms | ratio |\n| --- | --: | --: | --: |')
  for (const name of wanted) {
    const [before, now] = await compared(name, sides, Number(values.rounds))
    console.log(`| ${name} | ${before.toFixed(0)} | ${now.toFixed(0)} | ${(now / before).toFixed(2)} |`)
  }
} finally {
  await scope.close()
}

/**
 * Copies the stages of this checkout into another one. Copies nothing if a checkout is compared with itself, which
 * shows how far the measure varies.
 */
async function benchIn(scope: Scope, checkout: string): Promise<string> {
  if (checkout === path.join(import.meta.dirname, '..')) return import.meta.dirname
  const copied = path.join(checkout, COPIED)
  await cp(import.meta.dirname, copied, { recursive: true })
  scope.after(() => rm(copied, { recursive: true }))
  return copied
}

/** A server without background work such as vacuum. */
async function sideOf(scope: Scope, at: string): Promise<Side> {
  const dataDir = await folder(scope)
  const server = await openEmbedded({ dataDir })
  scope.after(() => server.close())
  const sql = connect({ target: server.target, max: 1 })
  await sql`alter system set autovacuum = off`
  await sql`alter system set fsync = off`
  await sql`select pg_reload_conf()`
  await sql.end()
  const [postmaster = ''] = (await readFile(path.join(dataDir, 'database/postmaster.pid'), 'utf8')).split('\n')
  return { at, env: { TEST_SERVER: JSON.stringify(server.target) }, postmaster }
}

/** Medians of both sides. */
async function compared(name: string, sides: readonly [Side, Side], rounds: number): Promise<[number, number]> {
  const standing = [await stand(name, sides[0]), await stand(name, sides[1])] as const
  for (const { pass } of standing) await pass()
  const found: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    // The side that runs first may get a higher clock rate of the processor.
    for (const side of round % 2 ? ([1, 0] as const) : ([0, 1] as const)) found[side].push(await standing[side].pass())
  }
  for (const { stop } of standing) await stop()
  return [median(found[0]), median(found[1])]
}

async function stand(name: string, { at, env, postmaster }: Side) {
  const child = fork(path.join(at, 'stage-child.ts'), [name, postmaster], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 2, 2, 'ipc'],
  })
  const exited = once(child, 'exit')
  const measured = async () => {
    const [message] = (await Promise.race([once(child, 'message'), exited])) as [
      { ms?: number; failed?: string } | number,
    ]
    if (typeof message !== 'object' || message?.failed)
      throw new Error(`${name} in ${at}: ${typeof message === 'object' ? message.failed : `ended with ${message}`}`)
    return message
  }
  await measured()
  return {
    pass: async () => {
      child.send('pass')
      return (await measured()).ms!
    },
    stop: async () => {
      child.send('stop')
      await exited
    },
  }
}
