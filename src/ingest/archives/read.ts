/**
 * Reads the archive of a day as it arrives and stores the submissions that wait in the queue, so that `drain` finds
 * them in our archive. Nothing else is written to disk. No filing depends on an archive: if the archive lacks a filing,
 * or has damaged bytes or a correction of it, the filing is fetched from its own address.
 */
import type { Submissions } from '../../archive/submissions.ts'
import type { Catalog } from '../../declare/catalog.ts'
import { BucketError, messageOf } from '../../declare/errors.ts'
import { type Reads, readsOf } from '../../declare/kept.ts'
import type { StoredSubmission } from '../../declare/ports.ts'
import { type EdgarClient, EdgarError } from '../../fetch/client.ts'
import { Swollen, unpacked } from '../../read/gunzip.ts'
import { SubmissionError } from '../../read/sgml/submission.ts'
import { TarError, type TarMember, tarMembers } from '../../read/tar.ts'
import type { Sql } from '../../store/db.ts'
import { dataChanged } from '../../store/meta.ts'
import { endsRun } from '../failures.ts'
import type { Selection } from '../queue.ts'
import type { DayArchive } from './listing.ts'
import { memberOf, withLineFeeds } from './members.ts'
import { hold, takeBack, type WantedFiling, wantedOn } from './pending.ts'

export interface ArchiveOptions {
  sql: Sql
  catalog: Catalog
  client: EdgarClient
  submissions: Submissions
  selection: Selection
  /**
   * Filings that must not be taken from an archive, because a correction of them was found. Each archive that is read
   * adds the filings of which it has corrections; these filings are not taken from archives that are read later either.
   */
  corrected: Set<string>
  /** Called after each commit. */
  onTaken?: (filings: number) => void
  signal?: AbortSignal | undefined
}

export interface ArchiveResult {
  /**
   * Number of filings that were taken from the archive, and number of all its members that were read: submissions and
   * corrections.
   */
  taken: number
  members: number
  /** Waiting filings that are fetched separately, because the archive has a correction of them. */
  corrected: number
  damaged: { accession: string; reason: string }[]
  /** Why the archive was not read to its end; null if it was read to its end. */
  failure: string | null
}

/** Maximum number of filings of one transaction. */
const BATCH_SIZE = 20
/** Maximum number of bytes of headers that a batch parses into objects. */
const HEADERS_MAX = 1024 * 1024
/** Largest packed archive. The largest archive of 2026 has 2.2 GB. */
const PACKED_MAX = 16 * 1024 ** 3
/** Maximum number of unpacked bytes. */
const SIZE_MAX = 64 * 1024 ** 3
const MEMBERS_MAX = 200_000

type Taken = { filing: WantedFiling; submission: StoredSubmission }

/**
 * Reads the archive of one day.
 *
 * @returns null if the host has no such archive
 * @throws errors for which `endsRun` is true, and the signal's reason
 */
export async function readArchive(options: ArchiveOptions, { day, path }: DayArchive): Promise<ArchiveResult | null> {
  const { client, signal } = options
  const reading = new Reading(options, day)
  try {
    const found = await client.get(path, ({ body, url }) => reading.read(body, url), {
      ...{ sizeMax: PACKED_MAX, isDownload: true, signal },
    })
    return found ? reading.result : null
  } catch (error) {
    if (signal?.aborted || !(error instanceof EdgarError) || endsRun(error)) throw error
    return { ...reading.result, failure: messageOf(error) }
  }
}

class Reading {
  readonly result: ArchiveResult = { taken: 0, members: 0, corrected: 0, damaged: [], failure: null }
  readonly #options: ArchiveOptions
  readonly #day: string
  /**
   * Filings that this archive supplied. They are remembered while the archive is read: if the archive turns out to be
   * damaged, their submissions are removed again.
   */
  readonly #brought = new Set<string>()
  /**
   * The filings that were taken, by accession, each with its digest: if the archive repeats a member, the two are
   * compared.
   */
  readonly #taken = new Map<string, { filing: WantedFiling; sha256: string }>()
  #batch: Taken[] = []

  constructor(options: ArchiveOptions, day: string) {
    this.#options = options
    this.#day = day
  }

