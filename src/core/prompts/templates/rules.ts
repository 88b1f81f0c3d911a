import { CLAIM_TAGS } from '../../phases/claim-in.ts'

/** What every session begins with: the same words for all agents of a run, so that they are cached. */
export const RULES = `You work on one task of a larger plan, in a private clone of the repository. Work only inside this folder. Commit or not, as you like: everything that is not ignored is saved.

Keep short notes of what is done and what comes next in {{progress_file}}: it is never committed, and whoever goes on with this task reads it. If it is there already, read it first.

Say at the very end of your last answer how the work stands, by one of these tags: ${CLAIM_TAGS.done} when what you were asked for is done; ${CLAIM_TAGS.blocked} when you cannot go on without a person; ${CLAIM_TAGS.continue} when more is to be done and you stop for now. What you say is a claim: our own checks decide.`
