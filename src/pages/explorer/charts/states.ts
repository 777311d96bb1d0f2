/** A map on which every state is a tile of the same size, near its true position. It needs no outlines. */
import { max } from 'd3-array'
import { type Html, html, joined } from '../../html.ts'
import { type Drawing, short } from './drawing.ts'
import { WIDTH } from './plot.ts'

/** A map, line by line from the north. */
const ROWS = [
  'AK .. .. .. .. .. .. .. .. .. .. ME',
  '.. .. .. .. .. .. .. .. .. .. VT NH',
  '.. WA ID MT ND MN IL WI MI NY RI MA',
  '.. OR NV WY SD IA IN OH PA NJ CT ..',
  '.. CA UT CO NE MO KY WV VA MD DE ..',
  '.. .. AZ NM KS AR TN NC SC DC .. ..',
  '.. .. .. .. OK LA MS AL GA .. .. ..',
  'HI .. .. .. TX .. .. .. .. FL .. PR',
]
const TILE = WIDTH / 12
export const STATES_HEIGHT = ROWS.length * TILE
/** Number of shades of a tile, without the shade of a state that has no value. */
const SHADES = 5

const PLACES = ROWS.flatMap((row, y) =>
  row.split(' ').flatMap((code, x) => (code === '..' ? [] : [{ code, x: x * TILE, y: y * TILE }])),
)
const ON_MAP = new Set(PLACES.map(({ code }) => code))

/** Whether a code has a tile. */
export const isOnMap = (code: string): boolean => ON_MAP.has(code)

export function statesOf({ labels, series: [shown], unit }: Drawing): Html {
  const most = max(shown!.values, (value) => value ?? 0) || 1
  return joined(
    PLACES.map(({ code, x, y }) => {
      const n = labels.indexOf(code)
      const value = n < 0 ? 0 : (shown!.values[n] ?? 0)
      const shade = value > 0 ? Math.ceil((value / most) * SHADES) : 0
      const middle = x + TILE / 2
      return html`<g><title>${`${code}: ${n < 0 ? '0' : shown!.texts[n]}`}</title><rect class="tile t${shade}" x="${x + 1}" y="${y + 1}" width="${TILE - 2}" height="${TILE - 2}" rx="3"/><text class="code" x="${middle}" y="${y + (value > 0 ? 13 : 18)}" text-anchor="middle">${code}</text>${value > 0 && html`<text class="amount" x="${middle}" y="${y + 24}" text-anchor="middle">${short(value, unit)}</text>`}</g>`
    }),
  )
}
