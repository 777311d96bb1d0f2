/** Names and declares the files of a zip, for the series of Form ADV and of Form ADV-W. */

import type { CsvMember } from '../../../declare/series.ts'
import type { Rows } from '../../../declare/table.ts'
import type { CsvRow } from '../../../read/csv.ts'
import type * as tables from '../tables.ts'

export type Lines = (line: CsvRow, filingId: string) => Rows<typeof tables>

/** Column names of the key that every file has; some files write it with a space. */
export const FILING_ID = ['FilingID', 'Filing ID'] as const
export const REFERENCE_ID = ['ReferenceID', 'Reference ID'] as const

/**
 * Returns a pattern of file names: `IA_Schedule_D_1F_20260601_20260630.csv` for `Schedule_D_1F`. Without a given
 * prefix, the pattern matches files of registered and of exempt reporting advisers. Names before 2017 have no prefix,
 * and have one day instead of two. The pattern matches only whole names, since 7B1 and 7B1A3a are different files.
 */
export function fileOf(name: string, prefix = '(?:IA_|ERA_)?'): RegExp {
  return new RegExp(`^${prefix}${name}(?:_\\d{8}){0,2}\\.csv$`, 'i')
}

/** @param needs required columns in addition to the key: a file without them is refused */
export function member(
  file: RegExp,
  needs: readonly string[],
  lines: Lines,
  { required }: { required?: true } = {},
): CsvMember {
  return {
    file,
    needs,
    rows: (line) => lines(line, filingIdOf(line)),
    ...(required && { required }),
  }
}

function filingIdOf(line: CsvRow): string {
  const id = line.text(...FILING_ID)
  if (id === null) throw new Error('FilingID is blank')
  return id
}
