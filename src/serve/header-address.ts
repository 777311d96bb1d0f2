/** An address of a submission's header, in answers: the same shape wherever a filer is described. */
import { z } from 'zod'
import { address, text } from '../declare/table.ts'

export const headerAddress = z
  .object({ ...address({}), phone: text('Telephone, as filed').nullable() })
  .meta({ id: 'FilerAddress' })
