/** Values as filers write them: text to a canonical value, or null for what is no such value. */

export const FLAGS = new Map([
  ...['true', '1', 'y', 'yes'].map((t) => [t, true] as const),
  ...['false', '0', 'n', 'no'].map((f) => [f, false] as const),
])

/** Commas only where thousands end: a decimal comma must not become a hundredfold. 64 characters bound a hostile one. */
export function decimal(text: string): string | null {
  if (text.length > 64) return null
  const found = /^([+-]?)\$? ?([+-]?)(\d{1,3}(?:,\d{3})+|\d*)(?:\.(\d*))?$/.exec(text)
  if (found === null) return null
  const [, before, after, whole = '', fraction = ''] = found
  if (whole + fraction === '' || (before && after)) return null
  const digits = whole.replaceAll(',', '').replace(/^0+(?=\d)/, '') || '0'
  const amount = fraction === '' ? digits : `${digits}.${fraction}`
  return before + after! === '-' && /[1-9]/.test(amount) ? `-${amount}` : amount
}

export function integer(text: string): number | null {
  const exact = decimal(text)
  if (exact === null || !/^[^.]*(\.0*)?$/.test(exact)) return null
  const value = Number(exact)
  return Number.isSafeInteger(value) ? value : null
}

export function day(text: string, format: 'iso' | 'mdy'): string | null {
  const found =
    format === 'iso'
      ? /^(?<y>\d{4})-(?<m>\d\d)-(?<d>\d\d)(?:T[\d:.]+)?(?:Z|[+-]\d\d:\d\d)?$/.exec(text)
      : /^(?<m>\d{1,2})(?<mark>[-/])(?<d>\d{1,2})\k<mark>(?<y>\d{4})$/.exec(text)
  const { y = '', m = '', d = '' } = found?.groups ?? {}
  const iso = `${y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`
  // Date.parse refuses a 32nd but turns 30 February into 1 March; PostgreSQL has no year 0.
  const exists = found !== null && y !== '0000' && !Number.isNaN(Date.parse(iso))
  return exists && new Date(iso).toISOString().startsWith(iso) ? iso : null
}

/** A name, or null for what filers write where there is none: None, NONE, N/A (0001745524-18-000001), n/a (0001757248-18-000002). */
export function named(text: string | null): string | null {
  return text === null || /^(none|n\/a)$/i.test(text) ? null : text
}
