/**
 * Clusters private securities by company. Securities, names and LEIs are the points of a graph, each piece of evidence
 * is an edge, and a cluster is a connected component. So the result does not depend on the order of filings. A mere
 * similarity of names is not an edge.
 */
import { isLei } from '../../../read/securityid.ts'
import type { Correction } from '../aliases.ts'
import { commonName, givenNames, type PointOf } from './called.ts'
import { type CompanyId, idsOf, shownId } from './company-id.ts'
import type { Named } from './name.ts'

/** Two keys of names that are one letter apart, and the evidence that both mean one company. */
export interface Misspelling {
  key: string
  other: string
  basis: string
  accession: string
}

export type Reason = 'name' | 'vehicle' | 'exposure' | 'aka' | 'title' | 'lei' | 'misspelling' | 'override'

export interface Alias {
  sec_id: string
  /** Key of one of the company's names. All securities of the company have the same key. */
  issuer: string
  /** The id that answers show for the company; null if no text names a company. */
  company_id: string | null
  company_name: string
  reason: Reason
  basis: string
  accession: string | null
  confidence: number
}

const CONFIDENCE: Readonly<Record<Reason, number>> = {
  override: 1, lei: 0.95, name: 0.9, exposure: 0.9, aka: 0.9, vehicle: 0.8, title: 0.7, misspelling: 0.6,
} // biome-ignore format: a table

/** Maximum number of names of one company that share one LEI: former, present and misspelt names, in two languages. */
const LEI_NAMES_MAX = 5

const ROLE_WORDS: Readonly<Record<Named['role'], string>> = {
  name: 'named', vehicle: 'the vehicle', exposure: 'holds', aka: 'also named', title: 'the title names', lei: 'LEI',
} // biome-ignore format: a table

interface Edge {
  from: string
  to: string
  reason: Reason
  basis: string
  accession: string | null
}

/**
 * Returns the clusters of these securities.
 *
 * @param named all names of these securities, and of all securities that share a key with one of them
 * @returns one alias for each security, in the order of sec_id, and all ids of each company
 */
export function clusters(
  named: readonly Named[],
  corrections: readonly Correction[] = [],
  misspellings: readonly Misspelling[] = [],
): { aliases: Alias[]; ids: CompanyId[] } {
  const pointOf = pointsOf(named)
  const around = neighbours(
    [
      ...edgesOfSecurities(named, pointOf),
      ...corrections.flatMap((each) => joinOf(each, pointOf)),
      ...misspellings.map(misspeltOf),
    ].filter(keptBy(corrections, named, pointOf)),
  )
  const kinds = kindsOf(named, corrections, pointOf)
  const given = givenNames(corrections, pointOf, kinds.reviewed)
  const done = new Map<string, Alias>()
  const ids: CompanyId[] = []
  const bySecurity = Map.groupBy(named, ({ sec_id }) => sec_id)
  for (const sec_id of [...bySecurity.keys()].sort()) {
    if (done.has(sec_id)) continue
    const points = reachable(`s ${sec_id}`, around)
    const point = issuerOf(points, kinds) ?? `s ${sec_id}`
    const issuer = point.slice(2)
    const ways = waysFrom(point, around)
    const members = [...points].filter((each) => each.startsWith('s ')).map((each) => each.slice(2))
    const statements = members.flatMap((member) => bySecurity.get(member)!)
    const company_name = given(points) ?? commonName(statements, (each) => kinds.vehicles.has(pointOf(each)))
    const own = idsOf(issuer, points, statements, corrections, pointOf)
    ids.push(...own)
    const company_id = shownId(own, company_name, (each) => pointOf(each) === point)
    for (const member of members) {
      const way = ways.get(`s ${member}`) ?? OWN
      done.set(member, { sec_id: member, issuer, company_id, company_name, ...way })
    }
  }
  return { aliases: [...done.values()].sort((a, b) => (a.sec_id < b.sec_id ? -1 : 1)), ids }
}

const OWN = { reason: 'name', basis: 'its own name', accession: null, confidence: 1 } as const

/**
 * Returns a function that finds the point of a name. All names with one key are one point, unless they state two or
 * more legal forms. Then each form is a separate point, and so are the names without a form, because it is unknown
 * which company they mean. Titles are not precise enough to decide how many forms there are.
 */
