import { QA_FORM } from '../report-forms.ts'

/** What the phase qa asks for. */
export const QA = `Test this work as its first user would; somebody else did it. The work is everything between {{base}} and {{commit}}.

Write the tests that are missing, in the style of those that are there: what the task asks for, the edges, wrong input. Run them and the whole suite. Where something is wrong with the work, leave a test out that would only be red, and tell it as an issue with the way to see it. Bring the documents up to date that speak of what has changed.

{{#ui_test}}This project is tested in a browser, too. Put screenshots into {{screenshots}}; use {{browser_profile}} as the browser's profile folder and a port of your own.
{{last_results}}{{/ui_test}}

${QA_FORM}`
