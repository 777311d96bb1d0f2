/** Fetches submissions from EDGAR into the archive. */
import { apiError } from '../declare/api-errors.ts'
import type { Reads } from '../declare/kept.ts'
import type { StoredSubmission } from '../declare/ports.ts'
import { type EdgarClient, EdgarError } from '../fetch/client.ts'
import { readSubmission } from '../read/sgml/submission.ts'
import type { Sql } from '../store/db.ts'
import { isOfData } from '../store/refused.ts'
import { InFlight } from './in-flight.ts'
import { keepPart } from './keep.ts'
import { recompose } from './recompose.ts'
import { remember } from './record.ts'
import type { Store } from './store.ts'
import { findFiling, findStored } from './stored.ts'
import { type Keeping, type SpineFiling, wantedOf } from './wanted.ts'

export interface FetchParts {
  sql: Sql
  store: Store
  client: EdgarClient
  /** Which documents the archive keeps; null for all. */
  keeping: Keeping | null
}

/**
 * Fetches submissions. Its state is the fetches in flight for requests: if several requests need one submission, it is
 * fetched once. The fetches of an ingest are not shared here: a batch obtains each of its submissions once.
 */
export class Fetches {
  readonly #parts: FetchParts
  /** The fetches by accession, or by digest if a submission is fetched again. */
  readonly #inFlight = new InFlight()

  constructor(parts: FetchParts) {
    this.#parts = parts
  }

  /** Number of submissions that are being fetched for requests. */
  get inFlight(): number {
    return this.#inFlight.size
  }

  /** Fetches a submission into the archive: the wanted documents, or everything if `wants` is null. */
  async obtain(
    filing: SpineFiling,
    { wants, through, signal }: { wants: Reads | null; through?: Store | null; signal?: AbortSignal | undefined },
  ): Promise<StoredSubmission> {
    const path = pathOf(filing)
    const found = await this.#parts.client.get(
      path,
      async ({ body, url, isDelimited }) => ({
        ...(await this.#taken(body, wants, through)),
        sourceUrl: url,
        isDelimited,
      }),
      { signal },
    )
    if (!found) throw apiError('submission_missing', { path })
    const { isDelimited, ...rest } = found
    const { header } = rest
    if (header.cutOff && !isDelimited) throw new EdgarError('truncated', `${rest.sourceUrl}: ${header.cutOff}`)
    if (header.accession !== null && header.accession !== filing.accession) {
      throw new Error(`${path} contains another submission: ${header.accession}`)
    }
    return { accession: filing.accession, ...rest, originals: wants === null }
  }

  /**
   * Serves a request: returns the submission of a filing, and fetches it unless the archive has it by now. Null if the
   * spine lacks the filing.
   */
  once(accession: string): Promise<StoredSubmission | null> {
    return this.#inFlight.share(accession, async () => {
      const { sql, store } = this.#parts
      const filing = await findFiling(sql, accession)
      if (!filing) return null
      return (await findStored(sql, store, accession)) ?? this.#fetchAndRemember(filing, null)
    })
  }

  /**
   * Serves a request: puts the whole submission into the cache, with the bytes that were first read. EDGAR may still
   * serve these bytes; if not, `recompose` may restore them from the bytes that EDGAR serves now.
   *
   * @throws HttpError 503 if EDGAR now serves another submission; by then this submission has been fetched and recorded
   */
  again(stored: StoredSubmission): Promise<void> {
    return this.#inFlight.share(stored.sha256, () => this.#again(stored))
  }

  async #again(stored: StoredSubmission): Promise<void> {
    const { sql, store, client, keeping } = this.#parts
    const { cache } = keeping!
    const filing = await findFiling(sql, stored.accession)
    if (!filing) throw apiError('filing_unknown', { accession: stored.accession, fault: 'no longer listed by EDGAR' })
    const path = pathOf(filing)
    const found = await client.get(path, ({ body }) => cache.put(body))
    if (!found) throw apiError('submission_missing', { path })
    if (found.sha256 === stored.sha256) return
    if (await recompose({ store, cache }, stored, found.sha256)) {
      await cache.remove(found.sha256)
      return
    }
    await this.#fetchAndRemember(filing, stored)
    throw apiError('submission_changed', { accession: stored.accession })
  }

  async #fetchAndRemember(filing: SpineFiling, before: StoredSubmission | null): Promise<StoredSubmission> {
    const { sql, store, keeping } = this.#parts
    const wants = wantedOf(keeping, filing, { before })
    // A request for a filing is usually followed by a request for one of its documents, so the whole submission goes
    // into the cache.
    const submission = await this.obtain(filing, { wants, through: keeping?.cache ?? null })
    try {
      await remember(sql, store, submission)
    } catch (error) {
      // The submission can be shown although the database refuses it. The next look-up fetches it again.
      if (!isOfData(error)) throw error
    }
    return submission
  }

  /** Reads a submission as it arrives. With `through`, the cache keeps the whole submission for a while. */
  async #taken(body: AsyncIterable<Uint8Array>, wants: Reads | null, through?: Store | null) {
    const { store } = this.#parts
    if (wants && !through) return keepPart(store, body, wants)
    const place = wants === null ? store : through!
    const { sha256 } = await place.put(body)
    if (wants) return keepPart(store, place.read(sha256), wants)
    return { ...(await readSubmission(place.read(sha256))), sha256, kept: null }
  }
}

const pathOf = ({ path }: SpineFiling) => `/Archives/${path}`
