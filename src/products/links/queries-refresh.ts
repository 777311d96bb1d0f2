/**
 * Keeps the links of advisers consistent with their own statements and with the filers of EDGAR: runs the files of
 * make/ in order.
 */
import type { Refresh } from '../../declare/refresh.ts'
import { runFile } from '../../store/file.ts'

const NAMESAKES = new URL('make/namesakes.sql', import.meta.url)
const TOUCHED = new URL('make/touched.sql', import.meta.url)
const EVERYBODY = new URL('make/everybody.sql', import.meta.url)

const LINKS = [
  new URL('make/unlinked.sql', import.meta.url),
  new URL('make/stated.sql', import.meta.url),
  new URL('make/numbered.sql', import.meta.url),
  new URL('make/named.sql', import.meta.url),
]

/**
 * Marks advisers by CRD number. Names and headers that arrive later from EDGAR's index take effect when the links of
 * the firm, or all links, are made again.
 */
export const refresh: Refresh = {
  follows: {
    adv: async (tx, crds) => (await runFile<{ crd: string }>(tx, NAMESAKES, [crds])).map(({ crd }) => crd),
  },

  async divide(tx, key) {
    if (key !== null) return []
    await runFile(tx, TOUCHED)
    await runFile(tx, EVERYBODY)
    const rows = await tx`select distinct crd from touched`
    return rows.map(({ crd }) => String(crd))
  },

  async make(tx, keys) {
    await runFile(tx, TOUCHED)
    if (keys) await tx`insert into touched select distinct unnest(${keys as string[]}::text[])`
    else await runFile(tx, EVERYBODY)
    await tx`analyze touched`
    for (const file of LINKS) await runFile(tx, file)
  },
}
