/** Bars, lines and a band over periods or classes, with their axes. */
import { area, line } from 'd3-shape'
import { type Html, html, joined } from '../../html.ts'
import { type Drawing, round, type Series, short } from './drawing.ts'
import { linear, type Scale } from './scale.ts'

/**
 * A drawing is as wide as a phone, and a desktop shows several next to each other. So its letters have the same size on
 * both.
 */
export const WIDTH = 360
export const HEIGHT = 200
const LEFT = 44
const RIGHT = 6
const TOP = 10
const BOTTOM = 24
const INNER = WIDTH - LEFT - RIGHT
/** Width of a letter of a label, and the space between two labels. */
const LETTER = 5.8
const APART = 12
/** Points of a line are marked if there are at most this many. */
const MARKED = 40

export function plotOf(drawing: Drawing): Html {
  const { kind, series, labels, unit, isMirrored } = drawing
  const isBars = kind === 'bars' || kind === 'stack' || kind === 'histogram'
  const heights =
    kind === 'stack' ? sumsOf(series, labels.length) : series.flatMap(({ values }) => values.filter(isNumber))
  const least = Math.min(...heights)
  const y = linear(heights, [HEIGHT - BOTTOM, TOP], isBars || least < Math.max(...heights) / 2)
  const slot = INNER / labels.length
  const draw = { bars, stack, histogram: bars, lines, band, parts: bars, states: bars, ticks: bars }[kind]
  // Counts are whole numbers, so an axis has no tick between them.
  const ticks = unit === 'count' ? y.ticks.filter(Number.isInteger) : y.ticks
  const grid = ticks.map((tick) => {
    const at = round(y.at(tick))
    const text = short(isMirrored ? Math.abs(tick) : tick, unit, ticks)
    return html`<path class="${tick === 0 ? 'axis' : 'grid'}" d="M${LEFT} ${at}H${WIDTH - RIGHT}"/><text class="tick" x="${LEFT - 6}" y="${round(at + 3.5)}" text-anchor="end">${text}</text>`
  })
  return html`${grid}${draw(drawing, y, slot)}${labelsOf(labels, slot)}${hitsOf(drawing, slot)}`
}

const isNumber = (value: number | null | undefined): value is number => value !== null && value !== undefined
const middle = (n: number, slot: number) => LEFT + slot * (n + 0.5)

/** The sums of all stacks, above and below zero. */
function sumsOf(series: readonly Series[], length: number): number[] {
  const sum = (n: number, sign: 1 | -1) =>
    series.reduce((total, { values }) => total + (Math.sign(values[n] ?? 0) === sign ? values[n]! : 0), 0)
  return Array.from({ length }, (_, n) => [sum(n, 1), sum(n, -1)]).flat()
}

function rect(x: number, width: number, from: number, to: number, colour: number): Html {
  const [top, bottom] = from < to ? [from, to] : [to, from]
  // A value close to zero remains visible.
  return html`<rect class="s${colour}" x="${round(x)}" y="${round(top)}" width="${round(width)}" height="${round(Math.max(bottom - top, 0.5))}"/>`
}

function bars({ kind, series, labels }: Drawing, y: Scale, slot: number): Html {
  const gap = kind === 'histogram' ? Math.min(1, slot * 0.1) : Math.min(12, slot * 0.25)
  const width = (slot - gap) / series.length
  return joined(
    labels.flatMap((_, n) =>
      series.map(({ values }, s) => {
        const value = values[n]
        const x = LEFT + slot * n + gap / 2 + width * s
        return isNumber(value) && value !== 0 && rect(x, Math.max(width - 0.5, 0.5), y.at(0), y.at(value), s + 1)
      }),
    ),
  )
}

function stack({ series, labels }: Drawing, y: Scale, slot: number): Html {
  const gap = Math.min(12, slot * 0.25)
  return joined(
    labels.flatMap((_, n) => {
      const ends = { up: 0, down: 0 }
      return series.map(({ values }, s) => {
        const value = values[n]
        if (!isNumber(value) || value === 0) return null
        const side = value > 0 ? 'up' : 'down'
        const from = ends[side]
        ends[side] += value
        return rect(LEFT + slot * n + gap / 2, slot - gap, y.at(from), y.at(ends[side]), s + 1)
      })
    }),
  )
}

/** At a missing value, a line is interrupted and begins again after the gap. */
function lines({ series }: Drawing, y: Scale, slot: number): Html {
  return joined(series.map(({ values }, s) => lineOf(values, s + 1, y, slot)))
}

function lineOf(values: readonly (number | null)[], colour: number, y: Scale, slot: number): Html {
  const path = line<number | null>()
    .defined(isNumber)
    .x((_, n) => round(middle(n, slot)))
    .y((value) => round(y.at(value!)))
  const isAlone = (n: number) => !isNumber(values[n - 1]) && !isNumber(values[n + 1])
  const marks = values.map(
    (value, n) =>
      isNumber(value) &&
      (values.length <= MARKED || isAlone(n)) &&
      html`<circle class="s${colour}" cx="${round(middle(n, slot))}" cy="${round(y.at(value))}" r="2.5"/>`,
  )
  return html`<path class="line l${colour}" d="${path(values) ?? ''}"/>${marks}`
}

function band({ series: [lower, main, upper], labels }: Drawing, y: Scale, slot: number): Html {
  const between = area<number>()
    .defined((n) => isNumber(lower!.values[n]) && isNumber(upper!.values[n]))
    .x((n) => round(middle(n, slot)))
    .y0((n) => round(y.at(lower!.values[n]!)))
    .y1((n) => round(y.at(upper!.values[n]!)))
  const edges = labels.map((_, n) => {
    const [low, high] = [lower!.values[n], upper!.values[n]]
    if (!isNumber(low) || !isNumber(high)) return null
    return html`<path class="edge" d="M${round(middle(n, slot))} ${round(y.at(low))}V${round(y.at(high))}"/>`
  })
  return html`<path class="band" d="${between(labels.map((_, n) => n)) ?? ''}"/>${edges}${lineOf(main!.values, 1, y, slot)}`
}

/** As many labels as fit next to each other, always including the last. */
function labelsOf(labels: readonly string[], slot: number): Html {
  const shown: Html[] = []
  let free = WIDTH
  for (let n = labels.length - 1; n >= 0; n--) {
    const half = (labels[n]!.length * LETTER) / 2
    const x = Math.min(middle(n, slot), WIDTH - half)
    if (x + half > free) continue
    free = x - half - APART
    shown.unshift(html`<text class="tick" x="${round(x)}" y="${HEIGHT - 7}" text-anchor="middle">${labels[n]}</text>`)
  }
  return joined(shown)
}

/** The values of each period, shown while the pointer is anywhere in the plot above the period's label. */
function hitsOf({ series, labels }: Drawing, slot: number): Html {
  const text = (n: number) => series.map(({ label, texts }) => `${label}: ${texts[n]}`).join('\n')
  return joined(
    labels.map(
      (label, n) =>
        html`<rect class="hit" x="${round(LEFT + slot * n)}" y="${TOP}" width="${round(slot)}" height="${HEIGHT - TOP - BOTTOM}"><title>${`${label}\n${text(n)}`}</title></rect>`,
    ),
  )
}
