/** One count of votes: for a nominee, or on a proposal. */
import type { Span } from '../../../read/prose/sentences.ts'
import type { Counts } from './counts.ts'
import type { Proposal } from './proposal.ts'

export interface Vote extends Span, Proposal {
  /** Name of the nominee; null for a vote on a proposal. */
  nominee: string | null
  counts: Counts
}

/** Information from the text above a row or sentence with counts. */
export interface Above {
  /** The proposal; null if the text above does not name it with certainty. */
  proposal: Proposal | null
  /** Whether the words above concern the election of persons. */
  isElection: boolean
  /** The name that stands alone above the counts of an election. */
  nominee: string | null
}

export interface ReadVotes {
  votes: Vote[]
  /** Number of rows and sentences with counts that were left out because their meaning was uncertain. */
  leftOut: number
}
