/** An address from a submission's header, in the same shape in every answer that describes a filer. */
import { z } from 'zod'
import { address, text } from '../declare/table.ts'

export const headerAddress = z
  .object({ ...address({}), phone: text('Telephone, as filed').nullable() })
  .meta({ id: 'FilerAddress' })