  /** Reads the archive. If the download starts again, this method is called again and reads from the start. */
  async read(body: AsyncIterable<Uint8Array>, url: string): Promise<true> {
    const { sql, selection, corrected, signal } = this.#options
    const wanted = await wantedOn(sql, selection, this.#day)
    this.#batch = []
    this.result.members = 0
    this.result.damaged = []
    const seen = new Set<string>()
    try {
      for await (const member of tarMembers(unpacked(body, SIZE_MAX))) {
        signal?.throwIfAborted()
        const is = memberOf(member.name)
        if (!is) continue
        if (++this.result.members > MEMBERS_MAX) throw new TarError(`more than ${MEMBERS_MAX} members`)
        if (is.kind === 'correction') await this.#correct(is.accession, wanted)
        const filing = wanted.get(is.accession) ?? this.#taken.get(is.accession)?.filing
        if (!filing || is.kind === 'correction' || corrected.has(is.accession)) continue
        if (seen.has(is.accession)) {
          await this.#compare(filing, member, url)
          continue
        }
        seen.add(is.accession)
        if (this.#brought.has(is.accession)) continue
        await this.#take(filing, member, url)
        if (this.#isFull()) await this.#record()
      }
    } catch (error) {
      if (!isOfArchive(error)) throw error
      this.result.failure = messageOf(error)
      // It is unknown which part is damaged, so all submissions from this archive are removed again.
      if (codeOf(error) === DAMAGED) await this.#takeAllBack()
    }
    await this.#record()
    return true
  }

  async #take(filing: WantedFiling, member: TarMember, url: string): Promise<void> {
    const submission = await this.#submissionOf(filing, member, url)
    if (typeof submission === 'string') {
      this.result.damaged.push({ accession: filing.accession, reason: submission })
      return
    }
    this.#taken.set(filing.accession, { filing, sha256: submission.sha256 })
    this.#batch.push({ filing, submission })
  }

  /** Returns the submission, or the reason why it is damaged. */
  async #submissionOf(filing: WantedFiling, { bytes }: TarMember, url: string): Promise<StoredSubmission | string> {
    const { submissions, catalog } = this.#options
    try {
      const given = { bytes: withLineFeeds(bytes), url }
      return await submissions.take(filing, given, readsFor(catalog, filing))
    } catch (error) {
      if (!(error instanceof SubmissionError)) throw error
      return messageOf(error)
    }
  }

  /**
   * Compares a member with the earlier member of the same filing. If they differ, it is unknown which of them EDGAR
   * serves, so the filing is fetched from its own address.
   */
  async #compare(filing: WantedFiling, member: TarMember, url: string): Promise<void> {
    const { accession } = filing
    const former = this.#taken.get(accession)
    if (!former) return
    const submission = await this.#submissionOf(filing, member, url)
    if (typeof submission !== 'string' && submission.sha256 === former.sha256) return
    this.#taken.delete(accession)
    this.#batch = this.#batch.filter(({ filing }) => filing.accession !== accession)
    if (this.#brought.has(accession)) await this.#takeBack([accession])
    this.result.damaged.push({ accession, reason: 'the archive has it twice, with different contents' })
  }

  #isFull(): boolean {
    const headers = this.#batch.reduce(
      (sum, { submission: { documents, bytes } }) => sum + (documents[0]?.start ?? bytes),
      0,
    )
    return this.#batch.length >= BATCH_SIZE || headers > HEADERS_MAX
  }

  async #record(): Promise<void> {
    const { sql, submissions, onTaken } = this.#options
    const batch = this.#batch
    this.#batch = []
    if (batch.length === 0) return
    const recorded = await sql.begin(async (tx) => {
      const held = await hold(
        tx,
        batch.map(({ submission }) => submission.accession),
      )
      const own = batch.filter(({ submission }) => held.has(submission.accession))
      await submissions.record(tx, own)
      const slugs = [...new Set(own.flatMap(({ filing }) => filing.datasets))]
      if (slugs.length > 0) await dataChanged(tx, slugs)
      return own.map(({ submission }) => submission.accession)
    })
    for (const accession of recorded) this.#brought.add(accession)
    this.result.taken += recorded.length
    onTaken?.(recorded.length)
  }

  /**
   * Handles a corrected header or a deleted filing. The filing is not taken from an archive, since EDGAR serves its
   * corrected state at its own address.
   */
  async #correct(accession: string, wanted: ReadonlyMap<string, WantedFiling>): Promise<void> {
    const { corrected } = this.#options
    corrected.add(accession)
    this.#batch = this.#batch.filter(({ filing }) => filing.accession !== accession)
    if (this.#brought.has(accession)) await this.#takeBack([accession])
    else if (!wanted.has(accession)) return
    this.result.corrected++
  }

  async #takeAllBack(): Promise<void> {
    this.#batch = []
    await this.#takeBack([...this.#brought])
  }

  async #takeBack(accessions: readonly string[]): Promise<void> {
    await this.#options.sql.begin((tx) => takeBack(tx, accessions))
    for (const accession of accessions) this.#brought.delete(accession)
    this.result.taken -= accessions.length
  }
}

/** Codes of zlib for a stream that ends too early, and for a stream with wrong bytes. */
const CUT = 'Z_BUF_ERROR'
const DAMAGED = 'Z_DATA_ERROR'
const isOfArchive = (error: unknown) =>
  error instanceof TarError ||
  error instanceof Swollen ||
  codeOf(error) === CUT ||
  codeOf(error) === DAMAGED ||
  // If our bucket cannot store a filing now, this filing and the filings after it are fetched one by one later.
  (error instanceof BucketError && error.isPassing)
const codeOf = (error: unknown) => (error as { code?: unknown } | null)?.code

/** The documents that the waiting datasets read. */
function readsFor({ filings }: Catalog, { datasets }: WantedFiling): Reads {
  const all = filings.filter(({ slug }) => datasets.includes(slug)).map(readsOf)
  return (document) => all.some((reads) => reads(document))
}
