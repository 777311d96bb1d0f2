/** Estimates the cost of fetching files and indexes before the first is fetched, and names cheaper alternatives. */
import { intervalOf } from '../../fetch/pace.ts'
import type { Work } from '../progress/recorded.ts'
import { duration, number, size } from '../progress.ts'
import { LINE_BYTES_A_SECOND } from './archive-plan.ts'
import { LONG_BYTES, LONG_SECONDS } from './estimate.ts'

/** A file that will be fetched, and what its list states about it. */
export interface PlannedFile {
  name: string
  as: string | null
}

interface Wanted {
  /** `sets of thirteenf` */
  what: string
  files: readonly PlannedFile[]
  /** Mean size in bytes of such files that were already fetched; null if there are none. */
  mean: number | null
  /** Requests a second; null if nothing is paced. */
  perSecond: number | null
  /** Commands that do less, which are named for a long run. */
  cheaper: readonly string[]
  confirm?: ((question: string) => Promise<boolean>) | undefined
}

/** Sizes of files for which no list states a size (2026). */
const SIZES: readonly (readonly [RegExp, number])[] = [
  [/^submissions\.zip$/, 1_500_000_000],
  [/^companyfacts\.zip$/, 1_300_000_000],
  // The size of the whole index of the fourth quarter of 2025.
  [/^master\.idx$/, 26_000_000],
]

/** Minimum number of small files for which the estimate is printed. */
const FILES_MIN = 20
const BYTES_MIN = 50_000_000

/** Reports the cost of the files, and asks whether a long run is wanted. @returns whether they are wanted */
export async function confirmFiles(
  { reporter, signal }: Pick<Work, 'reporter' | 'signal'>,
  wanted: Wanted,
): Promise<boolean> {
  const { what, files, confirm } = wanted
  const cost = filesCost(wanted)
  const { requests, bytes, seconds, unsized } = cost
  if (requests < FILES_MIN && bytes < BYTES_MIN) return true
  const isLong = (seconds ?? 0) >= LONG_SECONDS || bytes >= LONG_BYTES
  const cheaper = isLong ? wanted.cheaper : []
  const parts = [
    `${number(requests)} requests`,
    ...(seconds === null ? [] : [`about ${duration(seconds)}`]),
    ...(bytes > 0 ? [`${size(bytes)} to fetch`] : []),
    ...(unsized > 0 ? [`${number(unsized)} ${unsized === 1 ? 'file' : 'files'} of unknown size`] : []),
  ]
  const lines = [
    `fetching ${number(files.length)} ${what} takes ${parts.join(', ')}`,
    ...cheaper.map((line) => `  cheaper: ${line}`),
  ]
  reporter.fact({ event: 'estimate_files', what, ...cost, cheaper }, lines.join('\n'))
  if (!isLong || !confirm || signal.aborted) return true
  reporter.stage(null)
  return confirm('fetch them now?')
}

/**
 * Estimates the cost from the size that a publisher's list gives for each file, or else from the sizes of similar
 * files.
 */
export function filesCost({ files, mean, perSecond }: Pick<Wanted, 'files' | 'mean' | 'perSecond'>) {
  const sizes = files.map((file) => listedSize(file.as) ?? SIZES.find(([name]) => name.test(file.name))?.[1] ?? mean)
  const bytes = Math.round(sizes.reduce<number>((sum, each) => sum + (each ?? 0), 0))
  const requests = files.length
  const seconds =
    perSecond === null
      ? null
      : Math.round(Math.max((requests * intervalOf(perSecond)) / 1000, bytes / LINE_BYTES_A_SECOND))
  return { requests, bytes, seconds, unsized: sizes.filter((each) => each === null).length }
}

/**
 * Returns the size of a file, in bytes, from the entry of the file in a publisher's list; null if the entry has no
 * size. Some lists write the size as 9057014, others as "78 MB".
 */
function listedSize(as: string | null): number | null {
  let listed: unknown = null
  try {
    listed = (JSON.parse(as ?? 'null') as { size?: unknown } | null)?.size
  } catch {
    return null
  }
  const [, digits, unit] = /^(\d+(?:\.\d+)?) ?(KB|MB|GB)?$/.exec(String(listed ?? '')) ?? []
  return digits ? Number(digits) * ({ KB: 1e3, MB: 1e6, GB: 1e9 }[unit ?? ''] ?? 1) : null
}
