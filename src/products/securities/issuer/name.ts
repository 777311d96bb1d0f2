/**
 * Finds the companies that the name and the title of a line mention. Funds put wrapper vehicles, share classes and
 * trade names into both name and title. An example is "MWAM VC SpaceX-II, LLC (economic exposure to Space Exploration
 * Technologies Corp., 55% Class A Common Stock …)".
 */
import { type Company, companyOf } from '../../../read/company-name.ts'
import { fold } from '../../../read/fold.ts'
import { classOf, splitClass } from './class.ts'

/**
 * How a line mentions a company. `name` is the issuer's own name, `vehicle` a vehicle, and `exposure` a company that a
 * vehicle holds. `aka` is another name of the issuer, and `title` a company in the title next to the name.
 */
export type Role = 'name' | 'vehicle' | 'exposure' | 'aka' | 'title'

/** A name or an LEI of a security. */
export interface Named {
  sec_id: string
  role: Role | 'lei'
  /** The key of a company's name, or an LEI itself. */
  key: string
  form: string
  name: string
  /** A filing that states the name or the LEI. */
  accession: string
}

export interface Mention extends Company {
  role: Role
}

// The words that connect two names ("invested in", "via", "also known as") have separate patterns, and code cuts off
// the text around them. The time of a joint pattern would grow with the square of a name's length.
const EXPOSURE =
  /\b(?:invest(?:ed|s|ing|ment) in|(?:economic |indirect )?exposure to|(?:holding|holds) (?:an? )?(?:economic |indirect )?(?:interests?|shares) (?:in|of)|(?:economic|indirect) interests? in)\s+(?=\S)/iu
/** Matches the end of "SpaceX (via Destiny SPV)". */
const VIA = /\(\s*(?:held )?(?:via|through)\s+([^()\s][^()]*)\)\s*$/iu
const AKA =
  /(?<![\p{L}\p{N}])(?:a\/?k\/?a|d\/?b\/?a|f\/?k\/?a|n\/?k\/?a|also known as|doing business as|formerly(?: known as)?|now known as)(?![\p{L}\p{N}])[\s.:]*/giu

/** Words for kinds of holdings, which name no company. */
const GENERIC = new Set(
  `private company companies placement investment investments equity security securities holding holdings direct coinvestment co
   tranche escrow contingent value the a an of in and fund partnership limited llc lp inc corp ltd restricted rule 144a reg s
   stock level`.split(/\s+/),
)

export interface Spoken {
  mentions: Mention[]
  /**
   * Class of the holding. Null if none is stated, and null for a vehicle, since the class of an interest in a vehicle
   * is not a class of the company's shares.
   */
  class: string | null
  isVehicle: boolean
}

/**
 * Reads from a line which companies it names, and in which roles.
 *
 * @param line name of the issuer and title of the issue as filed; null or N/A if missing
 */
export function spoken(line: { issuer_name: string | null; title: string | null; asset_cat?: string | null }): Spoken {
  const title = stated(line.title)
  const name = stated(line.issuer_name) ?? title
  if (name === null) return { mentions: [], class: null, isVehicle: false }
  const own = read(name)
  const other = title === null || title === name ? null : read(title)
  const isVehicle = own.held !== null || (other?.held ?? null) !== null
  const mentions: Mention[] = []
  const add = (role: Role, company: Company | null) => {
    if (company && !mentions.some(({ key, form }) => key === company.key && form === company.form)) {
      mentions.push({ role, ...company })
    }
  }
  add(isVehicle ? 'vehicle' : 'name', own.company)
  add('exposure', own.held)
  add('aka', own.aka)
  if (other) {
    add('exposure', other.held)
    add('aka', other.aka)
    const isOther = other.company && other.company.key !== own.company?.key && !isGeneric(other.company.name)
    if (isOther && !other.held) add('title', other.company)
  }
  const tail = [own.tail, other?.tail ?? ''].filter((text) => text !== '').at(-1) ?? ''
  return { mentions, class: isVehicle ? null : classOf(tail, line.asset_cat ?? null), isVehicle }
}

interface IssuerNames {
  company: Company | null
  held: Company | null
  aka: Company | null
  tail: string
}

function read(text: string): IssuerNames {
  const exposed = exposureIn(text)
  if (exposed) {
    // Different series of a vehicle have different holdings, so the name of the vehicle is not shortened.
    const { name } = splitClass(exposed.held)
    return { company: companyOf(exposed.vehicle), held: companyOf(name), aka: null, tail: '' }
  }
  const also = otherNameIn(text)
  const whole = splitClass(also ? `${also.name}${also.rest}` : text)
  const aka = also ? companyOf(splitClass(also.aka).name) : null
  // A text with only a class ("Preferred Stock") names no company. If it is the name of the line, it is kept, because
  // there is no other name.
  return {
    company: companyOf(whole.name),
    held: null,
    aka,
    tail: whole.tail || (also ? splitClass(also.aka).tail : ''),
  }
}

/** Returns the holding, and the vehicle that holds it. */
function exposureIn(text: string): { vehicle: string; held: string } | null {
  const exposure = EXPOSURE.exec(text)
  if (exposure) {
    const held = text.slice(exposure.index + exposure[0].length)
    return { vehicle: beforeWords(text.slice(0, exposure.index)), held: held.replace(/(?<![\s)])[\s)]+$/, '') }
  }
  const via = VIA.exec(text)
  const held = via && text.slice(0, via.index).trimEnd()
  return held ? { vehicle: via[1]!, held } : null
}

/** Returns a name, the other name after "also known as", and the text after the bracket with the other name. */
function otherNameIn(text: string): { name: string; aka: string; rest: string } | null {
  AKA.lastIndex = 0
  for (let found = AKA.exec(text); found !== null; found = AKA.exec(text)) {
    const bracket = /[()]/g
    bracket.lastIndex = AKA.lastIndex
    const end = bracket.exec(text)?.index ?? text.length
    const aka = text.slice(AKA.lastIndex, end).trimEnd()
    if (text[end] === '(') AKA.lastIndex = end
    else if (found.index > 0 && aka !== '') {
      const before = text.slice(0, found.index)
      return { name: beforeWords(before) || before.slice(0, 1), aka, rest: text.slice(end + 1) }
    }
  }
  return null
}

/** Returns the text before words that connect two names, without the punctuation and bracket before these words. */
function beforeWords(before: string): string {
  const closed = before.trimEnd()
  return (closed.endsWith('(') ? closed.slice(0, -1) : before).replace(/(?<![\s,;–—-])[\s,;–—-]+$/, '')
}

const stated = (text: string | null): string | null =>
  text === null || /^(?:n\/?a|none|null)?$/i.test(text.trim()) ? null : text.trim()

const isGeneric = (name: string) =>
  fold(name)
    .split(/[^\p{L}\p{N}]+/u)
    .every((word) => word === '' || GENERIC.has(word) || /^\d+$/.test(word))