function pointsOf(named: readonly Named[]): PointOf {
  const forms = new Map<string, Set<string>>()
  for (const { key, form } of named.filter(({ role }) => role !== 'title' && role !== 'lei'))
    if (form !== '') forms.set(key, (forms.get(key) ?? new Set()).add(form))
  return ({ key, form }) => ((forms.get(key)?.size ?? 0) > 1 ? `n ${key} ${form}`.trimEnd() : `n ${key}`)
}

/**
 * Returns edges that come from statements about securities: names, vehicles, the holdings of vehicles, other names,
 * titles, LEIs.
 */
function edgesOfSecurities(named: readonly Named[], pointOf: PointOf): Edge[] {
  const own = new Map<string, string>()
  for (const each of named) {
    if (each.role === 'name' || each.role === 'vehicle') own.set(each.sec_id, pointOf(each))
  }
  // Maps the name of a vehicle to the vehicle's holdings. If the vehicle holds two companies, a security that has only
  // the vehicle's name belongs to neither company.
  const held = setsOf(named, 'exposure', ({ sec_id }) => own.get(sec_id) ?? '', pointOf)
  const heldBy = setsOf(named, 'exposure', ({ sec_id }) => sec_id, pointOf)
  const issuers = new Set(named.filter(({ role }) => role === 'name').map(pointOf))
  const isKnown = (each: Named) => issuers.has(pointOf(each)) && pointOf(each) !== own.get(each.sec_id)
  const known = named.filter((each) => each.role === 'title' && isKnown(each))
  const titled = setsOf(known, 'title', ({ sec_id }) => sec_id, pointOf)
  const bearers = setsOf(known, 'title', pointOf, ({ sec_id }) => own.get(sec_id) ?? '')
  const leis = setsOf(
    named,
    'lei',
    ({ sec_id }) => sec_id,
    ({ key }) => key,
  )
  const borne = setsOf(
    named,
    'lei',
    ({ key }) => key,
    ({ sec_id }) => own.get(sec_id) ?? '',
  )
  const edge = ({ sec_id, accession, name }: Named, to: string, reason: Reason, statement: string): Edge => ({
    from: `s ${sec_id}`,
    to,
    reason,
    basis: `${statement} ${name}`,
    accession,
  })
  const counts = (each: Named): boolean => {
    const holds = heldBy.get(each.sec_id)?.size ?? 0
    // An LEI is no evidence in two cases. A security with two LEIs may be two companies, since companies with the same
    // name share an id. An LEI with many names may be a fund's own, since some funds state their own LEI for all their
    // holdings.
    if (each.role === 'lei')
      return isLei(each.key) && leis.get(each.sec_id)!.size === 1 && borne.get(each.key)!.size <= LEI_NAMES_MAX
    if (each.role === 'exposure') return holds === 1
    if (each.role === 'aka') return true
    // If the vehicle holds two companies, a security that names the held company itself joins only that company. It is
    // not linked to the name of the vehicle.
    if (each.role !== 'title') return holds !== 1 || (held.get(pointOf(each))?.size ?? 0) <= 1
    const isClear = isKnown(each) && titled.get(each.sec_id)!.size === 1 && bearers.get(pointOf(each))!.size === 1
    return isClear && holds === 0
  }
  return named.filter(counts).map((each) => {
    const point = each.role === 'lei' ? `l ${each.key}` : pointOf(each)
    return edge(each, point, each.role, ROLE_WORDS[each.role])
  })
}

function setsOf(
  named: readonly Named[],
  role: Named['role'],
  by: (each: Named) => string,
  what: (each: Named) => string,
): Map<string, Set<string>> {
  const sets = new Map<string, Set<string>>()
  for (const each of named) {
    if (each.role === role) sets.set(by(each), (sets.get(by(each)) ?? new Set()).add(what(each)))
  }
  return sets
}

/**
 * Returns a function that tests whether an edge is kept after a reviewer's splits. A name that was split off, and the
 * securities whose own name it is, keep only the edges between these securities and this name.
 */
function keptBy(corrections: readonly Correction[], named: readonly Named[], pointOf: PointOf) {
  const splits = corrections.filter(({ action }) => action === 'split')
  const alone = new Set(splits.map(({ of }) => pointOf(of)))
  const own = named.filter((each) => (each.role === 'name' || each.role === 'vehicle') && alone.has(pointOf(each)))
  const outside = new Set([...alone, ...own.map(({ sec_id }) => `s ${sec_id}`)])
  return ({ from, to, reason }: Edge) =>
    !(outside.has(from) || outside.has(to)) || ((reason === 'name' || reason === 'vehicle') && alone.has(to))
}

