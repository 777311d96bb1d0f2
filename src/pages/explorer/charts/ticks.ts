/** A row of marks for each kind, with one mark per period that shows whether the kind applied: `● ○ ●`. */
import { type Html, html, joined } from '../../html.ts'
import { type Drawing, round } from './drawing.ts'
import { WIDTH } from './plot.ts'

const LINE = 22
const HEAD = 20
const NAMES = 170
const NAMED = 30

export const ticksHeight = ({ series }: Drawing): number => HEAD + series.length * LINE

/** A filled mark: the kind applied. A ring: it did not. No mark: not stated. */
export function ticksOf({ labels, series }: Drawing): Html {
  const slot = (WIDTH - NAMES) / labels.length
  const at = (n: number) => round(NAMES + slot * (n + 0.5))
  const heads = labels.map(
    (label, n) => html`<text class="tick" x="${at(n)}" y="11" text-anchor="middle">${label}</text>`,
  )
  const rows = series.map(({ label, values, texts }, n) => {
    const y = HEAD + n * LINE
    const name = label.length > NAMED ? `${label.slice(0, NAMED - 1)}…` : label
    const marks = values.map((value, column) =>
      value === null
        ? null
        : html`<circle class="${value > 0 ? 's1' : 'ring'}" cx="${at(column)}" cy="${y + 8}" r="4.5"><title>${`${label}, ${labels[column]}: ${texts[column]}`}</title></circle>`,
    )
    return html`<text class="name" x="0" y="${y + 12}">${name}</text>${marks}`
  })
  return joined([...heads, ...rows])
}
