import { REVIEW_FORM } from '../report-forms.ts'

/** What the first round of a review asks for. */
export const REVIEW = `Review this work with fresh eyes; somebody else did it. Change no files. The work is everything between {{base}} and {{commit}}; {{work_file}} has all of it as a diff.

Look for what is wrong: behaviour that the task does not ask for or asks for and is missing, cases that fail, tests that prove nothing, harm to what was there. Read the code around, not only the changed lines, until you are sure. Do not decide yet.

${REVIEW_FORM}`
