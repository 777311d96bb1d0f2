import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { Overtaken } from '../../store/overtaken.ts'
import type { Work } from '../progress/recorded.ts'
import { rechoosing } from './rechoose.ts'
import { watchListOf } from './watch-list.ts'

test('the error that the database has another version is thrown and not reported as a fault of the list; the next call reads the list again', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'openfilings-watch-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = path.join(folder, 'watch.txt')
  await writeFile(file, '320193\n')
  const list = await watchListOf({ watch: file })
  let isOvertaken = true
  const events: unknown[] = []
  const work = {
    app: {
      async sql() {
        if (isOvertaken) throw new Overtaken('another process brought the database to version 2')
        return []
      },
    },
    reporter: { problem: ({ event }: { event: string }) => events.push(event) },
    skip: () => events.push('skipped'),
    signal: new AbortController().signal,
    // The choice of an adviser uses only these members of a run.
  } as unknown as Work
  // The list has no tickers, so `claim`, which is used only for the lists of tickers, is left out.
  const rechoose = rechoosing(work, file, list!, { again: false } as Parameters<typeof rechoosing>[3])
  assert.equal(await rechoose(), null, 'the list is as it was at the start')
  await writeFile(file, 'CRD 106482\n')
  await assert.rejects(rechoose(), Overtaken)
  assert.deepEqual(events, [])
  isOvertaken = false
  assert.equal(await rechoose(), null)
  assert.deepEqual(events, ['unknown_entry', 'skipped', 'watch_list'])
  assert.equal(await rechoose(), null)
  assert.equal(events.length, 3, 'a fault of the list is reported once')
})
