/** Webhooks over the sample, delivered as by the serving process, with delays that are short enough for a test. */
import { sender } from '../../src/fetch/post.ts'
import registry from '../../src/registry.ts'
import { openLog } from '../../src/serve/http/log.ts'
import { followDataVersions } from '../../src/serve/http/version.ts'
import type { Outcome } from '../../src/webhooks/deliver.ts'
import { Deliverer } from '../../src/webhooks/deliverer.ts'
import { createWebhook, deleteWebhook, listWebhooks } from '../../src/webhooks/subscriptions.ts'
import { logChange } from './change-log.ts'
import type { Receiver } from './receiver.ts'
import { serveSample } from './served.ts'

type After = { after(fn: () => Promise<void>): void }

/**
 * Short delays between retries. There are more delays than any test causes failures, except in tests whose deliveries
 * exhaust the retries.
 */
export const WAITS_MS = [20, 30, 40, 50, 60, 70]
/**
 * Timeout for receivers that do not answer. All other receivers have the service's timeout of ten seconds, since a busy
 * machine reads an answer late.
 */
export const TIMEOUT_MS = 500

export async function openDeliveries(whole: After) {
  const served = await serveSample(whole)
  const { sql } = served
  const lines: string[] = []
  const log = openLog({ level: 'info', stream: { write: (line: string) => void lines.push(line) } })
  const outcomes: Outcome[] = []
  const parts = {
    ...{ sql, catalog: registry },
    post: sender({ allowPrivate: true }),
    now: () => new Date(),
    onOutcome: (outcome: Outcome) => void outcomes.push(outcome),
  }
  let last = 0
  return {
    ...{ served, sql, parts, log, outcomes },
    /** The logged lines. */
    lines,
    async delivering(
      t: After,
      waitsMs = WAITS_MS,
      {
        lookMs = 50,
        timeoutMs = 10_000,
        ...clocks
      }: Partial<Pick<ConstructorParameters<typeof Deliverer>[0], 'lookMs' | 'now' | 'steady'>> & {
        timeoutMs?: number
      } = {},
    ) {
      const changes = await followDataVersions(sql, log)
      const post = sender({ allowPrivate: true, timeoutMs })
      const own = new Deliverer({ ...parts, ...{ post, changes, log, waitsMs, lookMs }, ...clocks })
      let closed: Promise<void> | undefined
      const close = () => (closed ??= own.close().finally(() => changes.close()))
      t.after(close)
      return { close }
    },
    /** Returns accessions that are not used yet. */
    some: (many: number) => Array.from({ length: many }, () => `0000000081-26-${String(++last).padStart(6, '0')}`),
    happen: (keys: readonly string[] | null, slug = 'filings') => logChange(sql, { slug, keys }),
    /** Creates a webhook for the receiver, deleted after the test. */
    async hook(t: After, { url }: Pick<Receiver, 'url'>, filters: Parameters<typeof createWebhook>[1]['filters'] = {}) {
      const made = await createWebhook(sql, { url, filters, now: new Date() })
      t.after(() => deleteWebhook(sql, made.webhook_id).catch(() => {}))
      return made
    },
    stateOf: async (id: string) => (await listWebhooks(sql)).find(({ webhook_id }) => webhook_id === id)!,
  }
}

export const keysOf = (of: Receiver['received']) => of.flatMap(({ keys }) => keys)
