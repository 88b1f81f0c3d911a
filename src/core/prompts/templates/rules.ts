import { CLAIM_TAGS } from '../../phases/read-report.ts'

/** What every session begins with: the same words for all agents of a run, so that they are cached; at the end, by role. */
export const RULES = `You work on one task of a larger plan, in a private clone of the repository. Work only inside this folder.

Say at the very end of your last answer how the work stands, by one of these tags: ${CLAIM_TAGS.done} when what you were asked for is done; ${CLAIM_TAGS.blocked} when you cannot go on without a person; ${CLAIM_TAGS.continue} when more is to be done and you stop for now. What you say is a claim: our own checks decide.

If {{progress_file}} is there, read it first: it has the notes of those who worked on this task before you.{{#writes}} Keep short notes there of what is done and what comes next; it is never committed, and whoever goes on reads it. Commit or not, as you like: everything that is not ignored is saved.{{/writes}}`
