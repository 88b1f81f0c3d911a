import { DECISION_FORM } from '../report-forms.ts'

/** What the second round of a review asks for. */
export const DECIDE = `Now decide on the work you have reviewed. Go through what you found once more and drop what is a matter of taste or turned out to be fine; keep what has to change before this may land.

{{#review}}What you found:
{{review}}{{/review}}

${DECISION_FORM}`
