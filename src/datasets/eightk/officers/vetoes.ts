/** Names the reasons for which the reader drops a candidate, and reports each dropped candidate to a trace. */
import type { Evidence } from '../../../read/prose/person-evidence.ts'
import type { Lexicon, WordMatch } from './lexicon.ts'
import type { Officer, OfficerStatement } from './statement.ts'

/** Each veto, with its meaning and an invented example that reads differently without the veto. */
export const VETOES = {
  // Vetoes of a whole sentence.
  nothing: {
    means: 'The sentence denies an arrangement or a relation, or it defines a term.',
    example: 'Jane Sample was appointed as Treasurer under no arrangement or understanding.',
  },
  career: {
    means: 'The sentence is about a career: its years belong to offices held earlier or elsewhere.',
    example: 'Prior to joining the Company, Jane Sample was appointed Treasurer of the Company.',
  },
  // Vetoes of a verb or a noun.
  denied: {
    means: 'The words before the verb deny the act, or call it only possible.',
    example: 'Jane Sample will not be appointed as Treasurer.',
  },
  anybody: {
    means: 'The act is of any person of a kind, and of no named person.',
    example: 'The Board told Jane Sample that any director who was appointed as Treasurer may vote.',
  },
  wanted: {
    means: 'The act was only requested, or happened at a firm or a time that the sentence describes.',
    example: 'The Board asked Jane Sample to resign as Treasurer.',
  },
  possible: {
    means: 'The act depends on a condition.',
    example: 'If the merger closes, Jane Sample resigns as Treasurer on June 3, 2020.',
  },
  proposed: {
    means: 'The appointment is only proposed.',
    example: 'The Committee recommended that Jane Sample be appointed as Treasurer.',
  },
  withdrawn: {
    means: 'The appointment or departure that a noun names was rejected or withdrawn.',
    example: 'The Board rejected the resignation of Jane Sample as Treasurer.',
  },
  taken_back: {
    means: 'A later sentence takes the departure back, or puts it off without a day.',
    example:
      'On June 3, 2020, Jane Sample resigned as Treasurer. On June 5, 2020, Jane Sample withdrew her resignation.',
  },
  time_limit: {
    means: 'The verb only sets the time limit of another statement.',
    example: 'The retainer is paid until Jane Sample resigns as Treasurer.',
  },
  provided: {
    means: 'An agreement provides for the case that the act happens.',
    example: 'Upon the retirement of Jane Sample as Treasurer, the awards will vest.',
  },
  either: {
    means: 'The noun is one of several alternatives.',
    example: 'The plan covers the death, retirement or resignation of Jane Sample as Treasurer.',
  },
  mentioned: {
    means: 'The departure is only mentioned, as a cause, a time or a topic.',
    example: 'The changes are due to the resignation of Jane Sample as Treasurer.',
  },
  history: {
    means: 'The words after the verb give only a year or a month, or "who succeeded" is about an earlier time.',
    example: 'On June 3, 2020, the Board thanked Jane Sample, who was appointed as Treasurer last year.',
  },
  previously: {
    means: 'An earlier filing has reported the act.',
    example: 'Jane Sample, who previously decided to retire as Treasurer, spoke on June 3, 2020.',
  },
  newcomer: {
    means: 'A sentence above appointed the person, so an office that the person left is an earlier one.',
    example: 'On June 3, 2020, Jane Sample was appointed as Treasurer. Jane Sample retired as President of Delta.',
  },
  same_act: {
    means: 'The verb repeats the act of the verb before it.',
    example: 'Jane Sample will retire and resign as Treasurer.',
  },
  choice: {
    means: 'The verb means a choice.',
    example: 'Jane Sample was elected to receive shares as a director.',
  },
  listed: {
    means: 'The verb puts the person on a list.',
    example: 'Jane Sample was named to the list of the best, as Treasurer.',
  },
  again: {
    means: 'The person is appointed to the same office again.',
    example: 'On June 3, 2020, the Board re-elected Jane Sample as a director.',
  },
  holders: {
    means: 'Holders elect directors every year.',
    example: 'At the annual meeting, the stockholders elected Jane Sample as a director.',
  },
  continues: {
    means: 'The person continues in an office.',
    example: 'Jane Sample, Treasurer, will serve as Treasurer.',
  },
  committee: {
    means: 'The person leaves a committee, and may stay on the board.',
    example: 'Jane Sample resigned from the Audit Committee on June 3, 2020.',
  },
  other_role: {
    means: 'The role that the person leaves is not an office.',
    example: 'Jane Sample was terminated as a participant.',
  },
  other_firm: {
    means: 'Another firm acts, or the office is at another firm.',
    example: 'Harbor Bank appointed Jane Sample as Treasurer.',
  },
  no_office: {
    means: 'The sentence names no office that the person enters.',
    example: 'The Board appointed Jane Sample on June 3, 2020.',
  },
  // Vetoes of the nearest name before a verb.
  other_subject: {
    means: 'Between the name and the verb, the act of somebody else begins.',
    example: 'Jane Sample serves until a new Treasurer resigned as Treasurer.',
  },
  of_another: {
    means: 'The act is of a person or firm that the sentence describes by a name.',
    example: 'Jane Sample’s successor resigned as Treasurer.',
  },
  not_subject: {
    means: 'The words before the name show that it is not the subject.',
    example: 'A friend of Jane Sample resigned as Treasurer.',
  },
  ambiguous: {
    means: 'A pronoun may mean either of two persons.',
    example: 'On June 3, 2020, John Sample notified Jane Doe that she will resign as Treasurer.',
  },
  // Vetoes of pay.
  no_pay: {
    means: 'The sentence is about documents, plans or relations, or says that nothing is paid.',
    example:
      'The Company amended the salary of Jane Sample, who will not receive additional compensation for the role.',
  },
  not_paid: {
    means: 'The person is only mentioned next to the person who is paid.',
    example: 'The Company approved a salary of $400,000 for the new Treasurer, who will report to Jane Sample.',
  },
  second_in_row: {
    means: 'A row of a table states the pay of its first person.',
    example: '| Jane Sample | $400,000 | John Doe |',
  },
  // Vetoes of a person or an event.
  filer: {
    means: 'The name is the name of the filer.',
    example: 'On June 3, 2020, Jane Sample retired all of its notes.',
    of: 'JANE SAMPLE TECHNOLOGIES INC',
  },
  old: {
    means: 'The day is more than a year before the filing.',
    example: 'On June 3, 2020, Jane Sample was appointed as Treasurer.',
    filed: '2024-06-03',
  },
  repeated: {
    means: 'Another sentence reports the same event; facts that only the later sentence states are added to the event.',
    example: 'Jane Sample resigned as Treasurer. Jane Sample resigned as Treasurer on June 3, 2020.',
  },
} satisfies Record<string, VetoText>

