/** Reads a watch list again while a run follows EDGAR, so that a filer can be added without another start. */
import { stat } from 'node:fs/promises'
import { UserError } from '../../declare/errors.ts'
import { Overtaken } from '../../store/overtaken.ts'
import type { Work } from '../progress/recorded.ts'
import type { BulkWanted } from './bulk.ts'
import { type ChosenEntry, chooseFilers } from './choose.ts'
import { type WatchList, watchListOf } from './watch-list.ts'

/**
 * Returns a function that reads the list if its file was changed since the last call. This function returns the filers
 * if the list has other entries than before, and else null. A list that cannot be used is reported once for each change
 * of the file, and the former filers stay. The function throws errors whose cause is not the file, and then reads the
 * file again at the next call.
 *
 * @param list the list that was read at the start
 */
export function rechoosing(
  work: Work,
  file: string,
  list: WatchList,
  own: Pick<BulkWanted, 'claim' | 'again'>,
): () => Promise<readonly ChosenEntry[] | null> {
  let entries = entriesOf(list)
  let stamp = ''
  return async () => {
    const before = stamp
    stamp = await stampOf(file)
    if (stamp === before) return null
    try {
      const read = await watchListOf({ watch: file })
      if (!read || entriesOf(read) === entries) return null
      const chosen = await chooseFilers(work, read, own)
      entries = entriesOf(read)
      return chosen
    } catch (error) {
      if (!(error instanceof UserError) || error instanceof Overtaken) {
        stamp = before
        throw error
      }
      const { message: reason } = error
      work.reporter.problem(
        { event: 'watch_list', reason },
        `${reason}; the filers that were chosen before stay chosen`,
      )
      return null
    }
  }
}

const entriesOf = ({ entries }: WatchList) => entries.map(({ text }) => text).join('\n')

/** A text that differs after each change of the file. */
const stampOf = async (file: string): Promise<string> =>
  stat(file).then(
    ({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`,
    () => 'cannot be read',
  )
