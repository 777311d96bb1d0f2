/**
 * Generates an annual report in inline XBRL in the style of filing software: a style on every element, tables with
 * spacer columns.
 */
import type { Random } from './random.ts'

const FONT = "color:#000000;font-family:'Helvetica',sans-serif;font-size:9pt;line-height:120%"
const CELL = 'padding:2px 1pt;text-align:left;vertical-align:bottom'
const WORDS =
  'the company its results of operations and financial condition may be affected by market demand for products services customers suppliers costs revenue growth in fiscal periods under contracts with other parties'.split(
    ' ',
  )

/** @yields pieces of one document of at least `bytes` characters, all of them ASCII */
export function* annualReport(random: Random, bytes: number): Generator<string> {
  let length = 0
  let fact = 0
  const sentence = () => {
    const words = Array.from({ length: 18 }, () => WORDS[random.below(WORDS.length)]!)
    return `${words.join(' ')}. `
  }
  const span = (text: string, more = '') => `<span style="${FONT};font-weight:${more || '400'}">${text}</span>`
  const value = () => {
    const number = `${1 + random.below(999)},${100 + random.below(900)}`
    return `<ix:nonFraction contextRef="c-${random.below(400)}" decimals="-6" format="ixt:num-dot-decimal" id="f-${fact++}" name="us-gaap:Revenues" scale="6" unitRef="usd">${number}</ix:nonFraction>`
  }
  const row = () => {
    const values = Array.from(
      { length: 3 },
      () =>
        `<td style="${CELL};border-top:1pt solid #000000">${span('$')}</td><td style="${CELL};text-align:right">${span(value())}</td><td style="${CELL}">${span('&#160;')}</td>`,
    )
    return `<tr><td colspan="3" style="${CELL}">${span(sentence().slice(0, 40))}</td>${values.join('')}</tr>`
  }
  const section = (number: number) => {
    const heading = `<div style="margin-bottom:6pt;text-align:justify">${span(`Item ${number}. ${sentence().slice(0, 30)}`, '700')}</div>`
    const paragraphs = Array.from({ length: 8 }, () => {
      const text = Array.from({ length: 6 }, sentence).join('')
      return `<div style="margin-bottom:9pt;text-align:justify">${span(text.replace('.', ' &#8220;Note&#8221;.'))}</div>`
    })
    const table = `<table style="border-collapse:collapse;display:inline-table;width:100%"><tr><td style="width:1.0%"></td><td style="width:50.0%"></td></tr>${Array.from({ length: 14 }, row).join('')}</table>`
    const foot = `<div style="text-align:center">${span(`Generated Inc. | 2024 Form 10-K | ${number}`)}</div><hr style="page-break-after:always"/>`
    return `${heading}${paragraphs.join('')}${table}${foot}\n`
  }
  yield '<?xml version="1.0"?><html xmlns:ix="http://www.xbrl.org/2013/inlineXBRL"><head><title>10-K</title></head><body><div style="display:none"><ix:header><ix:hidden>0</ix:hidden></ix:header></div>'
  for (let number = 1; length < bytes; number++) {
    const piece = section(number)
    length += piece.length
    yield piece
  }
  yield '</body></html>'
}