interface VetoText {
  means: string
  example: string
  /** Filer of the example. */
  of?: string
  /** Filing date of the example. */
  filed?: string
}

export type Veto = keyof typeof VETOES

/**
 * Receives what a reading finds, and what a veto drops. It can explain the reading, or switch a veto off by the result
 * of `drop`. A reading without a trace does no extra work.
 */
export interface Trace {
  /** Reports a run of capitalized words, and the evidence that it is a person; null if there is none. */
  person(name: string, evidence: Evidence | null): void
  /** Reports the sentence that is read next. */
  sentence(read: TracedSentence): void
  /** Reports the statements of the sentence, before their days are read. */
  statements(all: readonly OfficerStatement[]): void
  /** Reports an event of a statement. Each person and each office of a statement is one event. */
  event(one: OfficerStatement, event: Officer): void
  /** The lexicon to use in place of the program's. */
  readonly lexicon?: Lexicon | undefined
  /** Reports words of the lexicon that stand in a frame. */
  found(one: WordMatch): void
  /**
   * Reports that a veto drops a candidate.
   *
   * @param what position in the masked sentence, the event, or the name of the person
   * @returns false if the veto is switched off, and the candidate stays
   */
  drop(veto: Veto, what: number | Officer | string): boolean
}

/** A masked sentence, and the trace of its reading. */
export interface Traced {
  masked: string
  trace?: Trace | undefined
}

/** A masked sentence with its persons, and the offices next to their names. */
export interface TracedSentence extends Traced {
  mentions: readonly { name: string }[]
  appositions: readonly ({ titles: readonly string[] } | null)[]
}

/**
 * Reports that a veto drops a candidate; returns false if the trace switched the veto off, so that the candidate stays.
 * Without a trace, returns true.
 */
export const dropped = (trace: Trace | undefined, veto: Veto, what: number | Officer | string): boolean =>
  trace === undefined || trace.drop(veto, what)
