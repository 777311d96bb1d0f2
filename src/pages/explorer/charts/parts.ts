/** Horizontal bars, each with its name: parts of a whole, the largest first. */
import { max } from 'd3-array'
import { type Html, html, joined } from '../../html.ts'
import { type Drawing, round, short } from './drawing.ts'
import { WIDTH } from './plot.ts'

const LINE = 34
const NAMED = 46

export const partsHeight = ({ labels }: Drawing): number => labels.length * LINE + 4

export function partsOf({ labels, series: [shown], unit }: Drawing): Html {
  const { values, texts } = shown!
  const most = max(values, (value) => value ?? 0) || 1
  return joined(
    labels.map((label, n) => {
      const value = values[n] ?? 0
      const y = n * LINE
      const name = label.length > NAMED ? `${label.slice(0, NAMED - 1)}…` : label
      return html`<g><title>${`${label}: ${texts[n]}`}</title><text class="name" x="0" y="${y + 13}">${name}</text><text class="tick" x="${WIDTH}" y="${y + 13}" text-anchor="end">${values[n] === null ? '–' : short(value, unit)}</text><rect class="track" x="0" y="${y + 19}" width="${WIDTH}" height="7" rx="2"/><rect class="s1" x="0" y="${y + 19}" width="${round(Math.max((value / most) * WIDTH, value > 0 ? 1 : 0))}" height="7" rx="2"/></g>`
    }),
  )
}
