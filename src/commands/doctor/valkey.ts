/** Checks the server in which several services count requests together. */
import type { Config } from '../../config.ts'
import { messageOf } from '../../declare/errors.ts'
import { withoutPassword } from '../../store/db.ts'
import type { Check } from './check.ts'

/** Checks whether the Valkey of `VALKEY_URL` answers. Checks nothing if `VALKEY_URL` is not set. */
export async function checkValkey({ VALKEY_URL: url }: Pick<Config, 'VALKEY_URL'>): Promise<Check[]> {
  if (!url) return []
  const { answers } = await import('../../serve/limits/valkey.ts')
  const place = withoutPassword(url)
  try {
    await answers(url)
    return [{ name: 'Valkey', state: 'ok', found: `${place} answers` }]
  } catch (error) {
    return [
      {
        name: 'Valkey',
        state: 'warn',
        found: `${place} does not answer (${messageOf(error)}), so each server counts requests by itself`,
        wayOut: 'start Valkey, correct VALKEY_URL, or unset VALKEY_URL to count without Valkey',
      },
    ]
  }
}
