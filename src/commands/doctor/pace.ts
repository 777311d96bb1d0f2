/** The pace at which `doctor` sends requests to hosts. */
import type { Config } from '../../config.ts'
import { dataDirOf } from '../../database.ts'
import { parseBase } from '../../fetch/address.ts'
import { assertMayRequest } from '../../fetch/client.ts'
import type { SharedPace } from '../../fetch/pace.ts'
import { connect } from '../../store/db.ts'
import { hasDatabase, openEmbedded } from '../../store/embedded.ts'
import { sharedPace } from '../../store/pace.ts'

/**
 * Runs a task with the pace that all processes on the database share. If no database can be opened, or no host is
 * paced, the task gets no pace.
 */
export async function atSharedPace<T>(config: Config, act: (shared: SharedPace | undefined) => Promise<T>): Promise<T> {
  const opened = await openedOf(config)
  if (!opened) return act(undefined)
  const sql = connect({ target: opened.target, max: 2 })
  try {
    return await act(sharedPace(sql))
  } finally {
    await sql.end({ timeout: 5 })
    await opened.close()
  }
}

/**
 * Whether the clients of `doctor` must wait for turns. Clients of a loopback host wait only if EDGAR_PACE_LOOPBACK is
 * on.
 */
function needsPace(config: Config): boolean {
  const { EDGAR_BASE_URL, EDGAR_DATA_URL, ADVISERINFO_BASE_URL, ADVISERINFO_FILES_URL, EDGAR_USER_AGENT } = config
  return [EDGAR_BASE_URL, EDGAR_DATA_URL, ADVISERINFO_BASE_URL, ADVISERINFO_FILES_URL].some((host) => {
    try {
      assertMayRequest(host, EDGAR_USER_AGENT)
      return config.EDGAR_PACE_LOOPBACK || parseBase(host).place === 'remote'
    } catch {
      // The check of this host reports why no request can be sent to it.
      return false
    }
  })
}

async function openedOf(config: Config) {
  if (!needsPace(config)) return null
  if (config.DATABASE_URL) return { target: config.DATABASE_URL, close: async () => {} }
  const { path: dataDir } = dataDirOf(config)
  // The check of the database reports why it cannot be opened.
  return hasDatabase(dataDir) ? openEmbedded({ dataDir }).catch(() => null) : null
}