const misspeltOf = ({ key, other, basis, accession }: Misspelling): Edge => ({
  from: `n ${key}`,
  to: `n ${other}`,
  reason: 'misspelling',
  basis,
  accession,
})

function joinOf({ action, of, to, reason, date }: Correction, pointOf: PointOf): Edge[] {
  if (action !== 'join') return []
  return [{ from: pointOf(of), to: pointOf(to!), reason: 'override', basis: `${reason} (${date})`, accession: null }]
}

type Around = ReadonlyMap<string, readonly Edge[]>

/** Returns the edges of each point. Each edge is listed at both of its ends. */
function neighbours(edges: readonly Edge[]): Around {
  const around = new Map<string, Edge[]>()
  const add = (edge: Edge) => {
    const known = around.get(edge.from)
    if (known) known.push(edge)
    else around.set(edge.from, [edge])
  }
  for (const edge of edges) {
    if (edge.from === edge.to) continue
    add(edge)
    add({ ...edge, from: edge.to, to: edge.from })
  }
  return around
}

function reachable(start: string, around: Around): Set<string> {
  const found = new Set([start])
  // The iteration includes points that are added during it.
  for (const point of found) for (const { to } of around.get(point) ?? []) found.add(to)
  return found
}

/** The points of three kinds, which are looked up for each cluster. */
interface Kinds {
  vehicles: ReadonlySet<string>
  companies: ReadonlySet<string>
  /** Points to which a reviewer joined other points, and which no reviewer joined to another point. */
  reviewed: ReadonlySet<string>
}

function kindsOf(named: readonly Named[], corrections: readonly Correction[], pointOf: PointOf): Kinds {
  const joined = corrections.filter(({ action, of, to }) => action === 'join' && pointOf(of) !== pointOf(to!))
  const left = new Set(joined.map(({ of }) => pointOf(of)))
  return {
    vehicles: new Set(named.filter(({ role }) => role === 'vehicle').map(pointOf)),
    companies: new Set(named.filter(({ role }) => role === 'name' || role === 'exposure').map(pointOf)),
    reviewed: new Set(joined.map(({ to }) => pointOf(to!)).filter((point) => !left.has(point))),
  }
}

/**
 * Returns the point that identifies the cluster. It is preferably a point to which a reviewer joined others, then a
 * company's own name, then the first point in alphabetical order.
 */
function issuerOf(points: ReadonlySet<string>, { vehicles, companies, reviewed }: Kinds): string | null {
  const names = [...points].filter((point) => point.startsWith('n ')).sort()
  return (
    names.find((point) => reviewed.has(point)) ??
    names.find((point) => companies.has(point) && !vehicles.has(point)) ??
    names[0] ??
    null
  )
}

type Way = Pick<Alias, 'reason' | 'basis' | 'accession' | 'confidence'>

/**
 * Finds why each point belongs to the starting point, along the surest edges. The reason that a security gets is why
 * its name belongs to the company, since the name alone is no evidence.
 */
function waysFrom(start: string, around: Around): Map<string, Way> {
  const ways = new Map<string, Way | null>([[start, null]])
  const open = [...(around.get(start) ?? [])]
  const order = (a: Edge, b: Edge) =>
    CONFIDENCE[b.reason] - CONFIDENCE[a.reason] ||
    compare(a.to, b.to) ||
    compare(a.from, b.from) ||
    compare(a.basis, b.basis)
  while (open.length > 0) {
    open.sort(order)
    const edge = open.shift()!
    if (ways.has(edge.to)) continue
    const before = ways.get(edge.from)!
    const { reason, basis, accession } = edge
    const confidence = Math.min(CONFIDENCE[reason], before?.confidence ?? 1)
    const isPlain = (reason === 'name' || reason === 'vehicle') && before !== null
    ways.set(edge.to, isPlain ? { ...before, confidence } : { reason, basis, accession, confidence })
    open.push(...(around.get(edge.to) ?? []).filter(({ to }) => !ways.has(to)))
  }
  return new Map([...ways].flatMap(([point, way]) => (way ? [[point, way] as const] : [])))
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
