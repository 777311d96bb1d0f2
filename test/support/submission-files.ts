/** Reads submissions in a folder laid out like EDGAR, without the project's reader, for comparison with it. */
import { globSync } from 'node:fs'
import path from 'node:path'

/**
 * Paths of the submissions below the root's `Archives`, which has one folder for each filer:
 * `edgar/data/1/0000000001-24-000001.txt`.
 */
export function submissionsBelow(root: string): string[] {
  return globSync('edgar/data/*/*.txt', { cwd: path.join(root, 'Archives') }).map((file) => file.replaceAll('\\', '/'))
}

/**
 * Returns the form and the filing date from the header, which has one of two layouts; a header in the second layout may
 * be a single line.
 */
export function headOf(submission: string): { form: string; day: string } {
  const [, form] = /(?:^CONFORMED SUBMISSION TYPE:|<TYPE>)\s*([^\s<](?:[^\n<]*[^\s<])?)\s*(?:$|<)/m.exec(submission)!
  const [, year, month, date] = /(?:^FILED AS OF DATE:|<FILING-DATE>)\s*(\d{4})(\d\d)(\d\d)\s*(?:$|<)/m.exec(
    submission,
  )!
  return { form: form!, day: `${year}-${month}-${date}` }
}
