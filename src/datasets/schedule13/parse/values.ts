/** Reads CUSIPs on covers of Schedules 13D and 13G. */
import { cusipFlag } from '../../../read/securityid.ts'
import { isNone } from '../../../read/values.ts'
import type { Element } from '../../../read/xml.ts'

interface Cusip {
  cusip: string
  cusip_flag: 'length' | 'placeholder' | 'check_digit' | null
}

const FLAGS = { length: 'length', placeholder: 'placeholder', check_digit: 'check_digit' } as const

/**
 * Reads one CUSIP. Returns no CUSIP if the filer wrote a blank, None, N/A or zeros. Drops blanks and dashes from a
 * valid number; any other number stays as filed, with a flag.
 */
export function cusipOf(element: Element): Cusip[] {
  const filed = element.text()
  if (filed === null || isNone(filed)) return []
  const cusip = filed.replace(/[\s-]/g, '').toUpperCase()
  const flag = cusipFlag(cusip)
  if (flag === null) return [{ cusip, cusip_flag: null }]
  return [{ cusip: filed, cusip_flag: FLAGS[flag as keyof typeof FLAGS] }]
}
