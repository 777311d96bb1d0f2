/** Reports the work of a long command: to a person at a terminal, to a log, to a program, or only its failures. */
import { environment } from '../../config.ts'
import { inOneLine } from '../../declare/visible.ts'
import { complain, footer, printJson, printLine } from '../print.ts'
import { clock, type Progress, progressLine, type Stage, stage } from '../progress.ts'

/** The fields of a line, for programs; `event` names its kind. */
type LogFields = { event: string } & Record<string, unknown>

export interface Reporter {
  /** Begins a stage of the work, which ends the stage before it. Null means that no stage is running. */
  stage(what: string | null, total?: number | null, unit?: Progress['unit']): void
  /** The progress of the stage. */
  progress(done: number, total?: number | null): void
  /** Reports that the work waits, and until when. */
  waits(until: Date): void
  /** The running stage and its progress, in words; null between two stages. */
  position(): string | null
  /** Reports something that was done. */
  fact(fields: LogFields, line: string): void
  /** Reports something unusual that is not a failure. */
  note(line: string, fields?: LogFields): void
  /** Reports something that could not be done. */
  problem(fields: LogFields, line: string): void
  /** Prints the closing summary. */
  summary(fields: LogFields, text: string, isGood: boolean): void
  close(): void
}

interface Voice {
  json?: boolean | undefined
  quiet?: boolean | undefined
}

/** The destination of progress and lines. */
interface Sink {
  draw(progress: Progress | null, waitsUntil: Date | null): void
  line(kind: 'fact' | 'note' | 'problem' | 'summary', fields: LogFields, text: string, isGood: boolean): void
}

/** Interval at which progress is drawn for a person; programs and logs get fewer reports. */
const DRAW_MS = 100
const JSON_MS = 1000
/** Time after which a log gets its first line of progress: soon, to show that the command works. */
const LOG_FIRST_MS = 3_000
const LOG_MS = 10_000

/** The reporter that the options select; by default the one for a terminal. */
export function reporterOf({ json = false, quiet = false }: Voice): Reporter {
  const isTerminal = process.stderr.isTTY && environment.TERM !== 'dumb'
  const sink = quiet ? quietSink(json) : json ? jsonSink() : isTerminal ? terminalSink() : logSink()
  let current: Stage | null = null
  let waitsUntil: Date | null = null
  const draw = () => {
    if (waitsUntil && waitsUntil.getTime() <= Date.now()) waitsUntil = null
    sink.draw(current?.at(performance.now()) ?? null, waitsUntil)
  }
  // Draws the line even if there is no progress. The time left changes, and people want to see that the command is
  // still running.
  const timer = setInterval(draw, 1000).unref()
  const line = (...args: Parameters<Sink['line']>) => {
    sink.line(...args)
    draw()
  }
  return {
    stage(what, total = null, unit = null) {
      current = what === null ? null : stage(what, total, unit, performance.now())
      draw()
    },
    progress(done, total) {
      if (!current) return
      const now = performance.now()
      current.update(done, total === undefined ? current.at(now).total : total, now)
      draw()
    },
    waits(until) {
      waitsUntil = until
      draw()
    },
    position() {
      const at = current?.at(performance.now())
      return at ? progressLine({ ...at, perSecond: null, secondsLeft: null }, Number.POSITIVE_INFINITY) : null
    },
    fact: (fields, text) => line('fact', fields, text, true),
    note: (text, fields = { event: 'note', message: text }) => line('note', fields, text, true),
    problem: (fields, text) => line('problem', fields, text, false),
    summary(fields, text, isGood) {
      current = null
      waitsUntil = null
      line('summary', fields, text, isGood)
    },
    close() {
      current = null
      waitsUntil = null
      draw()
      clearInterval(timer)
    },
  }
}

function writeLine(kind: Parameters<Sink['line']>[0], text: string): void {
  if (kind === 'fact' || kind === 'summary') printLine(text)
  else complain(inOneLine(text))
}

/**
 * Writes progress as one line at the bottom of the terminal. The line is rewritten, and removed before any other
 * output.
 */
function terminalSink(): Sink {
  let shown = ''
  let drawnAt = 0
  const show = (text: string) => {
    if (text === shown) return
    footer(text)
    shown = text
  }
  return {
    draw(progress, waitsUntil) {
      const now = performance.now()
      if (progress && shown !== '' && now - drawnAt < DRAW_MS) return
      drawnAt = now
      // A terminal that does not know its width reports 0. The last column stays free, since some terminals wrap the
      // line when this column is filled.
      const width = (process.stderr.columns || 80) - 1
      show(progress ? sentence(progress, waitsUntil, width) : '')
    },
    line(kind, _fields, text) {
      show('')
      writeLine(kind, text)
    },
  }
}

function sentence(progress: Progress, waitsUntil: Date | null, width: number): string {
  if (!waitsUntil) return progressLine(progress, width)
  return progressLine(
    { ...progress, perSecond: null, secondsLeft: null, what: `waiting until ${clock(waitsUntil)}; ${progress.what}` },
    width,
  )
}

/** Writes whole lines, and progress from time to time. */
function logSink(): Sink {
  let nextAt = performance.now() + LOG_FIRST_MS
  return {
    draw(progress, waitsUntil) {
      if (!progress || performance.now() < nextAt) return
      nextAt = performance.now() + LOG_MS
      complain(sentence(progress, waitsUntil, Number.POSITIVE_INFINITY))
    },
    line: (kind, _fields, text) => writeLine(kind, text),
  }
}

function jsonSink(): Sink {
  let drawnAt = Number.NEGATIVE_INFINITY
  let before = ''
  const write = (fields: LogFields) => printJson({ time: new Date().toISOString(), ...fields })
  return {
    draw(progress, waitsUntil) {
      const now = performance.now()
      if (!progress || (progress.what === before && now - drawnAt < JSON_MS)) return
      drawnAt = now
      before = progress.what
      const { what, unit, done, total, perSecond, secondsLeft } = progress
      const rounded = (value: number | null) => (value === null ? null : Math.round(value * 100) / 100)
      write({
        event: 'progress',
        what,
        unit,
        done,
        total,
        per_second: rounded(perSecond),
        seconds_left: rounded(secondsLeft),
        waits_until: waitsUntil?.toISOString() ?? null,
      })
    },
    line: (_kind, fields) => write(fields),
  }
}

function quietSink(json: boolean): Sink {
  const loud = json ? jsonSink() : null
  return {
    draw() {},
    line(kind, fields, text, isGood) {
      if (isGood) return
      if (loud) loud.line(kind, fields, text, isGood)
      // Only a summary may have several lines.
      else complain(kind === 'summary' ? text : inOneLine(text))
    },
  }
}
