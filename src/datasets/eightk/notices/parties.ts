/** Reads the other parties of an agreement. */
import { OPENERS } from '../../../read/prose/openers.ts'
import { type Organization, organizationsIn } from '../../../read/prose/organizations.ts'
import { isSubsidiary, type Section, subsidiaryOf } from './prepared.ts'

const WITH = /\b(?:with(?! respect| a | an | the terms| effect)|among|between|in favor of|from(?= [A-Z]))\b/
/** Words after which the purpose of an agreement follows, and no further party. */
const STOP =
  /\b(?:pursuant|under which|relating|related to|with respect to|in connection|provid\w+|whereby|which|to (?:offer|sell|purchase|acquire|issue|provide|amend|extend|be|increase|borrow|effect|establish|settle|govern|lease|merge|license)|for (?:the (?!benefit|account)|an?\s|\$|its|up)|regarding|concerning|setting|governing|in respect|in exchange|on substantially|replac\w+|refinanc\w+|terminat\w+|supersed\w+|amend(?:s|ed|ing)|that|upon|if|effective|dated|who|whose)\b/
/** Words before a firm that the text names only to describe a party: "a subsidiary of", "as successor to". */
const DESCRIBES =
  /\b(?:(?:subsidiar(?:y|ies)|affiliates?|parent(?: company)?|division|unit|members?|part|partner|owner|stockholder|shareholder|holder|officer|director|employee|chairman|president|customer|client)\sof|successors?(?:[- ]in[- ]interest)?(?:,?\sby\s(?:merger|conversion|assignment)(?:\sand\s[a-z]{1,12})?,?)?\s(?:to|of)|assignee\sof|formerly(?:\sknown\sas)?|f\/k\/a|d\/b\/a|general\spartner,?|(?:employed|controlled|managed|advised|owned|sponsored|represented)\s(?:by|at|with))\s(?:the\s)?$|,\s(?:an?|the|its|one of the)\s(?:[a-z-]{1,20}\s){1,6}of\s(?:the\s)?$/i
/**
 * Words after a firm that is not a party, because it only acts as escrow agent or as representative of holders or
 * members.
 */
const HAS_DUTY =
  /^,?\s(?:solely\s)?(?:in\s(?:its|his|her|their)\scapacity\s)?as\s(?:the\s)?(?:initial\s)?(?:escrow agent|(?:(?:share|stock|security|equity|unit)-?holders?|members?|sellers?)[’']?s?[’']?\s(?:representative|agent)\b)|^,?\s(?:serving|acting)\sas\s(?:the\s)?(?:escrow agent|representative of)\b/i
const ZONE_MAX = 1_500

/** Returns the parties that are named after the title of an agreement, between two positions of a sentence. */
export function partiesAfter({ shortNames }: Section, said: string, from: number, to: number): string[] {
  const rest = said.slice(from, Math.min(to, from + ZONE_MAX))
  const start = WITH.exec(rest.slice(0, 240))
  if (!start) return []
  const zone = rest.slice(start.index)
  const first = STOP.exec(zone.slice(4))
  return partiesOf(zone.slice(0, first ? first.index + 4 : ZONE_MAX), shortNames)
}

const OPENER = new RegExp(`^(?:${OPENERS.join('|')}),?\\s`)

/** Returns the parties before a verb with several subjects: "Alpha, Inc., Beta LLC and the Company entered into". */
export function partiesBefore({ ownWord }: Section, said: string, verb: number): string[] {
  const subject = said.slice(Math.max(0, verb - 900), verb)
  const isOfSeveral =
    /\band\s(?:the Company|[^;]{2,80})\s(?:has |have |each |also )?$/.test(subject) && /\bthe Company\b/.test(subject)
  if (!isOfSeveral || /\bsubsidiaries\b/.test(subject)) return []
  const names = partiesOf(subject.replace(/^.*?(?:\d{4}|^),?\s/, '').replace(OPENER, ''), new Map())
  return names.filter((name) => ownWord === null || !name.toLowerCase().startsWith(ownWord))
}

/** Matches the words before the party that receives or sends a notice. */
const NOTICE =
  /\b(?:notice|notification|letter)s?(?:\sof\s(?:its\s|the\s)?(?:termination|intent|election)(?:\sto\sterminate)?)?\s(?:to|from)\s|\bnotified\s/

/**
 * Returns the parties that received notice from the filer, or gave notice to the filer, in the text up to a position.
 */
export function partiesOfNotice({ shortNames }: Section, said: string, to: number): string[] {
  const found = NOTICE.exec(said.slice(0, to))
  if (!found) return []
  const zone = said.slice(found.index + found[0].length, Math.min(to, found.index + ZONE_MAX))
  return partiesOf(zone.slice(0, STOP.exec(zone)?.index ?? ZONE_MAX), shortNames)
}

function partiesOf(zone: string, shortNames: ReadonlyMap<string, string>): string[] {
  const all = organizationsIn(zone, { isList: true })
  const named = all.filter(({ start }) => !DESCRIBES.test(zone.slice(Math.max(0, start - 80), start)))
  const nameOf = (name: string) => shortNames.get(name) ?? name
  const isParty = ({ name, end }: Organization) => {
    const rest = zone.slice(end)
    if (/^(?:the )?Company$/i.test(name) || HAS_DUTY.test(rest)) return false
    if (!isSubsidiary(rest)) return true
    // The subsidiary of another firm is a party itself, unless its parent signs too.
    const parent = subsidiaryOf(rest)
    const [owner] = parent === null ? [] : organizationsIn(parent)
    return owner?.start === 0 && !named.some((one) => nameOf(one.name) === nameOf(owner.name))
  }
  // Firms that are not parties stay in the list, so that their short names are not read again.
  const found = all.map((one) => ({
    ...{ start: one.start, end: one.end },
    name: named.includes(one) && isParty(one) ? nameOf(one.name) : null,
  }))
  for (const [short, name] of shortNames) {
    const at = zone.indexOf(short)
    const isWord =
      at >= 0 && /(?:^|[\s,(])$/.test(zone.slice(0, at)) && /^(?:$|[\s,.;)])/.test(zone.slice(at + short.length))
    const isDescribed =
      DESCRIBES.test(zone.slice(Math.max(0, at - 80), at)) || HAS_DUTY.test(zone.slice(at + short.length))
    if (isWord && !isDescribed && !found.some(({ start, end }) => at < end && at + short.length > start))
      found.push({ start: at, end: at + short.length, name })
  }
  return found.sort((a, b) => a.start - b.start).flatMap(({ name }) => (name === null ? [] : [name]))
}
