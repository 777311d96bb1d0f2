/**
 * Columns. A column is an ordinary Zod type with two tags: its Postgres type and the meaning of its values. The meaning
 * is the unit of a number, or the kind of thing that a number identifies. From that one declaration are derived: the
 * DDL with `comment on column`, the parser's row type, the response schema, the operators of facets, and the
 * documentation.
 */
import { z } from 'zod'
import { capital } from './capital.ts'

/** The kind of a column's values, which decides the operations that facets and filters allow on the column. */
export type Kind = 'text' | 'number' | 'date' | 'boolean' | 'list' | 'json'

/** Units of numbers. */
export const UNITS = {
  USD: 'US dollars',
  USD_per_share: 'US dollars for one share or other unit of a security',
  stated: 'In the unit that another column names: a currency, a currency for one share, or shares',
  currency_units: 'Units of the currency that another column names, or US dollars if none is named',
  per_USD: 'Units of a currency for one US dollar',
  USD_or_thousands: 'US dollars or thousands of US dollars, depending on the filing',
  shares: 'Shares or other units of a security',
  shares_or_principal: 'Shares, or US dollars of principal where another column says so',
  count: 'A number of things',
  percent: 'Per cent: 12.5 is an eighth',
  ratio: 'From 0 to 1',
  degrees: 'Degrees of latitude or longitude',
  days: 'Days',
  months: 'Months',
  years: 'Years',
} as const
export type Unit = keyof typeof UNITS

/** Kinds of things that a column can identify, each with the route that returns more about such a thing. */
export const ENTITIES = {
  accession: { meaning: 'A filing of EDGAR', link: '/filing/{accession}' },
  cik: { meaning: 'A filer of EDGAR', link: '/companies/{cik}' },
  crd: { meaning: 'An adviser in the Central Registration Depository', link: '/adv/advisers/by-crd/{crd}' },
  firm: {
    meaning:
      'A firm in the Central Registration Depository that need not be an adviser: a broker-dealer, a funding portal',
    link: null,
  },
  person: { meaning: 'A person in the Central Registration Depository', link: '/adv/rep/{indvlPk}/movements' },
  individual: {
    meaning: 'A person in the Central Registration Depository who need not represent an adviser',
    link: null,
  },
  adv_filing: { meaning: 'A filing of Form ADV or ADV-W, by the number that IARD gave it', link: null },
  file_number: { meaning: 'A registration or an offering, by its SEC file number', link: null },
  private_fund: { meaning: 'A private fund, by its number 805-…, which is the same in every filing', link: null },
  cusip: { meaning: 'A security', link: '/adv/securities/{cusip}' },
  figi: { meaning: 'A security', link: null },
  lei: { meaning: 'A legal entity', link: null },
} as const
export type Entity = keyof typeof ENTITIES

/** Optional properties of a column, in addition to its type and meaning. */
interface ColumnNotes {
  unit?: Unit
  entity?: Entity
  /**
   * All values that the column can have. Declared only if the parser yields no other value: the values are our own
   * words, or codes of a form whose parser refuses unknown codes.
   */
  values?: readonly string[]
  /**
   * Set on a column that may name a thing although its row is about another thing (mentions.ts). If no row is about a
   * thing, its identifier is looked up in this column, so an index must begin with the column. The value of `named` is
   * the column with the thing’s name in the same row; null if the row has no such name.
   */
  named?: string | null
  /** Whether the text is Markdown that was made from a document. */
  isMarkdown?: boolean
  /** Name for people, if the name derived from the column's name is hard to read. */
  label?: string
}

type Naming = Pick<ColumnNotes, 'named'>

interface ColumnType extends ColumnNotes {
  /** Type as written in DDL. Text has the collation "C", so that order and comparison are the same on every server. */
  postgres: string
  kind: Kind
}

const types = z.registry<ColumnType>()

function column<T extends z.ZodType>(type: T, postgres: string, kind: Kind, meaning: string, notes?: ColumnNotes): T {
  const media = notes?.isMarkdown ? { contentMediaType: 'text/markdown' } : {}
  const described = type.meta({ description: meaning, ...media })
  types.add(described, { postgres, kind, ...notes })
  return described
}

const TEXT = 'text collate "C"'

