/** Reads the fund series of a header: `<SERIES-AND-CLASSES-CONTRACTS-DATA>` in full or `.nc` notation. */

export interface HeaderSeries {
  /**
   * `new`: this filing announces the series. `existing`: it existed before. `new classes`: the series exists, and this
   * filing announces classes of it. `acquiring` and `target`: the role of the series in a merger.
   */
  status: 'new' | 'existing' | 'new classes' | 'acquiring' | 'target'
  /** Ten digits. */
  ownerCik: string | null
  /** `S000085230` */
  seriesId: string | null
  name: string | null
  classes: { id: string | null; name: string | null; ticker: string | null }[]
}

/** Keys that open a group, with the status of the series in it. */
const GROUPS: Readonly<Record<string, HeaderSeries['status']>> = {
  'EXISTING SERIES AND CLASSES CONTRACTS': 'existing',
  'NEW SERIES AND CLASSES CONTRACTS': 'new',
  'NEW CLASSES CONTRACTS': 'new classes',
  'ACQUIRING DATA': 'acquiring',
  'TARGET DATA': 'target',
}
const FRAMES = new Set(['SERIES AND CLASSES CONTRACTS DATA', 'MERGER SERIES AND CLASSES CONTRACTS', 'MERGER'])
const SERIES = new Set(['SERIES', 'NEW SERIES'])

export class SeriesReader {
  readonly found: HeaderSeries[] = []
  private readonly cikOf: (value: string, key: string) => string | null
  private status: HeaderSeries['status'] = 'existing'
  /** The owner of the new series of a group, which is stated once for the whole group. */
  private owner: string | null = null
  private current: HeaderSeries | null = null

  /** @param cikOf returns the ten digits of a CIK, and reports an unreadable CIK */
  constructor(cikOf: (value: string, key: string) => string | null) {
    this.cikOf = cikOf
  }

  /** Takes an opening line; returns false if it is not about series. */
  open(key: string, value: string): boolean {
    if (FRAMES.has(key)) return true
    if (Object.hasOwn(GROUPS, key)) this.group(key)
    else if (SERIES.has(key)) this.begin()
    else if (key === 'OWNER CIK' || (key === 'CIK' && this.merging())) this.own(this.cikOf(value, key))
    else if (key === 'SERIES ID') (this.current?.seriesId === null ? this.current : this.begin()).seriesId = value
    else if (key === 'SERIES NAME') (this.current ?? this.begin()).name = value
    else if (key === 'CLASS CONTRACT')
      (this.current ?? this.begin()).classes.push({ id: null, name: null, ticker: null })
    else return this.ofClass(key, value)
    return true
  }

  /** Takes a closing line. If a closing line is missing, the next opening line has the same effect. */
  close(key: string): void {
    if (SERIES.has(key)) this.current = null
    if (!Object.hasOwn(GROUPS, key)) return
    this.current = null
    // A group of new series may contain new classes, and the group continues after the new classes.
    this.status = key === 'NEW CLASSES CONTRACTS' ? 'new' : 'existing'
    if (key !== 'NEW CLASSES CONTRACTS') this.owner = null
  }

  private group(key: string): void {
    this.status = GROUPS[key]!
    this.current = null
    if (key !== 'NEW CLASSES CONTRACTS') this.owner = null
  }

  private begin(): HeaderSeries {
    this.current = { status: this.status, ownerCik: this.owner, seriesId: null, name: null, classes: [] }
    this.found.push(this.current)
    return this.current
  }

  private own(cik: string | null): void {
    if (this.current) this.current.ownerCik = cik
    else this.owner = cik
  }

  private merging(): boolean {
    return this.status === 'acquiring' || this.status === 'target'
  }

  private ofClass(key: string, value: string): boolean {
    const last = this.current?.classes.at(-1)
    if (!last) return false
    if (key === 'CLASS CONTRACT ID') last.id = value
    else if (key === 'CLASS CONTRACT NAME') last.name = value
    else if (key === 'CLASS CONTRACT TICKER SYMBOL') last.ticker = value || null
    else return false
    return true
  }
}
