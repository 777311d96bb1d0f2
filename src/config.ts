/** The settings, and the only reader of process.env. All problems are reported together, and each names its setting. */
import { didYouMean, settingMeant } from './misspelt.ts'

interface Setting<T> {
  /**
   * The default as `--help` shows it; null if there is no default, and leaving the variable unset has its own meaning.
   */
  default: string | null
  help: string
  /** Reads the text. If the text is not valid, throws an Error that states which values are valid. */
  parse(text: string): T
  /** True if the value must never be shown. */
  isSecret?: true
}

const text = (value: string) => value
const whole =
  (min: number, max: number) =>
  (value: string): number => {
    if (!/^\d+$/.test(value) || Number(value) < min || Number(value) > max) {
      throw new Error(`must be a whole number from ${min} to ${max}`)
    }
    return Number(value)
  }
const onOff = (value: string): boolean => {
  if (!['on', 'off'].includes(value)) throw new Error('must be on or off')
  return value === 'on'
}
const oneOf =
  <const T extends string>(...words: T[]) =>
  (value: string): T => {
    const found = words.find((word) => word === value)
    if (!found) throw new Error(`must be one of ${words.join(', ')}`)
    return found
  }
const words = (value: string) => value.split(',').flatMap((part) => part.trim() || [])
/**
 * `*`, or names with letters, digits, `-`, `_` and dots. Scheme, port and path are refused, because a Host header is
 * compared without them.
 */
const hostNames = (value: string): string[] => {
  const names = words(value)
  const wrong = names.find((name) => name !== '*' && !/^\.?[\w-]+(\.[\w-]+)*$/.test(name))
  if (wrong === undefined) return names
  throw new Error(
    `has the host name ${JSON.stringify(wrong)}: write a name without scheme, port or path, as in filings.example.org`,
  )
}
const url =
  (...protocols: string[]) =>
  (value: string): string => {
    if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
      throw new Error(`must be an address that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`)
    }
    return value.replace(/(?<!\/)\/+$/, '')
  }
