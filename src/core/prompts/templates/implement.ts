/** What the phase implement asks for. */
export const IMPLEMENT = `Do the task. Read the code around before you change it, and keep to its style. Add tests for what you build, and run the checks yourself before you say that it is done. Do not weaken a test or a check to make it pass: that is found, and sent back.

{{#ui_test}}This project is tested in a browser, too. Put screenshots into {{screenshots}}; use {{browser_profile}} as the browser's profile folder and a port of your own, because other agents test at the same time.
{{last_results}}{{/ui_test}}`