export const text = (meaning: string, notes?: ColumnNotes) => column(z.string(), TEXT, 'text', meaning, notes)
export const texts = (meaning: string, notes?: ColumnNotes) =>
  column(z.array(z.string()), 'text[] collate "C"', 'list', meaning, notes)
/** An exact decimal: `numeric` in Postgres. In JSON it is a string without zeros at the end of its fraction. */
export const decimal = (meaning: string, notes: ColumnNotes & { unit: Unit }) =>
  column(z.string().regex(/^-?\d+(\.\d+)?$/), 'numeric', 'number', meaning, notes)
export const integer = (meaning: string, notes?: ColumnNotes) => column(z.int(), 'integer', 'number', meaning, notes)
/** An integer that may exceed 2^31. In JSON it is a string of digits, with a minus before a negative number. */
export const bigint = (meaning: string, notes?: ColumnNotes) =>
  column(z.string().regex(/^-?\d+$/), 'bigint', 'number', meaning, notes)
export const boolean = (meaning: string) => column(z.boolean(), 'boolean', 'boolean', meaning)
/** A plain date, `YYYY-MM-DD`. */
export const date = (meaning: string) => column(z.iso.date(), 'date', 'date', meaning)
/**
 * Columns such as `name_key` and `city_key` hold a text folded for comparison: in lower case and without accents.
 * Another column has the text itself.
 */
const FOLDED = /_key$/

/** Whether a column is for queries only, so that no answer and no file has it. */
export const isInner = (name: string, type: z.ZodType): boolean =>
  columnType(type)?.postgres === NAME_WORDS || FOLDED.test(name)

/**
 * A column with the words by which a name is found, made by `words` of names.ts. The column is for queries only: no
 * answer has it.
 */
export const nameWords = (meaning: string) => column(z.string(), NAME_WORDS, 'text', meaning)
const NAME_WORDS = 'tsvector'
export const json = <T extends z.ZodType>(type: T, meaning: string) => column(type, 'jsonb', 'json', meaning)

export const usd = (meaning: string) => decimal(meaning, { unit: 'USD' })
export const percent = (meaning: string) => decimal(meaning, { unit: 'percent' })
export const ratio = (meaning: string) => decimal(meaning, { unit: 'ratio' })
/** How certain a match is, from 0 to 1: a number in JSON. */
export const confidence = (meaning: string) =>
  column(z.number().min(0).max(1), 'double precision', 'number', meaning, { unit: 'ratio' })
export const count = (meaning: string) => integer(meaning, { unit: 'count' })
/** Shares, or other units of a security. */
export const shares = (meaning: string) => bigint(meaning, { unit: 'shares' })

/** SEC central index key as EDGAR writes it, ten digits with leading zeros. */
export const cik = (meaning: string, notes?: Naming) =>
  column(z.string().regex(/^\d{10}$/), TEXT, 'text', meaning, { entity: 'cik', ...notes })
/** SEC accession number in its dashed form. */
export const accession = (meaning: string) =>
  column(z.string().regex(/^\d{10}-\d{2}-\d{6}$/), TEXT, 'text', meaning, { entity: 'accession' })
/** CRD number of an adviser, digits without leading zeros. */
export const crd = (meaning: string) =>
  column(z.string().regex(/^[1-9]\d{0,9}$/), TEXT, 'text', meaning, { entity: 'crd' })
/** CRD number of a firm that need not be an adviser, digits without leading zeros. */
export const firm = (meaning: string) =>
  column(z.string().regex(/^[1-9]\d{0,9}$/), TEXT, 'text', meaning, { entity: 'firm' })
/** CUSIP: nine characters, or any other text that was filed as a CUSIP. */
export const cusip = (meaning: string, notes?: Naming) => text(meaning, { entity: 'cusip', ...notes })
/** SEC file number: 021-, 028-, 801- … */
export const fileNumber = (meaning: string) => text(meaning, { entity: 'file_number' })
/** FilingID of IARD. */
export const advFiling = (meaning: string) => text(meaning, { entity: 'adv_filing', label: 'FilingID' })

export type Columns = Record<string, z.ZodType>

/**
 * A postal address as EDGAR's forms have it.
 *
 * @param item where the form asks for the address, such as Item 2
 * @param of the owner of the address, such as the primary issuer
 */
