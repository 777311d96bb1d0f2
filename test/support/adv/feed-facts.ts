/**
 * Reads a record of the daily feed as plain facts, without the project's parsers, so that two files can be compared.
 */

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const plain = (text: string) => text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name]!)

/**
 * Returns the values of the attributes that are not blank, each by element and attribute: `Item5F@Q5F2C`. Notice
 * filings are sorted in `NoticeFiled` as `AL1992-10-28 …`; web addresses are in `WebAddrs` in their order, one per
 * line.
 */
export function factsOf(xml: string): Map<string, string> {
  const facts = new Map<string, string>()
  const notices: string[] = []
  for (const [, tag, attributes] of xml.matchAll(/<(\w+)((?:\s+\w+="[^"]*")*)\s*\/?>/g)) {
    const given = new Map(
      [...attributes!.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name!, plain(value!)]),
    )
    if (tag === 'States') notices.push(`${given.get('RgltrCd')}${given.get('Dt')} ${given.get('St')}`)
    else for (const [name, value] of given) if (value.trim() !== '') facts.set(`${tag}@${name}`, value)
  }
  if (notices.length > 0) facts.set('NoticeFiled', notices.sort().join('\n'))
  const webs = [...xml.matchAll(/<WebAddr>([^<]*)<\/WebAddr>/g)].map(([, address]) => plain(address!))
  if (webs.length > 0) facts.set('WebAddrs', webs.join('\n'))
  return facts
}