const host = url('https:', 'http:', 'file:')
/** The address of a sign-in provider, unchanged: with an added slash, it would be the address of a different issuer. */
const issuer = (value: string): string => {
  url('https:', 'http:')(value)
  const { protocol, hostname, search, hash } = new URL(value)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (protocol === 'http:' && !isLocal) throw new Error('must begin with https://; http:// is only for localhost')
  if (search || hash) throw new Error('must be the address of a provider, without ? and #')
  return value
}
/** Returns the scheme, host name and port. A path is refused, since pages cannot be served below a path. */
const origin = (value: string): string => {
  url('https:', 'http:')(value)
  const { origin: found, href } = new URL(value)
  if (href !== `${found}/`) throw new Error('must have no path, as in https://filings.example.org')
  return found
}
const scopes = (value: string): string => {
  const names = value.split(' ').filter(Boolean)
  if (!names.includes('openid')) throw new Error('must contain openid')
  return names.join(' ')
}
const database = (value: string): string => {
  const address = url('postgres:', 'postgresql:')(value)
  const [, user = ''] = /^\w+:\/\/([^/?#]*)@/.exec(address) ?? []
  try {
    decodeURIComponent(user)
  } catch {
    // The driver would throw an error that does not state where the % is.
    throw new Error(
      'has a % in its user or password that does not begin an escape such as %40: write a % itself as %25',
    )
  }
  return address
}
/** Only one replica: several would lag by different times, and a client would see alternating states. */
const replica = (value: string): string => {
  const [, hosts = ''] = /^\w+:\/\/(?:[^/?#]*@)?([^/?#]*)/.exec(value) ?? []
  if (hosts.includes(',')) throw new Error('must name one host: several replicas may hold different data')
  return database(value)
}

/**
 * `s3://bucket` or `s3://bucket/folder`. Keys are refused here: they have variables of their own, whose values are
 * never shown.
 */
const bucket = (value: string): { bucket: string; prefix: string } => {
  const [, name, folder = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w.\-/]*))?$/.exec(value) ?? []
  if (name === undefined) throw new Error('must be s3://BUCKET or s3://BUCKET/FOLDER, without credentials')
  const path = folder.replace(/^\/+|\/+$/g, '')
  // Some stores and proxies shorten such a path, so an object would have two names.
  if (path !== '' && path.split('/').some((part) => ['', '.', '..'].includes(part)))
    throw new Error('must not have an empty folder name, or a folder named . or ..')
  return { bucket: name, prefix: path && `${path}/` }
}
/** The address of a store. An address with keys is refused, since the address is shown. */
const store = (value: string): string => {
  const address = url('https:', 'http:')(value)
  const { username, password, search, hash } = new URL(address)
  if (username || password || search || hash) throw new Error('must be an address without user, password, ? and #')
  return address
}

const setting = <T>(standard: string, help: string, parse: (text: string) => T): Setting<T> & { default: string } => ({
  default: standard,
  help,
  parse,
})
const optional = <T>(help: string, parse: (text: string) => T): Setting<T> & { default: null } => ({
  default: null,
  help,
  parse,
})

export const SETTINGS = {
  PORT: setting('8080', 'port to serve on', whole(0, 65535)),
  HOST: setting('127.0.0.1', 'address to listen on; 0.0.0.0 for every interface', text),
  ALLOWED_HOSTS: setting(
    '',
    'host names by which pages and /metrics may be requested, comma-separated; .example.org allows all names below it, * any name',
    hostNames,
  ),
  DATA_DIR: optional('folder of the embedded database, the archive and the API key of a start (default ./data)', text),
  DATABASE_URL: optional('PostgreSQL 15 or later to use instead of the embedded one', database),
  DATABASE_READ_URL: optional('read replica of DATABASE_URL for requests, one host', replica),
  VALKEY_URL: optional(
    'Valkey or Redis in which several servers count the requests of a key together; without it they use DATABASE_URL',
    url('redis:', 'rediss:', 'valkey:', 'valkeys:'),
  ),
  EDGAR_USER_AGENT: optional(
    'contact that the SEC requires of clients: "Company name contact@domain"; the SEC refuses requests without it',
    text,
  ),
  EDGAR_BASE_URL: setting('https://www.sec.gov', 'where indexes and submissions come from', host),
  EDGAR_DATA_URL: setting(
    'https://data.sec.gov',
    'where files of single companies come from: profile, filings and figures',
    host,
  ),
  ADVISERINFO_BASE_URL: setting(
    'https://reports.adviserinfo.sec.gov',
    'where the files about advisers come from',
    host,
  ),
  ADVISERINFO_FILES_URL: setting(
    'https://files.adviserinfo.sec.gov',
    'where single brochures come from (ingest brochures --brochure)',
    host,
  ),
  EDGAR_REQUESTS_PER_SECOND: setting(
    '5',
    'requests a second to the SEC, which allows 10 per operator; all processes on one database share them',
    whole(1, 10),
  ),
  EDGAR_PAUSE_SECONDS: setting(
    '600',
    'seconds without requests to the SEC after it sent its rate limit page',
    whole(1, 86_400),
  ),
  EDGAR_PACE_LOOPBACK: setting('off', 'limit requests to loopback hosts like requests to the SEC; for tests', onOff),
  INGEST_WORKERS: setting('2', 'filings read in parallel in one ingest process', whole(1, 64)),
  FOLLOW_SECONDS: setting('60', 'seconds between two requests of ingest --follow for new filings', whole(1, 86400)),
  SELF_SERVE_CLOSED: setting('', 'path patterns closed to self-serve keys, comma-separated, as in /adv/rep/*', words),
  WEBHOOK_PRIVATE: setting('off', 'let webhooks send to private network addresses, and over plain http', onOff),
  HOME_PAGE: setting(
    'on',
    'show loaded data at / and in examples of /docs, where no key is needed; off shows only links',
    onOff,
  ),
  PAGES: setting(
    'keys',
    'who may read pages with data: keys (people with a key) or public (everyone, limited per address)',
    oneOf('keys', 'public'),
  ),
  PUBLIC_URL: optional('address at which people reach this service, for sign-in: https://filings.example.org', origin),
  OIDC_ISSUER: optional('OpenID Connect provider at which people sign in to get a key of their own', issuer),
  OIDC_CLIENT_ID: optional('id under which the provider knows this service', text),
  OIDC_CLIENT_SECRET: { ...optional('secret that the provider gave to this service', text), isSecret: true as const },
  OIDC_CLIENT_SECRET_FILE: optional('file with that secret, instead of OIDC_CLIENT_SECRET', text),
  OIDC_SCOPES: setting('openid profile email', 'scopes that sign-in requests, separated by spaces', scopes),
  OIDC_OPERATOR_CLAIM: optional(
    'claim with the roles or groups of a person; a dot leads to a member of an object',
    text,
  ),
  OIDC_OPERATOR_VALUE: optional(
    'value that opens the page /operator, if that claim or an entry of its list has this value',
    text,
  ),
  SAMPLE: setting('on', 'load the bundled sample into an empty database', onOff),
  COMPANY_ALIASES: optional(
    'file of your own corrections: which private securities belong to the same company, and the name of that company',
    text,
  ),
  ARCHIVE_GB: setting(
    '10',
    'gigabytes of disk for submissions that were fetched again (the archive keeps only the parts that are read); with ARCHIVE_URL, the cache of the bucket may take the same space in addition',
    whole(1, 1_000_000),
  ),
  ARCHIVE_URL: optional(
    'bucket that has the archive instead of the data folder, s3://BUCKET/FOLDER; credentials are found in the same places as by other AWS programs',
    bucket,
  ),
  ARCHIVE_ENDPOINT: optional('address of the S3-compatible store with that bucket, if it is not AWS', store),
  AWS_REGION: optional('region of that bucket (default with ARCHIVE_ENDPOINT: us-east-1)', text),
  CACHE_MB: setting('64', 'memory for finished answers, in MB', whole(0, 65536)),
  REQUEST_CONNECTIONS: setting('16', 'maximum number of database connections for requests', whole(1, 200)),
  STATEMENT_TIMEOUT_SECONDS: setting(
    '15',
    'time limit of a request’s queries, after which the answer is 503; a list gets two thirds of this time, and an answer about one thing gets a third',
    whole(1, 3600),
  ),
  TRUST_PROXY: setting('off', 'trust X-Forwarded-For; only with a proxy of your own in front', onOff),
  LOG_LEVEL: setting('info', 'minimum level of log lines', oneOf('debug', 'info', 'warn', 'error', 'silent')),
} as const

export type Config = {
  readonly [K in keyof typeof SETTINGS]:
    | ReturnType<(typeof SETTINGS)[K]['parse']>
    | ((typeof SETTINGS)[K]['default'] extends null ? null : never)
}

/**
 * Prefixes of variables that are settings of this program, or may be intended as settings. An unknown variable that is
 * similar to a setting is a misspelt setting, and stops the start. So does every unknown variable that begins with
 * OPENFILINGS_. Any other variable with one of these prefixes may belong to another program that reads EDGAR
 * (edgartools has EDGAR_IDENTITY), and is only reported.
 */
const OWN_PREFIXES = ['EDGAR_', 'OIDC_', 'ADVISERINFO_', 'INGEST_', 'SELF_SERVE_', 'OPENFILINGS_']
/**
 * Variables that Kubernetes sets in every container for a service called openfilings, such as
 * `OPENFILINGS_SERVICE_HOST`.
 */
const OF_KUBERNETES = /_SERVICE_(HOST|PORT)(_[A-Z0-9_]+)?$|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/
/**
 * The variables that the guides and the READMEs of the clients export: the key and the address of a service. They are
 * not settings, but the shell of a client may also run our commands.
 */
const OF_CLIENTS: readonly string[] = ['OPENFILINGS_KEY', 'OPENFILINGS_URL']

export type Environment = Readonly<Record<string, string | undefined>>

export interface Settings {
  /** A setting with a problem is null. */
  config: Config
  /**
   * Faults that stop every command except `doctor`. They are settings that cannot be read, and unknown variables that
   * were intended as settings.
   */
  problems: string[]
  /** Variables that may be misspelt settings, or may belong to another program: they are only reported. */
  doubts: string[]
}

/** Reads the settings. An empty variable counts as unset. */
export function readSettings(environment: Environment): Settings {
  const { problems, doubts } = misspeltIn(environment)
  const entries = Object.entries<Setting<unknown>>(SETTINGS).map(([name, { default: standard, parse }]) => {
    const value = environment[name] || standard
    try {
      return [name, value === null ? null : parse(value)]
    } catch (error) {
      problems.push(`${name} ${(error as Error).message}`)
      return [name, null]
    }
  })
  if (environment.DATABASE_READ_URL && !environment.DATABASE_URL) {
    problems.push('DATABASE_READ_URL needs DATABASE_URL, which is not set')
  }
  if (environment.ARCHIVE_ENDPOINT && !environment.ARCHIVE_URL) {
    problems.push('ARCHIVE_ENDPOINT needs ARCHIVE_URL, which is not set')
  }
  problems.push(...signInProblems(environment))
  return { config: Object.fromEntries(entries) as Config, problems, doubts }
}

/**
 * Returns the contradictions between the settings of sign-in: a setting is absent that another setting needs, or two
 * settings that exclude each other are both set.
 */
function signInProblems(environment: Environment): string[] {
  const isSet = (name: keyof typeof SETTINGS) => Boolean(environment[name])
  const problems: string[] = []
  if (isSet('OIDC_ISSUER')) {
    for (const name of ['OIDC_CLIENT_ID', 'PUBLIC_URL'] as const) {
      if (!isSet(name)) problems.push(`OIDC_ISSUER needs ${name}, which is not set`)
    }
    if (!isSet('OIDC_CLIENT_SECRET') && !isSet('OIDC_CLIENT_SECRET_FILE')) {
      problems.push('OIDC_ISSUER needs OIDC_CLIENT_SECRET or OIDC_CLIENT_SECRET_FILE; neither is set')
    }
  }
  if (isSet('OIDC_CLIENT_SECRET') && isSet('OIDC_CLIENT_SECRET_FILE')) {
    problems.push('OIDC_CLIENT_SECRET and OIDC_CLIENT_SECRET_FILE are both set; set only one of them')
  }
  if (isSet('OIDC_OPERATOR_CLAIM') !== isSet('OIDC_OPERATOR_VALUE')) {
    problems.push('only one of OIDC_OPERATOR_CLAIM and OIDC_OPERATOR_VALUE is set; set both or neither')
  }
  return problems
}

function misspeltIn(environment: Environment): { problems: string[]; doubts: string[] } {
  const settings = Object.keys(SETTINGS)
  const problems: string[] = []
  const doubts: string[] = []
  for (const [name, value] of Object.entries(environment)) {
    if (!value || OF_CLIENTS.includes(name) || Object.hasOwn(SETTINGS, name)) continue
    if (OWN_PREFIXES.some((prefix) => name.startsWith(prefix))) {
      if (OF_KUBERNETES.test(name) || /^(tcp|udp|sctp):\/\//.test(value)) continue
      // Some programs put their name before each setting, so people also write OPENFILINGS_ before a setting.
      const meant = didYouMean(name.replace(/^OPENFILINGS_/, ''), settings)
      const isOurs = meant !== '' || name.startsWith('OPENFILINGS_')
      const list = isOurs ? problems : doubts
      list.push(`unknown setting ${name}${meant || '; --help lists the settings'}`)
      continue
    }
    const meant = settingMeant(name, settings)
    // The variable may belong to another program and must not stop this program, so it is only reported as a question.
    if (meant) doubts.push(`unknown setting ${name}; did you mean ${meant}?`)
  }
  return { problems, doubts }
}

/** Joins the problems with semicolons, except after a question mark. */
export const oneLine = (problems: readonly string[]) => problems.join('; ').replaceAll('?;', '?')

export const environment: Environment = process.env

/** The settings table as `--help` prints it. */
export function settingsHelp(): string {
  const width = Math.max(...Object.keys(SETTINGS).map((name) => name.length))
  return Object.entries<Setting<unknown>>(SETTINGS)
    .map(([name, { default: standard, help }]) => {
      const note = standard === null ? '' : ` (default ${standard === '' ? 'none' : standard})`
      return `  ${name.padEnd(width)}  ${help}${note}`
    })
    .join('\n')
}

/** The settings table of docs/operating/settings.md. */
export function settingsTable(): string {
  const rows = Object.entries<Setting<unknown>>(SETTINGS).map(
    ([name, { default: standard, help }]) => `| \`${name}\` | ${standard ? `\`${standard}\`` : ''} | ${help} |`,
  )
  return ['| Setting | Default | Meaning |', '| --- | --- | --- |', ...rows].join('\n')
}