export function address({ item, of }: { item?: string; of?: string }) {
  const part = (before: string, after = '') => {
    const meaning = `${item === undefined ? '' : `${item}: `}${before}${of === undefined ? '' : ` of ${of}`}${after}`
    return text(capital(meaning)).nullable()
  }
  return {
    street1: part('street'),
    street2: part('second line of the street'),
    city: part('city'),
    state: part('state, province or country', ' as an EDGAR code'),
    zip: part('postal code'),
  }
}

/** Puts `prefix` before the name of each column. */
export function prefixed<P extends string, C extends Columns>(prefix: P, columns: C) {
  const named = Object.entries(columns).map(([name, type]) => [prefix + name, type])
  return Object.fromEntries(named) as { [K in keyof C & string as `${P}${K}`]: C[K] }
}

/** The declaration of a column, and whether it may be null. Undefined for a Zod type that was not declared here. */
export function columnType(type: z.ZodType): (ColumnType & { nullable: boolean }) | undefined {
  let nullable = false
  let inner = type
  for (;;) {
    const found = types.get(inner)
    if (found) return { ...found, nullable }
    if (!(inner instanceof z.ZodNullable)) return undefined
    nullable = true
    inner = inner.unwrap() as z.ZodType
  }
}

/** Returns the sentence with which a column was declared. */
export function meaningOf(type: z.ZodType): string | undefined {
  const own = z.globalRegistry.get(type)?.description
  return own ?? (type instanceof z.ZodNullable ? meaningOf(type.unwrap() as z.ZodType) : undefined)
}

/** Words in names of columns, as people write them. */
const WORDS: Readonly<Record<string, string>> = {
  html: 'HTML',
  ...Object.fromEntries(
    [
      ...[
        'ccp',
        'cik',
        'crd',
        'cusip',
        'edgar',
        'ein',
        'etf',
        'figi',
        'gaap',
        'id',
        'irs',
        'isin',
        'lei',
        'raum',
        'rssd',
        'sec',
        'sic',
        'sma',
        'url',
      ],
      ...['us', 'usd', 'zip'],
    ].map((word) => [word, word.toUpperCase()]),
  ),
  aum: 'assets under management',
  avg: 'average',
  bd: 'broker-dealer',
  cef: 'closed-end fund',
  comp: 'compensation:',
  corps: 'corporations',
  cos: 'companies',
  cusips: 'CUSIPs',
  eps: 'earnings per share',
  hnw: 'high net worth',
  ids: 'IDs',
  lat: 'latitude',
  lng: 'longitude',
  pct: 'per cent',
  indvl: 'person',
  mid: 'middle',
  mmf: 'money market fund',
  ncen: 'N-CEN',
  nm: 'name',
  nmfp: 'N-MFP',
  nport: 'N-PORT',
  org: 'firm',
  pk: 'number',
  seq: 'sequence number',
  suf: 'suffix of',
}

/** Column names that cannot be made readable word by word: names from the contract, and names of items of a form. */
const NAMES: Readonly<Record<string, string>> = {
  asset_cat: 'Asset category',
  d: 'Day',
  exclusion_3c1: 'Exclusion 3(c)(1)',
  exclusion_3c7: 'Exclusion 3(c)(7)',
  f13: 'Form 13F',
  is_40_act: 'Is under the Act of 1940',
  keyId: 'Key ID',
  n: 'Number',
  plan_10b5_1: 'Rule 10b5-1 plan',
  relies_on_regulation_d: 'Relies on Regulation D',
  sim_comp: 'Similarity of compensation',
  sim_fund: 'Similarity of funds',
  sim_serves: 'Similarity of clients',
  sim_size: 'Similarity of size',
  uid: 'Account',
}

/**
 * A column's name for people: the label with which the column was declared, else its name in `NAMES`. Any other name is
 * made readable word by word: `sec_file_number` becomes "SEC file number", and `street1` becomes "Street 1".
 */
export function labelOf(name: string, type?: z.ZodType): string {
  const given = (type && columnType(type)?.label) ?? NAMES[name]
  if (given !== undefined) return given
  const words = name
    .replace(/(?<=[a-z])(?=\d)/g, '_')
    .split('_')
    .map((word) => WORDS[word] ?? word)
  const label = words.join(' ').replace(/\b(non|co) (?=[a-z])/g, '$1-')
  return capital(label)
}
