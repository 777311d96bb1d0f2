/** Does the work of `archive`: copies the archive, or compares its entries with their digests. */
import path from 'node:path'
import { bucketStore } from '../archive/bucket.ts'
import { copyFromBucket, copyToBucket, type Handled, verify } from '../archive/copy.ts'
import { type Objects, openObjects } from '../archive/objects.ts'
import { addressOf, cacheOf, placeOf } from '../archive/place.ts'
import { diskStore } from '../archive/store.ts'
import type { Config } from '../config.ts'
import { dataDirOf } from '../database.ts'
import { UserError } from '../declare/errors.ts'
import { type Run, refuseMore, type VOICE_OPTIONS } from './command.ts'
import { type Reporter, reporterOf } from './progress/reporter.ts'
import { number, size } from './progress.ts'

// Declared here again: if this module and `archive.ts` imported each other, the imports would form a circle.
type Options = typeof VOICE_OPTIONS & { back: { type: 'boolean'; help: string } }
type Verb = 'copy' | 'verify'

const STATUS = { SIGINT: 130, SIGTERM: 143 } as const
type Signal = keyof typeof STATUS

export const run: Run<Options, Verb> = async ({ verb, values, positionals }, config) => {
  refuseMore('archive', positionals)
  if (verb === 'verify' && values.back)
    throw new UserError('archive verify does not take --back, which is an option of archive copy')
  const place = placeOf(config)
  if (verb === 'copy' && place === null) {
    throw new UserError('archive copy needs the setting ARCHIVE_URL, which names the bucket: ARCHIVE_URL=s3://BUCKET')
  }
  const objects = place && openObjects(place)
  let stopped: Signal | null = null
  const onSignal = (signal: Signal) => {
    stopped ??= signal
  }
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
  const reporter = reporterOf(values)
  try {
    const work = workOf(verb, { config, objects, isBack: values.back ?? false })
    reporter.stage(work.what, null)
    const total: Total = { copied: 0, present: 0, sound: 0, failed: 0, bytes: 0 }
    const end = (how: End) => {
      reporter.stage(null)
      summarize(reporter, { verb, isBack: values.back ?? false, total, how })
    }
    await count(total, work.entries, { reporter, isStopped: () => stopped !== null }).catch((error) => {
      end('ended early')
      throw error
    })
    end(stopped ? 'stopped' : 'done')
    if (stopped) return STATUS[stopped as Signal]
    return total.failed > 0 ? 1 : 0
  } finally {
    process.removeListener('SIGINT', onSignal).removeListener('SIGTERM', onSignal)
    reporter.close()
    objects?.close()
  }
}

interface Parts {
  config: Config
  objects: Objects | null
  isBack: boolean
}

function workOf(verb: Verb, { config, objects, isBack }: Parts): { what: string; entries: AsyncIterable<Handled> } {
  const archive = path.join(dataDirOf(config).path, 'archive')
  const place = placeOf(config)
  if (place === null || objects === null) {
    return { what: `reading ${archive}`, entries: verify(diskStore(archive), null) }
  }
  const address = addressOf(place)
  if (isBack) return { what: `copying ${address} to ${archive}`, entries: copyFromBucket(objects, archive) }
  if (verb === 'verify') {
    const bucket = bucketStore({ objects, root: cacheOf(archive, place), sizeMax: config.ARCHIVE_GB * 1e9 })
    return { what: `reading ${address}`, entries: verify(bucket, objects) }
  }
  return { what: `copying ${archive} to ${address}`, entries: copyToBucket(archive, objects) }
}

interface Total {
  copied: number
  present: number
  sound: number
  failed: number
  bytes: number
}

/** How the work ended. It ended early if an error concerned all entries. */
type End = 'done' | 'stopped' | 'ended early'

/** Counts the entries as they are handled. */
async function count(
  total: Total,
  entries: AsyncIterable<Handled>,
  { reporter, isStopped }: { reporter: Reporter; isStopped: () => boolean },
): Promise<void> {
  let done = 0
  for await (const { sha256, size: bytes, state, reason } of entries) {
    total[state]++
    total.bytes += bytes
    reporter.progress(++done)
    if (state === 'failed') reporter.problem({ event: 'entry_failed', sha256, reason }, `${sha256}: ${reason}`)
    if (isStopped()) break
  }
}

function summarize(
  reporter: Reporter,
  { verb, isBack, total, how }: { verb: Verb; isBack: boolean; total: Total; how: End },
): void {
  const { copied, present, sound, failed, bytes } = total
  const done =
    verb === 'verify'
      ? [`${number(sound)} sound`]
      : [`${number(copied)} copied`, `${number(present)} were there already`]
  const parts = [...done, ...(failed > 0 ? [`${number(failed)} failed`] : []), size(bytes)]
  const outcome = how === 'stopped' ? 'stopped' : failed > 0 || how === 'ended early' ? 'problems' : 'done'
  const next = outcome === 'done' ? [] : [`openfilings archive ${verb}${isBack ? ' --back' : ''}`]
  reporter.summary(
    { event: 'summary', command: `archive ${verb}`, outcome, ...total, next },
    `archive ${verb}${how === 'done' ? '' : `, ${how}`}: ${parts.join(', ')}`,
    outcome !== 'problems',
  )
}
