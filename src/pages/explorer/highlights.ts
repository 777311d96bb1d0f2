/** The few facts for which people open a page; they are shown large above all others. */
import type { Unit } from '../../declare/table.ts'
import { type Html, html } from '../html.ts'
import { short } from './charts/drawing.ts'
import { memberAt } from './shape.ts'
import { numberOf } from './value.ts'

interface Highlight {
  label: string
  /** Path of the member. The value at a second path is shown after a comma. */
  of: readonly string[]
  unit?: Unit
}

/** Highlights by the operation of the page. A member without a value is left out. */
const HIGHLIGHTS: Readonly<Record<string, readonly Highlight[]>> = {
  adv_adviser: [
    { label: 'Assets under management', of: ['adviser.latest_raum'], unit: 'USD' },
    { label: 'Clients', of: ['latest_filing.total_clients'], unit: 'count' },
    { label: 'Employees', of: ['adviser.employees'], unit: 'count' },
    { label: 'Private funds', of: ['funds_total'], unit: 'count' },
    { label: 'Office', of: ['adviser.city', 'adviser.state'] },
  ],
  security: [
    { label: 'Managers that hold it', of: ['f13.holder_count'], unit: 'count' },
    { label: 'Value that they hold', of: ['f13.total_value'], unit: 'USD' },
    { label: 'Funds that hold it', of: ['nport.fund_count'], unit: 'count' },
    { label: 'Value that funds hold', of: ['nport.total_value'], unit: 'USD' },
  ],
}

/** Null if the page has no highlights. */
export function highlightsOf(operation: string, answer: unknown): Html | null {
  const found = (HIGHLIGHTS[operation] ?? []).flatMap(({ label, of, unit }) => {
    const values = of.map((path) => memberAt(answer, path)).filter(isStated)
    return values.length === 0 ? [] : [{ label, unit, values: values.map(String) }]
  })
  if (found.length === 0) return null
  const line = ({ label, unit, values }: (typeof found)[number]) => {
    const [first = ''] = values
    return unit === undefined
      ? html`<div><dt>${label}</dt><dd>${values.join(', ')}</dd></div>\n`
      : html`<div><dt>${label}</dt><dd title="${numberOf('value', first, unit)}">${short(Number(first), unit)}</dd></div>\n`
  }
  return html`<dl class="highlights">\n${found.map(line)}</dl>`
}

/** Whether there is something to show: a zero gives no information about a thing. */
const isStated = (value: unknown) => value !== null && value !== undefined && value !== '' && Number(value) !== 0
