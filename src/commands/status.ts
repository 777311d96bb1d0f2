/** `status`: what is loaded, what waits, what failed and why. */
import { open } from '../app.ts'
import type { Config } from '../config.ts'
import type { Sql } from '../core/db.ts'
import { argumentsOf } from './arguments.ts'

export async function status(args: string[], config: Config): Promise<number> {
  const { values } = argumentsOf(args, { json: { type: 'boolean' } })
  const app = await open(config)
  try {
    const report = await reportOf(app.sql)
    process.stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : print(app.database, report))
    return 0
  } finally {
    await app.close()
  }
}

interface EditionLine {
  series: string
  name: string
  through: string
  state: string
  records: number
  refused: number
  problems: number
  error: string | null
}

async function reportOf(sql: Sql) {
  const [spine] = await sql<{ filings: number; forms: number; newest: string | null; origin: string | null }[]>`
    select coalesce(sum(filings), 0)::float8 as filings, count(*)::int as forms,
      (select max(filed_date) from edgar.filing) as newest,
      (select value from core.meta where name = 'origin') as origin
    from edgar.coverage`
  const tasks = await sql<{ dataset: string; state: string; tasks: number; unread: number }[]>`
    select dataset, state, count(*)::float8 as tasks, sum(unread)::float8 as unread
    from edgar.task group by dataset, state order by dataset, state`
  const failures = await sql<{ accession: string; dataset: string; error: string; attempts: number }[]>`
    select accession, dataset, error, attempts from edgar.task where state = 'failed'
    order by finished_at desc limit 50`
  const watermarks = await sql<{ source: string; through: string; moved_at: string }[]>`
    select source, through, moved_at from edgar.watermark order by through desc, source desc limit 10`
  const indexProblems = await sql<{ index_url: string; line: number; reason: string }[]>`
    select index_url, line, reason from edgar.index_problem order by index_url, line limit 50`
  const editions = await sql<EditionLine[]>`
    select series, name, to_day as through, state, records, refused, problem_count as problems, error from bulk.edition
    order by finished_at desc limit 20`
  return {
    spine: spine!,
    editions: [...editions],
    tasks: [...tasks],
    failures: [...failures],
    watermarks: [...watermarks],
    indexProblems: [...indexProblems],
  }
}

function print(
  database: string,
  { spine, tasks, failures, watermarks, indexProblems, editions }: Awaited<ReturnType<typeof reportOf>>,
): string {
  const lines = [
    `database ${database.replace(/:[^:@/]*@/, '@')}`,
    `${spine.filings} filings of ${spine.forms} forms, newest ${spine.newest ?? '-'}, from ${spine.origin ?? 'nowhere yet'}`,
    ...tasks.map((t) => `${t.dataset} ${t.state}: ${t.tasks}${t.unread > 0 ? `, ${t.unread} unread leaves` : ''}`),
    ...watermarks.map((w) => `read ${w.source} through ${w.through}`),
    ...indexProblems.map((p) => `${p.index_url} line ${p.line} ${p.reason}`),
    ...editions.map((e) =>
      e.error === null
        ? `${e.name}: ${e.records} records, ${e.refused} refused, ${e.problems} unreadable values`
        : `${e.name} failed: ${e.error}`,
    ),
    ...failures.map((f) => `${f.accession} ${f.dataset} failed (${f.attempts}): ${f.error}`),
  ]
  return `${lines.join('\n')}\n`
}
